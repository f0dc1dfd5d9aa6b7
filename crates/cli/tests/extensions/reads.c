/* What the headers' inline functions read: classes, Floats, encodings, structures, and Hashes that C fills. */
#include <ruby.h>
#include <ruby/encoding.h>

void Init_reads(VALUE module);

static VALUE class_of(VALUE self, VALUE v) { return CLASS_OF(v); }
static VALUE class_of_hidden(VALUE self) { return CLASS_OF(rb_str_tmp_new(1)) ? Qtrue : Qfalse; }
static VALUE twice(VALUE self, VALUE v) { return DBL2NUM(NUM2DBL(v) * 2); }
static VALUE same(VALUE self, VALUE v) { return rb_assoc_new(DBL2NUM(RFLOAT_VALUE(v)), rb_float_new(rb_num2dbl(v))); }
static VALUE index_of(VALUE self, VALUE v) { return INT2NUM(ENCODING_GET(v)); }
static VALUE is_binary(VALUE self, VALUE v) { return ENCODING_IS_ASCII8BIT(v) ? Qtrue : Qfalse; }

static const rb_data_type_t base = {"base", {0, RUBY_DEFAULT_FREE}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static const rb_data_type_t derived = {"derived", {0, RUBY_DEFAULT_FREE}, &base, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static VALUE make_base(VALUE klass) { long *p; return TypedData_Make_Struct(klass, long, &base, p); }
static VALUE make_derived(VALUE klass) { long *p; return TypedData_Make_Struct(klass, long, &derived, p); }
static VALUE add_to_base(VALUE self, VALUE v) { long *p; TypedData_Get_Struct(v, long, &base, p); return LONG2NUM(++*p); }
static VALUE add_to_derived(VALUE self, VALUE v)
{
    long *p;
    TypedData_Get_Struct(v, long, &derived, p);
    return LONG2NUM(++*p);
}

static VALUE filled(VALUE self, VALUE keys, VALUE result)
{
    for (long i = 0; i < RARRAY_LEN(keys); i++) rb_hash_aset(result, RARRAY_AREF(keys, i), LONG2NUM(i));
    return result;
}

static VALUE numbers_in(VALUE self, VALUE text)
{
    const char *start = StringValueCStr(text);
    return rb_ary_new_from_args(4, rb_cstr_to_inum(start, 10, 0), rb_str_to_inum(text, 16, 0),
                                rb_float_new(rb_cstr_to_dbl(start, 0)), rb_float_new(rb_str_to_dbl(text, 0)));
}

static VALUE addresses(VALUE self)
{
    return rb_sprintf("%p|%p|%24p|%-24p|", (void *)16, (void *)0, (void *)0xabc, (void *)0xabc);
}

void Init_reads(VALUE module)
{
    rb_define_module_function(module, "addresses", addresses, 0);
    rb_define_module_function(module, "class_of", class_of, 1);
    rb_define_module_function(module, "class_of_hidden", class_of_hidden, 0);
    rb_define_module_function(module, "twice", twice, 1);
    rb_define_module_function(module, "same", same, 1);
    rb_define_module_function(module, "index_of", index_of, 1);
    rb_define_module_function(module, "is_binary", is_binary, 1);
    rb_define_module_function(module, "add_to_base", add_to_base, 1);
    rb_define_module_function(module, "add_to_derived", add_to_derived, 1);
    rb_define_alloc_func(rb_define_class_under(module, "Base", rb_cObject), make_base);
    rb_define_alloc_func(rb_define_class_under(module, "Derived", rb_cObject), make_derived);
    rb_define_module_function(module, "filled", filled, 2);
    rb_define_module_function(module, "numbers_in", numbers_in, 1);
}

/* Loops over functions of the C interface; measure.rb measures them. */
#include <ruby.h>

static ID id_noop, id_ivar;

static VALUE empty(VALUE self) { return Qnil; }
static VALUE empty2(VALUE self, VALUE a, VALUE b) { return a; }

/* Prevents the compiler from removing calls of pure functions. */
static volatile VALUE sink;

#define LOOP(name, body) \
    static VALUE name(VALUE self, VALUE count, VALUE v) \
    { long n = NUM2LONG(count); for (long i = 0; i < n; i++) { body; } return v; }

LOOP(funcall, rb_funcall(v, id_noop, 0))
LOOP(yield, rb_yield(v))
LOOP(ary_push, rb_ary_push(v, INT2FIX(i)); if ((i & 0xffff) == 0xffff) rb_ary_clear(v))
LOOP(ary_entry, sink = rb_ary_entry(v, 0))
LOOP(str_cat, rb_str_cat(v, "abcdefgh", 8); if ((i & 0xffff) == 0xffff) rb_str_resize(v, 0))
LOOP(str_new, rb_str_new("abcdefgh", 8))
LOOP(hash_aset, rb_hash_aset(v, INT2FIX(i & 1023), Qtrue))
LOOP(hash_aref, rb_hash_aref(v, INT2FIX(i & 1023)))
LOOP(ivar_get, rb_ivar_get(v, id_ivar))
LOOP(string_pointer, sink = (VALUE)RSTRING_PTR(v))

struct point { long x, y; };
static const rb_data_type_t point_type = {
    "point", {0, RUBY_DEFAULT_FREE}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED
};
static VALUE make_data(VALUE self, VALUE count, VALUE klass)
{
    long n = NUM2LONG(count);
    VALUE v = Qnil;
    for (long i = 0; i < n; i++) {
        struct point *p;
        v = TypedData_Make_Struct(klass, struct point, &point_type, p);
        p->x = i;
    }
    return v;
}

void Init_border(void)
{
    VALUE m = rb_define_module("Border");
    id_noop = rb_intern("noop");
    id_ivar = rb_intern("@value");
    rb_define_module_function(m, "empty", empty, 0);
    rb_define_module_function(m, "empty2", empty2, 2);
    rb_define_module_function(m, "funcall", funcall, 2);
    rb_define_module_function(m, "yield_", yield, 2);
    rb_define_module_function(m, "ary_push", ary_push, 2);
    rb_define_module_function(m, "ary_entry", ary_entry, 2);
    rb_define_module_function(m, "str_cat", str_cat, 2);
    rb_define_module_function(m, "str_new", str_new, 2);
    rb_define_module_function(m, "hash_aset", hash_aset, 2);
    rb_define_module_function(m, "hash_aref", hash_aref, 2);
    rb_define_module_function(m, "ivar_get", ivar_get, 2);
    rb_define_module_function(m, "string_pointer", string_pointer, 2);
    rb_define_module_function(m, "make_data", make_data, 2);
    VALUE c = rb_define_class_under(m, "Point", rb_cObject);
    rb_undef_alloc_func(c);
}

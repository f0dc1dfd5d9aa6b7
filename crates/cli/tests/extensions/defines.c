/* Methods whose body is a block in C, allocators that C asks for, temporary buffers. */
#include <ruby.h>
#include <ruby/encoding.h>

static VALUE body(RB_BLOCK_CALL_FUNC_ARGLIST(first, data))
{
    VALUE above = rb_call_super(argc, argv);
    return rb_ary_new_from_args(4, rb_current_receiver(), above, data, RBOOL(NIL_P(blockarg)));
}

static VALUE defines(VALUE self, VALUE class, VALUE name)
{
    return rb_block_call(class, rb_intern("define_method"), 1, &name, body, ID2SYM(rb_intern("data")));
}

static VALUE block(VALUE self) { return rb_proc_new(body, Qtrue); }

static VALUE is_allocated_by_c(VALUE self, VALUE class) { return RBOOL(rb_get_alloc_func(class) != 0); }

static VALUE allocated(VALUE self, VALUE class) { return rb_get_alloc_func(class)(class); }

/* Only the buffer, which is on the stack if it is small, refers to the Strings. */
static VALUE buffered(VALUE self, VALUE count)
{
    VALUE keeper, result = rb_str_new(0, 0);
    long n = NUM2LONG(count);
    VALUE *buffer = ALLOCV_N(VALUE, keeper, n);
    for (long i = 0; i < n; i++) buffer[i] = rb_sprintf("%ld,", i);
    rb_gc_start();
    for (long i = 0; i < n; i++) rb_str_append(result, buffer[i]);
    ALLOCV_END(keeper);
    return rb_ary_new_from_args(2, result, keeper == Qfalse ? Qtrue : Qfalse);
}

static VALUE stored(VALUE self, VALUE hash, VALUE key) { return rb_hash_aset(hash, key, Qtrue); }

static VALUE encoded(VALUE self, VALUE v, VALUE index)
{
    if (!NIL_P(index)) rb_enc_set_index(v, NUM2INT(index));
    return INT2FIX(rb_enc_get_index(v));
}

static int visit(VALUE key, VALUE value, VALUE hash)
{
    switch (NUM2INT(rb_yield_values(2, key, value))) {
      case 0: return ST_CONTINUE;
      case 1: return ST_STOP;
      case 2: return ST_DELETE;
      case 3: rb_hash_foreach(hash, visit, hash); return ST_CONTINUE;
      default: rb_raise(rb_eIndexError, "at %+"PRIsVALUE, key);
    }
}

static VALUE visited(VALUE self, VALUE hash)
{
    rb_hash_foreach(hash, visit, hash);
    return hash;
}

static VALUE real(VALUE self, VALUE v) { return DBL2NUM(NUM2DBL(v)); }

static VALUE made;

static const rb_data_type_t point_type = {"point", {0, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE point_allocate(VALUE class)
{
    VALUE *number;
    VALUE v = TypedData_Make_Struct(class, VALUE, &point_type, number);
    *number = INT2FIX(0);
    return v;
}

static VALUE *point(VALUE self) { return rb_check_typeddata(self, &point_type); }
static VALUE point_get(VALUE self) { return *point(self); }
static VALUE point_set(VALUE self, VALUE number) { return *point(self) = number; }

static VALUE point_dumped(VALUE self)
{
    VALUE other = rb_obj_alloc(rb_path2class("Thin::Written"));
    if (NUM2INT(point_get(self)) < 0) rb_raise(rb_eRangeError, "too small");
    rb_ivar_set(other, rb_intern("@number"), point_get(self));
    rb_ivar_set(other, rb_intern("@self"), self);
    return other;
}

static VALUE point_loaded(VALUE self, VALUE other)
{
    point_set(self, rb_ivar_get(other, rb_intern("@number")));
    return rb_ivar_get(other, rb_intern("@self")) == self ? self : Qfalse;
}

static VALUE point_class(VALUE module)
{
    VALUE written = rb_define_class_under(module, "Written", rb_cObject);
    made = rb_define_class_under(module, "Point", rb_cObject);
    rb_define_alloc_func(made, point_allocate);
    rb_define_method(made, "number", point_get, 0);
    rb_define_method(made, "number=", point_set, 1);
    rb_marshal_define_compat(made, written, point_dumped, point_loaded);
    return made;
}

void Init_defines(VALUE module)
{
    rb_define_singleton_method(module, "point_class", point_class, 0);
    rb_define_singleton_method(module, "defines", defines, 2);
    rb_define_singleton_method(module, "defining_block", block, 0);
    rb_define_singleton_method(module, "allocated_by_c?", is_allocated_by_c, 1);
    rb_define_singleton_method(module, "allocated_by_c", allocated, 1);
    rb_define_singleton_method(module, "buffered", buffered, 1);
    rb_define_singleton_method(module, "visited", visited, 1);
    rb_define_singleton_method(module, "real", real, 1);
    rb_define_singleton_method(module, "stored", stored, 2);
    rb_define_singleton_method(module, "encoding_index", encoded, 2);
}

/* Methods whose body is a block in C, and allocators that C asks for. */
#include <ruby.h>

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

void Init_defines(VALUE module)
{
    rb_define_singleton_method(module, "defines", defines, 2);
    rb_define_singleton_method(module, "defining_block", block, 0);
    rb_define_singleton_method(module, "allocated_by_c?", is_allocated_by_c, 1);
    rb_define_singleton_method(module, "allocated_by_c", allocated, 1);
}

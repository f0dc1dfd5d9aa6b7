/* Methods that pass their keywords on to `super` and to blocks. */
#include <ruby.h>

static VALUE above(int argc, VALUE *argv, VALUE self)
{
    return rb_call_super_kw(argc, argv, RB_PASS_CALLED_KEYWORDS);
}

static VALUE through(int argc, VALUE *argv, VALUE self)
{
    rb_check_arity(argc, 1, UNLIMITED_ARGUMENTS);
    return rb_block_call_kw(self, rb_to_id(argv[0]), argc - 1, argv + 1, rb_yield_block, 0, RB_PASS_CALLED_KEYWORDS);
}

void Init_passes(VALUE module)
{
    VALUE passes = rb_define_module_under(module, "Passes");
    rb_define_method(passes, "above", above, -1);
    rb_define_method(passes, "through", through, -1);
}

#ifndef RUBY_RACTOR_H
#define RUBY_RACTOR_H 1
#include "ruby/ruby.h"
static inline bool rb_ractor_shareable_p(VALUE obj)
{
    if (RB_SPECIAL_CONST_P(obj) || RB_FL_TEST_RAW(obj, RUBY_FL_SHAREABLE)) return true;
    return rb_ractor_shareable_p_continue(obj) != 0;
}
#endif

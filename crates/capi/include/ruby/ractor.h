#ifndef RUBY_RACTOR_H
#define RUBY_RACTOR_H 1
#include "ruby/ruby.h"
static inline bool rb_ractor_shareable_p(VALUE obj)
{
    if (RB_SPECIAL_CONST_P(obj) || RB_FL_TEST_RAW(obj, RUBY_FL_SHAREABLE)) return true;
    return rb_ractor_shareable_p_continue(obj) != 0;
}
static inline VALUE RB_OBJ_SET_SHAREABLE(VALUE obj) { return rb_obj_set_shareable(obj); }
static inline VALUE RB_OBJ_SET_FROZEN_SHAREABLE(VALUE obj)
{
    rb_obj_freeze(obj);
    return rb_obj_set_shareable(obj);
}
#define RB_RACTOR_LOCAL_STORAGE_TYPE_FREE (&rb_ractor_local_storage_type_free)
#endif

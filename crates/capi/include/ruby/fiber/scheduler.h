/* Calls of a fiber scheduler. */
#ifndef RUBY_FIBER_SCHEDULER_H
#define RUBY_FIBER_SCHEDULER_H 1
#include "ruby/ruby.h"
#include <errno.h>
#define RUBY_FIBER_SCHEDULER_VERSION 3
/* The result of a system call as a value: its number, or the negative number of an error. */
static inline VALUE rb_fiber_scheduler_io_result(ssize_t result, int error)
{
    return result == -1 ? RB_INT2NUM(-error) : RB_SSIZE2NUM(result);
}
static inline ssize_t rb_fiber_scheduler_io_result_apply(VALUE result)
{
    ssize_t number = RB_NUM2SSIZE(result);
    if (number >= 0) return number;
    errno = (int)-number;
    return -1;
}
#endif

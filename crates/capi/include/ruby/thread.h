#ifndef RUBY_THREAD_H
#define RUBY_THREAD_H 1
#include "ruby/ruby.h"
#define RUBY_UBF_IO ((rb_unblock_function_t *)-1)
#define RUBY_UBF_PROCESS ((rb_unblock_function_t *)-1)
#define RB_NOGVL_INTR_FAIL 0x1
#define RB_NOGVL_UBF_ASYNC_SAFE 0x2
#define RB_NOGVL_OFFLOAD_SAFE 0x4
#define HAVE_RB_NOGVL 1
#endif

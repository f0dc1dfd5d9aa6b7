#ifndef RUBY_THREAD_H
#define RUBY_THREAD_H 1
#include "ruby/ruby.h"
#define RUBY_UBF_IO ((rb_unblock_function_t *)-1)
#define RUBY_UBF_PROCESS ((rb_unblock_function_t *)-1)
#define RB_NOGVL_INTR_FAIL 0x1
#define RB_NOGVL_UBF_ASYNC_SAFE 0x2
#define RB_NOGVL_OFFLOAD_SAFE 0x4
#define HAVE_RB_NOGVL 1
#define RUBY_INTERNAL_THREAD_EVENT_STARTED (1 << 0)
#define RUBY_INTERNAL_THREAD_EVENT_READY (1 << 1)
#define RUBY_INTERNAL_THREAD_EVENT_RESUMED (1 << 2)
#define RUBY_INTERNAL_THREAD_EVENT_SUSPENDED (1 << 3)
#define RUBY_INTERNAL_THREAD_EVENT_EXITED (1 << 4)
#define RUBY_INTERNAL_THREAD_EVENT_MASK 0xff
#endif

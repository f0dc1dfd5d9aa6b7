#ifndef RUBY_DEBUG_H
#define RUBY_DEBUG_H 1
#include "ruby/ruby.h"
#define POSTPONED_JOB_HANDLE_INVALID ((rb_postponed_job_handle_t)UINT_MAX)
#define HAVE_RB_POSTPONED_JOB_PREREGISTER 1
#define RB_DEBUG_INSPECTOR_FRAME_DEPTH(dc, index) rb_debug_inspector_frame_depth(dc, index)
#endif

#ifndef RUBY_THREAD_NATIVE_H
#define RUBY_THREAD_NATIVE_H 1
#include "ruby/ruby.h"
#include <pthread.h>
typedef pthread_t rb_nativethread_id_t;
typedef pthread_mutex_t rb_nativethread_lock_t;
typedef pthread_cond_t rb_nativethread_cond_t;
#define rb_nativethread_self() pthread_self()
#define rb_native_mutex_initialize(l) pthread_mutex_init((l), 0)
#define rb_native_mutex_destroy(l) pthread_mutex_destroy(l)
#define rb_native_mutex_lock(l) pthread_mutex_lock(l)
#define rb_native_mutex_unlock(l) pthread_mutex_unlock(l)
#endif

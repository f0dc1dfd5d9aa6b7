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
#define rb_native_mutex_trylock(l) pthread_mutex_trylock(l)
#define rb_nativethread_lock_initialize rb_native_mutex_initialize
#define rb_nativethread_lock_destroy rb_native_mutex_destroy
#define rb_nativethread_lock_lock rb_native_mutex_lock
#define rb_nativethread_lock_unlock rb_native_mutex_unlock
#define rb_native_cond_initialize(c) pthread_cond_init((c), 0)
#define rb_native_cond_destroy(c) pthread_cond_destroy(c)
#define rb_native_cond_signal(c) pthread_cond_signal(c)
#define rb_native_cond_broadcast(c) pthread_cond_broadcast(c)
#define rb_native_cond_wait(c, l) pthread_cond_wait((c), (l))
static inline void rb_native_cond_timedwait(rb_nativethread_cond_t *c, pthread_mutex_t *l, unsigned long milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(milliseconds / 1000);
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(c, l, &until);
}
#endif

#ifndef RUBY_ATOMIC_H
#define RUBY_ATOMIC_H 1
#include "ruby/ruby.h"
typedef unsigned int rb_atomic_t;
#define RUBY_ATOMIC_FETCH_ADD(var, val) __atomic_fetch_add(&(var), (val), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_FETCH_SUB(var, val) __atomic_fetch_sub(&(var), (val), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_OR(var, val) ((void)__atomic_or_fetch(&(var), (val), __ATOMIC_SEQ_CST))
#define RUBY_ATOMIC_EXCHANGE(var, val) __atomic_exchange_n(&(var), (val), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_CAS(var, oldval, newval) __sync_val_compare_and_swap(&(var), (oldval), (newval))
#define RUBY_ATOMIC_LOAD(var) __atomic_load_n(&(var), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_SET(var, val) __atomic_store_n(&(var), (val), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_ADD(var, val) ((void)RUBY_ATOMIC_FETCH_ADD(var, val))
#define RUBY_ATOMIC_SUB(var, val) ((void)RUBY_ATOMIC_FETCH_SUB(var, val))
#define RUBY_ATOMIC_INC(var) RUBY_ATOMIC_ADD(var, 1)
#define RUBY_ATOMIC_DEC(var) RUBY_ATOMIC_SUB(var, 1)
#define RUBY_ATOMIC_SIZE_INC RUBY_ATOMIC_INC
#define RUBY_ATOMIC_SIZE_DEC RUBY_ATOMIC_DEC
#define RUBY_ATOMIC_SIZE_ADD RUBY_ATOMIC_ADD
#define RUBY_ATOMIC_SIZE_SUB RUBY_ATOMIC_SUB
#define RUBY_ATOMIC_SIZE_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_SIZE_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_PTR_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_PTR_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_PTR_LOAD RUBY_ATOMIC_LOAD
#define RUBY_ATOMIC_PTR_SET RUBY_ATOMIC_SET
#define RUBY_ATOMIC_VALUE_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_VALUE_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_VALUE_LOAD RUBY_ATOMIC_LOAD
#define RUBY_ATOMIC_VALUE_SET RUBY_ATOMIC_SET
#endif

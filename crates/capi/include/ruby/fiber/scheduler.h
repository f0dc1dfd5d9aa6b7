/* Calls of a fiber scheduler. */
#ifndef RUBY_FIBER_SCHEDULER_H
#define RUBY_FIBER_SCHEDULER_H 1
#include "ruby/ruby.h"
#define RUBY_FIBER_SCHEDULER_VERSION 3
#endif

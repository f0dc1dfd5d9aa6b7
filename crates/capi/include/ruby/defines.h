#ifndef RUBY_DEFINES_H
#define RUBY_DEFINES_H 1
#include "ruby/ruby.h"
#endif

#ifndef RUBY_MISSING_H
#define RUBY_MISSING_H 1
#include "ruby/ruby.h"
#endif

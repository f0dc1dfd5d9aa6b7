#ifndef RUBY_RANDOM_H
#define RUBY_RANDOM_H 1
#include "ruby/ruby.h"
#endif

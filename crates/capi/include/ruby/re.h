#ifndef RUBY_RE_H
#define RUBY_RE_H 1
#include "ruby/ruby.h"
#include "ruby/regex.h"
#endif

#ifndef RUBY_REGEX_H
#define RUBY_REGEX_H 1
#include "ruby/onigmo.h"
#endif

#ifndef RUBY_MISSING_H
#define RUBY_MISSING_H 1
#include "ruby/ruby.h"
/* Older C libraries lack them. */
#ifndef HAVE_STRLCPY
# define strlcpy ruby_strlcpy
#endif
#ifndef HAVE_STRLCAT
# define strlcat ruby_strlcat
#endif
#endif

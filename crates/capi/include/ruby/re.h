#ifndef RUBY_RE_H
#define RUBY_RE_H 1
#include "ruby/ruby.h"
#include "ruby/regex.h"
#define RREGEXP_PTR(obj) ((regex_t *)(obj))
#define RREGEXP_SRC(obj) rb_funcall((obj), rb_intern("source"), 0)
#define RREGEXP_SRC_PTR(obj) RSTRING_PTR(RREGEXP_SRC(obj))
#define RREGEXP_SRC_LEN(obj) RSTRING_LEN(RREGEXP_SRC(obj))
#define RREGEXP_SRC_END(obj) RSTRING_END(RREGEXP_SRC(obj))
#endif

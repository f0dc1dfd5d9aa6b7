#ifndef RUBY_UTIL_H
#define RUBY_UTIL_H 1
#include "ruby/ruby.h"
#define DECIMAL_SIZE_OF_BITS(n) (((n) * 3010 + 9998) / 9999)
#define ruby_verbose (*rb_ruby_verbose_ptr())
#define ruby_debug (*rb_ruby_debug_ptr())
#define ISASCII(c) ((unsigned)(c) < 128)
#define rb_isascii ISASCII
static inline int rb_isupper(int c) { return 'A' <= c && c <= 'Z'; }
static inline int rb_islower(int c) { return 'a' <= c && c <= 'z'; }
static inline int rb_isalpha(int c) { return rb_isupper(c) || rb_islower(c); }
static inline int rb_isdigit(int c) { return '0' <= c && c <= '9'; }
static inline int rb_isalnum(int c) { return rb_isalpha(c) || rb_isdigit(c); }
static inline int rb_isxdigit(int c) { return rb_isdigit(c) || ('A' <= c && c <= 'F') || ('a' <= c && c <= 'f'); }
static inline int rb_isblank(int c) { return c == ' ' || c == '\t'; }
static inline int rb_isspace(int c) { return c == ' ' || ('\t' <= c && c <= '\r'); }
static inline int rb_iscntrl(int c) { return (0 <= c && c < ' ') || c == 0x7f; }
static inline int rb_isprint(int c) { return ' ' <= c && c <= '~'; }
static inline int rb_isgraph(int c) { return '!' <= c && c <= '~'; }
static inline int rb_ispunct(int c) { return rb_isgraph(c) && !rb_isalnum(c); }
static inline int rb_toupper(int c) { return rb_islower(c) ? c - 32 : c; }
static inline int rb_tolower(int c) { return rb_isupper(c) ? c + 32 : c; }
#define ISPRINT rb_isprint
#define ISGRAPH rb_isgraph
#define ISSPACE rb_isspace
#define ISUPPER rb_isupper
#define ISLOWER rb_islower
#define ISALNUM rb_isalnum
#define ISALPHA rb_isalpha
#define ISDIGIT rb_isdigit
#define ISXDIGIT rb_isxdigit
#define ISBLANK rb_isblank
#define ISCNTRL rb_iscntrl
#define ISPUNCT rb_ispunct
#define TOUPPER rb_toupper
#define TOLOWER rb_tolower
#define rb_orig_errno (*rb_orig_errno_ptr())
static inline int *rb_orig_errno_ptr(void) { return rb_errno_ptr(); }
#define STRTOUL(start, end, base) ruby_strtoul((start), (end), (base))
#endif

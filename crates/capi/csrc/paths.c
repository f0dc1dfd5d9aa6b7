/* Parts of paths, and the names of files. */
#include "border.h"
#include <ruby/encoding.h>

/* The address after the character at `at`. */
static const char *after(const char *at, const char *end, rb_encoding *enc)
{
    return at + (rb_enc_mbmaxlen(enc) == 1 ? 1 : rb_enc_mbclen(at, end, enc));
}

char *rb_enc_path_skip_prefix(const char *path, const char *end, rb_encoding *enc)
{
    (void)end, (void)enc;
    return (char *)(uintptr_t)path;
}

char *rb_enc_path_next(const char *at, const char *end, rb_encoding *enc)
{
    while (at < end && *at != '/') at = after(at, end, enc);
    return (char *)(uintptr_t)at;
}

/* The last slash that is followed by other characters; the first one of several adjacent slashes. */
char *rb_enc_path_last_separator(const char *path, const char *end, rb_encoding *enc)
{
    const char *last = 0;
    while (path < end) {
        if (*path != '/') {
            path = after(path, end, enc);
            continue;
        }
        const char *separator = path;
        while (path < end && *path == '/') path++;
        if (path < end) last = separator;
    }
    return (char *)(uintptr_t)last;
}

/* The address of the trailing slashes, or the end. */
char *rb_enc_path_end(const char *path, const char *end, rb_encoding *enc)
{
    if (path < end && *path == '/') path++;
    while (path < end) {
        if (*path != '/') {
            path = after(path, end, enc);
            continue;
        }
        const char *separator = path;
        while (path < end && *path == '/') path++;
        if (path >= end) return (char *)(uintptr_t)separator;
    }
    return (char *)(uintptr_t)end;
}

/* `all_length` is the length of the path before the call, and of the last part after it. */
const char *ruby_enc_find_basename(const char *name, long *base_length, long *all_length, rb_encoding *enc)
{
    const char *end = name + (all_length ? *all_length : (long)strlen(name)), *base = name;
    long len;
    while (base < end && *base == '/') base++;
    if (base == end) {
        base = base > name ? base - 1 : base;
        len = base < end;
    }
    else {
        const char *last = rb_enc_path_last_separator(name, end, enc);
        for (base = last ? last : name; base < end && *base == '/';) base++;
        len = rb_enc_path_end(base, end, enc) - base;
    }
    if (base_length) *base_length = len;
    if (all_length) *all_length = len;
    return base;
}

/* `length` is the length of the path before the call, and of the suffix after it. */
const char *ruby_enc_find_extname(const char *name, long *length, rb_encoding *enc)
{
    const char *end = name + (length ? *length : (long)strlen(name)), *at = rb_enc_path_last_separator(name, end, enc), *dot = 0;
    if (!at) at = name;
    while (at < end && *at == '/') at++;
    while (at < end && *at == '.') at++;
    const char *start = at;
    for (; at < end && *at != '/'; at = after(at, end, enc)) {
        if (*at == '.') dot = at;
    }
    if (!dot || dot == start) return 0;
    if (length) *length = at - dot;
    return dot;
}

int rb_is_absolute_path(const char *path) { return *path == '/'; }

VALUE rb_file_s_expand_path(int count, const VALUE *values)
{
    return rb_funcallv(rb_cFile, rb_intern("expand_path"), count, values);
}

VALUE rb_file_s_absolute_path(int count, const VALUE *values)
{
    return rb_funcallv(rb_cFile, rb_intern("absolute_path"), count, values);
}

/* Finds the feature with one of the suffixes; the number of the suffix, from 1 on, or 0. */
int rb_find_file_ext(VALUE *feature, const char *const *suffixes)
{
    VALUE name = rb_get_path(*feature);
    for (int i = 0; suffixes[i]; i++) {
        VALUE found = rb_find_file(rb_str_cat_cstr(rb_str_dup(name), suffixes[i]));
        if (RTEST(found)) {
            *feature = found;
            return i + 1;
        }
    }
    return 0;
}

static int glob(const char *pattern, int flags, ruby_glob_func *function, VALUE argument)
{
    VALUE values[2] = {rb_external_str_new_cstr(pattern), INT2FIX(flags)};
    VALUE found = rb_funcallv(rb_cDir, rb_intern("glob"), 2, values);
    for (long i = 0; i < RARRAY_LEN(found); i++) {
        VALUE path = RARRAY_AREF(found, i);
        int status = function(StringValueCStr(path), argument, rb_enc_get(path));
        if (status) return status;
    }
    return 0;
}

int ruby_brace_glob(const char *pattern, int flags, ruby_glob_func *function, VALUE argument)
{
    return glob(pattern, flags, function, argument);
}

int ruby_glob(const char *pattern, int flags, ruby_glob_func *function, VALUE argument)
{
    return glob(pattern, flags, function, argument);
}

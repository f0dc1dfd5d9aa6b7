/* rb_scan_args: assigns arguments to variables according to a format. */
#include "border.h"

/* digits, each optional: leading, optional, `*`, trailing, `:`, `&` */
struct shape {
    int leading, optional, trailing, rest, hash, block;
};

static struct shape read_format(const char *format)
{
    struct shape shape = {0, 0, 0, 0, 0, 0};
    const char *at = format;
    if (rb_isdigit(*at)) {
        shape.leading = *at++ - '0';
        if (rb_isdigit(*at)) {
            shape.optional = *at++ - '0';
            if (rb_isdigit(*at)) shape.trailing = *at++ - '0';
        }
    }
    if (*at == '*') {
        shape.rest = 1;
        at++;
        if (rb_isdigit(*at)) shape.trailing = *at++ - '0';
    }
    if (*at == ':') { shape.hash = 1; at++; }
    if (*at == '&') { shape.block = 1; at++; }
    if (*at) rb_fatal("bad scan arg format: %s", format);
    return shape;
}

static int scan(int flag, int argc, const VALUE *argv, const char *format, va_list list)
{
    struct shape shape = read_format(format);
    int given = argc, at = 0;
    VALUE hash = Qnil;
    int has_keywords = flag == RB_SCAN_ARGS_KEYWORDS || flag == RB_SCAN_ARGS_LAST_HASH_KEYWORDS ||
        (flag == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS && rb_keyword_given_p());
    if (has_keywords && argc > 0) {
        VALUE last = argv[argc - 1];
        if (flag == RB_SCAN_ARGS_LAST_HASH_KEYWORDS && !RB_TYPE_P(last, T_HASH)) has_keywords = 0;
        else if (shape.hash && RB_TYPE_P(last, T_HASH)) { hash = rb_hash_dup(last); argc--; }
        else if (RB_TYPE_P(last, T_HASH) && RHASH_SIZE(last) == 0 && flag == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS) argc--;
    }
    int required = shape.leading + shape.trailing;
    if (argc < required || (!shape.rest && argc > required + shape.optional))
        rb_error_arity(argc, required, shape.rest ? UNLIMITED_ARGUMENTS : required + shape.optional);
    for (int i = 0; i < shape.leading; i++, at++) {
        VALUE *to = va_arg(list, VALUE *);
        if (to) *to = argv[at];
    }
    for (int i = 0; i < shape.optional; i++) {
        VALUE *to = va_arg(list, VALUE *);
        int is_given = at < argc - shape.trailing;
        if (to) *to = is_given ? argv[at] : Qnil;
        if (is_given) at++;
    }
    if (shape.rest) {
        VALUE *to = va_arg(list, VALUE *);
        int count = argc - at - shape.trailing;
        if (count < 0) count = 0;
        if (to) *to = rb_ary_new_from_values(count, argv + at);
        at += count;
    }
    for (int i = 0; i < shape.trailing; i++, at++) {
        VALUE *to = va_arg(list, VALUE *);
        if (to) *to = argv[at];
    }
    if (shape.hash) {
        VALUE *to = va_arg(list, VALUE *);
        if (to) *to = hash;
    }
    if (shape.block) {
        VALUE *to = va_arg(list, VALUE *);
        if (to) *to = rb_block_given_p() ? rb_block_proc() : Qnil;
    }
    (void)given;
    return argc;
}

int rb_scan_args(int argc, const VALUE *argv, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = scan(RB_SCAN_ARGS_PASS_CALLED_KEYWORDS, argc, argv, format, list);
    va_end(list);
    return count;
}

int rb_scan_args_kw(int flag, int argc, const VALUE *argv, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = scan(flag, argc, argv, format, list);
    va_end(list);
    return count;
}

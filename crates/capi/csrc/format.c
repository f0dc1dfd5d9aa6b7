/* rb_sprintf and related functions: printf of C, extended by values. */
#include "border.h"

/* The text with unprintable characters escaped as by `inspect`, but without quotes. */
static VALUE quoted(VALUE text)
{
    VALUE shown = rb_inspect(text), result = rb_str_new(0, 0);
    const char *at = RSTRING_PTR(shown) + 1, *end = RSTRING_END(shown) - 1;
    rb_enc_copy(result, shown);
    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end && strchr("\\\"#", at[1])) at++;
        else if (*at == '\\') rb_str_cat(result, at++, 1);
        rb_str_cat(result, at, 1);
    }
    RB_GC_GUARD(shown);
    return result;
}

static void append_value(VALUE result, VALUE v, char sign, int width, int precision, int left)
{
    VALUE text = sign == '+' ? rb_inspect(v) : rb_obj_as_string(v);
    if (sign == ' ') text = quoted(text);
    long length = RSTRING_LEN(text);
    if (precision >= 0 && rb_str_strlen(text) > precision) {
        text = rb_str_substr(text, 0, precision);
        length = RSTRING_LEN(text);
    }
    long fill = width - rb_str_strlen(text);
    for (long i = 0; !left && i < fill; i++) rb_str_cat(result, " ", 1);
    if (length > 0) rb_str_buf_append(result, text);
    for (long i = 0; left && i < fill; i++) rb_str_cat(result, " ", 1);
    RB_GC_GUARD(text);
}

/* The length modifier of an integer directive. */
enum size { INT, CHAR, SHORT, LONG, LONG_LONG_INT, SIZE, MAX, PTRDIFF };

static const char *read_size(const char *at, enum size *size)
{
    *size = INT;
    switch (*at) {
      case 'h': at++; *size = SHORT; if (*at == 'h') { at++; *size = CHAR; } break;
      case 'l': at++; *size = LONG; if (*at == 'l') { at++; *size = LONG_LONG_INT; } break;
      case 'q': at++; *size = LONG_LONG_INT; break;
      case 'z': at++; *size = SIZE; break;
      case 'j': at++; *size = MAX; break;
      case 't': at++; *size = PTRDIFF; break;
      default: break;
    }
    return at;
}

#define PRINT(value) do { \
        int need = snprintf(small, sizeof(small), directive, value); \
        if (need < (int)sizeof(small)) rb_str_cat(result, small, need); \
        else { char *large = ALLOC_N(char, need + 1); snprintf(large, need + 1, directive, value); \
               rb_str_cat(result, large, need); xfree(large); } } while (0)

static VALUE format_into(VALUE result, const char *format, va_list list)
{
    char small[512], directive[64], digits[20];
    while (*format) {
        const char *percent = strchr(format, '%');
        if (!percent) {
            rb_str_cat(result, format, (long)strlen(format));
            break;
        }
        if (percent > format) rb_str_cat(result, format, percent - format);
        const char *at = percent + 1;
        if (*at == '%') {
            rb_str_cat(result, "%", 1);
            format = at + 1;
            continue;
        }
        char flags[16];
        int count = 0, left = 0, width = 0, precision = -1;
        char sign = 0;
        for (; *at && strchr("-+ #0", *at); at++) {
            if (*at == '-') left = 1;
            if (*at == '+' || (*at == ' ' && !sign)) sign = *at;
            if (count < 8) flags[count++] = *at;
        }
        flags[count] = 0;
        if (*at == '*') {
            width = va_arg(list, int);
            if (width < 0) { left = 1; width = -width; flags[count++] = '-'; flags[count] = 0; }
            at++;
        } else {
            for (; rb_isdigit(*at); at++) width = width * 10 + (*at - '0');
        }
        if (*at == '.') {
            at++;
            precision = 0;
            if (*at == '*') { precision = va_arg(list, int); at++; }
            else for (; rb_isdigit(*at); at++) precision = precision * 10 + (*at - '0');
        }
        enum size size;
        at = read_size(at, &size);
        char kind = *at ? *at++ : 0;
        if (kind == 'i' && size == LONG && *at == '\v') {
            append_value(result, va_arg(list, VALUE), sign, width, precision, left);
            format = at + 1;
            continue;
        }
        char *d = directive;
        d += sprintf(d, "%%%s", flags);
        if (width) d += sprintf(d, "%d", width);
        if (precision >= 0) d += sprintf(d, ".%d", precision);
        switch (kind) {
          case 'd': case 'i': case 'u': case 'x': case 'X': case 'o': {
            int is_signed = kind == 'd' || kind == 'i';
            sprintf(d, "ll%c", kind);
            long long n;
            switch (size) {
              case LONG: case SIZE: case MAX: case PTRDIFF: n = va_arg(list, long); break;
              case LONG_LONG_INT: n = va_arg(list, long long); break;
              default: {
                int i = va_arg(list, int);
                n = is_signed ? (long long)i : (long long)(unsigned int)i;
                if (size == SHORT) n = is_signed ? (short)i : (unsigned short)i;
                if (size == CHAR) n = is_signed ? (signed char)i : (unsigned char)i;
              }
            }
            PRINT(n);
            break;
          }
          case 'f': case 'F': case 'e': case 'E': case 'g': case 'G': case 'a': case 'A':
            sprintf(d, "%c", kind);
            PRINT(va_arg(list, double));
            break;
          case 'c':
            sprintf(d, "c");
            PRINT(va_arg(list, int));
            break;
          case 'p':
            /* All digits, unlike `%p` of C's printf. */
            sprintf(d, "s");
            snprintf(digits, sizeof(digits), "0x%016lx", (unsigned long)va_arg(list, void *));
            PRINT(digits);
            break;
          case 's': {
            const char *s = va_arg(list, const char *);
            if (!s) s = "(null)";
            size_t n = precision >= 0 ? strnlen(s, (size_t)precision) : strlen(s);
            for (long i = (long)n; !left && i < width; i++) rb_str_cat(result, " ", 1);
            rb_str_cat(result, s, (long)n);
            for (long i = (long)n; left && i < width; i++) rb_str_cat(result, " ", 1);
            break;
          }
          default:
            rb_str_cat(result, percent, at - percent);
        }
        format = at;
    }
    return result;
}

VALUE rb_vsprintf(const char *format, va_list list)
{
    return rb_enc_vsprintf(0, format, list);
}

VALUE rb_enc_vsprintf(rb_encoding *enc, const char *format, va_list list)
{
    VALUE result = rb_str_buf_new(64);
    if (enc) rb_enc_associate(result, enc);
    else rb_enc_associate(result, rb_usascii_encoding());
    va_list copy;
    va_copy(copy, list);
    format_into(result, format, copy);
    va_end(copy);
    /* Without a value that has an encoding the text is bytes. */
    if (!enc && rb_enc_get(result) == rb_usascii_encoding())
        rb_enc_associate(result, rb_ascii8bit_encoding());
    return result;
}

VALUE rb_sprintf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    VALUE result = rb_vsprintf(format, list);
    va_end(list);
    return result;
}

VALUE rb_enc_sprintf(rb_encoding *enc, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    VALUE result = rb_enc_vsprintf(enc, format, list);
    va_end(list);
    return result;
}

VALUE rb_str_vcatf(VALUE s, const char *format, va_list list)
{
    rb_str_modify(StringValue(s));
    va_list copy;
    va_copy(copy, list);
    format_into(s, format, copy);
    va_end(copy);
    return s;
}

VALUE rb_str_catf(VALUE s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    rb_str_vcatf(s, format, list);
    va_end(list);
    return s;
}

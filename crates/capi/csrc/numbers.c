/* Numbers: parsing, conversions with a check of the range, comparisons. */
#include "border.h"

double rb_num2dbl(VALUE v) { return rb_num2dbl_inline(v); }

static int digit(char c)
{
    if ('0' <= c && c <= '9') return c - '0';
    c = (char)(c | 32);
    return 'a' <= c && c <= 'z' ? c - 'a' + 10 : 36;
}

static int prefix_base(char c)
{
    switch (c | 32) {
      case 'x': return 16;
      case 'b': return 2;
      case 'o': return 8;
      case 'd': return 10;
      default: return 0;
    }
}

/* Without `end`, the whole text must be a number. */
VALUE rb_int_parse_cstr(const char *text, ssize_t len, char **end, size_t *ndigits, int base, int flags)
{
    if (end) *end = (char *)(uintptr_t)text;
    if (ndigits) *ndigits = 0;
    if (!text) return Qnil;
    const char *at = text, *limit = text + (len < 0 ? (ssize_t)strlen(text) : len);
    VALUE digits = rb_str_new(0, 0);
    if (flags & RB_INT_PARSE_SIGN) {
        while (at < limit && rb_isspace((unsigned char)*at)) at++;
        if (at < limit && (*at == '+' || *at == '-')) rb_str_cat(digits, at++, 1);
    }
    int named = limit - at > 1 && *at == '0' ? prefix_base(at[1]) : 0;
    if (base <= 0) {
        int other = limit - at > 1 && *at == '0' ? 8 : base < -1 ? -base : 10;
        base = named ? named : other;
        if (named) at += 2;
    }
    else if (named == base && (flags & RB_INT_PARSE_PREFIX)) {
        at += 2;
    }
    if (base < 2 || base > 36) rb_raise(rb_eArgError, "invalid radix %d", base);
    size_t count = 0;
    const char *stop = at;
    while (at < limit) {
        if (digit(*at) < base) {
            rb_str_cat(digits, at++, 1);
            stop = at;
            count++;
        }
        else if (*at == '_' && count && at[-1] != '_' && (flags & RB_INT_PARSE_UNDERSCORE)) at++;
        else break;
    }
    if (ndigits) *ndigits = count;
    if (end && (count || at < limit)) *end = (char *)(uintptr_t)stop;
    if (!count) return Qnil;
    if (!end) {
        while (stop < limit && rb_isspace((unsigned char)*stop)) stop++;
        if (stop < limit) return Qnil;
    }
    return rb_str_to_inum(digits, base, 0);
}

unsigned long rb_fix2uint(VALUE v) { return rb_num2uint(v); }
unsigned short rb_fix2ushort(VALUE v) { return rb_num2ushort(v); }

VALUE rb_num2fix(VALUE v)
{
    long n = NUM2LONG(v);
    if (!FIXABLE(n)) rb_raise(rb_eRangeError, "integer %ld out of range of fixnum", n);
    return LONG2FIX(n);
}

VALUE rb_dbl_cmp(double a, double b)
{
    if (isnan(a) || isnan(b)) return Qnil;
    return INT2FIX((a > b) - (a < b));
}

/* Integers are immutable, so a new one is 0. */
VALUE rb_big_new(size_t len, int sign)
{
    (void)len, (void)sign;
    return INT2FIX(0);
}

VALUE rb_big_clone(VALUE v) { return v; }
int rb_bigzero_p(VALUE v) { return v == INT2FIX(0); }

/* Makes a number from 0 to 1 of 53 bits of two random numbers; 1 is excluded or included. */
double rb_int_pair_to_real(uint32_t a, uint32_t b, int excl)
{
    if (excl) return ((double)(a >> 5) * 67108864.0 + (double)(b >> 6)) / 9007199254740992.0;
    unsigned __int128 m = ((unsigned __int128)1 << 53) + 1;
    uint64_t x = (uint64_t)a << 32 | b;
    return ldexp((double)(uint64_t)((m * x) >> 64), -53);
}

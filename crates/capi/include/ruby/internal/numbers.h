/* Conversions between Integers and Floats and C numbers. */
#ifndef BENI_NUMBERS_H
#define BENI_NUMBERS_H 1
#define RUBY_FIXNUM_MAX (LONG_MAX / 2)
#define RUBY_FIXNUM_MIN (LONG_MIN / 2)
#define FIXNUM_MAX RUBY_FIXNUM_MAX
#define FIXNUM_MIN RUBY_FIXNUM_MIN
#define RB_POSFIXABLE(n) ((n) <= RUBY_FIXNUM_MAX)
#define RB_NEGFIXABLE(n) ((n) >= RUBY_FIXNUM_MIN)
#define RB_FIXABLE(n) (RB_POSFIXABLE(n) && RB_NEGFIXABLE(n))
#define POSFIXABLE RB_POSFIXABLE
#define NEGFIXABLE RB_NEGFIXABLE
#define FIXABLE RB_FIXABLE
#define RB_INT2FIX(i) ((VALUE)(((unsigned long)(i)) << 1 | RUBY_FIXNUM_FLAG))
#define RB_LONG2FIX RB_INT2FIX
#define INT2FIX RB_INT2FIX
#define LONG2FIX RB_INT2FIX
#define RB_FIX2LONG(x) ((long)((SIGNED_VALUE)(x) >> 1))
#define RB_FIX2ULONG(x) ((unsigned long)RB_FIX2LONG(x))
#define rb_fix2long RB_FIX2LONG
#define rb_fix2ulong RB_FIX2ULONG
#define FIX2LONG RB_FIX2LONG
#define FIX2ULONG RB_FIX2ULONG
#define RB_FIX2INT(x) ((int)rb_fix2int_inline((VALUE)(x)))
#define FIX2INT RB_FIX2INT
#define FIX2UINT(x) ((unsigned int)rb_num2uint((VALUE)(x)))
#define RB_FIX2UINT FIX2UINT
#define FIX2SHORT(x) rb_fix2short(x)

static inline VALUE rb_long2num_inline(long v) { return RB_FIXABLE(v) ? RB_LONG2FIX(v) : rb_int2big(v); }
static inline VALUE rb_ulong2num_inline(unsigned long v)
{
    return RB_POSFIXABLE(v) ? RB_LONG2FIX(v) : rb_uint2big(v);
}
static inline VALUE rb_int2num_inline(int v) { return RB_INT2FIX((long)v); }
static inline VALUE rb_uint2num_inline(unsigned int v) { return RB_INT2FIX((unsigned long)v); }
static inline long rb_num2long_inline(VALUE x) { return RB_FIXNUM_P(x) ? RB_FIX2LONG(x) : rb_num2long(x); }
static inline unsigned long rb_num2ulong_inline(VALUE x) { return RB_FIXNUM_P(x) ? RB_FIX2ULONG(x) : rb_num2ulong(x); }
static inline int rb_num2int_inline(VALUE x)
{
    long n = RB_FIX2LONG(x);
    return RB_FIXNUM_P(x) && n == (int)n ? (int)n : (int)rb_num2int(x);
}
static inline int rb_fix2int_inline(VALUE x)
{
    long n = RB_FIX2LONG(x);
    return RB_FIXNUM_P(x) && n == (int)n ? (int)n : (int)rb_fix2int(x);
}
/* A double whose exponent is near zero is in the value itself, rotated, and so is 0.0. */
#define BENI_FLONUM_ZERO ((VALUE)0x8000000000000002)
static inline double beni_flonum_value(VALUE v)
{
    VALUE bits = ((VALUE)2 - (v >> 63)) | (v & ~(VALUE)3);
    double value;
    bits = v == BENI_FLONUM_ZERO ? 0 : bits >> 3 | bits << 61;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double beni_float_value(VALUE v)
{
    return RB_FLONUM_P(v) ? beni_flonum_value(v) : rb_float_value(v);
}
static inline VALUE beni_float_new(double value)
{
    VALUE bits;
    memcpy(&bits, &value, sizeof bits);
    VALUE top = bits >> 60 & 7;
    if ((top == 3 || top == 4) && bits != (VALUE)3 << 60) return ((bits << 3 | bits >> 61) & ~(VALUE)3) | RUBY_FLONUM_FLAG;
    return bits ? rb_float_new(value) : BENI_FLONUM_ZERO;
}
static inline double rb_num2dbl_inline(VALUE x)
{
    if (RB_FLONUM_P(x)) return beni_flonum_value(x);
    return RB_FIXNUM_P(x) ? (double)RB_FIX2LONG(x) : beni_num2dbl(x);
}
static inline long beni_string_length(VALUE v);
static inline char rb_num2char_inline(VALUE x)
{
    if (RB_TYPE_P(x, RUBY_T_STRING) && beni_string_length(x) > 0) return *beni_string_pointer(x);
    return (char)rb_num2int_inline(x);
}

#define RB_INT2NUM(v) rb_int2num_inline((int)(v))
#define rb_int_new rb_int2inum
#define RB_UINT2NUM(v) rb_uint2num_inline((unsigned int)(v))
#define RB_LONG2NUM(v) rb_long2num_inline(v)
#define RB_ULONG2NUM(v) rb_ulong2num_inline(v)
#define RB_LL2NUM(v) rb_ll2inum(v)
#define RB_ULL2NUM(v) rb_ull2inum(v)
#define INT2NUM RB_INT2NUM
#define UINT2NUM RB_UINT2NUM
#define LONG2NUM RB_LONG2NUM
#define ULONG2NUM RB_ULONG2NUM
#define LL2NUM RB_LL2NUM
#define ULL2NUM RB_ULL2NUM
#define RB_NUM2INT(x) rb_num2int_inline((VALUE)(x))
#define RB_NUM2UINT(x) ((unsigned int)rb_num2uint((VALUE)(x)))
#define RB_NUM2LONG(x) rb_num2long_inline((VALUE)(x))
#define RB_NUM2ULONG(x) rb_num2ulong_inline((VALUE)(x))
#define RB_NUM2LL(x) rb_num2ll((VALUE)(x))
#define RB_NUM2ULL(x) rb_num2ull((VALUE)(x))
#define NUM2INT RB_NUM2INT
#define NUM2UINT RB_NUM2UINT
#define NUM2LONG RB_NUM2LONG
#define NUM2ULONG RB_NUM2ULONG
#define NUM2LL RB_NUM2LL
#define NUM2ULL RB_NUM2ULL
#define NUM2SHORT(x) rb_num2short((VALUE)(x))
#define NUM2USHORT(x) rb_num2ushort((VALUE)(x))
#define USHORT2NUM(x) RB_INT2FIX(x)
#define RB_NUM2SHORT NUM2SHORT
#define NUM2SIZET(x) ((size_t)RB_NUM2ULONG(x))
#define NUM2SSIZET(x) ((ssize_t)RB_NUM2LONG(x))
#define SIZET2NUM(v) RB_ULONG2NUM((unsigned long)(v))
#define SSIZET2NUM(v) RB_LONG2NUM((long)(v))
#define RB_NUM2SIZE NUM2SIZET
#define RB_NUM2SSIZE NUM2SSIZET
#define RB_SIZE2NUM SIZET2NUM
#define RB_SSIZE2NUM SSIZET2NUM
#define NUM2OFFT(x) ((off_t)RB_NUM2LONG(x))
#define OFFT2NUM(v) RB_LONG2NUM((long)(v))
#define NUM2TIMET(x) ((time_t)RB_NUM2LONG(x))
#define TIMET2NUM(v) RB_LONG2NUM((long)(v))
#define NUM2PIDT(x) ((pid_t)RB_NUM2INT(x))
#define PIDT2NUM(v) RB_INT2NUM((int)(v))
#define NUM2UIDT(x) ((uid_t)RB_NUM2UINT(x))
#define UIDT2NUM(v) RB_UINT2NUM(v)
#define NUM2GIDT(x) ((gid_t)RB_NUM2UINT(x))
#define GIDT2NUM(v) RB_UINT2NUM(v)
#define NUM2MODET(x) ((mode_t)RB_NUM2UINT(x))
#define MODET2NUM(v) RB_UINT2NUM(v)
#define NUM2DEVT(x) ((dev_t)RB_NUM2ULONG(x))
#define DEVT2NUM(v) RB_ULONG2NUM(v)
#define NUM2PTR(x) ((void *)RB_NUM2ULONG(x))
#define PTR2NUM(v) RB_ULONG2NUM((unsigned long)(v))
#define NUM2CLOCKID(x) ((clockid_t)RB_NUM2INT(x))
#define INT2MODET(v) UINT2NUM(v)
#define ST2FIX(h) RB_LONG2FIX((long)((h) << 1) >> 1)
#define RB_ST2FIX ST2FIX
#define RB_NUM2CHR(x) rb_num2char_inline((VALUE)(x))
#define NUM2CHR RB_NUM2CHR
#define RB_CHR2FIX(c) RB_INT2FIX((unsigned char)(c))
#define CHR2FIX RB_CHR2FIX
#define NUM2DBL(x) rb_num2dbl_inline((VALUE)(x))
#define RB_NUM2DBL NUM2DBL
#define DBL2NUM(v) beni_float_new(v)
#define RB_FLOAT_VALUE(v) beni_float_value((VALUE)(v))
#define RFLOAT_VALUE(v) beni_float_value((VALUE)(v))
#define rb_float_new_inline(value) beni_float_new(value)
#define RBIGNUM_SIGN(b) rb_big_sign(b)
#define RBIGNUM_POSITIVE_P(b) (RBIGNUM_SIGN(b) != 0)
#define RBIGNUM_NEGATIVE_P(b) (RBIGNUM_SIGN(b) == 0)
#define rb_long2int(n) rb_long2int_inline(n)
static inline int rb_long2int_inline(long n)
{
    if (n != (int)n) rb_out_of_int(n);
    return (int)n;
}
#define INTEGER_PACK_MSWORD_FIRST 0x01
#define INTEGER_PACK_LSWORD_FIRST 0x02
#define INTEGER_PACK_MSBYTE_FIRST 0x10
#define INTEGER_PACK_LSBYTE_FIRST 0x20
#define INTEGER_PACK_NATIVE_BYTE_ORDER 0x40
#define INTEGER_PACK_2COMP 0x80
#define INTEGER_PACK_FORCE_BIGNUM 0x100
#define INTEGER_PACK_NEGATIVE 0x200
#define INTEGER_PACK_FORCE_GENERIC_IMPLEMENTATION 0x400
#define INTEGER_PACK_LITTLE_ENDIAN (INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_LSBYTE_FIRST)
#define INTEGER_PACK_BIG_ENDIAN (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST)
enum rb_int_parse_flags {
    RB_INT_PARSE_SIGN = 0x01,
    RB_INT_PARSE_UNDERSCORE = 0x02,
    RB_INT_PARSE_PREFIX = 0x04,
    RB_INT_PARSE_ALL = 0x07,
    RB_INT_PARSE_DEFAULT = 0x07
};
#define rb_rational_new1(x) rb_rational_new((x), INT2FIX(1))
#define rb_rational_new2(x, y) rb_rational_new((x), (y))
#define rb_rational_raw1(x) rb_rational_raw((x), INT2FIX(1))
#define rb_rational_raw2(x, y) rb_rational_raw((x), (y))
#define rb_Rational1(x) rb_Rational((x), INT2FIX(1))
#define rb_Rational2(x, y) rb_Rational((x), (y))
#define rb_complex_new1(x) rb_complex_new((x), INT2FIX(0))
#define rb_complex_new2(x, y) rb_complex_new((x), (y))
#define rb_complex_raw1(x) rb_complex_raw((x), INT2FIX(0))
#define rb_complex_raw2(x, y) rb_complex_raw((x), (y))
#define rb_complex_polar rb_complex_new_polar
#define rb_Complex1(x) rb_Complex((x), INT2FIX(0))
#define rb_Complex2(x, y) rb_Complex((x), (y))
#define rb_dbl_complex_polar_pi rb_dbl_complex_new_polar_pi
#define RB_INT_PARSE_SIGN 0x01
#define RB_INT_PARSE_UNDERSCORE 0x02
#define RB_INT_PARSE_PREFIX 0x04
#define RB_INT_PARSE_ALL 0x07
#define RB_INT_PARSE_DEFAULT 0x07
#define rb_fix_new RB_INT2FIX
#define rb_uint_new rb_uint2inum
#define rb_big2int(x) rb_num2int(x)
#define rb_big2uint(x) rb_num2uint(x)
#define rb_complex_add rb_complex_plus
#define rb_complex_sub rb_complex_minus
#define rb_complex_nagate rb_complex_uminus
#endif

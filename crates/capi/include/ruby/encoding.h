/* Encodings. */
#ifndef RUBY_ENCODING_H
#define RUBY_ENCODING_H 1
#include "ruby/ruby.h"
#include "ruby/onigmo.h"
#define ENCODING_INLINE_MAX 127
#define RUBY_ENCODING_INLINE_MAX 127
/* Bits 12-18 of a String's header are the number of its encoding. */
static inline int beni_encoding_index(VALUE v)
{
    if (RB_TYPE_P(v, RUBY_T_STRING)) return (int)(BENI_HEADER(v) >> 12 & 0x7f);
    return rb_enc_get_index(v);
}
#define RB_ENCODING_GET_INLINED(obj) beni_encoding_index((VALUE)(obj))
#define RB_ENCODING_GET(obj) beni_encoding_index((VALUE)(obj))
#define RB_ENCODING_SET(obj, i) rb_enc_set_index((VALUE)(obj), (i))
#define RB_ENCODING_SET_INLINED(obj, i) rb_enc_set_index((VALUE)(obj), (i))
#define RB_ENCODING_IS_ASCII8BIT(obj) (RB_ENCODING_GET(obj) == 0)
#define ENCODING_GET RB_ENCODING_GET
#define ENCODING_GET_INLINED RB_ENCODING_GET_INLINED
#define ENCODING_SET RB_ENCODING_SET
#define ENCODING_SET_INLINED RB_ENCODING_SET_INLINED
#define ENCODING_IS_ASCII8BIT RB_ENCODING_IS_ASCII8BIT
enum ruby_coderange_type {
    RUBY_ENC_CODERANGE_UNKNOWN = 0,
    RUBY_ENC_CODERANGE_7BIT = 1,
    RUBY_ENC_CODERANGE_VALID = 2,
    RUBY_ENC_CODERANGE_BROKEN = 3,
    RUBY_ENC_CODERANGE_MASK = 3
};
#define ENC_CODERANGE_UNKNOWN RUBY_ENC_CODERANGE_UNKNOWN
#define ENC_CODERANGE_7BIT RUBY_ENC_CODERANGE_7BIT
#define ENC_CODERANGE_VALID RUBY_ENC_CODERANGE_VALID
#define ENC_CODERANGE_BROKEN RUBY_ENC_CODERANGE_BROKEN
#define ENC_CODERANGE_MASK RUBY_ENC_CODERANGE_MASK
#define RB_ENC_CODERANGE(obj) beni_code_range((VALUE)(obj))
#define RB_ENC_CODERANGE_SET(obj, cr) beni_set_code_range((VALUE)(obj), (int)(cr))
#define RB_ENC_CODERANGE_CLEAR(obj) beni_set_code_range((VALUE)(obj), 0)
#define RB_ENC_CODERANGE_CLEAN_P(cr) ((cr) == RUBY_ENC_CODERANGE_7BIT || (cr) == RUBY_ENC_CODERANGE_VALID)
#define RB_ENC_CODERANGE_ASCIIONLY(obj) (RB_ENC_CODERANGE(obj) == RUBY_ENC_CODERANGE_7BIT)
#define rb_enc_coderange_clean_p RB_ENC_CODERANGE_CLEAN_P
#define ENC_CODERANGE RB_ENC_CODERANGE
#define ENC_CODERANGE_SET RB_ENC_CODERANGE_SET
#define ENC_CODERANGE_CLEAR RB_ENC_CODERANGE_CLEAR
#define ENC_CODERANGE_CLEAN_P RB_ENC_CODERANGE_CLEAN_P
#define ENC_CODERANGE_ASCIIONLY RB_ENC_CODERANGE_ASCIIONLY
#define ENCODING_CODERANGE_SET RB_ENCODING_CODERANGE_SET
#define rb_enc_name(enc) ((enc)->name)
#define rb_enc_mbminlen(enc) ((enc)->min_enc_len)
#define rb_enc_mbmaxlen(enc) ((enc)->max_enc_len)
#define rb_enc_asciicompat(enc) (rb_enc_mbminlen(enc) == 1 && !rb_enc_dummy_p(enc))
#define rb_enc_str_asciicompat_p(str) rb_enc_asciicompat(rb_enc_get(str))
#define rb_enc_prev_char(s, p, e, enc) ((p) > (s) ? beni_left_char_head((s), (p) - 1, (e), (enc)) : (char *)0)
#define rb_enc_left_char_head(s, p, e, enc) beni_left_char_head((s), (p), (e), (enc))
#define rb_enc_right_char_head(s, p, e, enc) \
    __extension__ ({ const char *beni_head = beni_left_char_head((s), (p), (e), (enc)); \
                     (char *)(beni_head < (const char *)(p) ? beni_head + rb_enc_mbclen(beni_head, (e), (enc)) : beni_head); })
#define rb_enc_mbc_to_codepoint(p, e, enc) beni_mbc_to_code((const char *)(p), (const char *)(e), (enc))
#define rb_enc_mbcput(c, buf, enc) beni_mbcput((unsigned int)(c), (buf), (enc))
#define rb_enc_code_to_mbclen(c, enc) rb_enc_codelen((int)(c), (enc))
#define rb_enc_is_newline(p, e, enc) (*(const char *)(p) == '\n')
#define rb_enc_isctype(c, t, enc) beni_enc_ctype((c), (t), (enc))
#define rb_enc_isascii(c, enc) ((unsigned int)(c) < 128)
#define rb_enc_isspace(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_SPACE, (enc))
#define rb_enc_isalpha(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_ALPHA, (enc))
#define rb_enc_isalnum(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_ALNUM, (enc))
#define rb_enc_isdigit(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_DIGIT, (enc))
#define rb_enc_isupper(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_UPPER, (enc))
#define rb_enc_islower(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_LOWER, (enc))
#define rb_enc_isprint(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_PRINT, (enc))
#define rb_enc_ispunct(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_PUNCT, (enc))
#define MBCLEN_CHARFOUND_P(ret) ((ret) > 0)
#define MBCLEN_CHARFOUND_LEN(ret) (ret)
#define MBCLEN_INVALID_P(ret) ((ret) == -1)
#define MBCLEN_NEEDMORE_P(ret) ((ret) < -1)
#define MBCLEN_NEEDMORE_LEN(ret) (-1 - (ret))
#define ONIGENC_MBCLEN_CHARFOUND_P MBCLEN_CHARFOUND_P
#define ONIGENC_MBCLEN_CHARFOUND_LEN MBCLEN_CHARFOUND_LEN
enum ruby_econv_flag_type {
    RUBY_ECONV_ERROR_HANDLER_MASK = 0x000000ff,
    RUBY_ECONV_INVALID_MASK = 0x0000000f,
    RUBY_ECONV_INVALID_REPLACE = 0x00000002,
    RUBY_ECONV_UNDEF_MASK = 0x000000f0,
    RUBY_ECONV_UNDEF_REPLACE = 0x00000020,
    RUBY_ECONV_UNDEF_HEX_CHARREF = 0x00000030,
    RUBY_ECONV_DECORATOR_MASK = 0x0001ff00,
    RUBY_ECONV_NEWLINE_DECORATOR_MASK = 0x00007f00,
    RUBY_ECONV_NEWLINE_DECORATOR_READ_MASK = 0x00000f00,
    RUBY_ECONV_NEWLINE_DECORATOR_WRITE_MASK = 0x00007000,
    RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR = 0x00000100,
    RUBY_ECONV_CRLF_NEWLINE_DECORATOR = 0x00001000,
    RUBY_ECONV_CR_NEWLINE_DECORATOR = 0x00002000,
    RUBY_ECONV_LF_NEWLINE_DECORATOR = 0x00004000,
    RUBY_ECONV_XML_TEXT_DECORATOR = 0x00008000,
    RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR = 0x00010000,
    RUBY_ECONV_STATEFUL_DECORATOR_MASK = 0x00f00000,
    RUBY_ECONV_XML_ATTR_QUOTE_DECORATOR = 0x00100000,
    RUBY_ECONV_DEFAULT_NEWLINE_DECORATOR = 0x00000000,
    RUBY_ECONV_PARTIAL_INPUT = 0x00020000,
    RUBY_ECONV_AFTER_OUTPUT = 0x00040000
};
#define ECONV_ERROR_HANDLER_MASK RUBY_ECONV_ERROR_HANDLER_MASK
#define ECONV_INVALID_MASK RUBY_ECONV_INVALID_MASK
#define ECONV_INVALID_REPLACE RUBY_ECONV_INVALID_REPLACE
#define ECONV_UNDEF_MASK RUBY_ECONV_UNDEF_MASK
#define ECONV_UNDEF_REPLACE RUBY_ECONV_UNDEF_REPLACE
#define ECONV_UNDEF_HEX_CHARREF RUBY_ECONV_UNDEF_HEX_CHARREF
#define ECONV_DECORATOR_MASK RUBY_ECONV_DECORATOR_MASK
#define ECONV_NEWLINE_DECORATOR_MASK RUBY_ECONV_NEWLINE_DECORATOR_MASK
#define ECONV_NEWLINE_DECORATOR_READ_MASK RUBY_ECONV_NEWLINE_DECORATOR_READ_MASK
#define ECONV_NEWLINE_DECORATOR_WRITE_MASK RUBY_ECONV_NEWLINE_DECORATOR_WRITE_MASK
#define ECONV_UNIVERSAL_NEWLINE_DECORATOR RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR
#define ECONV_CRLF_NEWLINE_DECORATOR RUBY_ECONV_CRLF_NEWLINE_DECORATOR
#define ECONV_CR_NEWLINE_DECORATOR RUBY_ECONV_CR_NEWLINE_DECORATOR
#define ECONV_LF_NEWLINE_DECORATOR RUBY_ECONV_LF_NEWLINE_DECORATOR
#define ECONV_XML_TEXT_DECORATOR RUBY_ECONV_XML_TEXT_DECORATOR
#define ECONV_XML_ATTR_CONTENT_DECORATOR RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR
#define ECONV_STATEFUL_DECORATOR_MASK RUBY_ECONV_STATEFUL_DECORATOR_MASK
#define ECONV_XML_ATTR_QUOTE_DECORATOR RUBY_ECONV_XML_ATTR_QUOTE_DECORATOR
#define ECONV_DEFAULT_NEWLINE_DECORATOR RUBY_ECONV_DEFAULT_NEWLINE_DECORATOR
#define ECONV_PARTIAL_INPUT RUBY_ECONV_PARTIAL_INPUT
#define ECONV_AFTER_OUTPUT RUBY_ECONV_AFTER_OUTPUT
#define ENCODING_MAXNAMELEN 42
static inline enum ruby_coderange_type RB_ENC_CODERANGE_AND(enum ruby_coderange_type a, enum ruby_coderange_type b)
{
    if (a == RUBY_ENC_CODERANGE_7BIT) return b;
    if (a != RUBY_ENC_CODERANGE_VALID) return RUBY_ENC_CODERANGE_UNKNOWN;
    return b == RUBY_ENC_CODERANGE_7BIT ? RUBY_ENC_CODERANGE_VALID : b;
}
#define ENC_CODERANGE_AND RB_ENC_CODERANGE_AND
#define rb_enc_iscntrl(c, enc) beni_enc_ctype((c), ONIGENC_CTYPE_CNTRL, (enc))
static inline char *rb_enc_step_back(const char *s, const char *p, const char *e, int n, rb_encoding *enc)
{
    while (n-- > 0 && p && p > s) p = beni_left_char_head(s, p - 1, e, enc);
    return n >= 0 ? (char *)0 : (char *)RBIMPL_CAST((uintptr_t)p);
}
#define RB_ENCODING_CODERANGE_SET(obj, i, cr) (RB_ENCODING_SET((obj), (i)), RB_ENC_CODERANGE_SET((obj), (cr)))
#endif

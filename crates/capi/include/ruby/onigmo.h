/* The part of Onigmo's interface that extensions use: options, the structure of encodings, and searches in bytes with
 * the positions of groups. A `regex_t` is a Regexp object; `rb_reg_prepare_re` determines the encoding of the bytes. */
#ifndef ONIGMO_H
#define ONIGMO_H 1
#include "ruby/internal/attributes.h"
typedef unsigned char OnigUChar;
typedef unsigned int OnigCodePoint;
typedef unsigned int OnigCtype;
typedef unsigned int OnigOptionType;
typedef size_t OnigDistance;
typedef ptrdiff_t OnigPosition;
struct OnigEncodingTypeST {
    const char *name;
    int max_enc_len;
    int min_enc_len;
    int ruby_encoding_index;
    unsigned int flags;
};
typedef struct OnigEncodingTypeST OnigEncodingType;
typedef const struct OnigEncodingTypeST *OnigEncoding;
#ifndef ONIG_ESCAPE_UCHAR_COLLISION
#define UChar OnigUChar
#endif
typedef struct re_registers {
    int allocated;
    int num_regs;
    OnigPosition *beg;
    OnigPosition *end;
} OnigRegion;
/* `par` is the text of the error. */
typedef struct beni_onig_error {
    OnigEncoding enc;
    OnigUChar *par;
    OnigUChar *par_end;
} OnigErrorInfo;
/* The syntax is always Ruby's. */
typedef struct beni_onig_syntax OnigSyntaxType;
#define ONIG_SYNTAX_RUBY ((const OnigSyntaxType *)0)
#define ONIG_SYNTAX_DEFAULT ONIG_SYNTAX_RUBY
#define ONIG_ENCODING_ASCII ((OnigEncoding)rb_ascii8bit_encoding())
#define ONIG_MAX_ERROR_MESSAGE_LEN 90
typedef struct re_pattern_buffer OnigRegexType;
typedef OnigRegexType *OnigRegex;
typedef OnigRegexType regex_t;
/* The command itself contains functions of these names. */
#define onig_match beni_onig_match
#define onig_search beni_onig_search
#define onig_foreach_name beni_onig_foreach_name
#define onig_name_to_backref_number beni_onig_name_to_backref_number
#define onig_number_of_names beni_onig_number_of_names
#define onig_number_of_captures beni_onig_number_of_captures
#define onig_free beni_onig_free
#define onig_new beni_onig_new
#define onig_error_code_to_str beni_onig_error_text
#define onig_region_init beni_onig_region_init
#define onig_region_clear beni_onig_region_clear
#define onig_region_free beni_onig_region_free
#define onig_region_copy beni_onig_region_copy
#define onig_region_new beni_onig_region_new
#define onig_region_resize beni_onig_region_resize
#define onig_region_set beni_onig_region_set
#define onig_region_memsize beni_onig_region_memsize
#define ONIG_REGION_NOTPOS (-1)
#define ONIG_OPTION_NONE 0U
#define ONIG_OPTION_IGNORECASE 1U
#define ONIG_OPTION_EXTEND 2U
#define ONIG_OPTION_MULTILINE 4U
#define ONIG_OPTION_DEFAULT ONIG_OPTION_NONE
#define ONIG_OPTION_DOTALL ONIG_OPTION_MULTILINE
#define ONIG_OPTION_ON(options, added) ((options) |= (added))
#define ONIG_OPTION_OFF(options, removed) ((options) &= ~(removed))
#define ONIG_IS_OPTION_ON(options, option) ((options) & (option))
#define ONIGENC_IS_UNICODE(enc) (rb_enc_unicode_p((rb_encoding *)(enc)))
#define ONIGENC_CODE_TO_MBC_MAXLEN 16
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_CASE_FOLD (1 << 19)
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) beni_case_fold((const char **)(pp), (const char *)(end), (buf), (rb_encoding *)(enc))
#define onigenc_mbclen(p, e, enc) rb_enc_mbclen((const char *)(p), (const char *)(e), (rb_encoding *)(enc))
#define onigenc_get_left_adjust_char_head(enc, start, s, end) \
    ((OnigUChar *)beni_left_char_head((const char *)(start), (const char *)(s), (const char *)(end), (rb_encoding *)(enc)))
#define onigenc_get_prev_char_head(enc, start, s, end) \
    ((OnigUChar *)rb_enc_prev_char((const char *)(start), (const char *)(s), (const char *)(end), (rb_encoding *)(enc)))
#define onigenc_get_right_adjust_char_head(enc, start, s, end) \
    ((OnigUChar *)rb_enc_right_char_head((const char *)(start), (const char *)(s), (const char *)(end), (rb_encoding *)(enc)))
#define onigenc_step_back(enc, start, s, end, n) \
    ((OnigUChar *)rb_enc_step_back((const char *)(start), (const char *)(s), (const char *)(end), (n), (rb_encoding *)(enc)))
#define onigenc_strlen(enc, p, end) ((int)rb_enc_strlen((const char *)(p), (const char *)(end), (rb_encoding *)(enc)))
#define ONIGENC_NAME(enc) ((enc)->name)
#define ONIGENC_MBC_MAXLEN(enc) ((enc)->max_enc_len)
#define ONIGENC_MBC_MINLEN(enc) ((enc)->min_enc_len)
#define ONIGENC_IS_SINGLEBYTE(enc) (ONIGENC_MBC_MAXLEN(enc) == 1)
#define ONIGENC_LEFT_ADJUST_CHAR_HEAD onigenc_get_left_adjust_char_head
#define ONIGENC_STEP_BACK onigenc_step_back
#define ONIGENC_MBC_TO_CODE(enc, p, end) beni_mbc_to_code((const char *)(p), (const char *)(end), (rb_encoding *)(enc))
#define ONIGENC_CODE_TO_MBC(enc, code, buf) beni_mbcput((code), (buf), (rb_encoding *)(enc))
#define ONIGENC_CODE_TO_MBCLEN(enc, code) rb_enc_codelen((int)(code), (rb_encoding *)(enc))
#define ONIGENC_PRECISE_MBC_ENC_LEN(enc, p, e) \
    rb_enc_precise_mbclen((const char *)(p), (const char *)(e), (rb_encoding *)(enc))
#define ONIGENC_MBC_ENC_LEN(enc, p, e) onigenc_mbclen(p, e, enc)
#define ONIGENC_IS_CODE_CTYPE(enc, code, type) beni_enc_ctype((code), (type), (rb_encoding *)(enc))
#define ONIGENC_IS_CODE_ALPHA(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_ALPHA)
#define ONIGENC_IS_CODE_ALNUM(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_ALNUM)
#define ONIGENC_IS_CODE_DIGIT(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_DIGIT)
#define ONIGENC_IS_CODE_SPACE(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_SPACE)
#define ONIGENC_IS_CODE_WORD(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_WORD)
#define ONIGENC_IS_CODE_UPPER(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_UPPER)
#define ONIGENC_IS_CODE_LOWER(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_LOWER)
#define ONIGENC_IS_CODE_PRINT(enc, code) ONIGENC_IS_CODE_CTYPE(enc, code, ONIGENC_CTYPE_PRINT)
#define ONIGENC_IS_CODE_ASCII(code) ((code) < 128)
#define ONIGERR_MEMORY -5
#define ONIGERR_PARSER_BUG -11
#define ONIGERR_INVALID_ARGUMENT -30
#define ONIGERR_UNDEFINED_NAME_REFERENCE -217
#define ONIG_MISMATCH -1
#define ONIG_NORMAL 0
#define ONIGENC_CTYPE_NEWLINE 0
#define ONIGENC_CTYPE_ALPHA 1
#define ONIGENC_CTYPE_BLANK 2
#define ONIGENC_CTYPE_CNTRL 3
#define ONIGENC_CTYPE_DIGIT 4
#define ONIGENC_CTYPE_GRAPH 5
#define ONIGENC_CTYPE_LOWER 6
#define ONIGENC_CTYPE_PRINT 7
#define ONIGENC_CTYPE_PUNCT 8
#define ONIGENC_CTYPE_SPACE 9
#define ONIGENC_CTYPE_UPPER 10
#define ONIGENC_CTYPE_XDIGIT 11
#define ONIGENC_CTYPE_WORD 12
#define ONIGENC_CTYPE_ALNUM 13
#define ONIGENC_CTYPE_ASCII 14
#endif

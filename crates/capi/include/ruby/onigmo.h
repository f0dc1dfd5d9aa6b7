/* The part of Onigmo's interface that extensions use: options, the structure of encodings, and searches in bytes with
 * the positions of groups. A `regex_t` is a Regexp object; `rb_reg_prepare_re` tells the encoding of what is searched. */
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
#define ONIGENC_IS_UNICODE(enc) (rb_enc_unicode_p((rb_encoding *)(enc)))
#define ONIGENC_CODE_TO_MBC_MAXLEN 16
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_CASE_FOLD (1 << 19)
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) beni_case_fold((const char **)(pp), (const char *)(end), (buf), (rb_encoding *)(enc))
#define ONIGERR_MEMORY -5
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

/* The part of Onigmo's interface that extensions use: options and the structure of encodings. */
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
#define ONIG_OPTION_NONE 0U
#define ONIG_OPTION_IGNORECASE 1U
#define ONIG_OPTION_EXTEND 2U
#define ONIG_OPTION_MULTILINE 4U
#define ONIGENC_IS_UNICODE(enc) (rb_enc_unicode_p((rb_encoding *)(enc)))
#define ONIGENC_CODE_TO_MBC_MAXLEN 16
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_CASE_FOLD (1 << 19)
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) beni_case_fold((const char **)(pp), (const char *)(end), (buf), (rb_encoding *)(enc))
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

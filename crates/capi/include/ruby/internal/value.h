/* Values: their bits, types and flags. crates/abi/src/value.rs and header.rs define the layouts. */
#ifndef BENI_VALUE_H
#define BENI_VALUE_H 1

typedef unsigned long VALUE;
typedef unsigned long ID;
#define SIGNED_VALUE long
#define SIZEOF_VALUE 8
#define PRI_VALUE_PREFIX "l"
#define RUBY_PRI_VALUE_MARK "\v"
#define PRIdVALUE "ld"
#define PRIoVALUE "lo"
#define PRIuVALUE "lu"
#define PRIxVALUE "lx"
#define PRIXVALUE "lX"
#define PRIsVALUE "li" RUBY_PRI_VALUE_MARK
#define PRIdSIZE "zd"
#define PRIuSIZE "zu"
#define PRIxSIZE "zx"
#define PRIdTIMET "ld"
#define PRIdPTRDIFF "td"
#define PRI_64_PREFIX "l"
#define VALUE_MAX ULONG_MAX

enum ruby_special_consts {
    RUBY_Qfalse = 0x00,
    RUBY_Qnil = 0x04,
    RUBY_Qtrue = 0x14,
    RUBY_Qundef = 0x24,
    RUBY_IMMEDIATE_MASK = 0x07,
    RUBY_FIXNUM_FLAG = 0x01,
    RUBY_FLONUM_MASK = 0x03,
    RUBY_FLONUM_FLAG = 0x02,
    RUBY_SYMBOL_FLAG = 0x0c,
    RUBY_SPECIAL_SHIFT = 8
};
#define Qfalse ((VALUE)RUBY_Qfalse)
#define Qnil ((VALUE)RUBY_Qnil)
#define Qtrue ((VALUE)RUBY_Qtrue)
#define Qundef ((VALUE)RUBY_Qundef)
#define RUBY_IMMEDIATE_MASK RUBY_IMMEDIATE_MASK
#define IMMEDIATE_MASK RUBY_IMMEDIATE_MASK
#define FIXNUM_FLAG RUBY_FIXNUM_FLAG
#define SYMBOL_FLAG RUBY_SYMBOL_FLAG
#define FLONUM_MASK RUBY_FLONUM_MASK
#define FLONUM_FLAG RUBY_FLONUM_FLAG

#define RB_TEST(v) (((VALUE)(v) & ~(VALUE)RUBY_Qnil) != 0)
#define RB_NIL_P(v) ((VALUE)(v) == Qnil)
#define RB_UNDEF_P(v) ((VALUE)(v) == Qundef)
#define RB_NIL_OR_UNDEF_P(v) (((VALUE)(v) & ~(VALUE)0x20) == Qnil)
#define RB_FIXNUM_P(v) (((VALUE)(v) & RUBY_FIXNUM_FLAG) != 0)
#define RB_FLONUM_P(v) (((VALUE)(v) & RUBY_FLONUM_MASK) == RUBY_FLONUM_FLAG)
#define RB_STATIC_SYM_P(v) (((VALUE)(v) & 0xff) == RUBY_SYMBOL_FLAG)
#define RB_IMMEDIATE_P(v) (((VALUE)(v) & RUBY_IMMEDIATE_MASK) != 0)
#define RB_SPECIAL_CONST_P(v) (RB_IMMEDIATE_P(v) || (VALUE)(v) == Qfalse)
#define RTEST RB_TEST
#define NIL_P RB_NIL_P
#define UNDEF_P RB_UNDEF_P
#define FIXNUM_P RB_FIXNUM_P
#define FLONUM_P RB_FLONUM_P
#define STATIC_SYM_P RB_STATIC_SYM_P
#define IMMEDIATE_P RB_IMMEDIATE_P
#define SPECIAL_CONST_P RB_SPECIAL_CONST_P
#define RBOOL(v) ((v) ? Qtrue : Qfalse)
static inline VALUE rb_special_const_p(VALUE v) { return RBOOL(RB_SPECIAL_CONST_P(v)); }

enum ruby_value_type {
    RUBY_T_NONE = 0x00, RUBY_T_OBJECT = 0x01, RUBY_T_CLASS = 0x02, RUBY_T_MODULE = 0x03, RUBY_T_FLOAT = 0x04,
    RUBY_T_STRING = 0x05, RUBY_T_REGEXP = 0x06, RUBY_T_ARRAY = 0x07, RUBY_T_HASH = 0x08, RUBY_T_STRUCT = 0x09,
    RUBY_T_BIGNUM = 0x0a, RUBY_T_FILE = 0x0b, RUBY_T_DATA = 0x0c, RUBY_T_MATCH = 0x0d, RUBY_T_COMPLEX = 0x0e,
    RUBY_T_RATIONAL = 0x0f, RUBY_T_NIL = 0x11, RUBY_T_TRUE = 0x12, RUBY_T_FALSE = 0x13, RUBY_T_SYMBOL = 0x14,
    RUBY_T_FIXNUM = 0x15, RUBY_T_UNDEF = 0x16, RUBY_T_IMEMO = 0x1a, RUBY_T_NODE = 0x1b, RUBY_T_ICLASS = 0x1c,
    RUBY_T_ZOMBIE = 0x1d, RUBY_T_MOVED = 0x1e, RUBY_T_MASK = 0x1f
};
#define T_NONE RUBY_T_NONE
#define T_OBJECT RUBY_T_OBJECT
#define T_CLASS RUBY_T_CLASS
#define T_MODULE RUBY_T_MODULE
#define T_FLOAT RUBY_T_FLOAT
#define T_STRING RUBY_T_STRING
#define T_REGEXP RUBY_T_REGEXP
#define T_ARRAY RUBY_T_ARRAY
#define T_HASH RUBY_T_HASH
#define T_STRUCT RUBY_T_STRUCT
#define T_BIGNUM RUBY_T_BIGNUM
#define T_FILE RUBY_T_FILE
#define T_DATA RUBY_T_DATA
#define T_MATCH RUBY_T_MATCH
#define T_COMPLEX RUBY_T_COMPLEX
#define T_RATIONAL RUBY_T_RATIONAL
#define T_NIL RUBY_T_NIL
#define T_TRUE RUBY_T_TRUE
#define T_FALSE RUBY_T_FALSE
#define T_SYMBOL RUBY_T_SYMBOL
#define T_FIXNUM RUBY_T_FIXNUM
#define T_UNDEF RUBY_T_UNDEF
#define T_IMEMO RUBY_T_IMEMO
#define T_NODE RUBY_T_NODE
#define T_ICLASS RUBY_T_ICLASS
#define T_ZOMBIE RUBY_T_ZOMBIE
#define T_MOVED RUBY_T_MOVED
#define T_MASK RUBY_T_MASK

/* The bits of an object's header. */
enum ruby_fl_type {
    RUBY_FL_FREEZE = 1 << 5,
    BENI_FL_CHILLED = 1 << 6,
    RUBY_FL_SHAREABLE = 1 << 7,
    RUBY_FL_EXIVAR = 1 << 8,
    BENI_FL_PINNED = 1 << 9,
    RUBY_FL_USHIFT = 10,
    /* In classes. */
    RUBY_FL_SINGLETON = 1 << 29,
    RUBY_FL_WB_PROTECTED = 0,
    RUBY_FL_PROMOTED = 0,
    RUBY_FL_FINALIZE = 0,
    RUBY_FL_TAINT = 0,
    RUBY_FL_UNTRUSTED = 0
};
#define FL_USHIFT RUBY_FL_USHIFT
#define BENI_FL_USER(n) (1u << (RUBY_FL_USHIFT + (n)))
#define RUBY_FL_USER0 BENI_FL_USER(0)
#define RUBY_FL_USER1 BENI_FL_USER(1)
#define RUBY_FL_USER2 BENI_FL_USER(2)
#define RUBY_FL_USER3 BENI_FL_USER(3)
#define RUBY_FL_USER4 BENI_FL_USER(4)
#define RUBY_FL_USER5 BENI_FL_USER(5)
#define RUBY_FL_USER6 BENI_FL_USER(6)
#define RUBY_FL_USER7 BENI_FL_USER(7)
#define RUBY_FL_USER8 BENI_FL_USER(8)
#define RUBY_FL_USER9 BENI_FL_USER(9)
#define RUBY_FL_USER10 BENI_FL_USER(10)
#define RUBY_FL_USER11 BENI_FL_USER(11)
#define RUBY_FL_USER12 BENI_FL_USER(12)
#define RUBY_FL_USER13 BENI_FL_USER(13)
#define RUBY_FL_USER14 BENI_FL_USER(14)
#define RUBY_FL_USER15 BENI_FL_USER(15)
#define RUBY_FL_USER16 BENI_FL_USER(16)
#define RUBY_FL_USER17 BENI_FL_USER(17)
#define RUBY_FL_USER18 BENI_FL_USER(18)
#define FL_USER0 RUBY_FL_USER0
#define FL_USER1 RUBY_FL_USER1
#define FL_USER2 RUBY_FL_USER2
#define FL_USER3 RUBY_FL_USER3
#define FL_USER4 RUBY_FL_USER4
#define FL_USER5 RUBY_FL_USER5
#define FL_USER6 RUBY_FL_USER6
#define FL_USER7 RUBY_FL_USER7
#define FL_USER8 RUBY_FL_USER8
#define FL_USER9 RUBY_FL_USER9
#define FL_USER10 RUBY_FL_USER10
#define FL_USER11 RUBY_FL_USER11
#define FL_USER12 RUBY_FL_USER12
#define FL_USER13 RUBY_FL_USER13
#define FL_USER14 RUBY_FL_USER14
#define FL_USER15 RUBY_FL_USER15
#define FL_USER16 RUBY_FL_USER16
#define FL_USER17 RUBY_FL_USER17
#define FL_USER18 RUBY_FL_USER18
#define FL_SINGLETON ((VALUE)RUBY_FL_SINGLETON)
#define FL_EXIVAR ((VALUE)RUBY_FL_EXIVAR)
#define FL_FREEZE ((VALUE)RUBY_FL_FREEZE)
#define FL_PROMOTED ((VALUE)RUBY_FL_PROMOTED)
#define FL_WB_PROTECTED ((VALUE)RUBY_FL_WB_PROTECTED)
#define FL_FINALIZE ((VALUE)RUBY_FL_FINALIZE)
#define FL_TAINT ((VALUE)0)

/* The first word of an object. */
#define BENI_HEADER(obj) (*(VALUE *)(VALUE)(obj))
#define RBASIC_CLASS(obj) rb_class_of(obj)
#define CLASS_OF(v) rb_class_of(v)
#define RB_FL_ABLE(x) (!RB_SPECIAL_CONST_P(x))
#define RB_FL_TEST_RAW(x, f) (BENI_HEADER(x) & (VALUE)(f))
#define RB_FL_TEST(x, f) (RB_FL_ABLE(x) ? RB_FL_TEST_RAW(x, f) : (VALUE)0)
#define RB_FL_ANY(x, f) (RB_FL_TEST(x, f) != 0)
#define RB_FL_ANY_RAW(x, f) (RB_FL_TEST_RAW(x, f) != 0)
#define RB_FL_ALL(x, f) (RB_FL_TEST(x, f) == (VALUE)(f))
#define RB_FL_ALL_RAW(x, f) (RB_FL_TEST_RAW(x, f) == (VALUE)(f))
#define RB_FL_SET_RAW(x, f) ((void)(BENI_HEADER(x) |= (VALUE)(f)))
#define RB_FL_UNSET_RAW(x, f) ((void)(BENI_HEADER(x) &= ~(VALUE)(f)))
#define RB_FL_SET(x, f) (RB_FL_ABLE(x) ? RB_FL_SET_RAW(x, f) : (void)0)
#define RB_FL_UNSET(x, f) (RB_FL_ABLE(x) ? RB_FL_UNSET_RAW(x, f) : (void)0)
#define RB_FL_REVERSE_RAW(x, f) ((void)(BENI_HEADER(x) ^= (VALUE)(f)))
#define FL_ABLE RB_FL_ABLE
#define FL_TEST RB_FL_TEST
#define FL_TEST_RAW RB_FL_TEST_RAW
#define FL_ANY RB_FL_ANY
#define FL_ANY_RAW RB_FL_ANY_RAW
#define FL_ALL RB_FL_ALL
#define FL_ALL_RAW RB_FL_ALL_RAW
#define FL_SET RB_FL_SET
#define FL_SET_RAW RB_FL_SET_RAW
#define FL_UNSET RB_FL_UNSET
#define FL_UNSET_RAW RB_FL_UNSET_RAW
#define RB_FL_REVERSE(x, f) (RB_FL_ABLE(x) ? RB_FL_REVERSE_RAW(x, f) : (void)0)
#define FL_REVERSE RB_FL_REVERSE
#define FL_REVERSE_RAW RB_FL_REVERSE_RAW
#define RB_OBJ_FROZEN_RAW(x) RB_FL_TEST_RAW(x, RUBY_FL_FREEZE)
#define RB_OBJ_FROZEN(x) (RB_SPECIAL_CONST_P(x) || RB_OBJ_FROZEN_RAW(x))
#define RB_OBJ_FREEZE(x) rb_obj_freeze_inline((VALUE)(x))
#define RB_OBJ_FREEZE_RAW(x) RB_FL_SET_RAW(x, RUBY_FL_FREEZE)
#define RB_OBJ_FREEZE_INLINE RB_OBJ_FREEZE
#define OBJ_FROZEN RB_OBJ_FROZEN
#define OBJ_FROZEN_RAW RB_OBJ_FROZEN_RAW
#define OBJ_FREEZE RB_OBJ_FREEZE
#define OBJ_FREEZE_RAW RB_OBJ_FREEZE_RAW
#define CHILLED_STRING_P(x) RB_FL_TEST(x, BENI_FL_CHILLED)
#define RB_OBJ_TAINTED(x) 0
#define RB_OBJ_TAINT(x) ((void)0)
#define RB_OBJ_INFECT(a, b) ((void)0)
#define RB_OBJ_TAINTABLE(x) 0
#define OBJ_TAINTED(x) 0
#define OBJ_TAINT(x) ((void)0)
#define OBJ_INFECT(a, b) ((void)0)
#define OBJ_TAINTABLE(x) 0
#define rb_obj_freeze_inline rb_obj_freeze_inline
#define RB_OBJ_SHAREABLE_P(x) RB_FL_TEST_RAW(x, RUBY_FL_SHAREABLE)
#define rb_check_frozen_inline rb_check_frozen

/* Indexed by the type in the header's low bits; 0xff: determined by the native object itself. */
static const unsigned char beni_types[32] = {
    RUBY_T_NONE, RUBY_T_OBJECT, RUBY_T_CLASS, RUBY_T_MODULE, RUBY_T_ICLASS, RUBY_T_FLOAT, RUBY_T_STRING, RUBY_T_REGEXP,
    RUBY_T_ARRAY, RUBY_T_HASH, RUBY_T_STRUCT, RUBY_T_BIGNUM, 0xff, RUBY_T_MATCH, RUBY_T_COMPLEX, RUBY_T_RATIONAL,
    RUBY_T_SYMBOL, RUBY_T_STRUCT, RUBY_T_DATA, RUBY_T_IMEMO, RUBY_T_IMEMO, RUBY_T_DATA, RUBY_T_IMEMO, RUBY_T_OBJECT,
    RUBY_T_DATA, RUBY_T_DATA, RUBY_T_IMEMO
};
RUBY_SYMBOL_EXPORT_BEGIN
int beni_builtin_type(VALUE);
RUBY_SYMBOL_EXPORT_END

static inline enum ruby_value_type RB_BUILTIN_TYPE(VALUE v)
{
    unsigned char type = beni_types[BENI_HEADER(v) & 0x1f];
    return (enum ruby_value_type)(type == 0xff ? beni_builtin_type(v) : type);
}
static inline enum ruby_value_type rb_type(VALUE v)
{
    if (!RB_SPECIAL_CONST_P(v)) return RB_BUILTIN_TYPE(v);
    if (v == Qfalse) return RUBY_T_FALSE;
    if (v == Qnil) return RUBY_T_NIL;
    if (v == Qtrue) return RUBY_T_TRUE;
    if (RB_FIXNUM_P(v)) return RUBY_T_FIXNUM;
    if (v == Qundef) return RUBY_T_UNDEF;
    if (RB_STATIC_SYM_P(v)) return RUBY_T_SYMBOL;
    return RUBY_T_FLOAT;
}
/* The value of the header's low bits that identifies a type, or 0 if there is not exactly one. */
static inline int beni_only_type(int type)
{
    return type == RUBY_T_STRING ? 6 : type == RUBY_T_ARRAY ? 8 : type == RUBY_T_HASH ? 9 : type == RUBY_T_CLASS ? 2 :
           type == RUBY_T_MODULE ? 3 : type == RUBY_T_REGEXP ? 7 : type == RUBY_T_BIGNUM ? 11 : 0;
}
static inline int rb_type_p(VALUE v, int type)
{
    if (__builtin_constant_p(type) && beni_only_type(type)) {
        return !RB_SPECIAL_CONST_P(v) && (int)(BENI_HEADER(v) & 0x1f) == beni_only_type(type);
    }
    return (int)rb_type(v) == type;
}
#define RB_TYPE_P(v, t) rb_type_p((VALUE)(v), (t))
#define rb_type_p(v, t) rb_type_p((VALUE)(v), (t))
#define BUILTIN_TYPE RB_BUILTIN_TYPE
#define TYPE(v) ((int)rb_type((VALUE)(v)))
#define RB_FLOAT_TYPE_P(v) RB_TYPE_P(v, RUBY_T_FLOAT)
#define RB_SYMBOL_P(v) (RB_STATIC_SYM_P(v) || RB_TYPE_P(v, RUBY_T_SYMBOL))
#define RB_DYNAMIC_SYM_P(v) (!RB_SPECIAL_CONST_P(v) && RB_TYPE_P(v, RUBY_T_SYMBOL))
#define RB_INTEGER_TYPE_P(v) (RB_FIXNUM_P(v) || RB_TYPE_P(v, RUBY_T_BIGNUM))
#define rb_integer_type_p RB_INTEGER_TYPE_P
#define SYMBOL_P RB_SYMBOL_P
#define DYNAMIC_SYM_P RB_DYNAMIC_SYM_P
#define Check_Type(v, t) rb_check_type((VALUE)(v), (t))
#endif

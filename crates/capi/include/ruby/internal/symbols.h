/* Symbols and identifiers. */
#ifndef BENI_SYMBOLS_H
#define BENI_SYMBOLS_H 1
#define RB_ID2SYM(id) rb_id2sym(id)
#define RB_SYM2ID(sym) rb_sym2id((VALUE)(sym))
#define ID2SYM RB_ID2SYM
#define SYM2ID RB_SYM2ID
#define rb_sym2id_inline rb_sym2id
#ifndef BENI_CORE
# if defined(__GNUC__) && !defined(__cplusplus)
#  define rb_intern(str) \
    (__builtin_constant_p(str) \
        ? __extension__ ({ static ID beni_id; if (!beni_id) beni_id = rb_intern2((str), (long)strlen(str)); beni_id; }) \
        : (rb_intern)(str))
# endif
#endif
#define rb_intern_const(str) rb_intern2((str), (long)strlen(str))
#define RUBY_CONST_ID_CACHE(result, str) { static ID beni_id; if (!beni_id) beni_id = rb_intern2((str), (long)strlen(str)); result beni_id; }
#define RUBY_CONST_ID(var, str) do { static ID beni_id; if (!beni_id) beni_id = rb_intern_const(str); (var) = beni_id; } while (0)
#define CONST_ID RUBY_CONST_ID
#define CONST_ID_CACHE RUBY_CONST_ID_CACHE
#endif

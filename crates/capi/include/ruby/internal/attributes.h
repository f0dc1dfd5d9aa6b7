/* Attributes and small preprocessor macros. */
#ifndef BENI_ATTRIBUTES_H
#define BENI_ATTRIBUTES_H 1
#ifdef __cplusplus
# define RUBY_SYMBOL_EXPORT_BEGIN extern "C" {
# define RUBY_SYMBOL_EXPORT_END }
# define ANYARGS ...
# define RBIMPL_CAST(expr) (expr)
#else
# define RUBY_SYMBOL_EXPORT_BEGIN
# define RUBY_SYMBOL_EXPORT_END
# define ANYARGS
# define RBIMPL_CAST(expr) (expr)
#endif
#define RBIMPL_SYMBOL_EXPORT_BEGIN() RUBY_SYMBOL_EXPORT_BEGIN
#define RBIMPL_SYMBOL_EXPORT_END() RUBY_SYMBOL_EXPORT_END
#define RUBY_EXTERN extern
#define RUBY_FUNC_EXPORTED __attribute__((visibility("default"))) extern
#define RUBY_EXPORT __attribute__((visibility("default")))
#ifndef __has_builtin
# define RBIMPL_HAS_BUILTIN(_) 0
#else
# define RBIMPL_HAS_BUILTIN(_) __has_builtin(_)
#endif
#ifdef __has_attribute
# define RBIMPL_HAS_ATTRIBUTE(_) __has_attribute(_)
#else
# define RBIMPL_HAS_ATTRIBUTE(_) 0
#endif
#if defined(__has_attribute)
# if __has_attribute(error)
#  define BENI_MISSING(message) __attribute__((error(message)))
# endif
#endif
#ifndef BENI_MISSING
# define BENI_MISSING(message)
#endif
#define RBIMPL_ATTR_NORETURN() __attribute__((noreturn))
#define RBIMPL_ATTR_MAYBE_UNUSED() __attribute__((unused))
#define RBIMPL_ATTR_FORMAT(x, y, z) __attribute__((format(x, y, z)))
#define RBIMPL_PRINTF_FORMAT __printf__
#define RBIMPL_ATTR_NONNULL(list) __attribute__((nonnull list))
#define RBIMPL_ATTR_ARTIFICIAL()
#define RBIMPL_ATTR_PURE() __attribute__((pure))
#define RBIMPL_ATTR_CONST() __attribute__((const))
#define RBIMPL_ATTR_COLD() __attribute__((cold))
#define RBIMPL_ATTR_FORCEINLINE() inline __attribute__((always_inline))
#define RBIMPL_ATTR_NODISCARD() __attribute__((warn_unused_result))
#define RBIMPL_ATTR_DEPRECATED(msg) __attribute__((deprecated))
#define RBIMPL_UNREACHABLE_RETURN(_) __builtin_unreachable()
#define RBIMPL_ASSERT_OR_ASSUME(_) ((void)0)
#define RBIMPL_ATTR_NOALIAS()
#define RBIMPL_ATTR_RETURNS_NONNULL()
#define RB_LIKELY(x) __builtin_expect(!!(x), 1)
#define RB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#ifndef LIKELY
# define LIKELY(x) RB_LIKELY(x)
# define UNLIKELY(x) RB_UNLIKELY(x)
#endif
#define RB_UNUSED_VAR(x) x __attribute__((unused))
#define RB_GNUC_EXTENSION __extension__
#define RB_GNUC_EXTENSION_BLOCK(x) __extension__ ({ x; })
#define NORETURN(x) __attribute__((noreturn)) x
#define DEPRECATED(x) __attribute__((deprecated)) x
#define DEPRECATED_BY(n, x) __attribute__((deprecated)) x
#define DEPRECATED_TYPE(mesg, decl) decl
#define NOINLINE(x) __attribute__((noinline)) x
#define ALWAYS_INLINE(x) __attribute__((always_inline)) x
#define WARN_UNUSED_RESULT(x) __attribute__((warn_unused_result)) x
#define PUREFUNC(x) __attribute__((pure)) x
#define CONSTFUNC(x) __attribute__((const)) x
#define COLDFUNC __attribute__((cold))
#define PRINTF_ARGS(decl, i, j) decl __attribute__((format(printf, i, j)))
#define MAYBE_UNUSED(x) __attribute__((unused)) x
#define STRINGIZE0(x) #x
#define STRINGIZE(x) STRINGIZE0(x)
#define RUBY_TOKEN_PASTE(x, y) x##y
#define UNREACHABLE __builtin_unreachable()
#define UNREACHABLE_RETURN(x) __builtin_unreachable()
#define RUBY_ALIGNAS(x) __attribute__((aligned(x)))
#define RUBY_ALIGNOF __alignof__
#define RBIMPL_ALIGNOF __alignof__
#ifdef __cplusplus
# define RBIMPL_STATIC_ASSERT(name, expr) static_assert(expr, #name ": " #expr)
#else
# define RBIMPL_STATIC_ASSERT(name, expr) _Static_assert(expr, #name ": " #expr)
#endif
#define STATIC_ASSERT RBIMPL_STATIC_ASSERT
#define LONG_LONG long long
#define HAVE_TRUE_LONG_LONG 1
#define RUBY_ASSERT(x) ((void)0)
#define RUBY_ASSERT_ALWAYS(x) ((x) ? (void)0 : rb_bug("assertion failed: %s", #x))
#define RUBY_ASSERT_FAIL(x) rb_bug("assertion failed: %s", #x)
#define RUBY_ASSERT_NDEBUG 1
#define RUBY_DEBUG 0
#define RUBY_NDEBUG 1
#define RUBY_GLOBAL_SETUP
#define RUBY_INTEGER_UNIFICATION 1
#define RUBY_VM 1
#define RUBY_METHOD_FUNC(func) ((VALUE (*)(ANYARGS))(func))
/* Parameter lists of prototypes, for compilers before C89. */
#define _(args) args
#define __(args) args
#define RBIMPL_STDBOOL_H 1
#ifndef FALSE
# define FALSE 0
#endif
#ifndef TRUE
# define TRUE 1
#endif
#endif

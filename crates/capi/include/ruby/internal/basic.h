/* Structures of CRuby that describe any object. Beni's objects have other layouts, so the macros make copies for the
 * expression. What is written to a copy is lost: FL_SET and similar macros change an object. */
#ifndef BENI_BASIC_H
#define BENI_BASIC_H 1
struct RBasic {
    VALUE flags;
    const VALUE klass;
};
struct RObject { struct RBasic basic; };
/* The flags with CRuby's number of the type. */
static inline VALUE beni_flags(VALUE obj)
{
    return (BENI_HEADER(obj) & 0xffffffffu & ~(VALUE)RUBY_T_MASK) | (VALUE)RB_BUILTIN_TYPE(obj);
}
static inline struct RBasic beni_basic(VALUE obj)
{
    struct RBasic basic = { beni_flags(obj), rb_class_of(obj) };
    return basic;
}
#define RBASIC_FLAGS(obj) beni_flags((VALUE)(obj))
#ifdef __cplusplus
extern "C++" {
namespace beni {
template <typename T> struct view {
    T copy;
    explicit view(const T &of) : copy(of) {}
    T *operator->() { return &copy; }
    T &operator*() { return copy; }
    operator T *() { return &copy; }
};
}
}
# define RBASIC(obj) (::beni::view<struct RBasic>(beni_basic((VALUE)(obj))))
# define ROBJECT(obj) (::beni::view<struct RObject>(RObject{ beni_basic((VALUE)(obj)) }))
#else
# define RBASIC(obj) (&(struct RBasic){ beni_flags((VALUE)(obj)), rb_class_of((VALUE)(obj)) })
# define ROBJECT(obj) (&(struct RObject){ beni_basic((VALUE)(obj)) })
#endif
#endif

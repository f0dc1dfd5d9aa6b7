/* Structures of CRuby that describe any object. Only the flags are at the same place in Beni's objects; the class of an
 * object is a part of its shape. */
#ifndef BENI_BASIC_H
#define BENI_BASIC_H 1
struct RBasic { VALUE flags; };
struct RObject { struct RBasic basic; };
#define RBASIC(obj) ((struct RBasic *)(obj))
#define ROBJECT(obj) ((struct RObject *)(obj))
/* False for a hidden object. */
static inline VALUE beni_class_of(VALUE v)
{
    if (RB_SPECIAL_CONST_P(v)) return (rb_class_of)(v);
    VALUE found = beni_shapes->classes[BENI_HEADER(v) >> 32];
    return found == beni_hidden_class ? Qfalse : found;
}
#define rb_class_of(v) beni_class_of((VALUE)(v))
/* The flags with CRuby's number of the type. */
static inline VALUE beni_flags(VALUE obj)
{
    return (BENI_HEADER(obj) & 0xffffffffu & ~(VALUE)RUBY_T_MASK) | (VALUE)RB_BUILTIN_TYPE(obj);
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
#endif
#endif

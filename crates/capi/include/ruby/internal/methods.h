/* The type of a method's function in C++, by its arity. It selects one of several functions with the same name. */
#ifndef BENI_METHODS_H
#define BENI_METHODS_H 1
extern "C++" {
namespace beni {
typedef VALUE (*any_function)(ANYARGS);
template <int arity> struct method_type;
template <> struct method_type<-2> { typedef VALUE (*type)(VALUE, VALUE); };
template <> struct method_type<-1> { typedef VALUE (*type)(int, VALUE *, VALUE); };
template <> struct method_type<0> { typedef VALUE (*type)(VALUE); };
template <> struct method_type<1> { typedef VALUE (*type)(VALUE, VALUE); };
template <> struct method_type<2> { typedef VALUE (*type)(VALUE, VALUE, VALUE); };
template <> struct method_type<3> { typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE); };
template <> struct method_type<4> { typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE); };
template <> struct method_type<5> { typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE); };
template <> struct method_type<6> { typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE); };
template <> struct method_type<7> { typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE); };
template <> struct method_type<8> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE);
};
template <> struct method_type<9> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE);
};
template <> struct method_type<10> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE);
};
template <> struct method_type<11> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE);
};
template <> struct method_type<12> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE);
};
template <> struct method_type<13> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
                          VALUE, VALUE);
};
template <> struct method_type<14> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
                          VALUE, VALUE, VALUE);
};
template <> struct method_type<15> {
    typedef VALUE (*type)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
                          VALUE, VALUE, VALUE, VALUE);
};
/* A function of the type for the arity, or of any other type: CRuby accepts only some of them, which this file need not
 * repeat. A lambda becomes a function of the type for the arity. */
template <int arity> struct function {
    static any_function of(typename method_type<arity>::type f) { return reinterpret_cast<any_function>(f); }
    template <typename T> static any_function of(T *f) { return reinterpret_cast<any_function>(f); }
};
template <> struct function<-1> {
    static any_function of(method_type<-1>::type f) { return reinterpret_cast<any_function>(f); }
    static any_function of(VALUE (*f)(int, const VALUE *, VALUE)) { return reinterpret_cast<any_function>(f); }
    template <typename T> static any_function of(T *f) { return reinterpret_cast<any_function>(f); }
};
}
}
#endif

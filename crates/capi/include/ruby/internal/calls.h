/* Macros around functions with function parameters, and macros for older names. */
#ifndef BENI_CALLS_H
#define BENI_CALLS_H 1
#ifndef BENI_CORE
# ifdef __cplusplus
#  include "ruby/internal/methods.h"
#  define BENI_FUNCTION(f, arity) (::beni::function<(arity)>::of(f))
# else
#  define BENI_FUNCTION(f, arity) ((VALUE (*)(ANYARGS))(f))
# endif
# define rb_define_method(klass, mid, func, arity) \
    rb_define_method((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_method_id(klass, mid, func, arity) \
    rb_define_method_id((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_private_method(klass, mid, func, arity) \
    rb_define_private_method((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_protected_method(klass, mid, func, arity) \
    rb_define_protected_method((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_singleton_method(klass, mid, func, arity) \
    rb_define_singleton_method((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_module_function(klass, mid, func, arity) \
    rb_define_module_function((klass), (mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_global_function(mid, func, arity) \
    rb_define_global_function((mid), BENI_FUNCTION(func, arity), (arity))
# define rb_define_alloc_func(klass, func) rb_define_alloc_func((klass), (rb_alloc_func_t)(func))
# define rb_ensure(f, d, e, c) rb_ensure((rb_value_function)(f), (VALUE)(d), (rb_value_function)(e), (VALUE)(c))
# define rb_protect(f, d, s) rb_protect((rb_value_function)(f), (VALUE)(d), (s))
# define rb_rescue(f, d, r, c) rb_rescue((rb_value_function)(f), (VALUE)(d), (rb_rescue_function)(r), (VALUE)(c))
# define rb_rescue2(f, d, r, c, ...) \
    rb_rescue2((rb_value_function)(f), (VALUE)(d), (rb_rescue_function)(r), (VALUE)(c), __VA_ARGS__)
# define rb_block_call(obj, mid, argc, argv, func, data) \
    rb_block_call((obj), (mid), (argc), (argv), (rb_block_call_func_t)(func), (VALUE)(data))
# define rb_catch(tag, func, data) rb_catch((tag), (rb_block_call_func_t)(func), (VALUE)(data))
# define rb_catch_obj(tag, func, data) rb_catch_obj((tag), (rb_block_call_func_t)(func), (VALUE)(data))
# define rb_iterate(it, d1, func, d2) \
    rb_iterate((rb_value_function)(it), (VALUE)(d1), (rb_block_call_func_t)(func), (VALUE)(d2))
# define rb_proc_new(func, data) rb_proc_new((rb_block_call_func_t)(func), (VALUE)(data))
# define rb_fiber_new(func, data) rb_fiber_new((rb_block_call_func_t)(func), (VALUE)(data))
# define rb_thread_create(func, data) rb_thread_create((rb_thread_function)(func), (void *)(data))
# define rb_hash_foreach(hash, func, data) rb_hash_foreach((hash), (rb_hash_foreach_function)(func), (VALUE)(data))
# define st_foreach(table, func, data) st_foreach((table), (st_foreach_callback_func *)(func), (st_data_t)(data))
# define st_foreach_check(table, func, data, never) \
    st_foreach_check((table), (st_foreach_check_callback_func *)(func), (st_data_t)(data), (st_data_t)(never))
# define st_foreach_safe(table, func, data) st_foreach_safe((table), (st_foreach_callback_func *)(func), (st_data_t)(data))
# define rb_ivar_foreach(obj, func, data) rb_ivar_foreach((obj), (rb_ivar_foreach_callback_func)(func), (st_data_t)(data))
# define rb_exec_recursive(func, obj, arg) rb_exec_recursive((rb_recursive_function)(func), (obj), (VALUE)(arg))
# define rb_mutex_synchronize(mutex, func, arg) rb_mutex_synchronize((mutex), (rb_value_function)(func), (VALUE)(arg))
# define rb_define_hooked_variable(n, v, g, s) \
    rb_define_hooked_variable((n), (v), (rb_gvar_getter_t *)(g), (rb_gvar_setter_t *)(s))
# define rb_define_virtual_variable(n, g, s) rb_define_virtual_variable((n), (rb_gvar_getter_t *)(g), (rb_gvar_setter_t *)(s))
# define rb_funcall2 rb_funcallv
# define rb_set_foreach(set, func, data) rb_set_foreach((set), (rb_set_foreach_function)(func), (VALUE)(data))
# define rb_funcall3 rb_funcallv_public
#endif
#define HAVE_RB_EXT_RACTOR_SAFE 1
#define HAVE_RB_EXT_RESOLVE_SYMBOL 1
#define HAVE_RB_REG_NEW_STR 1
#define HAVE_RB_SCAN_ARGS_OPTIONAL_HASH 1
#define RB_EXT_RACTOR_SAFE(feature) rb_ext_ractor_safe(feature)
#define RB_SCAN_ARGS_PASS_CALLED_KEYWORDS 0
#define RB_SCAN_ARGS_KEYWORDS 1
#define RB_SCAN_ARGS_LAST_HASH_KEYWORDS 3
#define UNLIMITED_ARGUMENTS (-1)
static inline int rb_check_arity(int argc, int min, int max)
{
    if (argc < min || (max != UNLIMITED_ARGUMENTS && argc > max)) rb_error_arity(argc, min, max);
    return argc;
}
#define SIZED_ENUMERATOR_KW(obj, argc, argv, size_fn, kw) \
    rb_enumeratorize_with_size_kw((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), \
                                  (rb_enumerator_size_func)(size_fn), (kw))
#define SIZED_ENUMERATOR(obj, argc, argv, size_fn) \
    rb_enumeratorize_with_size((obj), ID2SYM(rb_frame_this_func()), (argc), (argv), (rb_enumerator_size_func)(size_fn))
#define RETURN_SIZED_ENUMERATOR_KW(obj, argc, argv, size_fn, kw) do { \
    if (!rb_block_given_p()) return SIZED_ENUMERATOR_KW(obj, argc, argv, size_fn, kw); } while (0)
#define RETURN_SIZED_ENUMERATOR(obj, argc, argv, size_fn) \
    RETURN_SIZED_ENUMERATOR_KW(obj, argc, argv, size_fn, rb_keyword_given_p())
#define RETURN_ENUMERATOR(obj, argc, argv) RETURN_SIZED_ENUMERATOR(obj, argc, argv, 0)
#define RETURN_ENUMERATOR_KW(obj, argc, argv, kw) RETURN_SIZED_ENUMERATOR_KW(obj, argc, argv, 0, kw)
#define rb_set_class_path_string(a, b, c) ((void)0)
#define rb_warn_if_verbose rb_warning
#define HAVE_RB_THREAD_CALL_WITHOUT_GVL 1
#endif

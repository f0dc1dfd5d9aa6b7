/* Further macros, most of them older names. */
#ifndef BENI_FURTHER_H
#define BENI_FURTHER_H 1
enum rb_io_wait_readwrite { RB_IO_WAIT_READABLE, RB_IO_WAIT_WRITABLE };
#define RB_IO_WAIT_READABLE RB_IO_WAIT_READABLE
#define RB_IO_WAIT_WRITABLE RB_IO_WAIT_WRITABLE
#define InitVM(ext) { void InitVM_##ext(void); InitVM_##ext(); }
#define RUBY_Qfalse RUBY_Qfalse
#define RUBY_Qnil RUBY_Qnil
#define RUBY_Qtrue RUBY_Qtrue
#define RUBY_Qundef RUBY_Qundef
#define FL_SHAREABLE RUBY_FL_SHAREABLE
#define FL_UNTRUSTED 0
#define RB_NUM2USHORT NUM2USHORT
#define RB_FIX2SHORT(x) rb_fix2short(x)
#define OBJ_PROMOTED RB_OBJ_PROMOTED
#define OBJ_PROMOTED_RAW RB_OBJ_PROMOTED_RAW
#define RB_OBJ_INIT_COPY(obj, orig) ((obj) != (orig) && (rb_obj_init_copy((obj), (orig)), 1))
#define OBJ_INIT_COPY RB_OBJ_INIT_COPY
#define RCLASS_SUPER rb_class_get_superclass
#define RB_RESERVED_FD_P rb_reserved_fd_p
#define RUBY_EVENT_SWITCH RUBY_INTERNAL_EVENT_SWITCH
#define RB_EVENT_HOOKS_HAVE_CALLBACK_DATA 1
#define RUBY_BLOCK_CALL_FUNC_TAKES_BLOCKARG 1
#define RB_NUM_COERCE_FUNCS_NEED_OPID 1
#define HAVE_NATIVETHREAD 1
#define HAVE_FINITE 1
#define USE_SYMBOL_AS_METHOD_NAME 1
#define USE_RGENGC 1
#define RUBY_UNTYPED_DATA_WARNING 0
#define RUBY_MBCHAR_MAXSIZE INT_MAX
#define RB_NOGVL_PENDING_INTR_FAIL 0
#define rb_argv rb_get_argv()
#define rb_memcmp memcmp
#define rb_utf8_str_new_literal rb_utf8_str_new_lit
#define rb_enc_str_new_literal rb_enc_str_new_lit
#define rb_check_frozen_internal rb_check_frozen
#define Check_SafeStr(v) rb_check_type((v), RUBY_T_STRING)
#define PATH_SEP ":"
#define PATH_SEP_CHAR ':'
#define PATH_ENV "PATH"
#define CASEFOLD_FILESYSTEM 0
#define FLUSH_REGISTER_WINDOWS ((void)0)
#define PRIiSIZE "zi"
#define PRIoSIZE "zo"
#define PRIXSIZE "zX"
#define PRIiPTRDIFF "ti"
#define PRIoPTRDIFF "to"
#define PRIuPTRDIFF "tu"
#define PRIxPTRDIFF "tx"
#define PRIXPTRDIFF "tX"
#define DECIMAL_SIZE_OF_BYTES(n) DECIMAL_SIZE_OF_BITS((n) * CHAR_BIT)
#define DECIMAL_SIZE_OF(expr) DECIMAL_SIZE_OF_BYTES(sizeof(expr))
#define scan_oct(s, l, e) ((int)ruby_scan_oct((s), (l), (e)))
#define scan_hex(s, l, e) ((int)ruby_scan_hex((s), (l), (e)))
#define ST_DATA_T_DEFINED 1
#define RUBY
#define POSIX_SIGNAL 1
#define STACK_GROW_DIRECTION -1
#define RSHIFT(x, y) ((x) >> (int)(y))
#define TOKEN_PASTE(x, y) x##y
#define WEAK(x) __attribute__((weak)) x
#define NO_SANITIZE(sanitizer, x) __attribute__((no_sanitize(sanitizer))) x
#define NO_SANITIZE_ADDRESS(x) __attribute__((no_sanitize_address)) x
#define NO_ADDRESS_SAFETY_ANALYSIS NO_SANITIZE_ADDRESS
#define RUBY_FUNCTION_NAME_STRING __func__
#define RUBY_INIT_STACK ((void)0)
#ifdef __cplusplus
# define RB_THREAD_LOCAL_SPECIFIER thread_local
#else
# define RB_THREAD_LOCAL_SPECIFIER _Thread_local
#endif
#define RUBY_ALIAS_FUNCTION(prototype, name, arguments) prototype { return name arguments; }
/* Types of the system and their conversions. */
#define rb_time_t time_t
#define rb_dev_t dev_t
#define rb_mode_t mode_t
#define rb_uid_t uid_t
#define rb_gid_t gid_t
#define rb_rlim_t rlim_t
#define rb_clockid_t clockid_t
#define RLIM2NUM(v) ULONG2NUM(v)
#define NUM2RLIM(v) NUM2ULONG(v)
#define CLOCKID2NUM(v) INT2NUM(v)
#define IOCTL_REQ_TYPE unsigned long
#define NUM2IOCTLREQ(v) NUM2ULONG(v)
#define GETGROUPS_T gid_t
#define PRI_SHORT_PREFIX "h"
#define PRI_INT_PREFIX ""
#define PRI_LONG_PREFIX "l"
#define PRI_PIDT_PREFIX PRI_INT_PREFIX
#define PRI_UIDT_PREFIX PRI_INT_PREFIX
#define PRI_GIDT_PREFIX PRI_INT_PREFIX
#define PRI_MODET_PREFIX PRI_INT_PREFIX
#define PRI_OFFT_PREFIX PRI_LONG_PREFIX
#define PRI_DEVT_PREFIX PRI_LONG_PREFIX
#define PRI_RLIM_PREFIX PRI_LONG_PREFIX
#define PRI_CLOCKID_PREFIX PRI_INT_PREFIX
#define SIZEOF_INT128_T 16
#define SIZEOF_UINT128_T 16
/* Arithmetic that reports an overflow. */
#ifndef ckd_add
# define ckd_add(result, a, b) __builtin_add_overflow((a), (b), (result))
# define ckd_sub(result, a, b) __builtin_sub_overflow((a), (b), (result))
# define ckd_mul(result, a, b) __builtin_mul_overflow((a), (b), (result))
#endif
/* Properties of functions and structures. */
#define RUBY_ATTR_ALLOC_SIZE(parameters) __attribute__((alloc_size parameters))
#define RUBY_ATTR_MALLOC __attribute__((malloc))
#define RUBY_ATTR_RETURNS_NONNULL __attribute__((returns_nonnull))
#define RUBY_FUNC_NONNULL(n, x) __attribute__((nonnull(n))) x
#define RUBY_CXX_DEPRECATED(message) __attribute__((deprecated(message)))
#define PACKED_STRUCT(x) x __attribute__((packed))
#define PACKED_STRUCT_UNALIGNED(x) x __attribute__((packed))
#define FUNC_MINIMIZED(x) x
#define FUNC_UNOPTIMIZED(x) x
#define ERRORFUNC(message, x) __attribute__((error message)) x
#define WARNINGFUNC(message, x) __attribute__((warning message)) x
#define ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())
#define RBIMPL_ASSUME ASSUME
#define RBIMPL_UNREACHABLE() __builtin_unreachable()
/* Assertions, which are off as in CRuby. */
#define RUBY_ASSERT_MESG(expr, ...) ((void)0)
#define RUBY_ASSERT_WHEN(condition, ...) ((void)0)
#define RUBY_ASSERT_MESG_WHEN(condition, ...) ((void)0)
#define RUBY_ASSERT_BUILTIN_TYPE(obj, type) ((void)0)
#endif

/* Properties of the system, for extensions. Beni runs only on 64-bit Linux. */
#ifndef INCLUDE_RUBY_CONFIG_H
#define INCLUDE_RUBY_CONFIG_H 1
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#define STDC_HEADERS 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_SELECT_H 1
#define HAVE_SYS_SOCKET_H 1
#define HAVE_SYS_UIO_H 1
#define HAVE_SYS_MMAN_H 1
#define HAVE_SYS_PARAM_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STRING_H 1
#define HAVE_MEMORY_H 1
#define HAVE_STRINGS_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_STDALIGN_H 1
#define HAVE_STDATOMIC_H 1
#define HAVE_UNISTD_H 1
#define HAVE_ALLOCA_H 1
#define HAVE_LIMITS_H 1
#define HAVE_FCNTL_H 1
#define HAVE_PTHREAD_H 1
#define HAVE_TIME_H 1
#define HAVE_LONG_LONG 1
#define HAVE_OFF_T 1
#define HAVE_VA_ARGS_MACRO 1
#define HAVE_VA_COPY 1
#define HAVE_PROTOTYPES 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_TYPEOF 1
#define HAVE___TYPEOF__ 1
#define HAVE_STRUCT_TIMESPEC 1
#define HAVE_STRUCT_TIMEVAL 1
#define HAVE_CLOCK_GETTIME 1
#define HAVE_GETTIMEOFDAY 1
#define HAVE_STRCASECMP 1
#define HAVE_STRNCASECMP 1
#define HAVE_STRDUP 1
#define HAVE_STRLCPY_UNKNOWN 1
#define HAVE_MEMMEM 1
#define HAVE_MEMMOVE 1
#define HAVE_FMOD 1
#define HAVE_ISINF 1
#define HAVE_ISNAN 1
#define HAVE_POLL 1
#define HAVE_POSIX_MEMALIGN 1
#define HAVE_BUILTIN___BUILTIN_EXPECT 1
#define HAVE_BUILTIN___BUILTIN_CONSTANT_P 1
#define HAVE_INT8_T 1
#define HAVE_INT16_T 1
#define HAVE_INT32_T 1
#define HAVE_INT64_T 1
#define HAVE_UINT8_T 1
#define HAVE_UINT16_T 1
#define HAVE_UINT32_T 1
#define HAVE_UINT64_T 1
#define HAVE_UINT128_T 1
#define HAVE_INT128_T 1
#define HAVE_INTPTR_T 1
#define HAVE_UINTPTR_T 1
#define HAVE_SSIZE_T 1
#define HAVE_SIZE_T 1
#define HAVE_PID_T 1
#define int128_t __int128
#define uint128_t unsigned __int128
#define SIZEOF_INT 4
#define SIZEOF_SHORT 2
#define SIZEOF_LONG 8
#define SIZEOF_LONG_LONG 8
#define SIZEOF_VOIDP 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_SSIZE_T 8
#define SIZEOF_OFF_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_CLOCK_T 8
#define SIZEOF_DEV_T 8
#define SIZEOF_PTRDIFF_T 8
#define SIZEOF_INTPTR_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_INT8_T 1
#define SIZEOF_INT16_T 2
#define SIZEOF_INT32_T 4
#define SIZEOF_INT64_T 8
#define SIZEOF_INT128_T 16
#define SIZEOF_UINT8_T 1
#define SIZEOF_UINT16_T 2
#define SIZEOF_UINT32_T 4
#define SIZEOF_UINT64_T 8
#define SIZEOF_UINT128_T 16
#define SIZEOF_INTMAX_T 8
#define SIZEOF_UINTMAX_T 8
#define SIZEOF_PID_T 4
#define SIZEOF_WCHAR_T 4
#define SIZEOF_ACTUAL_TIME_T 8
#define SIGNEDNESS_OF_TIME_T -1
#define PRI_LL_PREFIX "ll"
#define PRI_SIZE_PREFIX "z"
#define PRI_PTRDIFF_PREFIX "t"
#define PRI_TIMET_PREFIX "l"
#define USE_FLONUM 1
#define RUBY_SETJMP(env) _setjmp(env)
#define RUBY_LONGJMP(env,val) _longjmp(env,val)
#define RUBY_JMP_BUF jmp_buf
#define DLEXT_MAXLEN 3
#define DLEXT ".so"
#define RUBY_LIB_VERSION_STYLE 3
#if defined(__x86_64__)
# define RUBY_PLATFORM "x86_64-linux"
#else
# define RUBY_PLATFORM "aarch64-linux"
#endif
/* The results of the extension's configuration (create_header of mkmf). */
#ifdef RUBY_EXTCONF_H
# include RUBY_EXTCONF_H
#endif
#endif

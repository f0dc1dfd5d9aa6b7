/* The border between extensions and Rust: no jump crosses a Rust frame.
 *
 * Rust calls C through `beni_call_method` and `beni_call`, which set a jump up. The functions of the interface ask
 * Rust for a state and jump to the innermost of these when it says that an exception is under way. */
#ifndef BENI_BORDER_H
#define BENI_BORDER_H 1

#include <ruby/ruby.h>
#include <ruby/encoding.h>
#include <ruby/io.h>
#include <ruby/re.h>
#include <ruby/thread.h>
#include <ruby/debug.h>
#include <ruby/random.h>

/* Clang knows the built-in functions on some processors only. */
#if defined(__x86_64__) || (defined(__GNUC__) && !defined(__clang__))
# define BENI_SET_JUMP(buffer) __builtin_setjmp(buffer)
# define BENI_LONG_JUMP(buffer) __builtin_longjmp(buffer, 1)
typedef void *beni_jump_buffer[5];
#else
# include <setjmp.h>
# define BENI_SET_JUMP(buffer) _setjmp(buffer)
# define BENI_LONG_JUMP(buffer) _longjmp(buffer, 1)
typedef jmp_buf beni_jump_buffer;
#endif

struct beni_jump {
    /* The frame of the VM whose block `rb_yield` calls: that of the running method. */
    void *frame;
    /* What `rb_iter_break` throws, or 0. */
    VALUE tag;
    long keywords;
    struct beni_jump *before;
    beni_jump_buffer buffer;
};

#define BENI_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

/* The innermost call of C on this native stack, while C runs. */
extern BENI_THREAD_LOCAL struct beni_jump *beni_top;
/* The thread's `Cx`. */
extern BENI_THREAD_LOCAL void *beni_context;

__attribute__((noreturn)) void beni_jump(struct beni_jump *to);

#endif

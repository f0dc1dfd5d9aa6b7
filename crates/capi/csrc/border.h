/* The border between extensions and Rust: no jump crosses a Rust frame.
 *
 * Rust calls C through `beni_call_method` and `beni_call`, which save a jump buffer. The functions of the interface
 * call Rust, which returns a state, and jump to the innermost buffer if the state is a pending exception. */
#ifndef BENI_BORDER_H
#define BENI_BORDER_H 1

#include <ruby/ruby.h>
#include <ruby/encoding.h>
#include <ruby/io.h>
#include <ruby/re.h>
#include <ruby/thread.h>
#include <ruby/debug.h>
#include <ruby/random.h>

/* Clang supports these built-in functions only on some processors. */
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
    /* The VM frame of the running method, whose block `rb_yield` calls. */
    void *frame;
    /* The tag thrown by `rb_iter_break`, or 0. */
    VALUE tag;
    /* The VM frame that was running. */
    void *caller;
    long keywords;
    struct beni_jump *before;
    beni_jump_buffer buffer;
};

#define BENI_THREAD_LOCAL __thread __attribute__((tls_model("initial-exec")))

/* The innermost call of C on this native stack while C code runs. */
extern BENI_THREAD_LOCAL struct beni_jump *beni_top;
/* The thread's `Cx`. */
extern BENI_THREAD_LOCAL void *beni_context;

__attribute__((noreturn)) void beni_jump(struct beni_jump *to);

#endif

/* Calls of C from Rust, and the jump back for exceptions. */
#include "border.h"

BENI_THREAD_LOCAL struct beni_jump *beni_top;
BENI_THREAD_LOCAL void *beni_context;

/* A record of a call that was left by a jump is below the stack pointer, or is still the innermost one when the call
 * returns. */
__attribute__((noinline, noreturn)) static void jumped(void)
{
    rb_bug("a C function that Ruby called was left by longjmp");
}

void beni_jump(struct beni_jump *to)
{
    if (!to) rb_bug("an exception was raised in C outside of a call from Ruby");
    if ((char *)to < (char *)__builtin_frame_address(0)) jumped();
    BENI_LONG_JUMP(to->buffer);
}

/* The innermost call of C: valid at the start of a function called by C. */
struct beni_jump *beni_innermost(void)
{
    return beni_top;
}

static inline VALUE call(VALUE (*f)(), int arity, int argc, const VALUE *v, VALUE self)
{
    switch (arity) {
      case -2: return ((VALUE (*)(VALUE, VALUE))f)(self, rb_ary_new_from_values(argc, v));
      case -1: return ((VALUE (*)(int, const VALUE *, VALUE))f)(argc, v, self);
      case 0: return ((VALUE (*)(VALUE))f)(self);
      case 1: return ((VALUE (*)(VALUE, VALUE))f)(self, v[0]);
      case 2: return ((VALUE (*)(VALUE, VALUE, VALUE))f)(self, v[0], v[1]);
      case 3: return ((VALUE (*)(VALUE, VALUE, VALUE, VALUE))f)(self, v[0], v[1], v[2]);
      case 4: return ((VALUE (*)(VALUE, VALUE, VALUE, VALUE, VALUE))f)(self, v[0], v[1], v[2], v[3]);
      case 5:
        return ((VALUE (*)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE))f)(self, v[0], v[1], v[2], v[3], v[4]);
      default:
        /* More arguments than the convention passes in registers: the callee reads only those that it declares. */
        return ((VALUE (*)(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE,
                           VALUE, VALUE, VALUE))f)(self, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9],
                                                   v[10], v[11], v[12], v[13], v[14]);
    }
}

/* Calls a method's function. Returns nonzero for a pending exception. */
__attribute__((noinline))
int beni_call_method(void *context, void *f, int arity, int argc, const VALUE *argv, VALUE self, void *frame,
                     long keywords, VALUE *result)
{
    struct beni_jump here;
    here.before = beni_top;
    here.frame = frame;
    here.tag = 0;
    here.caller = frame;
    here.keywords = keywords;
    beni_context = context;
    if (BENI_SET_JUMP(here.buffer) == 0) {
        beni_top = &here;
        *result = call((VALUE (*)())f, arity, argc, argv, self);
        if (__builtin_expect(beni_top != &here, 0)) jumped();
        beni_top = here.before;
        return 0;
    }
    beni_top = here.before;
    return 1;
}

/* Calls a callback with up to five words. Returns nonzero for a pending exception. */
__attribute__((noinline))
int beni_call(void *context, void *f, const VALUE *words, void *frame, void *caller, long keywords, VALUE tag,
              VALUE *result)
{
    struct beni_jump here;
    here.before = beni_top;
    here.frame = frame;
    here.tag = tag;
    here.caller = caller;
    here.keywords = keywords;
    beni_context = context;
    if (BENI_SET_JUMP(here.buffer) == 0) {
        beni_top = &here;
        *result = ((VALUE (*)(VALUE, VALUE, VALUE, VALUE, VALUE))f)(words[0], words[1], words[2], words[3], words[4]);
        if (__builtin_expect(beni_top != &here, 0)) jumped();
        beni_top = here.before;
        return 0;
    }
    beni_top = here.before;
    return 1;
}

/* Calls a callback with the two words that `next` gives and `data`, as long as `next` returns nonzero; it is passed the
 * callback's result. Returns nonzero for a pending exception. */
__attribute__((noinline))
int beni_call_each(void *context, void *f, int (*next)(void *, VALUE, VALUE *), void *state, VALUE data, void *frame,
                   void *caller)
{
    struct beni_jump here;
    here.before = beni_top;
    here.frame = frame;
    here.tag = 0;
    here.caller = caller;
    here.keywords = 0;
    beni_context = context;
    if (BENI_SET_JUMP(here.buffer) == 0) {
        VALUE words[2], answer = 0;
        beni_top = &here;
        while (next(state, answer, words)) {
            answer = ((VALUE (*)(VALUE, VALUE, VALUE))f)(words[0], words[1], data);
            if (__builtin_expect(beni_top != &here, 0)) jumped();
        }
        beni_top = here.before;
        return 0;
    }
    beni_top = here.before;
    return 1;
}

/* Functions that do what an extension must not do; extensions.rs has the expected error of each. */
#include <ruby.h>
#include <setjmp.h>

void Init_hostile(VALUE module);

struct holder { VALUE hidden; long number; };

static VALUE made;
static void allocates(void *p) { made = rb_str_new_cstr("made during a collection"); }
static void raises(void *p) { rb_raise(rb_eRuntimeError, "raised during a collection"); }
static void allocates_and_frees(void *p) { allocates(p); xfree(p); }
static void raises_and_frees(void *p) { xfree(p); raises(p); }
static void marks(void *p) { rb_gc_mark(((struct holder *)p)->hidden); }

#define HOLDER(name, mark, free, flags) \
    static const rb_data_type_t name##_type = {#name, {mark, free, 0}, 0, 0, flags}; \
    static VALUE make_##name(VALUE self, VALUE v) \
    { struct holder *p; VALUE made = TypedData_Make_Struct(rb_cObject, struct holder, &name##_type, p); \
      p->hidden = v; return made; }

HOLDER(allocating_mark, allocates, RUBY_DEFAULT_FREE, RUBY_TYPED_FREE_IMMEDIATELY)
HOLDER(raising_mark, raises, RUBY_DEFAULT_FREE, RUBY_TYPED_FREE_IMMEDIATELY)
HOLDER(allocating_free, 0, allocates_and_frees, RUBY_TYPED_FREE_IMMEDIATELY)
HOLDER(raising_free, 0, raises_and_frees, RUBY_TYPED_FREE_IMMEDIATELY)
HOLDER(late_allocating_free, 0, allocates_and_frees, 0)
HOLDER(late_raising_free, 0, raises_and_frees, 0)
HOLDER(forgetful, 0, RUBY_DEFAULT_FREE, RUBY_TYPED_FREE_IMMEDIATELY)
HOLDER(careful, marks, RUBY_DEFAULT_FREE, RUBY_TYPED_FREE_IMMEDIATELY)

static jmp_buf out;
static VALUE jumps(RB_BLOCK_CALL_FUNC_ARGLIST(v, data)) { longjmp(out, 1); return Qnil; }
static VALUE jump_out(VALUE self, VALUE list)
{
    if (setjmp(out) == 0) rb_block_call(list, rb_intern("each"), 0, 0, jumps, Qnil);
    return Qtrue;
}

/* Keeps the address of elements across changes, and writes to it. */
static VALUE write_late(VALUE self)
{
    VALUE list = rb_ary_new_capa(20);
    for (int i = 0; i < 20; i++) rb_ary_push(list, INT2FIX(i));
    VALUE *elements = RARRAY_PTR(list);
    for (int i = 0; i < 100; i++) rb_ary_push(list, INT2FIX(i));
    for (int i = 0; i < 20; i++) elements[i] = INT2FIX(7);
    rb_gc_start();
    return list;
}

static void says(void *p) { printf("freed %ld\n", ((struct holder *)p)->number); fflush(stdout); xfree(p); }
static const rb_data_type_t speaking_type = {"speaking", {0, says, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static VALUE make_speaking(VALUE self, VALUE number)
{
    struct holder *p;
    VALUE made = TypedData_Make_Struct(rb_cObject, struct holder, &speaking_type, p);
    p->number = NUM2LONG(number);
    return made;
}

#define DEFINE(name) rb_define_singleton_method(hostile, #name, make_##name, 1)

void Init_hostile(VALUE module)
{
    VALUE hostile = rb_define_module_under(module, "Hostile");
    DEFINE(allocating_mark);
    DEFINE(raising_mark);
    DEFINE(allocating_free);
    DEFINE(raising_free);
    DEFINE(late_allocating_free);
    DEFINE(late_raising_free);
    DEFINE(forgetful);
    DEFINE(careful);
    DEFINE(speaking);
    rb_define_singleton_method(hostile, "jump_out", jump_out, 1);
    rb_define_singleton_method(hostile, "write_late", write_late, 0);
}

/* Macros and functions of old extensions, patterns of Onigmo, and what a dfree function and a thread's start may do. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/debug.h>
#include <ruby/io.h>
#include <ruby/onigmo.h>
#include <ruby/thread.h>
#include <ruby/util.h>

#ifndef HAVE_RUBY_XFREE_SIZED
# error "ruby_xfree_sized is not found"
#endif
#ifndef RUBY
# error "RUBY is not defined"
#endif

void Init_older(VALUE module);

/* The class, the type and flags of an object. */
static VALUE basics(VALUE self, VALUE object)
{
    VALUE is_text = (RBASIC_FLAGS(object) & T_MASK) == T_STRING ? Qtrue : Qfalse;
    VALUE was_frozen = RBASIC(object)->flags & FL_FREEZE ? Qtrue : Qfalse;
    RBASIC(object)->flags |= FL_FREEZE;
    return rb_ary_new_from_args(4, RBASIC_CLASS(object), is_text, was_frozen, rb_obj_frozen_p(object));
}

static VALUE descriptor(VALUE self, VALUE io) { return INT2NUM(RFILE(io)->fptr->fd); }
static VALUE is_singleton(VALUE self, VALUE class) { return FL_TEST(class, FL_SINGLETON) ? Qtrue : Qfalse; }

static VALUE digits(VALUE self, VALUE text)
{
    VALUE list = rb_ary_new();
    for (long i = 0; i < RSTRING_LEN(text); i++)
        rb_ary_push(list, INT2FIX(ruby_digit36_to_number_table[(unsigned char)RSTRING_PTR(text)[i]]));
    rb_ary_push(list, rb_str_new(ruby_hexdigits + 16, 16));
    int sum;
    rb_ary_push(list, ckd_add(&sum, INT_MAX, 1) ? Qtrue : Qfalse);
    return list;
}

static VALUE raw(VALUE self, VALUE io, VALUE bytes)
{
    return LONG2NUM(rb_io_bufwrite(io, RSTRING_PTR(bytes), (size_t)RSTRING_LEN(bytes)));
}

static VALUE program(VALUE self)
{
    char *arguments[] = {"a", "b"};
    ruby_script("older");
    ruby_set_argv(2, arguments);
    ruby_incpush("/older/one:/older/two");
    return rb_ary_new_from_args(3, rb_gv_get("$0"), rb_const_get(rb_cObject, rb_intern("ARGV")),
                                rb_gv_get("$LOAD_PATH"));
}

static VALUE deep(VALUE self, VALUE depth)
{
    volatile char block[4096];
    block[0] = 1;
    if (ruby_stack_check()) return Qtrue;
    if (FIX2LONG(depth) == 0) return Qfalse;
    VALUE result = deep(self, LONG2FIX(FIX2LONG(depth) - 1));
    /* The frame is needed until here. */
    return block[0] ? result : Qnil;
}

static VALUE stack_grows(VALUE self)
{
    VALUE *end;
    size_t words = ruby_stack_length(&end);
    return words > 0 && end < (VALUE *)&words + words ? Qtrue : Qfalse;
}

/* A pattern that C compiles, the positions of its groups in a text, and the error of a wrong one. */
static VALUE pattern(VALUE self, VALUE source, VALUE text)
{
    OnigRegex made;
    OnigErrorInfo error;
    const UChar *start = (const UChar *)RSTRING_PTR(source), *from = (const UChar *)RSTRING_PTR(text);
    int result = onig_new(&made, start, start + RSTRING_LEN(source), ONIG_OPTION_DEFAULT, ONIG_ENCODING_ASCII,
                          ONIG_SYNTAX_DEFAULT, &error);
    if (result != ONIG_NORMAL) {
        UChar message[ONIG_MAX_ERROR_MESSAGE_LEN];
        int len = onig_error_code_to_str(message, result, &error);
        return rb_str_new((char *)message, len);
    }
    rb_gc_start();
    OnigRegion *region = onig_region_new();
    VALUE list = rb_ary_new();
    const UChar *end = from + RSTRING_LEN(text);
    if (onig_search(made, from, end, from, end, region, ONIG_OPTION_NONE) >= 0) {
        for (int i = 0; i < region->num_regs; i++)
            rb_ary_push(list, rb_assoc_new(LONG2NUM(region->beg[i]), LONG2NUM(region->end[i])));
    }
    onig_region_free(region, 1);
    onig_free(made);
    return list;
}

static void hooked(VALUE data, const rb_trace_arg_t *argument)
{
    rb_ary_push(data, rb_tracearg_method_id((rb_trace_arg_t *)argument));
}

static VALUE raw_hook(VALUE self)
{
    VALUE list = rb_ary_new();
    rb_add_event_hook2((rb_event_hook_func_t)hooked, RUBY_EVENT_CALL | RUBY_EVENT_C_CALL, list,
                       RUBY_EVENT_HOOK_FLAG_SAFE | RUBY_EVENT_HOOK_FLAG_RAW_ARG);
    rb_yield(Qnil);
    /* What a function of the interface does is no event. */
    rb_ary_reverse(rb_ary_new());
    rb_remove_event_hook((rb_event_hook_func_t)hooked);
    return list;
}

/* An object whose dfree disables the trace point that uses the structure. */
struct watcher {
    VALUE point;
    int calls;
};
static int disabled;

static void watcher_mark(void *data) { rb_gc_mark(((struct watcher *)data)->point); }
static void watcher_free(void *data)
{
    struct watcher *watcher = data;
    rb_tracepoint_disable(watcher->point);
    memset(watcher, 0xff, sizeof *watcher);
    xfree(watcher);
    disabled++;
}
static const rb_data_type_t watcher_type = {
    .wrap_struct_name = "watcher",
    .function = {.dmark = watcher_mark, .dfree = watcher_free},
    .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static void watched(VALUE point, void *data)
{
    struct watcher *watcher = data;
    if (watcher->point != point) rb_bug("a trace point was called after its data was freed");
    watcher->calls++;
}

static VALUE watch(VALUE self)
{
    struct watcher *watcher;
    VALUE made = TypedData_Make_Struct(rb_cObject, struct watcher, &watcher_type, watcher);
    watcher->point = rb_tracepoint_new(0, RUBY_EVENT_CALL | RUBY_EVENT_C_CALL, watched, watcher);
    rb_tracepoint_enable(watcher->point);
    return made;
}
static VALUE watchers_freed(VALUE self) { return INT2NUM(disabled); }

/* Allocates for a thread that is started. */
static ID id_state;
static void starting(rb_event_flag_t event, const rb_internal_thread_event_data_t *data, void *argument)
{
    rb_ivar_set(data->thread, id_state, rb_str_new_cstr("started"));
    rb_raise(rb_eRuntimeError, "not passed on");
}

static VALUE threads_start(VALUE self)
{
    rb_internal_thread_event_hook_t *hook =
        rb_internal_thread_add_event_hook(starting, RUBY_INTERNAL_THREAD_EVENT_STARTED, NULL);
    VALUE thread = rb_yield(Qnil);
    rb_internal_thread_remove_event_hook(hook);
    return rb_ivar_get(thread, id_state);
}

/* Functions of the interface work on objects that are hidden from Ruby. */
static VALUE hidden(VALUE self)
{
    VALUE text = rb_obj_hide(rb_str_new_cstr("a")), list = rb_obj_hide(rb_ary_new());
    rb_str_concat(text, rb_str_new_cstr("b"));
    rb_str_replace(text, rb_str_plus(text, rb_str_new_cstr("c")));
    rb_ary_concat(list, rb_ary_new_from_args(2, INT2FIX(1), INT2FIX(2)));
    rb_ary_reverse(list);
    return rb_ary_new_from_args(2, rb_obj_reveal(text, rb_cString), rb_obj_reveal(list, rb_cArray));
}

static VALUE line(VALUE self, VALUE io) { return rb_io_gets(io); }

static VALUE surrogate(VALUE self)
{
    char bytes[8];
    return rb_str_new(bytes, rb_enc_mbcput(0xd800, bytes, rb_utf8_encoding()));
}

static VALUE data_class(VALUE self, VALUE super) { return rb_data_define(super, "a", "b", NULL); }
static VALUE member(VALUE self, VALUE object, VALUE at) { return rb_struct_aref(object, at); }

static VALUE fails(VALUE text) { rb_raise(rb_eArgError, "%s", StringValueCStr(text)); }
static VALUE caused(VALUE self)
{
    int state;
    rb_protect(fails, rb_str_new_cstr("first"), &state);
    rb_raise(rb_eTypeError, "second");
}

static int collections;
static void collected(rb_event_flag_t event, VALUE data, VALUE receiver, ID method, VALUE class)
{
    if (event == RUBY_INTERNAL_EVENT_GC_START && data == INT2FIX(7)) collections++;
}
static VALUE internal_hook(VALUE self)
{
    rb_add_event_hook(collected, RUBY_INTERNAL_EVENT_GC_START | RUBY_INTERNAL_EVENT_GC_EXIT, INT2FIX(7));
    rb_gc_start();
    int during = collections, removed = rb_remove_event_hook(collected);
    rb_gc_start();
    return rb_ary_new_from_args(3, RBOOL(during > 0), INT2FIX(removed), RBOOL(collections == during));
}

void Init_older(VALUE module)
{
    rb_define_singleton_method(module, "hidden_objects", hidden, 0);
    rb_define_singleton_method(module, "line", line, 1);
    rb_define_singleton_method(module, "surrogate", surrogate, 0);
    rb_define_singleton_method(module, "data_class", data_class, 1);
    rb_define_singleton_method(module, "field", member, 2);
    rb_define_singleton_method(module, "caused", caused, 0);
    rb_define_singleton_method(module, "internal_hook", internal_hook, 0);
    id_state = rb_intern("state");
    rb_define_singleton_method(module, "basics", basics, 1);
    rb_define_singleton_method(module, "descriptor", descriptor, 1);
    rb_define_singleton_method(module, "singleton?", is_singleton, 1);
    rb_define_singleton_method(module, "digit_values", digits, 1);
    rb_define_singleton_method(module, "raw", raw, 2);
    rb_define_singleton_method(module, "program", program, 0);
    rb_define_singleton_method(module, "deep", deep, 1);
    rb_define_singleton_method(module, "stack_grows", stack_grows, 0);
    rb_define_singleton_method(module, "pattern", pattern, 2);
    rb_define_singleton_method(module, "raw_hook", raw_hook, 0);
    rb_define_singleton_method(module, "watch", watch, 0);
    rb_define_singleton_method(module, "watchers_freed", watchers_freed, 0);
    rb_define_singleton_method(module, "threads_start", threads_start, 0);
}

/* Thread-specific words, iteration over all objects, and addresses of Strings that Ruby changes. */
typedef unsigned short UChar; /* as in ICU's headers */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/thread.h>
#include <string.h>

void Init_keeps(VALUE module);

static rb_internal_thread_specific_key_t key;

/* Returns the number that is stored for a thread, and stores the next one. */
static VALUE next_of(VALUE self, VALUE thread)
{
    char *number = rb_internal_thread_specific_get(thread, key);
    rb_internal_thread_specific_set(thread, key, number + 1);
    return rb_int_new((intptr_t)number);
}

static VALUE new_keys(VALUE self)
{
    for (;;) rb_internal_thread_specific_key_create();
    return Qnil;
}

struct search { VALUE object; int seen, after; };

static int visit(void *start, void *end, size_t stride, void *data)
{
    struct search *search = data;
    for (char *at = start; at < (char *)end; at += stride) {
        if (search->seen) search->after++;
        if ((VALUE)at == search->object) search->seen++;
    }
    return search->seen;
}

static VALUE is_object(VALUE self, VALUE object)
{
    struct search search = {object, 0, 0};
    rb_objspace_each_objects(visit, &search);
    return rb_ary_new_from_args(2, INT2FIX(search.seen), INT2FIX(search.after));
}

static VALUE warns(VALUE self)
{
    rb_category_warning(RB_WARN_CATEGORY_DEPRECATED, "old %d", 1);
    rb_category_warn(RB_WARN_CATEGORY_DEPRECATED, "old %d", 2);
    return Qnil;
}

/* The lengths up to the NUL before and after the block changes the String, and whether the address is the same. */
static VALUE lengths(VALUE self, VALUE string)
{
    char *start = RSTRING_PTR(string);
    size_t before = strlen(start);
    VALUE same = start == RSTRING_PTR(string) ? Qtrue : Qfalse;
    rb_yield(string);
    return rb_ary_new_from_args(3, SIZET2NUM(before), SIZET2NUM(strlen(RSTRING_PTR(string))), same);
}

/* A registered variable that holds no object. */
static VALUE strays(VALUE self)
{
    static VALUE stray;
    stray = (VALUE)xmalloc(64);
    rb_gc_register_address(&stray);
    rb_gc_start();
    rb_gc_unregister_address(&stray);
    xfree((void *)stray);
    return Qtrue;
}

/* Methods in C that override those of a core class. */
static VALUE responds_too(int argc, VALUE *argv, VALUE self) { return argv[0] == ID2SYM(rb_intern("anything")) ? Qtrue : Qfalse; }
static VALUE message(VALUE self) { return rb_str_new_lit("a message from C"); }

void Init_keeps(VALUE module)
{
    VALUE open_class = rb_define_class_under(module, "Open", rb_cObject);
    rb_define_method(open_class, "respond_to_missing?", responds_too, -1);
    rb_define_method(rb_define_class_under(module, "Worded", rb_eRuntimeError), "message", message, 0);
    key = rb_internal_thread_specific_key_create();
    rb_define_module_function(module, "next_of", next_of, 1);
    rb_define_module_function(module, "new_keys", new_keys, 0);
    rb_define_module_function(module, "is_object", is_object, 1);
    rb_define_module_function(module, "warns", warns, 0);
    rb_define_module_function(module, "lengths", lengths, 1);
    rb_define_module_function(module, "strays", strays, 0);
}

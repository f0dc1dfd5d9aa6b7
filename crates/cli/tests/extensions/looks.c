/* Reads frames, ranges, hashes, storage of Ractors and streams; causes faults. */
#include <ruby.h>
#include <ruby/debug.h>
#include <ruby/io.h>
#include <ruby/encoding.h>
#include <ruby/fiber/scheduler.h>
#include <ruby/thread_native.h>
#include <ruby/internal/symbol.h>

void Init_looks(VALUE module);

static VALUE inspect(const rb_debug_inspector_t *inspector, void *data)
{
    VALUE list = rb_ary_new(), locations = rb_debug_inspector_backtrace_locations(inspector);
    for (long i = 0; i < RARRAY_LEN(locations); i++) {
        VALUE binding = rb_debug_inspector_frame_binding_get(inspector, i);
        VALUE class = rb_debug_inspector_frame_class_get(inspector, i);
        VALUE names = NIL_P(binding) ? Qnil : rb_funcall(binding, rb_intern("local_variables"), 0);
        VALUE label = rb_funcall(rb_ary_entry(locations, i), rb_intern("label"), 0);
        VALUE self = rb_debug_inspector_frame_self_get(inspector, i);
        rb_ary_push(list, rb_ary_new_from_args(4, label, self, class, names));
    }
    return list;
}

static VALUE frames(VALUE self) { return rb_debug_inspector_open(inspect, 0); }
static VALUE depth(VALUE self) { return rb_debug_inspector_current_depth(); }

static VALUE members(VALUE self, VALUE v)
{
    VALUE list = rb_ary_new();
    for (long i = 0; i < RSTRUCT_LEN(v); i++) rb_ary_push(list, RSTRUCT_GET(v, i));
    return list;
}

static VALUE table_size(VALUE self, VALUE hash) { return LONG2NUM(RHASH_TBL(hash)->num_entries); }

struct chain { struct chain *head; };
static void chain_mark(void *p) { if (((struct chain *)p)->head->head != p) rb_bug("not set up"); }
static const rb_data_type_t chain_type = {
    "chain", {chain_mark, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY
};
static VALUE chain_allocate(VALUE class)
{
    struct chain *chain;
    VALUE made = TypedData_Make_Struct(class, struct chain, &chain_type, chain);
    chain->head = chain;
    return made;
}

/* A counter of which each Ractor has its own. */
static rb_ractor_local_key_t counter;
static const struct rb_ractor_local_storage_type counter_type = {0, free};
static VALUE count(VALUE self)
{
    int *count = rb_ractor_local_storage_ptr(counter);
    if (!count) {
        count = calloc(1, sizeof(int));
        rb_ractor_local_storage_ptr_set(counter, count);
    }
    return INT2FIX(++*count);
}

static VALUE write_bytes(VALUE self, VALUE io, VALUE text)
{
    return LONG2NUM(rb_io_bufwrite(io, RSTRING_PTR(text), RSTRING_LEN(text)));
}

static VALUE print_to(VALUE self, VALUE io, VALUE text)
{
    rb_io_t *stream;
    GetOpenFile(io, stream);
    return INT2FIX(fputs(StringValueCStr(text), rb_io_stdio_file(stream)) >= 0);
}

static VALUE digits(VALUE self, VALUE text)
{
    size_t read;
    int overflow;
    unsigned long number = ruby_scan_digits(StringValueCStr(text), -1, 16, &read, &overflow);
    return rb_ary_new_from_args(3, ULONG2NUM(number), SIZET2NUM(read), INT2FIX(overflow));
}

static VALUE call_with_block(VALUE self, VALUE method, VALUE argument, VALUE block)
{
    return rb_method_call_with_block(1, &argument, method, block);
}

/* Calls optional and required methods of a scheduler. */
static VALUE ask_scheduler(VALUE self, VALUE scheduler, VALUE io)
{
    struct timeval half = {0, 500000};
    VALUE timeout = rb_fiber_scheduler_make_timeout(&half);
    VALUE unanswered = rb_fiber_scheduler_io_read(scheduler, io, Qnil, 1, 0);
    VALUE waited = rb_fiber_scheduler_io_wait(scheduler, io, INT2FIX(1), timeout);
    VALUE blocked = rb_fiber_scheduler_block(scheduler, Qnil, timeout);
    return rb_ary_new_from_args(4, RBOOL(UNDEF_P(unanswered)), waited, blocked, RBOOL(rb_enc_capable(io)));
}

static void add_text(FILE *out, void *text) { fprintf(out, "Added: %s\n", (const char *)text); }
static VALUE report_bugs(VALUE self) { return INT2FIX(rb_bug_reporter_add(add_text, (void *)"a line")); }

static volatile uintptr_t no_memory = 16;
static VALUE faults(VALUE self) { *(volatile long *)no_memory = 1; return Qnil; }

void Init_looks(VALUE module)
{
    rb_define_module_function(module, "frames", frames, 0);
    rb_define_module_function(module, "depth", depth, 0);
    rb_define_module_function(module, "members", members, 1);
    rb_define_module_function(module, "table_size", table_size, 1);
    counter = rb_ractor_local_storage_ptr_newkey(&counter_type);
    rb_define_module_function(module, "count", count, 0);
    rb_define_module_function(module, "write_bytes", write_bytes, 2);
    rb_define_module_function(module, "digits", digits, 1);
    rb_define_module_function(module, "call_with_block", call_with_block, 3);
    rb_define_module_function(module, "ask_scheduler", ask_scheduler, 2);
    rb_define_module_function(module, "print_to", print_to, 2);
    rb_define_module_function(module, "faults", faults, 0);
    rb_define_module_function(module, "report_bugs", report_bugs, 0);
    rb_define_alloc_func(rb_define_class_under(module, "Chain", rb_cObject), chain_allocate);
}

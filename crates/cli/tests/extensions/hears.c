/* Frames and events for profilers, and postponed jobs. */
#include <ruby.h>
#include <ruby/debug.h>
#include <signal.h>

void Init_hears(VALUE module);

static VALUE shown[64];
static int lines[64], count;
static rb_postponed_job_handle_t job;

/* A signal handler takes the frames; the job reads them. */
static void on_signal(int number)
{
    count = rb_profile_frames(0, 64, shown, lines);
    rb_postponed_job_trigger(job);
}

static VALUE labels(VALUE list)
{
    for (int i = 0; i < count; i++) {
        VALUE label = rb_profile_frame_full_label(shown[i]), path = rb_profile_frame_path(shown[i]);
        VALUE first = rb_profile_frame_first_lineno(shown[i]), name = rb_profile_frame_method_name(shown[i]);
        rb_ary_push(list, rb_ary_new_from_args(5, label, NIL_P(path) ? Qnil : Qtrue, INT2FIX(lines[i]), first, name));
    }
    return list;
}

static VALUE taken;
static void on_job(void *data) { labels(taken); rb_raise(rb_eRuntimeError, "ends the job silently"); }

static VALUE frames_by_signal(VALUE self)
{
    taken = rb_ary_new();
    signal(SIGUSR2, on_signal);
    raise(SIGUSR2);
    rb_thread_check_ints();
    return taken;
}

static VALUE frames_from_here(VALUE self)
{
    count = rb_profile_frames(1, 2, shown, lines);
    return labels(rb_ary_new());
}

static int made, freed, started, ended;
static VALUE made_at;
static void on_object(VALUE point, void *data)
{
    rb_trace_arg_t *event = rb_tracearg_from_tracepoint(point);
    VALUE object = rb_tracearg_object(event);
    if (rb_tracearg_event_flag(event) == RUBY_INTERNAL_EVENT_FREEOBJ) {
        freed += RB_BUILTIN_TYPE(object) == T_STRING;
    } else {
        if (made++ == 0) {
            made_at = rb_ary_new_from_args(2, rb_tracearg_lineno(event), rb_tracearg_method_id(event));
        }
    }
}
static void on_collection(VALUE point, void *data)
{
    rb_event_flag_t event = rb_tracearg_event_flag(rb_tracearg_from_tracepoint(point));
    if (event == RUBY_INTERNAL_EVENT_GC_START) started += rb_during_gc();
    if (event == RUBY_INTERNAL_EVENT_GC_END_SWEEP) ended++;
}

static VALUE internal_events(VALUE self)
{
    VALUE objects = rb_tracepoint_new(0, RUBY_INTERNAL_EVENT_NEWOBJ | RUBY_INTERNAL_EVENT_FREEOBJ, on_object, 0);
    VALUE cycles = rb_tracepoint_new(0, RUBY_INTERNAL_EVENT_GC_START | RUBY_INTERNAL_EVENT_GC_END_SWEEP,
                                     on_collection, 0);
    made = freed = started = ended = 0;
    rb_tracepoint_enable(objects);
    rb_tracepoint_enable(cycles);
    rb_yield(Qnil);
    rb_tracepoint_disable(objects);
    int before = made;
    rb_str_new_cstr("not told");
    VALUE was = rb_tracepoint_enabled_p(cycles);
    rb_tracepoint_disable(cycles);
    return rb_ary_new_from_args(7, before > 1000 ? Qtrue : Qfalse, before == made ? Qtrue : Qfalse, freed > 0 ? Qtrue : Qfalse,
                                started > 0 ? Qtrue : Qfalse, ended > 0 ? Qtrue : Qfalse, was, made_at);
}

static void on_event(rb_event_flag_t event, VALUE data, VALUE self, ID name, VALUE class)
{
    rb_ary_push(data, rb_ary_new_from_args(4, UINT2NUM(event), self, name ? ID2SYM(name) : Qnil, class));
}
static VALUE event_hooks(VALUE self)
{
    VALUE list = rb_ary_new();
    rb_add_event_hook(on_event, RUBY_EVENT_CALL | RUBY_EVENT_RETURN, list);
    rb_yield(Qnil);
    int removed = rb_remove_event_hook_with_data(on_event, Qnil) * 10 + rb_remove_event_hook_with_data(on_event, list);
    rb_yield(Qnil);
    return rb_ary_push(list, INT2FIX(removed));
}

void Init_hears(VALUE module)
{
    job = rb_postponed_job_preregister(0, on_job, 0);
    if (job != rb_postponed_job_preregister(0, on_job, &count)) rb_bug("another number for the same function");
    rb_gc_register_address(&taken);
    rb_gc_register_address(&made_at);
    rb_define_module_function(module, "frames_by_signal", frames_by_signal, 0);
    rb_define_module_function(module, "frames_from_here", frames_from_here, 0);
    rb_define_module_function(module, "internal_events", internal_events, 0);
    rb_define_module_function(module, "event_hooks", event_hooks, 0);
}

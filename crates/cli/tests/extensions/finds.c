/* Searches with Onigmo's interface, and hooks of threads. */
#include <ruby.h>
#include <ruby/re.h>
#include <ruby/thread.h>

void Init_finds(VALUE module);

struct place { long from, at; int searches; };

static OnigPosition match(regex_t *pattern, VALUE string, struct re_registers *groups, void *data)
{
    struct place *place = data;
    const UChar *text = (const UChar *)RSTRING_PTR(string), *end = text + RSTRING_LEN(string);
    if (place->searches) return onig_search(pattern, text + place->from, end, text + place->at, end, groups, 0);
    return onig_match(pattern, text + place->from, end, text + place->at, groups, ONIG_OPTION_NONE);
}

/* Matches at a byte, or searches from there, in the rest of the String: the result, and the positions of the groups. */
static VALUE find(VALUE self, VALUE pattern, VALUE string, VALUE from, VALUE at, VALUE searches)
{
    struct place place = {NUM2LONG(from), NUM2LONG(at), RTEST(searches)};
    struct re_registers groups;
    onig_region_init(&groups);
    OnigPosition found = rb_reg_onig_match(pattern, string, match, &place, &groups);
    VALUE list = rb_ary_new_from_args(1, LONG2NUM(found));
    for (int i = 0; found >= 0 && i < groups.num_regs; i++) {
        rb_ary_push(list, rb_assoc_new(LONG2NUM(groups.beg[i]), LONG2NUM(groups.end[i])));
    }
    onig_region_free(&groups, 0);
    return list;
}

static int add_name(const OnigUChar *name, const OnigUChar *end, int count, int *numbers, OnigRegex pattern, void *list)
{
    VALUE all = rb_ary_new();
    for (int i = 0; i < count; i++) rb_ary_push(all, INT2NUM(numbers[i]));
    rb_ary_push((VALUE)list, rb_assoc_new(rb_str_new((const char *)name, end - name), all));
    return 0;
}

static VALUE names(VALUE self, VALUE pattern)
{
    VALUE list = rb_ary_new();
    onig_foreach_name(RREGEXP_PTR(pattern), add_name, (void *)list);
    const UChar *year = (const UChar *)"year", *none = (const UChar *)"none";
    rb_ary_push(list, INT2NUM(onig_name_to_backref_number(RREGEXP_PTR(pattern), year, year + 4, 0)));
    rb_ary_push(list, (onig_name_to_backref_number(RREGEXP_PTR(pattern), none, none + 4, 0) < 0) ? Qtrue : Qfalse);
    return list;
}

static int events[64], count;
static void on_event(rb_event_flag_t event, const rb_internal_thread_event_data_t *data, void *self)
{
    if (count < 64) events[count++] = (int)event;
}

/* The events that occur in a block, and whether removing the hook ends them. */
static VALUE thread_events(VALUE self)
{
    rb_internal_thread_event_hook_t *hook =
        rb_internal_thread_add_event_hook(on_event, RUBY_INTERNAL_THREAD_EVENT_MASK, (void *)self);
    rb_yield(Qnil);
    VALUE removed = (rb_internal_thread_remove_event_hook(hook) ? Qtrue : Qfalse);
    int seen = 0, before = count;
    for (int i = 0; i < count; i++) seen |= events[i];
    rb_yield(Qnil);
    return rb_ary_new_from_args(3, INT2NUM(seen), removed, (count == before) ? Qtrue : Qfalse);
}

static int add_variable(ID name, VALUE value, st_data_t list)
{
    rb_ary_push((VALUE)list, rb_assoc_new(ID2SYM(name), value));
    return ST_CONTINUE;
}

/* Sets an exception's message as extensions do, and returns its variables as C sees them. */
static VALUE set_message(VALUE self, VALUE exception, VALUE message)
{
    VALUE list = rb_ary_new();
    rb_iv_set(exception, "mesg", message);
    rb_ivar_foreach(exception, add_variable, (st_data_t)list);
    rb_ary_push(list, rb_iv_get(exception, "mesg"));
    return list;
}

/* Whether a String has no class while it is hidden. */
static VALUE hidden(VALUE self)
{
    VALUE made = rb_str_tmp_new(3), was = RBASIC_CLASS(made) ? Qtrue : Qfalse;
    rb_obj_reveal(made, rb_cString);
    return rb_ary_new_from_args(2, was, made);
}

/* Whether a descriptor beyond the size of `fd_set` can be selected. */
static VALUE selects(VALUE self, VALUE fd)
{
    rb_fdset_t set;
    struct timeval timeout = {5, 0};
    rb_fd_init(&set);
    rb_fd_set(NUM2INT(fd), &set);
    int count = rb_thread_fd_select(NUM2INT(fd) + 1, 0, &set, 0, &timeout);
    VALUE list = rb_ary_new_from_args(2, INT2NUM(count), rb_fd_isset(NUM2INT(fd), &set) ? Qtrue : Qfalse);
    rb_fd_term(&set);
    return list;
}

/* Fills CRuby's structure of a Process::Status, as eventmachine does. */
struct status { rb_pid_t pid; int status, error; };
static VALUE new_status(VALUE self, VALUE number)
{
    VALUE made = rb_obj_alloc(rb_path2class("Process::Status"));
    struct status *status = (struct status *)RTYPEDDATA_GET_DATA(made);
    status->pid = 7;
    status->status = NUM2INT(number);
    return made;
}

/* Functions that write by the stream's method `write`, and an enumerator with keywords. */
static VALUE prints(VALUE self, VALUE stream)
{
    VALUE words[2] = {rb_str_new_cstr("a"), rb_ary_new_from_args(2, INT2FIX(1), INT2FIX(2))};
    rb_io_print(2, words, stream);
    rb_io_puts(2, words, stream);
    rb_io_addstr(stream, words[0]);
    words[0] = rb_str_new_cstr("%p\n");
    rb_io_printf(2, words, stream);
    return stream;
}
static VALUE walk(int argc, VALUE *argv, VALUE self)
{
    VALUE options;
    RETURN_ENUMERATOR(self, argc, argv);
    rb_scan_args(argc, argv, "0:", &options);
    return rb_yield(rb_hash_aref(options, ID2SYM(rb_intern("by"))));
}
static VALUE wide(VALUE self, VALUE string) { return rb_str_buf_cat_ascii(string, "ab"); }

void Init_finds(VALUE module)
{
    rb_define_module_function(module, "prints", prints, 1);
    rb_define_module_function(module, "walk", walk, -1);
    rb_define_module_function(module, "wide", wide, 1);
    rb_define_module_function(module, "new_status", new_status, 1);
    rb_define_module_function(module, "selects", selects, 1);
    rb_define_module_function(module, "set_message", set_message, 2);
    rb_define_module_function(module, "hidden", hidden, 0);
    rb_define_module_function(module, "find", find, 5);
    rb_define_module_function(module, "names", names, 1);
    rb_define_module_function(module, "thread_events", thread_events, 0);
}

/* Functions that are composed of others: numbers, paths, processes, constants, recursion, streams. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/debug.h>
#include <ruby/io.h>
#include <ruby/random.h>
#include <ruby/re.h>
#include <ruby/util.h>
#include <sys/wait.h>

void Init_parts(VALUE module);

static VALUE parse(VALUE self, VALUE text, VALUE base, VALUE flags)
{
    char *start = StringValueCStr(text), *end;
    size_t digits = 0;
    VALUE found = rb_int_parse_cstr(start, RSTRING_LEN(text), &end, &digits, NUM2INT(base), NUM2INT(flags));
    VALUE whole = rb_int_parse_cstr(start, RSTRING_LEN(text), 0, 0, NUM2INT(base), NUM2INT(flags));
    return rb_ary_new_from_args(3, found, LONG2NUM(end - start), whole);
}

static VALUE ellipsize(VALUE self, VALUE text, VALUE len) { return rb_str_ellipsize(text, NUM2LONG(len)); }

static VALUE at(VALUE list, long index) { return rb_ary_entry(list, index); }
static VALUE values_at(int argc, VALUE *argv, VALUE self)
{
    return rb_get_values_at(argv[0], RARRAY_LEN(argv[0]), argc - 1, argv + 1, at);
}

static VALUE constants(VALUE self, VALUE module) { return rb_const_list(rb_mod_const_of(module, 0)); }

static VALUE paths(VALUE self, VALUE path)
{
    rb_encoding *enc = rb_enc_get(path);
    const char *start = StringValueCStr(path), *end = RSTRING_END(path);
    char *last = rb_enc_path_last_separator(start, end, enc);
    long base = 0, all = end - start, suffix = all;
    const char *name = ruby_enc_find_basename(start, &base, &all, enc), *dot = ruby_enc_find_extname(start, &suffix, enc);
    return rb_ary_new_from_args(5, LONG2NUM(rb_enc_path_next(start, end, enc) - start),
                                last ? LONG2NUM(last - start) : Qnil, LONG2NUM(rb_enc_path_end(start, end, enc) - start),
                                rb_enc_str_new(name, all < 0 ? base : all, enc), dot ? rb_enc_str_new(dot, suffix, enc) : Qnil);
}

static int globbed(const char *path, VALUE list, void *enc)
{
    rb_ary_push(list, rb_enc_str_new_cstr(path, enc));
    return 0;
}
static VALUE globs(VALUE self, VALUE pattern)
{
    VALUE list = rb_ary_new();
    ruby_brace_glob(StringValueCStr(pattern), 0, globbed, list);
    rb_ary_push(list, Qnil);
    ruby_glob(StringValueCStr(pattern), 0, globbed, list);
    return list;
}

static VALUE spawned(VALUE self, VALUE command)
{
    char text[80] = "";
    errno = 0;
    pid_t pid = rb_spawn_err(1, &command, text, sizeof text);
    int failed = pid < 0 ? errno : 0;
    if (pid < 0) return INT2NUM(failed);
    VALUE status = rb_process_status_wait(pid, 0);
    rb_last_status_set(3 << 8, pid);
    return rb_ary_new_from_args(2, rb_funcall(status, rb_intern("exitstatus"), 0),
                                rb_funcall(rb_last_status_get(), rb_intern("exitstatus"), 0));
}

static VALUE visit(VALUE list, VALUE depth, int again)
{
    if (again) return ID2SYM(rb_intern("again"));
    VALUE result = rb_ary_new();
    for (long i = 0; i < RARRAY_LEN(list); i++) {
        VALUE element = RARRAY_AREF(list, i);
        rb_ary_push(result, RB_TYPE_P(element, T_ARRAY) ? rb_funcall(rb_path2class("Thin"), rb_intern("nested"), 1, element) : element);
    }
    return result;
}
static VALUE nested(VALUE self, VALUE list) { return rb_exec_recursive_outer(visit, list, INT2FIX(0)); }

static VALUE written(VALUE self, VALUE io, VALUE other)
{
    VALUE before = rb_io_set_write_io(io, other);
    return rb_ary_new_from_args(2, before, rb_io_get_write_io(io) == other ? Qtrue : Qfalse);
}

static VALUE replaced(VALUE self, VALUE pattern, VALUE text, VALUE replacement)
{
    rb_reg_search(pattern, text, 0, 0);
    struct re_registers groups = {0, 0, 0, 0};
    OnigPosition starts[4], ends[4];
    VALUE match = rb_backref_get();
    groups.num_regs = NUM2INT(rb_funcall(match, rb_intern("size"), 0));
    groups.beg = starts;
    groups.end = ends;
    for (int i = 0; i < groups.num_regs; i++) {
        VALUE place = rb_funcall(match, rb_intern("byteoffset"), 1, INT2FIX(i));
        starts[i] = NIL_P(RARRAY_AREF(place, 0)) ? -1 : NUM2LONG(RARRAY_AREF(place, 0));
        ends[i] = NIL_P(RARRAY_AREF(place, 1)) ? -1 : NUM2LONG(RARRAY_AREF(place, 1));
    }
    return rb_reg_regsub(replacement, text, &groups, pattern);
}

static VALUE read_into(VALUE self, VALUE string)
{
    rb_str_modify_expand(string, 5);
    memcpy(RSTRING_PTR(string), "hello", 5);
    rb_str_modify_expand(string, 300);
    memcpy(RSTRING_PTR(string) + 5, " again", 6);
    rb_str_set_len(string, 11);
    return string;
}

static VALUE binding_of_c(VALUE self) { return rb_funcall(self, rb_intern("binding"), 0); }
static VALUE record(VALUE module)
{
    VALUE klass = rb_struct_define_without_accessor_under(module, "Bare", rb_cStruct, rb_struct_alloc_noinit, "a", "b", NULL);
    return rb_struct_new(klass, INT2FIX(1), INT2FIX(2));
}
static VALUE numbers(VALUE self)
{
    return rb_ary_new_from_args(5, rb_dbl_cmp(1.5, 2), rb_dbl_cmp(NAN, 1), rb_num2fix(rb_float_new(7.9)),
                                rb_float_new(rb_int_pair_to_real(~0u, ~0u, 1)), rb_float_new(rb_int_pair_to_real(~0u, ~0u, 0)));
}
static VALUE ids(VALUE self, VALUE name)
{
    ID id = rb_to_id(name);
    return rb_ary_new_from_args(3, INT2FIX(rb_is_global_id(id) != 0), INT2FIX(rb_is_attrset_id(id) != 0), INT2FIX(rb_is_junk_id(id) != 0));
}
static VALUE alnum(VALUE self, VALUE text)
{
    rb_encoding *enc = rb_enc_get(text);
    unsigned int code = rb_enc_codepoint(RSTRING_PTR(text), RSTRING_END(text), enc);
    return rb_ary_new_from_args(3, INT2FIX(rb_enc_isalnum(code, enc) != 0), INT2FIX(rb_enc_isupper(code, enc) != 0),
                                INT2FIX(rb_enc_isspace(code, enc) != 0));
}

static VALUE member(VALUE self, VALUE record, VALUE name) { return rb_struct_getmember(record, rb_to_id(name)); }
static VALUE to_ulong(VALUE self, VALUE number) { return rb_assoc_new(ULONG2NUM(NUM2ULONG(number)), ULL2NUM(NUM2ULL(number))); }
static void at_event(VALUE point, void *data) {}
static VALUE mixed(VALUE self)
{
    return rb_tracepoint_enable(rb_tracepoint_new(0, RUBY_EVENT_CALL | RUBY_INTERNAL_EVENT_NEWOBJ, at_event, 0));
}

static VALUE status(VALUE self, VALUE path)
{
    struct stat st;
    if (stat(StringValueCStr(path), &st)) rb_sys_fail("stat");
    return rb_stat_new(&st);
}
static VALUE shown(VALUE self, VALUE text)
{
    return rb_sprintf("[% " PRIsVALUE "] [%+" PRIsVALUE "] [%" PRIsVALUE "] [%+-6d] [% 5.1f]", text, text, text, 7, 2.25);
}

static VALUE waits(VALUE self, VALUE number, VALUE writes)
{
    rb_readwrite_syserr_fail(RTEST(writes) ? RB_IO_WAIT_WRITABLE : RB_IO_WAIT_READABLE, NUM2INT(number), "waits");
    return Qnil;
}
static VALUE structure(VALUE self, VALUE of) { return DATA_PTR(of) ? Qtrue : Qfalse; }

struct visited { st_table *table; VALUE deletes, visits; };

static int grow(st_data_t key, st_data_t value, st_data_t data, int failed)
{
    struct visited *visited = (struct visited *)data;
    if (failed) {
        rb_ary_push(visited->visits, Qnil);
        return ST_STOP;
    }
    rb_ary_push(visited->visits, ULONG2NUM(key));
    if (key == 0) {
        st_data_t more;
        for (more = 1; more < 20; more++) st_add_direct(visited->table, more, more);
        if (RTEST(visited->deletes)) st_delete(visited->table, &key, &value);
    }
    return ST_CHECK;
}
/* The entries that st_foreach_check and st_foreach visit if the function adds entries, and perhaps deletes its own. */
static VALUE grown(VALUE self, VALUE checks, VALUE deletes)
{
    struct visited visited = {st_init_numtable(), deletes, rb_ary_new()};
    st_add_direct(visited.table, 0, 0);
    if (RTEST(checks)) st_foreach_check(visited.table, grow, (st_data_t)&visited, -1);
    else st_foreach(visited.table, (st_foreach_callback_func *)grow, (st_data_t)&visited);
    st_free_table(visited.table);
    return visited.visits;
}

#if !defined(HAVE_RUBY_RACTOR_H) || !defined(HAVE_RUBY_MEMORY_VIEW_H) || !defined(HAVE_RUBY_RANDOM_H)
# error headers that ruby.h announces
#endif

void Init_parts(VALUE module)
{
    rb_define_module_function(module, "member", member, 2);
    rb_define_module_function(module, "to_ulong", to_ulong, 1);
    rb_define_module_function(module, "mixed", mixed, 0);
    rb_define_module_function(module, "status", status, 1);
    rb_define_module_function(module, "shown", shown, 1);
    rb_define_module_function(module, "waits", waits, 2);
    rb_define_module_function(module, "parse", parse, 3);
    rb_define_module_function(module, "ellipsize", ellipsize, 2);
    rb_define_module_function(module, "values_at", values_at, -1);
    rb_define_module_function(module, "constants_of", constants, 1);
    rb_define_module_function(module, "paths", paths, 1);
    rb_define_module_function(module, "globs", globs, 1);
    rb_define_module_function(module, "spawned", spawned, 1);
    rb_define_module_function(module, "nested", nested, 1);
    rb_define_module_function(module, "written", written, 2);
    rb_define_module_function(module, "replaced", replaced, 3);
    rb_define_module_function(module, "read_into", read_into, 1);
    rb_define_module_function(module, "binding_of_c", binding_of_c, 0);
    rb_define_module_function(module, "record", record, 0);
    rb_define_module_function(module, "numbers", numbers, 0);
    rb_define_module_function(module, "ids", ids, 1);
    rb_define_module_function(module, "structure", structure, 1);
    rb_define_module_function(module, "grown", grown, 2);
    rb_define_module_function(module, "alnum", alnum, 1);
}

/* Texts, lists, constants and classes: functions that are composed of other functions of the interface. */
#include "border.h"
#include <ruby/encoding.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/sysmacros.h>

static VALUE dots(VALUE like, long len)
{
    rb_encoding *enc = rb_enc_get(like);
    VALUE text = rb_usascii_str_new("...", len);
    if (rb_enc_asciicompat(enc)) return rb_enc_associate(text, enc);
    return rb_str_encode(text, rb_enc_from_encoding(enc), 0, Qnil);
}

/* The text, limited to `len` characters; if it is longer, the last three are dots. */
VALUE rb_str_ellipsize(VALUE text, long len)
{
    if (len < 0) rb_raise(rb_eIndexError, "negative length %ld", len);
    if (rb_str_strlen(text) <= len) return text;
    if (len <= 3) return dots(text, len);
    return rb_str_append(rb_str_substr(text, 0, len - 3), dots(text, 3));
}

VALUE rb_get_values_at(VALUE object, long len, int count, const VALUE *values, rb_get_value_function get)
{
    VALUE result = rb_ary_new_capa(count);
    for (int i = 0; i < count; i++) {
        long start, size;
        if (FIXNUM_P(values[i]) || !RTEST(rb_range_beg_len(values[i], &start, &size, len, 1))) {
            rb_ary_push(result, get(object, NUM2LONG(values[i])));
            continue;
        }
        for (long at = start; at < start + size; at++) rb_ary_push(result, at < len ? get(object, at) : Qnil);
    }
    return result;
}

VALUE rb_enum_values_pack(int count, const VALUE *values)
{
    if (count == 0) return Qnil;
    return count == 1 ? values[0] : rb_ary_new_from_values(count, values);
}

/* The table of constants that the next three functions pass on is a Hash. */
void *rb_mod_const_at(VALUE module, void *table)
{
    VALUE names = table ? (VALUE)table : rb_hash_new();
    VALUE list = rb_funcall(module, rb_intern("constants"), 1, Qfalse);
    for (long i = 0; i < RARRAY_LEN(list); i++) rb_hash_aset(names, RARRAY_AREF(list, i), Qtrue);
    return (void *)names;
}

void *rb_mod_const_of(VALUE module, void *table)
{
    VALUE ancestors = rb_mod_ancestors(module);
    for (long i = 0; i < RARRAY_LEN(ancestors); i++) {
        VALUE at = RARRAY_AREF(ancestors, i);
        if (at == rb_cObject && module != rb_cObject) break;
        table = rb_mod_const_at(at, table);
    }
    RB_GC_GUARD(ancestors);
    return table;
}

VALUE rb_const_list(void *table) { return table ? rb_hash_keys((VALUE)table) : rb_ary_new(); }

VALUE rb_autoload_p(VALUE module, ID name) { return rb_funcall(module, rb_intern("autoload?"), 1, ID2SYM(name)); }

VALUE rb_autoload_load(VALUE module, ID name)
{
    if (NIL_P(rb_autoload_p(module, name))) return Qfalse;
    rb_const_get_at(module, name);
    return Qtrue;
}

VALUE rb_f_trace_var(int count, const VALUE *values)
{
    return rb_funcallv(rb_mKernel, rb_intern("trace_var"), count, values);
}

VALUE rb_f_untrace_var(int count, const VALUE *values)
{
    return rb_funcallv(rb_mKernel, rb_intern("untrace_var"), count, values);
}

VALUE rb_class_path_cached(VALUE module) { return rb_mod_name(module); }

void rb_check_inheritable(VALUE klass)
{
    if (!RB_TYPE_P(klass, T_CLASS))
        rb_raise(rb_eTypeError, "superclass must be an instance of Class (given an instance of %" PRIsVALUE ")",
                 rb_obj_class(klass));
    if (rb_class_of(klass) != 0 && RTEST(rb_funcall(klass, rb_intern("singleton_class?"), 0)))
        rb_raise(rb_eTypeError, "can't make subclass of singleton class");
    if (klass == rb_cClass) rb_raise(rb_eTypeError, "can't make subclass of Class");
}

void rb_freeze_singleton_class(VALUE object)
{
    if (!RB_SPECIAL_CONST_P(object) && RARRAY_LEN(rb_obj_singleton_methods(0, 0, object))) {
        rb_obj_freeze(rb_singleton_class(object));
    }
}

/* The markers of global variables. */
void rb_gvar_undef_marker(VALUE *variable) { (void)variable; }
void rb_gvar_val_marker(VALUE *variable) { rb_gc_mark_maybe((VALUE)variable); }
void rb_gvar_var_marker(VALUE *variable) { if (variable) rb_gc_mark_maybe(*variable); }

void rb_str_setter(VALUE value, ID name, VALUE *variable)
{
    if (!NIL_P(value) && !RB_TYPE_P(value, T_STRING))
        rb_raise(rb_eTypeError, "value of %" PRIsVALUE " must be String", rb_id2str(name));
    *variable = value;
}

int rb_is_global_id(ID name)
{
    const char *text = rb_id2name(name);
    return text[0] == '$' && rb_symname_p(text);
}

/* The name with `=` appended, of a method or of a variable. */
int rb_is_attrset_id(ID name)
{
    const char *text = rb_id2name(name);
    size_t len = strlen(text);
    if (len < 2 || text[len - 1] != '=') return 0;
    if (!strcmp(text, "[]=")) return 1;
    text += text[0] == '$' ? 1 : strspn(text, "@");
    if (rb_isdigit((unsigned char)*text) || *text == '=') return 0;
    for (; text[1]; text++) {
        if (!rb_isalnum((unsigned char)*text) && *text != '_' && (unsigned char)*text < 128) return 0;
    }
    return 1;
}

int rb_is_junk_id(ID name)
{
    unsigned char first = (unsigned char)rb_id2name(name)[0];
    if (rb_ispunct(first) && !strchr("$@_", first)) return 0;
    return !rb_is_const_id(name) && !rb_is_instance_id(name) && !rb_is_class_id(name) && !rb_is_local_id(name) &&
           !rb_is_global_id(name) && !rb_is_attrset_id(name);
}

VALUE rb_require_string(VALUE name) { return rb_f_require(Qnil, name); }

/* The address of a function in another extension, whose name is the one for `require`; null if it is not loaded. */
void *rb_ext_resolve_symbol(const char *feature, const char *symbol)
{
    VALUE loaded = rb_gv_get("$LOADED_FEATURES");
    size_t len = strlen(feature);
    for (long i = RARRAY_LEN(loaded) - 1; i >= 0; i--) {
        VALUE path = RARRAY_AREF(loaded, i);
        const char *text = StringValueCStr(path), *end = strrchr(text, '.');
        if (!end || strcmp(end, ".so") || (size_t)(end - text) < len || strncmp(end - len, feature, len)) continue;
        if (end - len > text && end[-(long)len - 1] != '/') continue;
        void *library = dlopen(text, RTLD_LAZY | RTLD_NOLOAD);
        return library ? dlsym(library, symbol) : 0;
    }
    return 0;
}

struct outer_recursion {
    rb_recursive_function function;
    VALUE object, argument, paired, tag;
    bool is_paired;
};

static VALUE visit(VALUE object, VALUE data, int again)
{
    struct outer_recursion *given = (struct outer_recursion *)data;
    if (again) rb_throw_obj(given->tag, given->tag);
    return given->function(object, given->argument, 0);
}

static VALUE visit_caught(RB_BLOCK_CALL_FUNC_ARGLIST(tag, data))
{
    struct outer_recursion *given = (struct outer_recursion *)data;
    (void)tag, (void)argc, (void)argv, (void)blockarg;
    if (given->is_paired) return rb_exec_recursive_paired(visit, given->object, given->paired, data);
    return rb_exec_recursive(visit, given->object, data);
}

static VALUE catch_outer(VALUE data)
{
    return rb_catch_obj(((struct outer_recursion *)data)->tag, visit_caught, data);
}

static VALUE leave_outer(VALUE key)
{
    rb_thread_local_aset(rb_thread_current(), (ID)key, Qnil);
    return Qnil;
}

/* If an object is visited again, the outermost call starts over, with a flag that says so. */
static VALUE outer_recursion(struct outer_recursion *given)
{
    ID name = rb_frame_this_func();
    ID key = rb_intern_str(rb_sprintf("__outer_recursion_%s__", name ? rb_id2name(name) : ""));
    given->tag = rb_thread_local_aref(rb_thread_current(), key);
    if (!NIL_P(given->tag)) return visit_caught(Qnil, (VALUE)given, 0, 0, Qnil);
    given->tag = rb_obj_alloc(rb_cObject);
    rb_thread_local_aset(rb_thread_current(), key, given->tag);
    VALUE result = rb_ensure(catch_outer, (VALUE)given, leave_outer, (VALUE)key);
    return result == given->tag ? given->function(given->object, given->argument, 1) : result;
}

VALUE rb_exec_recursive_outer(rb_recursive_function function, VALUE object, VALUE argument)
{
    struct outer_recursion given = {function, object, argument, Qnil, Qnil, false};
    return outer_recursion(&given);
}

VALUE rb_exec_recursive_paired_outer(rb_recursive_function function, VALUE object, VALUE paired, VALUE argument)
{
    struct outer_recursion given = {function, object, argument, paired, Qnil, true};
    return outer_recursion(&given);
}

/* The text of a replacement with its references expanded, for a match of a Regexp with these positions in the text. */
VALUE rb_reg_regsub(VALUE replacement, VALUE source, struct re_registers *groups, VALUE pattern)
{
    VALUE result = rb_str_new(0, 0);
    const char *at = RSTRING_PTR(replacement), *end = RSTRING_END(replacement);
    rb_enc_copy(result, replacement);
    while (at < end) {
        const char *start = at;
        while (at < end && (*at != '\\' || at + 1 == end)) at++;
        rb_str_cat(result, start, at - start);
        if (at >= end) break;
        char c = at[1];
        long first = 0, last = 0;
        int group = -1;
        at += 2;
        if ('1' <= c && c <= '9') {
            /* Groups have either names or numbers. */
            if (onig_number_of_names((regex_t *)pattern)) continue;
            group = c - '0';
        }
        else if (c == '0') group = 0;
        else if (c == '&') group = 0;
        else if (c == '`') last = groups->beg[0];
        else if (c == '\'') first = groups->end[0], last = RSTRING_LEN(source);
        else if (c == '\\') { rb_str_cat(result, "\\", 1); continue; }
        else if (c == 'k' && at < end && *at == '<' && memchr(at, '>', (size_t)(end - at))) {
            const char *close = memchr(at, '>', (size_t)(end - at));
            const unsigned char *name = (const unsigned char *)at + 1;
            group = onig_name_to_backref_number((regex_t *)pattern, name, (const unsigned char *)close, groups);
            if (group < 1) rb_enc_raise(rb_enc_get(replacement), rb_eIndexError, "undefined group name reference: %.*s",
                                        (int)(close - at - 1), at + 1);
            at = close + 1;
        }
        else { rb_str_cat(result, at - 2, 2); continue; }
        if (group >= groups->num_regs || (group >= 0 && groups->beg[group] < 0)) continue;
        if (group >= 0) first = groups->beg[group], last = groups->end[group];
        rb_str_buf_append(result, rb_str_subseq(source, first, last - first));
    }
    return result;
}

VALUE rb_reg_alloc(void) { return rb_obj_alloc(rb_cRegexp); }

VALUE rb_reg_init_str(VALUE pattern, VALUE source, int options)
{
    VALUE values[2] = {source, INT2FIX(options)};
    rb_obj_call_init(pattern, 2, values);
    return pattern;
}

/* The start of the character at a position. */
long rb_reg_adjust_startpos(VALUE pattern, VALUE text, long position, int reverse)
{
    (void)pattern;
    const char *start = RSTRING_PTR(text), *end = RSTRING_END(text);
    if (position <= 0 || position >= RSTRING_LEN(text)) return position;
    const char *head = rb_enc_left_char_head(start, start + position, end, rb_enc_get(text));
    if (!reverse && head < start + position) head += rb_enc_mbclen(head, end, rb_enc_get(text));
    return head - start;
}

/* During the call, the memory that a scheduler reads into or writes from is an IO::Buffer. */
static VALUE with_memory(VALUE buffer, VALUE result)
{
    rb_io_buffer_free(buffer);
    return result;
}

VALUE rb_fiber_scheduler_io_read_memory(VALUE scheduler, VALUE io, void *base, size_t size, size_t length)
{
    VALUE buffer = rb_io_buffer_new(base, size, RB_IO_BUFFER_EXTERNAL);
    return with_memory(buffer, rb_fiber_scheduler_io_read(scheduler, io, buffer, length, 0));
}

VALUE rb_fiber_scheduler_io_pread_memory(VALUE scheduler, VALUE io, off_t from, void *base, size_t size, size_t length)
{
    VALUE buffer = rb_io_buffer_new(base, size, RB_IO_BUFFER_EXTERNAL);
    return with_memory(buffer, rb_fiber_scheduler_io_pread(scheduler, io, from, buffer, length, 0));
}

#define READONLY ((enum rb_io_buffer_flags)(RB_IO_BUFFER_EXTERNAL | RB_IO_BUFFER_READONLY))

VALUE rb_fiber_scheduler_io_write_memory(VALUE scheduler, VALUE io, const void *base, size_t size, size_t length)
{
    VALUE buffer = rb_io_buffer_new((void *)(uintptr_t)base, size, READONLY);
    return with_memory(buffer, rb_fiber_scheduler_io_write(scheduler, io, buffer, length, 0));
}

VALUE rb_fiber_scheduler_io_pwrite_memory(VALUE scheduler, VALUE io, off_t from, const void *base, size_t size,
                                          size_t length)
{
    VALUE buffer = rb_io_buffer_new((void *)(uintptr_t)base, size, READONLY);
    return with_memory(buffer, rb_fiber_scheduler_io_pwrite(scheduler, io, from, buffer, length, 0));
}

void ruby_each_words(const char *text, void (*function)(const char *, int, void *), void *data)
{
    for (const char *at = text; at && *at;) {
        while (*at == ',' || rb_isspace((unsigned char)*at)) at++;
        const char *start = at;
        while (*at && *at != ',' && !rb_isspace((unsigned char)*at)) at++;
        if (at > start) function(start, (int)(at - start), data);
    }
}

void ruby_unsetenv(const char *name) { ruby_setenv(name, 0); }
bool ruby_free_at_exit_p(void) { return true; }

void ruby_malloc_size_overflow(size_t count, size_t size)
{
    rb_raise(rb_eArgError, "malloc: possible integer overflow (%" PRIuSIZE "*%" PRIuSIZE ")", count, size);
}

void ruby_malloc_add_size_overflow(size_t a, size_t b)
{
    rb_raise(rb_eArgError, "malloc: possible integer overflow (%" PRIuSIZE "+%" PRIuSIZE ")", a, b);
}

FILE *rb_fdopen(int fd, const char *mode)
{
    FILE *file = fdopen(fd, mode);
    if (!file) rb_sys_fail(0);
    return file;
}

int rb_io_oflags_fmode(int oflags)
{
    int access = oflags & O_ACCMODE, mode = FMODE_READWRITE;
    if (access == O_RDONLY) mode = FMODE_READABLE;
    if (access == O_WRONLY) mode = FMODE_WRITABLE;
    if (oflags & O_APPEND) mode |= FMODE_APPEND;
    if (oflags & O_TRUNC) mode |= FMODE_TRUNC;
    if (oflags & O_CREAT) mode |= FMODE_CREATE;
    if (oflags & O_EXCL) mode |= FMODE_EXCL;
    return mode;
}

VALUE rb_stat_new(const struct stat *st)
{
    if (!st) return beni_stat_new(0);
    uint64_t words[] = {
        (uint64_t)st->st_dev, (uint64_t)st->st_ino, st->st_mode, st->st_nlink, st->st_uid, st->st_gid,
        (uint64_t)st->st_rdev, (uint64_t)st->st_size, (uint64_t)st->st_blksize, (uint64_t)st->st_blocks,
        (uint64_t)st->st_atim.tv_sec, (uint64_t)st->st_atim.tv_nsec, (uint64_t)st->st_mtim.tv_sec,
        (uint64_t)st->st_mtim.tv_nsec, (uint64_t)st->st_ctim.tv_sec, (uint64_t)st->st_ctim.tv_nsec,
        major(st->st_dev), minor(st->st_dev), major(st->st_rdev), minor(st->st_rdev)};
    return beni_stat_new(words);
}

void rb_write_error2(const char *text, long len) { rb_io_write(rb_gv_get("$stderr"), rb_str_new(text, len)); }

/* `encoding:`, `external_encoding:` and `internal_encoding:`; whether one of them is given. */
int rb_io_extract_encoding_option(VALUE options, rb_encoding **internal, rb_encoding **external, rb_io_mode_t *mode)
{
    (void)mode;
    VALUE names[2] = {Qnil, Qnil};
    if (NIL_P(options)) return 0;
    VALUE both = rb_hash_aref(options, ID2SYM(rb_intern("encoding")));
    names[0] = rb_hash_aref(options, ID2SYM(rb_intern("external_encoding")));
    names[1] = rb_hash_aref(options, ID2SYM(rb_intern("internal_encoding")));
    if (NIL_P(both) && NIL_P(names[0]) && NIL_P(names[1])) return 0;
    if (NIL_P(names[0]) && NIL_P(names[1])) {
        names[0] = both;
        if (RB_TYPE_P(both, T_STRING)) {
            VALUE parts = rb_str_split(both, ":");
            names[0] = rb_ary_entry(parts, 0);
            names[1] = rb_ary_entry(parts, 1);
        }
    }
    rb_encoding *from = NIL_P(names[0]) ? 0 : rb_to_encoding(names[0]);
    rb_encoding *to = NIL_P(names[1]) ? 0 : rb_to_encoding(names[1]);
    /* With a conversion the first is the internal encoding, otherwise the external one. */
    *internal = to && to != from ? to : from;
    *external = to && to != from ? from : 0;
    return 1;
}

/* A dfree function may disable a trace point whose data it frees. */
VALUE rb_tracepoint_disable(VALUE point)
{
    return beni_tracepoint_disable_later(point) ? Qundef : beni_tracepoint_disable(point);
}

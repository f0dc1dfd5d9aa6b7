/* Small functions of util.h, descriptor sets, and functions that need no context. */
#include "border.h"
#include <errno.h>

VALUE (rb_ary_entry)(VALUE list, long index) { return beni_array_entry(list, index); }

char *ruby_strdup(const char *s)
{
    size_t size = strlen(s) + 1;
    return memcpy(xmalloc(size), s, size);
}

unsigned long ruby_scan_oct(const char *start, size_t len, size_t *used)
{
    size_t i = 0;
    unsigned long n = 0;
    for (; i < len && '0' <= start[i] && start[i] <= '7'; i++) n = n << 3 | (unsigned long)(start[i] - '0');
    *used = i;
    return n;
}

unsigned long ruby_scan_hex(const char *start, size_t len, size_t *used)
{
    size_t i = 0;
    unsigned long n = 0;
    for (; i < len && rb_isxdigit((unsigned char)start[i]); i++)
        n = n << 4 | (unsigned long)(rb_isdigit(start[i]) ? start[i] - '0' : (start[i] | 32) - 'a' + 10);
    *used = i;
    return n;
}

double ruby_strtod(const char *s, char **end) { return strtod(s, end); }

char *ruby_getcwd(void)
{
    char *path = getcwd(0, 0);
    if (!path) rb_sys_fail("getcwd");
    return path;
}

void ruby_qsort(void *base, const size_t count, const size_t size, int (*compare)(const void *, const void *, void *),
                void *data)
{
    qsort_r(base, count, size, compare, data);
}

void ruby_setenv(const char *name, const char *value)
{
    if (value ? setenv(name, value, 1) : unsetenv(name)) rb_sys_fail(name);
}

int ruby_vsnprintf(char *to, size_t size, const char *format, va_list list)
{
    return vsnprintf(to, size, format, list);
}

int ruby_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(to, size, format, list);
    va_end(list);
    return n;
}

int rb_fd_select(int n, rb_fdset_t *reads, rb_fdset_t *writes, rb_fdset_t *excepts, struct timeval *timeout)
{
    fd_set *r = reads ? rb_fd_ptr(reads) : 0, *w = writes ? rb_fd_ptr(writes) : 0, *e = excepts ? rb_fd_ptr(excepts) : 0;
    return select(n, r, w, e, timeout);
}

int ruby_native_thread_p(void) { return beni_context != 0; }
int ruby_thread_has_gvl_p(void) { return beni_context != 0 && !beni_is_unlocked(); }

static VALUE verbosity, debugging;
VALUE *rb_ruby_verbose_ptr(void)
{
    verbosity = rb_gv_get("$VERBOSE");
    return &verbosity;
}
VALUE *rb_ruby_debug_ptr(void)
{
    debugging = rb_gv_get("$DEBUG");
    return &debugging;
}

/* Sets of any size: the system's structure, of whole words, at least one `fd_set` long. */
#define FD_BITS ((int)sizeof(long) * 8)
static size_t fd_bytes(int max)
{
    size_t bytes = (size_t)(max + FD_BITS - 1) / FD_BITS * sizeof(long);
    return bytes < sizeof(fd_set) ? sizeof(fd_set) : bytes;
}
static void fd_resize(rb_fdset_t *set, int max)
{
    size_t before = fd_bytes(set->maxfd), bytes = fd_bytes(max);
    if (bytes > before) {
        set->fdset = xrealloc(set->fdset, bytes);
        memset((char *)set->fdset + before, 0, bytes - before);
    }
    set->maxfd = max;
}

void rb_fd_init(rb_fdset_t *set)
{
    set->maxfd = 0;
    set->fdset = xcalloc(1, sizeof(fd_set));
}
void rb_fd_term(rb_fdset_t *set) { xfree(set->fdset); set->fdset = 0; set->maxfd = 0; }
void rb_fd_zero(rb_fdset_t *set) { if (set->fdset) memset(set->fdset, 0, fd_bytes(set->maxfd)); }
void rb_fd_set(int fd, rb_fdset_t *set)
{
    if (fd < 0) rb_raise(rb_eArgError, "negative descriptor");
    if (fd >= set->maxfd) fd_resize(set, fd + 1);
    ((unsigned long *)set->fdset)[fd / FD_BITS] |= 1UL << fd % FD_BITS;
}
void rb_fd_clr(int fd, rb_fdset_t *set)
{
    if (fd >= 0 && fd < set->maxfd) ((unsigned long *)set->fdset)[fd / FD_BITS] &= ~(1UL << fd % FD_BITS);
}
int rb_fd_isset(int fd, const rb_fdset_t *set)
{
    return fd >= 0 && fd < set->maxfd && (((unsigned long *)set->fdset)[fd / FD_BITS] >> fd % FD_BITS & 1);
}
void rb_fd_copy(rb_fdset_t *to, const fd_set *from, int max)
{
    fd_resize(to, max);
    memcpy(to->fdset, from, fd_bytes(max));
}
void rb_fd_dup(rb_fdset_t *to, const rb_fdset_t *from) { rb_fd_copy(to, from->fdset, from->maxfd); }

struct selection { int max; fd_set *sets[3]; struct timeval *timeout; int result, error; };
static void *run_select(void *p)
{
    struct selection *s = p;
    s->result = select(s->max, s->sets[0], s->sets[1], s->sets[2], s->timeout);
    s->error = errno;
    return 0;
}

int rb_thread_fd_select(int max, rb_fdset_t *read, rb_fdset_t *write, rb_fdset_t *except, struct timeval *timeout)
{
    rb_fdset_t *given[3] = {read, write, except};
    void *kept[3] = {0, 0, 0};
    struct selection s = {max, {0, 0, 0}, timeout, 0, 0};
    for (int i = 0; i < 3; i++) {
        if (!given[i]) continue;
        if (given[i]->maxfd < max) fd_resize(given[i], max);
        kept[i] = memcpy(alloca(fd_bytes(max)), given[i]->fdset, fd_bytes(max));
        s.sets[i] = given[i]->fdset;
    }
    do {
        for (int i = 0; i < 3; i++) if (given[i]) memcpy(given[i]->fdset, kept[i], fd_bytes(max));
        rb_thread_call_without_gvl(run_select, &s, RUBY_UBF_IO, 0);
    } while (s.result < 0 && s.error == EINTR);
    errno = s.error;
    return s.result;
}

VALUE rb_eval_cmd_kw(VALUE command, VALUE arguments, int keywords)
{
    if (RB_TYPE_P(command, T_STRING)) return rb_funcall(rb_cObject, rb_intern("instance_eval"), 1, command);
    return rb_funcallv_kw(command, rb_intern("call"), (int)RARRAY_LEN(arguments), RARRAY_CONST_PTR(arguments),
                          keywords);
}

VALUE rb_str2inum(VALUE s, int base) { return rb_str_to_inum(s, base, base == 2); }

int rb_errno(void) { return errno; }
void rb_errno_set(int number) { errno = number; }
int *rb_errno_ptr(void) { return &errno; }
void rb_bug_errno(const char *message, int number) { rb_bug("%s: errno == %d (%s)", message, number, strerror(number)); }

/* Reads digits of a base, up to `length` characters (all if it is negative). Writes how many characters were read, and
 * whether the number was too large. */
unsigned long ruby_scan_digits(const char *text, ssize_t length, int base, size_t *read, int *overflow)
{
    const char *at = text;
    unsigned long number = 0;
    *overflow = 0;
    for (; length != 0; at++, length--) {
        int c = (unsigned char)*at, digit = base;
        if (c >= '0' && c <= '9') digit = c - '0';
        else if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
        else if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
        if (digit >= base) break;
        if (__builtin_mul_overflow(number, (unsigned long)base, &number)) *overflow = 1;
        if (__builtin_add_overflow(number, (unsigned long)digit, &number)) *overflow = 1;
    }
    *read = (size_t)(at - text);
    return number;
}

static ruby_vm_at_exit_function at_exit[32];
static int at_exit_count;
static void run_at_exit(void)
{
    while (at_exit_count > 0) at_exit[--at_exit_count]((ruby_vm_t *)0);
}
void ruby_vm_at_exit(ruby_vm_at_exit_function function)
{
    if (at_exit_count == 0) atexit(run_at_exit);
    if (at_exit_count == 32) rb_raise(rb_eRuntimeError, "too many functions at exit");
    at_exit[at_exit_count++] = function;
}

VALUE *beni_global(int number, const char *name)
{
    static VALUE values[8];
    values[number] = rb_gv_get(name);
    return &values[number];
}

size_t ruby_strlcpy(char *to, const char *from, size_t size)
{
    size_t len = strlen(from);
    if (size > 0) {
        size_t copied = len < size ? len : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return len;
}

size_t ruby_strlcat(char *to, const char *from, size_t size)
{
    size_t len = strnlen(to, size);
    return len + ruby_strlcpy(to + len, from, size - len);
}

unsigned long ruby_strtoul(const char *start, char **end, int base) { return strtoul(start, end, base); }

/* The old sizes are ignored, because the allocator knows them. */
void ruby_xfree_sized(void *memory, size_t size)
{
    (void)size;
    ruby_xfree(memory);
}

void *ruby_xrealloc_sized(void *memory, size_t size, size_t old_size)
{
    (void)old_size;
    return ruby_xrealloc(memory, size);
}

void *ruby_xrealloc2_sized(void *memory, size_t count, size_t size, size_t old_count)
{
    (void)old_count;
    return ruby_xrealloc2(memory, count, size);
}

/* Names of the program and its arguments, for extensions that run programs themselves. */
void ruby_script(const char *name)
{
    if (name) ruby_set_script_name(rb_external_str_new_cstr(name));
}

void ruby_set_script_name(VALUE name)
{
    rb_gv_set("$0", rb_str_dup(name));
}

void ruby_set_argv(int argc, char **argv)
{
    VALUE list = rb_const_get(rb_cObject, rb_intern("ARGV"));
    rb_ary_clear(list);
    for (int i = 0; i < argc; i++) rb_ary_push(list, rb_obj_freeze(rb_external_str_new_cstr(argv[i])));
}

/* Adds the folders of a list that is separated by colons to $LOAD_PATH. */
void ruby_incpush(const char *folders)
{
    VALUE path = rb_gv_get("$LOAD_PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, PATH_SEP);
        if (length) rb_ary_push(path, rb_external_str_new(folders, (long)length));
        folders += length + (folders[length] != 0);
    }
}

void ruby_show_version(void)
{
    puts(ruby_description);
    fflush(stdout);
}

void ruby_show_copyright(void)
{
    puts(ruby_copyright);
    fflush(stdout);
}

/* The interpreter runs already. */
int ruby_setup(void) { return 0; }
void ruby_init(void) {}
void ruby_init_loadpath(void) {}
void ruby_init_stack(void *address) { (void)address; }
void ruby_prog_init(void) {}
void ruby_sysinit(int *argc, char ***argv) { (void)argc, (void)argv; }

void ruby_stop(int status)
{
    rb_exit(status);
}

/* Onigmo's interface: searches in bytes, and the positions of groups. A pattern's address is that of its Regexp. */
#include "border.h"
#include <pthread.h>
#include <stdarg.h>

/* A pattern that `onig_new` has made lives until `onig_free`, which may be called during a collection. */
struct made {
    VALUE pattern;
    struct made *next;
};
static struct made *all_made;
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;

struct source {
    const OnigUChar *start, *end;
    OnigOptionType options;
    const rb_encoding *encoding;
};

static VALUE compiled(VALUE argument)
{
    struct source *source = (struct source *)argument;
    return beni_onig_compile((const char *)source->start, source->end - source->start, (int)source->options,
                             (rb_encoding *)source->encoding);
}

static BENI_THREAD_LOCAL char error_text[ONIG_MAX_ERROR_MESSAGE_LEN];

int onig_new(regex_t **pattern, const OnigUChar *start, const OnigUChar *end, OnigOptionType options, OnigEncoding encoding,
             const void *syntax, OnigErrorInfo *error)
{
    (void)syntax;
    *pattern = 0;
    struct made *made = malloc(sizeof *made);
    if (!made) return ONIGERR_MEMORY;
    struct source source = {start, end, options, encoding};
    VALUE before = rb_errinfo();
    int state = 0;
    VALUE result = rb_protect(compiled, (VALUE)&source, &state);
    if (state) {
        VALUE text = rb_obj_as_string(rb_errinfo());
        size_t len = (size_t)RSTRING_LEN(text);
        if (len >= sizeof error_text) len = sizeof error_text - 1;
        memcpy(error_text, RSTRING_PTR(text), len);
        error_text[len] = 0;
        if (error) {
            error->enc = encoding;
            error->par = (OnigUChar *)error_text;
            error->par_end = error->par + len;
        }
        rb_set_errinfo(before);
        free(made);
        return ONIGERR_PARSER_BUG;
    }
    made->pattern = result;
    rb_gc_register_address(&made->pattern);
    pthread_mutex_lock(&made_lock);
    made->next = all_made;
    all_made = made;
    pthread_mutex_unlock(&made_lock);
    *pattern = (regex_t *)result;
    return ONIG_NORMAL;
}

void onig_free(regex_t *pattern)
{
    struct made *found = 0;
    pthread_mutex_lock(&made_lock);
    for (struct made **at = &all_made; *at; at = &(*at)->next) {
        if ((*at)->pattern == (VALUE)pattern) {
            found = *at;
            *at = found->next;
            break;
        }
    }
    pthread_mutex_unlock(&made_lock);
    if (found) {
        rb_gc_unregister_address(&found->pattern);
        free(found);
    }
}

int onig_error_code_to_str(OnigUChar *to, OnigPosition code, ...)
{
    const char *text = "undefined error code";
    if (code == ONIG_MISMATCH) text = "mismatch";
    if (code == ONIGERR_MEMORY) text = "failed to allocate memory";
    if (code == ONIGERR_INVALID_ARGUMENT) text = "invalid argument";
    if (code == ONIGERR_UNDEFINED_NAME_REFERENCE) text = "undefined name reference";
    if (code == ONIGERR_PARSER_BUG) {
        va_list arguments;
        va_start(arguments, code);
        OnigErrorInfo *error = va_arg(arguments, OnigErrorInfo *);
        va_end(arguments);
        if (error && error->par) text = (const char *)error->par;
    }
    size_t len = strlen(text);
    memcpy(to, text, len + 1);
    return (int)len;
}

void onig_region_init(OnigRegion *region)
{
    region->allocated = region->num_regs = 0;
    region->beg = region->end = 0;
}

OnigRegion *onig_region_new(void)
{
    OnigRegion *region = malloc(sizeof *region);
    if (region) onig_region_init(region);
    return region;
}

void onig_region_clear(OnigRegion *region)
{
    for (int i = 0; i < region->num_regs; i++) region->beg[i] = region->end[i] = ONIG_REGION_NOTPOS;
}

void onig_region_free(OnigRegion *region, int itself)
{
    if (!region) return;
    free(region->beg);
    free(region->end);
    onig_region_init(region);
    if (itself) free(region);
}

int onig_region_resize(OnigRegion *region, int count)
{
    if (count > region->allocated) {
        OnigPosition *beg = realloc(region->beg, sizeof *beg * (size_t)count);
        if (beg) region->beg = beg;
        OnigPosition *end = realloc(region->end, sizeof *end * (size_t)count);
        if (end) region->end = end;
        if (!beg || !end) return ONIGERR_MEMORY;
        region->allocated = count;
    }
    region->num_regs = count;
    return ONIG_NORMAL;
}

int onig_region_set(OnigRegion *region, int at, int beg, int end)
{
    if (at < 0) return ONIGERR_INVALID_ARGUMENT;
    if (at >= region->allocated) {
        int before = region->num_regs, result = onig_region_resize(region, at + 1);
        if (result < 0) return result;
        for (int i = before; i < at; i++) region->beg[i] = region->end[i] = ONIG_REGION_NOTPOS;
    }
    region->beg[at] = beg;
    region->end[at] = end;
    return 0;
}

static int copied(OnigRegion *to, const OnigRegion *from)
{
    if (to == from) return 0;
    int result = onig_region_resize(to, from->num_regs);
    if (result < 0) return result;
    for (int i = 0; i < from->num_regs; i++) {
        to->beg[i] = from->beg[i];
        to->end[i] = from->end[i];
    }
    return 0;
}

void onig_region_copy(OnigRegion *to, const OnigRegion *from) { (void)copied(to, from); }
int rb_reg_region_copy(OnigRegion *to, const OnigRegion *from) { return copied(to, from); }

size_t onig_region_memsize(const OnigRegion *region)
{
    return region ? sizeof *region + 2 * sizeof(OnigPosition) * (size_t)region->allocated : 0;
}

enum { FORWARD, BACKWARD, HERE };

static OnigPosition run(regex_t *pattern, const UChar *text, const UChar *end, const UChar *from, OnigRegion *region,
                        int way)
{
    OnigRegion own;
    onig_region_init(&own);
    OnigRegion *to = region ? region : &own;
    int count = beni_onig_groups((VALUE)pattern) + 1, found = 0;
    OnigPosition result = onig_region_resize(to, count);
    if (result == ONIG_NORMAL) {
        found = beni_onig_run((VALUE)pattern, (const char *)text, end - text, from - text, way, count, to->beg, to->end);
        if (!found) {
            onig_region_clear(to);
            result = ONIG_MISMATCH;
        } else {
            result = way == HERE ? to->end[0] - to->beg[0] : to->beg[0];
        }
    }
    onig_region_free(&own, 0);
    return result;
}

OnigPosition onig_match(regex_t *pattern, const UChar *text, const UChar *end, const UChar *at, OnigRegion *region,
                        OnigOptionType options)
{
    (void)options;
    return run(pattern, text, end, at, region, HERE);
}

OnigPosition onig_search(regex_t *pattern, const UChar *text, const UChar *end, const UChar *start, const UChar *range,
                         OnigRegion *region, OnigOptionType options)
{
    (void)options;
    OnigPosition found = run(pattern, text, end, start, region, range < start ? BACKWARD : FORWARD);
    int is_outside = range < start ? found < range - text : found > range - text;
    if (found >= 0 && is_outside) {
        if (region) onig_region_clear(region);
        return ONIG_MISMATCH;
    }
    return found;
}

OnigPosition rb_reg_onig_match(VALUE re, VALUE string, beni_onig_function match, void *data, OnigRegion *region)
{
    regex_t *pattern = rb_reg_prepare_re(re, string);
    OnigPosition result = match(pattern, string, region, data);
    RB_GC_GUARD(string);
    if (result < ONIG_MISMATCH) rb_raise(rb_eRegexpError, "error %ld of the search", (long)result);
    return result;
}

int onig_number_of_captures(const regex_t *pattern) { return beni_onig_groups((VALUE)pattern); }
int onig_number_of_names(const regex_t *pattern) { return beni_onig_names((VALUE)pattern); }

int onig_foreach_name(regex_t *pattern, beni_onig_name_function visit, void *data)
{
    int names = beni_onig_names((VALUE)pattern), groups = beni_onig_groups((VALUE)pattern);
    int numbers[groups + 1];
    for (int i = 0; i < names; i++) {
        size_t len;
        int count;
        const UChar *name = (const UChar *)beni_onig_name((VALUE)pattern, i, &len, &count, numbers);
        int result = visit(name, name + len, count, numbers, pattern, data);
        if (result) return result;
    }
    return 0;
}

struct wanted {
    const UChar *name;
    size_t len;
    const OnigRegion *region;
    int number;
};

static int visit_name(const UChar *name, const UChar *end, int count, int *numbers, regex_t *pattern, void *data)
{
    struct wanted *wanted = data;
    if ((size_t)(end - name) != wanted->len || memcmp(name, wanted->name, wanted->len) != 0) return 0;
    wanted->number = numbers[count - 1];
    /* The last group of the name that took part in the match. */
    for (int i = count - 1; wanted->region && i >= 0; i--) {
        if (numbers[i] < wanted->region->num_regs && wanted->region->beg[numbers[i]] != ONIG_REGION_NOTPOS) {
            wanted->number = numbers[i];
            break;
        }
    }
    return 1;
}

int onig_name_to_backref_number(regex_t *pattern, const UChar *name, const UChar *end, const OnigRegion *region)
{
    struct wanted wanted = {name, (size_t)(end - name), region, ONIGERR_UNDEFINED_NAME_REFERENCE};
    onig_foreach_name(pattern, visit_name, &wanted);
    return wanted.number;
}

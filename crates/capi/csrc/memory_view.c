/* Memory views: a class registers functions that return the address and the shape of an object's memory. */
#include "border.h"
#include <ruby/memory_view.h>

/* The objects whose memory is in use, with the number of their views. */
static st_table *exported;
VALUE rb_memory_view_exported_object_registry = Qundef;

static int mark_exported(st_data_t object, st_data_t views, st_data_t unused)
{
    (void)views, (void)unused;
    rb_gc_mark((VALUE)object);
    return ST_CONTINUE;
}

static void mark_registry(void *table)
{
    st_foreach((st_table *)table, mark_exported, 0);
}

const rb_data_type_t rb_memory_view_exported_object_registry_data_type = {
    "memory_view/exported_object_registry", {mark_registry, 0, 0, 0, {0}}, 0, 0, 0};

static const rb_data_type_t entry_type = {"memory_view/entry", {0, 0, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static void export_object(VALUE object)
{
    if (!exported) {
        exported = st_init_numtable();
        rb_memory_view_exported_object_registry =
            rb_data_typed_object_wrap(0, exported, &rb_memory_view_exported_object_registry_data_type);
        rb_gc_register_mark_object(rb_memory_view_exported_object_registry);
    }
    st_data_t views = 0;
    st_lookup(exported, (st_data_t)object, &views);
    st_insert(exported, (st_data_t)object, views + 1);
}

static void unexport_object(VALUE object)
{
    st_data_t key = (st_data_t)object, views = 0;
    if (!exported || !st_lookup(exported, key, &views)) return;
    if (views > 1) st_insert(exported, key, views - 1);
    else st_delete(exported, &key, 0);
}

static ID entry_name(void) { return rb_intern("__memory_view__"); }

bool rb_memory_view_register(VALUE klass, const rb_memory_view_entry_t *entry)
{
    Check_Type(klass, T_CLASS);
    if (!NIL_P(rb_attr_get(klass, entry_name()))) {
        rb_warning("Duplicated registration of memory view to %" PRIsVALUE, klass);
        return false;
    }
    rb_ivar_set(klass, entry_name(), rb_data_typed_object_wrap(0, (void *)(uintptr_t)entry, &entry_type));
    return true;
}

/* The functions that an ancestor of the object's class registered. */
static const rb_memory_view_entry_t *entry_of(VALUE object)
{
    ID name = entry_name();
    for (VALUE klass = CLASS_OF(object); RTEST(klass); klass = rb_class_get_superclass(klass)) {
        VALUE entry = rb_attr_get(klass, name);
        if (!NIL_P(entry)) return rb_check_typeddata(entry, &entry_type);
    }
    return 0;
}

bool rb_memory_view_available_p(VALUE object)
{
    const rb_memory_view_entry_t *entry = entry_of(object);
    return entry && entry->available_p_func(object);
}

bool rb_memory_view_get(VALUE object, rb_memory_view_t *view, int flags)
{
    const rb_memory_view_entry_t *entry = entry_of(object);
    if (!entry || !entry->available_p_func(object) || !entry->get_func(object, view, flags)) return false;
    view->_memory_view_entry = entry;
    export_object(view->obj);
    return true;
}

bool rb_memory_view_release(rb_memory_view_t *view)
{
    const rb_memory_view_entry_t *entry = view->_memory_view_entry;
    if (!entry || (entry->release_func && !entry->release_func(view->obj, view))) return false;
    unexport_object(view->obj);
    view->obj = Qnil;
    xfree((void *)(uintptr_t)view->item_desc.components);
    view->item_desc.components = 0;
    return true;
}

/* Whether each stride is the size of all items of the dimensions before it (in the order of the walk). */
static bool is_contiguous(const rb_memory_view_t *view, ssize_t first, ssize_t step)
{
    ssize_t size = view->item_size;
    for (ssize_t i = first, left = view->ndim; left > 0; i += step, left--) {
        if (view->strides[i] != size) return false;
        if (view->ndim > 1) size *= view->shape[i];
    }
    return true;
}

bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *view)
{
    return !view->strides || is_contiguous(view, view->ndim - 1, -1);
}

/* Without strides the memory is in row-major order. If at most one dimension has several items, both orders are the
 * same. */
bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *view)
{
    if (view->strides) return is_contiguous(view, 0, 1);
    if (view->ndim == 1) return true;
    if (!view->shape) return false;
    int longer = 0;
    for (ssize_t i = 0; i < view->ndim; i++) longer += view->shape[i] > 1;
    return longer <= 1;
}

void rb_memory_view_fill_contiguous_strides(const ssize_t ndim, const ssize_t item_size, const ssize_t *const shape,
                                            const bool row_major_p, ssize_t *const strides)
{
    ssize_t size = item_size;
    for (ssize_t n = 0; n < ndim; n++) {
        ssize_t i = row_major_p ? ndim - 1 - n : n;
        strides[i] = size;
        size *= shape[i];
    }
}

bool rb_memory_view_init_as_byte_array(rb_memory_view_t *view, VALUE object, void *data, const ssize_t len,
                                       const bool readonly)
{
    memset(view, 0, sizeof *view);
    view->obj = object;
    view->data = data;
    view->byte_size = len;
    view->readonly = readonly;
    view->item_size = 1;
    view->ndim = 1;
    return true;
}

/* A type in a format, with its modifiers and its count. */
struct item {
    char type;
    bool native;
    /* '<' or '>', or 0 */
    char endian;
    ssize_t size;
    ssize_t alignment;
    ssize_t count;
};

/* Sizes and alignments of a type that has none of its own in C, and of its variant with `!`. */
static bool measure(struct item *item)
{
    ssize_t size;
    switch (item->type) {
      case 'x': case 'c': case 'C': size = 1; break;
      case 's': case 'S': size = item->native ? (ssize_t)sizeof(short) : 2; break;
      case 'n': case 'v': size = 2; break;
      case 'i': case 'I': size = sizeof(int); break;
      case 'l': case 'L': size = item->native ? (ssize_t)sizeof(long) : 4; break;
      case 'N': case 'V': size = 4; break;
      case 'q': case 'Q': size = 8; break;
      case 'j': case 'J': size = sizeof(intptr_t); break;
      case 'f': case 'e': case 'g': size = sizeof(float); break;
      case 'd': case 'E': case 'G': size = sizeof(double); break;
      default: return false;
    }
    item->size = size;
    item->alignment = strchr("xcC", item->type) ? 0 : size;
    return true;
}

/* Reads a type; returns the address after it, or null for an error. */
static const char *read_item(const char *at, struct item *item)
{
    static const char integers[] = "sSiIlLqQjJ";
    memset(item, 0, sizeof *item);
    item->count = 1;
    item->type = *at++;
    for (; *at == '!' || *at == '_' || *at == '<' || *at == '>'; at++) {
        if (!strchr(integers, item->type)) return 0;
        if (*at == '!' || *at == '_') item->native = true;
        else if (item->endian) return 0;
        else item->endian = *at;
    }
    if (rb_isdigit((unsigned char)*at)) {
        for (item->count = 0; rb_isdigit((unsigned char)*at); at++) item->count = item->count * 10 + (*at - '0');
    }
    return measure(item) ? at : 0;
}

static ssize_t padding(ssize_t offset, ssize_t alignment)
{
    return alignment > 1 && offset % alignment ? alignment - offset % alignment : 0;
}

static bool is_little(const struct item *item)
{
    if (strchr("eEvV", item->type)) return true;
    return !strchr("gGnN", item->type) && item->endian != '>';
}

ssize_t rb_memory_view_parse_item_format(const char *format, rb_memory_view_item_component_t **members,
                                         size_t *n_members, const char **err)
{
    if (!format) return 1;
    bool aligned = *format == '|';
    struct item item;
    rb_memory_view_item_component_t *list = 0;
    size_t count = 0;
    ssize_t offset = 0, widest = 0;
    /* The first pass counts, the second stores. */
    for (int pass = 0; pass < 2; pass++) {
        offset = 0;
        count = 0;
        for (const char *at = format + aligned; *at;) {
            if (rb_isspace((unsigned char)*at)) {
                at++;
                continue;
            }
            const char *next = read_item(at, &item);
            if (!next) {
                if (err) *err = at;
                return -1;
            }
            at = next;
            if (aligned) offset += padding(offset, item.alignment);
            if (item.alignment > widest) widest = item.alignment;
            if (item.type != 'x') {
                if (list) {
                    rb_memory_view_item_component_t component = {
                        item.type, item.native, is_little(&item), (size_t)offset, (size_t)item.size, (size_t)item.count};
                    list[count] = component;
                }
                count++;
            }
            offset += item.size * item.count;
        }
        if (!members || !n_members || pass) break;
        list = ALLOC_N(rb_memory_view_item_component_t, count + 1);
    }
    if (list) {
        *members = list;
        *n_members = count;
    }
    return aligned ? offset + padding(offset, widest) : offset;
}

ssize_t rb_memory_view_item_size_from_format(const char *format, const char **err)
{
    return rb_memory_view_parse_item_format(format, 0, 0, err);
}

void *rb_memory_view_get_item_pointer(rb_memory_view_t *view, const ssize_t *indices)
{
    char *at = view->data;
    if (view->ndim == 1) return at + indices[0] * (view->strides ? view->strides[0] : view->item_size);
    if (!view->strides) {
        ssize_t index = 0;
        for (ssize_t i = 0; i < view->ndim; i++) index = index * view->shape[i] + indices[i];
        return at + index * view->item_size;
    }
    for (ssize_t i = 0; i < view->ndim; i++) {
        at += indices[i] * view->strides[i];
        if (view->sub_offsets && view->sub_offsets[i] >= 0) at = *(char **)at + view->sub_offsets[i];
    }
    return at;
}

static VALUE member_value(const char *start, const rb_memory_view_item_component_t *member, size_t index)
{
    union {
        unsigned char bytes[8];
        uint64_t word;
        float f;
        double d;
    } value = {{0}};
    const unsigned char *from = (const unsigned char *)start + member->offset + index * member->size;
    for (size_t i = 0; i < member->size && i < 8; i++)
        value.bytes[i] = from[member->little_endian_p ? i : member->size - 1 - i];
    if (strchr("feg", member->format)) return DBL2NUM(value.f);
    if (strchr("dEG", member->format)) return DBL2NUM(value.d);
    if (!strchr("csilqj", member->format)) return ULL2NUM(value.word);
    int unused = 64 - 8 * (int)member->size;
    return LL2NUM((int64_t)(value.word << unused) >> unused);
}

VALUE rb_memory_view_extract_item_members(const void *ptr, const rb_memory_view_item_component_t *members,
                                          const size_t n_members)
{
    if (!ptr || !members || !n_members) return Qnil;
    if (n_members == 1 && members[0].repeat == 1) return member_value(ptr, members, 0);
    VALUE list = rb_ary_new();
    for (size_t i = 0; i < n_members; i++) {
        for (size_t j = 0; j < members[i].repeat; j++) rb_ary_push(list, member_value(ptr, &members[i], j));
    }
    return list;
}

void rb_memory_view_prepare_item_desc(rb_memory_view_t *view)
{
    if (view->item_desc.components) return;
    const char *at = view->format;
    rb_memory_view_item_component_t *components = 0;
    if (rb_memory_view_parse_item_format(view->format, &components, &view->item_desc.length, &at) < 0) {
        rb_raise(rb_eRuntimeError, "Unable to parse item format at %" PRIdSIZE " in \"%s\"", (ssize_t)(at - view->format),
                 view->format);
    }
    view->item_desc.components = components;
}

VALUE rb_memory_view_get_item(rb_memory_view_t *view, const ssize_t *indices)
{
    const void *at = rb_memory_view_get_item_pointer(view, indices);
    if (!view->format) return INT2FIX(*(const unsigned char *)at);
    rb_memory_view_prepare_item_desc(view);
    return rb_memory_view_extract_item_members(at, view->item_desc.components, view->item_desc.length);
}

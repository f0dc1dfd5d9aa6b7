/* Views of an object's memory: arrays of numbers that extensions share without copies. */
#ifndef RUBY_MEMORY_VIEW_H
#define RUBY_MEMORY_VIEW_H 1
#include "ruby/ruby.h"
enum ruby_memory_view_flags {
    RUBY_MEMORY_VIEW_SIMPLE = 0,
    RUBY_MEMORY_VIEW_WRITABLE = 0x01,
    RUBY_MEMORY_VIEW_FORMAT = 0x02,
    RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL = 0x04,
    RUBY_MEMORY_VIEW_STRIDES = 0x0c,
    RUBY_MEMORY_VIEW_ROW_MAJOR = 0x1c,
    RUBY_MEMORY_VIEW_COLUMN_MAJOR = 0x2c,
    RUBY_MEMORY_VIEW_ANY_CONTIGUOUS = 0x3c,
    RUBY_MEMORY_VIEW_INDIRECT = 0x4c
};
struct rb_memory_view_item_component {
    char format;
    bool native_size_p;
    bool little_endian_p;
    size_t offset;
    size_t size;
    size_t repeat;
};
struct rb_memory_view {
    VALUE obj;
    void *data;
    ssize_t byte_size;
    bool readonly;
    const char *format;
    ssize_t item_size;
    struct {
        const rb_memory_view_item_component_t *components;
        size_t length;
    } item_desc;
    ssize_t ndim;
    const ssize_t *shape;
    const ssize_t *strides;
    const ssize_t *sub_offsets;
    void *private_data;
    const struct rb_memory_view_entry *_memory_view_entry;
};
typedef bool (*rb_memory_view_get_func_t)(VALUE obj, rb_memory_view_t *view, int flags);
typedef bool (*rb_memory_view_release_func_t)(VALUE obj, rb_memory_view_t *view);
typedef bool (*rb_memory_view_available_p_func_t)(VALUE obj);
struct rb_memory_view_entry {
    rb_memory_view_get_func_t get_func;
    rb_memory_view_release_func_t release_func;
    rb_memory_view_available_p_func_t available_p_func;
};
static inline bool rb_memory_view_is_contiguous(const rb_memory_view_t *view)
{
    return rb_memory_view_is_row_major_contiguous(view) || rb_memory_view_is_column_major_contiguous(view);
}
#endif

/* Types of callbacks and opaque structures. */
#ifndef BENI_CALLBACKS_H
#define BENI_CALLBACKS_H 1
#include <stdio.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <sys/time.h>
#include <sys/select.h>
#include <time.h>

typedef struct OnigEncodingTypeST rb_encoding;
struct re_registers;
struct beni_onig_error;
struct re_pattern_buffer;
typedef long (*beni_onig_function)(struct re_pattern_buffer *, VALUE, struct re_registers *, void *);
typedef int (*beni_onig_name_function)(const unsigned char *, const unsigned char *, int, int *,
                                       struct re_pattern_buffer *, void *);
typedef VALUE (*rb_any_function)(ANYARGS);
typedef VALUE (*rb_value_function)(VALUE);
typedef VALUE (*rb_rescue_function)(VALUE, VALUE);
typedef VALUE rb_block_call_func(VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg);
typedef rb_block_call_func *rb_block_call_func_t;
#define RB_BLOCK_CALL_FUNC_STRICT 1
#define RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg) \
    VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg
#define HAVE_RB_DEFINE_ALLOC_FUNC 1
typedef VALUE (*rb_alloc_func_t)(VALUE);
typedef VALUE (*rb_recursive_function)(VALUE, VALUE, int);
typedef void (*rb_end_function)(VALUE);
typedef void (*rb_bug_reporter_function)(FILE *, void *);
typedef int (*rb_hash_foreach_function)(VALUE, VALUE, VALUE);
typedef VALUE rb_hash_update_func(VALUE newkey, VALUE oldkey, VALUE value);
typedef int (*rb_ivar_foreach_function)(ID, VALUE, st_data_t);
typedef int rb_ivar_foreach_callback_func_type(ID, VALUE, st_data_t);
typedef int (*rb_ivar_foreach_callback_func)(ID, VALUE, st_data_t);
typedef VALUE rb_gvar_getter_t(ID id, VALUE *data);
typedef void rb_gvar_setter_t(VALUE val, ID id, VALUE *data);
typedef void rb_gvar_marker_t(VALUE *var);
typedef VALUE (*rb_get_value_function)(VALUE, long);
typedef VALUE (*rb_enumerator_size_func)(VALUE, VALUE, VALUE);
typedef VALUE rb_enumerator_size_func_type(VALUE, VALUE, VALUE);
typedef int (*rb_each_objects_function)(void *, void *, size_t, void *);
typedef void *(*rb_blocking_function)(void *);
typedef VALUE (*rb_thread_function)(void *);
typedef int (*rb_set_foreach_function)(VALUE, VALUE);
typedef int (*rb_qsort_function)(const void *, const void *, void *);
typedef void rb_unblock_function_t(void *);
typedef VALUE rb_blocking_function_t(void *);
typedef void (*rb_glob_function)(const char *, VALUE, void *);
typedef void (*RUBY_DATA_FUNC)(void *);
typedef struct {
    VALUE begin;
    VALUE end;
    VALUE step;
    int exclude_end;
} rb_arithmetic_sequence_components_t;
typedef struct rb_ractor_local_key_struct *rb_ractor_local_key_t;
struct rb_ractor_local_storage_type {
    void (*mark)(void *);
    void (*free)(void *);
};
typedef enum {
    RB_WARN_CATEGORY_NONE, RB_WARN_CATEGORY_DEPRECATED, RB_WARN_CATEGORY_EXPERIMENTAL, RB_WARN_CATEGORY_PERFORMANCE,
    RB_WARN_CATEGORY_STRICT_UNUSED_BLOCK
} rb_warning_category_t;
typedef unsigned int rb_event_flag_t;
typedef struct rb_internal_thread_event_data {
    VALUE thread;
} rb_internal_thread_event_data_t;
typedef void (*rb_internal_thread_event_callback)(rb_event_flag_t, const rb_internal_thread_event_data_t *, void *);
typedef struct rb_internal_thread_event_hook rb_internal_thread_event_hook_t;
typedef int rb_internal_thread_specific_key_t;
#define RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX 8
typedef struct rb_trace_arg_struct rb_trace_arg_t;
typedef void (*rb_tracepoint_function)(VALUE, void *);
typedef void (*rb_event_hook_func_t)(rb_event_flag_t, VALUE, VALUE, ID, VALUE);
typedef enum {
    RUBY_EVENT_HOOK_FLAG_SAFE = 1, RUBY_EVENT_HOOK_FLAG_DELETED = 2, RUBY_EVENT_HOOK_FLAG_RAW_ARG = 4
} rb_event_hook_flag_t;
typedef void (*rb_postponed_job_func_t)(void *);
typedef unsigned int rb_postponed_job_handle_t;
typedef struct rb_debug_inspector_struct rb_debug_inspector_t;
typedef VALUE (*rb_debug_inspector_func_t)(const rb_debug_inspector_t *, void *);
typedef struct rb_io rb_io_t;
struct rb_io_encoding {
    rb_encoding *enc;
    rb_encoding *enc2;
    int ecflags;
    VALUE ecopts;
};
enum rb_io_buffer_flags {
    RB_IO_BUFFER_EXTERNAL = 1,
    RB_IO_BUFFER_INTERNAL = 2,
    RB_IO_BUFFER_MAPPED = 4,
    RB_IO_BUFFER_SHARED = 8,
    RB_IO_BUFFER_LOCKED = 32,
    RB_IO_BUFFER_PRIVATE = 64,
    RB_IO_BUFFER_READONLY = 128,
    RB_IO_BUFFER_FILE = 256
};
typedef enum {
    econv_invalid_byte_sequence, econv_undefined_conversion, econv_destination_buffer_full, econv_source_buffer_empty,
    econv_finished, econv_after_output, econv_incomplete_input
} rb_econv_result_t;
typedef struct rb_econv_t rb_econv_t;
typedef struct rb_memory_view rb_memory_view_t;
typedef struct rb_memory_view_entry rb_memory_view_entry_t;
typedef struct rb_memory_view_item_component rb_memory_view_item_component_t;
typedef int ruby_glob_func(const char *, VALUE, void *);
typedef void (*rb_each_word_function)(const char *, int, void *);
#define FMODE_READABLE 0x00000001
#define FMODE_WRITABLE 0x00000002
#define FMODE_READWRITE (FMODE_READABLE | FMODE_WRITABLE)
#define FMODE_BINMODE 0x00000004
#define FMODE_SYNC 0x00000008
#define FMODE_TTY 0x00000010
#define FMODE_DUPLEX 0x00000020
#define FMODE_APPEND 0x00000040
#define FMODE_CREATE 0x00000400
#define FMODE_EXCL 0x00000400
#define FMODE_TRUNC 0x00000800
#define FMODE_TEXTMODE 0x00001000
#define FMODE_EXTERNAL 0x00010000
#define FMODE_SETENC_BY_BOM 0x00100000
enum rb_io_mode {
    RUBY_IO_MODE_EXTERNAL = FMODE_EXTERNAL,
    RUBY_IO_MODE_READABLE = FMODE_READABLE,
    RUBY_IO_MODE_WRITABLE = FMODE_WRITABLE,
    RUBY_IO_MODE_READABLE_WRITABLE = FMODE_READWRITE,
    RUBY_IO_MODE_BINARY = FMODE_BINMODE,
    RUBY_IO_MODE_TEXT = FMODE_TEXTMODE,
    RUBY_IO_MODE_TEXT_SET_ENCODING_FROM_BOM = FMODE_SETENC_BY_BOM,
    RUBY_IO_MODE_SYNCHRONISED = FMODE_SYNC,
    RUBY_IO_MODE_TTY = FMODE_TTY,
    RUBY_IO_MODE_DUPLEX = FMODE_DUPLEX,
    RUBY_IO_MODE_APPEND = FMODE_APPEND,
    RUBY_IO_MODE_CREATE = FMODE_CREATE,
    RUBY_IO_MODE_EXCLUSIVE = FMODE_EXCL,
    RUBY_IO_MODE_TRUNCATE = FMODE_TRUNC
};
typedef enum rb_io_mode rb_io_mode_t;
typedef struct rb_vm_struct ruby_vm_t;
typedef void (*ruby_vm_at_exit_function)(ruby_vm_t *);
typedef struct rb_data_type_struct rb_data_type_t;
typedef struct {
    int maxfd;
    fd_set *fdset;
} rb_fdset_t;
#define rb_fd_ptr(set) ((set)->fdset)
#define rb_fd_max(set) ((set)->maxfd)
#define rb_pid_t pid_t
#define rb_off_t off_t
#define RB_NO_KEYWORDS 0
#define RB_PASS_KEYWORDS 1
#define RB_PASS_CALLED_KEYWORDS (!!rb_keyword_given_p())
#endif

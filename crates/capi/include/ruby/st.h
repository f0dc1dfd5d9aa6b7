/* Hash tables of words. */
#ifndef RUBY_ST_H
#define RUBY_ST_H 1
#include "ruby/internal/attributes.h"
#include <stdint.h>
#include <stddef.h>
typedef unsigned long st_data_t;
typedef unsigned long st_index_t;
#define ST_DATA_COMPATIBLE_P(type) (sizeof(type) == sizeof(st_data_t))
#define SIZEOF_ST_INDEX_T 8
#define ST_INDEX_BITS 64
#define MAX_ST_INDEX_VAL (~(st_index_t)0)
typedef int st_compare_func(st_data_t, st_data_t);
typedef st_index_t st_hash_func(st_data_t);
struct st_hash_type {
    int (*compare)(st_data_t, st_data_t);
    st_index_t (*hash)(st_data_t);
};
typedef struct st_table {
    const struct st_hash_type *type;
    st_index_t num_entries;
} st_table;
#define st_is_member(table, key) st_lookup((table), (key), (st_data_t *)0)
enum st_retval { ST_CONTINUE, ST_STOP, ST_DELETE, ST_CHECK, ST_REPLACE };
typedef int st_update_callback_func(st_data_t *key, st_data_t *value, st_data_t arg, int existing);
typedef int st_foreach_callback_func(st_data_t, st_data_t, st_data_t);
typedef int st_foreach_check_callback_func(st_data_t, st_data_t, st_data_t, int);
typedef st_data_t (*st_hash_key_function)(st_data_t);
#define st_strcasecmp st_locale_insensitive_strcasecmp
#define st_strncasecmp st_locale_insensitive_strncasecmp
#define STRCASECMP(s1, s2) st_locale_insensitive_strcasecmp((s1), (s2))
#define STRNCASECMP(s1, s2, n) st_locale_insensitive_strncasecmp((s1), (s2), (n))
#define rb_st_init_table st_init_table
#define rb_st_init_numtable st_init_numtable
#define rb_st_init_numtable_with_size st_init_numtable_with_size
#define rb_st_init_strtable st_init_strtable
#define rb_st_init_strcasetable st_init_strcasetable
#define rb_st_delete st_delete
#define rb_st_insert st_insert
#define rb_st_lookup st_lookup
#define rb_st_foreach st_foreach
#define rb_st_foreach_safe st_foreach_safe
#define rb_st_free_table st_free_table
#define rb_st_add_direct st_add_direct
#define rb_st_copy st_copy
#define rb_st_clear st_clear
#define rb_st_update st_update
#define rb_st_memsize st_memsize
#define rb_st_hash st_hash
#define rb_st_hash_uint st_hash_uint
#define rb_st_hash_end st_hash_end
#define rb_st_numcmp st_numcmp
#define rb_st_numhash st_numhash
#define rb_st_init_table_with_size st_init_table_with_size
#define rb_st_init_strtable_with_size st_init_strtable_with_size
#define rb_st_init_strcasetable_with_size st_init_strcasetable_with_size
#define rb_st_insert2 st_insert2
#define rb_st_get_key st_get_key
#define rb_st_keys st_keys
#define rb_st_values st_values
#define rb_st_shift st_shift
#define rb_st_delete_safe st_delete_safe
#define rb_st_cleanup_safe st_cleanup_safe
#define rb_st_foreach_check st_foreach_check
#define rb_st_foreach_with_replace st_foreach_with_replace
#define rb_st_hash_start st_hash_start
#define rb_st_hash_uint32 st_hash_uint32
#define rb_st_locale_insensitive_strcasecmp st_locale_insensitive_strcasecmp
#define rb_st_locale_insensitive_strncasecmp st_locale_insensitive_strncasecmp
#include "ruby/ruby.h"
#endif

/* Strings, arrays, hashes, structs, objects: macros that read them directly. crates/object defines the layouts. */
#ifndef BENI_CONTAINERS_H
#define BENI_CONTAINERS_H 1

/* header bits 10-11: 0 if the contents are in the object itself */
#define BENI_EMBEDDED(header) (((header) & 0xc00) == 0)

static inline long beni_string_length(VALUE v)
{
    VALUE header = BENI_HEADER(v);
    long embedded = (long)((header >> 21) & 0xff);
    const long *words = (const long *)v + 1;
    if (BENI_EMBEDDED(header)) return embedded;
    if (embedded == 1) words = *(const long *const *)words;
    return words[0];
}
#define RSTRING_LEN(s) beni_string_length((VALUE)(s))
#define RSTRING_LENINT(s) rb_long2int(RSTRING_LEN(s))

/* The address that C got before, if the bytes are still the String's own and a NUL follows them. The byte after the
 * last one is read only if it is in the same eight bytes, because these belong to the payload. Header bit 9: C has the
 * address; bits 12-18: the encoding; in the first three encodings a NUL is one byte. */
static inline char *beni_string_start(VALUE v)
{
    VALUE header = BENI_HEADER(v);
    const long *words = (const long *)v + 1;
    long len = (long)((header >> 21) & 0xff);
    const char *start = (const char *)words;
    if ((header & 0xa00) == 0x200 && ((header >> 12) & 0x7f) < 3) {
        if (!BENI_EMBEDDED(header)) {
            if (len == 1) words = *(const long *const *)words;
            len = words[0];
            start = (const char *)words[1];
        }
        if (((size_t)(start + len) & 7) && start[len] == 0) return (char *)start;
    }
    return beni_string_pointer(v);
}
#define RSTRING_PTR(s) beni_string_start((VALUE)(s))
#define RSTRING_END(s) (RSTRING_PTR(s) + RSTRING_LEN(s))
#define RSTRING_GETMEM(s, p, n) ((p) = RSTRING_PTR(s), (n) = RSTRING_LEN(s))
#define StringValue(v) rb_string_value(&(v))
#define StringValuePtr(v) rb_string_value_ptr(&(v))
#define StringValueCStr(v) rb_string_value_cstr(&(v))
#define SafeStringValue(v) StringValue(v)
#define ExportStringValue(v) do { StringValue(v); (v) = rb_str_export(v); } while (0)
#define FilePathValue(v) (RB_GC_GUARD(v) = rb_get_path(v))
#define FilePathStringValue(v) FilePathValue(v)
#define rb_str_new2 rb_str_new_cstr
#define rb_str_new3 rb_str_new_shared
#define rb_str_new4 rb_str_new_frozen
#define rb_str_new5 rb_str_new_with_class
#define rb_str_buf_new2 rb_str_buf_new_cstr
#define rb_str_buf_cat rb_str_cat
#define rb_str_buf_cat2 rb_str_cat_cstr
#define rb_str_cat2 rb_str_cat_cstr
#define rb_str_dup_frozen rb_str_new_frozen
#define rb_tainted_str_new rb_str_new
#define rb_tainted_str_new_cstr rb_str_new_cstr
#define rb_tainted_str_new2 rb_str_new_cstr
#define rb_external_str_new2 rb_external_str_new_cstr
#define rb_usascii_str_new2 rb_usascii_str_new_cstr
#define rb_usascii_str_new_lit(s) rb_usascii_str_new_static((s), (long)sizeof(s) - 1)
#define rb_usascii_str_new_literal rb_usascii_str_new_lit
#define rb_utf8_str_new_lit(s) rb_utf8_str_new_static((s), (long)sizeof(s) - 1)
#define rb_str_new_lit(s) rb_str_new_static((s), (long)sizeof(s) - 1)
#define rb_str_new_literal rb_str_new_lit
#define rb_enc_str_new_lit(s, e) rb_enc_str_new_static((s), (long)sizeof(s) - 1, (e))
#define rb_strlen_lit(s) (sizeof(s "") - 1)
#define rb_exc_new2 rb_exc_new_cstr
#define rb_exc_new3 rb_exc_new_str
#define rb_hash_end(h) st_hash_end(h)
#define rb_hash_uint(h, i) st_hash_uint((h), (i))
#define rb_hash_uint32(h, i) st_hash_uint32((h), (i))

static inline long rb_array_len(VALUE v)
{
    VALUE header = BENI_HEADER(v);
    const long *words = (const long *)v + 1;
    if (BENI_EMBEDDED(header)) return (long)((header >> 12) & 0xff);
    if (header & (1 << 28)) words = *(const long *const *)words;
    return words[0];
}
static inline const VALUE *beni_array_start(VALUE v)
{
    VALUE header = BENI_HEADER(v);
    const VALUE *words = (const VALUE *)v + 1;
    if (BENI_EMBEDDED(header)) return words;
    if (header & (1 << 28)) words = *(const VALUE *const *)words;
    return *(const VALUE *const *)(words + 1);
}
static inline const VALUE *rb_array_const_ptr(VALUE v)
{
    return BENI_HEADER(v) & BENI_FL_PINNED ? beni_array_start(v) : beni_array_const_pointer(v);
}
static inline VALUE beni_array_element(VALUE v, long i)
{
    return beni_array_start(v)[i];
}
static inline VALUE beni_array_entry(VALUE list, long index)
{
    if (!RB_TYPE_P(list, RUBY_T_ARRAY)) return Qnil;
    long len = rb_array_len(list);
    if (index < 0) index += len;
    return (unsigned long)index < (unsigned long)len ? beni_array_element(list, index) : Qnil;
}
#define rb_ary_entry(list, index) beni_array_entry((list), (index))
#define RARRAY_LEN(a) rb_array_len((VALUE)(a))
#define RARRAY_LENINT(a) rb_long2int(RARRAY_LEN(a))
#define rb_array_ptr(a) beni_array_pointer(a)
#define RARRAY_CONST_PTR(a) rb_array_const_ptr((VALUE)(a))
#define RARRAY_CONST_PTR_TRANSIENT RARRAY_CONST_PTR
#define RARRAY_PTR(a) beni_array_pointer((VALUE)(a))
#define RARRAY_AREF(a, i) beni_array_element((VALUE)(a), (long)(i))
#define RARRAY_ASET(a, i, v) rb_ary_store((VALUE)(a), (long)(i), (v))
#define RARRAY_PTR_USE(ary, ptr_name, expr) do { \
    const VALUE beni_used = (ary); VALUE *ptr_name = beni_array_pointer(beni_used); expr; beni_array_written(beni_used); } while (0)
#define RARRAY_PTR_USE_TRANSIENT RARRAY_PTR_USE
#define rb_ary_new2 rb_ary_new_capa
#define rb_ary_new3 rb_ary_new_from_args
#define rb_ary_new4 rb_ary_new_from_values

#define RHASH_SIZE(h) rb_hash_size_num(h)
#define RHASH_EMPTY_P(h) (RHASH_SIZE(h) == 0)
#define RHASH_TBL(h) rb_hash_tbl((h), __FILE__, __LINE__)
#define RHASH_IFNONE(h) rb_funcall((h), rb_intern("default"), 0)
#define RHASH_SET_IFNONE(h, v) rb_hash_set_ifnone((VALUE)(h), (v))
#define rb_hash_iter_lev(h) 0

/* Structures that are not visible. */
#define RSTRING(obj) ((struct RString *)(obj))
#define RARRAY(obj) ((struct RArray *)(obj))
#define RREGEXP(obj) ((struct RRegexp *)(obj))
#define RMATCH(obj) ((struct RMatch *)(obj))
#define RCLASS(obj) ((struct RClass *)(obj))
#define RMODULE RCLASS

#define RSTRUCT_LEN(s) RB_NUM2LONG(rb_struct_size(s))
#define RSTRUCT_GET(s, i) rb_struct_aref((s), RB_INT2NUM(i))
#define RSTRUCT_SET(s, i, v) rb_struct_aset((s), RB_INT2NUM(i), (v))
#define ROBJECT_IV_COUNT(o) rb_ivar_count(o)
#endif

/* Memory outside of the heap, and functions that keep values alive. */
#ifndef BENI_MEMORY_H
#define BENI_MEMORY_H 1
#define xmalloc ruby_xmalloc
#define xmalloc2 ruby_xmalloc2
#define xcalloc ruby_xcalloc
#define xrealloc ruby_xrealloc
#define xrealloc2 ruby_xrealloc2
#define xfree ruby_xfree
#define xfree_sized ruby_xfree_sized
#define xrealloc_sized ruby_xrealloc_sized
#define xrealloc2_sized ruby_xrealloc2_sized
#define rb_alloc_tmp_buffer2(store, count, size) \
    rb_alloc_tmp_buffer_with_count((store), (size_t)(count) * (size), (size_t)(count))
static inline void *ruby_nonempty_memcpy(void *to, const void *from, size_t n) { return n ? memcpy(to, from, n) : to; }
#define RB_ALLOC_N(type, n) ((type *)ruby_xmalloc2((size_t)(n), sizeof(type)))
#define RB_ALLOC(type) ((type *)ruby_xmalloc(sizeof(type)))
#define RB_ZALLOC_N(type, n) ((type *)ruby_xcalloc((size_t)(n), sizeof(type)))
#define RB_ZALLOC(type) RB_ZALLOC_N(type, 1)
#define RB_REALLOC_N(var, type, n) ((var) = (type *)ruby_xrealloc2((void *)(var), (size_t)(n), sizeof(type)))
#define ALLOC_N RB_ALLOC_N
#define ALLOC RB_ALLOC
#define ZALLOC_N RB_ZALLOC_N
#define ZALLOC RB_ZALLOC
#define REALLOC_N RB_REALLOC_N
#define ALLOCA_N(type, n) ((type *)alloca(sizeof(type) * (size_t)(n)))
/* Small buffers are on the native stack, where the collector finds values too. */
#define RUBY_ALLOCV_LIMIT 1024
#define RB_ALLOCV(v, n) __extension__ ({ \
    size_t beni_size = (size_t)(n); \
    beni_size < RUBY_ALLOCV_LIMIT ? ((v) = Qfalse, beni_size ? alloca(beni_size) : NULL) \
        : rb_alloc_tmp_buffer(&(v), (long)beni_size); })
#define RB_ALLOCV_N(type, v, n) ((type *)__extension__ ({ \
    size_t beni_count = (size_t)(n); \
    beni_count < RUBY_ALLOCV_LIMIT / sizeof(type) \
        ? ((v) = Qfalse, beni_count ? alloca(sizeof(type) * beni_count) : NULL) \
        : rb_alloc_tmp_buffer_with_count(&(v), sizeof(type) * beni_count, beni_count); }))
#define RB_ALLOCV_END(v) rb_free_tmp_buffer(&(v))
#define ALLOCV RB_ALLOCV
#define ALLOCV_N RB_ALLOCV_N
#define ALLOCV_END RB_ALLOCV_END
#define MEMZERO(p, type, n) memset((p), 0, sizeof(type) * (size_t)(n))
#define MEMCPY(p1, p2, type, n) memcpy((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMMOVE(p1, p2, type, n) memmove((p1), (p2), sizeof(type) * (size_t)(n))
#define MEMCMP(p1, p2, type, n) memcmp((p1), (p2), sizeof(type) * (size_t)(n))
#define rb_mul_size_overflow(a, b, max, c) __builtin_mul_overflow((a), (b), (c))
#define RB_GC_GUARD(v) (*__extension__ ({ volatile VALUE *beni_kept = &(v); __asm__("" : : "m"(beni_kept)); beni_kept; }))
#define RB_OBJ_WRITE(a, slot, b) rb_obj_write((VALUE)(a), (VALUE *)(slot), (VALUE)(b))
#define RB_OBJ_WRITTEN(a, oldv, b) rb_obj_written((VALUE)(a), (VALUE)(oldv), (VALUE)(b))
#define OBJ_WRITE RB_OBJ_WRITE
#define OBJ_WRITTEN RB_OBJ_WRITTEN
#define OBJ_WB_UNPROTECT(x) ((VALUE)(x))
#define RB_OBJ_WB_UNPROTECT(x) ((VALUE)(x))
#define RB_OBJ_WB_UNPROTECT_FOR(type, x) ((VALUE)(x))
static inline VALUE rb_obj_wb_unprotect(VALUE x, const char *file, int line) { return (void)file, (void)line, x; }
#define RB_OBJ_PROMOTED(x) 0
#define RB_OBJ_PROMOTED_RAW(x) 0
static inline VALUE rb_obj_written(VALUE a, VALUE oldv, VALUE b)
{
    (void)oldv;
    if (!RB_SPECIAL_CONST_P(b)) rb_gc_writebarrier(a, b);
    return a;
}
static inline VALUE rb_obj_write(VALUE a, VALUE *slot, VALUE b)
{
    *slot = b;
    return rb_obj_written(a, Qundef, b);
}
#endif

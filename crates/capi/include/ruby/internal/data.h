/* Objects that wrap a C structure. */
#ifndef BENI_DATA_H
#define BENI_DATA_H 1
struct rb_data_type_struct {
    const char *wrap_struct_name;
    struct {
        RUBY_DATA_FUNC dmark;
        RUBY_DATA_FUNC dfree;
        size_t (*dsize)(const void *);
        RUBY_DATA_FUNC dcompact;
        void *reserved[1];
    } function;
    const struct rb_data_type_struct *parent;
    void *data;
    VALUE flags;
};

#define RUBY_TYPED_FREE_IMMEDIATELY ((VALUE)1 << 0)
#define RUBY_TYPED_EMBEDDABLE ((VALUE)1 << 1)
#define RUBY_TYPED_FROZEN_SHAREABLE ((VALUE)1 << 2)
#define RUBY_TYPED_WB_PROTECTED ((VALUE)1 << 3)
#define RUBY_TYPED_DECL_MARKING ((VALUE)1 << 4)
#define RUBY_TYPED_CONCURRENT_FREE_SAFE ((VALUE)1 << 5)
#define RUBY_TYPED_THREAD_SAFE_FREE RUBY_TYPED_CONCURRENT_FREE_SAFE
#define RUBY_TYPED_FROZEN_SHAREABLE_NO_REC RUBY_TYPED_FROZEN_SHAREABLE
#define RUBY_DEFAULT_FREE ((RUBY_DATA_FUNC)-1)
#define RUBY_NEVER_FREE ((RUBY_DATA_FUNC)0)
#define RUBY_TYPED_DEFAULT_FREE RUBY_DEFAULT_FREE
#define RUBY_TYPED_NEVER_FREE RUBY_NEVER_FREE
#define HAVE_TYPE_RB_DATA_TYPE_T 1
#define HAVE_RB_DATA_TYPE_T_FUNCTION 1
#define HAVE_RB_DATA_TYPE_T_PARENT 1
#define RUBY_REF_EDGE(s, p) offsetof(s, p)
#define RUBY_REFS_LIST_PTR(l) ((RUBY_DATA_FUNC)(uintptr_t)(l))
#define RUBY_REF_END ((size_t)-1)
#define RUBY_REFERENCES(t) static const size_t t[]
#define RUBY_REFERENCES_START(t) RUBY_REFERENCES(t) = {
#define RUBY_REFERENCES_END RUBY_REF_END, };

/* The second word of the object is the address of this. */
struct beni_data {
    void *data;
    const rb_data_type_t *type;
};
RUBY_SYMBOL_EXPORT_BEGIN
void *beni_other_data(VALUE);
RUBY_SYMBOL_EXPORT_END
/* The structure's address follows three words of the object. Process::Status has it elsewhere; for all other objects
 * this is a TypeError. */
static inline struct beni_data *beni_data_of(VALUE v)
{
    struct beni_data *data = *(struct beni_data **)(v + 8);
    return (VALUE)data == v + 24 ? data : (struct beni_data *)beni_other_data(v);
}
#define BENI_DATA(obj) beni_data_of((VALUE)(obj))
#define RTYPEDDATA_DATA(obj) (BENI_DATA(obj)->data)
#define RTYPEDDATA_GET_DATA(obj) (BENI_DATA(obj)->data)
#define RTYPEDDATA_TYPE(obj) (BENI_DATA(obj)->type)
#define RTYPEDDATA_P(obj) (RB_TYPE_P((obj), RUBY_T_DATA) && beni_data_type(obj) != 0)
/* The structure is in the object itself, after five words. */
#define RTYPEDDATA_EMBEDDED_P(obj) (DATA_PTR(obj) == (void *)((VALUE *)BENI_DATA(obj) + 5))
#define TYPED_DATA_EMBEDDED ((VALUE)1)
#define rbimpl_rtypeddata_p RTYPEDDATA_P
#define DATA_PTR(obj) (BENI_DATA(obj)->data)
/* Old extensions access these structures through a pointer to the object; here the macro returns a pointer to the
 * object's data. */
struct RTypedData {
    void *data;
    const rb_data_type_t *type;
};
struct RData {
    void *data;
    const rb_data_type_t *beni_type;
    RUBY_DATA_FUNC dmark;
    RUBY_DATA_FUNC dfree;
};
#define RTYPEDDATA(obj) ((struct RTypedData *)BENI_DATA(obj))
#define RDATA(obj) ((struct RData *)BENI_DATA(obj))
#define TypedData_Wrap_Struct(klass, type, sval) rb_data_typed_object_wrap((klass), (sval), (type))
#define TypedData_Make_Struct0(result, klass, type, size, data_type, sval) \
    VALUE result = rb_data_typed_object_zalloc((klass), (size), (data_type)); \
    (sval) = (type *)RTYPEDDATA_DATA(result); \
    (void)(sval)
#ifdef __cplusplus
# define BENI_AS(sval) (decltype(sval))
#else
# define BENI_AS(sval)
#endif
#define TypedData_Make_Struct(klass, type, data_type, sval) __extension__ ({ \
    TypedData_Make_Struct0(beni_made, klass, type, sizeof(type), data_type, sval); beni_made; })
/* The frequent case of `rb_check_typeddata`: an object of exactly this type. The header's low bits are the number of
 * native objects; the third word of an object with a structure of C is always the same. */
static inline void *beni_check_typeddata(VALUE v, const rb_data_type_t *type)
{
    if (!RB_SPECIAL_CONST_P(v) && (BENI_HEADER(v) & 0x1f) == 12) {
        const VALUE *words = (const VALUE *)v;
        const struct beni_data *data = (const struct beni_data *)(words + 3);
        if (words[1] == (VALUE)data && words[2] == beni_kind_of_data && data->type == type) return data->data;
    }
    return rb_check_typeddata(v, type);
}
#define TypedData_Get_Struct(obj, type, data_type, sval) \
    ((sval) = (type *)beni_check_typeddata((VALUE)(obj), (data_type)))
#define Check_TypedStruct(v, t) beni_check_typeddata((VALUE)(v), (t))
#define Data_Wrap_Struct(klass, mark, free, sval) \
    rb_data_object_wrap((klass), (sval), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free))
#define Data_Make_Struct0(result, klass, type, size, mark, free, sval) \
    VALUE result = rb_data_object_zalloc((klass), (size), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free)); \
    (sval) = (type *)DATA_PTR(result); \
    (void)(sval)
#define Data_Make_Struct(klass, type, mark, free, sval) __extension__ ({ \
    Data_Make_Struct0(beni_made, klass, type, sizeof(type), mark, free, sval); beni_made; })
#define Data_Get_Struct(obj, type, sval) ((sval) = (type *)rb_data_object_get(obj))
#define rb_data_object_get(obj) beni_data_untyped((VALUE)(obj))
#define rb_data_object_alloc rb_data_object_wrap
#define rb_data_typed_object_alloc rb_data_typed_object_wrap
#define rb_data_object_make(klass, mark, free, datap, size) \
    __extension__ ({ VALUE beni_made = rb_data_object_zalloc((klass), (size), (mark), (free)); *(datap) = DATA_PTR(beni_made); beni_made; })
static inline VALUE rb_data_typed_object_make(VALUE klass, const rb_data_type_t *type, void **data, size_t size)
{
    VALUE made = rb_data_typed_object_zalloc(klass, size, type);
    *data = RTYPEDDATA_GET_DATA(made);
    return made;
}
#endif

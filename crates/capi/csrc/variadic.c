/* Functions with a variable number of arguments: they call the variants that take an array. */
#include "border.h"
#include <errno.h>

#define GATHER(count, first) \
    VALUE *values = ALLOCA_N(VALUE, (count) + 1); \
    { va_list list; va_start(list, first); \
      for (long i = 0; i < (long)(count); i++) values[i] = va_arg(list, VALUE); \
      va_end(list); }

VALUE rb_funcall(VALUE receiver, ID name, int count, ...)
{
    GATHER(count, count);
    return rb_funcallv(receiver, name, count, values);
}

VALUE rb_yield_values(int count, ...)
{
    GATHER(count, count);
    return rb_yield_values2(count, values);
}

VALUE rb_ary_new_from_args(long count, ...)
{
    GATHER(count, count);
    return rb_ary_new_from_values(count, values);
}

VALUE rb_rescue2(rb_value_function body, VALUE data, rb_rescue_function rescue, VALUE data2, ...)
{
    VALUE classes[64];
    int count = 0;
    va_list list;
    va_start(list, data2);
    for (VALUE v; count < 64 && (v = va_arg(list, VALUE)) != 0;) classes[count++] = v;
    va_end(list);
    return beni_rescue(body, data, rescue, data2, count, classes);
}

VALUE rb_struct_new(VALUE klass, ...)
{
    int count = NUM2INT(rb_struct_size(klass));
    GATHER(count, klass);
    return rb_class_new_instance(count, values, klass);
}

#define GATHER_NAMES(first) \
    const char *names[256]; \
    int count = 0; \
    { va_list list; va_start(list, first); \
      for (const char *name; count < 256 && (name = va_arg(list, const char *)) != 0;) names[count++] = name; \
      va_end(list); }

VALUE rb_struct_define(const char *name, ...)
{
    GATHER_NAMES(name);
    return beni_struct_define(0, name, rb_cStruct, count, names);
}

VALUE rb_struct_define_under(VALUE outer, const char *name, ...)
{
    GATHER_NAMES(name);
    return beni_struct_define(outer, name, rb_cStruct, count, names);
}

VALUE rb_data_define(VALUE super, ...)
{
    GATHER_NAMES(super);
    return beni_data_define(super, count, names);
}

void rb_deprecate_constant(VALUE module, const char *name)
{
    beni_deprecate_constant(module, name);
}

#define MESSAGE(result, format) \
    VALUE result; \
    { va_list list; va_start(list, format); result = rb_vsprintf(format, list); va_end(list); }

void rb_raise(VALUE klass, const char *format, ...)
{
    MESSAGE(message, format);
    rb_exc_raise(rb_exc_new_str(klass, message));
}

void rb_enc_raise(rb_encoding *enc, VALUE klass, const char *format, ...)
{
    VALUE message;
    va_list list;
    va_start(list, format);
    message = rb_enc_vsprintf(enc, format, list);
    va_end(list);
    rb_exc_raise(rb_exc_new_str(klass, message));
}

void rb_fatal(const char *format, ...)
{
    MESSAGE(message, format);
    rb_exc_raise(rb_exc_new_str(rb_eFatal, message));
}

void rb_loaderror(const char *format, ...)
{
    MESSAGE(message, format);
    rb_exc_raise(rb_exc_new_str(rb_eLoadError, message));
}

void rb_frozen_error_raise(VALUE object, const char *format, ...)
{
    MESSAGE(message, format);
    VALUE exception = rb_exc_new_str(rb_eFrozenError, message);
    rb_ivar_set(exception, rb_intern("__receiver"), object);
    rb_exc_raise(exception);
}

void rb_name_error(ID id, const char *format, ...)
{
    MESSAGE(message, format);
    beni_name_error(message, ID2SYM(id));
}

void rb_name_error_str(VALUE name, const char *format, ...)
{
    MESSAGE(message, format);
    beni_name_error(message, name);
}

void rb_warn(const char *format, ...)
{
    MESSAGE(message, format);
    beni_warn(0, message);
}

void rb_warning(const char *format, ...)
{
    MESSAGE(message, format);
    beni_warn(1, message);
}

void rb_sys_warning(const char *format, ...)
{
    int number = errno;
    MESSAGE(message, format);
    rb_str_catf(message, ": %s", strerror(number));
    beni_warn(1, message);
}

void rb_category_warn(rb_warning_category_t category, const char *format, ...)
{
    MESSAGE(message, format);
    beni_warn(16 + (int)category, message);
}

void rb_category_warning(rb_warning_category_t category, const char *format, ...)
{
    MESSAGE(message, format);
    beni_warn(32 + (int)category, message);
}

void rb_bug(const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    beni_bug(text);
    abort();
}

void rb_loaderror_with_path(VALUE path, const char *format, ...)
{
    MESSAGE(message, format);
    VALUE exception = rb_exc_new_str(rb_eLoadError, message);
    rb_ivar_set(exception, rb_intern("@path"), path);
    rb_exc_raise(exception);
}

void rb_exc_fatal(VALUE exception) { rb_exc_raise(exception); }

VALUE rb_vrescue2(rb_value_function body, VALUE data, rb_rescue_function rescue, VALUE data2, va_list list)
{
    VALUE classes[64];
    int count = 0;
    for (VALUE v; count < 64 && (v = va_arg(list, VALUE)) != 0;) classes[count++] = v;
    return beni_rescue(body, data, rescue, data2, count, classes);
}

static VALUE at_line(const char *file, int line, VALUE message)
{
    return rb_sprintf("%s:%d: warning: %" PRIsVALUE "\n", file ? file : "", line, message);
}

/* Whether warnings of a category are written. */
static bool warns_of(rb_warning_category_t category)
{
    static const char *const names[] = {0, "deprecated", "experimental", "performance", "strict_unused_block"};
    if (category <= RB_WARN_CATEGORY_NONE || category > RB_WARN_CATEGORY_STRICT_UNUSED_BLOCK) return true;
    return RTEST(rb_funcall(rb_path2class("Warning"), rb_intern("[]"), 1, ID2SYM(rb_intern(names[category]))));
}

static void write_warning(VALUE text) { rb_funcall(rb_path2class("Warning"), rb_intern("warn"), 1, text); }

void rb_compile_warn(const char *file, int line, const char *format, ...)
{
    MESSAGE(message, format);
    if (!NIL_P(ruby_verbose)) write_warning(at_line(file, line, message));
}

void rb_compile_warning(const char *file, int line, const char *format, ...)
{
    MESSAGE(message, format);
    if (RTEST(ruby_verbose)) write_warning(at_line(file, line, message));
}

void rb_category_compile_warn(rb_warning_category_t category, const char *file, int line, const char *format, ...)
{
    MESSAGE(message, format);
    if (!NIL_P(ruby_verbose) && warns_of(category)) write_warning(at_line(file, line, message));
}

void rb_assert_failure(const char *file, int line, const char *name, const char *expr)
{
    rb_bug("Assertion Failed: %s:%d:%s:%s", file, line, name ? name : "", expr);
}

void rb_assert_failure_detail(const char *file, int line, const char *name, const char *expr, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    rb_bug("Assertion Failed: %s:%d:%s:%s\n  %s", file, line, name ? name : "", expr, text);
}

/* A Struct without methods for its members. */
static VALUE without_accessors(VALUE outer, const char *name, VALUE super, rb_alloc_func_t allocate, int count,
                               const char **names)
{
    VALUE klass = beni_struct_define(outer, name, super, count, names);
    if (allocate && allocate != rb_struct_alloc_noinit) rb_define_alloc_func(klass, allocate);
    for (int i = 0; i < count; i++) {
        rb_remove_method(klass, names[i]);
        rb_remove_method_id(klass, rb_id_attrset(rb_intern(names[i])));
    }
    return klass;
}

VALUE rb_struct_define_without_accessor(const char *name, VALUE super, rb_alloc_func_t allocate, ...)
{
    GATHER_NAMES(allocate);
    return without_accessors(rb_cObject, name, super, allocate, count, names);
}

VALUE rb_struct_define_without_accessor_under(VALUE outer, const char *name, VALUE super, rb_alloc_func_t allocate, ...)
{
    GATHER_NAMES(allocate);
    return without_accessors(outer, name, super, allocate, count, names);
}

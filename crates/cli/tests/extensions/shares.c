/* Memory that objects share: memory views, IO::Buffer, and conversions between encodings in C's buffers. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/io/buffer.h>
#include <ruby/memory_view.h>

void Init_shares(VALUE module);

/* A matrix of two rows and three columns of 16-bit numbers. */
static int16_t matrix[2][3] = {{1, 2, 3}, {4, 5, -6}};
static const ssize_t shape[] = {2, 3};
static ssize_t strides[2];
static int released;

static bool get(VALUE self, rb_memory_view_t *view, int flags)
{
    (void)flags;
    rb_memory_view_init_as_byte_array(view, self, matrix, sizeof matrix, true);
    rb_memory_view_fill_contiguous_strides(2, 2, shape, true, strides);
    view->format = "s";
    view->item_size = 2;
    view->ndim = 2;
    view->shape = shape;
    view->strides = strides;
    return true;
}
static bool release(VALUE self, rb_memory_view_t *view) { return released++, true; }
static bool available(VALUE self) { return true; }
static const rb_memory_view_entry_t entry = {get, release, available};

static VALUE view(VALUE self, VALUE object, VALUE row, VALUE column)
{
    rb_memory_view_t view;
    if (!rb_memory_view_available_p(object) || !rb_memory_view_get(object, &view, RUBY_MEMORY_VIEW_STRIDES)) return Qnil;
    ssize_t at[2] = {NUM2LONG(row), NUM2LONG(column)};
    VALUE found = rb_memory_view_get_item(&view, at);
    VALUE by_rows = rb_memory_view_is_row_major_contiguous(&view) ? Qtrue : Qfalse;
    VALUE by_columns = rb_memory_view_is_column_major_contiguous(&view) ? Qtrue : Qfalse;
    rb_memory_view_release(&view);
    return rb_ary_new_from_args(4, found, by_rows, by_columns, INT2FIX(released));
}

/* The size of an item of a format, and the members of the first item in the bytes. */
static VALUE items(VALUE self, VALUE format, VALUE bytes)
{
    rb_memory_view_item_component_t *members = 0;
    size_t count = 0;
    const char *start = StringValueCStr(format), *error = 0;
    ssize_t size = rb_memory_view_parse_item_format(start, &members, &count, &error);
    if (size < 0) return INT2FIX(error - start);
    VALUE found = rb_memory_view_extract_item_members(RSTRING_PTR(bytes), members, count);
    xfree(members);
    return rb_assoc_new(SSIZET2NUM(size), found);
}

static VALUE buffer(VALUE self)
{
    static char memory[] = "memory of C";
    VALUE buffer = rb_io_buffer_new(memory, 11, RB_IO_BUFFER_EXTERNAL);
    void *base;
    size_t size;
    rb_io_buffer_get_bytes_for_writing(buffer, &base, &size);
    memcpy(base, "M", 1);
    rb_io_buffer_clear(buffer, '.', 6, 2);
    rb_io_buffer_lock(buffer);
    VALUE text = rb_str_new(memory, (long)size);
    VALUE was = INT2FIX(rb_io_buffer_try_unlock(buffer) + rb_io_buffer_try_unlock(buffer));
    VALUE flags = INT2FIX(rb_io_buffer_get_bytes(buffer, &base, &size));
    VALUE same = base == memory ? Qtrue : Qfalse;
    rb_io_buffer_free(buffer);
    rb_io_buffer_get_bytes(buffer, &base, &size);
    return rb_ary_new_from_args(6, text, was, flags, same, base ? Qtrue : Qfalse, SIZET2NUM(size));
}

static VALUE readable(VALUE self, VALUE buffer)
{
    const void *base;
    size_t size;
    rb_io_buffer_get_bytes_for_reading(buffer, &base, &size);
    return rb_str_new(base, (long)size);
}

static VALUE writable(VALUE self, VALUE buffer)
{
    void *base;
    size_t size;
    rb_io_buffer_get_bytes_for_writing(buffer, &base, &size);
    return SIZET2NUM(size);
}

/* Converts into a buffer of three bytes at a time; returns the results of each call and the text. */
static VALUE convert(VALUE self, VALUE text, VALUE from, VALUE to, VALUE options)
{
    VALUE rest, results = rb_ary_new(), output = rb_str_new(0, 0);
    int flags = rb_econv_prepare_opts(options, &rest);
    rb_econv_t *ec = rb_econv_open_opts(StringValueCStr(from), StringValueCStr(to), flags, rest);
    if (!ec) rb_exc_raise(rb_econv_open_exc(StringValueCStr(from), StringValueCStr(to), flags));
    const unsigned char *at = (const unsigned char *)RSTRING_PTR(text), *end = at + RSTRING_LEN(text);
    unsigned char room[4], *out;
    rb_econv_result_t result;
    do {
        out = room;
        result = rb_econv_convert(ec, &at, end, &out, room + 3, 0);
        rb_ary_push(results, INT2FIX(result));
        rb_str_cat(output, (char *)room, out - room);
    } while (result == econv_destination_buffer_full);
    VALUE error = rb_econv_make_exception(ec);
    rb_econv_close(ec);
    return rb_ary_new_from_args(4, output, results, error, LONG2NUM((char *)end - (char *)at));
}

static VALUE decorated(VALUE self, VALUE text)
{
    rb_econv_t *ec = rb_econv_open("UTF-8", "ISO-8859-1", ECONV_CRLF_NEWLINE_DECORATOR);
    VALUE results = rb_ary_new();
    rb_ary_push(results, rb_econv_substr_append(ec, text, 0, 2, Qnil, ECONV_PARTIAL_INPUT));
    rb_ary_push(results, INT2FIX(rb_econv_insert_output(ec, (const unsigned char *)"\xc3\xa4", 2, "UTF-8")));
    rb_ary_push(results, rb_econv_str_append(ec, text, rb_str_new_cstr("x"), 0));
    rb_ary_push(results, rb_str_new_cstr(rb_econv_encoding_to_insert_output(ec)));
    rb_econv_close(ec);
    ec = rb_econv_open("UTF-8", "ISO-8859-1", ECONV_CRLF_NEWLINE_DECORATOR);
    rb_econv_binmode(ec);
    rb_ary_push(results, rb_econv_str_convert(ec, text, 0));
    rb_econv_close(ec);
    ec = rb_econv_open("", "", 0);
    rb_ary_push(results, INT2FIX(rb_econv_decorate_at_last(ec, "xml_text_escape")));
    rb_ary_push(results, rb_econv_str_convert(ec, text, 0));
    rb_econv_close(ec);
    rb_ary_push(results, rb_str_new_cstr(rb_econv_asciicompat_encoding("ISO-2022-JP")));
    rb_ary_push(results, rb_econv_open("UTF-8", "nothing", 0) ? Qtrue : Qfalse);
    return results;
}

/* Converts the bytes of a String from one encoding to another, with options and with flags. */
static VALUE in_encoding(VALUE self, VALUE text, VALUE from, VALUE to, VALUE options)
{
    VALUE rest;
    int flags = rb_econv_prepare_opts(options, &rest);
    return rb_str_conv_enc_opts(text, rb_to_encoding(from), rb_to_encoding(to), flags, rest);
}
static VALUE encoded(VALUE self, VALUE text)
{
    VALUE to = rb_enc_from_encoding(rb_usascii_encoding());
    return rb_ary_new_from_args(3, rb_str_encode(text, to, ECONV_UNDEF_REPLACE | ECONV_XML_TEXT_DECORATOR, Qnil),
                                rb_str_encode(text, to, ECONV_UNDEF_REPLACE | ECONV_CRLF_NEWLINE_DECORATOR, Qnil),
                                rb_str_encode(text, to, ECONV_UNDEF_REPLACE, Qnil));
}

static VALUE raising(VALUE self, VALUE text)
{
    rb_econv_t *ec = rb_econv_open("UTF-8", "US-ASCII", 0);
    return rb_econv_str_convert(ec, text, 0);
}

static VALUE dummy(VALUE self, VALUE name, VALUE alias)
{
    int index = rb_define_dummy_encoding(StringValueCStr(name));
    rb_encoding *found = rb_enc_from_index(index);
    int same = rb_enc_alias(StringValueCStr(alias), rb_enc_name(found)) == index && rb_enc_find(StringValueCStr(alias)) == found;
    return rb_ary_new_from_args(3, rb_enc_from_encoding(found), same ? Qtrue : Qfalse,
                                rb_obj_encoding(rb_enc_str_new("ab", 2, found)));
}

static VALUE many(VALUE self)
{
    for (int i = 0; i < 1000; i++) rb_define_dummy_encoding(RSTRING_PTR(rb_sprintf("Many-%d", i)));
    return Qnil;
}

/* Combines the code ranges of two parts of a text. */
static VALUE scanned(VALUE self, VALUE first, VALUE second)
{
    rb_encoding *enc = rb_enc_get(first);
    int range = ENC_CODERANGE_7BIT, before;
    long n = rb_str_coderange_scan_restartable(RSTRING_PTR(first), RSTRING_END(first), enc, &range);
    before = range;
    long m = rb_str_coderange_scan_restartable(RSTRING_PTR(second), RSTRING_END(second), enc, &range);
    return rb_ary_new_from_args(4, LONG2NUM(n), INT2FIX(before >> (before > 3 ? 20 : 0)), LONG2NUM(m),
                                INT2FIX(range >> (range > 3 ? 20 : 0)));
}

void Init_shares(VALUE module)
{
    VALUE klass = rb_define_class_under(module, "Matrix", rb_cObject);
    rb_memory_view_register(klass, &entry);
    rb_define_module_function(module, "view", view, 3);
    rb_define_module_function(module, "items", items, 2);
    rb_define_module_function(module, "buffer", buffer, 0);
    rb_define_module_function(module, "readable", readable, 1);
    rb_define_module_function(module, "writable", writable, 1);
    rb_define_module_function(module, "convert", convert, 4);
    rb_define_module_function(module, "decorated", decorated, 1);
    rb_define_module_function(module, "raising", raising, 1);
    rb_define_module_function(module, "in_encoding", in_encoding, 4);
    rb_define_module_function(module, "encoded", encoded, 1);
    rb_define_module_function(module, "dummy", dummy, 2);
    rb_define_module_function(module, "many", many, 0);
    rb_define_module_function(module, "scanned", scanned, 2);
}

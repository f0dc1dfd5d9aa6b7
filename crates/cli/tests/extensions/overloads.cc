// Functions of a method in C++: one of several with the same name, a lambda, one of another type.
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/io.h>

struct Counter {
    VALUE one() { return INT2FIX(0); }
    static VALUE one(VALUE self) { return INT2FIX(1); }
    static VALUE one(VALUE self, VALUE added) { return INT2FIX(1 + FIX2INT(added)); }
    static VALUE any(int count, VALUE *values, VALUE self) { return INT2FIX(count); }
    static VALUE any(VALUE self) { return Qnil; }
};

static VALUE constant(int count, const VALUE *values, VALUE self) { return INT2FIX(-count); }
static VALUE class_of(VALUE self, VALUE object) { return RBASIC_CLASS(object); }
static VALUE descriptor(VALUE self, VALUE io) { return INT2NUM(RFILE(io)->fptr->fd); }

extern "C" void Init_overloads(VALUE module)
{
    rb_define_singleton_method(module, "plus_one", Counter::one, 0);
    rb_define_singleton_method(module, "plus_one_and", Counter::one, 1);
    rb_define_singleton_method(module, "plus_any", Counter::any, -1);
    rb_define_singleton_method(module, "constant", constant, -1);
    rb_define_singleton_method(module, "cast", RUBY_METHOD_FUNC(constant), -1);
    rb_define_singleton_method(module, "lambda", [](VALUE self, VALUE a) -> VALUE { return a; }, 1);
    rb_define_singleton_method(module, "class_in_cxx", class_of, 1);
    rb_define_singleton_method(module, "descriptor_in_cxx", descriptor, 1);
}

/* An extension that uses a little of everything; calls.rb calls it. */
#include <ruby.h>
#include <ruby/encoding.h>

static VALUE module, kept, counter_class;
static ID id_call, id_plus;

static VALUE no_arguments(VALUE self) { return self; }
static VALUE one(VALUE self, VALUE a) { return rb_ary_new_from_args(2, self, a); }
static VALUE three(VALUE self, VALUE a, VALUE b, VALUE c) { return rb_ary_new3(3, a, b, c); }
static VALUE any(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, rest, options, block;
    rb_scan_args(argc, argv, "11*:&", &a, &b, &rest, &options, &block);
    return rb_ary_new_from_args(6, a, b, rest, options, block, rb_keyword_given_p() ? Qtrue : Qfalse);
}
static VALUE packed(VALUE self, VALUE args) { return args; }

static VALUE raises(VALUE self, VALUE what)
{
    rb_raise(rb_eArgError, "bad %s: %d of %"PRIsVALUE, "thing", 42, what);
    return Qnil;
}

static VALUE call_it(VALUE callable) { return rb_funcall(callable, id_call, 0); }

static VALUE protects(VALUE self, VALUE callable)
{
    int state = 0;
    VALUE result = rb_protect(call_it, callable, &state);
    if (!state) return result;
    VALUE error = rb_errinfo();
    rb_set_errinfo(Qnil);
    return rb_ary_new_from_args(2, INT2FIX(state), rb_obj_class(error));
}

static VALUE protects_and_jumps(VALUE self, VALUE callable)
{
    int state = 0;
    VALUE result = rb_protect(call_it, callable, &state);
    rb_ary_push(kept, INT2FIX(state));
    if (state) rb_jump_tag(state);
    return result;
}

static VALUE protects_and_raises(VALUE self, VALUE callable)
{
    int state = 0;
    VALUE result = rb_protect(call_it, callable, &state);
    if (state) rb_exc_raise(rb_errinfo());
    return result;
}

static VALUE caught(VALUE self) { return rb_errinfo(); }

static VALUE note(VALUE what) { return rb_ary_push(kept, what); }
static VALUE ensures(VALUE self, VALUE callable) { return rb_ensure(call_it, callable, note, rb_str_new_cstr("ensured")); }
static VALUE rescued(VALUE data, VALUE error) { return rb_ary_new_from_args(2, data, rb_funcall(error, rb_intern("message"), 0)); }
static VALUE rescues(VALUE self, VALUE callable)
{
    return rb_rescue2(call_it, callable, rescued, ID2SYM(rb_intern("data")), rb_eTypeError, rb_eKeyError, (VALUE)0);
}

static VALUE yields(VALUE self, VALUE n)
{
    VALUE sum = INT2FIX(0);
    for (long i = 0; i < NUM2LONG(n); i++) sum = rb_funcall(sum, '+', 1, rb_yield(LONG2NUM(i)));
    return sum;
}

static VALUE doubled(RB_BLOCK_CALL_FUNC_ARGLIST(v, data))
{
    if (v == INT2FIX(99)) rb_iter_break_value(ID2SYM(rb_intern("broken")));
    rb_ary_push(data, rb_funcall(v, rb_intern("*"), 1, INT2FIX(2)));
    return Qnil;
}
static VALUE block_calls(VALUE self, VALUE list)
{
    VALUE result = rb_ary_new();
    VALUE answer = rb_block_call(list, rb_intern("each"), 0, 0, doubled, result);
    return answer == list ? result : rb_assoc_new(answer, result);
}

static VALUE upcase(VALUE self, VALUE s)
{
    VALUE copy = rb_str_dup(StringValue(s));
    rb_str_modify(copy);
    char *p = RSTRING_PTR(copy);
    for (long i = 0; i < RSTRING_LEN(copy); i++) p[i] = rb_toupper(p[i]);
    if (p[RSTRING_LEN(copy)] != 0) rb_bug("no NUL");
    return rb_str_cat2(copy, "!");
}

static VALUE sums(VALUE self, VALUE list)
{
    long sum = 0;
    Check_Type(list, T_ARRAY);
    for (long i = 0; i < RARRAY_LEN(list); i++) sum += NUM2LONG(RARRAY_AREF(list, i));
    return LONG2NUM(sum);
}

static int inverts(VALUE key, VALUE value, VALUE data) { rb_hash_aset(data, value, key); return ST_CONTINUE; }
static VALUE inverted(VALUE self, VALUE hash)
{
    VALUE result = rb_hash_new();
    rb_hash_foreach(hash, inverts, result);
    return result;
}

struct counter { long count; VALUE last; char *memory; };
static long freed;
static void counter_mark(void *p) { rb_gc_mark(((struct counter *)p)->last); }
static void counter_free(void *p) { freed++; xfree(((struct counter *)p)->memory); xfree(p); }
static size_t counter_size(const void *p) { return sizeof(struct counter); }
static const rb_data_type_t counter_type = {
    "counter", {counter_mark, counter_free, counter_size}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY
};
static VALUE counter_allocate(VALUE klass)
{
    struct counter *c;
    VALUE v = TypedData_Make_Struct(klass, struct counter, &counter_type, c);
    c->last = Qnil;
    c->memory = ALLOC_N(char, 100);
    return v;
}
static VALUE counter_initialize(VALUE self, VALUE start)
{
    struct counter *c;
    TypedData_Get_Struct(self, struct counter, &counter_type, c);
    c->count = NUM2LONG(start);
    return Qnil;
}
static VALUE counter_add(VALUE self, VALUE v)
{
    struct counter *c;
    TypedData_Get_Struct(self, struct counter, &counter_type, c);
    c->count++;
    c->last = v;
    return self;
}
static VALUE counter_count(VALUE self)
{
    struct counter *c;
    TypedData_Get_Struct(self, struct counter, &counter_type, c);
    return LONG2NUM(c->count);
}
static VALUE counter_last(VALUE self)
{
    struct counter *c;
    TypedData_Get_Struct(self, struct counter, &counter_type, c);
    return c->last;
}
static VALUE freed_count(VALUE self) { return LONG2NUM(freed); }
static VALUE notes(VALUE self) { VALUE copy = rb_ary_dup(kept); rb_ary_clear(kept); return copy; }

static VALUE overrides(VALUE self, VALUE a) { return rb_ary_new_from_args(1, rb_call_super(1, &a)); }

void Init_looks(VALUE module);
void Init_hears(VALUE module);
void Init_hostile(VALUE module);
void Init_finds(VALUE module);
void Init_keeps(VALUE module);
void Init_shares(VALUE module);
void Init_older(VALUE module);
void Init_overloads(VALUE module);
void Init_parts(VALUE module);
void Init_reads(VALUE module);
void Init_defines(VALUE module);
void Init_passes(VALUE module);

void Init_thin(void)
{
    id_call = rb_intern("call");
    id_plus = rb_intern("+");
    if (id_plus != '+') rb_bug("the identifier of an operator");
    module = rb_define_module("Thin");
    kept = rb_ary_new();
    rb_gc_register_address(&kept);
    rb_define_const(module, "VERSION", rb_obj_freeze(rb_str_new_lit("1.0")));
    rb_define_module_function(module, "no_arguments", no_arguments, 0);
    rb_define_module_function(module, "one", one, 1);
    rb_define_module_function(module, "three", three, 3);
    rb_define_module_function(module, "any", any, -1);
    rb_define_module_function(module, "packed", packed, -2);
    rb_define_module_function(module, "raises", raises, 1);
    rb_define_module_function(module, "protects", protects, 1);
    rb_define_module_function(module, "protects_and_jumps", protects_and_jumps, 1);
    rb_define_module_function(module, "protects_and_raises", protects_and_raises, 1);
    rb_define_module_function(module, "caught", caught, 0);
    rb_define_module_function(module, "ensures", ensures, 1);
    rb_define_module_function(module, "rescues", rescues, 1);
    rb_define_module_function(module, "yields", yields, 1);
    rb_define_module_function(module, "block_calls", block_calls, 1);
    rb_define_module_function(module, "upcase", upcase, 1);
    rb_define_module_function(module, "sums", sums, 1);
    rb_define_module_function(module, "inverted", inverted, 1);
    rb_define_module_function(module, "freed", freed_count, 0);
    rb_define_module_function(module, "notes", notes, 0);
    counter_class = rb_define_class_under(module, "Counter", rb_cObject);
    rb_define_alloc_func(counter_class, counter_allocate);
    rb_define_method(counter_class, "initialize", counter_initialize, 1);
    rb_define_method(counter_class, "add", counter_add, 1);
    rb_define_method(counter_class, "count", counter_count, 0);
    rb_define_method(counter_class, "last", counter_last, 0);
    rb_define_method(rb_singleton_class(module), "respond_to_missing?", overrides, 1);
    Init_looks(module);
    Init_hears(module);
    Init_hostile(module);
    Init_finds(module);
    Init_keeps(module);
    Init_shares(module);
    Init_older(module);
    Init_overloads(module);
    Init_parts(module);
    Init_reads(module);
    Init_defines(module);
    Init_passes(module);
}

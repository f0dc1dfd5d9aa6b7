//! Yielding, blocks whose body is a C function, enumerators.

use std::ffi::c_void;

use abi::{BlockHandler, Type, Value};
use object::{array::Arr, cell};
use runtime::{
    Cx, R, args, call,
    call::block::{self, NativeBlock},
    convert, make,
};

use crate::{
    border::{Place, call_words, pin, send},
    call::split_keywords,
    control::broken_out,
    given, symbol,
};

pub fn rb_block_given_p(_: &mut Cx) -> i32 {
    !Place::now().block().is_none() as i32
}

pub fn rb_need_block(cx: &mut Cx) -> R<()> {
    if Place::now().block().is_none() { Err(block::no_block(cx)) } else { Ok(()) }
}

pub fn rb_yield(cx: &mut Cx, v: Value) -> R {
    let block = Place::now().block();
    if v.is_undef() { call::yield_values(cx, block, &[]) } else { call::yield_one(cx, block, v) }
}

pub fn rb_yield_values2(cx: &mut Cx, count: i32, argv: *const Value) -> R {
    call::yield_values(cx, Place::now().block(), given::values(count, argv))
}

pub fn rb_yield_values_kw(cx: &mut Cx, count: i32, argv: *const Value, keywords: i32) -> R {
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    block::call_block(cx, Place::now().block(), arguments, keywords, BlockHandler::NONE)
}

pub fn rb_yield_splat(cx: &mut Cx, list: Value) -> R {
    rb_yield_splat_kw(cx, list, 0)
}

pub fn rb_yield_splat_kw(cx: &mut Cx, list: Value, keywords: i32) -> R {
    let place = Place::now();
    let Some(list) = convert::try_ary(cx, list)? else { return Err(cx.argument_error("not an array")) };
    args::spread(cx, list, |cx, all| {
        let (arguments, keywords) = split_keywords(cx, all, keywords)?;
        block::call_block(cx, place.block(), arguments, keywords, BlockHandler::NONE)
    })
}

pub fn rb_yield_block(cx: &mut Cx, _: Value, _: Value, count: i32, argv: *const Value, passed: Value) -> R {
    let place = Place::now();
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), place.keywords as i32)?;
    block::call_block(cx, place.block(), arguments, keywords, BlockHandler(passed))
}

pub fn rb_block_proc(cx: &mut Cx) -> R {
    let block = Place::now().block();
    if block.is_none() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    block::to_proc(cx, block)
}

pub fn rb_block_lambda(cx: &mut Cx) -> R {
    let block = Place::now().block();
    // A Proc is passed on unchanged.
    if cell::is(block.0, Type::Proc) {
        return Ok(block.0);
    }
    let (me, name) = (cx.vm().main_object, object::symbol::table::intern_text(cx, "lambda"));
    call::send_with_block(cx, me, name, &[], block)
}

/// A block whose body is a C function.
struct CBlock {
    function: *const c_void,
    data: Value,
    /// The place of the method whose block `rb_yield` calls when the C function uses it; valid only while that method
    /// runs.
    place: Place,
    /// The tag that `rb_iter_break` throws.
    tag: Value,
    is_end_proc: bool,
}

/// A word for a callback: a value, or an address of C.
pub fn trace_word(word: Value, marker: &mut heap::Marker) {
    if word.is_heap() {
        marker.maybe(word.0 as usize);
    }
}

impl heap::Trace for CBlock {
    fn trace(&mut self, marker: &mut heap::Marker) {
        trace_word(self.data, marker);
        heap::Trace::trace(&mut self.tag, marker);
    }
}

impl object::native::NativeData for CBlock {
    object::one_vtable!(CBlock);
}

impl NativeBlock for CBlock {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        self.call_full(cx, arguments, None, BlockHandler::NONE)
    }

    fn call_full(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
        self.run(cx, self.place.frame, arguments, keywords, passed)
    }

    fn call_as_method(&self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
        self.run(cx, cx.frame, arguments, keywords, passed)
    }
}

impl CBlock {
    /// Calls the C function; `frame` is that of the method whose receiver, `super` and block the function uses.
    fn run(
        &self,
        cx: &mut Cx,
        frame: *mut abi::Frame,
        arguments: &[Value],
        keywords: Option<Value>,
        passed: BlockHandler,
    ) -> R {
        if self.is_end_proc {
            call_words(cx, self.function, &[self.data.0], Place::NONE, None)?;
            return Ok(Value::NIL);
        }
        let block = block::to_proc(cx, passed)?;
        let list = make::array(cx, arguments);
        if let Some(keywords) = keywords {
            make::push(cx, list, keywords);
        }
        pin(list);
        let arguments = Arr::of(list);
        let first = arguments.get(0).unwrap_or(Value::NIL);
        let place = Place { frame, keywords: keywords.is_some(), ..Place::NONE };
        let start = arguments.elements(cx).as_ptr() as u64;
        let words = [first.0, self.data.0, arguments.len() as u64, start, block.0];
        let result = call_words(cx, self.function, &words, place, Some(self.tag));
        std::hint::black_box(list);
        result
    }
}

/// A Proc with a C function as its body; `place` is that of the method to whose block it yields.
pub fn native(cx: &mut Cx, function: *const c_void, data: Value, place: Place) -> Value {
    let tag = make::array(cx, &[]);
    tagged(cx, function, data, place, tag)
}

fn tagged(cx: &mut Cx, function: *const c_void, data: Value, place: Place, tag: Value) -> Value {
    block::native_proc(cx, Box::new(CBlock { function, data, place, tag, is_end_proc: false }), false)
}

/// A block that calls a C function with one word, regardless of the yielded values.
struct WordBlock {
    function: *const c_void,
    data: Value,
    place: Place,
}

impl heap::Trace for WordBlock {
    fn trace(&mut self, marker: &mut heap::Marker) {
        trace_word(self.data, marker);
    }
}

impl object::native::NativeData for WordBlock {
    object::one_vtable!(WordBlock);
}

impl NativeBlock for WordBlock {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        call_words(cx, self.function, &[self.data.0], self.place, None)
    }
}

/// A Proc of such a block.
pub fn word_block(cx: &mut Cx, function: *const c_void, data: Value, place: Place) -> Value {
    block::native_proc(cx, Box::new(WordBlock { function, data, place }), true)
}

/// A block that passes its arguments on to a C function.
struct Callback {
    function: *const c_void,
}

impl heap::Trace for Callback {
    fn trace(&mut self, _: &mut heap::Marker) {}
}

impl object::native::NativeData for Callback {
    object::one_vtable!(Callback);
}

impl NativeBlock for Callback {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        let words: Vec<u64> = arguments.iter().map(|v| v.0).collect();
        call_words(cx, self.function, &words, Place::NONE, None)
    }
}

/// A Proc that passes its arguments on to a C function, at most five.
pub fn callback(cx: &mut Cx, function: *const c_void) -> Value {
    block::native_proc(cx, Box::new(Callback { function }), true)
}

/// The Proc of `rb_set_end_proc`.
pub fn end_proc(cx: &mut Cx, function: *const c_void, data: Value) -> Value {
    let body = CBlock { function, data, place: Place::NONE, tag: Value::NIL, is_end_proc: true };
    block::native_proc(cx, Box::new(body), false)
}

pub fn rb_block_call(
    cx: &mut Cx,
    me: Value,
    id: u64,
    count: i32,
    argv: *const Value,
    function: *const c_void,
    data: Value,
) -> R {
    rb_block_call_kw(cx, me, id, count, argv, function, data, 0)
}

#[allow(clippy::too_many_arguments)]
pub fn rb_block_call_kw(
    cx: &mut Cx,
    me: Value,
    id: u64,
    count: i32,
    argv: *const Value,
    function: *const c_void,
    data: Value,
    keywords: i32,
) -> R {
    let place = Place::now();
    let tag = make::array(cx, &[]);
    let block = if function.is_null() { place.block() } else { BlockHandler(tagged(cx, function, data, place, tag)) };
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let result = call::send_full(cx, me, symbol::sym(id), arguments, keywords, block, call::Scope::Function);
    broken_out(cx, result, tag)
}

pub fn rb_iterate(cx: &mut Cx, body: *const c_void, data: Value, function: *const c_void, data2: Value) -> R {
    let place = Place::now();
    let tag = make::array(cx, &[]);
    let block = tagged(cx, function, data2, place, tag);
    // The C function is the block in the body: `rb_yield` there calls it, as it calls the block in the frame of a
    // method, and it is passed to the first method that the body calls.
    let result = crate::class::with_block_frame(cx, block, |cx, mut place| {
        place.passes_block = true;
        call_words(cx, body, &[data.0], place, None)
    });
    broken_out(cx, result, tag)
}

pub fn rb_each(cx: &mut Cx, v: Value) -> R {
    let block = Place::now().block();
    call::send_with_block(cx, v, runtime::sym::EACH, &[], block)
}

pub fn rb_proc_new(cx: &mut Cx, function: *const c_void, data: Value) -> R {
    Ok(native(cx, function, data, Place::NONE))
}

pub fn rb_proc_call(cx: &mut Cx, p: Value, arguments: Value) -> R {
    rb_proc_call_kw(cx, p, arguments, 0)
}

pub fn rb_proc_call_kw(cx: &mut Cx, p: Value, arguments: Value, keywords: i32) -> R {
    let list = convert::to_ary(cx, arguments)?;
    args::spread(cx, list, |cx, all| {
        let (arguments, keywords) = split_keywords(cx, all, keywords)?;
        block::call_block(cx, BlockHandler(p), arguments, keywords, BlockHandler::NONE)
    })
}

pub fn rb_proc_call_with_block(cx: &mut Cx, p: Value, count: i32, argv: *const Value, passed: Value) -> R {
    block::call_block(cx, BlockHandler(p), given::values(count, argv), None, BlockHandler(passed))
}

pub fn rb_proc_call_with_block_kw(
    cx: &mut Cx,
    p: Value,
    count: i32,
    argv: *const Value,
    passed: Value,
    keywords: i32,
) -> R {
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    block::call_block(cx, BlockHandler(p), arguments, keywords, BlockHandler(passed))
}

pub fn rb_proc_arity(cx: &mut Cx, p: Value) -> R<i32> {
    let arity = send(cx, p, "arity", &[])?;
    convert::to_i32(cx, arity)
}

pub fn rb_obj_is_proc(_: &mut Cx, v: Value) -> Value {
    Value::bool(cell::is(v, Type::Proc))
}

pub fn rb_enumeratorize(cx: &mut Cx, v: Value, method: Value, count: i32, argv: *const Value) -> R {
    rb_enumeratorize_with_size(cx, v, method, count, argv, std::ptr::null())
}

/// The block of `enum_for` that computes the size: a C function.
struct Size {
    function: *const c_void,
    me: Value,
    arguments: Value,
}

impl heap::Trace for Size {
    fn trace(&mut self, marker: &mut heap::Marker) {
        marker.value(self.me);
        marker.value(self.arguments);
    }
}

impl object::native::NativeData for Size {
    object::one_vtable!(Size);
}

impl NativeBlock for Size {
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        call_words(cx, self.function, &[self.me.0, self.arguments.0, Value::NIL.0], Place::NONE, None)
    }
}

pub fn rb_enumeratorize_with_size(
    cx: &mut Cx,
    v: Value,
    method: Value,
    count: i32,
    argv: *const Value,
    size: *const c_void,
) -> R {
    rb_enumeratorize_with_size_kw(cx, v, method, count, argv, size, 0)
}

pub fn rb_enumeratorize_with_size_kw(
    cx: &mut Cx,
    v: Value,
    method: Value,
    count: i32,
    argv: *const Value,
    size: *const c_void,
    keywords: i32,
) -> R {
    let list = make::array(cx, &[method]);
    for argument in given::values(count, argv) {
        make::push(cx, list, *argument);
    }
    let mut block = BlockHandler::NONE;
    if !size.is_null() {
        let arguments = make::array(cx, given::values(count, argv));
        let body = Size { function: size, me: v, arguments };
        block = BlockHandler(block::native_proc(cx, Box::new(body), true));
    }
    args::spread(cx, Arr::of(list), |cx, all| {
        let (arguments, keywords) = split_keywords(cx, all, keywords)?;
        call::send_full(cx, v, runtime::sym::TO_ENUM, arguments, keywords, block, call::Scope::Function)
    })
}

/// `rb_arithmetic_sequence_components_t`.
#[repr(C)]
pub struct Components {
    begin: Value,
    end: Value,
    step: Value,
    exclude_end: i32,
}

pub fn rb_arithmetic_sequence_extract(cx: &mut Cx, v: Value, to: *mut c_void) -> R<i32> {
    let class = runtime::error::class_name_of(cx, v);
    let mut made = Components { begin: Value::NIL, end: Value::NIL, step: Value::fixnum(1), exclude_end: 0 };
    if class == "Enumerator::ArithmeticSequence" {
        made.step = send(cx, v, "step", &[])?;
        (made.begin, made.end) = (send(cx, v, "begin", &[])?, send(cx, v, "end", &[])?);
        made.exclude_end = send(cx, v, "exclude_end?", &[])?.truthy() as i32;
    } else {
        let Components { begin, end, exclude_end, .. } = &mut made;
        if crate::object::rb_range_values(cx, v, begin, end, exclude_end)? == 0 {
            return Ok(0);
        }
    }
    given::write(to.cast::<Components>(), made);
    Ok(1)
}

pub fn rb_arithmetic_sequence_beg_len_step(
    cx: &mut Cx,
    v: Value,
    start: *mut i64,
    count: *mut i64,
    step: *mut i64,
    len: i64,
    mode: i32,
) -> R {
    let none = Value::NIL;
    let mut parts = Components { begin: none, end: none, step: none, exclude_end: 0 };
    if rb_arithmetic_sequence_extract(cx, v, (&raw mut parts).cast())? == 0 {
        return Ok(Value::FALSE);
    }
    let by = if parts.step.is_nil() { 1 } else { convert::to_i64(cx, parts.step)? };
    given::write(step, by);
    if by < 0 {
        // Whether the end is excluded is decided before the ends are swapped.
        if parts.exclude_end != 0 && !parts.end.is_nil() {
            parts.end = Value::fixnum(convert::to_i64(cx, parts.end)? + 1);
            parts.exclude_end = 0;
        }
        std::mem::swap(&mut parts.begin, &mut parts.end);
    }
    let strict = mode == 0 && !(-1..=1).contains(&by);
    let mode = if strict { 1 } else { mode };
    match crate::object::within(cx, parts.begin, parts.end, parts.exclude_end != 0, len, mode)? {
        Some((at, length)) if !strict || (at <= len && length <= len) => {
            given::write(start, at);
            given::write(count, length);
            Ok(Value::TRUE)
        }
        None if !strict => Ok(Value::NIL),
        _ => Err(crate::object::out_of_range(cx, v)),
    }
}

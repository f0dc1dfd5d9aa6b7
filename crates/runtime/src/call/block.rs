//! Blocks: yielding to them from Rust and making them objects.

use abi::{BlockHandler, Frame, FrameFlags, Scope, Type, Value};
use object::{
    Known, array, cell, class,
    hash::HashRef,
    method_entry::{self, Visibility},
    native, proc,
};

use super::bind::{self, Keywords};
use crate::{
    Cx, R, Sym,
    code::{Code, code},
    sym,
};

/// A block of Rust code as a Proc's body: what it keeps is traced with it.
pub trait NativeBlock: native::NativeData {
    fn call(&mut self, cx: &mut Cx, arguments: &[Value]) -> R;
    /// With keywords and a block; who has no use for them gets the keywords as a last argument.
    fn call_full(&mut self, cx: &mut Cx, arguments: &[Value], keywords: Option<Value>, _passed: BlockHandler) -> R {
        let Some(keywords) = keywords else { return self.call(cx, arguments) };
        let all = joined(cx, arguments, &[keywords]);
        self.call(cx, array::elements(&all))
    }
    /// As Proc#arity tells it.
    fn arity(&self) -> i64 {
        -1
    }
}

/// The cell content of a native block.
pub struct NativeBlockBox(pub Box<dyn NativeBlock>);

impl native::NativeData for NativeBlockBox {
    fn trace(&mut self, marker: &mut heap::Marker) {
        self.0.trace(marker);
    }
}

/// A Proc that runs Rust code.
pub fn native_proc(cx: &mut Cx, body: Box<dyn NativeBlock>, lambda: bool) -> Value {
    let internal = cx.class(Known::Internal);
    let closure = native::new(cx, internal, Box::new(NativeBlockBox(body)));
    let class = cx.class(Known::Proc);
    proc::new(cx, class, Value::NIL, closure, Value::NIL, proc::NATIVE | if lambda { proc::LAMBDA } else { 0 })
}

/// The block as a Proc (nil stays nil).
pub fn to_proc(cx: &mut Cx, block: BlockHandler) -> R {
    let Some(frame) = block.frame() else {
        if Sym::from_value(block.0).is_some() {
            return symbol_proc(cx, block.0);
        }
        return Ok(block.0);
    };
    // SAFETY: the frame that passes a literal block lives as long as the call it makes.
    let (scope, body) = unsafe { (&raw const (*frame).scope, (*frame).block_code) };
    let environment = cx.environment_of(scope);
    // SAFETY: register 0 of a live frame.
    let me = unsafe { *(*scope).slots };
    let class = cx.class(Known::Proc);
    Ok(proc::new(cx, class, environment, body, me, 0))
}

/// `:name.to_proc`: a lambda that sends `name` to its first argument.
pub fn symbol_proc(cx: &mut Cx, symbol: Value) -> R {
    let class = cx.class(Known::Proc);
    Ok(proc::new(cx, class, Value::NIL, symbol, Value::NIL, proc::LAMBDA | proc::FROM_SYMBOL))
}

/// A block argument (`&v`) as what is passed: nil, a Proc, a Symbol or what to_proc gives.
pub fn block_argument(cx: &mut Cx, v: Value) -> R<BlockHandler> {
    // A frame's literal block passed on without becoming an object.
    if v.is_nil()
        || v.is_fixnum() && BlockHandler(v).frame().is_some_and(|f| is_live_frame(cx, f))
        || cell::is(v, Type::Proc)
    {
        return Ok(BlockHandler(v));
    }
    if Sym::from_value(v).is_some() && super::is_native_method(cx, v, sym::TO_PROC) {
        return if cx.vm().refinements_used { refined_symbol(cx, v) } else { Ok(BlockHandler(v)) };
    }
    let scope = cx.frame().scope.cref;
    let class = object::class::class_of(cx, v);
    let refined = if cx.vm().refinements_used && scope.is_heap() {
        crate::refinements::find(cx, scope, class, sym::TO_PROC)
    } else {
        None
    };
    let made = match refined {
        Some(refined) => Some(super::invoke::call_entry(cx, refined, v, &[], None, BlockHandler::NONE)?),
        None => super::send_if_responds(cx, v, sym::TO_PROC, &[])?,
    };
    match made {
        Some(p) if cell::is(p, Type::Proc) => Ok(BlockHandler(p)),
        Some(other) => {
            let (from, got) = (crate::error::describe_for_conversion(cx, v), crate::error::class_name_of(cx, other));
            Err(cx.type_error(&format!("can't convert {from} to Proc ({from}#to_proc gives {got})")))
        }
        None => {
            let from = crate::error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("wrong argument type {from} (expected Proc)")))
        }
    }
}

/// `&:name` where refinements are active: a Proc that knows the lexical scope.
fn refined_symbol(cx: &mut Cx, symbol: Value) -> R<BlockHandler> {
    let scope = cx.frame().scope.cref;
    if scope.is_nil() || crate::constants::cref::refinements(scope).is_nil() {
        return Ok(BlockHandler(symbol));
    }
    let class = cx.class(Known::Proc);
    Ok(BlockHandler(proc::new(cx, class, Value::NIL, symbol, scope, proc::LAMBDA | proc::FROM_SYMBOL)))
}

fn is_live_frame(cx: &Cx, frame: *mut Frame) -> bool {
    (frame as usize) >= cx.frame as usize && (frame as usize) < cx.stack.high as usize && (frame as usize) & 7 == 0
}

/// What a block runs, where and as whom.
#[derive(Clone, Copy)]
pub struct Target {
    pub scope: *const Scope,
    pub body: Value,
    pub me: Value,
    pub lambda: bool,
}

/// The target of a block that is Ruby code; `None` for symbols, methods and native blocks.
#[inline]
pub fn target(block: BlockHandler) -> Option<Target> {
    if let Some(frame) = block.frame() {
        // SAFETY: as in `to_proc`.
        return unsafe {
            Some(Target {
                scope: &raw const (*frame).scope,
                body: (*frame).block_code,
                me: *(*frame).scope.slots,
                lambda: false,
            })
        };
    }
    let p = block.0;
    if !cell::is(p, Type::Proc) || cell::header(p).has(proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD) {
        return None;
    }
    let scope = object::environment::scope(proc::environment(p));
    Some(Target { scope, body: proc::code(p), me: proc::receiver(p), lambda: proc::is_lambda(p) })
}

/// Pushes the frame of a block whose arguments lie from `base + 1` on. Gives its code; arguments are still to be bound.
///
/// # Safety
/// `base` lies above the running frame's live registers, with `extra` words in use after it.
pub unsafe fn push_block_frame(
    cx: &mut Cx,
    t: Target,
    base: *mut Value,
    extra: usize,
    block: BlockHandler,
    flags: u32,
    destination: u32,
) -> R<&'static Code> {
    let body = code(t.body);
    let registers = (body.registers as usize).max(extra + 2);
    cx.check_stack(base, registers)?;
    // SAFETY: room was checked; the scope is alive as the block is.
    unsafe {
        *base = t.me;
        for i in 1 + extra..registers {
            *base.add(i) = Value::NIL;
        }
        let lambda = if t.lambda { FrameFlags::LAMBDA } else { 0 };
        cx.push_frame(Frame {
            scope: Scope {
                slots: base,
                outer: t.scope,
                cref: (*t.scope).cref,
                entry: (*t.scope).entry,
                block,
                special: Value::NIL,
                code: t.body,
                environment: Value::NIL,
            },
            pc: body.start(),
            block_code: Value::NIL,
            flags: FrameFlags::BLOCK | lambda | flags,
            destination,
            registers: registers as u32,
        });
    }
    Ok(body)
}

/// `yield v`
#[inline]
pub fn yield_one(cx: &mut Cx, block: BlockHandler, v: Value) -> R {
    call_block(cx, block, &[v], None, BlockHandler::NONE)
}

/// `yield a, b, …`
#[inline]
pub fn yield_values(cx: &mut Cx, block: BlockHandler, values: &[Value]) -> R {
    call_block(cx, block, values, None, BlockHandler::NONE)
}

/// `yield [a, b]`: one array, taken apart by a block of several parameters.
pub fn yield_array(cx: &mut Cx, block: BlockHandler, values: &[Value]) -> R {
    let list = crate::make::array(cx, values);
    call_block(cx, block, &[list], None, BlockHandler::NONE)
}

/// Calls a block with everything. LocalJumpError when there is none.
pub fn call_block(
    cx: &mut Cx,
    block: BlockHandler,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    call_block_as(cx, block, None, Value::NIL, arguments, keywords, passed)
}

/// The same with another self (instance_exec) and lexical scope (`cref` nil: its own).
pub fn call_block_as(
    cx: &mut Cx,
    block: BlockHandler,
    me: Option<Value>,
    cref: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    if block.is_none() {
        return Err(no_block(cx));
    }
    let Some(mut t) = target(block) else { return call_other(cx, block, arguments, keywords, passed) };
    cx.check_native_stack()?;
    if let Some(me) = me {
        t.me = me;
    }
    let base = cx.stack_top();
    let count = arguments.len();
    let extra = count + keywords.is_some() as usize;
    cx.check_stack(base, extra + 2)?;
    // SAFETY: room was checked; the words are above the running frame.
    unsafe {
        match arguments {
            // A call of memcpy for one word costs more than the word.
            [one] => *base.add(1) = *one,
            _ => std::ptr::copy_nonoverlapping(arguments.as_ptr(), base.add(1), count),
        }
        if let Some(keywords) = keywords {
            *base.add(1 + count) = keywords;
        }
        let body = push_block_frame(cx, t, base, extra, passed, FrameFlags::ENTRY, 0)?;
        if !cref.is_nil() {
            cx.frame_mut().scope.cref = cref;
        }
        finish_binding(cx, body, count, keywords, t.lambda)?;
    }
    (cx.vm().hooks.run)(cx)
}

/// Binds the arguments of the frame just pushed; pops it when that fails.
pub fn finish_binding(cx: &mut Cx, body: &Code, count: usize, keywords: Option<Value>, strict: bool) -> R<()> {
    let required = body.parameters.required as usize;
    if body.parameters.packed && keywords.is_none() && count == 1 {
        cx.frame_mut().registers = body.registers as u32;
        return Ok(());
    }
    if body.simple && keywords.is_none() && (count == required || required == 0 && count == 1 && !strict) {
        let frame = cx.frame_mut();
        if count > required {
            // SAFETY: the frame was pushed with room for its arguments.
            unsafe { *frame.scope.slots.add(1) = Value::NIL };
        }
        frame.registers = body.registers as u32;
        return Ok(());
    }
    let keywords = keywords.map_or(Keywords::None, Keywords::Hash);
    bind::bind(cx, body, count, keywords, !strict).inspect_err(|_| cx.pop_frame())
}

#[cold]
pub fn no_block(cx: &mut Cx) -> crate::Unwind {
    let class = cx.error_class(crate::error::ErrorClass::LocalJumpError);
    let text = crate::make::text(cx, "no block given (yield)");
    let exception = crate::error::new_exception(cx, class, text);
    let reason = object::symbol::table::intern_text(cx, "noreason");
    object::shape::ivars::set_hidden(cx, exception, sym::MEMO_REASON, reason.value());
    object::shape::ivars::set_hidden(cx, exception, sym::MEMO_VALUE, Value::NIL);
    crate::error::raise_exception(cx, exception)
}

/// Blocks that are no Ruby code.
fn call_other(
    cx: &mut Cx,
    block: BlockHandler,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    let v = block.0;
    if Sym::from_value(v).is_some() {
        return call_symbol(cx, Sym::of(v), arguments, keywords, passed);
    }
    if !cell::is(v, Type::Proc) {
        return super::send_full(cx, v, sym::CALL, arguments, keywords, passed, super::Scope::Public);
    }
    let body = proc::code(v);
    if cell::header(v).has(proc::NATIVE) {
        cx.check_native_stack()?;
        let Some(native) = native::get_mut::<NativeBlockBox>(cx, body) else { return Ok(Value::NIL) };
        return native.0.call_full(cx, arguments, keywords, passed);
    }
    if cell::header(v).has(proc::FROM_SYMBOL) {
        let scope = proc::receiver(v);
        if scope.is_heap()
            && let Some((receiver, rest)) = arguments.split_first()
        {
            let class = object::class::class_of(cx, *receiver);
            if let Some(refined) = crate::refinements::find(cx, scope, class, Sym::of(body)) {
                return super::invoke::call_entry(cx, refined, *receiver, rest, keywords, passed);
            }
        }
        return call_symbol(cx, Sym::of(body), arguments, keywords, passed);
    }
    super::send_full(cx, body, sym::CALL, arguments, keywords, passed, super::Scope::Public)
}

/// `first` and `second` in one new array.
fn joined(cx: &mut Cx, first: &[Value], second: &[Value]) -> Value {
    let all = crate::make::array(cx, first);
    for v in second {
        crate::make::push(cx, all, *v);
    }
    all
}

fn call_symbol(cx: &mut Cx, name: Sym, arguments: &[Value], keywords: Option<Value>, passed: BlockHandler) -> R {
    let Some((receiver, rest)) = arguments.split_first() else { return Err(cx.argument_error("no receiver given")) };
    let class = class::class_of(cx, *receiver);
    let entry = class::lookup::find_method(cx, class, name);
    // Public methods alone: whoever calls the block is no sender whose class counts.
    if entry.is_undef() || method_entry::visibility(entry) != Visibility::Public {
        let scope = super::Scope::Public;
        return super::missing::call_method_missing(cx, *receiver, name, rest, keywords, passed, scope, entry);
    }
    super::invoke::call_entry(cx, entry, *receiver, rest, keywords, passed)
}

/// Proc#call from Rust.
pub fn call_proc(cx: &mut Cx, p: Value, arguments: &[Value]) -> R {
    call_block(cx, BlockHandler(p), arguments, None, BlockHandler::NONE)
}

/// Proc#call with what was put aside by `put_aside`.
pub fn call_with_aside(cx: &mut Cx, p: Value, arguments: &[Value]) -> R {
    match arguments.split_last() {
        Some((last, rest)) if bind::flagged_keywords(*last) => {
            HashRef::of(*last).set_ruby2_keywords(false);
            call_block(cx, BlockHandler(p), rest, Some(*last), BlockHandler::NONE)
        }
        _ => call_proc(cx, p, arguments),
    }
}

/// Arguments that another fiber or thread is to call a Proc with, in one Array: keywords at the end, flagged as such.
pub fn put_aside(cx: &mut Cx, arguments: &[Value], keywords: Option<Value>) -> Value {
    let list = crate::make::array(cx, arguments);
    if let Some(keywords) = keywords {
        let keywords = crate::keys::dup(cx, keywords);
        HashRef::of(keywords).set_ruby2_keywords(true);
        crate::make::push(cx, list, keywords);
    }
    list
}

/// A method's body that is a block (define_method): self is the receiver, `return` leaves it.
pub fn call_bmethod(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    crate::concurrency::ractor::access::check_method_body(cx, entry)?;
    let p = object::method_entry::body(entry);
    let Some(mut t) = target(BlockHandler(p)) else {
        // A symbol's receiver is the first argument, not the object.
        let all = joined(cx, arguments, &[]);
        return call_other(cx, BlockHandler(p), array::elements(&all), keywords, passed);
    };
    cx.check_native_stack()?;
    t.me = receiver;
    t.lambda = true;
    let base = cx.stack_top();
    let count = arguments.len();
    let extra = count + keywords.is_some() as usize;
    cx.check_stack(base, extra + 2)?;
    // SAFETY: as in `call_block_as`.
    unsafe {
        std::ptr::copy_nonoverlapping(arguments.as_ptr(), base.add(1), count);
        if let Some(keywords) = keywords {
            *base.add(1 + count) = keywords;
        }
        let body = push_block_frame(cx, t, base, extra, passed, FrameFlags::ENTRY | FrameFlags::BMETHOD, 0)?;
        cx.frame_mut().scope.entry = entry;
        finish_binding(cx, body, count, keywords, true)?;
    }
    (cx.vm().hooks.run)(cx)
}

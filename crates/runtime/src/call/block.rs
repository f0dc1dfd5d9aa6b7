//! Blocks: yielding to them, from instructions and from Rust.

use std::ptr::NonNull;

use abi::{BlockHandler, FrameFlags, Type, Value};
use object::{
    array, cell, class,
    hash::HashRef,
    method_entry::{self, Visibility},
    native, proc,
};

pub use super::native_block::{NativeBlock, native_proc};
use super::{
    Window, bind,
    description::{Action, Call, Keywords, Scope, flagged_keywords, run_pushed},
    dispatch::{self, send_full},
    frames, missing,
    native_block::NativeBlockBox,
};
use crate::{
    Cx, R, Sym,
    basic_ops::BasicOp,
    code::{Code, code},
    error, isolation, keyword_hash, literal_arguments, make,
    method_object::{self, MethodData},
    refinements, sym,
};
pub use crate::{
    frame::{symbol_proc, to_proc},
    reflect::{Target, block_symbol, target},
};

/// Pushes the frame of a block of Ruby code and binds its arguments.
///
/// The window must have no words in use beyond those of the call.
pub fn enter(cx: &mut Cx, target: Target, call: &Call) -> R<()> {
    let body = code(&target.body);
    let extra = call.words();
    let registers = (body.registers as usize).max(extra + 2);
    cx.check_stack(call.window.base(), registers)?;
    call.window.set(0, target.me);
    call.window.clear(1 + extra, registers);
    // SAFETY: the scope is that of the call's block: of a frame below this one, or of the environment of a Proc that
    // the call refers to.
    let frame =
        unsafe { frames::block(body, &target, call.window, registers, call.block, call.flags, call.destination) };
    cx.push_frame(frame);
    let required = body.parameters.required as usize;
    let plain = matches!(call.keywords, Keywords::None);
    let drops = body.simple && required == 0 && call.count == 1 && !target.lambda;
    if plain && (drops || body.simple && call.count == required || body.parameters.packed && call.count == 1) {
        if drops {
            // The register belongs to a variable of the block.
            call.window.set(1, Value::NIL);
        }
        cx.frame_mut().registers = body.registers as u32;
        return cx.safepoint_of_call();
    }
    bind::bind(cx, body, call, !target.lambda).inspect_err(|_| cx.pop_frame())?;
    cx.safepoint_of_call()
}

/// `yield` to a block that has only required parameters, with no keywords and no block: the fastest path into a block.
/// Returns its code, which the frame keeps alive. Superfluous values are dropped, missing ones are nil. One Array for
/// several parameters is taken apart; any other single value may be converted to one, which is left to [`enter`]:
/// `None`.
#[inline(always)]
pub fn enter_simple(cx: &mut Cx, call: &Call) -> R<Option<NonNull<Code>>> {
    let Some(target) = target(call.block) else { return Ok(None) };
    let body = code(&target.body);
    let code = NonNull::from_ref(body);
    let mut required = body.parameters.required as usize;
    let mut is_list = false;
    if body.parameters.packed && call.count == 1 {
        required = 1;
    } else if !body.simple {
        return Ok(None);
    } else if call.count != required {
        is_list = call.count == 1 && required > 1;
        if target.lambda || is_list && !cell::is(call.window.get(1), Type::Array) {
            return Ok(None);
        }
    }
    let registers = body.registers as usize;
    cx.check_stack(call.window.base(), registers)?;
    let given = if is_list { take_apart(cx, call.window, required) } else { call.count.min(required) };
    call.window.set(0, target.me);
    call.window.clear(1 + given, registers);
    // SAFETY: the scope of a block lives as long as the call that it is passed to.
    let frame = unsafe {
        frames::block(body, &target, call.window, registers, BlockHandler::NONE, call.flags, call.destination)
    };
    cx.push_inner_frame(frame);
    cx.safepoint_of_call()?;
    Ok(Some(code))
}

/// Replaces the Array that is the only argument by its first elements, at most `most`; returns their number. The window
/// has room for them.
#[inline(always)]
fn take_apart(cx: &Cx, window: Window, most: usize) -> usize {
    let list = array::Arr::of(window.get(1));
    let elements = list.elements(cx);
    for (i, v) in elements.iter().take(most).enumerate() {
        window.set(1 + i, *v);
    }
    elements.len().min(most)
}

/// Calls a block of any kind. The first word of the window is free; the call's own block is passed on.
#[inline]
pub fn dispatch(cx: &mut Cx, block: BlockHandler, call: &Call) -> R<Action> {
    match target(block) {
        Some(target) if runs_for(&target, call) => enter(cx, target, call).map(|()| Action::Entered),
        _ => dispatch_other(cx, block, call),
    }
}

/// Whether the block's code runs for the call. The code of `&:name` runs only for a single value.
#[inline]
fn runs_for(target: &Target, call: &Call) -> bool {
    let is_of_one = || call.count == 1 && matches!(call.keywords, Keywords::None) && call.block.is_none();
    !code(&target.body).parameters.of_symbol || is_of_one()
}

/// Whether `&:name` passes its literal block: it calls what it would call from Rust.
#[inline]
pub fn passes_symbols_as_literals(cx: &Cx) -> bool {
    cx.vm().redefined.symbol & BasicOp::ToProc.bit() == 0 && !refinements::are_active(cx)
}

/// Blocks that are not Ruby code: symbols, methods, Rust functions.
fn dispatch_other(cx: &mut Cx, block: BlockHandler, call: &Call) -> R<Action> {
    let v = block.0;
    if block.is_none() {
        return Err(no_block(cx));
    }
    if let Some(name) = block_symbol(block) {
        return dispatch_symbol(cx, name, Value::NIL, call);
    }
    if let Some(action) = dispatch_symbol_proc(cx, v, call)? {
        return Ok(action);
    }
    let call = call.with_hash(cx)?;
    let keywords = call.hash();
    // The callee copies the arguments.
    call.keeping_window(cx, |cx| {
        if !cell::is(v, Type::Proc) {
            return send_full(cx, v, sym::CALL, call.arguments(), keywords, call.block, Scope::Public);
        }
        let body = proc::code(v);
        if cell::header(v).has(proc::NATIVE) {
            cx.check_native_stack()?;
            let Some(native) = native::get::<NativeBlockBox>(&body) else { return Ok(Value::NIL) };
            return native.0.call_full(cx, call.arguments(), keywords, call.block);
        }
        if let Some(&MethodData { receiver, entry, missing: false, .. }) = method_object::get(&body) {
            return dispatch::call_entry(cx, entry, receiver, call.arguments(), keywords, call.block);
        }
        send_full(cx, body, sym::CALL, call.arguments(), keywords, call.block, Scope::Public)
    })
    .map(Action::Value)
}

/// Calls the Proc of a Symbol; `None` for other blocks.
pub fn dispatch_symbol_proc(cx: &mut Cx, v: Value, call: &Call) -> R<Option<Action>> {
    if !cell::is(v, Type::Proc) || !cell::header(v).has(proc::FROM_SYMBOL) {
        return Ok(None);
    }
    dispatch_symbol(cx, Sym::of(proc::code(v)), proc::receiver(v), call).map(Some)
}

/// `&:name`: calls the public method of the first argument in place, or a refined one: that of `scope` if one is given,
/// else that of the code that calls the block.
fn dispatch_symbol(cx: &mut Cx, name: Sym, scope: Value, call: &Call) -> R<Action> {
    if call.count == 0 {
        return Err(cx.argument_error("no receiver given"));
    }
    let call = Call { window: call.window.from(1), count: call.count - 1, ..*call };
    let class = class::class_of(cx, call.window.receiver());
    let refined = match scope.is_heap() {
        true => refinements::find(cx, scope, class, name),
        false => refinements::find_for_caller(cx, class, name),
    };
    if let Some(refined) = refined {
        return dispatch::dispatch(cx, refined, &call);
    }
    let entry = class::lookup::find_method(cx, class, name);
    // Public methods only: the caller of the block has no class that could grant access.
    if entry.is_undef() || method_entry::visibility(entry) != Visibility::Public {
        return missing::dispatch(cx, name, entry, Scope::Public, &call);
    }
    dispatch::dispatch(cx, entry, &call)
}

/// A method whose body is a block (define_method): self is the receiver, `return` leaves it.
pub fn enter_method(cx: &mut Cx, entry: Value, call: &Call) -> R<Action> {
    isolation::access::check_method_body(cx, entry)?;
    let body = BlockHandler(method_entry::body(entry));
    let Some(target) = target(body) else {
        if cell::is(body.0, Type::Proc) && cell::header(body.0).has(proc::NATIVE) {
            return run_native_method(cx, entry, body.0, call).map(Action::Value);
        }
        // A symbol's receiver is the first argument, not the object.
        return dispatch_other(cx, body, call);
    };
    let target = Target { me: call.window.receiver(), lambda: true, ..target };
    enter(cx, target, &Call { flags: call.flags | FrameFlags::BMETHOD, ..*call })?;
    cx.frame_mut().scope.entry = entry;
    Ok(Action::Entered)
}

/// A method whose body is a block of Rust or C: it runs in its own frame, which has the receiver, but no block; the
/// call's block is passed to the body.
fn run_native_method(cx: &mut Cx, entry: Value, body: Value, call: &Call) -> R {
    cx.check_native_stack()?;
    let body = proc::code(body);
    let Some(native) = native::get::<NativeBlockBox>(&body) else { return Ok(Value::NIL) };
    let call = call.with_hash(cx)?;
    let keywords = call.hash();
    let words = 1 + call.count + keywords.is_some() as usize;
    cx.push_frame(frames::native(entry, call.window, words, BlockHandler::NONE, 0));
    let result = native.0.call_as_method(cx, call.arguments(), keywords, call.block);
    cx.pop_frame();
    result
}

/// `yield v`
#[inline]
pub fn yield_one(cx: &mut Cx, block: BlockHandler, v: Value) -> R {
    if enter_with_one(cx, block, v)? { run_pushed(cx) } else { call_block(cx, block, &[v], None, BlockHandler::NONE) }
}

/// Enters a block of Ruby code with one value, if that needs no binding of parameters.
#[inline]
fn enter_with_one(cx: &mut Cx, block: BlockHandler, v: Value) -> R<bool> {
    if cx.frame.is_null() {
        return Ok(false);
    }
    cx.check_native_stack()?;
    let base = cx.stack_top();
    cx.check_inner_stack(base, 2)?;
    // SAFETY: room for two words was checked; they lie above the running frame.
    let window = unsafe { Window::new(base) };
    window.set(0, Value::NIL);
    window.set(1, v);
    literal_arguments::own_window(cx, window, 2);
    let call = Call { flags: FrameFlags::ENTRY, ..Call::positional(window, 1, block, 0) };
    if enter_simple(cx, &call)?.is_none() {
        return Ok(false);
    }
    cx.entered += 1;
    Ok(true)
}

/// `yield a, b, …`
#[inline]
pub fn yield_values(cx: &mut Cx, block: BlockHandler, values: &[Value]) -> R {
    call_block(cx, block, values, None, BlockHandler::NONE)
}

/// `yield [a, b]`: one array, taken apart by a block of several parameters.
pub fn yield_array(cx: &mut Cx, block: BlockHandler, values: &[Value]) -> R {
    let list = make::array(cx, values);
    call_block(cx, block, &[list], None, BlockHandler::NONE)
}

/// Calls a block with all kinds of arguments. LocalJumpError if there is none.
pub fn call_block(
    cx: &mut Cx,
    block: BlockHandler,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    call_block_as(cx, block, None, Value::NIL, arguments, keywords, passed)
}

/// Like [`call_block`] with a different self (instance_exec) and lexical scope (`cref`; nil: the block's own).
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
    let call = Call::from_rust(cx, Value::NIL, arguments, keywords, passed)?;
    literal_arguments::own_window(cx, call.window, 1 + call.count);
    let Some(mut target) = target(block).filter(|target| runs_for(target, &call)) else {
        return dispatch_other(cx, block, &call)?.finish(cx);
    };
    if let Some(me) = me {
        target.me = me;
    }
    enter(cx, target, &call)?;
    if !cref.is_nil() {
        cx.frame_mut().scope.cref = cref;
    }
    Action::Entered.finish(cx)
}

#[cold]
pub fn no_block(cx: &mut Cx) -> crate::Unwind {
    let class = cx.error_class(error::ErrorClass::LocalJumpError);
    let text = make::text(cx, "no block given (yield)");
    let exception = error::new_exception(cx, class, text);
    let reason = object::symbol::table::intern_text(cx, "noreason");
    object::shape::ivars::set(cx, exception, sym::IVAR_EXIT_VALUE, Value::NIL);
    object::shape::ivars::set(cx, exception, sym::IVAR_REASON, reason.value());
    error::raise_exception(cx, exception)
}

/// Calls the block of a trace point with the point. What the block returns does not matter.
#[inline]
pub fn call_hook(cx: &mut Cx, p: Value, point: Value) -> R<()> {
    yield_one(cx, BlockHandler(p), point).map(drop)
}

/// Proc#call from Rust.
pub fn call_proc(cx: &mut Cx, p: Value, arguments: &[Value]) -> R {
    call_block(cx, BlockHandler(p), arguments, None, BlockHandler::NONE)
}

/// Proc#call with the arguments packed by `put_aside`.
pub fn call_with_aside(cx: &mut Cx, p: Value, arguments: &[Value]) -> R {
    match arguments.split_last() {
        Some((last, rest)) if flagged_keywords(*last) => {
            HashRef::of(*last).set_ruby2_keywords(false);
            call_block(cx, BlockHandler(p), rest, Some(*last), BlockHandler::NONE)
        }
        _ => call_proc(cx, p, arguments),
    }
}

/// Packs the arguments with which another fiber or thread will call a Proc into one Array: keywords at the end, flagged
/// as such.
pub fn put_aside(cx: &mut Cx, arguments: &[Value], keywords: Option<Value>) -> Value {
    let list = make::array(cx, arguments);
    if let Some(keywords) = keywords {
        let keywords = keyword_hash::dup(cx, keywords);
        HashRef::of(keywords).set_ruby2_keywords(true);
        make::push(cx, list, keywords);
    }
    list
}

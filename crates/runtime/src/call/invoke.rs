//! Running a method entry.

use abi::{BlockHandler, Frame, FrameFlags, Scope, Value};
use object::{
    cell, class,
    method_entry::{self, Kind},
    shape::ivars,
    structure,
};

use super::{
    bind::{self, Keywords},
    block,
};
use crate::{
    Args, Cx, R, Sym,
    code::{Code, code},
    concurrency::ractor::access,
    method_table::Method,
};

/// The row of a native entry.
#[inline(always)]
pub fn native_method(entry: Value) -> &'static Method {
    debug_assert!(method_entry::kind(entry) == Kind::Native);
    // SAFETY: native entries are made from rows of static tables.
    unsafe { &*method_entry::native(entry).cast::<Method>() }
}

/// Does a trace point wait for calls of native methods?
#[inline(always)]
pub fn calls_are_traced(cx: &Cx) -> bool {
    cx.vm().trace_events & (crate::trace::C_CALL | crate::trace::C_RETURN) != 0
}

/// The row of a method of the Ruby half that has a shortcut, unless calls are traced: the Ruby half knows how those are told.
#[inline(always)]
pub fn shortcut(cx: &Cx, entry: Value) -> Option<&'static Method> {
    let row = method_entry::native(entry);
    if row.is_null() || calls_are_traced(cx) {
        return None;
    }
    // SAFETY: rows of static tables.
    Some(unsafe { &*row.cast::<Method>() })
}

/// Runs `entry` from Rust.
pub fn call_entry(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    match method_entry::kind(entry) {
        Kind::Sequence => call_sequence(cx, entry, receiver, arguments, keywords, passed),
        Kind::Native => call_native(cx, entry, receiver, arguments, keywords, passed),
        Kind::Block => block::call_bmethod(cx, entry, receiver, arguments, keywords, passed),
        Kind::Alias => {
            let target = aliased(cx, entry);
            call_entry(cx, target, receiver, arguments, keywords, passed)
        }
        Kind::ZSuper => {
            let next = class::lookup::find_super(
                cx,
                method_entry::found_in(entry),
                method_entry::owner(entry),
                method_entry::name(entry),
            );
            if next.is_undef() {
                return super::missing::no_super(cx, receiver, method_entry::name(entry), arguments, keywords);
            }
            call_entry(cx, next, receiver, arguments, keywords, passed)
        }
        _ => call_simple(cx, entry, receiver, arguments),
    }
}

/// The entry that an alias runs: the original, known by both names.
pub fn aliased(_: &mut Cx, entry: Value) -> Value {
    method_entry::resolve_alias(entry)
}

/// Attribute and Struct accessors: no frame, unless calls are traced.
pub fn call_simple(cx: &mut Cx, entry: Value, receiver: Value, arguments: &[Value]) -> R {
    if !calls_are_traced(cx) {
        return access(cx, entry, receiver, arguments);
    }
    let base = cx.stack_top();
    cx.check_stack(base, arguments.len() + 2)?;
    // SAFETY: room was checked; the words are above the running frame.
    unsafe {
        *base = receiver;
        std::ptr::copy_nonoverlapping(arguments.as_ptr(), base.add(1), arguments.len());
    }
    push_native_frame(cx, entry, base, 1 + arguments.len(), BlockHandler::NONE);
    let result = match cx.event(crate::trace::C_CALL, Value::NIL, Value::NIL) {
        Ok(()) => access(cx, entry, receiver, arguments),
        Err(unwind) => Err(unwind),
    };
    let result = told_of_return(cx, result);
    cx.pop_frame();
    result
}

fn access(cx: &mut Cx, entry: Value, receiver: Value, arguments: &[Value]) -> R {
    let expected = matches!(method_entry::kind(entry), Kind::AttributeWriter | Kind::StructWriter) as usize;
    if arguments.len() != expected {
        return Err(cx.arity_error(arguments.len(), expected, Some(expected)));
    }
    let body = method_entry::body(entry);
    match method_entry::kind(entry) {
        Kind::AttributeReader => {
            let value = ivars::get(cx, receiver, Sym::of(body));
            access::check_read(cx, receiver, Sym::of(body), value)?;
            Ok(value.or(Value::NIL))
        }
        Kind::AttributeWriter => {
            set_ivar(cx, receiver, Sym::of(body), arguments[0])?;
            Ok(arguments[0])
        }
        Kind::StructReader => Ok(structure::get(receiver, body.fixnum_value() as usize).unwrap_or(Value::NIL)),
        _ => {
            cx.check_frozen(receiver)?;
            structure::set(cx, receiver, body.fixnum_value() as usize, arguments[0]);
            Ok(arguments[0])
        }
    }
}

/// `@name = to` on any receiver; FrozenError where it must not change.
#[inline]
pub fn set_ivar(cx: &mut Cx, receiver: Value, name: Sym, to: Value) -> R<()> {
    cx.check_frozen(receiver)?;
    access::check_write(cx, receiver)?;
    ivars::set(cx, receiver, name, to);
    Ok(())
}

/// Pushes the frame of a method's code; arguments lie from `base + 1` on, `extra` words of them.
///
/// # Safety
/// `base` lies in the running frame's call window or right above its registers.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
pub unsafe fn push_method_frame(
    cx: &mut Cx,
    entry: Value,
    body: &Code,
    base: *mut Value,
    extra: usize,
    passed: BlockHandler,
    flags: u32,
    destination: u32,
) -> R<()> {
    let registers = (body.registers as usize).max(extra + 2);
    cx.check_stack(base, registers)?;
    // SAFETY: room was checked.
    unsafe {
        for i in 1 + extra..registers {
            *base.add(i) = Value::NIL;
        }
        let own = body.own.get();
        cx.push_frame(Frame {
            scope: Scope {
                slots: base,
                outer: std::ptr::null(),
                cref: method_entry::cref(entry),
                entry,
                block: passed,
                special: Value::NIL,
                code: own,
                environment: Value::NIL,
            },
            pc: body.start(),
            block_code: Value::NIL,
            flags: FrameFlags::METHOD | flags,
            destination,
            registers: registers as u32,
        });
    }
    Ok(())
}

fn call_sequence(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    cx.check_native_stack()?;
    let body = code(method_entry::body(entry));
    let base = cx.stack_top();
    let count = arguments.len();
    if body.internal
        && passed.is_none()
        && keywords.is_none()
        && let Some(method) = shortcut(cx, entry)
        && method.accepts(count)
    {
        let v = call_row(cx, entry, method, receiver, arguments, None, passed)?;
        if !v.is_undef() {
            return Ok(v);
        }
    }
    let extra = count + keywords.is_some() as usize;
    cx.check_stack(base, extra + 2)?;
    // SAFETY: room was checked; the words are above the running frame.
    unsafe {
        *base = receiver;
        std::ptr::copy_nonoverlapping(arguments.as_ptr(), base.add(1), count);
        if let Some(keywords) = keywords {
            *base.add(1 + count) = keywords;
        }
        push_method_frame(cx, entry, body, base, extra, passed, FrameFlags::ENTRY, 0)?;
    }
    bind_method(cx, body, count, keywords.map_or(Keywords::None, Keywords::Hash))?;
    (cx.vm().hooks.run)(cx)
}

/// Binds the arguments of the method frame just pushed; pops it when that fails.
#[inline(always)]
pub fn bind_method(cx: &mut Cx, body: &Code, count: usize, keywords: Keywords) -> R<()> {
    let required = body.parameters.required as usize;
    if body.positional && matches!(keywords, Keywords::None) && count >= required {
        let most = required + body.parameters.optional as usize;
        if count <= most {
            let slots = cx.frame().scope.slots;
            for i in 1 + count..=most {
                // SAFETY: registers of the frame, which was pushed with room for all parameters; those not given are nil so far.
                unsafe { *slots.add(i) = Value::UNDEF };
            }
            cx.frame_mut().registers = body.registers as u32;
            return Ok(());
        }
    }
    bind::bind(cx, body, count, keywords, false).inspect_err(|_| cx.pop_frame())
}

fn call_native(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    call_row(cx, entry, native_method(entry), receiver, arguments, keywords, passed)
}

fn call_row(
    cx: &mut Cx,
    entry: Value,
    method: &'static Method,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    passed: BlockHandler,
) -> R {
    cx.check_native_stack()?;
    let base = cx.stack_top();
    let count = arguments.len();
    cx.check_stack(base, count + 3)?;
    // SAFETY: room was checked; the words are above the running frame.
    unsafe {
        *base = receiver;
        std::ptr::copy_nonoverlapping(arguments.as_ptr(), base.add(1), count);
        if let Some(keywords) = keywords {
            *base.add(1 + count) = keywords;
        }
        run_native(cx, entry, method, base, count, keywords.is_some(), passed)
    }
}

/// Runs a native method on arguments that lie from `base + 1` on, a hash of keywords after them when `keywords`. Pushes and pops its frame.
///
/// # Safety
/// `base` lies in the running frame's call window or right above its registers, with room checked for the words named.
#[inline]
pub unsafe fn run_native(
    cx: &mut Cx,
    entry: Value,
    method: &'static Method,
    base: *mut Value,
    count: usize,
    keywords: bool,
    passed: BlockHandler,
) -> R {
    let mut count = count;
    let mut keywords = keywords;
    if keywords {
        // SAFETY: the hash is the word after the arguments.
        let hash = unsafe { *base.add(1 + count) };
        if object::hash::HashRef::of(hash).is_empty() {
            keywords = false;
        } else if !method.keywords {
            count += 1;
            keywords = false;
        }
    }
    push_native_frame(cx, entry, base, 1 + count + keywords as usize, passed);
    if calls_are_traced(cx) {
        // SAFETY: the caller's, as below.
        return unsafe { run_native_traced(cx, method, base, count, keywords) };
    }
    let result = if method.accepts(count) {
        // SAFETY: the arguments lie there, kept by the frame.
        (method.function)(cx, unsafe { Args::new(base, count, keywords) })
    } else {
        let most = (!method.rest).then_some((method.required + method.optional) as usize);
        Err(cx.arity_error(count, method.required as usize, most))
    };
    cx.pop_frame();
    result
}

/// Pushes the frame of a native method, whose receiver and arguments are the `words` from `base` on.
#[inline(always)]
fn push_native_frame(cx: &mut Cx, entry: Value, base: *mut Value, words: usize, passed: BlockHandler) {
    cx.push_frame(Frame {
        scope: Scope {
            slots: base,
            outer: std::ptr::null(),
            cref: Value::NIL,
            entry,
            block: passed,
            special: Value::NIL,
            code: Value::NIL,
            environment: Value::NIL,
        },
        pc: std::ptr::null(),
        block_code: Value::NIL,
        flags: FrameFlags::NATIVE,
        destination: 0,
        registers: words as u32,
    });
}

/// Fires the c_return of a native method that gives `result`.
#[cold]
fn told_of_return(cx: &mut Cx, result: R) -> R {
    match result {
        Ok(v) => cx.event(crate::trace::C_RETURN, v, Value::NIL).map(|()| v),
        Err(_) if cx.vm().trace_events & crate::trace::C_RETURN == 0 => result,
        Err(_) if cx.unwinding.reason == crate::unwind::Reason::Abandon => result,
        Err(unwind) => {
            let told = cx.event_while_unwinding(crate::trace::C_RETURN, Value::NIL, Value::NIL);
            Err(told.err().unwrap_or(unwind))
        }
    }
}

/// The rest of `run_native` with the events of the call.
///
/// # Safety
/// As for `run_native`, whose frame is pushed.
#[cold]
#[inline(never)]
unsafe fn run_native_traced(cx: &mut Cx, method: &'static Method, base: *mut Value, count: usize, keywords: bool) -> R {
    let called = cx.event(crate::trace::C_CALL, Value::NIL, Value::NIL);
    let result = match called {
        Err(unwind) => Err(unwind),
        Ok(()) if method.accepts(count) => {
            // SAFETY: the caller's.
            (method.function)(cx, unsafe { Args::new(base, count, keywords) })
        }
        Ok(()) => {
            let most = (!method.rest).then_some((method.required + method.optional) as usize);
            Err(cx.arity_error(count, method.required as usize, most))
        }
    };
    let result = told_of_return(cx, result);
    cx.pop_frame();
    result
}

/// Method#arity of an entry.
pub fn arity_of(entry: Value) -> i64 {
    let entry = method_entry::resolve_alias(entry);
    match method_entry::kind(entry) {
        Kind::Sequence => code_arity(code(method_entry::body(entry)), true),
        Kind::Native => native_method(entry).arity(),
        Kind::AttributeWriter | Kind::StructWriter => 1,
        Kind::AttributeReader | Kind::StructReader => 0,
        Kind::Block => proc_arity(method_entry::body(entry), true),
        _ => -1,
    }
}

/// Arity of a sequence; `strict` for methods and lambdas.
pub fn code_arity(code: &Code, strict: bool) -> i64 {
    let p = &code.parameters;
    let required = (p.required + p.post) as i64;
    let required_keyword = p.keywords.iter().any(|(_, required)| *required);
    if p.rest.is_some() || (strict && p.optional > 0) {
        return -(required + required_keyword as i64) - 1;
    }
    if !strict && p.optional > 0 {
        return -required - 1;
    }
    if required_keyword {
        return required + 1;
    }
    if strict && (!p.keywords.is_empty() || p.keyword_rest.is_some()) {
        return -required - 1;
    }
    required
}

/// Arity of a Proc; `strict` where it is used as a lambda.
pub fn proc_arity(p: Value, strict: bool) -> i64 {
    use object::proc;
    let header = cell::header(p);
    if header.has(proc::FROM_SYMBOL) {
        return -2;
    }
    if header.has(proc::NATIVE) {
        return object::native::get::<block::NativeBlockBox>(proc::code(p)).map_or(-1, |b| b.0.arity());
    }
    if header.has(proc::FROM_METHOD) {
        return crate::method_object::get(proc::code(p)).map_or(-1, |m| if m.missing { -1 } else { arity_of(m.entry) });
    }
    code_arity(code(proc::code(p)), strict)
}

/// Is the method there only to say that the system lacks it?
pub fn is_not_implemented(entry: Value) -> bool {
    method_entry::kind(entry) == Kind::Native && native_method(entry).facts.absent
}

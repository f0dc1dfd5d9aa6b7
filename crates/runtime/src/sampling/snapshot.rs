//! The running frames for a profiler in C, which may ask for them in a signal handler.

use abi::{Frame, FrameFlags, Type, Value};
use object::{cell, method_entry, native};

use crate::{
    Cx,
    code::{Code, code},
};

/// Calls `f` with what each frame runs, innermost first, and its line, until it returns false: the entry of a method,
/// or the code of a block outside of methods, a class body or a file. The line of a native method is 0.
///
/// In a signal handler, the innermost frame may be about to be changed; it is left out if its words are those of no
/// code or entry. Its line is that of the last instruction that saved its position.
pub fn frames(cx: &Cx, f: &mut dyn FnMut(Value, i32) -> bool) {
    let (low, high) = (cx.stack.low as usize, cx.stack.high as usize);
    let mut at = cx.frame as usize;
    if at < low || at >= high || !(high - at).is_multiple_of(size_of::<Frame>()) {
        // A thread without frames, or one that is just switching to another fiber.
        return;
    }
    while at < high {
        // SAFETY: the record lies within the stack, which is mapped as long as its thread or fiber exists.
        let frame = unsafe { &*(at as *const Frame) };
        at += size_of::<Frame>();
        if let Some((shown, line)) = shown(cx, frame)
            && !f(shown, line)
        {
            return;
        }
    }
}

fn shown(cx: &Cx, frame: &Frame) -> Option<(Value, i32)> {
    if frame.flags & FrameFlags::HIDDEN != 0 {
        return None;
    }
    let (own, entry) = (frame.scope.code, frame.scope.entry);
    let has_entry = entry.is_heap() && cx.may_be_object(entry.0 as usize) && cell::is(entry, Type::MethodEntry);
    if own.is_nil() {
        return has_entry.then_some((entry, 0));
    }
    if !own.is_heap() || !cx.may_be_object(own.0 as usize) || native::get::<Code>(&own).is_none() {
        return None;
    }
    let body = code(&own);
    if body.internal {
        let is_method = body.block_depth == 0 && body.kind == bytecode::Kind::Method;
        return (is_method && has_entry && !is_helper(cx, entry)).then_some((entry, 0));
    }
    let is_of_method = has_entry && method_entry::kind(entry) == method_entry::Kind::Sequence;
    Some((if is_of_method { entry } else { own }, line(body, frame)))
}

/// A helper that a core method's Ruby half calls (`__name`).
fn is_helper(cx: &Cx, entry: Value) -> bool {
    method_entry::original_name(entry).bytes(cx).starts_with(b"__")
}

fn line(body: &Code, frame: &Frame) -> i32 {
    match body.executing(frame.pc) {
        Some(word) => body.line(word),
        None => body.first_line,
    }
}

/// The code behind a frame's value: that of the method, or itself. `None` for a native method, and for a core method in
/// Ruby.
pub fn code_of(shown: Value) -> Option<Value> {
    let own = if cell::is(shown, Type::MethodEntry) { method_entry::body(shown) } else { shown };
    let body = native::get::<Code>(&own)?;
    (!body.internal).then_some(own)
}

/// The code of the method around a frame's block; `None` outside of methods.
pub fn method_around(shown: Value) -> Option<Value> {
    let mut own = code_of(shown)?;
    while code(&own).block_depth > 0 && !code(&own).parent.get().is_nil() {
        own = code(&own).parent.get();
    }
    (code(&own).kind == bytecode::Kind::Method).then_some(own)
}

//! The running frames for a profiler in C, which may ask for them in a signal handler.

use abi::{Frame, FrameFlags, Type, Value};
use object::{cell, method_entry, native};

use crate::{
    Cx,
    code::{Code, code, live_code, open_frames::OpenFrames, tier::InlinedBody},
    state::stack::MOST_INLINED_FRAMES,
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
        let frame = unsafe { words_of(&*(at as *const Frame)) };
        let mut goes_on = true;
        let mut show = |body: InlinedBody| {
            goes_on = goes_on && shown(cx, body).is_none_or(|(shown, line)| f(shown, line));
        };
        let pc = show_open(cx, at, high, &mut show).unwrap_or_else(|| pc_at(at));
        if frame.flags & FrameFlags::HIDDEN == 0 {
            show(InlinedBody { code: frame.scope.code, entry: frame.scope.entry, pc });
        }
        if !goes_on {
            return;
        }
        // The frame below open ones describes them.
        at += (1 + (frame.open as usize).min(MOST_INLINED_FRAMES)) * size_of::<Frame>();
    }
}

/// A frame, or the image of one that compiled code has left open.
///
/// # Safety
/// The frame was pushed, and not left since.
unsafe fn words_of(frame: &Frame) -> &Frame {
    // SAFETY: this function's contract; an image is the words of a frame.
    unsafe { OpenFrames::image(frame.scope.environment).map_or(frame, |image| &*image.0.as_ptr().cast::<Frame>()) }
}

/// The `pc` of the frame at an address within the stack.
fn pc_at(at: usize) -> u64 {
    // SAFETY: the record lies within the stack.
    unsafe { (*(at as *const Frame)).pc as u64 }
}

/// Calls `show` with the bodies of open frames above the frame at an address, innermost first; returns that frame's own
/// `pc`. `None` if it has none. The frame of the compiled code is the one at the address or one of those that follow.
fn show_open(cx: &Cx, at: usize, high: usize, show: &mut dyn FnMut(InlinedBody)) -> Option<u64> {
    // SAFETY: the records lie within the stack.
    let frame = |at: usize| unsafe { words_of(&*(at as *const Frame)) };
    let pc = pc_at(at);
    if pc & OpenFrames::TAG == 0 {
        return None;
    }
    let is_innermost = at == cx.frame as usize;
    let mut described = |open: &OpenFrames| {
        // What the innermost frame describes is an earlier call.
        if !is_innermost {
            open.bodies().for_each(&mut *show);
        }
        open.pc_below()
    };
    let mut frames = (at..high).step_by(size_of::<Frame>()).take(1 + MOST_INLINED_FRAMES).map(frame);
    frames.find_map(|frame| code_in(cx, frame.scope.code)?.tier.with_open_frames(pc, &mut described))
}

/// The code object in a frame's word; `None` if it is none.
fn code_in<'a>(cx: &Cx, word: Value) -> Option<&'a Code> {
    let is_code = word.is_heap() && cx.may_be_object(word.0 as usize) && native::get::<Code>(&word).is_some();
    // SAFETY: the code of a frame that is under way.
    is_code.then(|| unsafe { live_code(word) })
}

fn shown(cx: &Cx, body: InlinedBody) -> Option<(Value, i32)> {
    let InlinedBody { code: own, entry, pc } = body;
    let has_entry = entry.is_heap() && cx.may_be_object(entry.0 as usize) && cell::is(entry, Type::MethodEntry);
    if own.is_nil() {
        return has_entry.then_some((entry, 0));
    }
    let body = code_in(cx, own)?;
    if body.internal {
        let is_method = body.block_depth == 0 && body.kind == bytecode::Kind::Method;
        return (is_method && has_entry && !is_helper(cx, entry)).then_some((entry, 0));
    }
    let is_of_method = has_entry && method_entry::kind(entry) == method_entry::Kind::Sequence;
    Some((if is_of_method { entry } else { own }, line(body, pc)))
}

/// A helper that a core method's Ruby half calls (`__name`).
fn is_helper(cx: &Cx, entry: Value) -> bool {
    method_entry::original_name(entry).bytes(cx).starts_with(b"__")
}

fn line(body: &Code, pc: u64) -> i32 {
    match body.executing(pc as *const u64) {
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

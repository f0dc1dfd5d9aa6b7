//! Native methods: their frames, their arguments and the events of their calls.

use abi::{BlockHandler, Frame, FrameFlags, Value};
use object::method_entry::{self, Kind};

use super::{
    Window,
    counts::least_named,
    description::{Call, Keywords},
};
use crate::{
    Args, Cx, R,
    call::frames,
    method_table::{Method, row},
    trace::{C_CALL, C_RETURN, VERIFY_FACTS, calls_are_traced},
    unlinked, verify_facts,
};

/// The row of a method of the Ruby half that has a shortcut. `None` while calls are traced: the Ruby half fires the
/// events of a call.
#[inline(always)]
pub fn shortcut(cx: &Cx, entry: Value) -> Option<&'static Method> {
    let row = method_entry::native(entry);
    if row.is_null() || calls_are_traced(cx) {
        return None;
    }
    // SAFETY: rows of static tables.
    Some(unsafe { &*row.cast::<Method>() })
}

/// The flags of an `initialize` that is called by `new`.
const OF_NEW: u32 = FrameFlags::RECEIVER_RESULT | FrameFlags::SHOWS_NEW;

/// Tries the shortcut of a method of the Ruby half. `None`: there is none for this call, or it declined.
#[inline]
pub fn try_shortcut(cx: &mut Cx, entry: Value, call: &Call) -> R<Option<Value>> {
    if method_entry::kind(entry) == Kind::Sequence
        && call.block.is_none()
        && matches!(call.keywords, Keywords::None)
        && unlinked::is_internal(&method_entry::body(entry))
        && let Some(row) = shortcut(cx, entry)
        && row.accepts(call.count)
    {
        let (window, count, flags) = (call.window, call.count, call.flags & OF_NEW);
        let given = Given { window, count, keywords: false, passed: BlockHandler::NONE, lent: 0, flags };
        return Ok(run_lending(cx, entry, row, &given)?.given());
    }
    Ok(None)
}

/// Runs a native method on a call, after gathering its keywords into one hash.
#[inline]
pub fn run_gathered(cx: &mut Cx, entry: Value, row: &'static Method, call: &Call, lent: u16) -> R {
    let call = call.with_hash(cx)?;
    let keywords = call.hash().is_some();
    let (window, count, passed) = (call.window, call.count, call.block);
    run_lending(cx, entry, row, &Given { window, count, keywords, passed, lent, flags: 0 })
}

/// Runs a native `initialize` for `new`, which backtraces may show.
#[inline]
pub fn initialize(cx: &mut Cx, entry: Value, call: &Call) -> R {
    let call = call.with_hash(cx)?;
    let (window, count, keywords, passed) = (call.window, call.count, call.hash().is_some(), call.block);
    let given = Given { window, count, keywords, passed, lent: 0, flags: call.flags & OF_NEW };
    run_lending(cx, entry, row(entry), &given)
}

/// Pushes the frame of a native method, runs it on `count` arguments, and on a hash of keywords after them if
/// `keywords`, and pops the frame.
#[inline]
pub fn run(
    cx: &mut Cx,
    entry: Value,
    row: &'static Method,
    window: Window,
    count: usize,
    keywords: bool,
    passed: BlockHandler,
) -> R {
    run_lending(cx, entry, row, &Given { window, count, keywords, passed, lent: 0, flags: 0 })
}

/// Runs a native method without arguments and without events, as a part of another method.
#[inline(always)]
pub fn run_unseen(cx: &mut Cx, entry: Value, window: Window) -> R {
    cx.push_frame(frames::native(entry, window, 1, BlockHandler::NONE, 0));
    let result = if calls_are_traced(cx) {
        invoke_unwatched(cx, row(entry), window, 0, false)
    } else {
        invoke(cx, row(entry), window, 0, false, 0)
    };
    cx.pop_frame();
    result
}

/// Runs a native method on positional arguments, from an instruction. `open`: the number of frames of the caller that
/// compiled code has left open.
#[inline(always)]
pub fn run_positional(
    cx: &mut Cx,
    entry: Value,
    row: &'static Method,
    window: Window,
    count: usize,
    lent: u16,
    open: u32,
) -> R {
    let caller = cx.frame;
    cx.push_above_open(Frame { open, ..frames::native(entry, window, 1 + count, BlockHandler::NONE, lent) });
    let result = invoke(cx, row, window, count, false, lent);
    // The search for a handler begins at the innermost of the caller's frames.
    let caller = if result.is_err() { cx.write_open_frames() } else { caller };
    // SAFETY: pops the frame that was pushed above the native method's caller.
    unsafe { cx.pop_frame_above(caller) };
    result
}

/// Runs a method on behalf of a native one: without events, and without a place in backtraces.
pub fn run_own(cx: &mut Cx, row: &'static Method, window: Window, count: usize, lent: u16) -> R {
    cx.push_inner_frame(frames::native(Value::NIL, window, 1 + count, BlockHandler::NONE, lent));
    let result = invoke_unwatched(cx, row, window, count, false);
    // SAFETY: pops the frame that was pushed above that of the native method's caller.
    unsafe { cx.pop_inner_frame() };
    result
}

/// Runs a native method on positional arguments as a function that the program did not call by its name, so without
/// events.
pub fn run_unwatched(cx: &mut Cx, entry: Value, row: &'static Method, call: &Call) -> R {
    cx.push_frame(frames::native(entry, call.window, 1 + call.count, call.block, 0));
    let result = invoke_unwatched(cx, row, call.window, call.count, false);
    cx.pop_frame();
    result
}

/// The arguments of a native method.
#[derive(Clone, Copy)]
pub struct Given {
    /// Receiver and arguments.
    pub window: Window,
    /// The number of positional arguments.
    pub count: usize,
    /// A hash of keywords follows them.
    pub keywords: bool,
    pub passed: BlockHandler,
    /// The bits of the words that are lent.
    pub lent: u16,
    /// Bits of the frame's flags.
    pub flags: u32,
}

/// [`run`] with the bits of the words that are lent, see [`crate::literal_arguments`].
#[inline(always)]
pub fn run_lending(cx: &mut Cx, entry: Value, row: &'static Method, given: &Given) -> R {
    let Given { window, mut count, mut keywords, passed, lent, flags } = *given;
    if keywords {
        if object::hash::HashRef::of(window.get(1 + count)).is_empty() {
            keywords = false;
        } else if !row.keywords {
            count += 1;
            keywords = false;
        }
    }
    let mut frame = frames::native(entry, window, 1 + count + keywords as usize, passed, lent);
    frame.flags |= flags;
    cx.push_frame(frame);
    let result = invoke(cx, row, window, count, keywords, lent);
    cx.pop_frame();
    result
}

/// Calls the function of the row in the frame that was pushed for it, with events or checks if those are enabled.
#[inline(always)]
fn invoke(cx: &mut Cx, row: &'static Method, window: Window, count: usize, keywords: bool, lent: u16) -> R {
    if cx.vm().trace_events & (C_CALL | C_RETURN | VERIFY_FACTS) != 0 {
        return invoke_watched(cx, row, window, count, keywords, lent);
    }
    invoke_unwatched(cx, row, window, count, keywords)
}

/// Calls the function of the row without events and checks.
#[inline(always)]
fn invoke_unwatched(cx: &mut Cx, row: &'static Method, window: Window, count: usize, keywords: bool) -> R {
    if row.accepts(count) {
        // SAFETY: the arguments lie in the window, kept by the frame.
        return (row.function)(cx, unsafe { Args::new(window.base(), count, keywords) });
    }
    let most = (!row.rest).then_some((row.required + row.optional) as usize);
    let least = least_named(cx, count, row.required as usize, most);
    Err(cx.arity_error(count, least, most))
}

/// Calls the function of the row with the events of the call, and checks the row's facts under `--verify-facts`.
#[cold]
#[inline(never)]
fn invoke_watched(cx: &mut Cx, row: &'static Method, window: Window, count: usize, keywords: bool, lent: u16) -> R {
    if calls_are_traced(cx) {
        return with_events(cx, |cx| invoke_unwatched(cx, row, window, count, keywords));
    }
    verify_facts::watch(cx, row, window, count, lent, |cx| invoke_unwatched(cx, row, window, count, keywords))
}

/// Runs `f` between the events of a native call, whose frame is the running one.
fn with_events(cx: &mut Cx, f: impl FnOnce(&mut Cx) -> R) -> R {
    let result = cx.event(C_CALL, Value::NIL, Value::NIL).and_then(|()| f(cx));
    match result {
        Ok(v) => cx.event(C_RETURN, v, Value::NIL).map(|()| v),
        Err(_) if cx.vm().trace_events & C_RETURN == 0 => result,
        Err(_) if cx.unwinding.reason == crate::unwind::Reason::Abandon => result,
        Err(unwind) => {
            let fired = cx.event_while_unwinding(C_RETURN, Value::NIL, Value::NIL);
            Err(fired.err().unwrap_or(unwind))
        }
    }
}

/// Runs `f` as the body of a native method that has no frame unless calls are traced.
#[inline]
pub fn without_frame(cx: &mut Cx, entry: Value, call: &Call, f: impl FnOnce(&mut Cx) -> R) -> R {
    if !calls_are_traced(cx) {
        return f(cx);
    }
    cx.check_stack(call.window.base(), 1 + call.count)?;
    cx.push_frame(frames::native(entry, call.window, 1 + call.count, BlockHandler::NONE, 0));
    let result = with_events(cx, f);
    cx.pop_frame();
    result
}

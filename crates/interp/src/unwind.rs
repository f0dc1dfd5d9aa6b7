//! Unwinding: finding the handler for an exception or jump.

use abi::{Frame, FrameFlags, Value};
use bytecode::HandlerKind;
use runtime::{
    Cx, R, Unwind,
    code::{Code, code},
    error::ErrorClass,
    unwind::{Reason, Unwinding},
};

/// Pops frames down to the one that continues, and sets its `pc`. `Err`: an ENTRY frame was popped, and this is the
/// result of the loop.
#[cold]
#[inline(never)]
pub fn pop_to_handler(cx: &mut Cx, raised: Unwind) -> Result<(), R> {
    loop {
        let frame = cx.frame;
        // SAFETY: the loop runs Ruby frames; native ones above them have been popped, or died in a panic.
        let flags = unsafe { (*frame).flags };
        if flags & FrameFlags::NATIVE != 0 {
            cx.write_open_frames();
            cx.pop_frame();
            continue;
        }
        // SAFETY: a live Ruby frame.
        let own = unsafe { code(&(*frame).scope.code) };
        if cx.unwinding.reason == Reason::Break && cx.unwinding.target == frame {
            // SAFETY: the running frame, and its code.
            unsafe { finish_break(cx, frame, own) };
            return Ok(());
        }
        // SAFETY: the running frame, and its code.
        if unsafe { enter_handler(cx, frame, own) } {
            return Ok(());
        }
        let value = cx.unwinding.value;
        let arrived = cx.unwinding.reason == Reason::Return && cx.unwinding.target == frame;
        // SAFETY: a live frame.
        let (destination, receiver) = unsafe { ((*frame).destination, *(*frame).scope.slots) };
        if own.is_traced() {
            let raised = leaving(cx, arrived);
            if raised.is_err() {
                cx.pop_frame();
                if flags & FrameFlags::ENTRY != 0 {
                    return Err(raised.map(|()| value));
                }
                continue;
            }
        }
        cx.pop_frame();
        if arrived {
            cx.unwinding = Unwinding::none();
            let value = if flags & FrameFlags::RECEIVER_RESULT != 0 { receiver } else { value };
            if flags & FrameFlags::ENTRY != 0 {
                return Err(Ok(value));
            }
            // SAFETY: the frame below is that of the Ruby code whose call has ended, with that register.
            unsafe { *(*cx.frame).scope.slots.add(destination as usize) = value };
            return Ok(());
        }
        if flags & FrameFlags::ENTRY != 0 {
            return Err(Err(raised));
        }
    }
}

/// Ends the call that the block was passed to: its result is the value of the `break`.
///
/// # Safety
/// The frame is alive, runs that code, and has made a call.
unsafe fn finish_break(cx: &mut Cx, frame: *mut Frame, own: &Code) {
    let value = cx.unwinding.value;
    cx.unwinding = Unwinding::none();
    // SAFETY: by this function's contract; `pc` points after the call.
    unsafe {
        let call = own.operands(own.word_before((*frame).pc));
        *(*frame).scope.slots.add(call.a as usize) = value;
    }
}

/// Enters the innermost handler that covers the frame's position, if there is one.
///
/// # Safety
/// The frame is alive and runs that code.
unsafe fn enter_handler(cx: &mut Cx, frame: *mut Frame, own: &Code) -> bool {
    // SAFETY: by this function's contract.
    let pc = unsafe { (*frame).pc };
    // A frame that has executed no instruction yet is at its first one.
    let Some(word) = (if pc == own.start() { Some(0) } else { own.executing(pc) }) else { return false };
    let word = word as u32;
    let raising = cx.unwinding.reason == Reason::Raise;
    let found =
        own.handlers().iter().find(|h| h.from <= word && word < h.to && (raising || h.kind == HandlerKind::Ensure));
    let Some(handler) = found else { return false };
    let former = cx.error_info;
    if raising {
        cx.error_info = cx.unwinding.value;
    }
    let state = cx.pack_unwinding();
    // SAFETY: the handler's registers are the frame's; its target is a word of the code.
    unsafe {
        let slots: *mut Value = (*frame).scope.slots;
        *slots.add(handler.register as usize) = state;
        *slots.add(handler.register as usize + 1) = former;
        (*frame).pc = own.start().add(handler.target as usize);
    }
    true
}

/// Fires the event of a traced frame that is popped by unwinding; an exception of its trace point replaces the one in
/// flight. None is fired when the stack has overflowed: the trace points would let it overflow again, at each frame.
#[cold]
fn leaving(cx: &mut Cx, arrived: bool) -> R<()> {
    if cx.unwinding.reason == Reason::Raise
        && object::class::real_class(cx, cx.unwinding.value) == cx.error_class(ErrorClass::SystemStackError)
    {
        return Ok(());
    }
    let breaking = cx.unwinding.reason == Reason::Break;
    let result = if arrived || breaking { cx.unwinding.value } else { Value::NIL };
    cx.event_while_unwinding(runtime::trace::LEAVING, result, Value::bool(breaking))
}

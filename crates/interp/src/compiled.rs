//! Transitions between the dispatch loop and compiled code.

use abi::FrameFlags;
use runtime::{Cx, R, Unwind, code::live_code, code::tier::How};

/// Where the dispatch loop continues.
pub enum Next {
    /// In the top frame.
    Frame,
    /// Nowhere: a frame flagged ENTRY was popped with this result.
    Left(R),
    /// At the handler of the exception or jump.
    Handler(Unwind),
}

/// Continues the running frame in compiled code, from `word` on: 0 or the head of a loop. Compiles the code first if
/// necessary.
#[inline(never)]
pub fn enter(cx: &mut Cx, word: usize) -> Next {
    let frame = cx.frame;
    // SAFETY: the running frame is alive until compiled code pops it; these fields are read before.
    let (own, slots, flags, destination) =
        unsafe { (live_code((*frame).scope.code), (*frame).scope.slots, (*frame).flags, (*frame).destination) };
    // SAFETY: register 0 of the running frame.
    let receiver = unsafe { *slots };
    if own.tier.is_quiet() && !cx.in_trace() {
        own.tier.end_quiet(own.is_traced(), cx.vm().all_redefinitions());
    }
    let Some(entry) = own.tier.enter(|| (cx.vm().hooks.compile)(cx, own)) else { return Next::Frame };
    // SAFETY: the frame is alive; the word is one of its code.
    unsafe { (*frame).pc = own.start().add(word) };
    // SAFETY: the entry is that of the running frame's code, and these are its registers.
    let outcome = unsafe { (cx.vm().hooks.enter)(cx, slots, word as u64, entry) };
    match outcome.how {
        How::Exited | How::Abandoned | How::Pushed => Next::Frame,
        How::Unwinding => Next::Handler(cx.unwind_under_way()),
        How::Returned => {
            let result = if flags & FrameFlags::RECEIVER_RESULT != 0 { receiver } else { outcome.value };
            // SAFETY: it was the running one.
            unsafe { cx.pop_returned(frame) };
            if flags & FrameFlags::ENTRY != 0 {
                return Next::Left(Ok(result));
            }
            // SAFETY: a frame without ENTRY was called by a Ruby frame, which has that register.
            unsafe { *(*cx.frame).scope.slots.add(destination as usize) = result };
            Next::Frame
        }
    }
}

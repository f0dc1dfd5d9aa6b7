//! Calls between functions of C's calling convention and compiled code, which has its own: x19 to x21 hold the pinned
//! words (see [`super`]), x2 the word where the code is entered. Compiled code preserves all registers that C's
//! functions preserve; of those for doubles it uses none.

use abi::Value;
use runtime::{
    Cx,
    code::tier::{Entry, Outcome},
};
use std::{arch::naked_asm, mem::offset_of};

use crate::runtime_calls;

/// Runs the running frame, whose registers are given, in the compiled code at an address.
///
/// # Safety
/// The code is that of the frame; the word is 0 or the head of one of its loops.
#[unsafe(naked)]
pub unsafe extern "C" fn enter(cx: *mut Cx, registers: *mut Value, word: u64, entry: Entry) -> Outcome {
    naked_asm!(
        "stp x29, x30, [sp, #-48]!",
        "mov x29, sp",
        "stp x19, x20, [sp, #16]",
        "str x21, [sp, #32]",
        "mov x21, x0",
        "mov x19, x1",
        "ldr x20, [x0, #{frame}]",
        "blr x3",
        "ldr x21, [sp, #32]",
        "ldp x19, x20, [sp, #16]",
        "ldp x29, x30, [sp], #48",
        "ret",
        frame = const offset_of!(Cx, frame),
    )
}

/// The function that compiled code calls for a frame whose code is not compiled.
///
/// # Safety Called only by compiled code, which has pushed the frame.
#[unsafe(naked)]
pub unsafe extern "C" fn interpret() {
    naked_asm!(
        "stp x29, x30, [sp, #-16]!",
        "mov x29, sp",
        "mov x0, x21",
        "bl {run}",
        "ldp x29, x30, [sp], #16",
        "ret",
        run = sym runtime_calls::run_frame,
    )
}

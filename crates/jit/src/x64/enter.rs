//! Calls between functions of C's calling convention and compiled code, which has its own: rbx, r14 and r15 hold the
//! pinned words (see [`super`]), rdx the word where the code is entered. Compiled code preserves these three, rbp, r12
//! and r13.

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
        "push rbp",
        "mov rbp, rsp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        "mov r15, rdi",
        "mov rbx, rsi",
        "mov r14, [rdi + {frame}]",
        "call rcx",
        "lea rsp, [rbp - 40]",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
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
        "push rbp",
        "mov rbp, rsp",
        "mov rdi, r15",
        "call {run}",
        "pop rbp",
        "ret",
        run = sym runtime_calls::run_frame,
    )
}

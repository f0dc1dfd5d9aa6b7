//! How an exit leaves compiled code: all registers are saved, so that the runtime finds the values to store.

use abi::Value;
use runtime::code::tier::How;
use std::arch::naked_asm;

use crate::runtime_calls;

/// The registers at an exit, by their numbers. Number 29 is the frame pointer.
#[repr(C)]
pub struct SavedRegisters {
    pub words: [u64; 30],
    pub doubles: [f64; 32],
}

/// Takes an exit; returns the outcome with which its unit is left. x16 holds the exit's number, x17 the address that
/// was passed to `assemble` for the unit, and x20 and x21 the same as in compiled code.
///
/// # Safety Called only by compiled code.
#[unsafe(naked)]
pub unsafe extern "C" fn take() {
    naked_asm!(
        "sub sp, sp, #512",
        "stp x0, x1, [sp, #0]",
        "stp x2, x3, [sp, #16]",
        "stp x4, x5, [sp, #32]",
        "stp x6, x7, [sp, #48]",
        "stp x8, x9, [sp, #64]",
        "stp x10, x11, [sp, #80]",
        "stp x12, x13, [sp, #96]",
        "stp x14, x15, [sp, #112]",
        "stp x19, x20, [sp, #152]",
        "stp x21, x22, [sp, #168]",
        "stp x23, x24, [sp, #184]",
        "stp x25, x26, [sp, #200]",
        "stp x27, x28, [sp, #216]",
        "str x29, [sp, #232]",
        "str x30, [sp, #496]",
        "stp d0, d1, [sp, #240]",
        "stp d2, d3, [sp, #256]",
        "stp d4, d5, [sp, #272]",
        "stp d6, d7, [sp, #288]",
        "stp d16, d17, [sp, #368]",
        "stp d18, d19, [sp, #384]",
        "stp d20, d21, [sp, #400]",
        "stp d22, d23, [sp, #416]",
        "stp d24, d25, [sp, #432]",
        "stp d26, d27, [sp, #448]",
        "stp d28, d29, [sp, #464]",
        "mov x0, x21",
        "mov x1, x20",
        "mov x2, x17",
        "mov x3, x16",
        "mov x4, sp",
        "bl {exit}",
        "ldr x30, [sp, #496]",
        "mov x0, #{undef}",
        "mov x1, #{exited}",
        "add sp, sp, #512",
        "ret",
        exit = sym runtime_calls::take_exit,
        undef = const Value::UNDEF.0,
        exited = const How::Exited as u64,
    )
}

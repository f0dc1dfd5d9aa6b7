//! Routines that write frames, so that the code of each call is short. They change only rax, xmm14 and xmm15.
//! [`crate::backend`] checks the layout that they rely on.

use std::{arch::naked_asm, mem::offset_of};

use abi::Scope;
use runtime::code::open_frames;

/// Copies the image of a frame at the address in rax to the address in r11.
///
/// # Safety
/// Called only by compiled code.
#[unsafe(naked)]
pub unsafe extern "C" fn copy() {
    naked_asm!(
        "movups xmm14, [rax]",
        "movups xmm15, [rax + 16]",
        "movups [r11], xmm14",
        "movups [r11 + 16], xmm15",
        "movups xmm14, [rax + 32]",
        "movups xmm15, [rax + 48]",
        "movups [r11 + 32], xmm14",
        "movups [r11 + 48], xmm15",
        "movups xmm14, [rax + 64]",
        "movups xmm15, [rax + 80]",
        "movups [r11 + 64], xmm14",
        "movups [r11 + 80], xmm15",
        "ret",
    )
}

/// Writes the unit's frame from its image, whose tagged address is in place of its environment. That is replaced last,
/// because a sampler may interrupt this.
///
/// # Safety
/// Called only by compiled code, whose frame is open.
#[unsafe(naked)]
pub unsafe extern "C" fn write_own() {
    naked_asm!(
        "mov rax, [r14 + {environment}]",
        "and rax, {address}",
        "movups xmm14, [rax + 64]",
        "movups xmm15, [rax + 80]",
        "movups [r14 + 64], xmm14",
        "movups [r14 + 80], xmm15",
        "movups xmm14, [rax]",
        "movups xmm15, [rax + 16]",
        "movups [r14], xmm14",
        "movups [r14 + 16], xmm15",
        "movups xmm14, [rax + 32]",
        "movups xmm15, [rax + 48]",
        "movups [r14 + 32], xmm14",
        "mov [r14 + {slots}], rbx",
        "movups [r14 + 48], xmm15",
        "ret",
        environment = const offset_of!(Scope, environment),
        slots = const offset_of!(Scope, slots),
        address = const open_frames::ADDRESS as i64,
    )
}

//! Routines that write frames, so that the code of each call is short. They change only x16, x17, x30, v30 and v31.
//! [`crate::backend`] checks the layout that they rely on.

use std::{arch::naked_asm, mem::offset_of};

use abi::Scope;
use runtime::code::open_frames;

/// Copies the image of a frame at the address in x16 to the address in x17.
///
/// # Safety
/// Called only by compiled code.
#[unsafe(naked)]
pub unsafe extern "C" fn copy() {
    naked_asm!(
        "ldp q30, q31, [x16]",
        "stp q30, q31, [x17]",
        "ldp q30, q31, [x16, #32]",
        "stp q30, q31, [x17, #32]",
        "ldp q30, q31, [x16, #64]",
        "stp q30, q31, [x17, #64]",
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
        "ldr x16, [x20, #{environment}]",
        "and x16, x16, #{address}",
        "ldp q30, q31, [x16, #64]",
        "stp q30, q31, [x20, #64]",
        "ldp q30, q31, [x16]",
        "stp q30, q31, [x20]",
        "ldp q30, q31, [x16, #32]",
        "str q30, [x20, #32]",
        "str x19, [x20, #{slots}]",
        "str q31, [x20, #48]",
        "ret",
        environment = const offset_of!(Scope, environment),
        slots = const offset_of!(Scope, slots),
        address = const open_frames::ADDRESS as i64,
    )
}

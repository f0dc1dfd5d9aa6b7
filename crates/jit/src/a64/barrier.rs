//! The write barrier of compiled code: routines that find out by the heap's tables whether anything must be recorded.
//!
//! The routines change only x16, x17, x30 and the flags, so that values stay in their registers. They call the runtime
//! if the container is marked and not remembered and the stored value is not marked, while a full marking is under way,
//! and for large buffers; see `heap::barrier` for what must be recorded.

use std::arch::naked_asm;

use heap::for_code::barrier as tables;
use object::{array::for_code::INDIRECT, representation::for_code as payload};
use runtime::Cx;

use crate::{ir::Holds, runtime_calls};

/// The address of the routine.
pub fn address(holds: Holds) -> u64 {
    match holds {
        Holds::InCell => in_cell as *const () as u64,
        Holds::AsElement => as_element as *const () as u64,
        Holds::InBuffer => in_buffer as *const () as u64,
    }
}

/// The position of the bits of the cell at the address in x2: x3 becomes the address of the word, without the offset of
/// a table, and x4 the number of the bit modulo 64. Changes x5.
macro_rules! place_of_x2 {
    () => {
        "and x3, x2, #{arena}
        lsr w5, w2, #{block_shift}
        and w5, w5, #{blocks}
        add x4, x3, x5, lsl #{description_shift}
        ldr w4, [x4, #{reciprocal}]
        add x3, x3, x5, lsl #{table_shift}
        and x5, x2, #0xffff
        mul x4, x4, x5
        lsr x5, x4, #38
        lsr x4, x4, #32
        add x3, x3, x5, lsl #3"
    };
}

/// Copies the bit of the place that was found, in the current mark table, to the lowest bit of x5.
macro_rules! test_mark {
    () => {
        "ldr x5, [x21, #{marks}]
        ldr x5, [x3, x5]
        lsr x5, x5, x4"
    };
}

/// Defines a routine. `$container` finds what holds the reference: it moves its address to x2, or jumps to `3f` if that
/// is a large buffer. `$value` moves the value that was stored to x2.
macro_rules! routine {
    ($(#[$doc:meta])* $name:ident, $container:literal, $value:literal, $slow:path $(, $constant:ident)*) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                "stp x2, x3, [sp, #-32]!",
                "stp x4, x5, [sp, #16]",
                $container,
                place_of_x2!(),
                test_mark!(),
                "tbnz x5, #0, 2f",
                "6: ldp x4, x5, [sp, #16]",
                "ldp x2, x3, [sp], #32",
                "ret",
                "2: movz x5, #{remembered_low}",
                "movk x5, #{remembered_high}, lsl #16",
                "ldr x5, [x3, x5]",
                "lsr x5, x5, x4",
                "tbnz x5, #0, 6b",
                "3: ldr x5, [x21, #{building}]",
                "cbnz x5, 4f",
                $value,
                // `false` is 0: its tag is that of references.
                "cbz x2, 6b",
                place_of_x2!(),
                test_mark!(),
                "tbnz x5, #0, 6b",
                "4: sub sp, sp, #288",
                "stp x0, x1, [sp, #0]",
                "stp x6, x7, [sp, #16]",
                "stp x8, x9, [sp, #32]",
                "stp x10, x11, [sp, #48]",
                "stp x12, x13, [sp, #64]",
                "stp x14, x15, [sp, #80]",
                "stp d0, d1, [sp, #96]",
                "stp d2, d3, [sp, #112]",
                "stp d4, d5, [sp, #128]",
                "stp d6, d7, [sp, #144]",
                "stp d16, d17, [sp, #160]",
                "stp d18, d19, [sp, #176]",
                "stp d20, d21, [sp, #192]",
                "stp d22, d23, [sp, #208]",
                "stp d24, d25, [sp, #224]",
                "stp d26, d27, [sp, #240]",
                "stp d28, d29, [sp, #256]",
                "str x30, [sp, #272]",
                "mov x0, x21",
                "mov x1, x16",
                "mov x2, x17",
                "bl {slow}",
                "ldp x0, x1, [sp, #0]",
                "ldp x6, x7, [sp, #16]",
                "ldp x8, x9, [sp, #32]",
                "ldp x10, x11, [sp, #48]",
                "ldp x12, x13, [sp, #64]",
                "ldp x14, x15, [sp, #80]",
                "ldp d0, d1, [sp, #96]",
                "ldp d2, d3, [sp, #112]",
                "ldp d4, d5, [sp, #128]",
                "ldp d6, d7, [sp, #144]",
                "ldp d16, d17, [sp, #160]",
                "ldp d18, d19, [sp, #176]",
                "ldp d20, d21, [sp, #192]",
                "ldp d22, d23, [sp, #208]",
                "ldp d24, d25, [sp, #224]",
                "ldp d26, d27, [sp, #240]",
                "ldp d28, d29, [sp, #256]",
                "ldr x30, [sp, #272]",
                "add sp, sp, #288",
                "b 6b",
                arena = const -(tables::ARENA_BYTES as i64),
                block_shift = const tables::BLOCK_SHIFT,
                blocks = const (tables::ARENA_BYTES >> tables::BLOCK_SHIFT) - 1,
                description_shift = const tables::DESCRIPTION_SHIFT,
                reciprocal = const tables::RECIPROCAL,
                table_shift = const tables::TABLE_SHIFT,
                marks = const Cx::MUTATOR + tables::MARKS,
                building = const Cx::MUTATOR + tables::BUILDING,
                remembered_low = const tables::REMEMBERED & 0xffff,
                remembered_high = const tables::REMEMBERED >> 16,
                slow = sym $slow,
                $($constant = const constant::$constant,)*
            )
        }
    };
}

/// The constants of the routines for elements and buffers.
#[expect(non_upper_case_globals, reason = "the names of operands in assembly are in lower case")]
mod constant {
    use super::{Cx, INDIRECT, payload, tables};

    pub const representation: u64 = payload::REPRESENTATION;
    pub const indirect: u64 = INDIRECT;
    pub const buffer: usize = 8 * payload::BUFFER;
    pub const arenas_end: usize = Cx::MUTATOR + tables::ARENAS_END;
}

routine! {
    /// The barrier for the value in x17, which was stored in the cell in x16.
    ///
    /// # Safety Called only by compiled code.
    in_cell,
    "mov x2, x16",
    "mov x2, x17",
    runtime_calls::barrier
}

routine! {
    /// The barrier for the value at the address in x17, an element of the Array in x16.
    ///
    /// # Safety Called only by compiled code.
    as_element,
    "mov x2, x16
    ldr w5, [x16]
    tst w5, #{representation}
    b.eq 5f
    add x2, x16, #8
    tst w5, #{indirect}
    b.eq 7f
    ldr x2, [x16, #8]
    7: ldr x2, [x2, #{buffer}]
    ldr x5, [x21, #{arenas_end}]
    cmp x2, x5
    b.hs 3f
    5:",
    "ldr x2, [x17]",
    runtime_calls::element_barrier,
    representation, indirect, buffer, arenas_end
}

routine! {
    /// The barrier for the value at the address in x17, in the buffer whose address is in x16.
    ///
    /// # Safety Called only by compiled code.
    in_buffer,
    "mov x2, x16
    ldr x5, [x21, #{arenas_end}]
    cmp x2, x5
    b.hs 3f",
    "ldr x2, [x17]",
    runtime_calls::buffer_barrier,
    arenas_end
}

//! The write barrier of compiled code: routines that find out by the heap's tables whether anything must be recorded.
//!
//! The routines change only the scratch registers (rax, r11, xmm14, xmm15) and the flags, so that values stay in their
//! registers. They call the runtime if the container is marked and not remembered and the stored value is not marked,
//! while a full marking is under way, and for large buffers; see `heap::barrier` for what must be recorded.

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

/// The position of the bits of the cell at the address in rax: rcx becomes the address of the word, without the offset
/// of a table, and rax the number of the bit modulo 64. Changes r11.
macro_rules! place_of_rax {
    () => {
        "mov r11d, eax
        shr r11d, {block_shift} - {description_shift}
        and r11d, {blocks} << {description_shift}
        mov rcx, rax
        and rcx, {arena}
        movzx eax, ax
        imul rax, [rcx + r11 + {reciprocal}]
        lea rcx, [rcx + {table_stride} * r11]
        mov r11, rax
        shr r11, 38
        shr rax, 32
        lea rcx, [rcx + 8 * r11]"
    };
}

/// Copies the bit of the place that was found, in the current mark table, to the carry flag. Changes r11.
macro_rules! test_mark {
    () => {
        "mov r11, [r15 + {marks}]
        mov r11, [rcx + r11]
        bt r11, rax"
    };
}

/// Defines a routine, which keeps what it was passed in the scratch registers for doubles. `$container` finds what
/// holds the reference, from rax: it moves its address to rax, or jumps to `3f` if that is a large buffer; it may
/// change rcx.
/// `$value` moves the value that was stored to rax.
macro_rules! routine {
    ($(#[$doc:meta])* $name:ident, $container:literal, $value:literal, $slow:path $(, $constant:ident)*) => {
        $(#[$doc])*
        #[unsafe(naked)]
        unsafe extern "C" fn $name() {
            naked_asm!(
                "push rcx",
                "movq xmm14, rax",
                "movq xmm15, r11",
                $container,
                place_of_rax!(),
                test_mark!(),
                "jc 2f",
                "6: pop rcx",
                "ret",
                "2: mov r11, [rcx + {remembered}]",
                "bt r11, rax",
                "jc 6b",
                "3: cmp qword ptr [r15 + {building}], 0",
                "jne 4f",
                $value,
                // `false` is 0: its tag is that of references.
                "test rax, rax",
                "jz 6b",
                place_of_rax!(),
                test_mark!(),
                "jc 6b",
                "4: push rdx",
                "push rsi",
                "push rdi",
                "mov rdi, r15",
                "movq rsi, xmm14",
                "movq rdx, xmm15",
                "sub rsp, 136",
                "mov [rsp], r8",
                "mov [rsp + 8], r9",
                "mov [rsp + 16], r10",
                "movsd [rsp + 24], xmm0",
                "movsd [rsp + 32], xmm1",
                "movsd [rsp + 40], xmm2",
                "movsd [rsp + 48], xmm3",
                "movsd [rsp + 56], xmm4",
                "movsd [rsp + 64], xmm5",
                "movsd [rsp + 72], xmm6",
                "movsd [rsp + 80], xmm7",
                "movsd [rsp + 88], xmm8",
                "movsd [rsp + 96], xmm9",
                "movsd [rsp + 104], xmm10",
                "movsd [rsp + 112], xmm11",
                "movsd [rsp + 120], xmm12",
                "movsd [rsp + 128], xmm13",
                "call {slow}",
                "mov r8, [rsp]",
                "mov r9, [rsp + 8]",
                "mov r10, [rsp + 16]",
                "movsd xmm0, [rsp + 24]",
                "movsd xmm1, [rsp + 32]",
                "movsd xmm2, [rsp + 40]",
                "movsd xmm3, [rsp + 48]",
                "movsd xmm4, [rsp + 56]",
                "movsd xmm5, [rsp + 64]",
                "movsd xmm6, [rsp + 72]",
                "movsd xmm7, [rsp + 80]",
                "movsd xmm8, [rsp + 88]",
                "movsd xmm9, [rsp + 96]",
                "movsd xmm10, [rsp + 104]",
                "movsd xmm11, [rsp + 112]",
                "movsd xmm12, [rsp + 120]",
                "movsd xmm13, [rsp + 128]",
                "add rsp, 136",
                "pop rdi",
                "pop rsi",
                "pop rdx",
                "jmp 6b",
                arena = const -(tables::ARENA_BYTES as i32),
                block_shift = const tables::BLOCK_SHIFT,
                blocks = const (tables::ARENA_BYTES >> tables::BLOCK_SHIFT) - 1,
                description_shift = const tables::DESCRIPTION_SHIFT,
                reciprocal = const tables::RECIPROCAL,
                table_stride = const 1 << (tables::TABLE_SHIFT - tables::DESCRIPTION_SHIFT),
                marks = const Cx::MUTATOR + tables::MARKS,
                building = const Cx::MUTATOR + tables::BUILDING,
                remembered = const tables::REMEMBERED,
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
    /// The barrier for the value in r11, which was stored in the cell in rax.
    ///
    /// # Safety Called only by compiled code.
    in_cell,
    "",
    "movq rax, xmm15",
    runtime_calls::barrier
}

routine! {
    /// The barrier for the value at the address in r11, an element of the Array in rax.
    ///
    /// # Safety Called only by compiled code.
    as_element,
    "mov r11d, [rax]
    test r11d, {representation}
    jz 5f
    lea rcx, [rax + 8]
    test r11d, {indirect}
    cmovnz rcx, [rax + 8]
    mov rax, [rcx + {buffer}]
    cmp rax, [r15 + {arenas_end}]
    jae 3f
    5:",
    "movq rax, xmm15
    mov rax, [rax]",
    runtime_calls::element_barrier,
    representation, indirect, buffer, arenas_end
}

routine! {
    /// The barrier for the value at the address in r11, in the buffer whose address is in rax.
    ///
    /// # Safety Called only by compiled code.
    in_buffer,
    "cmp rax, [r15 + {arenas_end}]
    jae 3f",
    "movq rax, xmm15
    mov rax, [rax]",
    runtime_calls::buffer_barrier,
    arenas_end
}

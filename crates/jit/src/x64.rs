//! Machine code for x86-64, by the calling convention of the System V ABI.
//!
//! ```text
//! rbx  registers of the unit's frame    r14  that frame    r15  context    rbp  native frame
//! r12, r13, rcx, rdx, rsi, rdi, r8 to r10, xmm0 to xmm13   values
//! rax, r11, xmm14, xmm15                                   scratch
//! ```
//!
//! Compiled code calls compiled code by a convention of its own; see [`enter`].

pub mod barrier;
mod disassembly;
mod encoding;
mod enter;
mod exit;
pub mod frames;
mod operations;

use std::ops::Range;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use self::encoding::with_constant;
use crate::{
    allocate,
    assembler::Assembler,
    backend::Assembled,
    ir::{Condition, Function, Ssa},
};

pub use disassembly::disassembled;
pub use dynasmrt::x64::X64Relocation as Relocation;
pub use enter::{enter, interpret};
pub use exit::SavedRegisters;

/// The number of the register that points to the native frame.
pub const FRAME_POINTER: usize = RBP as usize;

const RAX: u8 = 0;
const RCX: u8 = 1;
const RDX: u8 = 2;
const RBX: u8 = 3;
const RSP: u8 = 4;
const RBP: u8 = 5;
const RSI: u8 = 6;
const RDI: u8 = 7;
const R8: u8 = 8;
const R9: u8 = 9;
const R11: u8 = 11;
const R14: u8 = 14;
const R15: u8 = 15;
/// Scratch registers for doubles.
const XMM14: u8 = 14;
const XMM15: u8 = 15;

pub const CONTEXT: u8 = R15;
pub const BASE: u8 = RBX;
pub const ROOT: u8 = R14;
pub const STACK_POINTER: u8 = RSP;
pub const FRAME: u8 = RBP;
pub const SCRATCH: u8 = RAX;
pub const SECOND_SCRATCH: u8 = R11;
pub const DOUBLE_SCRATCH: u8 = XMM14;
pub const SECOND_DOUBLE_SCRATCH: u8 = XMM15;

const REGISTERS: allocate::Registers = allocate::Registers {
    kept: 1 << 12 | 1 << 13,
    changed: 1 << RCX | 1 << RDX | 1 << RSI | 1 << RDI | 1 << R8 | 1 << R9 | 1 << 10,
    doubles: (1 << 14) - 1,
};

/// The number of exits that share a jump, which all of them reach by an offset of 8 bits.
const GROUP: usize = 16;

/// More slots than these are cleared by a loop.
const UNROLLED_SLOTS: usize = 24;

/// Registers of a call's arguments and of its results.
pub const ARGUMENTS: [u8; 6] = [RDI, RSI, RDX, RCX, R8, R9];
pub const RESULTS: [u8; 2] = [RAX, RDX];

/// Registers that a function preserves.
pub const SAVED: [u8; 2] = [12, 13];

/// Where a function saves a register of [`SAVED`] that it uses, in bytes from its frame pointer.
fn saved_at(register: u8) -> i32 {
    -8 * (i32::from(register - SAVED[0]) + 1)
}

/// Emits a function. `exits` is the address of the exits' data, which an exit passes with its number; `memory` has the
/// addresses of the code memory.
///
/// The code is emitted twice: the first time all jumps have 32 bits, the second time those whose labels are near enough
/// have 8.
pub fn assemble(function: &Function, exits: u64, memory: Range<usize>) -> Option<Assembled> {
    let allocation = allocate::allocate(function, REGISTERS)?;
    let mut wide = Assembler::new(function, &allocation, memory.clone(), Own::default());
    wide.write(exits);
    let own = Own { is_near: wide.near_jumps(), ..Own::default() };
    let mut x = Assembler::new(function, &allocation, memory, own);
    x.write(exits);
    x.assembled()
}

/// The 4 bytes of a distance, for code that is this much further from the start of the code memory.
pub fn moved_distance(distance: [u8; 4], offset: usize) -> [u8; 4] {
    i32::from_le_bytes(distance).wrapping_sub(offset as i32).to_le_bytes()
}

/// The processor sees by itself that code was written.
pub fn publish(_: &[u8]) {}

#[derive(Default)]
pub struct Own {
    /// The addresses of the jumps, in the order in which they are emitted, and their labels.
    jumps: Vec<(usize, DynamicLabel)>,
    /// Whether the label of each jump is near; empty while this is not known.
    is_near: Vec<bool>,
    /// Addresses that are called and too far away for direct calls; they are stored after the code.
    pool: Vec<(u64, DynamicLabel)>,
}

impl Assembler<'_> {
    fn write(&mut self, exits: u64) {
        self.emit();
        self.write_exits(exits);
        self.write_pool();
    }

    /// For each jump that was emitted, with 32 bits: whether 8 bits are enough. If other jumps are shorter, labels only
    /// come nearer.
    fn near_jumps(&self) -> Vec<bool> {
        let is_near = |(at, label): &(usize, DynamicLabel)| {
            let target = self.a.labels().resolve_dynamic(*label);
            target.is_ok_and(|target| (-120..120).contains(&(target.0 as isize - *at as isize)))
        };
        self.own.jumps.iter().map(is_near).collect()
    }

    /// The position of a slot of the native frame, in bytes from its frame pointer.
    pub fn slot_offset(&self, slot: u16) -> i32 {
        -8 * (SAVED.len() as i32 + i32::from(slot) + 1)
    }

    /// rdx: the word where the code is entered.
    pub fn write_prologue(&mut self) {
        dynasm!(self.a; .arch x64; push rbp; mov rbp, rsp);
        let slots = self.allocation.slots.len();
        if slots > 0 || !self.kept.is_empty() {
            // The stack pointer stays a multiple of 16.
            let size = (8 * (SAVED.len() + slots)).next_multiple_of(16) as i32;
            with_constant!(self, sub Rq(RSP), size);
            self.clear_slots();
        }
        for register in self.kept.clone() {
            self.store_word(register, RBP, saved_at(register));
        }
        self.store_entry_word(RDX);
    }

    pub fn write_epilogue(&mut self) {
        for register in self.kept.clone() {
            self.load_word(register, RBP, saved_at(register));
        }
        dynasm!(self.a; .arch x64; leave; ret);
    }

    fn clear_slots(&mut self) {
        let cleared = self.unwritten_slots();
        if cleared.is_empty() {
            return;
        }
        dynasm!(self.a; .arch x64; xorps xmm15, xmm15);
        if cleared.len() <= UNROLLED_SLOTS {
            let mut next = 0;
            while let Some(slot) = cleared.get(next) {
                let is_pair = cleared.get(next + 1) == Some(&(slot + 1));
                if is_pair {
                    dynasm!(self.a; .arch x64; movups [rbp + self.slot_offset(slot + 1)], xmm15);
                } else {
                    dynasm!(self.a; .arch x64; movlps [rbp + self.slot_offset(*slot)], xmm15);
                }
                next += 1 + usize::from(is_pair);
            }
        } else {
            let end = self.slot_offset(cleared[0]) + 8;
            dynasm!(self.a
                ; .arch x64
                ; lea rax, [rbp + end]
                ; next:
                ; sub rax, 16
                ; movups [rax], xmm15
                ; cmp rax, rsp
                ; ja <next
            );
        }
    }

    /// An exit is its number and a jump; see [`exit::take`]. Groups of exits share a jump, so most take four bytes.
    fn write_exits(&mut self, exits: u64) {
        let exits_at = self.exits();
        if exits_at.is_empty() {
            return;
        }
        let (of_a_byte, take_exit) = (self.a.new_dynamic_label(), self.a.new_dynamic_label());
        let (small, large): (Vec<_>, Vec<_>) = exits_at.into_iter().partition(|(number, _)| *number < 256);
        for (exits, to) in [(small, of_a_byte), (large, take_exit)] {
            for group in exits.chunks(GROUP) {
                self.write_group(group, to);
            }
        }
        dynasm!(self.a
            ; .arch x64
            ; =>of_a_byte
            ; movzx eax, al
            ; =>take_exit
            ; mov r11, QWORD exits as i64
        );
        self.call_address(exit::take as *const () as u64);
        self.jump_to(self.epilogue);
    }

    /// Exits with a jump that all of them share.
    fn write_group(&mut self, group: &[(u32, DynamicLabel)], to: DynamicLabel) {
        let shared = self.a.new_dynamic_label();
        for (n, (number, label)) in group.iter().enumerate() {
            dynasm!(self.a; .arch x64; =>*label);
            match u8::try_from(*number) {
                Ok(number) => dynasm!(self.a; .arch x64; mov al, number as i8),
                Err(_) => dynasm!(self.a; .arch x64; mov eax, *number as i32),
            }
            if n + 1 < group.len() {
                self.jump_to(shared);
            }
        }
        dynasm!(self.a; .arch x64; =>shared);
        self.jump_to(to);
    }

    fn write_pool(&mut self) {
        dynasm!(self.a; .arch x64; .align 8);
        for (word, label) in std::mem::take(&mut self.own.pool) {
            dynasm!(self.a; .arch x64; =>label; .u64 word);
        }
    }

    /// Calls a function: directly if it can be reached from everywhere in the code memory. A direct call needs no load,
    /// and the processor knows its target when it decodes it.
    pub fn call_address(&mut self, address: u64) {
        if self.reaches(address) {
            self.a.push(0xe8);
            self.push_distance(address, 0);
        } else {
            let address = self.pooled(address);
            dynasm!(self.a; .arch x64; call QWORD [=>address]);
        }
    }

    /// Whether an address can be reached by a distance of 32 bits from everywhere in the code memory. Most addresses in
    /// code can: the code memory lies below the program, and much of the program's memory above it.
    fn reaches(&self, address: u64) -> bool {
        let is_near = |from: usize| from != 0 && i32::try_from((address as i64).wrapping_sub(from as i64)).is_ok();
        is_near(self.memory.start) && is_near(self.memory.end)
    }

    /// Emits the distance to an address that the code reaches. So many bytes of the instruction follow.
    fn push_distance(&mut self, address: u64, follow: usize) {
        let at = self.a.offset().0;
        let distance = address as i64 - (self.memory.start + at + 4 + follow) as i64;
        self.distances.push(at as u32);
        self.a.push_i32(distance as i32);
    }

    /// The label of a word that is stored after the code.
    fn pooled(&mut self, word: u64) -> DynamicLabel {
        if let Some((_, label)) = self.own.pool.iter().find(|(known, _)| *known == word) {
            return *label;
        }
        let label = self.a.new_dynamic_label();
        self.own.pool.push((word, label));
        label
    }

    pub fn move_register(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; mov Rq(to), Rq(from));
    }

    pub fn move_double_register(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; movapd Rx(to), Rx(from));
    }

    pub fn load_constant(&mut self, to: u8, bits: u64) {
        // The instruction must not change the flags, not even for 0: operations may come between a comparison and its
        // user.
        if u32::try_from(bits).is_ok() {
            self.load_small_constant(to, bits as u32 as i32);
        } else if let Ok(small) = i32::try_from(bits as i64) {
            dynasm!(self.a; .arch x64; mov Rq(to), small);
        } else if self.reaches(bits) {
            self.load_address(to, bits);
        } else {
            dynasm!(self.a; .arch x64; mov Rq(to), QWORD bits as i64);
        }
    }

    /// The constant that an instruction can hold, extended by its sign.
    fn small(&self, v: Ssa) -> Option<i32> {
        self.function.constant(v).and_then(|bits| i32::try_from(bits as i64).ok())
    }

    /// Whether the label of the jump that is emitted next is near. Records the jump.
    fn is_near(&mut self, to: DynamicLabel) -> bool {
        let number = self.own.jumps.len();
        self.own.jumps.push((self.a.offset().0, to));
        self.own.is_near.get(number).copied().unwrap_or(false)
    }

    pub fn jump_to(&mut self, to: DynamicLabel) {
        match self.is_near(to) {
            true => dynasm!(self.a; .arch x64; jmp BYTE =>to),
            false => dynasm!(self.a; .arch x64; jmp =>to),
        }
    }

    /// Jumps if what [`Assembler::condition`] returned is true.
    pub fn jump_if(&mut self, condition: Condition, to: DynamicLabel) {
        self.jump_by_flags(condition, to);
    }

    pub fn jump_by_flags(&mut self, condition: Condition, to: DynamicLabel) {
        macro_rules! jumps {
            ($($condition:ident $jump:ident,)*) => {
                match (condition, self.is_near(to)) {
                    $((Condition::$condition, true) => dynasm!(self.a; .arch x64; $jump BYTE =>to),
                    (Condition::$condition, false) => dynasm!(self.a; .arch x64; $jump =>to),)*
                }
            };
        }
        jumps! {
            Equal je, NotEqual jne, Less jl, LessEqual jle, Greater jg, GreaterEqual jge,
            Below jb, BelowEqual jbe, Above ja, AboveEqual jae,
        }
    }

    /// Jumps if the last operation did not fit.
    fn jump_on_overflow(&mut self, to: DynamicLabel) {
        match self.is_near(to) {
            true => dynasm!(self.a; .arch x64; jo BYTE =>to),
            false => dynasm!(self.a; .arch x64; jo =>to),
        }
    }
}

//! Machine code for aarch64, by the calling convention of the AAPCS64.
//!
//! ```text
//! x19  registers of the unit's frame    x20  that frame    x21  context    x29  native frame
//! x0 to x15, x22 to x28, v0 to v7, v16 to v29   values
//! x16, x17, v30, v31                            scratch
//! x30   scratch for distances and constants that fit no instruction, and for addresses of calls
//! ```
//!
//! Compiled code calls compiled code by a convention of its own; see [`enter`]. x18 belongs to the system.
//!
//! ```text
//! x29 ──► | x29 of the caller | x30, the return address | saved registers … | slots … |   (upwards)
//! ```

pub mod barrier;
mod disassembly;
mod encoding;
mod enter;
mod exit;
pub mod frames;
mod operations;

use std::ops::Range;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

use crate::{
    allocate,
    assembler::Assembler,
    backend::Assembled,
    ir::{Condition, Function},
};

pub use disassembly::disassembled;
pub use dynasmrt::aarch64::Aarch64Relocation as Relocation;
pub use enter::{enter, interpret};
pub use exit::SavedRegisters;

/// The number of the register that points to the native frame.
pub const FRAME_POINTER: usize = FRAME as usize;

pub const CONTEXT: u8 = 21;
pub const BASE: u8 = 19;
pub const ROOT: u8 = 20;
pub const STACK_POINTER: u8 = 31;
pub const FRAME: u8 = 29;
pub const SCRATCH: u8 = 16;
pub const SECOND_SCRATCH: u8 = 17;
pub const DOUBLE_SCRATCH: u8 = 30;
pub const SECOND_DOUBLE_SCRATCH: u8 = 31;
/// The link register. A function saves it at its entry, so it can hold anything between two calls.
const LINK: u8 = 30;
/// The number of the register that reads as 0, where it does not mean the stack pointer.
const ZERO: u8 = 31;

const REGISTERS: allocate::Registers =
    allocate::Registers { kept: 0x7f << 22, changed: 0xffff, doubles: 0xff | 0x3fff << 16 };

/// More slots than these are cleared by a loop.
const UNROLLED_SLOTS: usize = 24;

/// Registers of a call's arguments and of its results.
pub const ARGUMENTS: [u8; 6] = [0, 1, 2, 3, 4, 5];
pub const RESULTS: [u8; 2] = [0, 1];

/// The register of the word where code is entered.
const ENTRY_WORD: u8 = 2;

/// Registers that a function preserves.
pub const SAVED: [u8; 7] = [22, 23, 24, 25, 26, 27, 28];

/// The bytes of the frame pointer and the return address, which begin a native frame.
const RECORD: i32 = 16;

/// How far jumps reach: 32 KB for tests of a bit, 1 MB for other conditional jumps, and 128 MB for jumps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Default, Debug)]
pub enum Reach {
    /// All jumps reach all labels.
    #[default]
    Short,
    /// Tests of a bit do not.
    Medium,
    /// Only jumps without a condition do.
    Long,
}

impl Reach {
    /// The size of the code in which they reach all labels, and the next one.
    fn limit(self) -> Option<(usize, Reach)> {
        match self {
            Reach::Short => Some((1 << 15, Reach::Medium)),
            Reach::Medium => Some((1 << 20, Reach::Long)),
            Reach::Long => None,
        }
    }
}

#[derive(Default)]
pub struct Own {
    reach: Reach,
}

/// What a jump tests.
#[derive(Clone, Copy)]
pub enum Test {
    Flags(Condition),
    /// Is the word in a register 0?
    IsZero {
        register: u8,
        when: bool,
    },
    /// Is the bit of a register 0?
    IsClear {
        register: u8,
        bit: u8,
        when: bool,
    },
}

impl Test {
    pub fn inverse(self) -> Test {
        match self {
            Test::Flags(condition) => Test::Flags(condition.inverse()),
            Test::IsZero { register, when } => Test::IsZero { register, when: !when },
            Test::IsClear { register, bit, when } => Test::IsClear { register, bit, when: !when },
        }
    }
}

/// Emits a function. `exits` is the address of the exits' data, which an exit passes with its number; `memory` has the
/// addresses of the code memory.
///
/// If the code is so large that some jumps may not reach their labels, it is emitted again with other jumps.
pub fn assemble(function: &Function, exits: u64, memory: Range<usize>) -> Option<Assembled> {
    assemble_for(Reach::Short, function, exits, memory)
}

fn assemble_for(mut reach: Reach, function: &Function, exits: u64, memory: Range<usize>) -> Option<Assembled> {
    let allocation = allocate::allocate(function, REGISTERS)?;
    loop {
        let mut a = Assembler::new(function, &allocation, memory.clone(), Own { reach });
        a.emit();
        a.write_exits(exits);
        match reach.limit() {
            Some((limit, next)) if a.a.offset().0 >= limit => reach = next,
            _ => return a.assembled(),
        }
    }
}

/// The direct call of an address, for code that is this much further from the start of the code memory.
pub fn moved_distance(call: [u8; 4], offset: usize) -> [u8; 4] {
    let call = u32::from_le_bytes(call);
    let distance = (call & DISTANCE).wrapping_sub((offset / 4) as u32) & DISTANCE;
    (call & !DISTANCE | distance).to_le_bytes()
}

/// The bits of a direct call with its distance in words.
const DISTANCE: u32 = (1 << 26) - 1;

/// The furthest distance of a direct call, in bytes.
const FURTHEST: i64 = 1 << 27;

/// Makes code that was written visible to all threads that fetch instructions.
pub fn publish(code: &[u8]) {
    dynasmrt::cache_control::synchronize_icache(code);
    dynasmrt::cache_control::prepare_for_execution(code);
    host::memory::synchronize_instructions();
}

impl Assembler<'_> {
    /// The position of a slot of the native frame, in bytes from its frame pointer.
    pub fn slot_offset(&self, slot: u16) -> i32 {
        RECORD + 8 * (self.kept.len() as i32 + i32::from(slot))
    }

    fn saved_registers(&self) -> Vec<(u8, i32)> {
        self.kept.iter().zip((RECORD..).step_by(8)).map(|(register, offset)| (*register, offset)).collect()
    }

    fn frame_size(&self) -> i32 {
        // The stack pointer stays a multiple of 16.
        (self.slot_offset(self.allocation.slots.len() as u16) + 15) & -16
    }

    pub fn write_prologue(&mut self) {
        let size = self.frame_size();
        if size <= 512 {
            dynasm!(self.a; .arch aarch64; stp x29, x30, [sp, -size]!);
        } else {
            self.address_of(STACK_POINTER, STACK_POINTER, -size);
            dynasm!(self.a; .arch aarch64; stp x29, x30, [sp]);
        }
        dynasm!(self.a; .arch aarch64; mov x29, sp);
        self.clear_slots();
        for pair in self.saved_registers().chunks(2) {
            match *pair {
                [(first, offset), (second, _)] => {
                    dynasm!(self.a; .arch aarch64; stp X(first), X(second), [x29, offset]);
                }
                _ => pair.iter().for_each(|(register, offset)| self.store_word(*register, FRAME, *offset)),
            }
        }
        self.store_entry_word(ENTRY_WORD);
    }

    pub fn write_epilogue(&mut self) {
        for pair in self.saved_registers().chunks(2) {
            match *pair {
                [(first, offset), (second, _)] => {
                    dynasm!(self.a; .arch aarch64; ldp X(first), X(second), [x29, offset]);
                }
                _ => pair.iter().for_each(|(register, offset)| self.load_word(*register, FRAME, *offset)),
            }
        }
        let size = self.frame_size();
        // A call in a cold block may have moved the stack pointer.
        dynasm!(self.a; .arch aarch64; mov sp, x29);
        if size <= 504 {
            dynasm!(self.a; .arch aarch64; ldp x29, x30, [sp], size);
        } else {
            dynasm!(self.a; .arch aarch64; ldp x29, x30, [sp]);
            self.address_of(STACK_POINTER, STACK_POINTER, size);
        }
        dynasm!(self.a; .arch aarch64; ret);
    }

    fn clear_slots(&mut self) {
        let cleared = self.unwritten_slots();
        if cleared.is_empty() {
            return;
        }
        if cleared.len() <= UNROLLED_SLOTS {
            let mut next = 0;
            while let Some(slot) = cleared.get(next) {
                let offset = self.slot_offset(*slot);
                let is_pair = cleared.get(next + 1) == Some(&(slot + 1)) && offset <= 504;
                if is_pair {
                    dynasm!(self.a; .arch aarch64; stp xzr, xzr, [x29, offset]);
                } else {
                    self.store_word(ZERO, FRAME, offset);
                }
                next += 1 + usize::from(is_pair);
            }
        } else {
            let start = self.slot_offset(cleared[0]);
            let bytes = (self.slot_offset(cleared[cleared.len() - 1]) + 8 - start) as u64;
            self.address_of(SCRATCH, FRAME, start);
            self.load_constant(SECOND_SCRATCH, bytes.next_multiple_of(8) / 8);
            dynasm!(self.a
                ; .arch aarch64
                ; next:
                ; str xzr, [x16], 8
                ; subs x17, x17, 1
                ; b.ne <next
            );
        }
    }

    /// An exit is a call of the code behind the exits, which finds the exit's number by the return address.
    fn write_exits(&mut self, exits: u64) {
        let exits_at = self.exits();
        if exits_at.is_empty() {
            return;
        }
        let (first, take) = (self.a.new_dynamic_label(), self.a.new_dynamic_label());
        dynasm!(self.a; .arch aarch64; =>first);
        let mut next = 0;
        for (number, label) in exits_at {
            while next < number {
                dynasm!(self.a; .arch aarch64; udf 0);
                next += 1;
            }
            dynasm!(self.a; .arch aarch64; =>label; bl =>take);
            next += 1;
        }
        dynasm!(self.a
            ; .arch aarch64
            ; =>take
            ; adr x16, =>first
            ; sub x16, x30, x16
            ; lsr x16, x16, 2
            ; sub x16, x16, 1
        );
        self.load_constant(SECOND_SCRATCH, exits);
        self.call_address(exit::take as *const () as u64);
        self.jump_to(self.epilogue);
    }

    /// Calls a function: directly if it can be reached from everywhere in the code memory. A direct call needs no load,
    /// and the processor knows its target when it decodes it.
    pub fn call_address(&mut self, address: u64) {
        let reaches =
            |from: usize| from != 0 && (-FURTHEST..FURTHEST).contains(&(address as i64).wrapping_sub(from as i64));
        if reaches(self.memory.start) && reaches(self.memory.end) && address % 4 == 0 {
            let at = self.a.offset().0;
            let distance = address as i64 - (self.memory.start + at) as i64;
            self.distances.push(at as u32);
            self.a.push_u32(0x9400_0000 | (distance >> 2) as u32 & DISTANCE);
        } else {
            self.load_constant(LINK, address);
            dynasm!(self.a; .arch aarch64; blr x30);
        }
    }

    pub fn jump_to(&mut self, to: DynamicLabel) {
        dynasm!(self.a; .arch aarch64; b =>to);
    }

    pub fn jump_by_flags(&mut self, condition: Condition, to: DynamicLabel) {
        self.jump_if(Test::Flags(condition), to);
    }

    /// Jumps if what [`Assembler::condition`] returned is true.
    pub fn jump_if(&mut self, test: Test, to: DynamicLabel) {
        if self.own.reach == Reach::Long {
            let over = self.a.new_dynamic_label();
            self.jump_within_reach(test.inverse(), over);
            self.jump_to(to);
            dynasm!(self.a; .arch aarch64; =>over);
        } else {
            self.jump_within_reach(test, to);
        }
    }

    fn jump_within_reach(&mut self, test: Test, to: DynamicLabel) {
        match test {
            Test::Flags(condition) => match condition {
                Condition::Equal => dynasm!(self.a; .arch aarch64; b.eq =>to),
                Condition::NotEqual => dynasm!(self.a; .arch aarch64; b.ne =>to),
                Condition::Less => dynasm!(self.a; .arch aarch64; b.lt =>to),
                Condition::LessEqual => dynasm!(self.a; .arch aarch64; b.le =>to),
                Condition::Greater => dynasm!(self.a; .arch aarch64; b.gt =>to),
                Condition::GreaterEqual => dynasm!(self.a; .arch aarch64; b.ge =>to),
                Condition::Below => dynasm!(self.a; .arch aarch64; b.lo =>to),
                Condition::BelowEqual => dynasm!(self.a; .arch aarch64; b.ls =>to),
                Condition::Above => dynasm!(self.a; .arch aarch64; b.hi =>to),
                Condition::AboveEqual => dynasm!(self.a; .arch aarch64; b.hs =>to),
            },
            Test::IsZero { register, when: true } => dynasm!(self.a; .arch aarch64; cbz X(register), =>to),
            Test::IsZero { register, when: false } => dynasm!(self.a; .arch aarch64; cbnz X(register), =>to),
            Test::IsClear { register, bit, when } => {
                let bit = u32::from(bit);
                match when {
                    true => dynasm!(self.a; .arch aarch64; tbz X(register), bit, =>to),
                    false => dynasm!(self.a; .arch aarch64; tbnz X(register), bit, =>to),
                }
            }
        }
    }

    /// Jumps if the last operation did not fit.
    fn jump_on_overflow(&mut self, to: DynamicLabel) {
        if self.own.reach == Reach::Long {
            let over = self.a.new_dynamic_label();
            dynasm!(self.a; .arch aarch64; b.vc =>over; b =>to; =>over);
        } else {
            dynasm!(self.a; .arch aarch64; b.vs =>to);
        }
    }
}

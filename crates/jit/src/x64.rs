//! Machine code for x86-64, by the calling convention of the System V ABI.
//!
//! ```text
//! rbx  registers of the unit's frame    r14  that frame    r15  context    rbp  native frame
//! r12, r13, rcx, rdx, rsi, rdi, r8 to r10, xmm0 to xmm13   values
//! rax, r11, xmm14, xmm15                                   scratch
//! ```
//!
//! Compiled code calls compiled code by a convention of its own; see [`enter`].

mod barrier;
mod disassembly;
mod encoding;
mod enter;
mod exit;
mod moves;
mod operations;

use std::ops::Range;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler, dynasm, x64::X64Relocation};
use runtime::code::{
    exits::{ExitStore, Source, Target},
    tier::Positions,
};

use self::encoding::with_constant;
use crate::{
    allocate::{self, Allocation, Fate, Place},
    backend::Assembled,
    ir::{Block, Condition, ExitState, Function, Op, Origin, Pinned, Ssa},
};

pub use disassembly::disassembled;
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

const REGISTERS: allocate::Registers = allocate::Registers {
    kept: 1 << 12 | 1 << 13,
    changed: 1 << RCX | 1 << RDX | 1 << RSI | 1 << RDI | 1 << R8 | 1 << R9 | 1 << 10,
    doubles: (1 << 14) - 1,
};

/// The number of exits that share a jump, which all of them reach by an offset of 8 bits.
const GROUP: usize = 16;

/// More slots than these are cleared by a loop.
const UNROLLED_SLOTS: usize = 24;

/// Registers of a call's arguments.
const ARGUMENTS: [u8; 6] = [RDI, RSI, RDX, RCX, R8, R9];

/// Registers that a function preserves, and where it saves those that it uses, in bytes from its frame pointer.
const SAVED: [(u8, i32); 2] = [(12, -8), (13, -16)];

fn register_of(pinned: Pinned) -> u8 {
    match pinned {
        Pinned::Context => R15,
        Pinned::Base => RBX,
        Pinned::Root => R14,
        Pinned::StackPointer => RSP,
    }
}

/// The position of a slot of the native frame, in bytes from its frame pointer.
fn slot_offset(slot: u16) -> i32 {
    -8 * (SAVED.len() as i32 + i32::from(slot) + 1)
}

/// Emits a function. `exits` is the address of the exits' data, which an exit passes with its number; `memory` has the
/// addresses of the code memory.
///
/// The code is emitted twice: the first time all jumps have 32 bits, the second time those whose labels are near enough
/// have 8.
pub fn assemble(function: &Function, exits: u64, memory: Range<usize>) -> Option<Assembled> {
    let allocation = allocate::allocate(function, REGISTERS);
    let mut wide = Assembler::new(function, &allocation, Vec::new(), memory.clone());
    wide.write(exits);
    let mut x = Assembler::new(function, &allocation, wide.near_jumps(), memory.clone());
    x.write(exits);
    let stores = function.exits.iter().map(|exit| x.stores_of(exit)).collect();
    let (calls, positions) = (std::mem::take(&mut x.calls), std::mem::take(&mut x.positions));
    let bytes = x.a.finalize().ok()?;
    Some(Assembled { bytes, calls, memory: memory.start, stores, positions })
}

struct Assembler<'a> {
    function: &'a Function,
    allocation: &'a Allocation,
    a: VecAssembler<X64Relocation>,
    labels: Vec<DynamicLabel>,
    epilogue: DynamicLabel,
    /// The addresses of the jumps, in the order in which they are emitted, and their labels.
    jumps: Vec<(usize, DynamicLabel)>,
    /// Whether the label of each jump is near; empty while this is not known.
    is_near: Vec<bool>,
    /// The registers of [`SAVED`] that the function uses.
    kept: Vec<(u8, i32)>,
    /// The addresses of the code memory.
    memory: Range<usize>,
    /// Where the distances of direct calls are.
    calls: Vec<u32>,
    /// Addresses that are called and too far away for direct calls; they are stored after the code.
    pool: Vec<(u64, DynamicLabel)>,
    /// The block that follows the current one in the code.
    next: Option<Block>,
    positions: Positions,
}

impl<'a> Assembler<'a> {
    fn new(
        function: &'a Function,
        allocation: &'a Allocation,
        is_near: Vec<bool>,
        memory: Range<usize>,
    ) -> Assembler<'a> {
        let mut a = VecAssembler::new(0);
        let labels = function.blocks.iter().map(|_| a.new_dynamic_label()).collect();
        let epilogue = a.new_dynamic_label();
        let is_used = |register: u8| allocation.places.contains(&Place::Register(register));
        let kept: Vec<(u8, i32)> = SAVED.into_iter().filter(|(register, _)| is_used(*register)).collect();
        Assembler {
            function,
            allocation,
            a,
            labels,
            epilogue,
            jumps: Vec::new(),
            is_near,
            kept,
            memory,
            calls: Vec::new(),
            pool: Vec::new(),
            next: None,
            positions: Positions::default(),
        }
    }

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
        self.jumps.iter().map(is_near).collect()
    }
}

impl Assembler<'_> {
    fn emit(&mut self) {
        self.write_prologue();
        let function = self.function;
        let is_cold = |block: &Block| function.block(*block).is_cold;
        let layout: Vec<Block> = {
            let emitted = |block: &&Block| self.destination(**block) == **block;
            let hot = function.order.iter().filter(|block| !is_cold(block)).filter(emitted);
            hot.chain(function.order.iter().filter(|block| is_cold(block)).filter(emitted)).copied().collect()
        };
        for (n, block) in layout.iter().enumerate() {
            self.next = layout.get(n + 1).copied();
            let (filled, label) = (function.block(*block), self.labels[block.0 as usize]);
            dynasm!(self.a; .arch x64; =>label);
            let mut mark = function.marks.partition_point(|(op, _)| *op <= filled.start).saturating_sub(1);
            for n in filled.start..filled.end {
                while function.marks.get(mark).is_some_and(|(op, _)| *op <= n) {
                    self.positions.add(self.a.offset().0, function.marks[mark].1);
                    mark += 1;
                }
                if self.allocation.fates[n as usize] == Fate::Emitted {
                    self.operation(n, &function.ops[n as usize]);
                }
            }
        }
        let epilogue = self.epilogue;
        dynasm!(self.a; .arch x64; =>epilogue);
        for (register, offset) in self.kept.clone() {
            self.load_word(register, RBP, offset);
        }
        dynasm!(self.a; .arch x64; leave; ret);
    }

    /// rdx: the word where the code is entered.
    fn write_prologue(&mut self) {
        dynasm!(self.a; .arch x64; push rbp; mov rbp, rsp);
        let slots = self.allocation.slots.len();
        if slots > 0 || !self.kept.is_empty() {
            // The stack pointer stays a multiple of 16.
            let size = (8 * (SAVED.len() + slots)).next_multiple_of(16) as i32;
            with_constant!(self, sub Rq(RSP), size);
            self.clear_slots();
        }
        for (register, offset) in self.kept.clone() {
            self.store_word(register, RBP, offset);
        }
        let start = self.function.order[0];
        if let [word] = self.function.block(start).parameters[..]
            && let Some(place) = self.held(word)
        {
            self.move_to_place(place, RDX);
        }
    }

    /// Clears the slots of the native frame that are not written before the first call. They contain what earlier
    /// frames left there: the collector would take such words for references, and keep alive what died long ago and all
    /// to which this refers.
    fn clear_slots(&mut self) {
        let calls = self.function.ops.iter().any(|op| matches!(op, Op::Call { .. }));
        let slots = self.allocation.slots.iter().zip(0u16..);
        let cleared: Vec<u16> = slots.filter(|(is_written, _)| !**is_written).map(|(_, slot)| slot).collect();
        if !calls || cleared.is_empty() {
            return;
        }
        dynasm!(self.a; .arch x64; xorps xmm15, xmm15);
        if cleared.len() <= UNROLLED_SLOTS {
            let mut next = 0;
            while let Some(slot) = cleared.get(next) {
                let is_pair = cleared.get(next + 1) == Some(&(slot + 1));
                if is_pair {
                    dynasm!(self.a; .arch x64; movups [rbp + slot_offset(slot + 1)], xmm15);
                } else {
                    dynasm!(self.a; .arch x64; movlps [rbp + slot_offset(*slot)], xmm15);
                }
                next += 1 + usize::from(is_pair);
            }
        } else {
            let end = slot_offset(cleared[0]) + 8;
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
        let blocks = self.function.blocks.iter().zip(self.labels.clone());
        let mut exits_at: Vec<(u32, DynamicLabel)> =
            blocks.filter_map(|(filled, label)| Some((filled.exit?, label))).collect();
        if exits_at.is_empty() {
            return;
        }
        exits_at.sort_by_key(|(number, _)| *number);
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
        for (word, label) in std::mem::take(&mut self.pool) {
            dynasm!(self.a; .arch x64; =>label; .u64 word);
        }
    }

    /// Calls a function: directly if it can be reached from everywhere in the code memory. A direct call needs no load,
    /// and the processor knows its target when it decodes it.
    fn call_address(&mut self, address: u64) {
        let reaches = |from: usize| from != 0 && i32::try_from(address as i64 - from as i64).is_ok();
        if reaches(self.memory.start) && reaches(self.memory.end) {
            let at = self.a.offset().0 + 1;
            let distance = address as i64 - (self.memory.start + at + 4) as i64;
            self.calls.push(at as u32);
            dynasm!(self.a; .arch x64; .u8 0xe8; .i32 distance as i32);
        } else {
            let address = self.pooled(address);
            dynasm!(self.a; .arch x64; call QWORD [=>address]);
        }
    }

    /// The label of a word that is stored after the code.
    fn pooled(&mut self, word: u64) -> DynamicLabel {
        if let Some((_, label)) = self.pool.iter().find(|(known, _)| *known == word) {
            return *label;
        }
        let label = self.a.new_dynamic_label();
        self.pool.push((word, label));
        label
    }

    fn label(&self, block: Block) -> DynamicLabel {
        self.labels[self.destination(block).0 as usize]
    }

    /// The block that control reaches by a jump to a block: blocks that only jump and pass on values that are already
    /// in their places are skipped.
    fn destination(&self, block: Block) -> Block {
        let function = self.function;
        let mut at = block;
        // The limit is for blocks that jump to each other in a circle.
        for _ in 0..16 {
            let filled = function.block(at);
            let is_emitted = |n: &u32| self.allocation.fates[*n as usize] != Fate::Dead;
            let mut ops = (filled.start..filled.end).filter(is_emitted);
            let (Some(n), None) = (ops.next(), ops.next()) else { return at };
            let Op::Jump { to, arguments } = function.ops[n as usize] else { return at };
            let places = function.block(to).parameters.iter().map(|v| self.place(*v));
            let is_there = |(v, place): (&Ssa, Place)| {
                place == Place::Nowhere || function.constant(*v).is_none() && self.held(*v) == Some(place)
            };
            if !function.list(arguments).iter().zip(places).all(is_there) {
                return at;
            }
            at = to;
        }
        block
    }

    fn place(&self, v: Ssa) -> Place {
        match self.function.value(v) {
            Origin::Pinned(pinned, 0) => Place::Register(register_of(pinned)),
            _ => self.allocation.places[v.0 as usize],
        }
    }

    /// The place of a value, if it has one.
    fn held(&self, v: Ssa) -> Option<Place> {
        Some(self.place(v)).filter(|place| *place != Place::Nowhere)
    }

    fn is_double(&self, v: Ssa) -> bool {
        self.function.value(v) == Origin::Double
    }

    /// What an exit stores and adds.
    fn stores_of(&self, exit: &ExitState) -> Vec<ExitStore> {
        let stores = exit.stores.iter().map(|(register, v)| (Target::Register(*register), *v));
        let adds = exit.adds.iter().map(|(address, v)| (Target::Counter(*address as usize), *v));
        stores.chain(adds).map(|(to, v)| ExitStore { to, from: self.source_of(v) }).collect()
    }

    /// The location of a value that an exit reads.
    fn source_of(&self, v: Ssa) -> Source {
        match (self.function.constant(v), self.place(v), self.is_double(v)) {
            (Some(bits), ..) => Source::Constant(bits),
            (_, Place::Register(r), false) => Source::Register(r),
            (_, Place::Register(r), true) => Source::Double(r),
            (_, Place::Stack(slot), false) => Source::Stack(slot_offset(slot)),
            (_, Place::Stack(slot), true) => Source::DoubleOnStack(slot_offset(slot)),
            // No operation goes to this exit. (Sums of pinned words and constants have no place either, but no register
            // of the frame holds one.)
            (_, Place::Nowhere, _) => Source::Constant(abi::Value::NIL.0),
        }
    }

    /// The register that holds a word; the word may have been loaded into `scratch`.
    fn word(&mut self, v: Ssa, scratch: u8) -> u8 {
        if let Some(bits) = self.function.constant(v) {
            self.load_constant(scratch, bits);
            return scratch;
        }
        if let Origin::Pinned(pinned, offset) = self.function.value(v)
            && offset != 0
        {
            let base = register_of(pinned);
            self.address_of(scratch, base, offset);
            return scratch;
        }
        match self.place(v) {
            Place::Register(r) => r,
            Place::Stack(slot) => {
                let offset = slot_offset(slot);
                self.load_word(scratch, RBP, offset);
                scratch
            }
            Place::Nowhere => unreachable!("an operand has a place"),
        }
    }

    /// Moves a word into a register.
    fn word_into(&mut self, v: Ssa, to: u8) {
        let from = self.word(v, to);
        if from != to {
            dynasm!(self.a; .arch x64; mov Rq(to), Rq(from));
        }
    }

    /// The register that holds a double.
    fn double(&mut self, v: Ssa, scratch: u8) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            Place::Stack(slot) => {
                let offset = slot_offset(slot);
                self.load_double(scratch, RBP, offset);
                scratch
            }
            Place::Nowhere => unreachable!("an operand has a place"),
        }
    }

    /// The register into which a word is computed: its own, or the scratch register.
    fn target(&self, v: Ssa) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            _ => RAX,
        }
    }

    fn double_target(&self, v: Ssa) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            _ => XMM14,
        }
    }

    /// Moves a word that was computed in a register to its place.
    fn store_result(&mut self, v: Ssa, from: u8) {
        if let Some(place) = self.held(v) {
            self.move_to_place(place, from);
        }
    }

    fn move_to_place(&mut self, place: Place, from: u8) {
        match place {
            Place::Register(r) if r == from => {}
            Place::Register(r) => dynasm!(self.a; .arch x64; mov Rq(r), Rq(from)),
            Place::Stack(slot) => {
                let offset = slot_offset(slot);
                self.store_word(from, RBP, offset);
            }
            Place::Nowhere => {}
        }
    }

    fn store_double_result(&mut self, v: Ssa, from: u8) {
        match self.place(v) {
            Place::Register(r) if r == from => {}
            Place::Register(r) => dynasm!(self.a; .arch x64; movapd Rx(r), Rx(from)),
            Place::Stack(slot) => {
                let offset = slot_offset(slot);
                self.store_double(from, RBP, offset);
            }
            Place::Nowhere => {}
        }
    }

    fn load_constant(&mut self, to: u8, bits: u64) {
        // The instruction must not change the flags, not even for 0: operations may come between a comparison and its
        // user.
        if u32::try_from(bits).is_ok() {
            self.load_small_constant(to, bits as u32 as i32);
        } else if let Ok(small) = i32::try_from(bits as i64) {
            dynasm!(self.a; .arch x64; mov Rq(to), small);
        } else {
            dynasm!(self.a; .arch x64; mov Rq(to), QWORD bits as i64);
        }
    }

    /// The constant that an instruction can hold, extended by its sign.
    fn small(&self, v: Ssa) -> Option<i32> {
        self.function.constant(v).and_then(|bits| i32::try_from(bits as i64).ok())
    }

    /// The operation that defines a value, if it is folded into its user.
    fn folded(&self, v: Ssa) -> Option<Op> {
        let at = *self.allocation.definitions.get(v.0 as usize)? as usize;
        let fate = self.allocation.fates.get(at)?;
        (*fate == Fate::Folded).then(|| self.function.ops[at])
    }

    fn jump(&mut self, to: Block) {
        if self.next != Some(self.destination(to)) {
            let label = self.label(to);
            self.jump_to(label);
        }
    }

    /// Whether the label of the jump that is emitted next is near. Records the jump.
    fn is_near(&mut self, to: DynamicLabel) -> bool {
        let number = self.jumps.len();
        self.jumps.push((self.a.offset().0, to));
        self.is_near.get(number).copied().unwrap_or(false)
    }

    fn jump_to(&mut self, to: DynamicLabel) {
        match self.is_near(to) {
            true => dynasm!(self.a; .arch x64; jmp BYTE =>to),
            false => dynasm!(self.a; .arch x64; jmp =>to),
        }
    }

    fn jump_if(&mut self, condition: Condition, to: DynamicLabel) {
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

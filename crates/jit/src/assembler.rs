//! What the backends share: the order of blocks, where values are, and operations that differ only in their
//! instructions.
//!
//! The backend for the processor ([`machine`]) adds the rest to the same [`Assembler`]. It has two scratch registers
//! for words and two for doubles, which are not assigned to values: they hold words within one operation.

mod moves;
mod operations;
#[cfg(test)]
mod tests;

use std::ops::Range;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, VecAssembler};
use runtime::code::{
    exits::{ExitStore, Source, Stores, Target},
    tier::Positions,
};

use crate::{
    allocate::{Allocation, Fate, Place},
    backend::{
        Assembled,
        machine::{self, DOUBLE_SCRATCH, FRAME, Relocation, SAVED, SCRATCH},
    },
    ir::{Block, Condition, ExitState, Function, Made, MadeWord, Op, Origin, Pinned, Ssa},
};

pub struct Assembler<'a> {
    pub function: &'a Function,
    pub allocation: &'a Allocation,
    pub a: VecAssembler<Relocation>,
    pub labels: Vec<DynamicLabel>,
    pub epilogue: DynamicLabel,
    /// The registers of [`SAVED`] that the function uses.
    pub kept: Vec<u8>,
    /// The addresses of the code memory.
    pub memory: Range<usize>,
    /// Where the distances of direct calls are, and of operands in memory that are reached by them.
    pub distances: Vec<u32>,
    /// The block that follows the current one in the code.
    pub next: Option<Block>,
    pub positions: Positions,
    /// What only this processor's backend needs.
    pub own: machine::Own,
}

impl<'a> Assembler<'a> {
    pub fn new(
        function: &'a Function,
        allocation: &'a Allocation,
        memory: Range<usize>,
        own: machine::Own,
    ) -> Assembler<'a> {
        let mut a = VecAssembler::new(0);
        let labels = function.blocks.iter().map(|_| a.new_dynamic_label()).collect();
        let epilogue = a.new_dynamic_label();
        let is_used = |register: &u8| allocation.places.contains(&Place::Register(*register));
        let kept: Vec<u8> = SAVED.into_iter().filter(is_used).collect();
        Assembler {
            function,
            allocation,
            a,
            labels,
            epilogue,
            kept,
            memory,
            distances: Vec::new(),
            next: None,
            positions: Positions::default(),
            own,
        }
    }

    /// The finished code.
    pub fn assembled(mut self) -> Option<Assembled> {
        self.positions.finish();
        let stores = Stores::new(self.function.exits.iter().map(|exit| self.stores_of(exit)));
        let bytes = self.a.finalize().ok()?;
        Some(Assembled {
            bytes,
            distances: self.distances,
            memory: self.memory.start,
            stores,
            positions: self.positions,
        })
    }
}

impl Assembler<'_> {
    /// Emits all blocks between the prologue and the epilogue, the cold ones last.
    pub fn emit(&mut self) {
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
            self.a.dynamic_label(label);
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
        self.a.dynamic_label(self.epilogue);
        self.write_epilogue();
    }

    /// Moves the word where the code is entered from its register to its place.
    pub fn store_entry_word(&mut self, from: u8) {
        let start = self.function.order[0];
        if let [word] = self.function.block(start).parameters[..]
            && let Some(place) = self.held(word)
        {
            self.move_to_place(place, from);
        }
    }

    /// The slots of the native frame that are not written before the first call, and must be cleared. They contain what
    /// earlier frames left there: the collector would take such words for references, and keep alive what died long ago
    /// and all to which this refers.
    pub fn unwritten_slots(&self) -> Vec<u16> {
        if !self.function.ops.iter().any(|op| matches!(op, Op::Call { .. })) {
            return Vec::new();
        }
        let slots = self.allocation.slots.iter().zip(0u16..);
        slots.filter(|(is_written, _)| !**is_written).map(|(_, slot)| slot).collect()
    }

    /// The exits in the order of their numbers.
    pub fn exits(&self) -> Vec<(u32, DynamicLabel)> {
        let blocks = self.function.blocks.iter().zip(self.labels.clone());
        let mut exits: Vec<(u32, DynamicLabel)> =
            blocks.filter_map(|(filled, label)| Some((filled.exit?, label))).collect();
        exits.sort_by_key(|(number, _)| *number);
        exits
    }

    pub fn label(&self, block: Block) -> DynamicLabel {
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

    pub fn place(&self, v: Ssa) -> Place {
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
    fn stores_of(&self, exit: &ExitState) -> impl Iterator<Item = ExitStore> {
        let stores = exit.stores.iter().map(|(register, v)| (Target::Register(*register), self.source_of(*v)));
        let made = exit.made.iter().flat_map(|Made { header, words }| {
            let words = words.iter().enumerate().map(|(n, word)| {
                let from = match word {
                    MadeWord::Value(v) => self.source_of(*v),
                    MadeWord::Object(number) => Source::Object(*number),
                };
                (Target::Word(n as u8), from)
            });
            let object = (Target::Object(words.len() as u8), Source::Constant(*header));
            std::iter::once(object).chain(words)
        });
        let objects = exit.objects.iter().map(|(at, number)| (Target::Register(*at), Source::Object(*number)));
        let adds = exit.adds.iter().map(|(address, v)| (Target::Counter(*address as usize), self.source_of(*v)));
        stores.chain(made).chain(objects).chain(adds).map(|(to, from)| ExitStore { to, from })
    }

    /// The location of a value that an exit reads.
    fn source_of(&self, v: Ssa) -> Source {
        match (self.function.constant(v), self.place(v), self.is_double(v)) {
            (Some(bits), ..) => Source::Constant(bits),
            (_, Place::Register(r), false) => Source::Register(r),
            (_, Place::Register(r), true) => Source::Double(r),
            (_, Place::Stack(slot), false) => Source::Stack(self.slot_offset(slot)),
            (_, Place::Stack(slot), true) => Source::DoubleOnStack(self.slot_offset(slot)),
            // No operation goes to this exit. (Sums of pinned words and constants have no place either, but no register
            // of the frame holds one.)
            (_, Place::Nowhere, _) => Source::Constant(abi::Value::NIL.0),
        }
    }

    /// The register that holds a word; the word may have been loaded into `scratch`.
    pub fn word(&mut self, v: Ssa, scratch: u8) -> u8 {
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
                let offset = self.slot_offset(slot);
                self.load_word(scratch, FRAME, offset);
                scratch
            }
            Place::Nowhere => unreachable!("an operand has a place"),
        }
    }

    /// Moves a word into a register.
    pub fn word_into(&mut self, v: Ssa, to: u8) {
        let from = self.word(v, to);
        if from != to {
            self.move_register(to, from);
        }
    }

    /// The register that holds a double.
    pub fn double(&mut self, v: Ssa, scratch: u8) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            Place::Stack(slot) => {
                let offset = self.slot_offset(slot);
                self.load_double(scratch, FRAME, offset);
                scratch
            }
            Place::Nowhere => unreachable!("an operand has a place"),
        }
    }

    /// The register into which a word is computed: its own, or the scratch register.
    pub fn target(&self, v: Ssa) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            _ => SCRATCH,
        }
    }

    pub fn double_target(&self, v: Ssa) -> u8 {
        match self.place(v) {
            Place::Register(r) => r,
            _ => DOUBLE_SCRATCH,
        }
    }

    /// Moves a word that was computed in a register to its place.
    pub fn store_result(&mut self, v: Ssa, from: u8) {
        if let Some(place) = self.held(v) {
            self.move_to_place(place, from);
        }
    }

    fn move_to_place(&mut self, place: Place, from: u8) {
        match place {
            Place::Register(r) if r == from => {}
            Place::Register(r) => self.move_register(r, from),
            Place::Stack(slot) => {
                let offset = self.slot_offset(slot);
                self.store_word(from, FRAME, offset);
            }
            Place::Nowhere => {}
        }
    }

    pub fn store_double_result(&mut self, v: Ssa, from: u8) {
        match self.place(v) {
            Place::Register(r) if r == from => {}
            Place::Register(r) => self.move_double_register(r, from),
            Place::Stack(slot) => {
                let offset = self.slot_offset(slot);
                self.store_double(from, FRAME, offset);
            }
            Place::Nowhere => {}
        }
    }

    /// The operation that defines a value, if it is folded into its user.
    pub fn folded(&self, v: Ssa) -> Option<Op> {
        let at = *self.allocation.definitions.get(v.0 as usize)? as usize;
        let fate = self.allocation.fates.get(at)?;
        (*fate == Fate::Folded).then(|| self.function.ops[at])
    }
}

pub fn register_of(pinned: Pinned) -> u8 {
    match pinned {
        Pinned::Context => machine::CONTEXT,
        Pinned::Base => machine::BASE,
        Pinned::Root => machine::ROOT,
        Pinned::StackPointer => machine::STACK_POINTER,
    }
}

impl Condition {
    pub fn inverse(self) -> Condition {
        use Condition::*;
        match self {
            Equal => NotEqual,
            NotEqual => Equal,
            Less => GreaterEqual,
            LessEqual => Greater,
            Greater => LessEqual,
            GreaterEqual => Less,
            Below => AboveEqual,
            BelowEqual => Above,
            Above => BelowEqual,
            AboveEqual => Below,
        }
    }

    /// The condition for swapped operands.
    pub fn swapped(self) -> Condition {
        use Condition::*;
        match self {
            Equal | NotEqual => self,
            Less => Greater,
            LessEqual => GreaterEqual,
            Greater => Less,
            GreaterEqual => LessEqual,
            Below => Above,
            BelowEqual => AboveEqual,
            Above => Below,
            AboveEqual => BelowEqual,
        }
    }
}

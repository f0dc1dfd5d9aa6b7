//! Parallel moves: the arguments of calls and jumps.

use super::{Assembler, register_of};
use crate::{
    allocate::Place,
    backend::machine::{DOUBLE_SCRATCH, FRAME, SCRATCH, SECOND_DOUBLE_SCRATCH, SECOND_SCRATCH},
    ir::{Origin, Ssa},
};

#[derive(Clone, Copy, PartialEq)]
enum From {
    Place(Place),
    Constant(u64),
    /// The address this many bytes from the one in a register, which must not be the target of another move.
    Address(u8, i32),
}

struct Move {
    from: From,
    to: Place,
    is_double: bool,
}

impl Move {
    /// Does another move overwrite what this one reads? Words and doubles share the slots of the stack, but not the
    /// registers.
    fn reads_target_of(&self, other: &Move) -> bool {
        let shares_places = matches!(other.to, Place::Stack(_)) || self.is_double == other.is_double;
        self.from == From::Place(other.to) && shares_places
    }
}

impl Assembler<'_> {
    /// Moves values to places; no value is overwritten before it was read. Words that move from the stack to the stack
    /// pass through the first scratch register; the second one, and the first one for doubles, break cycles.
    pub fn move_at_once(&mut self, moves: impl Iterator<Item = (Ssa, Place)>) {
        let mut waiting = Vec::new();
        for (v, to) in moves.filter(|(_, to)| *to != Place::Nowhere) {
            let from = match self.function.value(v) {
                Origin::Constant(bits) => From::Constant(bits),
                Origin::Pinned(pinned, offset) if offset != 0 => From::Address(register_of(pinned), offset),
                _ => From::Place(self.place(v)),
            };
            if from != From::Place(to) {
                waiting.push(Move { from, to, is_double: self.is_double(v) });
            }
        }
        while !waiting.is_empty() {
            let is_free = |n: &usize| {
                let is_read = |(other, reader): (usize, &Move)| other != *n && reader.reads_target_of(&waiting[*n]);
                !waiting.iter().enumerate().any(is_read)
            };
            if let Some(n) = (0..waiting.len()).find(is_free) {
                let Move { from, to, is_double } = waiting.swap_remove(n);
                self.make_move(from, to, is_double);
                continue;
            }
            // All that is left are circles: one value waits in the scratch register.
            let Move { from, is_double, .. } = waiting[0];
            let scratch = Place::Register(if is_double { DOUBLE_SCRATCH } else { SECOND_SCRATCH });
            self.make_move(from, scratch, is_double);
            waiting[0].from = From::Place(scratch);
        }
    }

    fn make_move(&mut self, from: From, to: Place, is_double: bool) {
        if is_double { self.move_double(from, to) } else { self.move_word(from, to) }
    }

    fn move_word(&mut self, from: From, to: Place) {
        match (from, to) {
            (From::Constant(bits), Place::Register(to)) => self.load_constant(to, bits),
            (From::Constant(bits), _) => {
                self.load_constant(SCRATCH, bits);
                self.move_to_place(to, SCRATCH);
            }
            (From::Address(base, offset), _) => {
                let through = if let Place::Register(to) = to { to } else { SCRATCH };
                self.address_of(through, base, offset);
                self.move_to_place(to, through);
            }
            (From::Place(Place::Register(from)), _) => self.move_to_place(to, from),
            (From::Place(Place::Stack(slot)), _) => {
                let offset = self.slot_offset(slot);
                let through = if let Place::Register(to) = to { to } else { SCRATCH };
                self.load_word(through, FRAME, offset);
                self.move_to_place(to, through);
            }
            (From::Place(Place::Nowhere), _) => unreachable!("what is moved has a place"),
        }
    }

    fn move_double(&mut self, from: From, to: Place) {
        let through = match from {
            From::Place(Place::Register(from)) => from,
            From::Place(Place::Stack(slot)) => {
                let offset = self.slot_offset(slot);
                let through = if let Place::Register(to) = to { to } else { SECOND_DOUBLE_SCRATCH };
                self.load_double(through, FRAME, offset);
                through
            }
            _ => unreachable!("doubles are in registers or on the stack"),
        };
        match to {
            Place::Register(to) if to == through => {}
            Place::Register(to) => self.move_double_register(to, through),
            Place::Stack(slot) => {
                let offset = self.slot_offset(slot);
                self.store_double(through, FRAME, offset);
            }
            Place::Nowhere => {}
        }
    }
}

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
}

impl Assembler<'_> {
    /// Moves values to places; no value is overwritten before it was read. Words that move from the stack to the stack
    /// pass through the first scratch register; the second one, and the first one for doubles, break cycles.
    pub fn move_at_once(&mut self, moves: impl Iterator<Item = (Ssa, Place)>) {
        let (mut words, mut doubles) = (Vec::new(), Vec::new());
        for (v, to) in moves.filter(|(_, to)| *to != Place::Nowhere) {
            let from = match self.function.value(v) {
                Origin::Constant(bits) => From::Constant(bits),
                Origin::Pinned(pinned, offset) if offset != 0 => From::Address(register_of(pinned), offset),
                _ => From::Place(self.place(v)),
            };
            if from != From::Place(to) {
                let list = if self.is_double(v) { &mut doubles } else { &mut words };
                list.push(Move { from, to });
            }
        }
        self.in_order(words, Place::Register(SECOND_SCRATCH), Self::move_word);
        self.in_order(doubles, Place::Register(DOUBLE_SCRATCH), Self::move_double);
    }

    fn in_order(&mut self, mut moves: Vec<Move>, scratch: Place, emit: fn(&mut Self, From, Place)) {
        while !moves.is_empty() {
            let is_free = |n: &usize| {
                let to = From::Place(moves[*n].to);
                moves.iter().enumerate().all(|(other, waiting)| other == *n || waiting.from != to)
            };
            if let Some(n) = (0..moves.len()).find(is_free) {
                let Move { from, to } = moves.swap_remove(n);
                emit(self, from, to);
                continue;
            }
            // All that is left are circles: one value waits in the scratch register.
            let from = moves[0].from;
            emit(self, from, scratch);
            moves[0].from = From::Place(scratch);
        }
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

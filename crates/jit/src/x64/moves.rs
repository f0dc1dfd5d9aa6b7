//! Parallel moves: the arguments of calls and jumps.

use dynasmrt::{DynasmApi, dynasm};

use super::{Assembler, R11, RAX, RBP, XMM14, register_of, slot_offset};
use crate::{
    allocate::Place,
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
    /// Moves values to places; no value is overwritten before it was read. Uses rax for words that move from the stack
    /// to the stack, and r11 and xmm14 to break cycles.
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
        self.in_order(words, Place::Register(R11), Self::move_word);
        self.in_order(doubles, Place::Register(XMM14), Self::move_double);
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
                self.load_constant(RAX, bits);
                self.move_to_place(to, RAX);
            }
            (From::Address(base, offset), _) => {
                let through = if let Place::Register(to) = to { to } else { RAX };
                self.address_of(through, base, offset);
                self.move_to_place(to, through);
            }
            (From::Place(Place::Register(from)), _) => self.move_to_place(to, from),
            (From::Place(Place::Stack(slot)), _) => {
                let offset = slot_offset(slot);
                let through = if let Place::Register(to) = to { to } else { RAX };
                self.load_word(through, RBP, offset);
                self.move_to_place(to, through);
            }
            (From::Place(Place::Nowhere), _) => unreachable!("what is moved has a place"),
        }
    }

    fn move_double(&mut self, from: From, to: Place) {
        let through = match from {
            From::Place(Place::Register(from)) => from,
            From::Place(Place::Stack(slot)) => {
                let offset = slot_offset(slot);
                let through = if let Place::Register(to) = to { to } else { super::XMM15 };
                self.load_double(through, RBP, offset);
                through
            }
            _ => unreachable!("doubles are in registers or on the stack"),
        };
        match to {
            Place::Register(to) if to == through => {}
            Place::Register(to) => dynasm!(self.a; .arch x64; movapd Rx(to), Rx(through)),
            Place::Stack(slot) => {
                let offset = slot_offset(slot);
                self.store_double(through, RBP, offset);
            }
            Place::Nowhere => {}
        }
    }
}

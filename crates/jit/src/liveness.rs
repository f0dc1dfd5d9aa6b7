//! Which temporaries are still read: a temporary that is not read any more need not be stored.
//!
//! Variables are always alive, because bindings, blocks and debuggers may read them. Temporaries are read only by
//! instructions, so a backward analysis finds where each of them is read before it is set again. Instructions that are
//! not listed here are assumed to read all temporaries.

use bytecode::{Opcode, Operands};
use runtime::code::Code;

use crate::{
    bodies::{table_targets, target},
    instruction,
};

/// A bit for each temporary of a code object.
type Set = u128;

pub struct Liveness {
    /// The number of the first temporary.
    first: u16,
    /// The temporaries that are alive before each word.
    before: Vec<Set>,
}

impl Liveness {
    /// `None` if nothing is known. With exception handlers, control may reach a handler from any instruction, and the
    /// handler may read any temporary.
    pub fn of(code: &Code) -> Option<Liveness> {
        let first = code.environment_slots;
        if !code.handlers().is_empty() || code.registers > first + Set::BITS as u16 {
            return None;
        }
        let mut words = Vec::new();
        let mut word = 0;
        while word < code.instructions.len() {
            words.push(word);
            word = next(code, word);
        }
        let mut liveness = Liveness { first, before: vec![0; code.instructions.len() + 1] };
        let mut changed = true;
        while changed {
            changed = false;
            for word in words.iter().rev() {
                let before = liveness.before(code, *word);
                changed |= liveness.before[*word] != before;
                liveness.before[*word] = before;
            }
        }
        Some(liveness)
    }

    /// Is a register of the body a temporary that is not read from a word on?
    pub fn is_dead(&self, word: usize, register: u16) -> bool {
        register >= self.first && self.bit(register) & self.before.get(word).copied().unwrap_or(Set::MAX) == 0
    }

    fn bit(&self, register: u16) -> Set {
        match register.checked_sub(self.first) {
            Some(n) if u32::from(n) < Set::BITS => 1 << n,
            _ => 0,
        }
    }

    fn bits(&self, registers: impl IntoIterator<Item = u16>) -> Set {
        registers.into_iter().fold(0, |set, register| set | self.bit(register))
    }

    fn before(&self, code: &Code, word: usize) -> Set {
        use Opcode::*;
        let i = code.instruction(word);
        let opcode = i.op();
        let after = match opcode {
            Return => 0,
            Jump | Loop => self.before[target(word, i.bc())],
            JumpTable => table_targets(code, i.c as usize)
                .into_iter()
                .fold(self.before[next(code, word)], |set, (_, to)| set | self.before[to]),
            _ => {
                let to = match opcode.operands() {
                    Operands::AJump => Some(target(word, i.bc())),
                    Operands::AbJump | Operands::AIntJump => Some(target(word, i.c as i16 as i32)),
                    _ => None,
                };
                self.before[next(code, word)] | to.map_or(0, |to| self.before[to])
            }
        };
        let (read, is_set) = match opcode {
            Nop | Extension | Jump | Loop | Count | CountOnce | CountCall => (0, false),
            LoadNil | LoadTrue | LoadFalse | LoadInt | LoadLiteral | NewString | DuplicateLiteral | GetIvar
            | GetConstant | GetGlobal | GetOuter => (0, true),
            Move | GetConstantFrom | ShiftLeftLiteral | IndexLiteral | ToString | Not | Negate | IsNil | IsEmpty
            | Length | Size | Successor => (self.bit(i.b), true),
            Index | CaseEqual => (self.bits([i.b, i.c]), true),
            IndexSet => (self.bits([i.a, i.b, i.c]), false),
            IndexSetLiteral => (self.bits([i.a, i.c]), false),
            SetIvar | SetGlobal | SetOuter | Return | JumpTable => (self.bit(i.a), false),
            Call | CallBlock => {
                let site = &code.calls[i.c as usize];
                (self.bits(i.b..=i.b + site.arguments), true)
            }
            Yield if code.calls[i.c as usize].flags.0 == 0 => {
                let site = &code.calls[i.c as usize];
                (self.bits(i.b..=i.b + site.arguments), true)
            }
            NewArray | NewHash | ConcatStrings => (self.bits(i.b..i.b + i.c), true),
            Intrinsic => {
                let count = bytecode::Intrinsic::from_u16(i.c).arguments() as u16;
                (self.bits(i.b..i.b + count), true)
            }
            _ if opcode.operands() == Operands::AJump => (self.bit(i.a), false),
            _ if opcode.operands() == Operands::AbJump => (self.bits([i.a, i.b]), false),
            _ if opcode.operands() == Operands::AIntJump => (self.bit(i.a), false),
            _ if instruction::is_operator(opcode) && opcode.operands() == Operands::Abc => {
                (self.bits([i.b, i.c]), true)
            }
            _ if instruction::is_operator(opcode) && opcode.operands() == Operands::AbInt => (self.bit(i.b), true),
            _ => (Set::MAX, false),
        };
        read | if is_set { after & !self.bit(i.a) } else { after }
    }
}

/// The word of the next instruction.
pub fn next(code: &Code, word: usize) -> usize {
    let opcode = code.instruction(word).op();
    // The third word of a compare-and-jump is an instruction of its own, which runs after the call of the comparison.
    word + 1 + opcode.following_words().min(1) + usize::from(instruction::is_compared_jump(opcode))
}

//! One instruction: a 64-bit word of an opcode and three 16-bit operands.
//!
//! ```text
//! 63     48 47     32 31     16 15      0
//! +--------+---------+---------+---------+
//! | c      | b       | a       | opcode  |
//! +--------+---------+---------+---------+
//! ```
//! `b` and `c` together are one 32-bit operand `bc` (a literal's index, a jump's distance). The opcode is a field of
//! its own, so that a trace point replaces it by one atomic 16-bit store.

use crate::opcode::Opcode;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(8))]
pub struct Instruction {
    pub opcode: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

impl Instruction {
    pub const fn abc(opcode: Opcode, a: u16, b: u16, c: u16) -> Instruction {
        Instruction { opcode: opcode as u16, a, b, c }
    }

    pub const fn abx(opcode: Opcode, a: u16, bc: i32) -> Instruction {
        Instruction { opcode: opcode as u16, a, b: bc as u32 as u16, c: (bc as u32 >> 16) as u16 }
    }

    /// The signed 32-bit operand of `b` and `c`.
    #[inline(always)]
    pub const fn bc(self) -> i32 {
        (self.b as u32 | ((self.c as u32) << 16)) as i32
    }

    #[inline]
    pub fn op(self) -> Opcode {
        Opcode::from_u16(self.opcode)
    }

    /// The operation: for [`Opcode::Wide`], the opcode that it encodes.
    #[inline]
    pub fn meant(self) -> Opcode {
        if self.op() == Opcode::Wide { Opcode::from_u16(self.c) } else { self.op() }
    }

    pub const fn with_bc(self, bc: i32) -> Instruction {
        Instruction { b: bc as u32 as u16, c: (bc as u32 >> 16) as u16, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_one_word() {
        assert_eq!(std::mem::size_of::<Instruction>(), 8);
        assert_eq!(Instruction::abx(Opcode::Jump, 0, -5).bc(), -5);
        assert_eq!(Instruction::abx(Opcode::LoadInt, 3, i32::MAX).bc(), i32::MAX);
    }
}

//! Instructions with a distance or a constant, each in its shortest form.

use dynasmrt::{DynasmApi, dynasm};

use super::Assembler;

/// Emits an instruction with an operand in memory, `[base + offset]`, whose distance is a byte where that is enough:
/// on a register and the operand, on the operand and a register or a constant, on the operand alone.
macro_rules! on_memory {
    ($self:ident, $name:ident $kind:ident($register:ident), [$base:ident + $offset:ident]) => {
        match i8::try_from($offset) {
            Ok(offset) => dynasm!($self.a; .arch x64; $name $kind($register), [BYTE Rq($base) + offset]),
            Err(_) => dynasm!($self.a; .arch x64; $name $kind($register), [DWORD Rq($base) + $offset]),
        }
    };
    ($self:ident, $name:ident [$base:ident + $offset:ident], $kind:ident($register:ident)) => {
        match i8::try_from($offset) {
            Ok(offset) => dynasm!($self.a; .arch x64; $name [BYTE Rq($base) + offset], $kind($register)),
            Err(_) => dynasm!($self.a; .arch x64; $name [DWORD Rq($base) + $offset], $kind($register)),
        }
    };
    ($self:ident, $name:ident $width:ident [$base:ident + $offset:ident], $size:ident $constant:ident) => {
        match i8::try_from($offset) {
            Ok(offset) => dynasm!($self.a; .arch x64; $name $width [BYTE Rq($base) + offset], $size $constant),
            Err(_) => dynasm!($self.a; .arch x64; $name $width [DWORD Rq($base) + $offset], $size $constant),
        }
    };
    ($self:ident, $name:ident $width:ident [$base:ident + $offset:ident]) => {
        match i8::try_from($offset) {
            Ok(offset) => dynasm!($self.a; .arch x64; $name $width [BYTE Rq($base) + offset]),
            Err(_) => dynasm!($self.a; .arch x64; $name $width [DWORD Rq($base) + $offset]),
        }
    };
}

/// Emits an operator on a register and a constant, which is a byte where that is enough.
macro_rules! with_constant {
    ($self:ident, $name:ident $kind:ident($register:ident), $constant:ident) => {
        match i8::try_from($constant) {
            Ok(constant) => dynasm!($self.a; .arch x64; $name $kind($register), BYTE constant),
            Err(_) => dynasm!($self.a; .arch x64; $name $kind($register), DWORD $constant),
        }
    };
}

pub(super) use with_constant;

impl Assembler<'_> {
    pub fn load_word(&mut self, to: u8, base: u8, offset: i32) {
        on_memory!(self, mov Rq(to), [base + offset]);
    }

    /// The upper half becomes 0.
    pub fn load_half(&mut self, to: u8, base: u8, offset: i32) {
        on_memory!(self, mov Rd(to), [base + offset]);
    }

    pub fn load_double(&mut self, to: u8, base: u8, offset: i32) {
        on_memory!(self, movsd Rx(to), [base + offset]);
    }

    pub fn load_pair(&mut self, to: u8, base: u8, offset: i32) {
        on_memory!(self, movups Rx(to), [base + offset]);
    }

    pub fn store_word(&mut self, from: u8, base: u8, offset: i32) {
        on_memory!(self, mov[base + offset], Rq(from));
    }

    pub fn store_half(&mut self, from: u8, base: u8, offset: i32) {
        on_memory!(self, mov[base + offset], Rd(from));
    }

    pub fn store_double(&mut self, from: u8, base: u8, offset: i32) {
        on_memory!(self, movsd[base + offset], Rx(from));
    }

    pub fn store_pair(&mut self, from: u8, base: u8, offset: i32) {
        on_memory!(self, movups[base + offset], Rx(from));
    }

    pub fn store_word_constant(&mut self, constant: i32, base: u8, offset: i32) {
        on_memory!(self, mov QWORD [base + offset], DWORD constant);
    }

    pub fn store_half_constant(&mut self, constant: i32, base: u8, offset: i32) {
        on_memory!(self, mov DWORD [base + offset], DWORD constant);
    }

    /// Compares a word in memory with a register.
    pub fn compare_word(&mut self, base: u8, offset: i32, with: u8) {
        on_memory!(self, cmp[base + offset], Rq(with));
    }

    pub fn compare_word_constant(&mut self, base: u8, offset: i32, constant: i32) {
        on_memory!(self, cmp QWORD [base + offset], DWORD constant);
    }

    pub fn compare_half_constant(&mut self, base: u8, offset: i32, constant: i32) {
        on_memory!(self, cmp DWORD [base + offset], DWORD constant);
    }

    pub fn address_of(&mut self, to: u8, base: u8, offset: i32) {
        on_memory!(self, lea Rq(to), [base + offset]);
    }

    pub fn call_memory(&mut self, base: u8, offset: i32) {
        on_memory!(self, call QWORD [base + offset]);
    }

    pub fn add_to(&mut self, register: u8, constant: i32) {
        with_constant!(self, add Rq(register), constant);
    }
}

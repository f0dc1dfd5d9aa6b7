//! Instructions with a displacement or a constant, each in its shortest form.
//!
//! Instructions with an operand in memory are encoded here (Intel's manual, volume 2, chapter 2: prefix, REX, opcode,
//! ModRM, SIB, displacement). For a register that is not known when Beni is built, the macro assembler uses the form
//! that fits all registers, which is a byte or two longer. Two of three instructions have such an operand.

use dynasmrt::{DynasmApi, dynasm};

use super::{Assembler, R8};
use crate::ir::{Ssa, Width};

/// Emits an operator on a register and a constant, which is encoded in one byte if it fits.
macro_rules! with_constant {
    ($self:ident, $name:ident $kind:ident($register:ident), $constant:ident) => {
        match i8::try_from($constant) {
            Ok(constant) => dynasm!($self.a; .arch x64; $name $kind($register), BYTE constant),
            Err(_) => dynasm!($self.a; .arch x64; $name $kind($register), DWORD $constant),
        }
    };
}

pub(super) use with_constant;

/// An operand in memory.
#[derive(Clone, Copy)]
pub enum Memory {
    /// At a distance from the address in a register.
    Based(u8, i32),
    /// At an address that the code reaches.
    Near(u64),
}

/// An instruction with an operand in memory.
struct Form {
    /// The prefix that is part of the opcode.
    prefix: Option<u8>,
    /// Are the operands words of 64 bits (REX.W)?
    is_word: bool,
    opcode: &'static [u8],
}

const fn word(opcode: &'static [u8]) -> Form {
    Form { prefix: None, is_word: true, opcode }
}

const fn plain(opcode: &'static [u8]) -> Form {
    Form { prefix: None, is_word: false, opcode }
}

const fn double(opcode: &'static [u8]) -> Form {
    Form { prefix: Some(0xf2), is_word: false, opcode }
}

fn form_of(width: Width, opcode: &'static [u8]) -> Form {
    Form { prefix: None, is_word: width == Width::Word, opcode }
}

/// The value of the register field in instructions that have no register operand.
const MOVE_CONSTANT: u8 = 0;
const ADD_CONSTANT: u8 = 0;
const INCREMENT: u8 = 0;
const ADD: u8 = 1;
const DECREMENT: u8 = 1;
const CALL: u8 = 2;
const AND_CONSTANT: u8 = 4;
const COMPARE_CONSTANT: u8 = 7;

impl Form {
    fn emit_opcode(&self, a: &mut impl DynasmApi, register: u8, base: u8) {
        if let Some(prefix) = self.prefix {
            a.push(prefix);
        }
        let rex = 0x40 | u8::from(self.is_word) << 3 | register >> 3 << 2 | base >> 3;
        if rex != 0x40 {
            a.push(rex);
        }
        a.extend(self.opcode);
    }

    /// Emits the instruction on a register (or the value of the register field) and `[base + offset]`.
    fn emit(&self, a: &mut impl DynasmApi, register: u8, base: u8, offset: i32) {
        self.emit_opcode(a, register, base);
        let (register, base) = ((register & 7) << 3, base & 7);
        let short = i8::try_from(offset).ok();
        // Without a displacement, the base number 5 (rbp, r13) has another meaning.
        let mode = match short {
            Some(0) if base != 5 => 0,
            Some(_) => 0x40,
            None => 0x80,
        };
        a.push(mode | register | base);
        // The base number 4 (rsp, r12) means that a SIB byte follows: here one with that base and no index.
        if base == 4 {
            a.push(0x24);
        }
        match (mode, short) {
            (0, _) => {}
            (_, Some(offset)) => a.push_i8(offset),
            (_, None) => a.push_i32(offset),
        }
    }
}

impl Assembler<'_> {
    /// The operand at a distance from the address that is a value. A register may be loaded into `scratch`.
    pub fn memory(&mut self, base: Ssa, offset: i32, scratch: u8) -> Memory {
        let address = self.function.constant(base).map(|base| base.wrapping_add_signed(i64::from(offset)));
        match address.filter(|address| self.reaches(*address)) {
            Some(address) => Memory::Near(address),
            None => Memory::Based(self.word(base, scratch), offset),
        }
    }

    fn on_memory(&mut self, form: Form, register: u8, base: u8, offset: i32) {
        form.emit(&mut self.a, register, base, offset);
    }

    /// Emits an instruction of which so many bytes follow behind the operand in memory.
    fn on_operand(&mut self, form: Form, register: u8, memory: Memory, follow: usize) {
        match memory {
            Memory::Based(base, offset) => form.emit(&mut self.a, register, base, offset),
            Memory::Near(address) => {
                form.emit_opcode(&mut self.a, register, 0);
                // Without a displacement, the base number 5 stands for the address of the next instruction.
                self.a.push((register & 7) << 3 | 5);
                self.push_distance(address, follow);
            }
        }
    }

    /// Loads a word, or half of one: then the upper half of the register becomes 0.
    pub fn load(&mut self, width: Width, to: u8, from: Memory) {
        self.on_operand(form_of(width, &[0x8b]), to, from, 0);
    }

    pub fn store_register(&mut self, width: Width, from: u8, to: Memory) {
        self.on_operand(form_of(width, &[0x89]), from, to, 0);
    }

    pub fn store_constant(&mut self, width: Width, constant: i32, to: Memory) {
        self.on_operand(form_of(width, &[0xc7]), MOVE_CONSTANT, to, 4);
        self.a.push_i32(constant);
    }

    /// Compares memory with a register.
    pub fn compare_register(&mut self, memory: Memory, with: u8) {
        self.on_operand(word(&[0x39]), with, memory, 0);
    }

    pub fn compare_memory(&mut self, width: Width, memory: Memory, constant: i32) {
        self.with_shortest(form_of(width, &[0x83]), form_of(width, &[0x81]), COMPARE_CONSTANT, memory, constant);
    }

    pub fn increment(&mut self, memory: Memory) {
        self.on_operand(word(&[0xff]), INCREMENT, memory, 0);
    }

    pub fn add_constant_to(&mut self, memory: Memory, constant: i32) {
        self.with_shortest(word(&[0x83]), word(&[0x81]), ADD_CONSTANT, memory, constant);
    }

    pub fn add_register_to(&mut self, memory: Memory, from: u8) {
        self.on_operand(word(&[ADD]), from, memory, 0);
    }

    /// Subtracts 1 from half of a word.
    pub fn decrement_half(&mut self, memory: Memory) {
        self.on_operand(plain(&[0xff]), DECREMENT, memory, 0);
    }

    /// Sets a word to 0, in fewer bytes than by a move.
    pub fn clear_word(&mut self, base: u8, offset: i32) {
        self.on_operand(word(&[0x83]), AND_CONSTANT, Memory::Based(base, offset), 1);
        self.a.push(0);
    }

    pub fn call_memory(&mut self, memory: Memory) {
        self.on_operand(plain(&[0xff]), CALL, memory, 0);
    }

    /// Loads an address that the code reaches.
    pub fn load_address(&mut self, to: u8, address: u64) {
        self.on_operand(word(&[0x8d]), to, Memory::Near(address), 0);
    }

    /// Emits an operator on memory and a constant, by the form for 8 bits if the constant fits.
    fn with_shortest(&mut self, short: Form, long: Form, register: u8, memory: Memory, constant: i32) {
        match i8::try_from(constant) {
            Ok(_) => self.on_operand(short, register, memory, 1),
            Err(_) => self.on_operand(long, register, memory, 4),
        }
        self.push_shortest(constant);
    }

    pub fn load_word(&mut self, to: u8, base: u8, offset: i32) {
        self.load(Width::Word, to, Memory::Based(base, offset));
    }

    pub fn load_double(&mut self, to: u8, base: u8, offset: i32) {
        self.on_memory(double(&[0x0f, 0x10]), to, base, offset);
    }

    pub fn store_word(&mut self, from: u8, base: u8, offset: i32) {
        self.store_register(Width::Word, from, Memory::Based(base, offset));
    }

    pub fn store_double(&mut self, from: u8, base: u8, offset: i32) {
        self.on_memory(double(&[0x0f, 0x11]), from, base, offset);
    }

    /// Emits the constant after an opcode that was chosen by the constant's size.
    fn push_shortest(&mut self, constant: i32) {
        match i8::try_from(constant) {
            Ok(constant) => self.a.push_i8(constant),
            Err(_) => self.a.push_i32(constant),
        }
    }

    /// Compares a register with a word in memory.
    pub fn compare_with_word(&mut self, register: u8, base: u8, offset: i32) {
        self.on_memory(word(&[0x3b]), register, base, offset);
    }

    pub fn compare_with_constant(&mut self, register: u8, constant: i32) {
        let opcode = if i8::try_from(constant).is_ok() { 0x83 } else { 0x81 };
        self.a.extend(&[0x48 | register >> 3, opcode, 0xc0 | COMPARE_CONSTANT << 3 | register & 7]);
        self.push_shortest(constant);
    }

    pub fn address_of(&mut self, to: u8, base: u8, offset: i32) {
        self.on_memory(word(&[0x8d]), to, base, offset);
    }

    pub fn add_to(&mut self, register: u8, constant: i32) {
        with_constant!(self, add Rq(register), constant);
    }

    /// Moves a constant of 32 bits into a register, whose upper half becomes 0. The flags do not change.
    pub fn load_small_constant(&mut self, to: u8, constant: i32) {
        self.prefix_of_upper_register(to);
        self.a.push(0xb8 | to & 7);
        self.a.push_i32(constant);
    }

    /// Tests bits of a register. The uppermost bit must not be tested; the flags then say whether the result is 0, and
    /// that it is not negative.
    pub fn test_bits(&mut self, register: u8, bits: i32) {
        if let Ok(bits) = i8::try_from(bits) {
            // The lowest byte of rsp to rdi is accessible only with a REX prefix.
            match register {
                0..4 => {}
                4..R8 => self.a.push(0x40),
                _ => self.a.push(0x41),
            }
            self.a.extend(&[0xf6, 0xc0 | register & 7]);
            return self.a.push_i8(bits);
        }
        self.prefix_of_upper_register(register);
        self.a.extend(&[0xf7, 0xc0 | register & 7]);
        self.a.push_i32(bits);
    }

    fn prefix_of_upper_register(&mut self, register: u8) {
        if register >= R8 {
            self.a.push(0x41);
        }
    }
}

#[cfg(test)]
mod tests {
    use dynasmrt::VecAssembler;

    use super::{super::disassembly::disassembled, *};

    const NAMES: [&str; 16] =
        ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

    #[test]
    fn all_registers_and_distances_are_encoded() {
        let distances =
            [(0, ""), (8, "+8"), (127, "+7Fh"), (-128, "-80h"), (128, "+80h"), (-4096, "-1000h"), (65536, "+10000h")];
        for (base, name) in NAMES.iter().enumerate() {
            for (offset, text) in distances {
                for (register, to) in NAMES.iter().enumerate() {
                    let mut a = VecAssembler::<dynasmrt::x64::X64Relocation>::new(0);
                    word(&[0x8b]).emit(&mut a, register as u8, base as u8, offset);
                    double(&[0x0f, 0x10]).emit(&mut a, register as u8, base as u8, offset);
                    let text = format!("mov {to},[{name}{text}]|movsd xmm{register},[{name}{text}]");
                    assert_eq!(instructions(&a.finalize().unwrap()), text);
                }
            }
        }
    }

    /// The instructions without their addresses.
    fn instructions(code: &[u8]) -> String {
        let lines = disassembled(code);
        let without_address = |line: &str| line.trim().split_once("  ").map(|(_, text)| text.to_owned());
        lines.lines().filter_map(without_address).collect::<Vec<_>>().join("|")
    }
}

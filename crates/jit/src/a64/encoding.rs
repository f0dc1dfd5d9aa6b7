//! Instructions with a distance or a constant, for which the processor has several forms.
//!
//! What fits no form is loaded into x30 first.

use dynasmrt::{DynasmApi, aarch64::encode_logical_immediate_64bit, dynasm};

use super::{Assembler, LINK, STACK_POINTER, ZERO};
use crate::ir::{Ssa, Width};

/// Emits a load or store of `$size` bytes at `[base + offset]`.
macro_rules! access {
    ($self:ident, $name:ident $unscaled:ident $kind:ident($to:ident), $base:ident, $offset:ident, $size:literal) => {
        match u32::try_from($offset) {
            Ok(offset) if offset % $size == 0 && offset / $size < 4096 => {
                dynasm!($self.a; .arch aarch64; $name $kind($to), [XSP($base), offset]);
            }
            _ if (-256..256).contains(&$offset) => {
                dynasm!($self.a; .arch aarch64; $unscaled $kind($to), [XSP($base), $offset]);
            }
            _ => {
                $self.load_constant(LINK, i64::from($offset) as u64);
                dynasm!($self.a; .arch aarch64; $name $kind($to), [XSP($base), x30]);
            }
        }
    };
}

/// Emits an operator with a constant in one of the two forms of 12 bits.
macro_rules! with_constant {
    ($self:ident, $name:ident $($kind:ident($register:ident)),+; $constant:ident) => {
        match $constant {
            Twelve::Low(bits) => dynasm!($self.a; .arch aarch64; $name $($kind($register)),+, bits),
            Twelve::High(bits) => dynasm!($self.a; .arch aarch64; $name $($kind($register)),+, bits, lsl 12),
        }
    };
}

/// The constants of additions, subtractions and comparisons.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Twelve {
    Low(u32),
    /// To be shifted by 12 bits.
    High(u32),
}

impl Twelve {
    pub fn of(bits: u64) -> Option<Twelve> {
        match bits {
            0..0x1000 => Some(Twelve::Low(bits as u32)),
            0x1000..0x100_0000 if bits.trailing_zeros() >= 12 => Some(Twelve::High((bits >> 12) as u32)),
            _ => None,
        }
    }
}

/// An operand in memory: the register with an address, and a distance from it.
pub type Memory = (u8, i32);

impl Assembler<'_> {
    /// The operand at a distance from the address that is a value. A register may be loaded into `scratch`.
    pub fn memory(&mut self, base: Ssa, offset: i32, scratch: u8) -> Memory {
        (self.word(base, scratch), offset)
    }

    pub fn load(&mut self, width: Width, to: u8, (base, offset): Memory) {
        match width {
            Width::Word => self.load_word(to, base, offset),
            Width::Half => self.load_half(to, base, offset),
        }
    }

    pub fn load_word(&mut self, to: u8, base: u8, offset: i32) {
        access!(self, ldr ldur X(to), base, offset, 8);
    }

    /// The upper half of the register becomes 0.
    pub fn load_half(&mut self, to: u8, base: u8, offset: i32) {
        access!(self, ldr ldur W(to), base, offset, 4);
    }

    pub fn load_double(&mut self, to: u8, base: u8, offset: i32) {
        access!(self, ldr ldur D(to), base, offset, 8);
    }

    pub fn store_word(&mut self, from: u8, base: u8, offset: i32) {
        access!(self, str stur X(from), base, offset, 8);
    }

    pub fn store_half(&mut self, from: u8, base: u8, offset: i32) {
        access!(self, str stur W(from), base, offset, 4);
    }

    pub fn store_double(&mut self, from: u8, base: u8, offset: i32) {
        access!(self, str stur D(from), base, offset, 8);
    }

    pub fn load_indexed(&mut self, to: u8, base: u8, index: u8) {
        dynasm!(self.a; .arch aarch64; ldr X(to), [XSP(base), X(index), lsl 3]);
    }

    pub fn load_byte(&mut self, to: u8, base: u8, index: u8) {
        dynasm!(self.a; .arch aarch64; ldrb W(to), [XSP(base), X(index)]);
    }

    pub fn move_register(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; mov X(to), X(from));
    }

    pub fn move_double_register(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; fmov D(to), D(from));
    }

    /// Adds a constant to an address. Does not change the flags; changes x30 only for constants of more than 24 bits.
    pub fn address_of(&mut self, to: u8, base: u8, offset: i32) {
        let distance = offset.unsigned_abs();
        if distance >= 1 << 24 {
            self.load_constant(LINK, i64::from(offset) as u64);
            return dynasm!(self.a; .arch aarch64; add XSP(to), XSP(base), x30);
        }
        let (low, high) = (distance & 0xfff, distance >> 12);
        let mut from = base;
        if high > 0 {
            match offset < 0 {
                true => dynasm!(self.a; .arch aarch64; sub XSP(to), XSP(from), high, lsl 12),
                false => dynasm!(self.a; .arch aarch64; add XSP(to), XSP(from), high, lsl 12),
            }
            from = to;
        }
        if low > 0 || from == base && to != base {
            match offset < 0 {
                true => dynasm!(self.a; .arch aarch64; sub XSP(to), XSP(from), low),
                false => dynasm!(self.a; .arch aarch64; add XSP(to), XSP(from), low),
            }
        }
    }

    /// Does not change the flags: operations may come between a comparison and its user.
    pub fn load_constant(&mut self, to: u8, bits: u64) {
        let part = |n: u32| (bits >> (16 * n)) as u32 & 0xffff;
        let others = |filler: u32| (0..4).filter(|n| part(*n) != filler).collect::<Vec<u32>>();
        let (set, clear) = (others(0), others(0xffff));
        if set.len() > 1 && clear.len() > 1 && encode_logical_immediate_64bit(bits).is_some() {
            return dynasm!(self.a; .arch aarch64; orr XSP(to), xzr, bits);
        }
        let is_inverted = clear.len() < set.len();
        let parts = if is_inverted { clear } else { set };
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or(0);
        match is_inverted {
            true => self.move_wide(0x9280_0000, to, !part(first) & 0xffff, first),
            false => self.move_wide(0xd280_0000, to, part(first), first),
        }
        for n in parts {
            self.move_wide(0xf280_0000, to, part(n), n);
        }
    }

    /// Emits `movn`, `movz` or `movk` with a constant of 16 bits, and its position in the word.
    fn move_wide(&mut self, opcode: u32, to: u8, constant: u32, position: u32) {
        self.a.push_u32(opcode | position << 21 | constant << 5 | u32::from(to));
    }

    /// Compares a register with a constant.
    pub fn compare_constant(&mut self, word: u8, bits: u64) {
        if let Some(constant) = Twelve::of(bits) {
            with_constant!(self, cmp XSP(word); constant);
        } else if let Some(constant) = Twelve::of(bits.wrapping_neg()) {
            // The sum with the negated constant sets the same flags, except for 0 and the least word.
            with_constant!(self, cmn XSP(word); constant);
        } else {
            self.load_constant(LINK, bits);
            dynasm!(self.a; .arch aarch64; cmp X(word), x30);
        }
    }

    /// Emits a sum with a constant, which sets the flags.
    pub fn add_constant(&mut self, to: u8, a: u8, bits: u64) {
        if let Some(constant) = Twelve::of(bits) {
            with_constant!(self, adds X(to), XSP(a); constant);
        } else if let Some(constant) = Twelve::of(bits.wrapping_neg()) {
            with_constant!(self, subs X(to), XSP(a); constant);
        } else {
            self.load_constant(LINK, bits);
            dynasm!(self.a; .arch aarch64; adds X(to), X(a), x30);
        }
    }

    /// Emits a difference from a constant, which sets the flags.
    pub fn subtract_constant(&mut self, to: u8, a: u8, bits: u64) {
        if let Some(constant) = Twelve::of(bits) {
            with_constant!(self, subs X(to), XSP(a); constant);
        } else if let Some(constant) = Twelve::of(bits.wrapping_neg()) {
            with_constant!(self, adds X(to), XSP(a); constant);
        } else {
            self.load_constant(LINK, bits);
            dynasm!(self.a; .arch aarch64; subs X(to), X(a), x30);
        }
    }

    /// The constant as one of those that bitwise operators can hold; otherwise it is loaded into x30.
    pub fn logical(&mut self, bits: u64) -> Option<u64> {
        if encode_logical_immediate_64bit(bits).is_some() {
            return Some(bits);
        }
        self.load_constant(LINK, bits);
        None
    }

    pub fn call_memory(&mut self, (base, offset): Memory) {
        self.load_word(LINK, base, offset);
        dynasm!(self.a; .arch aarch64; blr x30);
    }

    pub fn clear_saved_word(&mut self, offset: i32) {
        self.store_word(ZERO, STACK_POINTER, offset);
    }

    /// The register of a value on the stack or in a register; that of 0 reads as 0.
    pub fn word_or_zero(&mut self, v: Ssa, scratch: u8) -> u8 {
        match self.function.constant(v) {
            Some(0) => ZERO,
            _ => self.word(v, scratch),
        }
    }
}

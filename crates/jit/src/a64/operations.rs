//! The instructions of each operation.

use dynasmrt::{DynamicLabel, DynasmApi, dynasm};

use super::{
    Assembler, DOUBLE_SCRATCH, ENTRY_WORD, LINK, Reach, SCRATCH, SECOND_DOUBLE_SCRATCH, SECOND_SCRATCH, STACK_POINTER,
    Test,
};
use crate::{
    allocate::Place,
    ir::{Binary, Block, Checked, Condition, FloatBinary, FloatCondition, Op, Part, Ssa, Width},
};

impl Assembler<'_> {
    pub fn store_indexed(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        let (base, index) = (self.word(base, SECOND_SCRATCH), self.word(index, SCRATCH));
        let value = self.word_or_zero(value, LINK);
        dynasm!(self.a; .arch aarch64; str X(value), [XSP(base), X(index), lsl 3]);
    }

    pub fn store_byte(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        let (base, index) = (self.word(base, SECOND_SCRATCH), self.word(index, SCRATCH));
        let value = self.word_or_zero(value, LINK);
        dynasm!(self.a; .arch aarch64; strb W(value), [XSP(base), X(index)]);
    }

    pub fn add_to_memory(&mut self, address: Ssa, amount: Ssa) {
        let (address, amount) = (self.word(address, SECOND_SCRATCH), self.word(amount, SCRATCH));
        dynasm!(self.a
            ; .arch aarch64
            ; ldr x30, [XSP(address)]
            ; add x30, x30, X(amount)
            ; str x30, [XSP(address)]
        );
    }

    pub fn count_down(&mut self, address: Ssa, otherwise: DynamicLabel) {
        let address = self.word(address, SECOND_SCRATCH);
        dynasm!(self.a
            ; .arch aarch64
            ; ldr w30, [XSP(address)]
            ; sub w30, w30, 1
            ; str w30, [XSP(address)]
        );
        self.jump_if(Test::IsZero { register: LINK, when: true }, otherwise);
    }

    pub fn square_root(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; fsqrt D(to), D(from));
    }

    pub fn float_of_integer(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; scvtf D(to), X(from));
    }

    pub fn float_of_bits(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; fmov D(to), X(from));
    }

    pub fn bits_of_float(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; fmov X(to), D(from));
    }

    pub fn integer_of_float(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch aarch64; fcvtzs X(to), D(from));
    }

    pub fn clear_entry_word(&mut self) {
        self.load_constant(ENTRY_WORD, 0);
    }

    /// Calls the address in the scratch register.
    pub fn call_scratch(&mut self) {
        dynasm!(self.a; .arch aarch64; blr x16);
    }

    /// Returns the results of a call, if the second one is not 0.
    pub fn pass_on_unless_zero(&mut self) {
        let epilogue = self.epilogue;
        self.jump_if(Test::IsZero { register: 1, when: false }, epilogue);
    }

    /// Moves the results of a call to their places.
    pub fn store_results(&mut self, [first, second]: [Option<Ssa>; 2]) {
        // The place of each may be the register of the other one.
        let mut from = 0;
        if let Some(second) = second {
            if self.place(second) == Place::Register(0) && first.is_some() {
                self.move_register(SCRATCH, 0);
                from = SCRATCH;
            }
            self.store_result(second, 1);
        }
        if let Some(first) = first {
            self.store_result(first, from);
        }
    }

    pub fn binary(&mut self, how: Binary, to: Ssa, a: Ssa, b: Ssa) {
        use Binary::*;
        let target = self.target(to);
        if let Some(bits) = self.function.constant(b).filter(|_| how != Multiply) {
            let a = self.word(a, SCRATCH);
            self.with_constant(how, target, a, bits);
            return self.store_result(to, target);
        }
        let (a, b) = (self.word(a, SCRATCH), self.word(b, SECOND_SCRATCH));
        match how {
            Add => dynasm!(self.a; .arch aarch64; add X(target), X(a), X(b)),
            Subtract => dynasm!(self.a; .arch aarch64; sub X(target), X(a), X(b)),
            And => dynasm!(self.a; .arch aarch64; and X(target), X(a), X(b)),
            Or => dynasm!(self.a; .arch aarch64; orr X(target), X(a), X(b)),
            Xor => dynasm!(self.a; .arch aarch64; eor X(target), X(a), X(b)),
            Multiply => dynasm!(self.a; .arch aarch64; mul X(target), X(a), X(b)),
            ShiftLeft => dynasm!(self.a; .arch aarch64; lslv X(target), X(a), X(b)),
            ShiftRight => dynasm!(self.a; .arch aarch64; asrv X(target), X(a), X(b)),
            ShiftRightUnsigned => dynasm!(self.a; .arch aarch64; lsrv X(target), X(a), X(b)),
            RotateLeft => dynasm!(self.a; .arch aarch64; neg x30, X(b); rorv X(target), X(a), x30),
            RotateRight => dynasm!(self.a; .arch aarch64; rorv X(target), X(a), X(b)),
        }
        self.store_result(to, target);
    }

    fn with_constant(&mut self, how: Binary, target: u8, a: u8, bits: u64) {
        use Binary::*;
        let by = bits as u32 & 63;
        match how {
            Add if let Ok(offset) = i32::try_from(bits as i64) => self.address_of(target, a, offset),
            Add => {
                self.load_constant(LINK, bits);
                dynasm!(self.a; .arch aarch64; add X(target), X(a), x30);
            }
            Subtract => self.subtract_constant(target, a, bits),
            And => match self.logical(bits) {
                Some(bits) => dynasm!(self.a; .arch aarch64; and XSP(target), X(a), bits),
                None => dynasm!(self.a; .arch aarch64; and X(target), X(a), x30),
            },
            Or => match self.logical(bits) {
                Some(bits) => dynasm!(self.a; .arch aarch64; orr XSP(target), X(a), bits),
                None => dynasm!(self.a; .arch aarch64; orr X(target), X(a), x30),
            },
            Xor => match self.logical(bits) {
                Some(bits) => dynasm!(self.a; .arch aarch64; eor XSP(target), X(a), bits),
                None => dynasm!(self.a; .arch aarch64; eor X(target), X(a), x30),
            },
            _ if by == 0 => self.move_register(target, a),
            ShiftLeft => dynasm!(self.a; .arch aarch64; lsl X(target), X(a), by),
            ShiftRight => dynasm!(self.a; .arch aarch64; asr X(target), X(a), by),
            ShiftRightUnsigned => dynasm!(self.a; .arch aarch64; lsr X(target), X(a), by),
            RotateLeft => {
                let by = 64 - by;
                dynasm!(self.a; .arch aarch64; ror X(target), X(a), by);
            }
            RotateRight => dynasm!(self.a; .arch aarch64; ror X(target), X(a), by),
            Multiply => unreachable!("a product has no constant operand"),
        }
    }

    pub fn checked(&mut self, how: Checked, to: Ssa, a: Ssa, b: Ssa, otherwise: Block) {
        let (target, label) = (self.target(to), self.label(otherwise));
        match (how, self.function.constant(b)) {
            (Checked::Add, Some(bits)) => {
                let a = self.word(a, SCRATCH);
                self.add_constant(target, a, bits);
            }
            (Checked::Subtract, Some(bits)) => {
                let a = self.word(a, SCRATCH);
                self.subtract_constant(target, a, bits);
            }
            _ => {
                let (a, b) = (self.word(a, SCRATCH), self.word(b, SECOND_SCRATCH));
                match how {
                    Checked::Add => dynasm!(self.a; .arch aarch64; adds X(target), X(a), X(b)),
                    Checked::Subtract => dynasm!(self.a; .arch aarch64; subs X(target), X(a), X(b)),
                    Checked::Multiply => {
                        // It fits if the upper word of the product repeats the sign of the lower one.
                        dynasm!(self.a
                            ; .arch aarch64
                            ; smulh x30, X(a), X(b)
                            ; mul X(target), X(a), X(b)
                            ; cmp x30, X(target), asr 63
                        );
                        self.jump_by_flags(Condition::NotEqual, label);
                        return self.store_result(to, target);
                    }
                }
            }
        }
        self.jump_on_overflow(label);
        self.store_result(to, target);
    }

    pub fn division(&mut self, part: Part, to: Ssa, a: Ssa, b: Ssa) {
        let (a, b, target) = (self.word(a, SCRATCH), self.word(b, SECOND_SCRATCH), self.target(to));
        match part {
            Part::Quotient => dynasm!(self.a; .arch aarch64; sdiv X(target), X(a), X(b)),
            Part::Remainder => {
                dynasm!(self.a; .arch aarch64; sdiv x30, X(a), X(b); msub X(target), x30, X(b), X(a));
            }
        }
        self.store_result(to, target);
    }

    pub fn select(&mut self, to: Ssa, condition: Ssa, a: Ssa, b: Ssa) {
        let condition = self.flags(condition);
        // Loads and moves do not change the flags.
        let (a, b, target) = (self.word_or_zero(a, SCRATCH), self.word_or_zero(b, SECOND_SCRATCH), self.target(to));
        match condition {
            Condition::Equal => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), eq),
            Condition::NotEqual => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), ne),
            Condition::Less => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), lt),
            Condition::LessEqual => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), le),
            Condition::Greater => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), gt),
            Condition::GreaterEqual => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), ge),
            Condition::Below => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), lo),
            Condition::BelowEqual => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), ls),
            Condition::Above => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), hi),
            Condition::AboveEqual => dynasm!(self.a; .arch aarch64; csel X(target), X(a), X(b), hs),
        }
        self.store_result(to, target);
    }

    pub fn store(&mut self, width: Width, value: Ssa, base: Ssa, offset: i32) {
        let base = self.word(base, SECOND_SCRATCH);
        match width {
            Width::Word => {
                let value = self.word_or_zero(value, SCRATCH);
                self.store_word(value, base, offset);
            }
            Width::Half => {
                let value = match self.function.constant(value) {
                    Some(bits) if bits as u32 != 0 => {
                        self.load_constant(SCRATCH, u64::from(bits as u32));
                        SCRATCH
                    }
                    Some(_) => super::ZERO,
                    None => self.word(value, SCRATCH),
                };
                self.store_half(value, base, offset);
            }
        }
    }

    pub fn float_binary(&mut self, how: FloatBinary, to: Ssa, a: Ssa, b: Ssa) {
        let (a, b) = (self.double(a, DOUBLE_SCRATCH), self.double(b, SECOND_DOUBLE_SCRATCH));
        let target = self.double_target(to);
        match how {
            FloatBinary::Add => dynasm!(self.a; .arch aarch64; fadd D(target), D(a), D(b)),
            FloatBinary::Subtract => dynasm!(self.a; .arch aarch64; fsub D(target), D(a), D(b)),
            FloatBinary::Multiply => dynasm!(self.a; .arch aarch64; fmul D(target), D(a), D(b)),
            FloatBinary::Divide => dynasm!(self.a; .arch aarch64; fdiv D(target), D(a), D(b)),
        }
        self.store_double_result(to, target);
    }

    /// What a jump has to test for a value that is a condition. Emits what sets the flags, if it tests those.
    pub fn condition(&mut self, v: Ssa) -> Test {
        match self.folded(v) {
            Some(Op::Compare { how: how @ (Condition::Equal | Condition::NotEqual), a, b, .. })
                if self.function.constant(b) == Some(0) =>
            {
                self.test(a, how == Condition::Equal)
            }
            Some(op @ (Op::Compare { .. } | Op::CompareFloats { .. })) => Test::Flags(self.comparison(&op)),
            _ => self.test(v, false),
        }
    }

    /// A test whether a value, which may be folded, is 0.
    fn test(&mut self, v: Ssa, when: bool) -> Test {
        match self.folded(v) {
            Some(Op::Binary { how: Binary::And, a, b, .. })
                if let Some(bits) = self.function.constant(b)
                    && bits.is_power_of_two()
                    && self.own.reach == Reach::Short =>
            {
                let register = self.word(a, SCRATCH);
                Test::IsClear { register, bit: bits.trailing_zeros() as u8, when }
            }
            Some(Op::Binary { .. }) => {
                self.test_bits(v);
                Test::Flags(if when { Condition::Equal } else { Condition::NotEqual })
            }
            _ => Test::IsZero { register: self.operand(v, SCRATCH), when },
        }
    }

    /// The register of a value, which may be a load that is folded.
    fn operand(&mut self, v: Ssa, scratch: u8) -> u8 {
        let Some(Op::Load { width, base, offset, .. }) = self.folded(v) else { return self.word(v, scratch) };
        let memory = self.memory(base, offset, scratch);
        self.load(width, scratch, memory);
        scratch
    }

    /// Sets the flags by a value that is a condition; returns the condition that is true if the value is.
    fn flags(&mut self, v: Ssa) -> Condition {
        match self.folded(v) {
            Some(op @ (Op::Compare { .. } | Op::CompareFloats { .. })) => self.comparison(&op),
            Some(Op::Binary { .. }) => {
                self.test_bits(v);
                Condition::NotEqual
            }
            _ => {
                let v = self.operand(v, SCRATCH);
                self.compare_constant(v, 0);
                Condition::NotEqual
            }
        }
    }

    /// Sets the flags by an `and` that is folded, compared with 0.
    fn test_bits(&mut self, v: Ssa) {
        let Some(Op::Binary { how: Binary::And, a, b, .. }) = self.folded(v) else {
            unreachable!("no such operation is folded")
        };
        let first = self.word(a, SCRATCH);
        match self.function.constant(b) {
            Some(bits) => match self.logical(bits) {
                Some(bits) => dynasm!(self.a; .arch aarch64; tst X(first), bits),
                None => dynasm!(self.a; .arch aarch64; tst X(first), x30),
            },
            None => {
                let second = self.word(b, SECOND_SCRATCH);
                dynasm!(self.a; .arch aarch64; tst X(first), X(second));
            }
        }
    }

    /// Emits a comparison; returns the condition of the flags that is true if the comparison is.
    pub fn comparison(&mut self, op: &Op) -> Condition {
        let (how, a, b) = match *op {
            Op::Compare { how, a, b, .. } => (how, a, b),
            Op::CompareFloats { how, a, b, .. } => return self.float_comparison(how, a, b),
            _ => unreachable!("not a comparison"),
        };
        if let Some(Op::Binary { .. }) = self.folded(a) {
            self.test_bits(a);
            return how;
        }
        if let Some(bits) = self.function.constant(a)
            && self.function.constant(b).is_none()
        {
            let b = self.word(b, SCRATCH);
            self.compare_constant(b, bits);
            return how.swapped();
        }
        let first = self.operand(a, SCRATCH);
        if let Some(bits) = self.function.constant(b) {
            self.compare_constant(first, bits);
            return how;
        }
        let second = self.word(b, SECOND_SCRATCH);
        match (first, second) {
            (_, STACK_POINTER) => {
                dynasm!(self.a; .arch aarch64; cmp sp, X(first));
                return how.swapped();
            }
            (STACK_POINTER, _) => dynasm!(self.a; .arch aarch64; cmp sp, X(second)),
            _ => dynasm!(self.a; .arch aarch64; cmp X(first), X(second)),
        }
        how
    }

    /// The condition is false if an operand is NaN, and its inverse is true.
    fn float_comparison(&mut self, how: FloatCondition, a: Ssa, b: Ssa) -> Condition {
        let (a, b) = (self.double(a, DOUBLE_SCRATCH), self.double(b, SECOND_DOUBLE_SCRATCH));
        match how {
            FloatCondition::Less | FloatCondition::LessEqual => dynasm!(self.a; .arch aarch64; fcmp D(b), D(a)),
            _ => dynasm!(self.a; .arch aarch64; fcmp D(a), D(b)),
        }
        match how {
            FloatCondition::Less | FloatCondition::Greater => Condition::Greater,
            FloatCondition::LessEqual | FloatCondition::GreaterEqual => Condition::GreaterEqual,
            FloatCondition::Equal => Condition::Equal,
        }
    }

    /// Sets a value to 0 or 1 by a condition.
    pub fn set(&mut self, to: Ssa, condition: Condition) {
        let target = self.target(to);
        match condition {
            Condition::Equal => dynasm!(self.a; .arch aarch64; cset X(target), eq),
            Condition::NotEqual => dynasm!(self.a; .arch aarch64; cset X(target), ne),
            Condition::Less => dynasm!(self.a; .arch aarch64; cset X(target), lt),
            Condition::LessEqual => dynasm!(self.a; .arch aarch64; cset X(target), le),
            Condition::Greater => dynasm!(self.a; .arch aarch64; cset X(target), gt),
            Condition::GreaterEqual => dynasm!(self.a; .arch aarch64; cset X(target), ge),
            Condition::Below => dynasm!(self.a; .arch aarch64; cset X(target), lo),
            Condition::BelowEqual => dynasm!(self.a; .arch aarch64; cset X(target), ls),
            Condition::Above => dynasm!(self.a; .arch aarch64; cset X(target), hi),
            Condition::AboveEqual => dynasm!(self.a; .arch aarch64; cset X(target), hs),
        }
        self.store_result(to, target);
    }
}

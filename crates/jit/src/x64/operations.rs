//! The instructions of each operation.

use dynasmrt::{DynamicLabel, DynasmApi, dynasm};

use super::{Assembler, R11, RAX, RBP, RCX, RDX, RSP, XMM14, XMM15, encoding::with_constant};
use crate::{
    allocate::Place,
    ir::{Binary, Block, Checked, Condition, FloatBinary, FloatCondition, Op, Part, Ssa, Width},
};

impl Assembler<'_> {
    pub fn load_indexed(&mut self, to: u8, base: u8, index: u8) {
        dynasm!(self.a; .arch x64; mov Rq(to), [Rq(base) + Rq(index) * 8]);
    }

    pub fn load_byte(&mut self, to: u8, base: u8, index: u8) {
        dynasm!(self.a; .arch x64; movzx Rd(to), BYTE [Rq(base) + Rq(index)]);
    }

    pub fn store_indexed(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        let (base, index) = (self.word(base, R11), self.word(index, RAX));
        if let Place::Register(value) = self.place(value) {
            dynasm!(self.a; .arch x64; mov [Rq(base) + Rq(index) * 8], Rq(value));
        } else if let Some(value) = self.small(value) {
            dynasm!(self.a; .arch x64; mov QWORD [Rq(base) + Rq(index) * 8], value);
        } else {
            dynasm!(self.a; .arch x64; lea r11, [Rq(base) + Rq(index) * 8]);
            let value = self.word(value, RAX);
            dynasm!(self.a; .arch x64; mov [r11], Rq(value));
        }
    }

    pub fn store_byte(&mut self, value: Ssa, base: Ssa, index: Ssa) {
        let (base, index) = (self.word(base, R11), self.word(index, RAX));
        if let Place::Register(value) = self.place(value) {
            dynasm!(self.a; .arch x64; mov [Rq(base) + Rq(index)], Rb(value));
        } else {
            dynasm!(self.a; .arch x64; lea r11, [Rq(base) + Rq(index)]);
            let value = self.word(value, RAX);
            dynasm!(self.a; .arch x64; mov [r11], Rb(value));
        }
    }

    pub fn add_to_memory(&mut self, address: Ssa, amount: Ssa) {
        let memory = self.memory(address, 0, R11);
        match self.small(amount) {
            Some(1) => self.increment(memory),
            Some(amount) => self.add_constant_to(memory, amount),
            None => {
                let amount = self.word(amount, RAX);
                self.add_register_to(memory, amount);
            }
        }
    }

    pub fn count_down(&mut self, address: Ssa, otherwise: DynamicLabel) {
        let memory = self.memory(address, 0, R11);
        self.decrement_half(memory);
        self.jump_by_flags(Condition::Equal, otherwise);
    }

    pub fn square_root(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; sqrtsd Rx(to), Rx(from));
    }

    pub fn float_of_integer(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; xorps Rx(to), Rx(to); cvtsi2sd Rx(to), Rq(from));
    }

    pub fn float_of_bits(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; movq Rx(to), Rq(from));
    }

    pub fn bits_of_float(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; movq Rq(to), Rx(from));
    }

    pub fn integer_of_float(&mut self, to: u8, from: u8) {
        dynasm!(self.a; .arch x64; cvttsd2si Rq(to), Rx(from));
    }

    pub fn clear_entry_word(&mut self) {
        dynasm!(self.a; .arch x64; xor edx, edx);
    }

    /// Calls the address in the scratch register.
    pub fn call_scratch(&mut self) {
        dynasm!(self.a; .arch x64; call rax);
    }

    /// Returns the results of a call, if the second one is not 0.
    pub fn pass_on_unless_zero(&mut self) {
        let epilogue = self.epilogue;
        dynasm!(self.a; .arch x64; test rdx, rdx);
        self.jump_by_flags(Condition::NotEqual, epilogue);
    }

    /// Moves the results of a call to their places.
    pub fn store_results(&mut self, [first, second]: [Option<Ssa>; 2]) {
        // The place of the first result may be rdx.
        if let Some(second) = second {
            self.store_result(second, RDX);
        }
        if let Some(first) = first {
            self.store_result(first, RAX);
        }
    }

    pub fn clear_saved_word(&mut self, offset: i32) {
        self.clear_word(RSP, offset);
    }

    pub fn binary(&mut self, how: Binary, to: Ssa, a: Ssa, b: Ssa) {
        use Binary::*;
        if matches!(how, ShiftLeft | ShiftRight | ShiftRightUnsigned | RotateLeft | RotateRight) {
            return self.shift(how, to, a, b);
        }
        let target = self.target(to);
        if let Some(constant) = self.small(b).filter(|_| how != Multiply) {
            if how == Add
                && let Place::Register(a) = self.place(a)
                && a != target
            {
                self.address_of(target, a, constant);
                return self.store_result(to, target);
            }
            self.word_into(a, target);
            match how {
                Add => self.add_to(target, constant),
                Subtract => with_constant!(self, sub Rq(target), constant),
                And if constant >= 0 => with_constant!(self, and Rd(target), constant),
                And => with_constant!(self, and Rq(target), constant),
                Or => with_constant!(self, or Rq(target), constant),
                _ => with_constant!(self, xor Rq(target), constant),
            }
            return self.store_result(to, target);
        }
        let b = self.operands(how != Subtract, target, a, b);
        match how {
            Add => dynasm!(self.a; .arch x64; add Rq(target), Rq(b)),
            Subtract => dynasm!(self.a; .arch x64; sub Rq(target), Rq(b)),
            And => dynasm!(self.a; .arch x64; and Rq(target), Rq(b)),
            Or => dynasm!(self.a; .arch x64; or Rq(target), Rq(b)),
            Multiply => dynasm!(self.a; .arch x64; imul Rq(target), Rq(b)),
            _ => dynasm!(self.a; .arch x64; xor Rq(target), Rq(b)),
        }
        self.store_result(to, target);
    }

    /// Moves `a` into the target register; returns the register of `b`. If the operator commutes, they may be swapped.
    fn operands(&mut self, commutes: bool, target: u8, a: Ssa, b: Ssa) -> u8 {
        let second = self.word(b, R11);
        if second == target && self.place(a) != Place::Register(target) {
            if commutes {
                return self.word(a, R11);
            }
            dynasm!(self.a; .arch x64; mov r11, Rq(second));
            self.word_into(a, target);
            return R11;
        }
        self.word_into(a, target);
        second
    }

    fn shift(&mut self, how: Binary, to: Ssa, a: Ssa, by: Ssa) {
        let Some(by) = self.function.constant(by) else { return self.shift_by_register(how, to, a, by) };
        let (target, by) = (self.target(to), by as i8);
        self.word_into(a, target);
        match how {
            Binary::ShiftLeft => dynasm!(self.a; .arch x64; shl Rq(target), by),
            Binary::ShiftRight => dynasm!(self.a; .arch x64; sar Rq(target), by),
            Binary::ShiftRightUnsigned => dynasm!(self.a; .arch x64; shr Rq(target), by),
            Binary::RotateLeft => dynasm!(self.a; .arch x64; rol Rq(target), by),
            _ => dynasm!(self.a; .arch x64; ror Rq(target), by),
        }
        self.store_result(to, target);
    }

    /// The distance must be in cl.
    fn shift_by_register(&mut self, how: Binary, to: Ssa, a: Ssa, by: Ssa) {
        self.word_into(a, RAX);
        dynasm!(self.a; .arch x64; mov r11, rcx);
        self.word_into(by, RCX);
        match how {
            Binary::ShiftLeft => dynasm!(self.a; .arch x64; shl rax, cl),
            Binary::ShiftRight => dynasm!(self.a; .arch x64; sar rax, cl),
            Binary::ShiftRightUnsigned => dynasm!(self.a; .arch x64; shr rax, cl),
            Binary::RotateLeft => dynasm!(self.a; .arch x64; rol rax, cl),
            _ => dynasm!(self.a; .arch x64; ror rax, cl),
        }
        dynasm!(self.a; .arch x64; mov rcx, r11);
        self.store_result(to, RAX);
    }

    pub fn checked(&mut self, how: Checked, to: Ssa, a: Ssa, b: Ssa, otherwise: Block) {
        let (target, label) = (self.target(to), self.label(otherwise));
        if let Some(constant) = self.small(b) {
            if how == Checked::Multiply {
                let a = self.word(a, R11);
                dynasm!(self.a; .arch x64; imul Rq(target), Rq(a), constant);
            } else {
                self.word_into(a, target);
                match how {
                    Checked::Add => self.add_to(target, constant),
                    _ => with_constant!(self, sub Rq(target), constant),
                }
            }
        } else {
            let b = self.operands(how != Checked::Subtract, target, a, b);
            match how {
                Checked::Add => dynasm!(self.a; .arch x64; add Rq(target), Rq(b)),
                Checked::Subtract => dynasm!(self.a; .arch x64; sub Rq(target), Rq(b)),
                Checked::Multiply => dynasm!(self.a; .arch x64; imul Rq(target), Rq(b)),
            }
        }
        self.jump_on_overflow(label);
        self.store_result(to, target);
    }

    /// Division uses rax and rdx; rdx may hold another value, which is saved.
    pub fn division(&mut self, part: Part, to: Ssa, a: Ssa, b: Ssa) {
        self.word_into(b, R11);
        self.word_into(a, RAX);
        dynasm!(self.a; .arch x64; movq xmm15, rdx; cqo; idiv r11);
        if part == Part::Remainder {
            dynasm!(self.a; .arch x64; mov rax, rdx);
        }
        dynasm!(self.a; .arch x64; movq rdx, xmm15);
        self.store_result(to, RAX);
    }

    pub fn select(&mut self, to: Ssa, condition: Ssa, a: Ssa, b: Ssa) {
        let condition = self.condition(condition);
        // Loads and moves do not change the flags.
        let a = self.word(a, R11);
        let target = self.target(to);
        let target = if target == a { RAX } else { target };
        self.word_into(b, target);
        match condition {
            Condition::Equal => dynasm!(self.a; .arch x64; cmove Rq(target), Rq(a)),
            Condition::NotEqual => dynasm!(self.a; .arch x64; cmovne Rq(target), Rq(a)),
            Condition::Less => dynasm!(self.a; .arch x64; cmovl Rq(target), Rq(a)),
            Condition::LessEqual => dynasm!(self.a; .arch x64; cmovle Rq(target), Rq(a)),
            Condition::Greater => dynasm!(self.a; .arch x64; cmovg Rq(target), Rq(a)),
            Condition::GreaterEqual => dynasm!(self.a; .arch x64; cmovge Rq(target), Rq(a)),
            Condition::Below => dynasm!(self.a; .arch x64; cmovb Rq(target), Rq(a)),
            Condition::BelowEqual => dynasm!(self.a; .arch x64; cmovbe Rq(target), Rq(a)),
            Condition::Above => dynasm!(self.a; .arch x64; cmova Rq(target), Rq(a)),
            Condition::AboveEqual => dynasm!(self.a; .arch x64; cmovae Rq(target), Rq(a)),
        }
        self.store_result(to, target);
    }

    pub fn store(&mut self, width: Width, value: Ssa, base: Ssa, offset: i32) {
        let memory = self.memory(base, offset, R11);
        let constant = match width {
            Width::Word => self.small(value),
            Width::Half => self.function.constant(value).map(|bits| bits as u32 as i32),
        };
        match constant {
            Some(constant) => self.store_constant(width, constant, memory),
            None => {
                let value = self.word(value, RAX);
                self.store_register(width, value, memory);
            }
        }
    }

    pub fn float_binary(&mut self, how: FloatBinary, to: Ssa, a: Ssa, b: Ssa) {
        let (first, mut second, target) = (self.double(a, XMM14), self.double(b, XMM15), self.double_target(to));
        if second == target && first != target {
            dynasm!(self.a; .arch x64; movapd xmm15, Rx(second));
            second = XMM15;
        }
        if first != target {
            dynasm!(self.a; .arch x64; movapd Rx(target), Rx(first));
        }
        match how {
            FloatBinary::Add => dynasm!(self.a; .arch x64; addsd Rx(target), Rx(second)),
            FloatBinary::Subtract => dynasm!(self.a; .arch x64; subsd Rx(target), Rx(second)),
            FloatBinary::Multiply => dynasm!(self.a; .arch x64; mulsd Rx(target), Rx(second)),
            FloatBinary::Divide => dynasm!(self.a; .arch x64; divsd Rx(target), Rx(second)),
        }
        self.store_double_result(to, target);
    }

    pub fn compare_constant(&mut self, word: u8, bits: u64) {
        if let Ok(small) = i32::try_from(bits as i64) {
            self.compare_with_constant(word, small);
        } else {
            self.load_constant(R11, bits);
            dynasm!(self.a; .arch x64; cmp Rq(word), r11);
        }
    }

    /// Sets the flags by a value that is a condition; returns the condition that is true if the value is.
    pub fn condition(&mut self, v: Ssa) -> Condition {
        match self.folded(v) {
            Some(op @ (Op::Compare { .. } | Op::CompareFloats { .. })) => self.comparison(&op),
            Some(op) => {
                self.test(&op);
                Condition::NotEqual
            }
            None => {
                let v = self.word(v, RAX);
                dynasm!(self.a; .arch x64; test Rq(v), Rq(v));
                Condition::NotEqual
            }
        }
    }

    /// Sets the flags by an operation that is folded, compared with 0.
    fn test(&mut self, op: &Op) {
        match *op {
            Op::Binary { how: Binary::And, a, b, .. } => {
                let first = self.word(a, RAX);
                match self.small(b) {
                    Some(bits) if bits >= 0 => self.test_bits(first, bits),
                    Some(bits) => dynasm!(self.a; .arch x64; test Rq(first), bits),
                    None => {
                        let second = self.word(b, R11);
                        dynasm!(self.a; .arch x64; test Rq(first), Rq(second));
                    }
                }
            }
            Op::Load { width, base, offset, .. } => {
                let memory = self.memory(base, offset, R11);
                self.compare_memory(width, memory, 0);
            }
            _ => unreachable!("no such operation is folded"),
        }
    }

    /// Emits a comparison; returns the condition of the flags that is true if the comparison is.
    pub fn comparison(&mut self, op: &Op) -> Condition {
        let (how, a, b) = match *op {
            Op::Compare { how, a, b, .. } => (how, a, b),
            Op::CompareFloats { how, a, b, .. } => return self.float_comparison(how, a, b),
            _ => unreachable!("not a comparison"),
        };
        match self.folded(a) {
            Some(Op::Load { width, base, offset, .. }) => {
                let memory = self.memory(base, offset, R11);
                match self.function.constant(b) {
                    Some(bits) => self.compare_memory(width, memory, bits as u32 as i32),
                    None => {
                        let b = self.word(b, RAX);
                        self.compare_register(memory, b);
                    }
                }
                return how;
            }
            Some(and) => {
                self.test(&and);
                return how;
            }
            None => {}
        }
        if self.function.constant(a).is_some() && self.function.constant(b).is_none() {
            let b = self.word(b, RAX);
            let bits = self.function.constant(a).unwrap_or_default();
            self.compare_constant(b, bits);
            return how.swapped();
        }
        let first = self.word(a, RAX);
        match self.function.constant(b) {
            Some(0) if matches!(how, Condition::Equal | Condition::NotEqual) => {
                dynasm!(self.a; .arch x64; test Rq(first), Rq(first));
            }
            Some(bits) => self.compare_constant(first, bits),
            None => {
                if let Place::Stack(slot) = self.place(b) {
                    let offset = self.slot_offset(slot);
                    self.compare_with_word(first, RBP, offset);
                } else {
                    let second = self.word(b, R11);
                    dynasm!(self.a; .arch x64; cmp Rq(first), Rq(second));
                }
            }
        }
        how
    }

    /// The condition is false if an operand is NaN.
    fn float_comparison(&mut self, how: FloatCondition, a: Ssa, b: Ssa) -> Condition {
        let (a, b) = (self.double(a, XMM14), self.double(b, XMM15));
        match how {
            FloatCondition::Less | FloatCondition::LessEqual => dynasm!(self.a; .arch x64; ucomisd Rx(b), Rx(a)),
            _ => dynasm!(self.a; .arch x64; ucomisd Rx(a), Rx(b)),
        }
        match how {
            FloatCondition::Less | FloatCondition::Greater => Condition::Above,
            FloatCondition::LessEqual | FloatCondition::GreaterEqual => Condition::AboveEqual,
            FloatCondition::Equal => {
                dynasm!(self.a; .arch x64; setnp al; sete r11b; test al, r11b);
                Condition::NotEqual
            }
        }
    }

    /// Sets a value to 0 or 1 by a condition.
    pub fn set(&mut self, to: Ssa, condition: Condition) {
        match condition {
            Condition::Equal => dynasm!(self.a; .arch x64; sete al),
            Condition::NotEqual => dynasm!(self.a; .arch x64; setne al),
            Condition::Less => dynasm!(self.a; .arch x64; setl al),
            Condition::LessEqual => dynasm!(self.a; .arch x64; setle al),
            Condition::Greater => dynasm!(self.a; .arch x64; setg al),
            Condition::GreaterEqual => dynasm!(self.a; .arch x64; setge al),
            Condition::Below => dynasm!(self.a; .arch x64; setb al),
            Condition::BelowEqual => dynasm!(self.a; .arch x64; setbe al),
            Condition::Above => dynasm!(self.a; .arch x64; seta al),
            Condition::AboveEqual => dynasm!(self.a; .arch x64; setae al),
        }
        dynasm!(self.a; .arch x64; movzx eax, al);
        self.store_result(to, RAX);
    }
}

//! The instructions of each operation.

use abi::Scope;
use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};
use runtime::Cx;
use std::mem::offset_of;

use super::{
    ARGUMENTS, Assembler, R11, R14, R15, RAX, RBP, RBX, RCX, RDX, RSP, XMM14, XMM15, barrier, encoding::with_constant,
    slot_offset,
};
use crate::{
    allocate::Place,
    ir::{Binary, Block, Checked, Condition, Convention, FloatBinary, FloatCondition, Op, Part, Ssa, Width},
};

impl Assembler<'_> {
    /// Emits the operation with a number.
    pub fn operation(&mut self, number: u32, op: &Op) {
        match *op {
            Op::Binary { how, to, a, b } => self.binary(how, to, a, b),
            Op::Checked { how, to, a, b, otherwise } => self.checked(how, to, a, b, otherwise),
            Op::Division { part, to, a, b } => self.division(part, to, a, b),
            Op::Compare { to, .. } | Op::CompareFloats { to, .. } => {
                let condition = self.comparison(op);
                self.set(to, condition);
            }
            Op::Select { to, condition, a, b } => self.select(to, condition, a, b),
            Op::Load { width, to, base, offset } => {
                let (base, target) = (self.word(base, R11), self.target(to));
                match width {
                    Width::Word => self.load_word(target, base, offset),
                    Width::Half => self.load_half(target, base, offset),
                }
                self.store_result(to, target);
            }
            Op::LoadIndexed { to, base, index } => {
                let (base, index, target) = (self.word(base, R11), self.word(index, RAX), self.target(to));
                dynasm!(self.a; .arch x64; mov Rq(target), [Rq(base) + Rq(index) * 8]);
                self.store_result(to, target);
            }
            Op::LoadByte { to, base, index } => {
                let (base, index, target) = (self.word(base, R11), self.word(index, RAX), self.target(to));
                dynasm!(self.a; .arch x64; movzx Rd(target), BYTE [Rq(base) + Rq(index)]);
                self.store_result(to, target);
            }
            Op::Store { width, value, base, offset } => self.store(width, value, base, offset),
            Op::StoreIndexed { value, base, index } => {
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
            Op::Barrier { holds, container, stored } => {
                self.word_into(container, RAX);
                self.word_into(stored, R11);
                self.call_address(barrier::address(holds));
            }
            Op::AddTo { address, amount } => {
                let address = self.word(address, R11);
                match self.small(amount) {
                    Some(1) => dynasm!(self.a; .arch x64; inc QWORD [Rq(address)]),
                    Some(amount) => dynasm!(self.a; .arch x64; add QWORD [Rq(address)], amount),
                    None => {
                        let amount = self.word(amount, RAX);
                        dynasm!(self.a; .arch x64; add [Rq(address)], Rq(amount));
                    }
                }
            }
            Op::Count { .. } => unreachable!("`counts` has replaced it"),
            Op::Copy { from, to, bytes } => {
                let (from, to) = (self.word(from, RAX), self.word(to, R11));
                for offset in (0..bytes as i32).step_by(32) {
                    self.load_pair(XMM14, from, offset);
                    let second = offset + 16 < bytes as i32;
                    if second {
                        self.load_pair(XMM15, from, offset + 16);
                    }
                    self.store_pair(XMM14, to, offset);
                    if second {
                        self.store_pair(XMM15, to, offset + 16);
                    }
                }
            }
            Op::FloatBinary { how, to, a, b } => self.float_binary(how, to, a, b),
            Op::FloatOfInteger { to, a } => {
                let (a, target) = (self.word(a, RAX), self.double_target(to));
                dynasm!(self.a; .arch x64; xorps Rx(target), Rx(target); cvtsi2sd Rx(target), Rq(a));
                self.store_double_result(to, target);
            }
            Op::FloatOfBits { to, a } => {
                let (a, target) = (self.word(a, RAX), self.double_target(to));
                dynasm!(self.a; .arch x64; movq Rx(target), Rq(a));
                self.store_double_result(to, target);
            }
            Op::BitsOfFloat { to, a } => {
                let (a, target) = (self.double(a, XMM14), self.target(to));
                dynasm!(self.a; .arch x64; movq Rq(target), Rx(a));
                self.store_result(to, target);
            }
            Op::Call { convention, target, arguments, results, passes_on } => {
                let arguments = self.function.list(arguments);
                self.call(number, convention, target, arguments, results, passes_on);
            }
            Op::Require { condition, otherwise } => {
                let condition = self.condition(condition).inverse();
                let label = self.label(otherwise);
                self.jump_if(condition, label);
            }
            Op::Branch { condition, then, otherwise } => self.branch(condition, then, otherwise),
            Op::Jump { to, arguments } => {
                let function = self.function;
                let parameters = &function.block(to).parameters;
                let places: Vec<Place> = parameters.iter().map(|v| self.place(*v)).collect();
                self.move_at_once(function.list(arguments).iter().copied().zip(places));
                self.jump(to);
            }
            Op::Switch { on, cases, otherwise } => {
                let on = self.word(on, RAX);
                let mut cases = self.function.cases(cases).to_vec();
                cases.sort_by_key(|(case, _)| *case);
                self.switch(on, &cases, otherwise);
            }
            Op::Return { value, how } => {
                self.move_at_once([(value, Place::Register(RAX)), (how, Place::Register(RDX))].into_iter());
                let epilogue = self.epilogue;
                self.jump_to(epilogue);
            }
        }
    }

    fn binary(&mut self, how: Binary, to: Ssa, a: Ssa, b: Ssa) {
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

    fn checked(&mut self, how: Checked, to: Ssa, a: Ssa, b: Ssa, otherwise: Block) {
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
    fn division(&mut self, part: Part, to: Ssa, a: Ssa, b: Ssa) {
        self.word_into(b, R11);
        self.word_into(a, RAX);
        dynasm!(self.a; .arch x64; movq xmm15, rdx; cqo; idiv r11);
        if part == Part::Remainder {
            dynasm!(self.a; .arch x64; mov rax, rdx);
        }
        dynasm!(self.a; .arch x64; movq rdx, xmm15);
        self.store_result(to, RAX);
    }

    fn select(&mut self, to: Ssa, condition: Ssa, a: Ssa, b: Ssa) {
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

    fn store(&mut self, width: Width, value: Ssa, base: Ssa, offset: i32) {
        let base = self.word(base, R11);
        match (width, self.small(value)) {
            (Width::Word, Some(value)) => self.store_word_constant(value, base, offset),
            (Width::Word, None) => {
                let value = self.word(value, RAX);
                self.store_word(value, base, offset);
            }
            (Width::Half, _) => {
                if let Some(bits) = self.function.constant(value) {
                    return self.store_half_constant(bits as u32 as i32, base, offset);
                }
                let value = self.word(value, RAX);
                self.store_half(value, base, offset);
            }
        }
    }

    fn float_binary(&mut self, how: FloatBinary, to: Ssa, a: Ssa, b: Ssa) {
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

    fn call(
        &mut self,
        number: u32,
        convention: Convention,
        target: Ssa,
        arguments: &[Ssa],
        results: [Option<Ssa>; 2],
        passes_on: bool,
    ) {
        let saved = self.allocation.saved.binary_search_by_key(&number, |(call, _)| *call);
        let saved: Vec<Ssa> = match saved {
            Ok(n) => {
                let in_register = |v: &&Ssa| matches!(self.place(**v), Place::Register(_));
                self.allocation.saved[n].1.iter().filter(in_register).copied().collect()
            }
            Err(_) => Vec::new(),
        };
        self.save(&saved, false);
        let (constant, folded) = (self.function.constant(target), self.folded(target));
        if constant.is_none() && folded.is_none() {
            self.word_into(target, RAX);
        }
        let places = ARGUMENTS.map(Place::Register);
        self.move_at_once(arguments.iter().copied().zip(places));
        match convention {
            Convention::C(_) => {}
            Convention::Compiled { registers, frame } => self.move_pinned(registers, -frame),
            Convention::Pushed { .. } => {
                self.load_word(R14, R15, offset_of!(Cx, frame) as i32);
                self.load_word(RBX, R14, offset_of!(Scope, slots) as i32);
            }
        }
        if !matches!(convention, Convention::C(_)) {
            dynasm!(self.a; .arch x64; xor edx, edx);
        }
        match (constant, folded) {
            (Some(address), _) => self.call_address(address),
            // Only with a constant base: a base register may already have been overwritten by an argument.
            (None, Some(Op::Load { base, offset, .. })) => {
                let base = self.word(base, RAX);
                self.call_memory(base, offset);
            }
            _ => dynasm!(self.a; .arch x64; call rax),
        }
        match convention {
            Convention::C(_) => {}
            Convention::Compiled { registers, frame } => self.move_pinned(-registers, frame),
            Convention::Pushed { frame } => {
                self.address_of(R14, R14, frame);
                self.load_word(RBX, R14, offset_of!(Scope, slots) as i32);
            }
        }
        if passes_on {
            let epilogue = self.epilogue;
            dynasm!(self.a; .arch x64; test rdx, rdx);
            self.jump_if(Condition::NotEqual, epilogue);
        }
        let [first, second] = results;
        // The first result may be in rdx.
        if let Some(second) = second {
            self.store_result(second, RDX);
        }
        if let Some(first) = first {
            self.store_result(first, RAX);
        }
        self.save(&saved, true);
    }

    /// Adds constants to the pinned addresses of the running frame and its registers.
    fn move_pinned(&mut self, registers: i32, frame: i32) {
        self.address_of(RBX, RBX, registers);
        self.address_of(R14, R14, frame);
    }

    /// Saves registers around a call in a cold block, or restores them: below the native frame, so that frames whose
    /// cold blocks are not run have no slots for them. No words stay there: frames of later calls do not initialize all
    /// of theirs, so the collector would find them and keep alive what they refer to.
    fn save(&mut self, saved: &[Ssa], restores: bool) {
        // The stack pointer stays a multiple of 16.
        let size = (8 * saved.len() as i32 + 15) & -16;
        if size > 0 && !restores {
            self.address_of(RSP, RSP, -size);
        }
        for (n, v) in saved.iter().enumerate() {
            let Place::Register(r) = self.place(*v) else { continue };
            let offset = 8 * n as i32;
            match (self.is_double(*v), restores) {
                (false, false) => self.store_word(r, RSP, offset),
                (false, true) => {
                    self.load_word(r, RSP, offset);
                    dynasm!(self.a; .arch x64; and QWORD [rsp + offset], 0);
                }
                (true, false) => self.store_double(r, RSP, offset),
                (true, true) => self.load_double(r, RSP, offset),
            }
        }
        if size > 0 && restores {
            self.address_of(RSP, RSP, size);
        }
    }

    fn branch(&mut self, condition: Ssa, then: Block, otherwise: Block) {
        let condition = self.condition(condition);
        let (then_label, otherwise_label) = (self.label(then), self.label(otherwise));
        if self.next == Some(self.destination(then)) {
            return self.jump_if(condition.inverse(), otherwise_label);
        }
        self.jump_if(condition, then_label);
        self.jump(otherwise);
    }

    /// A binary search among the cases, which are sorted.
    fn switch(&mut self, on: u8, cases: &[(u64, Block)], otherwise: Block) {
        if cases.len() <= 4 {
            for (case, block) in cases {
                let label = self.label(*block);
                self.compare_constant(on, *case);
                self.jump_if(Condition::Equal, label);
            }
            let label = self.label(otherwise);
            return self.jump_to(label);
        }
        let (low, high) = cases.split_at(cases.len() / 2);
        let upper = self.a.new_dynamic_label();
        self.compare_constant(on, high[0].0);
        self.jump_if(Condition::AboveEqual, upper);
        self.switch(on, low, otherwise);
        dynasm!(self.a; .arch x64; =>upper);
        self.switch(on, high, otherwise);
    }

    fn compare_constant(&mut self, word: u8, bits: u64) {
        if let Ok(small) = i32::try_from(bits as i64) {
            self.compare_with_constant(word, small);
        } else {
            self.load_constant(R11, bits);
            dynasm!(self.a; .arch x64; cmp Rq(word), r11);
        }
    }

    /// Sets the flags by a value that is a condition; returns the condition that is true if the value is.
    fn condition(&mut self, v: Ssa) -> Condition {
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
                let base = self.word(base, R11);
                match width {
                    Width::Word => self.compare_word_constant(base, offset, 0),
                    Width::Half => self.compare_half_constant(base, offset, 0),
                }
            }
            _ => unreachable!("no such operation is folded"),
        }
    }

    /// Emits a comparison; returns the condition of the flags that is true if the comparison is.
    fn comparison(&mut self, op: &Op) -> Condition {
        let (how, a, b) = match *op {
            Op::Compare { how, a, b, .. } => (how, a, b),
            Op::CompareFloats { how, a, b, .. } => return self.float_comparison(how, a, b),
            _ => unreachable!("not a comparison"),
        };
        match self.folded(a) {
            Some(Op::Load { width, base, offset, .. }) => {
                let base = self.word(base, R11);
                match (width, self.function.constant(b)) {
                    (Width::Half, Some(bits)) => self.compare_half_constant(base, offset, bits as u32 as i32),
                    (_, Some(bits)) => self.compare_word_constant(base, offset, bits as i64 as i32),
                    (_, None) => {
                        let b = self.word(b, RAX);
                        self.compare_word(base, offset, b);
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
                    let offset = slot_offset(slot);
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
    fn set(&mut self, to: Ssa, condition: Condition) {
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

impl Condition {
    fn inverse(self) -> Condition {
        use Condition::*;
        match self {
            Equal => NotEqual,
            NotEqual => Equal,
            Less => GreaterEqual,
            LessEqual => Greater,
            Greater => LessEqual,
            GreaterEqual => Less,
            Below => AboveEqual,
            BelowEqual => Above,
            Above => BelowEqual,
            AboveEqual => Below,
        }
    }

    /// The condition for swapped operands.
    fn swapped(self) -> Condition {
        use Condition::*;
        match self {
            Equal | NotEqual => self,
            Less => Greater,
            LessEqual => GreaterEqual,
            Greater => Less,
            GreaterEqual => LessEqual,
            Below => Above,
            BelowEqual => AboveEqual,
            Above => Below,
            AboveEqual => BelowEqual,
        }
    }
}

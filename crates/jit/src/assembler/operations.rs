//! The operations that differ between processors only in their instructions.

use std::mem::offset_of;

use abi::Scope;
use dynasmrt::DynasmLabelApi;
use runtime::Cx;

use super::Assembler;
use crate::{
    allocate::Place,
    backend::machine::{
        ARGUMENTS, BASE, CONTEXT, DOUBLE_SCRATCH, RESULTS, ROOT, SCRATCH, SECOND_SCRATCH, STACK_POINTER, barrier,
        frames,
    },
    ir::{Block, Condition, Convention, Op, Ssa},
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
                let (memory, target) = (self.memory(base, offset, SECOND_SCRATCH), self.target(to));
                self.load(width, target, memory);
                self.store_result(to, target);
            }
            Op::LoadIndexed { to, base, index } => {
                let (base, index) = (self.word(base, SECOND_SCRATCH), self.word(index, SCRATCH));
                let target = self.target(to);
                self.load_indexed(target, base, index);
                self.store_result(to, target);
            }
            Op::LoadByte { to, base, index } => {
                let (base, index) = (self.word(base, SECOND_SCRATCH), self.word(index, SCRATCH));
                let target = self.target(to);
                self.load_byte(target, base, index);
                self.store_result(to, target);
            }
            Op::Store { width, value, base, offset } => self.store(width, value, base, offset),
            Op::StoreIndexed { value, base, index } => self.store_indexed(value, base, index),
            Op::StoreByte { value, base, index } => self.store_byte(value, base, index),
            Op::Barrier { holds, container, stored } => {
                self.word_into(container, SCRATCH);
                self.word_into(stored, SECOND_SCRATCH);
                self.call_address(barrier::address(holds));
            }
            Op::AddTo { address, amount } => self.add_to_memory(address, amount),
            Op::Count { .. } => unreachable!("`counts` has replaced it"),
            Op::CopyFrame { image, frame } => {
                self.word_into(image, SCRATCH);
                self.word_into(frame, SECOND_SCRATCH);
                self.call_address(frames::copy as *const () as u64);
            }
            Op::WriteOwnFrame => self.call_address(frames::write_own as *const () as u64),
            Op::CountDown { address, otherwise } => {
                let label = self.label(otherwise);
                self.count_down(address, label);
            }
            Op::FloatBinary { how, to, a, b } => self.float_binary(how, to, a, b),
            Op::SquareRoot { to, a } => {
                let (a, target) = (self.double(a, DOUBLE_SCRATCH), self.double_target(to));
                self.square_root(target, a);
                self.store_double_result(to, target);
            }
            Op::FloatOfInteger { to, a } => {
                let (a, target) = (self.word(a, SCRATCH), self.double_target(to));
                self.float_of_integer(target, a);
                self.store_double_result(to, target);
            }
            Op::FloatOfBits { to, a } => {
                let (a, target) = (self.word(a, SCRATCH), self.double_target(to));
                self.float_of_bits(target, a);
                self.store_double_result(to, target);
            }
            Op::BitsOfFloat { to, a } => {
                let (a, target) = (self.double(a, DOUBLE_SCRATCH), self.target(to));
                self.bits_of_float(target, a);
                self.store_result(to, target);
            }
            Op::IntegerOfFloat { to, a } => {
                let (a, target) = (self.double(a, DOUBLE_SCRATCH), self.target(to));
                self.integer_of_float(target, a);
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
                let on = self.word(on, SCRATCH);
                let mut cases = self.function.cases(cases).to_vec();
                cases.sort_by_key(|(case, _)| *case);
                self.switch(on, &cases, otherwise);
            }
            Op::Return { value, how } => {
                let places = RESULTS.map(Place::Register);
                self.move_at_once([value, how].into_iter().zip(places));
                let epilogue = self.epilogue;
                self.jump_to(epilogue);
            }
        }
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
            self.word_into(target, SCRATCH);
        }
        let places = ARGUMENTS.map(Place::Register);
        self.move_at_once(arguments.iter().copied().zip(places));
        match convention {
            Convention::C(_) => {}
            Convention::Compiled { registers, frame } => self.move_pinned(registers, -frame),
            Convention::Pushed { .. } => {
                self.load_word(ROOT, CONTEXT, offset_of!(Cx, frame) as i32);
                self.load_word(BASE, ROOT, offset_of!(Scope, slots) as i32);
            }
        }
        if !matches!(convention, Convention::C(_)) {
            self.clear_entry_word();
        }
        match (constant, folded) {
            (Some(address), _) => self.call_address(address),
            // Only with a constant base: a base register may already have been overwritten by an argument.
            (None, Some(Op::Load { base, offset, .. })) => {
                let memory = self.memory(base, offset, SCRATCH);
                self.call_memory(memory);
            }
            _ => self.call_scratch(),
        }
        match convention {
            Convention::C(_) => {}
            Convention::Compiled { registers, frame } => self.move_pinned(-registers, frame),
            Convention::Pushed { frame } => {
                self.address_of(ROOT, ROOT, frame);
                self.load_word(BASE, ROOT, offset_of!(Scope, slots) as i32);
            }
        }
        if passes_on {
            self.pass_on_unless_zero();
        }
        self.store_results(results);
        self.save(&saved, true);
    }

    /// Adds constants to the pinned addresses of the running frame and its registers.
    fn move_pinned(&mut self, registers: i32, frame: i32) {
        self.address_of(BASE, BASE, registers);
        self.address_of(ROOT, ROOT, frame);
    }

    /// Saves registers around a call in a cold block, or restores them: below the native frame, so that frames whose
    /// cold blocks are not run have no slots for them. No words stay there: frames of later calls do not initialize all
    /// of theirs, so the collector would find them and keep alive what they refer to.
    fn save(&mut self, saved: &[Ssa], restores: bool) {
        // The stack pointer stays a multiple of 16.
        let size = (8 * saved.len() as i32 + 15) & -16;
        if size > 0 && !restores {
            self.address_of(STACK_POINTER, STACK_POINTER, -size);
        }
        for (n, v) in saved.iter().enumerate() {
            let Place::Register(r) = self.place(*v) else { continue };
            let offset = 8 * n as i32;
            match (self.is_double(*v), restores) {
                (false, false) => self.store_word(r, STACK_POINTER, offset),
                (false, true) => {
                    self.load_word(r, STACK_POINTER, offset);
                    self.clear_saved_word(offset);
                }
                (true, false) => self.store_double(r, STACK_POINTER, offset),
                (true, true) => self.load_double(r, STACK_POINTER, offset),
            }
        }
        if size > 0 && restores {
            self.address_of(STACK_POINTER, STACK_POINTER, size);
        }
    }

    fn jump(&mut self, to: Block) {
        if self.next != Some(self.destination(to)) {
            let label = self.label(to);
            self.jump_to(label);
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
                self.jump_by_flags(Condition::Equal, label);
            }
            let label = self.label(otherwise);
            return self.jump_to(label);
        }
        let (low, high) = cases.split_at(cases.len() / 2);
        let upper = self.a.new_dynamic_label();
        self.compare_constant(on, high[0].0);
        self.jump_by_flags(Condition::AboveEqual, upper);
        self.switch(on, low, otherwise);
        self.a.dynamic_label(upper);
        self.switch(on, high, otherwise);
    }
}

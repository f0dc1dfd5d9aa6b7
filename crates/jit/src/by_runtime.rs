//! Calls of the runtime from compiled code: for whole instructions, and for operators on operands of unknown kinds.

use abi::{RuntimeCall, Type, Value};
use bytecode::{Instruction, Intrinsic, Opcode};
use object::{cell, hash::KeyGuess};

use crate::{
    arithmetic::{self, Operand},
    calls, frames, instruction,
    ir::{Binary, Condition},
    registers::{Held, Kind},
    runtime_calls,
    seam::Ssa,
    sites::Site,
    translate::Translator,
    virtual_objects::Content,
};

impl<'a> Translator<'a> {
    /// Calls the runtime function that executes the instruction.
    pub fn runtime(&mut self, call: RuntimeCall, word: usize) {
        self.flush();
        self.call_runtime(call, word);
        self.forget();
    }

    /// Calls the runtime function that executes the instruction, and returns the result. Memory must be up to date.
    pub fn call_runtime(&mut self, call: RuntimeCall, word: usize) -> Ssa {
        if call == RuntimeCall::Instruction {
            let outcome = self.call_instruction(word);
            return self.value_of(word, &outcome);
        }
        self.save_behind(word);
        let i = self.code.instruction(word);
        let site = self.e.constant(&raw const self.code.calls[i.c as usize] as u64);
        let arguments = [self.context, self.registers(), site, self.e.constant(bits(i))];
        let outcome = self.e.call(call, &arguments);
        let value = frames::result_of_call(self, &outcome, i.a);
        self.require_usable(word, true);
        value
    }

    /// Calls the runtime to execute the instruction at a word; returns the outcome. Memory must be up to date.
    pub fn call_instruction(&mut self, word: usize) -> Vec<Ssa> {
        self.save_behind(word);
        let i = self.code.instruction(word);
        let arguments = [self.context, self.registers(), self.e.constant(word as u64), self.e.constant(bits(i))];
        self.e.call_instance(RuntimeCall::Instruction, runtime_calls::executor(i.op()), &arguments)
    }

    /// An operator whose fast path is a call of the runtime.
    pub fn operate(&mut self, word: usize, opcode: Opcode, to: u16, operands: &[u16]) {
        let operands: Vec<Operand> = operands.iter().map(|register| Operand::Register(*register)).collect();
        self.operate_on(word, opcode, to, &operands);
    }

    /// The same, with operands that may be constants. If the operator is a call that is in line, objects that are not
    /// made may stay so.
    pub fn operate_on(&mut self, word: usize, opcode: Opcode, to: u16, operands: &[Operand]) {
        let site = Site::of_operator(self, word);
        if !site.takes_objects(self, opcode) {
            let operands: Vec<Ssa> = operands.iter().map(|one| arithmetic::operand(self, *one)).collect();
            let v = self.operator(word, opcode, &operands);
            return self.write(to, v, Kind::Any);
        }
        let contents: Vec<Content> = operands.iter().map(|one| self.content(*one)).collect();
        self.call_operator(word, site, &contents, self.is_expected(site), |t| {
            let operands: Vec<Ssa> = operands.iter().map(|one| arithmetic::operand(t, *one)).collect();
            let (call, given) = t.fast_operator(opcode, &operands);
            let slowly = |t: &mut Self| Some(t.by_instruction(word));
            let v = t.fast_or(word, call, &given, slowly);
            t.write(site.destination, v, Kind::Any);
        });
        if to != site.destination {
            self.r.copy(&mut self.e, self.context, site.destination, to);
        }
    }

    /// The contents of an operand.
    fn content(&mut self, operand: Operand) -> Content {
        match operand {
            Operand::Register(register) => {
                Content { sample: self.sample(operand), ..self.r.content(&mut self.e, self.context, register) }
            }
            Operand::Constant(v) => Content::of_constant(&mut self.e, v),
        }
    }

    /// The runtime function that is an operator's fast path, and its operands.
    fn fast_operator(&mut self, opcode: Opcode, operands: &[Ssa]) -> (RuntimeCall, Vec<Ssa>) {
        match opcode {
            Opcode::Equal | Opcode::JumpEqual | Opcode::JumpNotEqual => (RuntimeCall::Equal, operands.to_vec()),
            Opcode::Index => (RuntimeCall::Index, operands.to_vec()),
            _ => {
                let which = self.e.constant(opcode as u64);
                let second = operands.get(1).copied().unwrap_or_else(|| self.e.constant(Value::UNDEF.0));
                (RuntimeCall::Operate, vec![which, operands[0], second])
            }
        }
    }

    /// The result of an operator on any operands: the runtime takes the fast path for basic types, or makes the call of
    /// the operator's site. Knowledge about registers is discarded.
    pub fn operator(&mut self, word: usize, opcode: Opcode, operands: &[Ssa]) -> Ssa {
        let (call, given) = self.fast_operator(opcode, operands);
        let site = Site::of_operator(self, word);
        if !site.takes_objects(self, opcode) {
            return self.fast_result(word, call, &given);
        }
        self.expected_call(word, site, operands, |t| {
            let slowly = |t: &mut Self| Some(t.by_instruction(word));
            let v = t.fast_or(word, call, &given, slowly);
            t.write(site.destination, v, Kind::Any);
        })
    }

    /// `=~`, which is always a call.
    pub fn match_operator(&mut self, word: usize) {
        let site = Site::of_operator(self, word);
        if !site.makes_calls(self) {
            return self.runtime(RuntimeCall::Instruction, word);
        }
        let i = self.code.instruction(word);
        let operands = [self.read(i.b), self.read(i.c)];
        let v = self.expected_call(word, site, &operands, |t| {
            let v = t.by_instruction(word);
            t.write(site.destination, v, Kind::Any);
        });
        self.write(i.a, v, Kind::Any);
    }

    /// The call of an operator's site, for an operator most of whose operands are not of basic types. `otherwise`
    /// handles all cases that are not in line, and writes the result.
    pub fn expected_call(
        &mut self,
        word: usize,
        site: Site<'a>,
        operands: &[Ssa],
        otherwise: impl FnOnce(&mut Self),
    ) -> Ssa {
        self.call_with_values(word, site, operands, self.is_expected(site), otherwise)
    }

    /// Whether the receiver is expected to have one of the methods that the site of an operator has called.
    fn is_expected(&self, site: Site) -> bool {
        self.sample(Operand::Register(site.operand)).is_some_and(|receiver| site.has_seen(receiver))
    }

    /// The call of an operator's site; `is_expected` is that of [`calls::in_line`].
    fn call_with_values(
        &mut self,
        word: usize,
        site: Site<'a>,
        operands: &[Ssa],
        is_expected: bool,
        otherwise: impl FnOnce(&mut Self),
    ) -> Ssa {
        let contents: Vec<Content> = operands
            .iter()
            .map(|v| {
                let (kind, sample) = self.r.known_of(*v);
                Content { held: Held { value: Some(*v), kind, ..Held::default() }, sample: sample.flatten() }
            })
            .collect();
        self.call_operator(word, site, &contents, is_expected, otherwise);
        self.read(site.destination)
    }

    /// The call of an operator's site on these operands, which are copied to its window.
    fn call_operator(
        &mut self,
        word: usize,
        site: Site<'a>,
        operands: &[Content],
        is_expected: bool,
        otherwise: impl FnOnce(&mut Self),
    ) {
        self.r.drop_body(self.r.at(site.window));
        for (register, content) in (site.window..).zip(operands) {
            self.r.put(register, *content);
        }
        let receiver = operands[0].held;
        let kind = if receiver.object.is_some() { receiver.kind } else { Kind::Any };
        let receiver = receiver.object.is_none().then(|| self.read(site.window));
        calls::in_line(self, word, site, receiver, kind, is_expected, otherwise);
    }

    /// Calls the fast path in the runtime, and if it returns undef, executes the whole instruction in the runtime.
    pub fn fast_or_slow(&mut self, word: usize, to: Option<u16>, call: RuntimeCall, operands: &[Ssa]) {
        let v = self.fast_result(word, call, operands);
        if let Some(to) = to {
            self.write(to, v, Kind::Any);
        }
    }

    /// Calls the fast path in the runtime, and returns the result. If the fast path declines, makes the call of the
    /// operator's site, or else executes the whole instruction. The fast path changes nothing else.
    pub fn fast_result(&mut self, word: usize, call: RuntimeCall, operands: &[Ssa]) -> Ssa {
        self.fast_or(word, call, operands, |t| Some(t.slow_result(word, call, operands)))
    }

    /// The result of an instruction whose fast path declined the operands.
    fn slow_result(&mut self, word: usize, call: RuntimeCall, operands: &[Ssa]) -> Ssa {
        use Opcode::{IndexSet, IndexSetLiteral, ShiftLeftLiteral};
        let opcode = self.code.instruction(word).op();
        if !instruction::is_operator(opcode) || matches!(opcode, IndexSet | IndexSetLiteral | ShiftLeftLiteral) {
            return self.by_instruction(word);
        }
        let site = Site::of_operator(self, word);
        if !site.makes_calls(self) {
            return self.by_instruction(word);
        }
        // The first operand of `Operate` is the opcode.
        let first = usize::from(call == RuntimeCall::Operate);
        let operands = &operands[first..first + 1 + site.site.arguments as usize];
        self.call_with_values(word, site, operands, false, |t| {
            let v = t.by_instruction(word);
            t.write(site.destination, v, Kind::Any);
        })
    }

    /// Executes the whole instruction in the runtime, and returns the result.
    pub fn by_instruction(&mut self, word: usize) -> Ssa {
        let v = self.call_runtime(RuntimeCall::Instruction, word);
        match instruction::is_operator(self.code.instruction(word).op()) {
            true => self.forget_call(Site::of_operator(self, word).window, None),
            false => self.forget(),
        }
        v
    }

    fn has_literal_key(&self, word: usize) -> bool {
        matches!(self.code.instruction(word).op(), Opcode::IndexLiteral | Opcode::IndexSetLiteral)
    }

    /// The call that guesses where a Hash has the key of `[]` or `[]=`, if the key is always the same.
    fn near(&self, word: usize, call: RuntimeCall, operands: &[Ssa]) -> Option<RuntimeCall> {
        let near = match call {
            RuntimeCall::Index => RuntimeCall::IndexNear,
            RuntimeCall::IndexSet => RuntimeCall::IndexSetNear,
            _ => return None,
        };
        let is_constant = |key| match self.r.known_of(key).0 {
            Kind::Constant(key) => key.is_immediate() || cell::is(key, Type::String),
            _ => false,
        };
        (self.has_literal_key(word) || is_constant(operands[1])).then_some(near)
    }

    /// Calls the fast path in the runtime, then `slowly` if it declines.
    fn fast_or(
        &mut self,
        word: usize,
        call: RuntimeCall,
        operands: &[Ssa],
        slowly: impl FnOnce(&mut Self) -> Option<Ssa>,
    ) -> Ssa {
        let mut arguments: Vec<Ssa> = std::iter::once(self.context).chain(operands.iter().copied()).collect();
        let mut made = call;
        if let Some(near) = self.near(word, call, operands) {
            made = near;
            arguments.push(self.e.constant(std::ptr::from_ref(KeyGuess::next()) as u64));
        }
        let address = match made {
            RuntimeCall::Operate => runtime_calls::operator(self.code.instruction(word).op()),
            RuntimeCall::QuickIntrinsic => {
                runtime_calls::quick_intrinsic(Intrinsic::from_u16(self.code.instruction(word).c))
            }
            // A method of the Ruby half may have been lent a literal.
            RuntimeCall::Index | RuntimeCall::IndexSet if !self.code.internal && !self.has_literal_key(word) => {
                runtime_calls::element_by_own_key(call)
            }
            call => runtime_calls::address(call),
        };
        let v = self.e.call_instance(made, address, &arguments)[0];
        let slow = self.e.cold_block();
        let is_done = self.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
        self.e.require(is_done, slow);
        let fast = |t: &mut Self| {
            let is_opposite = instruction::asks_the_opposite(t.code, word, t.code.instruction(word).op());
            if call == RuntimeCall::SetIvar {
                t.r.forget_shapes();
            }
            Some(if is_opposite { t.e.binary_constant(Binary::Xor, v, Value::TRUE.0) } else { v })
        };
        self.either(slow, None, fast, slowly).unwrap_or(v)
    }
}

/// The bits of an instruction as compiled code passes them to the runtime.
fn bits(i: Instruction) -> u64 {
    // SAFETY: an instruction is a word.
    unsafe { std::mem::transmute::<Instruction, u64>(i) }
}

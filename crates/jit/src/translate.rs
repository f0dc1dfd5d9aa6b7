//! From bytecode to operations of the backend, one instruction at a time.
//!
//! Instructions are translated for what they are expected to work on: guards test that, and an exit leaves the
//! instruction to the interpreter where it is not so. What is expected comes from inline caches, from the values of the
//! frame that runs while the code is compiled, and from the exits that earlier compilations of the code took.

use std::collections::{BTreeSet, HashMap};

use abi::{BlockHandler, Frame, RuntimeCall, Scope, Value};
use bytecode::{Instruction, Opcode, Operands};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Switch;
use object::class::call_cache::CacheRef;
use runtime::{
    Cx,
    basic_ops::{BasicOp, Redefined},
    code::{
        Code,
        tier::{Assumptions, FrameImage, How, Kept, Seen},
    },
};
use std::mem::offset_of;

use crate::{
    arithmetic::{self, Operand, small},
    calls, instruction, intrinsics, objects,
    registers::{Kind, Registers},
    seam::{Block, Emitter, Ssa},
};

pub struct Translator<'a> {
    pub e: Emitter<'a>,
    pub code: &'a Code,
    /// The registers of the frame while it is compiled: what types they have now is a guess at what they will have.
    sample: &'a [Value],
    /// The scope of the frame that runs the code now.
    running: *const Scope,
    pub context: Ssa,
    pub r: Registers,
    pub frame: Ssa,
    /// The block of each word that control can reach by a jump.
    blocks: HashMap<usize, Block>,
    /// Gives control back; `pc` is set.
    leave: Block,
    /// Gives an outcome back: its two words.
    pass_on: Block,
    outcome: [Ssa; 2],
    pub assumed: Redefined,
    forces_exits: bool,
    /// Images of frames that are pushed, at addresses that machine code has.
    #[allow(clippy::vec_box)]
    images: Vec<Box<FrameImage>>,
    /// Entries of inline caches whose addresses the code has.
    caches: Vec<CacheRef>,
    /// Objects, likewise.
    objects: Vec<Kept>,
}

impl<'a> Translator<'a> {
    /// Translates the whole code into the function that `e` builds, whose blocks are all sealed then.
    pub fn translate(e: Emitter<'a>, target: TargetFrontendConfig, cx: &'a Cx, code: &'a Code) -> Assumptions {
        let (running, forces_exits) = (cx.frame(), cx.vm().options.exit_every != 0);
        let mut e = e;
        let start = e.block();
        e.builder.append_block_params_for_function_params(start);
        e.at(start);
        let [context, registers, word] = [0, 1, 2].map(|i| e.builder.block_params(start)[i]);
        let frame = e.load(context, offset_of!(Cx, frame));
        let (leave, pass_on) = (e.cold_block(), e.cold_block());
        let outcome = e.outcome_parameters(pass_on);
        let (heads, targets) = leaders(code);
        let blocks = targets.into_iter().map(|word| (word, e.block())).collect();
        let mut t = Translator {
            e,
            code,
            sample: sample_of(running),
            running: &raw const running.scope,
            context,
            r: Registers::new(registers),
            frame,
            blocks,
            leave,
            pass_on,
            outcome,
            assumed: Redefined::default(),
            forces_exits,
            images: Vec::new(),
            caches: Vec::new(),
            objects: Vec::new(),
        };
        t.enter(&heads, word);
        t.body();
        t.r.write_exits(&mut t.e, context);
        t.e.at(leave);
        let (value, how) = (t.e.constant(Value::UNDEF.0), t.e.constant(How::Exited as u64));
        t.e.leave(&[value, how]);
        t.e.at(pass_on);
        t.e.leave(&t.outcome);
        t.e.builder.seal_all_blocks();
        t.e.builder.finalize(target);
        Assumptions { redefined: t.assumed, caches: t.caches, objects: t.objects, images: t.images }
    }

    /// Goes where the caller wants to begin; gives control back at once where that is nowhere.
    fn enter(&mut self, heads: &BTreeSet<usize>, word: Ssa) {
        let mut switch = Switch::new();
        for head in heads {
            switch.set_entry(*head as u128, self.blocks[head]);
        }
        let otherwise = self.leave;
        switch.emit(&mut self.e.builder, word, otherwise);
    }

    fn body(&mut self) {
        let mut word = 0;
        let mut open = false;
        while word < self.code.instructions.len() {
            if let Some(block) = self.blocks.get(&word).copied() {
                if open {
                    self.flush();
                    self.e.jump(block, &[]);
                }
                self.e.at(block);
                self.forget();
                open = true;
            }
            let opcode = self.code.instruction(word).op();
            if open {
                self.count_down(word);
                open = self.instruction(word, opcode);
                if !open {
                    self.forget();
                }
            }
            // The third word of a comparing jump is an instruction of its own: where the call behind it goes on.
            word += 1 + opcode.following_words().min(1);
            if instruction::is_compared_jump(opcode) {
                word += 1;
            }
        }
    }

    /// With `--jit-exit-every`: leaves the instruction to the interpreter when its turn has come.
    fn count_down(&mut self, word: usize) {
        if !self.forces_exits {
            return;
        }
        let exit = self.r.exit(&mut self.e, word, true);
        let place = offset_of!(Cx, until_forced_exit);
        let left = self.e.load32(self.context, place);
        let left = self.e.add_constant(left, -1);
        self.e.store32(left, self.context, place);
        self.e.require(left, exit);
    }

    /// Translates one instruction; false where control does not go on behind it.
    fn instruction(&mut self, word: usize, opcode: Opcode) -> bool {
        use Opcode::*;
        let i = self.code.instruction(word);
        match opcode {
            Nop | Extension => {}
            Move => self.r.copy(&mut self.e, self.context, i.b, i.a),
            LoadNil => self.write_constant(i.a, Value::NIL),
            LoadTrue => self.write_constant(i.a, Value::TRUE),
            LoadFalse => self.write_constant(i.a, Value::FALSE),
            LoadInt => self.write_constant(i.a, Value::fixnum(i.bc() as i64)),
            LoadLiteral => {
                let literal = self.code.literal(i.bc() as usize);
                if literal.is_heap() {
                    let place = self.e.constant(self.code.literals[i.bc() as usize].as_ptr() as u64);
                    let v = self.e.load(place, 0);
                    self.write(i.a, v, Kind::Any);
                } else {
                    self.write_constant(i.a, literal);
                }
            }
            GetOuter => {
                let v = self.outer(i.b as usize, i.c as usize);
                self.write(i.a, v, Kind::Any);
            }
            SetOuter => self.set_outer(word, i.a, i.b as usize, i.c as usize),
            GetIvar => objects::get_ivar(self, word),
            SetIvar => objects::set_ivar(self, word),
            GetConstant | GetConstantFrom => objects::constant(self, word),
            Index | IndexLiteral => objects::index(self, word),
            IndexSet | IndexSetLiteral => objects::set_index(self, word),
            Add | Subtract | Multiply | Divide | Modulo | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight => {
                arithmetic::arithmetic(self, word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            AddInt | SubtractInt | MultiplyInt | ModuloInt | BitAndInt | ShiftLeftInt | ShiftRightInt => {
                arithmetic::arithmetic(self, word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual => {
                arithmetic::comparison(self, word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            LessInt | LessEqualInt | GreaterInt | GreaterEqualInt | EqualInt => {
                arithmetic::comparison(self, word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            CaseEqual => self.operate(word, opcode, i.a, &[i.b, i.c]),
            IsEmpty | Length | Size => objects::length(self, word, opcode),
            Not => {
                self.assumed.object |= BasicOp::Not.bit();
                let v = self.read(i.b);
                let truthy = self.truthy(v);
                self.write_bool(i.a, truthy, false);
            }
            IsNil => {
                self.assumed.object |= BasicOp::NilP.bit();
                let v = self.read(i.b);
                let is_nil = self.e.compare_constant(IntCC::Equal, v, Value::NIL.0);
                self.write_bool(i.a, is_nil, true);
            }
            Jump => {
                let to = self.target(word, i.bc());
                self.flush();
                self.e.jump(to, &[]);
                return false;
            }
            Loop => {
                self.loop_back(word, i.bc());
                return false;
            }
            JumpIf | JumpUnless => {
                let v = self.read(i.a);
                let true_ish = self.truthy(v);
                self.jump_on(true_ish, opcode == JumpIf, word, i.bc());
            }
            JumpNil | JumpNotNil => {
                let v = self.read(i.a);
                let is_nil = self.e.compare_constant(IntCC::Equal, v, Value::NIL.0);
                self.jump_on(is_nil, opcode == JumpNil, word, i.bc());
            }
            JumpGiven => {
                let v = self.read(i.a);
                let is_given = self.e.compare_constant(IntCC::NotEqual, v, Value::UNDEF.0);
                self.jump_on(is_given, true, word, i.bc());
            }
            _ if instruction::is_compared_jump(opcode) => arithmetic::compared_jump(self, word, opcode),
            Intrinsic => intrinsics::translate(self, word),
            Call | CallBlock => return calls::call(self, word),
            Yield => calls::yield_to(self, word),
            CallComplex | Super => self.runtime(RuntimeCall::AnyCall, word),
            Return => {
                let v = self.read(i.a);
                self.flush();
                self.leave_frame(v);
                return false;
            }
            _ if instruction::is_known(opcode) => self.runtime(RuntimeCall::Instruction, word),
            _ => {
                // The interpreter executes it.
                self.flush();
                self.save(word);
                let leave = self.leave;
                self.e.jump(leave, &[]);
                return false;
            }
        }
        true
    }

    /// A register's value.
    pub fn read(&mut self, register: u16) -> Ssa {
        self.r.read(&mut self.e, self.context, register)
    }

    pub fn write(&mut self, register: u16, v: Ssa, kind: Kind) {
        self.r.write(&mut self.e, register, v, kind);
    }

    fn write_constant(&mut self, register: u16, v: Value) {
        let bits = self.e.constant(v.0);
        self.write(register, bits, Kind::Constant(v));
    }

    pub fn write_bool(&mut self, register: u16, condition: Ssa, when: bool) {
        let (yes, no) = (self.e.constant(Value::bool(when).0), self.e.constant(Value::bool(!when).0));
        let v = self.e.select(condition, yes, no);
        self.write(register, v, Kind::Any);
    }

    /// Brings the frame's registers in memory up to date.
    pub fn flush(&mut self) {
        self.r.flush(&mut self.e, self.context);
    }

    /// Forgets what registers hold: Ruby code ran that may have changed them.
    pub fn forget(&mut self) {
        self.r.forget();
    }

    /// Forgets what a call with this window may have changed.
    pub fn forget_clobbered(&mut self, window: u16) {
        self.r.forget_clobbered(self.code.environment_slots, window);
    }

    /// Where to go if the instruction at the word must be left to the interpreter.
    pub fn exit(&mut self, word: usize) -> Block {
        self.r.exit(&mut self.e, word, false)
    }

    /// What was learned of the instruction at a word.
    pub fn seen(&self, word: usize) -> Seen {
        if self.code.tier.is_last() { Seen::FAILED } else { self.code.tier.seen(word) }
    }

    /// What an operand is while the code is compiled.
    pub fn sample(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Register(register) => match self.r.sample(register) {
                Some(sample) => sample,
                // Other registers hold what an earlier use left there.
                None if register < self.code.environment_slots => self.sample.get(register as usize).copied(),
                None => None,
            },
            Operand::Constant(v) => Some(v),
        }
    }

    /// Is the operand's double known?
    pub fn double_of(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.r.double(register).is_some())
    }

    /// Keeps an inline cache's entry alive, which the code has the address of.
    pub fn keep_cache(&mut self, cache: CacheRef) {
        self.caches.push(cache);
    }

    /// Keeps an object alive, likewise.
    pub fn keep(&mut self, v: Value) {
        self.objects.push(Kept(v));
    }

    /// Keeps the image of a frame; gives its address.
    pub fn keep_image(&mut self, image: FrameImage) -> u64 {
        let image = Box::new(image);
        let address = std::ptr::from_ref(&*image) as u64;
        self.images.push(image);
        address
    }

    /// The block that was passed to the scope `depth` levels out of the running frame.
    pub fn passed_block(&self, depth: usize) -> BlockHandler {
        // SAFETY: the frame whose code is compiled is running, and the scopes around it are alive.
        unsafe { (*Scope::out(self.running, depth)).block }
    }

    /// Makes the frame's `pc` point to a word.
    pub fn save(&mut self, word: usize) {
        // SAFETY: the word is one of the code, or the one behind its last.
        let pc = unsafe { self.code.start().add(word) };
        let pc = self.e.constant(pc as u64);
        self.e.store(pc, self.frame, offset_of!(Frame, pc));
    }

    /// Makes the frame's `pc` point behind the instruction at a word, as it does while the instruction runs Ruby.
    pub fn save_behind(&mut self, word: usize) {
        let extra = self.code.instruction(word).op().following_words().min(1);
        self.save(word + 1 + extra);
    }

    /// The value of an outcome, where control goes on here. `pc` is set, memory up to date, the value in its register.
    pub fn value_of(&mut self, outcome: &[Ssa]) -> Ssa {
        let value = self.value_if_returned(outcome);
        self.require_usable();
        value
    }

    /// The same where the value is not in its register yet, or nothing can have put the code out of use.
    pub fn value_if_returned(&mut self, outcome: &[Ssa]) -> Ssa {
        let (value, how) = (outcome[0], outcome[1]);
        let (done, other) = (self.e.block(), self.e.cold_block());
        self.e.branch(how, other, done);
        self.e.at(other);
        let pass_on = self.pass_on;
        self.e.jump(pass_on, &[value, how]);
        self.e.at(done);
        value
    }

    /// Leaves the code where what ran has put it out of use.
    pub fn require_usable(&mut self) {
        let usable = self.e.constant(self.code.tier.usable_address() as u64);
        let usable = self.e.load32(usable, 0);
        let same = self.e.compare_constant(IntCC::Equal, usable, u64::from(self.code.tier.next_compilation()));
        let leave = self.leave;
        self.e.require(same, leave);
    }

    /// Has the runtime do what the instruction says.
    pub fn runtime(&mut self, call: RuntimeCall, word: usize) {
        self.flush();
        self.call_runtime(call, word);
        self.forget();
    }

    /// The same, giving the result. Memory is up to date.
    pub fn call_runtime(&mut self, call: RuntimeCall, word: usize) -> Ssa {
        self.save_behind(word);
        let mut arguments = vec![self.context, self.r.base, self.e.constant(word as u64)];
        if call == RuntimeCall::Instruction {
            // SAFETY: an instruction is a word.
            let bits = unsafe { std::mem::transmute::<Instruction, u64>(self.code.instruction(word)) };
            arguments.push(self.e.constant(bits));
        }
        let outcome = self.e.call(call, &arguments);
        self.value_of(&outcome)
    }

    /// An operator whose fast path is a call of the runtime.
    pub fn operate(&mut self, word: usize, opcode: Opcode, to: u16, operands: &[u16]) {
        let operands: Vec<Ssa> = operands.iter().map(|register| self.read(*register)).collect();
        let v = self.operator(word, opcode, &operands);
        self.write(to, v, Kind::Any);
    }

    /// The result of an operator on anything: what the runtime makes of basic types, else the call of the site behind
    /// it. What registers hold is forgotten.
    pub fn operator(&mut self, word: usize, opcode: Opcode, operands: &[Ssa]) -> Ssa {
        let which = self.e.constant(opcode as u64);
        let none = self.e.constant(Value::UNDEF.0);
        let given = [which, operands[0], operands.get(1).copied().unwrap_or(none)];
        self.flush();
        let site = calls::Site::of_operator(self, word);
        if !site.takes_objects() {
            return self.fast_result(word, RuntimeCall::Operate, &given);
        }
        // Most of what comes here is no basic type.
        for (n, v) in operands.iter().enumerate() {
            self.e.store(*v, self.r.base, 8 * (site.window as usize + n));
        }
        self.forget();
        calls::in_line(self, word, site, operands[0], Kind::Any, |t| t.fast_result(word, RuntimeCall::Operate, &given))
    }

    /// Has the runtime take the fast path, and where that gives undef do all that the instruction says.
    pub fn fast_or_slow(&mut self, word: usize, to: Option<u16>, call: RuntimeCall, operands: &[Ssa]) {
        let v = self.fast_result(word, call, operands);
        if let Some(to) = to {
            self.write(to, v, Kind::Any);
        }
    }

    /// The same, giving the result.
    fn fast_result(&mut self, word: usize, call: RuntimeCall, operands: &[Ssa]) -> Ssa {
        self.flush();
        let arguments: Vec<Ssa> = std::iter::once(self.context).chain(operands.iter().copied()).collect();
        let v = self.e.call(call, &arguments)[0];
        let (join, result) = self.e.join();
        let slow = self.e.cold_block();
        let is_done = self.e.compare_constant(IntCC::NotEqual, v, Value::UNDEF.0);
        self.e.require(is_done, slow);
        let is_opposite = instruction::asks_the_opposite(self.code, word, self.code.instruction(word).op());
        let v = if is_opposite { self.e.xor_constant(v, Value::TRUE.0) } else { v };
        self.e.jump(join, &[v]);
        self.e.at(slow);
        let v = self.call_runtime(RuntimeCall::Instruction, word);
        self.e.jump(join, &[v]);
        self.e.at(join);
        self.forget();
        result
    }

    /// The scope `depth` levels out.
    pub fn scope_out(&mut self, depth: usize) -> Ssa {
        (0..depth).fold(self.frame, |scope, _| self.e.load(scope, offset_of!(Scope, outer)))
    }

    fn outer(&mut self, depth: usize, slot: usize) -> Ssa {
        let scope = self.scope_out(depth);
        let slots = self.e.load(scope, offset_of!(Scope, slots));
        self.e.load(slots, 8 * slot)
    }

    /// Sets a variable of an outer scope. A frame's registers need no barrier; the runtime sets what moved to the heap.
    fn set_outer(&mut self, word: usize, from: u16, depth: usize, slot: usize) {
        let v = self.read(from);
        self.flush();
        let scope = self.scope_out(depth);
        let (open, slow, done) = (self.e.block(), self.e.cold_block(), self.e.block());
        let environment = self.e.load(scope, offset_of!(Scope, environment));
        let on_stack = self.e.compare_constant(IntCC::Equal, environment, Value::NIL.0);
        self.e.branch(on_stack, open, slow);
        self.e.at(slow);
        self.call_runtime(RuntimeCall::Instruction, word);
        self.e.jump(done, &[]);
        self.e.at(open);
        let slots = self.e.load(scope, offset_of!(Scope, slots));
        self.e.store(v, slots, 8 * slot);
        self.e.jump(done, &[]);
        self.e.at(done);
    }

    pub fn truthy(&mut self, v: Ssa) -> Ssa {
        let rest = self.e.and_constant(v, !4);
        self.e.compare_constant(IntCC::NotEqual, rest, 0)
    }

    /// The block of the word that an instruction jumps to.
    pub fn target(&self, word: usize, distance: i32) -> Block {
        self.blocks[&target(word, distance)]
    }

    fn jump_on(&mut self, condition: Ssa, when: bool, word: usize, distance: i32) {
        let (to, next) = (self.target(word, distance), self.e.block());
        self.flush();
        let (then, otherwise) = if when { (to, next) } else { (next, to) };
        self.e.branch(condition, then, otherwise);
        self.e.at(next);
    }

    /// Goes back to the head of a loop, with a safepoint.
    fn loop_back(&mut self, word: usize, distance: i32) {
        let head = self.target(word, distance);
        self.flush();
        let pending = self.e.load32(self.context, offset_of!(Cx, interrupts));
        let waiting = self.e.cold_block();
        self.e.branch(pending, waiting, head);
        self.e.at(waiting);
        self.save(target(word, distance));
        let outcome = self.e.call(RuntimeCall::Safepoint, &[self.context]);
        self.value_of(&outcome);
        self.e.jump(head, &[]);
    }

    /// Leaves the frame with its result.
    fn leave_frame(&mut self, result: Ssa) {
        let environment = self.e.load(self.frame, offset_of!(Frame, scope) + offset_of!(Scope, environment));
        let (open, closed) = (self.e.cold_block(), self.e.block());
        let none = self.e.compare_constant(IntCC::Equal, environment, Value::NIL.0);
        self.e.branch(none, closed, open);
        self.e.at(open);
        self.e.call(RuntimeCall::CloseEnvironment, &[self.context]);
        self.e.jump(closed, &[]);
        self.e.at(closed);
        let caller = self.e.add_constant(self.frame, size_of::<Frame>() as i64);
        self.e.store(caller, self.context, offset_of!(Cx, frame));
        let how = self.e.constant(How::Returned as u64);
        self.e.leave(&[result, how]);
    }
}

fn target(word: usize, distance: i32) -> usize {
    (word as i64 + 1 + distance as i64) as usize
}

/// The words where compiled code can be entered (the first one and the heads of loops), and all that jumps lead to.
fn leaders(code: &Code) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut heads, mut targets) = (BTreeSet::from([0]), BTreeSet::from([0]));
    let mut word = 0;
    while word < code.instructions.len() {
        let i = code.instruction(word);
        let opcode = i.op();
        let to = match opcode.operands() {
            Operands::Jump | Operands::AJump => Some(target(word, i.bc())),
            Operands::AbJump | Operands::AIntJump => Some(target(word, i.c as i16 as i32)),
            _ => None,
        };
        if let Some(to) = to {
            targets.insert(to);
            if opcode == Opcode::Loop {
                heads.insert(to);
            }
        }
        word += 1 + opcode.following_words();
    }
    (heads, targets)
}

/// What the registers of a running frame hold.
fn sample_of(frame: &Frame) -> &[Value] {
    // SAFETY: a running frame has these registers.
    unsafe { std::slice::from_raw_parts(frame.scope.slots, frame.registers as usize) }
}

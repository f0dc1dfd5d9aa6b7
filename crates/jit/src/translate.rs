//! From bytecode to operations of the backend, one instruction at a time.
//!
//! The registers of the frame are always up to date in memory, so that compiled code can return control at any
//! instruction: an exit sets the frame's `pc`, nothing else. Values are kept in SSA form only within a basic block.

use std::collections::{BTreeSet, HashMap};

use abi::{BlockHandler, Frame, RuntimeCall, Scope, Value};
use bytecode::{Opcode, Operands};
use cranelift_codegen::ir::{
    InstBuilder,
    condcodes::{FloatCC, IntCC},
    types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::Switch;
use object::class::call_cache::CacheRef;
use runtime::{
    Cx,
    basic_ops::{BasicOp, Redefined},
    code::{
        Code, IvarPlace,
        tier::{Assumptions, How, KeptCode},
    },
};
use std::mem::offset_of;

use crate::{
    calls, floats, instruction,
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
    pub registers: Ssa,
    pub frame: Ssa,
    /// The block of each word that control can reach by a jump.
    blocks: HashMap<usize, Block>,
    /// Registers whose value is known in the current block.
    known: HashMap<u16, Ssa>,
    /// Gives control back; `pc` is set.
    exit: Block,
    assumed: Redefined,
    /// Entries of inline caches whose addresses the code has.
    kept: Vec<CacheRef>,
    /// Code of blocks, likewise.
    pub blocks_kept: Vec<KeptCode>,
}

/// An operand of an operator.
#[derive(Clone, Copy)]
enum Operand {
    Register(u16),
    Constant(Value),
}

impl<'a> Translator<'a> {
    /// Translates the whole code into the function that `e` builds, whose blocks are all sealed then.
    pub fn translate(e: Emitter<'a>, target: TargetFrontendConfig, code: &'a Code, running: &'a Frame) -> Assumptions {
        let mut e = e;
        let (running, sample) = (&raw const running.scope, sample_of(running));
        let start = e.block();
        e.builder.append_block_params_for_function_params(start);
        e.at(start);
        let [context, registers, word] = [0, 1, 2].map(|i| e.builder.block_params(start)[i]);
        let frame = e.load(context, offset_of!(Cx, frame));
        let exit = e.cold_block();
        let (heads, targets) = leaders(code);
        let blocks = targets.into_iter().map(|word| (word, e.block())).collect();
        let mut t = Translator {
            e,
            code,
            sample,
            running,
            context,
            registers,
            frame,
            blocks,
            known: HashMap::new(),
            exit,
            assumed: Redefined::default(),
            kept: Vec::new(),
            blocks_kept: Vec::new(),
        };
        t.enter(&heads, word);
        t.body();
        t.e.at(exit);
        t.leave_with(How::Exited);
        t.e.builder.seal_all_blocks();
        t.e.builder.finalize(target);
        Assumptions { redefined: t.assumed, caches: t.kept, codes: t.blocks_kept }
    }

    /// Goes where the caller wants to begin; gives control back at once where that is nowhere.
    fn enter(&mut self, heads: &BTreeSet<usize>, word: Ssa) {
        let mut switch = Switch::new();
        for head in heads {
            switch.set_entry(*head as u128, self.blocks[head]);
        }
        let otherwise = self.exit;
        switch.emit(&mut self.e.builder, word, otherwise);
    }

    fn body(&mut self) {
        let mut word = 0;
        let mut open = false;
        while word < self.code.instructions.len() {
            if let Some(block) = self.blocks.get(&word).copied() {
                if open {
                    self.e.jump(block, &[]);
                }
                self.e.at(block);
                self.known.clear();
                open = true;
            }
            let opcode = self.code.instruction(word).op();
            if open {
                open = self.instruction(word, opcode);
            }
            // The third word of a comparing jump is an instruction of its own: where the call behind it goes on.
            word += 1 + opcode.following_words().min(1);
            if instruction::is_compared_jump(opcode) {
                word += 1;
            }
        }
    }

    /// Translates one instruction; false where control does not go on behind it.
    fn instruction(&mut self, word: usize, opcode: Opcode) -> bool {
        use Opcode::*;
        let i = self.code.instruction(word);
        match opcode {
            Nop | Extension => {}
            Move => {
                let v = self.read(i.b);
                self.write(i.a, v);
            }
            LoadNil => self.write_constant(i.a, Value::NIL),
            LoadTrue => self.write_constant(i.a, Value::TRUE),
            LoadFalse => self.write_constant(i.a, Value::FALSE),
            LoadInt => self.write_constant(i.a, Value::fixnum(i.bc() as i64)),
            LoadLiteral => {
                let place = self.e.constant(self.code.literals[i.bc() as usize].as_ptr() as u64);
                let v = self.e.load(place, 0);
                self.write(i.a, v);
            }
            GetOuter => {
                let v = self.outer(i.b as usize, i.c as usize);
                self.write(i.a, v);
            }
            SetOuter => self.set_outer(word, i.a, i.b as usize, i.c as usize),
            GetIvar => self.instance_variable(word, i.a, i.bc() as usize),
            Add | Subtract | Multiply => {
                self.arithmetic(word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            AddInt | SubtractInt | MultiplyInt => {
                self.arithmetic(word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            Less | LessEqual | Greater | GreaterEqual => {
                self.comparison(word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            LessInt | LessEqualInt | GreaterInt | GreaterEqualInt => {
                self.comparison(word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            Jump => {
                let to = self.target(word, i.bc());
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
            _ if instruction::is_compared_jump(opcode) => {
                let right = if opcode.operands() == Operands::AIntJump { small(i.b) } else { Operand::Register(i.b) };
                self.compared_jump(word, opcode, Operand::Register(i.a), right, i.c as i16 as i32);
            }
            Call => calls::call(self, word),
            Yield => calls::yield_to(self, word),
            CallBlock => calls::call_with_block(self, word),
            CallComplex | Super => self.runtime(RuntimeCall::AnyCall, word),
            Return => {
                let v = self.read(i.a);
                self.leave_frame(v);
                return false;
            }
            _ if self.with_fast_path(word, opcode) => {}
            _ if instruction::is_known(opcode) => self.runtime(RuntimeCall::Instruction, word),
            _ => {
                // The interpreter executes it.
                self.save(word);
                let exit = self.exit;
                self.e.jump(exit, &[]);
                return false;
            }
        }
        true
    }

    /// Translates an instruction whose fast path is a test or a call of the runtime; false if it is none.
    fn with_fast_path(&mut self, word: usize, opcode: Opcode) -> bool {
        use Opcode::*;
        let i = self.code.instruction(word);
        match opcode {
            Index | IndexLiteral => {
                let (receiver, key) = (self.read(i.b), self.key(opcode == IndexLiteral, i.c));
                self.fast_or_slow(word, Some(i.a), RuntimeCall::Index, &[receiver, key]);
            }
            IndexSet | IndexSetLiteral => {
                let (receiver, key) = (self.read(i.a), self.key(opcode == IndexSetLiteral, i.b));
                let value = self.read(i.c);
                self.fast_or_slow(word, None, RuntimeCall::IndexSet, &[receiver, key, value]);
            }
            SetIvar => {
                let site = self.e.constant(&raw const self.code.ivars[i.bc() as usize] as u64);
                let value = self.read(i.a);
                self.fast_or_slow(word, None, RuntimeCall::SetIvar, &[site, value]);
            }
            GetConstant => {
                let site = self.e.constant(&raw const self.code.constants[i.bc() as usize] as u64);
                let scope = self.e.load(self.frame, offset_of!(Scope, cref));
                self.fast_or_slow(word, Some(i.a), RuntimeCall::Constant, &[site, scope]);
            }
            GetConstantFrom => {
                let site = self.e.constant(&raw const self.code.constants[i.c as usize] as u64);
                let scope = self.read(i.b);
                self.fast_or_slow(word, Some(i.a), RuntimeCall::Constant, &[site, scope]);
            }
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
            Divide | Modulo | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight | Equal | NotEqual | CaseEqual => {
                self.operate(word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            ModuloInt | BitAndInt | ShiftLeftInt | ShiftRightInt | EqualInt => {
                self.operate(word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            IsEmpty | Length | Size => {
                self.operate(word, opcode, i.a, Operand::Register(i.b), Operand::Constant(Value::UNDEF));
            }
            _ => return false,
        }
        true
    }

    /// A register's value.
    pub fn read(&mut self, register: u16) -> Ssa {
        if let Some(v) = self.known.get(&register) {
            return *v;
        }
        let v = self.e.load(self.registers, 8 * register as usize);
        self.known.insert(register, v);
        v
    }

    pub fn write(&mut self, register: u16, v: Ssa) {
        self.e.store(v, self.registers, 8 * register as usize);
        self.known.insert(register, v);
    }

    fn write_constant(&mut self, register: u16, v: Value) {
        let v = self.e.constant(v.0);
        self.write(register, v);
    }

    /// Notes what a register holds, where it was stored already.
    pub fn note(&mut self, register: u16, v: Ssa) {
        self.known.insert(register, v);
    }

    /// Goes to `other` unless the receiver of the call at `word` has the shape and the cache's entry is still right.
    pub fn require_shape(&mut self, word: usize, cache: CacheRef, shape: u32, other: Block) {
        let i = self.code.instruction(word);
        let receiver = self.read(i.b);
        self.require_heap(receiver, other);
        let found = self.e.load32(receiver, 4);
        let fits = self.e.compare_constant(IntCC::Equal, found, shape as u64);
        self.e.require(fits, other);
        // Invalid entries have a shape of their own.
        let cache_at = self.e.constant(cache.value().0);
        let valid = self.e.load32(cache_at, object::class::call_cache::SHAPE_OFFSET);
        let fits = self.e.compare_constant(IntCC::Equal, valid, shape as u64);
        self.e.require(fits, other);
        self.kept.push(cache);
    }

    /// The block that was passed to the scope `depth` levels out of the running frame.
    pub fn passed_block(&self, depth: usize) -> BlockHandler {
        // SAFETY: the frame whose code is compiled is running, and the scopes around it are alive.
        unsafe { (*Scope::out(self.running, depth)).block }
    }

    /// Forgets what registers hold: Ruby code ran that may have changed them.
    pub fn forget_registers(&mut self) {
        self.known.clear();
    }

    fn operand(&mut self, operand: Operand) -> Ssa {
        match operand {
            Operand::Register(register) => self.read(register),
            Operand::Constant(v) => self.e.constant(v.0),
        }
    }

    /// Makes the frame's `pc` point to a word.
    pub fn save(&mut self, word: usize) {
        // SAFETY: the word is one of the code, or the one behind its last.
        let pc = unsafe { self.code.start().add(word) };
        let pc = self.e.constant(pc as u64);
        self.e.store(pc, self.frame, offset_of!(Frame, pc));
    }

    fn leave_with(&mut self, how: How) {
        let (value, how) = (self.e.constant(Value::UNDEF.0), self.e.constant(how as u64));
        self.e.leave(&[value, how]);
    }

    /// The value of an outcome, where control goes on here. `pc` is set.
    pub fn outcome(&mut self, outcome: &[Ssa]) -> Ssa {
        let (value, how) = (outcome[0], outcome[1]);
        let (done, other) = (self.e.block(), self.e.cold_block());
        self.e.branch(how, other, done);
        self.e.at(other);
        self.e.leave(&[value, how]);
        self.e.at(done);
        // What ran may have put this code out of use.
        let usable = self.e.constant(self.code.tier.usable_address() as u64);
        let usable = self.e.load8(usable, 0);
        let exit = self.exit;
        self.e.require(usable, exit);
        value
    }

    /// Has the runtime do what the instruction says.
    pub fn runtime(&mut self, call: RuntimeCall, word: usize) {
        self.call_runtime(call, word);
        self.forget_registers();
    }

    /// The same for an operator whose fast path does not hold; gives its result.
    fn slow_operator(&mut self, word: usize) -> Ssa {
        self.call_runtime(RuntimeCall::Instruction, word)
    }

    pub fn call_runtime(&mut self, call: RuntimeCall, word: usize) -> Ssa {
        self.save_behind(word);
        let at = self.e.constant(word as u64);
        let outcome = self.e.call(call, &[self.context, self.registers, at]);
        self.outcome(&outcome)
    }

    /// Makes the frame's `pc` point behind the instruction at `word` and its extension, where the frame continues after
    /// the call that the instruction makes.
    pub fn save_behind(&mut self, word: usize) {
        let extension = self.code.instruction(word).op().following_words().min(1);
        self.save(word + 1 + extension);
    }

    fn write_bool(&mut self, to: u16, condition: Ssa, when: bool) {
        let (yes, no) = (self.e.constant(Value::bool(when).0), self.e.constant(Value::bool(!when).0));
        let v = self.e.select(condition, yes, no);
        self.write(to, v);
    }

    /// The key of `[]`: a literal or a register.
    fn key(&mut self, is_literal: bool, operand: u16) -> Ssa {
        if !is_literal {
            return self.read(operand);
        }
        let place = self.e.constant(self.code.literals[operand as usize].as_ptr() as u64);
        self.e.load(place, 0)
    }

    /// An operator whose fast path is a call of the runtime.
    fn operate(&mut self, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
        let which = self.e.constant(opcode as u64);
        let (a, b) = (self.operand(left), self.operand(right));
        self.fast_or_slow(word, Some(to), RuntimeCall::Operate, &[which, a, b]);
    }

    /// Has the runtime take the fast path, and where that gives undef do all that the instruction says.
    fn fast_or_slow(&mut self, word: usize, to: Option<u16>, call: RuntimeCall, operands: &[Ssa]) {
        let arguments: Vec<Ssa> = std::iter::once(self.context).chain(operands.iter().copied()).collect();
        let v = self.e.call(call, &arguments)[0];
        let (join, result) = self.e.join();
        let slow = self.e.cold_block();
        let is_done = self.e.compare_constant(IntCC::NotEqual, v, Value::UNDEF.0);
        self.e.require(is_done, slow);
        self.e.jump(join, &[v]);
        self.e.at(slow);
        let v = self.slow_operator(word);
        self.e.jump(join, &[v]);
        self.e.at(join);
        self.forget_registers();
        if let Some(to) = to {
            self.write(to, result);
        }
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
        let scope = self.scope_out(depth);
        let (open, slow, done) = (self.e.block(), self.e.cold_block(), self.e.block());
        let environment = self.e.load(scope, offset_of!(Scope, environment));
        let on_stack = self.e.compare_constant(IntCC::Equal, environment, Value::NIL.0);
        self.e.branch(on_stack, open, slow);
        self.e.at(slow);
        self.slow_operator(word);
        self.e.jump(done, &[]);
        self.e.at(open);
        let slots = self.e.load(scope, offset_of!(Scope, slots));
        self.e.store(v, slots, 8 * slot);
        self.e.jump(done, &[]);
        self.e.at(done);
    }

    fn instance_variable(&mut self, word: usize, to: u16, site: usize) {
        let cached = self.code.ivars[site].known.get();
        if cached == u64::MAX {
            return self.runtime(RuntimeCall::Instruction, word);
        }
        let (shape, place) = (cached >> 16, IvarPlace(cached as u16));
        if place.holder() == 0 {
            return self.runtime(RuntimeCall::Instruction, word);
        }
        let slow = self.e.cold_block();
        let (join, result) = self.e.join();
        let me = self.read(0);
        self.require_heap(me, slow);
        let found = self.e.load32(me, 4);
        let fits = self.e.compare_constant(IntCC::Equal, found, shape);
        self.e.require(fits, slow);
        let v = self.e.load(me, 8 * place.holder());
        let v = if place.word() == 0 { v } else { self.e.load(v, 8 * place.word()) };
        self.e.store(v, self.registers, 8 * to as usize);
        self.e.jump(join, &[v]);
        self.e.at(slow);
        let v = self.slow_operator(word);
        self.e.jump(join, &[v]);
        self.e.at(join);
        self.forget_registers();
        self.known.insert(to, result);
    }

    /// Goes to `otherwise` unless the value points to a cell.
    pub fn require_heap(&mut self, v: Ssa, otherwise: Block) {
        let tag = self.e.and_constant(v, 7);
        let aligned = self.e.compare_constant(IntCC::Equal, tag, 0);
        self.e.require(aligned, otherwise);
        let not_false = self.e.compare_constant(IntCC::NotEqual, v, 0);
        self.e.require(not_false, otherwise);
    }

    fn truthy(&mut self, v: Ssa) -> Ssa {
        let rest = self.e.and_constant(v, !4);
        self.e.compare_constant(IntCC::NotEqual, rest, 0)
    }

    /// Could the operand be a Float? A guess from what the registers hold now.
    fn looks_like_float(&self, operand: Operand) -> bool {
        match operand {
            Operand::Register(register) => self
                .sample
                .get(register as usize)
                .is_some_and(|v| v.is_flonum() || v.is_nil() || object::cell::is(*v, abi::Type::Float)),
            Operand::Constant(_) => false,
        }
    }

    /// The double of a flonum or fixnum; goes to `slow` for anything else.
    fn double(&mut self, operand: Operand, v: Ssa, slow: Block) -> Ssa {
        if let Operand::Constant(n) = operand {
            return self.e.builder.ins().f64const(n.fixnum_value() as f64);
        }
        let (join, float, fixnum, other) = (self.e.block(), self.e.block(), self.e.block(), self.e.block());
        let result = self.e.builder.append_block_param(join, types::F64);
        let is_flonum = floats::is(&mut self.e, v);
        self.e.branch(is_flonum, float, other);
        self.e.at(float);
        let x = floats::decode(&mut self.e, v);
        self.e.jump(join, &[x]);
        self.e.at(other);
        let is_fixnum = self.e.and_constant(v, 1);
        self.e.branch(is_fixnum, fixnum, slow);
        self.e.at(fixnum);
        let n = self.e.shift_right(v, 1);
        let x = self.e.builder.ins().fcvt_from_sint(types::F64, n);
        self.e.jump(join, &[x]);
        self.e.at(join);
        result
    }

    fn both_fixnums(&mut self, a: Ssa, b: Operand, b_value: Ssa) -> Ssa {
        match b {
            Operand::Constant(_) => self.e.and_constant(a, 1),
            Operand::Register(_) => {
                let both = self.e.and(a, b_value);
                self.e.and_constant(both, 1)
            }
        }
    }

    fn arithmetic(&mut self, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
        use Opcode::*;
        let op = match opcode {
            Add | AddInt => BasicOp::Plus,
            Subtract | SubtractInt => BasicOp::Minus,
            _ => BasicOp::Times,
        };
        self.assume_numbers(op);
        let (a, b) = (self.operand(left), self.operand(right));
        let (join, result) = self.e.join();
        let (other, slow) = (self.e.block(), self.e.cold_block());
        let fixnums = self.both_fixnums(a, right, b);
        self.e.require(fixnums, other);
        // Tagged: 2a + 1 and 2b + 1.
        let (v, overflow) = match op {
            BasicOp::Plus => {
                let b = self.e.add_constant(b, -1);
                self.e.builder.ins().sadd_overflow(a, b)
            }
            BasicOp::Minus => {
                let b = self.e.add_constant(b, -1);
                self.e.builder.ins().ssub_overflow(a, b)
            }
            _ => {
                let a = self.e.add_constant(a, -1);
                let b = self.e.shift_right(b, 1);
                self.e.builder.ins().smul_overflow(a, b)
            }
        };
        let done = self.e.block();
        self.e.branch(overflow, slow, done);
        self.e.at(done);
        let v = if op == BasicOp::Times { self.e.or_constant(v, 1) } else { v };
        self.e.jump(join, &[v]);
        self.e.at(other);
        if self.looks_like_float(left) || self.looks_like_float(right) {
            let (x, y) = (self.double(left, a, slow), self.double(right, b, slow));
            let f = match op {
                BasicOp::Plus => self.e.builder.ins().fadd(x, y),
                BasicOp::Minus => self.e.builder.ins().fsub(x, y),
                _ => self.e.builder.ins().fmul(x, y),
            };
            let v = floats::encode(&mut self.e, self.context, f);
            self.e.jump(join, &[v]);
        } else {
            self.e.jump(slow, &[]);
        }
        self.e.at(slow);
        let v = self.slow_operator(word);
        self.e.jump(join, &[v]);
        self.e.at(join);
        self.forget_registers();
        self.write(to, result);
    }

    fn assume_numbers(&mut self, op: BasicOp) {
        self.assumed.integer |= op.bit();
        self.assumed.float |= op.bit();
    }

    fn comparison(&mut self, word: usize, opcode: Opcode, to: u16, left: Operand, right: Operand) {
        let (join, result) = self.e.join();
        let slow = self.e.cold_block();
        self.compare(opcode, left, right, slow, |t, condition| {
            let (yes, no) = (t.e.constant(Value::TRUE.0), t.e.constant(Value::FALSE.0));
            let v = t.e.select(condition, yes, no);
            t.e.jump(join, &[v]);
        });
        self.e.at(slow);
        let v = self.slow_operator(word);
        self.e.jump(join, &[v]);
        self.e.at(join);
        self.forget_registers();
        self.write(to, result);
    }

    fn compared_jump(&mut self, word: usize, opcode: Opcode, left: Operand, right: Operand, distance: i32) {
        let when = instruction::jumps_when_true(opcode);
        let (to, next) = (self.target(word, distance), self.e.block());
        let (then, otherwise) = if when { (to, next) } else { (next, to) };
        let slow = self.e.cold_block();
        self.compare(opcode, left, right, slow, |t, condition| t.e.branch(condition, then, otherwise));
        self.e.at(slow);
        let v = self.slow_operator(word);
        let v = self.truthy(v);
        // The call may be of the opposite (`!=`): the third word says what its result means.
        let jumps_if = self.code.instruction(word + 2).op() == Opcode::JumpIf;
        let (then, otherwise) = if jumps_if { (to, next) } else { (next, to) };
        self.e.branch(v, then, otherwise);
        self.e.at(next);
        self.forget_registers();
    }

    /// Compares fixnums, and flonums where they are to be expected; `decided` ends a block with the condition.
    fn compare(
        &mut self,
        opcode: Opcode,
        left: Operand,
        right: Operand,
        slow: Block,
        decided: impl Fn(&mut Self, Ssa),
    ) {
        let name = opcode.name().trim_start_matches("Jump").trim_start_matches("Not").trim_end_matches("Int");
        let (op, integer, float) = match name {
            "Less" => (BasicOp::Less, IntCC::SignedLessThan, FloatCC::LessThan),
            "LessEqual" => (BasicOp::LessEqual, IntCC::SignedLessThanOrEqual, FloatCC::LessThanOrEqual),
            "Greater" => (BasicOp::Greater, IntCC::SignedGreaterThan, FloatCC::GreaterThan),
            "GreaterEqual" => (BasicOp::GreaterEqual, IntCC::SignedGreaterThanOrEqual, FloatCC::GreaterThanOrEqual),
            _ => (BasicOp::Equal, IntCC::Equal, FloatCC::Equal),
        };
        self.assume_numbers(op);
        let (a, b) = (self.operand(left), self.operand(right));
        let other = self.e.block();
        let fixnums = self.both_fixnums(a, right, b);
        self.e.require(fixnums, other);
        let condition = self.e.compare(integer, a, b);
        decided(self, condition);
        self.e.at(other);
        if self.looks_like_float(left) || self.looks_like_float(right) {
            let flonums = floats::both(&mut self.e, a, b);
            self.e.require(flonums, slow);
            let (x, y) = (floats::decode(&mut self.e, a), floats::decode(&mut self.e, b));
            let condition = self.e.compare_floats(float, x, y);
            decided(self, condition);
        } else {
            self.e.jump(slow, &[]);
        }
    }

    /// The block of the word that an instruction jumps to.
    fn target(&self, word: usize, distance: i32) -> Block {
        self.blocks[&target(word, distance)]
    }

    fn jump_on(&mut self, condition: Ssa, when: bool, word: usize, distance: i32) {
        let (to, next) = (self.target(word, distance), self.e.block());
        let (then, otherwise) = if when { (to, next) } else { (next, to) };
        self.e.branch(condition, then, otherwise);
        self.e.at(next);
    }

    /// Goes back to the head of a loop, with a safepoint.
    fn loop_back(&mut self, word: usize, distance: i32) {
        let head = self.target(word, distance);
        let pending = self.e.load32(self.context, offset_of!(Cx, interrupts));
        let waiting = self.e.cold_block();
        self.e.branch(pending, waiting, head);
        self.e.at(waiting);
        self.save(target(word, distance));
        let outcome = self.e.call(RuntimeCall::Safepoint, &[self.context]);
        self.outcome(&outcome);
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

fn small(n: u16) -> Operand {
    Operand::Constant(Value::fixnum(n as i16 as i64))
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

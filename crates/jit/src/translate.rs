//! From bytecode to operations of the backend, one instruction at a time.
//!
//! An instruction is translated for the operands that are expected. Guards test for these, and an exit leaves the
//! instruction to the interpreter if a guard fails. Expectations come from inline caches, from the values of the frame
//! that runs during the compilation, and from exits that earlier compilations of the code took.

use abi::{BlockHandler, Frame, FrameFlags, RuntimeCall, Scope, Type, Value};
use bytecode::{Handler, HandlerKind, Kind as CodeKind, Opcode};
use object::{
    Known, Sym, class,
    class::{call_cache::CacheRef, constant_watch::Watch, refined::RefinedNames},
};
use runtime::{
    Cx,
    basic_ops::{BasicOp, Redefined},
    code::{
        Code, ConstantSite,
        exits::{ExitTable, FrameImage, InlinedFrame, Reason},
        open_frames::OpenFrames,
        tier::{Assumptions, How, Kept, KnownLookup, Position, Tier},
    },
    cref, refinements,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{mem::offset_of, rc::Rc};

use crate::{
    appends,
    arithmetic::{self, Operand, small},
    block_arguments, blocks,
    bodies::{Body, OuterScope, Passed, Start, target},
    calls,
    cells::{self, Ends},
    class_variables, counters, counts, globals, hashes,
    inlining::Limits,
    instruction, interpolations, intrinsics,
    ir::{Condition, Function, Origin, Pinned},
    ivars, jump_tables, lengths, loops, objects,
    registers::{self, Kind, Registers},
    seam::{Block, Counter, Emitter, Ssa},
    statistics, supers, yields,
};

/// Flags of frames of lambdas: `break` and `return` leave such a frame.
const LAMBDAS: u32 = FrameFlags::LAMBDA | FrameFlags::BMETHOD;

pub struct Translator<'a> {
    pub cx: &'a Cx,
    pub e: Emitter,
    /// The code of the body that is translated.
    pub code: &'a Code,
    /// The tier of the unit's own code.
    pub tier: &'a Tier,
    /// The registers of the frame that runs during the compilation. Their present types are guesses at their later
    /// types.
    sample: &'a [Value],
    /// The scope of the frame that runs the code during the compilation.
    running: *const Scope,
    pub context: Ssa,
    pub r: Registers,
    /// The frame of the unit's own code.
    pub root: Ssa,
    /// The body of the unit's own code, and the bodies that are inlined at the place that is being translated,
    /// innermost last.
    pub bodies: Vec<Body<'a>>,
    /// The number of bodies that have a frame. 0: the unit's own may be open.
    pub pushed: usize,
    /// Whether the unit's frame is written on a path that is taken often, if it is open.
    pub writes_own_frame: bool,
    /// The number of instructions translated so far.
    pub size: usize,
    pub limits: Limits,
    /// The word of the unit's own code that is being translated.
    own_word: u32,
    /// The code objects that are inlined, and the contents of their frames.
    pub inlined: Vec<Kept>,
    pub frames: Vec<Rc<InlinedFrame>>,
    /// The block that returns to the interpreter; `pc` must be set.
    pub leave: Block,
    pub assumed: Redefined,
    /// Whether no refinements are active in the unit's own code, which is tested at its entry.
    is_unrefined: bool,
    forces_exits: bool,
    /// Images of frames, boxed because machine code contains their addresses.
    #[allow(clippy::vec_box)]
    images: Vec<Box<FrameImage>>,
    /// What describes open frames, at addresses that the machine code contains.
    #[allow(clippy::vec_box, reason = "machine code contains the addresses")]
    pub open: Vec<Box<OpenFrames>>,
    /// Entries of inline caches through which the code calls methods.
    caches: Vec<CacheRef>,
    /// Block parameters that methods pass on, with the numbers of the methods' bodies.
    pub own_blocks: FxHashMap<Ssa, usize>,
    /// The lengths that Arrays of surplus arguments, and those that end in a splat, had when they were made; for some,
    /// only the lengths that are expected.
    pub lengths: FxHashMap<Ssa, u16>,
    /// Block parameters of frames that are passed on: nil, a handler or a Proc.
    pub handlers: FxHashSet<Ssa>,
    /// Lookups that the code relies on.
    lookups: Vec<KnownLookup>,
    /// The ends of Ranges that the code creates.
    pub ranges: FxHashMap<Ssa, Ends>,
    /// Constants that the code relies on.
    constants: Vec<(&'static Watch, u32)>,
    /// Objects whose addresses the code contains.
    objects: Vec<Kept>,
    /// Shapes that the code compares.
    shapes: Vec<u32>,
    /// Whether the code has objects that are not made.
    has_virtual_objects: bool,
    /// The number of registers, with those of inlined bodies.
    pub reach: u16,
}

impl<'a> Translator<'a> {
    /// Translates a code object.
    pub fn translate(cx: &'a Cx, code: &'a Code, limits: Limits) -> (Function, Assumptions, Vec<Counter>) {
        let (running, forces_exits) = (cx.frame(), cx.vm().options.exit_every != 0);
        let mut e = Emitter::new();
        e.counters = cx.vm().options.counts_runtime_calls.then(Vec::new);
        let [context, registers, root] = [Pinned::Context, Pinned::Base, Pinned::Root].map(|word| e.pinned(word));
        let start = e.block();
        let word = e.parameter(start, Origin::Word);
        e.at(start);
        let leave = e.cold_block();
        let body = Body::of_unit(&mut e, code);
        let mut t = Translator {
            cx,
            e,
            code,
            tier: &code.tier,
            sample: sample_of(running),
            running: &raw const running.scope,
            context,
            r: Registers::new(registers),
            root,
            bodies: vec![body],
            writes_own_frame: false,
            pushed: usize::from(code.kind != CodeKind::Method),
            size: blocks::size_of_visited(code),
            limits,
            own_word: 0,
            inlined: Vec::new(),
            frames: Vec::new(),
            leave,
            assumed: Redefined::default(),
            is_unrefined: false,
            forces_exits,
            images: Vec::new(),
            open: Vec::new(),
            caches: Vec::new(),
            own_blocks: FxHashMap::default(),
            lengths: FxHashMap::default(),
            handlers: FxHashSet::default(),
            lookups: Vec::new(),
            ranges: FxHashMap::default(),
            constants: Vec::new(),
            objects: Vec::new(),
            shapes: Vec::new(),
            has_virtual_objects: false,
            reach: code.registers,
        };
        t.require_unrefined();
        if t.cx.vm().refinements_used {
            let watch = RefinedNames::watch();
            watch.rely();
            t.constants.push((watch, watch.version()));
        }
        t.enter(word);
        let first = t.bodies[0].first;
        t.e.at(first);
        if t.tier.is_baseline() {
            let exit = t.exit_for(0, Reason::Warm);
            t.count_run(exit);
        }
        if loops::need_frames(&t) {
            t.own_frame();
            t.pushed = 1;
        }
        t.bodies[0].level = t.pushed;
        t.translate_body();
        t.e.at(leave);
        let (value, how) = (t.e.constant(Value::UNDEF.0), t.e.constant(How::Exited as u64));
        t.e.leave(value, how);
        let mut exits = t.r.take_exits();
        counts::join(&mut t.e.function, &t.e.coverage, &mut exits);
        let exits = Box::new(ExitTable::new(exits.into_iter()));
        let assumptions = Assumptions {
            redefined: t.assumed,
            caches: t.caches,
            relies_on_caches: t.tier.may_rely(),
            constants: t.constants,
            lookups: t.lookups,
            objects: t.objects,
            shapes: t.shapes,
            has_virtual_objects: t.has_virtual_objects,
            reach: t.reach,
            writes_own_frame: t.writes_own_frame,
            images: t.images,
            open: t.open,
            exits,
            inlined: t.inlined,
            frames: t.frames,
        };
        (t.e.function, assumptions, t.e.counters.unwrap_or_default())
    }

    /// Jumps to the word at which the caller enters the code.
    fn enter(&mut self, word: Ssa) {
        let (first, other) = (self.bodies[0].first, self.e.cold_block());
        self.e.branch(word, other, first);
        self.e.at(other);
        let heads: Vec<(u64, Block)> = self.bodies[0].heads().map(|(word, block)| (word as u64, block)).collect();
        self.e.switch(word, &heads, self.leave);
    }

    /// Records for profilers that the operations that follow belong to the instruction at a word.
    pub fn mark(&mut self, word: usize) {
        if self.current() == 0 {
            self.own_word = word as u32;
        }
        // SAFETY: the word is one of the code.
        let pc = unsafe { self.code.start().add(word + 1) } as u64;
        if self.e.counters.is_some() {
            let opcode = self.code.instruction(word).op().name();
            self.e.counted = format!("{opcode:<18} {}", statistics::place_of(self.code, word));
        }
        self.e.mark(Position { own_word: self.own_word, pc, inlined: self.body().number });
    }

    /// With `--jit-exit-every`: leaves the instruction to the interpreter when its turn has come.
    pub fn count_down(&mut self, word: usize) {
        if !self.forces_exits {
            return;
        }
        let exit = self.exit_for(word, Reason::LeftToInterpreter);
        let place = offset_of!(Cx, until_forced_exit);
        let left = self.e.load32(self.context, place);
        let left = self.e.add_constant(left, -1);
        self.e.store32(left, self.context, place);
        self.e.require(left, exit);
    }

    /// Translates one instruction; false if control does not continue after it.
    pub fn instruction(&mut self, word: usize, opcode: Opcode) -> bool {
        use Opcode::*;
        let i = self.code.instruction(word);
        match opcode {
            Nop | Extension => {}
            Count | CountOnce | CountCall => counters::translate(self, word, opcode),
            Move => {
                let sample = self.sample(Operand::Register(i.b));
                self.r.copy(&mut self.e, self.context, i.b, i.a);
                if sample.is_some() {
                    self.r.guess(i.a, sample);
                }
            }
            LoadNil => self.write_constant(i.a, Value::NIL),
            LoadTrue => self.write_constant(i.a, Value::TRUE),
            LoadFalse => self.write_constant(i.a, Value::FALSE),
            LoadInt => self.write_constant(i.a, Value::fixnum(i.bc() as i64)),
            LoadLiteral => self.load_literal(i.a, i.bc() as usize),
            FreezeLiteral | DeduplicateLiteral => {
                let op = if opcode == FreezeLiteral { BasicOp::Freeze } else { BasicOp::Negate };
                if !self.assume(|r| &mut r.string, op.bit()) {
                    return self.leave_to_interpreter(word);
                }
                self.load_literal(i.a, i.bc() as usize);
            }
            NewString => cells::string(self, word),
            NewRange | NewRangeExclusive => cells::range(self, word),
            NewArray if self.is_unused_result(word) => self.write_constant(i.a, Value::NIL),
            NewArray => cells::array(self, word),
            NewHash if objects::has_immediate_keys(self, i.b, i.c) => {
                hashes::new(self, word);
            }
            DuplicateLiteral => cells::copy_of_literal(self, word),
            ConcatStrings => objects::from_words(self, word, RuntimeCall::Concatenate, Known::String),
            ToString => interpolations::to_string(self, word),
            AnyToString => interpolations::any_to_string(self, word),
            ToAry => objects::unless_of_type(self, Type::Array, i.b, i.a, by_runtime(word)),
            Expand => objects::expand(self, word),
            GetOuter => self.outer(i.a, i.b as usize, i.c as usize),
            SetOuter => self.set_outer(i.a, i.b as usize, i.c as usize),
            GetIvar => ivars::get(self, word),
            SetIvar => ivars::set(self, word),
            GetConstant | GetConstantFrom => objects::constant(self, word),
            GetGlobal => globals::get(self, word),
            SetGlobal => globals::set(self, word),
            GetClassVariable => class_variables::get(self, word),
            SetClassVariable => class_variables::set(self, word),
            Index | IndexLiteral => objects::index(self, word),
            IndexSet | IndexSetLiteral => objects::set_index(self, word),
            Add | Subtract | Multiply | Divide | Modulo | BitAnd | BitOr | BitXor | ShiftLeft | ShiftRight => {
                arithmetic::arithmetic(self, word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            ShiftLeftLiteral => appends::literal(self, word),
            AddInt | SubtractInt | MultiplyInt | ModuloInt | BitAndInt | ShiftLeftInt | ShiftRightInt => {
                arithmetic::arithmetic(self, word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual => {
                arithmetic::comparison(self, word, opcode, i.a, Operand::Register(i.b), Operand::Register(i.c));
            }
            LessInt | LessEqualInt | GreaterInt | GreaterEqualInt | EqualInt => {
                arithmetic::comparison(self, word, opcode, i.a, Operand::Register(i.b), small(i.c));
            }
            CaseEqual => arithmetic::case_equal(self, word),
            Compare => arithmetic::order(self, word),
            Match => self.match_operator(word),
            Successor | Negate => arithmetic::unary(self, word, opcode),
            IsEmpty | Length | Size => lengths::translate(self, word, opcode),
            Not | IsNil => objects::not_or_is_nil(self, word, opcode),
            Jump => return self.jump_if(true, word, i.bc()),
            JumpTable => jump_tables::translate(self, i.a, i.c as usize),
            Loop => {
                self.go_back(word, i.bc());
                return false;
            }
            JumpIf | JumpUnless if let Kind::Constant(v) = self.r.kind(i.a) => {
                return self.jump_if(v.truthy() == (opcode == JumpIf), word, i.bc());
            }
            JumpIf | JumpUnless => {
                let v = self.read(i.a);
                let true_ish = self.e.truthy(v);
                self.jump_on(true_ish, opcode == JumpIf, word, i.bc());
            }
            JumpNil | JumpNotNil => {
                let v = self.read(i.a);
                let is_nil = self.e.compare_constant(Condition::Equal, v, Value::NIL.0);
                self.jump_on(is_nil, opcode == JumpNil, word, i.bc());
            }
            JumpGiven if let Some(is_given) = self.r.is_given(i.a) => return self.jump_if(is_given, word, i.bc()),
            JumpGiven => {
                let v = self.read(i.a);
                let is_given = self.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
                self.jump_on(is_given, true, word, i.bc());
            }
            _ if instruction::is_compared_jump(opcode) => arithmetic::compared_jump(self, word, opcode),
            Opcode::Intrinsic => intrinsics::translate(self, word),
            Yield => yields::yield_to(self, word),
            SplatToArray => objects::splat(self, word),
            GetBlockParameterProxy => block_arguments::own_block(self, word),
            GetBlockToCall => block_arguments::block_to_call(self, word),
            Call | CallBlock | CallComplex if let Some(site) = calls::site(self, word) => {
                return calls::call(self, word, site);
            }
            Super if let Some(site) = supers::site(self, word) => return calls::call(self, word, site),
            CallComplex | Super => self.runtime(RuntimeCall::AnyCall, word),
            Return => {
                self.leave_body(self.current(), i.a);
                return false;
            }
            Break | ReturnOuter => return self.leave_block(word, opcode),
            Once if let Some(v) = self.code.once_value(i.bc() as u32) => {
                let v = self.e.constant(v.0);
                self.write(i.a, v, Kind::Any);
            }
            _ if instruction::is_known(opcode) => self.runtime(RuntimeCall::Instruction, word),
            _ => return self.leave_to_interpreter(word),
        }
        true
    }

    /// Exits, so that the interpreter executes the instruction and continues from there. A body that takes this exit is
    /// not inlined again. The result is false: control does not continue after the instruction.
    pub fn leave_to_interpreter(&mut self, word: usize) -> bool {
        // The result of an instruction that runs only once is known when the code is compiled again.
        let is_learned = self.current() > 0 || self.code.instruction(word).op() == Opcode::Once;
        let exit = self.exit_for(word, if is_learned { Reason::GuardFailed } else { Reason::LeftToInterpreter });
        self.e.jump(exit, &[]);
        false
    }

    /// Relies on operations of basic classes; false if the program has redefined one of them.
    pub fn assume(&mut self, of: fn(&mut Redefined) -> &mut u64, operations: u64) -> bool {
        let mut redefined = *self.cx.vm().redefinitions();
        let is_plain = *of(&mut redefined) & operations == 0;
        if is_plain {
            *of(&mut self.assumed) |= operations;
        }
        is_plain
    }

    fn load_literal(&mut self, to: u16, index: usize) {
        let literal = self.code.literal(index);
        self.write_constant(to, literal);
        if literal.is_heap() {
            self.keep(literal);
        }
    }

    /// Leaves a body, and the bodies above it, with a register's value.
    fn leave_body(&mut self, number: usize, register: u16) {
        if number > 0 {
            if self.bodies[number].gives_receiver {
                let current = std::mem::replace(&mut self.r.offset, self.bodies[number].offset);
                self.leave_inlined(number, 0);
                self.r.offset = current;
                return;
            }
            return self.leave_inlined(number, register);
        }
        let v = self.read(register);
        self.leave_frame(v);
    }

    /// Does the running body return the result of the instruction at a word, although its caller ignores it and takes
    /// the receiver (`initialize`)?
    fn is_unused_result(&self, word: usize) -> bool {
        let next = self.code.instruction(word + 1);
        self.body().gives_receiver && next.op() == Opcode::Return && next.a == self.code.instruction(word).a
    }

    /// The body that a `break` or `return` in the running block leaves; `None` if it is not in the unit, or if an
    /// `ensure` clause must run first.
    fn left_by(&self, opcode: Opcode, word: usize) -> Option<usize> {
        let number = match opcode {
            Opcode::Break if self.body().is_lambda => self.current(),
            Opcode::Break => self.called_with(self.body().home?, self.code)?,
            _ => self.left_by_return()?,
        };
        (!self.is_ensured(number, word)).then_some(number)
    }

    /// The method's body that a `return` in the running block leaves.
    fn left_by_return(&self) -> Option<usize> {
        let around = std::iter::successors(Some(self.current()), |number| self.bodies[*number].home);
        let is_left = |number: &usize| {
            let body = &self.bodies[*number];
            body.is_lambda || body.code.kind == CodeKind::Method
        };
        around.into_iter().find(is_left)
    }

    /// Is the running frame of the unit's code at a word or beyond it?
    pub fn has_reached(&self, word: usize) -> bool {
        word > 0 && self.code.word_of(self.cx.frame().pc) >= word
    }

    /// Is the running body the unit's own, and is the running frame that of a lambda?
    fn runs_as_lambda(&self) -> bool {
        self.current() == 0 && self.cx.frame().flags & LAMBDAS != 0
    }

    /// `break` or `return` in a block that was a lambda when it was compiled.
    fn leave_lambda(&mut self, word: usize, register: u16) {
        let own = self.own_frame();
        let flags = self.e.load32(own, offset_of!(Frame, flags));
        let is_lambda = self.e.and_constant(flags, u64::from(LAMBDAS));
        let (leaves, other) = (self.e.block(), self.e.cold_block());
        self.e.branch(is_lambda, leaves, other);
        let before = self.r.state();
        self.e.at(leaves);
        let v = self.read(register);
        self.leave_frame(v);
        self.r.restore(before);
        self.e.at(other);
        self.runtime(RuntimeCall::Instruction, word);
    }

    /// `break` or `return` in a block; false if control does not continue after it. If the target is not in the unit,
    /// frames are left as for an exception.
    fn leave_block(&mut self, word: usize, opcode: Opcode) -> bool {
        let register = self.code.instruction(word).a;
        match self.left_by(opcode, word) {
            Some(number) if opcode == Opcode::Break => self.leave_inlined(number, register),
            Some(number) => self.leave_body(number, register),
            None if self.runs_as_lambda() && !self.is_ensured(0, word) => {
                self.leave_lambda(word, register);
                return true;
            }
            None => {
                self.flush();
                let outcome = self.call_instruction(word);
                self.e.leave(outcome[0], outcome[1]);
            }
        }
        false
    }

    /// The body that the body `home` called with a literal block. That body may have passed the block on.
    pub fn called_with(&self, home: usize, block: &Code) -> Option<usize> {
        let is_passed = |number: &usize| match self.bodies[*number].block {
            Passed::Literal { home: by, code } => by == home && std::ptr::eq(code, block),
            _ => false,
        };
        (home + 1..self.bodies.len()).find(is_passed)
    }

    /// Does an `ensure` clause cover the present position of a body or of a body above it? The running body is at a
    /// word.
    pub fn is_ensured(&self, number: usize, word: usize) -> bool {
        let (above, below) = (&self.bodies[number + 1..], &self.bodies[number..]);
        let callers = above.iter().zip(below).filter_map(|(called, caller)| {
            let behind = called.frame.as_ref()?.caller_pc;
            Some((caller.code, caller.code.word_of(behind).saturating_sub(1)))
        });
        callers.chain(std::iter::once((self.code, word))).any(|(code, word)| {
            let covers = |handler: &Handler| (handler.from as usize..handler.to as usize).contains(&word);
            code.handlers().iter().any(|handler| handler.kind == HandlerKind::Ensure && covers(handler))
        })
    }

    /// A register's value.
    pub fn read(&mut self, register: u16) -> Ssa {
        self.r.read(&mut self.e, self.context, register)
    }

    pub fn write(&mut self, register: u16, v: Ssa, kind: Kind) {
        self.r.write(register, v, kind);
    }

    pub fn write_constant(&mut self, register: u16, v: Value) {
        let bits = self.e.constant(v.0);
        self.write(register, bits, Kind::Constant(v));
    }

    pub fn write_bool(&mut self, register: u16, condition: Ssa, when: bool) {
        let (yes, no) = (self.e.constant(Value::bool(when).0), self.e.constant(Value::bool(!when).0));
        let v = self.e.select(condition, yes, no);
        self.write(register, v, Kind::Any);
    }

    /// Goes to `otherwise` unless the value points to a cell.
    pub fn require_cell(&mut self, v: Ssa, otherwise: Block) {
        if !self.r.is_cell(v) {
            registers::require_cell(&mut self.e, v, otherwise);
        }
    }

    /// Brings the frame's registers in memory up to date.
    pub fn flush(&mut self) {
        self.r.flush(&mut self.e, self.context);
    }

    /// Discards what is known of registers: Ruby code ran that may have changed them.
    pub fn forget(&mut self) {
        self.r.forget();
    }

    /// The block of the exit that leaves the instruction at the word to the interpreter.
    pub fn exit(&mut self, word: usize) -> Block {
        self.exit_for(word, Reason::GuardFailed)
    }

    /// The value of an operand during the compilation.
    pub fn sample(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Register(register) => match self.r.sample(register) {
                Some(sample) => sample,
                // Other registers hold leftovers of earlier uses.
                None if self.current() == 0 && register < self.code.environment_slots => {
                    self.sample.get(register as usize).copied()
                }
                None => None,
            },
            Operand::Constant(v) => Some(v),
        }
    }

    /// The value of a register of the unit's frame during the compilation.
    pub fn sample_at(&self, at: u16) -> Option<Value> {
        self.sample.get(at as usize).copied()
    }

    /// Is the operand's double known?
    pub fn double_of(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.r.double(register).is_some())
    }

    /// Whether objects may stay virtual.
    pub fn can_have_virtual_objects(&self) -> bool {
        !self.cx.vm().observes_allocations
    }

    /// The same; if so, the code has such objects from now on, and does not run while all allocations are observed.
    pub fn begins_virtual_object(&mut self) -> bool {
        self.has_virtual_objects |= self.can_have_virtual_objects();
        self.has_virtual_objects
    }

    /// Records that the code compares a shape, whose number must not be reused. The class is not kept alive, because a
    /// singleton class keeps its object alive.
    pub fn compares_shape(&mut self, shape: u32) {
        if self.shapes.last() != Some(&shape) {
            self.shapes.push(shape);
        }
    }

    /// Keeps an inline cache's entry alive, because the code contains its address.
    pub fn keep_cache(&mut self, cache: CacheRef) {
        self.caches.push(cache);
    }

    /// Relies on the result of a lookup that was made before.
    pub fn rely_on_lookup(&mut self, class: Value, name: Sym) {
        if let Some(entry) = class::lookup::known(class, name) {
            class::lookup::rely(class, name);
            self.keep(class);
            self.lookups.push(KnownLookup { class: Kept(class), name, entry: Kept(entry) });
        }
    }

    /// Relies on the constant that a site has found.
    pub fn rely_on_constant(&mut self, site: &ConstantSite) {
        let (watch, version) = site.watched();
        watch.rely();
        self.constants.push((watch, version));
    }

    /// Keeps an object alive, because the code contains its address.
    pub fn keep(&mut self, v: Value) {
        self.objects.push(Kept(v));
    }

    /// Keeps the image of a frame; returns its address. Calls of one method from one place on have the same image.
    pub fn keep_image(&mut self, image: FrameImage) -> u64 {
        const MOST_COMPARED: usize = 64;
        if let Some(known) = self.images.iter().rev().take(MOST_COMPARED).find(|known| ***known == image) {
            return std::ptr::from_ref(&**known) as u64;
        }
        let image = Box::new(image);
        let address = std::ptr::from_ref(&*image) as u64;
        self.images.push(image);
        address
    }

    /// A scope as it is during the compilation; `None` if the frame that passes a block is not known.
    pub fn running_scope(&self, scope: OuterScope) -> Option<&Scope> {
        // SAFETY: the frame whose code is compiled is running; the scopes around it, and the frames that pass blocks to
        // them, are alive. A closure's scope is kept by the method that it belongs to, and the unit keeps that.
        unsafe {
            let start = match scope.start {
                Start::Unit => self.running,
                Start::Passer(depth) => &raw const (*(*Scope::out(self.running, depth)).block.frame()?).scope,
                Start::Closure(scope) => scope,
            };
            Some(&*Scope::out(start, scope.depth))
        }
    }

    /// The block that was passed to a scope that is not one of the unit's bodies.
    pub fn running_block(&self, scope: OuterScope) -> Option<BlockHandler> {
        self.running_scope(scope).map(|scope| scope.block)
    }

    /// Whether refinements may be active where the running body is written.
    pub fn may_be_refined(&self) -> bool {
        let is_own = || self.lexical_scope() == OuterScope::of_unit(0);
        self.cx.vm().refinements_used
            && match self.body().cref {
                Some(cref) => refinements::are_active_in(cref),
                None => !(self.is_unrefined && is_own()),
            }
    }

    /// Whether a refinement that may be active where the running body is written may have a method of that name.
    pub fn may_refine(&self, name: Sym) -> bool {
        self.may_be_refined() && self.cx.world().refined_names.contains(name)
    }

    /// Where refinements are used, but are not active in the unit's own code now: leaves the code at its entry if they
    /// are active in the frame that enters it. (The same code may run in two lexical scopes, one before `using`.)
    fn require_unrefined(&mut self) {
        // SAFETY: the frame whose code is compiled is running.
        let cref = unsafe { (*self.running).cref };
        self.is_unrefined = self.cx.vm().refinements_used && !refinements::are_active_in(cref);
        if !self.is_unrefined {
            return;
        }
        let (scoped, plain, leave) = (self.e.block(), self.e.block(), self.leave);
        let own = self.own_frame();
        let cref = self.e.load(own, offset_of!(Scope, cref));
        let is_plain = self.e.compare_constant(Condition::Equal, cref, Value::NIL.0);
        self.e.branch(is_plain, plain, scoped);
        self.e.at(scoped);
        let active = self.e.load(cref, 8 * cref::REFINEMENTS);
        let none = self.e.compare_constant(Condition::Equal, active, Value::NIL.0);
        self.e.require(none, leave);
        self.e.jump(plain, &[]);
        self.e.at(plain);
    }

    /// Sets the frame's `pc` to the word after the instruction at a word, where it is while the instruction runs Ruby.
    /// Pushes the frames of all bodies.
    pub fn save_behind(&mut self, word: usize) {
        self.push_frames(self.behind(word));
    }

    pub fn behind(&self, word: usize) -> usize {
        word + 1 + self.code.instruction(word).op().following_words().min(1)
    }

    /// The value of an outcome of the instruction at a word; leaves the code for any outcome but `Returned`. `pc` must
    /// be set, memory up to date, and the value in its register.
    pub fn value_of(&mut self, word: usize, outcome: &[Ssa]) -> Ssa {
        let value = self.value_if_returned(outcome);
        self.require_usable(word, true);
        value
    }

    /// The value of an outcome that is not in its register yet, or of a call that cannot have invalidated the code.
    pub fn value_if_returned(&mut self, outcome: &[Ssa]) -> Ssa {
        self.e.pass_on_unless_zero();
        outcome[0]
    }

    /// Leaves the code if the instruction at a word ran something that has invalidated the code or (if `takes_hold`)
    /// captured a frame. Validity is tested first, because the data of exits may be gone when the code is invalid.
    pub fn require_usable(&mut self, word: usize, takes_hold: bool) {
        self.require_current();
        if takes_hold {
            self.require_frames_free(word);
        }
    }

    /// Leaves the code if it is not valid any more; returns the block that does so. All frames must be as the
    /// interpreter expects.
    pub fn require_current(&mut self) -> Block {
        let leave = self.leave;
        self.require_current_or(leave);
        leave
    }

    /// Goes to `invalid` if the code is not valid any more.
    pub fn require_current_or(&mut self, invalid: Block) {
        let usable = self.e.constant(self.tier.usable_address() as u64);
        let usable = self.e.load32(usable, 0);
        let same = self.e.compare_constant(Condition::Equal, usable, u64::from(self.tier.next_compilation()));
        self.e.require(same, invalid);
    }

    /// The registers of the running body in memory.
    pub fn registers(&mut self) -> Ssa {
        match self.r.byte(0) {
            0 => self.r.base,
            byte => self.e.add_constant(self.r.base, byte as i64),
        }
    }

    /// Jumps always or never; false if control does not continue after it.
    fn jump_if(&mut self, always: bool, word: usize, distance: i32) -> bool {
        if always {
            let to = self.arrive(target(word, distance));
            self.e.jump(to, &[]);
        }
        !always
    }

    fn jump_on(&mut self, condition: Ssa, when: bool, word: usize, distance: i32) {
        let (to, next) = (self.arrive(target(word, distance)), self.e.block());
        let (then, otherwise) = if when { (to, next) } else { (next, to) };
        self.e.branch(condition, then, otherwise);
        self.e.at(next);
    }

    /// Leaves the frame with its result.
    fn leave_frame(&mut self, result: Ssa) {
        let environment = self.e.load(self.root, offset_of!(Frame, scope) + offset_of!(Scope, environment));
        let (open, closed) = (self.e.cold_block(), self.e.block());
        let none = match self.pushed {
            // It has none either if it is open, which its tag tells.
            0 => self.e.and_constant(environment, Value::NIL.0 | OpenFrames::TAG),
            _ => self.e.compare_constant(Condition::Equal, environment, Value::NIL.0),
        };
        self.e.branch(none, closed, open);
        self.e.at(open);
        // Variables that nothing else refers to need not be stored.
        self.flush();
        self.pop_frames(1);
        self.e.call(RuntimeCall::CloseEnvironment, &[self.context]);
        self.e.jump(closed, &[]);
        self.e.at(closed);
        let how = self.e.constant(How::Returned as u64);
        self.e.leave(result, how);
    }
}

/// Calls the runtime to execute the instruction at a word.
fn by_runtime(word: usize) -> impl FnOnce(&mut Translator) {
    move |t| t.runtime(RuntimeCall::Instruction, word)
}

/// The registers of a running frame.
fn sample_of(frame: &Frame) -> &[Value] {
    // SAFETY: a running frame has these registers.
    unsafe { std::slice::from_raw_parts(frame.scope.slots, frame.registers as usize) }
}

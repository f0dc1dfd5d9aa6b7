//! The bodies of a unit: the code that is compiled, and the code inlined in it.
//!
//! An inlined body has no frame until something may read it: a call of the runtime that may raise or run Ruby, or an
//! exit. `push_frames` pushes the frames in line, `pop_frames` pops them. Where control joins, all predecessors have
//! the same number of frames.

use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::mem::offset_of;
use std::rc::Rc;

use abi::{Frame, RuntimeCall, Scope, Value};
use bytecode::{Opcode, Operands};
use runtime::{
    Cx,
    code::{
        Code,
        exits::{self, Exit, Home, InlinedFrame, Reason},
        open_frames::OpenFrames,
        sites::JumpKey,
        tier::{Kept, Seen},
    },
    frame::{MOST_INLINED, MOST_INLINED_FRAMES},
};

use crate::{
    blocks, counters, instruction,
    ir::Condition,
    joins::Arrivals,
    liveness::{self, Liveness},
    loops::{self, Head},
    seam::{Block, Emitter, Ssa},
    translate::Translator,
    virtual_objects::Content,
};

/// How often a method is inlined in itself, and the most instructions that such a method may have. It may have no
/// blocks.
const MOST_RECURSIVE: usize = 2;
const LARGEST_RECURSIVE: usize = 20;
/// Frames that are pushed in line; more are pushed by the runtime.
const MOST_PUSHED_IN_LINE: usize = 2;

// The address of a frame is also that of its scope.
const _: () = assert!(offset_of!(Frame, scope) == 0);

/// A body while it is translated.
pub struct Body<'a> {
    pub code: &'a Code,
    /// The distance of its first register from the unit's first.
    pub offset: u16,
    /// Identifies the chain of calls that led to the body; 0 for the unit's own.
    pub path: u32,
    /// The contents of an inlined body's frame.
    pub frame: Option<Rc<InlinedFrame>>,
    /// The number of `frame` among the unit's inlined frames.
    pub number: Option<u32>,
    /// The number of the body around a block; `None` if this is no block or that body is not in the unit.
    pub home: Option<usize>,
    /// For an inlined block whose home is not in the unit: the scope from which the scope around the block is reached.
    pub outside: Option<Start>,
    pub block: Passed<'a>,
    /// The running method entry, if it is known.
    pub entry: Option<Value>,
    /// The lexical scope, if it is known.
    pub cref: Option<Value>,
    /// Is it a block that defines a method? Then `return` and `break` in the block leave it.
    pub is_lambda: bool,
    /// The block of each word that control can reach by a jump, and what is known there.
    labels: FxHashMap<usize, Label>,
    /// The targets of backward jumps.
    pub heads: BTreeMap<usize, Head>,
    /// Where the unit begins.
    pub first: Block,
    /// Which temporaries are still read at each word, if that is known.
    pub liveness: Option<Liveness>,
    /// How many bodies have frames at the heads of its loops.
    pub level: usize,
    /// Its result is the receiver (`initialize`).
    pub gives_receiver: bool,
    /// Where control continues after an inlined body; `None` for the unit's own.
    pub end: Option<End>,
}

/// The block that a body was passed.
#[derive(Clone, Copy)]
pub enum Passed<'a> {
    /// The block is not known at compile time: the frame has it.
    Unknown,
    None,
    /// A literal block of a body in the unit.
    Literal {
        home: usize,
        code: &'a Code,
    },
}

struct Label {
    block: Block,
    arrivals: Arrivals,
}

/// The continuation of an inlined body: control goes there, with the result, when the body is left.
pub struct End {
    pub block: Block,
    pub arrivals: Arrivals,
    pub sample: Option<Value>,
    /// The register of the calling body that receives the result.
    pub destination: u16,
}

/// Where the variables of a scope are.
pub enum Place {
    /// They are registers of the body with this number.
    Body(usize),
    Outer(OuterScope),
}

/// A scope that is not one of the unit's bodies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OuterScope {
    pub start: Start,
    /// The number of levels from `start` outwards.
    pub depth: usize,
}

/// The scope from which an outer scope is reached.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Start {
    /// The unit's own scope.
    Unit,
    /// The scope of a frame that passes a block: the block that was passed to the scope this many levels out of the
    /// unit's own.
    Passer(usize),
    /// A scope on the heap, around a block that defines a method.
    Closure(*const Scope),
}

impl OuterScope {
    /// The scope `depth` levels out of the unit's own; 0 is the unit's own.
    pub fn of_unit(depth: usize) -> OuterScope {
        OuterScope { start: Start::Unit, depth }
    }
}

impl<'a> Body<'a> {
    /// The body of the unit's own code, which can be entered at its first word and at the heads of loops.
    pub fn of_unit(e: &mut Emitter, code: &'a Code) -> Body<'a> {
        Body { level: 1, ..Body::new(e, code) }
    }

    /// The words after the first at which the unit can be entered, with their blocks.
    pub fn heads(&self) -> impl Iterator<Item = (usize, Block)> {
        self.heads.iter().filter(|(word, _)| **word != 0).map(|(word, head)| (*word, head.entry))
    }

    /// Is a register (given by its distance from the unit's first) a temporary that is not read from a word on?
    pub fn is_dead(&self, at: u16, word: usize) -> bool {
        let own = (self.offset..self.offset + self.code.registers).contains(&at);
        own && self.liveness.as_ref().is_some_and(|liveness| liveness.is_dead(word, at - self.offset))
    }

    pub fn new(e: &mut Emitter, code: &'a Code) -> Body<'a> {
        let (heads, targets) = leaders(code);
        let labels =
            targets.into_iter().map(|word| (word, Label { block: e.block(), arrivals: Arrivals::default() })).collect();
        let heads = heads.into_iter().map(|word| (word, Head::new(e))).collect();
        Body {
            code,
            offset: 0,
            path: 0,
            frame: None,
            number: None,
            home: None,
            outside: None,
            block: Passed::Unknown,
            entry: None,
            cref: None,
            is_lambda: false,
            labels,
            heads,
            first: e.block(),
            liveness: Liveness::of(code),
            level: 0,
            gives_receiver: false,
            end: None,
        }
    }
}

impl<'a> Translator<'a> {
    /// The body that is translated.
    pub fn body(&self) -> &Body<'a> {
        &self.bodies[self.current()]
    }

    /// Its number; the unit's own is 0.
    pub fn current(&self) -> usize {
        self.bodies.len() - 1
    }

    pub fn label(&self, word: usize) -> Option<Block> {
        self.body().labels.get(&word).map(|label| label.block)
    }

    /// The block to jump to in order to reach a label from here.
    pub fn arrive(&mut self, word: usize) -> Block {
        let current = self.current();
        if let Some(entry) = self.bodies[current].heads.get(&word).map(|head| head.entry) {
            self.flush();
            self.pop_frames(self.body().level);
            return entry;
        }
        // If the jump is not taken they may be read.
        let here = self.r.state();
        self.drop_dead(word);
        let arrival = self.arrival();
        self.r.restore(here);
        let Some(label) = self.bodies[current].labels.get_mut(&word) else {
            unreachable!("every target of a jump has a label")
        };
        label.arrivals.push(arrival)
    }

    /// Forgets temporaries that are not read from a word of the running body on.
    pub fn drop_dead(&mut self, word: usize) {
        let body = &self.bodies[self.bodies.len() - 1];
        self.r.drop_pending(|at| body.is_dead(at, word));
    }

    /// Continues at a label; false if control never reaches it.
    pub fn resume(&mut self, word: usize) -> bool {
        let current = self.current();
        let Some(label) = self.bodies[current].labels.get_mut(&word) else { unreachable!("asked for a label") };
        let (block, arrivals) = (label.block, std::mem::take(&mut label.arrivals));
        self.join(block, arrivals).is_some()
    }

    /// The address of a body's frame, whether it exists or not.
    pub fn frame_of(&mut self, number: usize) -> Ssa {
        match number {
            0 => self.root,
            _ => self.e.add_constant(self.root, -((number * size_of::<Frame>()) as i64)),
        }
    }

    /// The running body's.
    pub fn frame(&mut self) -> Ssa {
        self.frame_of(self.current())
    }

    /// The address of the unit's frame, which is written if it is open.
    pub fn own_frame(&mut self) -> Ssa {
        if self.pushed == 0 {
            let (open, written) = (self.e.block_like_this(), self.e.block_like_this());
            let environment = self.e.load(self.root, offset_of!(Scope, environment));
            let is_open = self.e.and_constant(environment, OpenFrames::TAG);
            self.e.branch(is_open, open, written);
            self.e.at(open);
            self.writes_own_frame |= !self.e.is_cold();
            self.e.write_own_frame();
            self.e.jump(written, &[]);
            self.e.at(written);
        }
        self.root
    }

    /// Pushes the frames of all bodies that have none, and sets the `pc` of the running one to a word. Memory is up to
    /// date afterwards.
    pub fn push_frames(&mut self, word: usize) {
        self.flush();
        // SAFETY: the word is one of the code, or the one behind its last.
        let pc = unsafe { self.code.start().add(word) } as u64;
        let pc = self.e.constant(pc);
        let first = self.pushed.max(1);
        let by_runtime =
            first < self.bodies.len() && (self.e.is_cold() || self.bodies.len() - first > MOST_PUSHED_IN_LINE);
        if !by_runtime {
            self.own_frame();
        }
        self.pushed = self.bodies.len();
        if first == self.pushed {
            let frame = self.frame();
            return self.e.store(pc, frame, offset_of!(Frame, pc));
        }
        if by_runtime {
            let top = self.inlined_frame(self.current());
            let [top, first] = [Rc::as_ptr(&top) as u64, first as u64].map(|word| self.e.constant(word));
            self.e.call(RuntimeCall::PushInlinedFrames, &[self.context, self.root, top, first, pc]);
            return;
        }
        for number in first..self.pushed {
            self.push_inlined(number);
        }
        self.set_running_frame(self.current());
        let frame = self.frame();
        self.e.store(pc, frame, offset_of!(Frame, pc));
    }

    /// For a call of compiled code or of a native method that is passed no frame of the unit: sets the `pc` of the
    /// running body. Frames that are not pushed stay open during the call (see [`Frame::open`]); returns their number,
    /// without the unit's own. Memory is up to date afterwards.
    pub fn open_frames(&mut self, word: usize) -> u32 {
        self.flush();
        let first = self.pushed.max(1);
        let below = self.frame_of(first - 1);
        // SAFETY: the word is one of the code, or the one behind its last.
        let pc = unsafe { self.code.start().add(word) };
        if first == self.bodies.len() {
            let pc = self.e.constant(pc as u64);
            self.e.store(pc, below, offset_of!(Frame, pc));
            return 0;
        }
        let open = Box::new(OpenFrames { top: self.inlined_frame(self.current()), first, pc });
        let tagged = self.e.constant(std::ptr::from_ref(&*open) as u64 | OpenFrames::TAG);
        self.e.store(tagged, below, offset_of!(Frame, pc));
        let count = open.count();
        self.open.push(open);
        count as u32
    }

    /// Makes a frame the running one.
    fn set_running_frame(&mut self, number: usize) {
        let frame = self.frame_of(number);
        self.e.store(frame, self.context, offset_of!(Cx, frame));
    }

    /// Pops the frame of a callee that has returned. If frames were open during the call, the one below these runs.
    pub fn pop_callee(&mut self) {
        self.set_running_frame(self.pushed.max(1) - 1);
    }

    /// [`Translator::require_usable`] behind a call during which frames may have been open.
    pub fn require_usable_behind(&mut self, word: usize, has_open: bool, takes_hold: bool) {
        match has_open {
            true => self.require_usable_behind_open(word, takes_hold),
            false => self.require_usable(word, takes_hold),
        }
    }

    /// Leaves the code if a call at a word during which frames were open has invalidated it, or (if `takes_hold`) has
    /// written the frames and captured one of them. Memory must be up to date, and results in their registers.
    fn require_usable_behind_open(&mut self, word: usize, takes_hold: bool) {
        let (invalid, next) = (self.e.cold_block(), self.e.block_like_this());
        self.require_current_or(invalid);
        let (below, top) = (self.pushed.max(1) - 1, self.current());
        if takes_hold {
            let written = self.e.cold_block();
            let frame = self.frame_of(below);
            let pc = self.e.load(frame, offset_of!(Frame, pc));
            let is_description = self.e.and_constant(pc, OpenFrames::TAG);
            self.e.branch(is_description, next, written);
            self.e.at(written);
            self.set_running_frame(top);
            self.require_frames_free(word);
            self.set_running_frame(below);
        }
        self.e.jump(next, &[]);
        self.e.at(invalid);
        let frame = self.frame_of(below);
        self.e.call(RuntimeCall::WriteOpenFrames, &[frame]);
        self.set_running_frame(top);
        let leave = self.leave;
        self.e.jump(leave, &[]);
        self.e.at(next);
    }

    fn inlined_frame(&self, number: usize) -> Rc<InlinedFrame> {
        let Some(frame) = &self.bodies[number].frame else { unreachable!("inlined bodies have a frame") };
        frame.clone()
    }

    /// Pushes the frame of an inlined body as [`InlinedFrame::push_frames`] does; the frames below it must exist.
    fn push_inlined(&mut self, number: usize) {
        let frame = self.inlined_frame(number);
        let below = self.frame_of(number - 1);
        let pc = self.e.constant(frame.caller_pc as u64);
        self.e.store(pc, below, offset_of!(Frame, pc));
        if !frame.caller_block.is_nil() {
            let block = self.e.constant(frame.caller_block.0);
            self.e.store(block, below, offset_of!(Frame, block_code));
        }
        let home = match frame.home {
            Home::None => None,
            Home::Inlined(number) => Some(self.frame_of(number)),
            Home::Passer(depth) => Some(self.outer_scope(OuterScope { start: Start::Passer(depth), depth: 0 })),
        };
        let (this, slots) = (self.frame_of(number), self.e.add_constant(self.r.base, 8 * frame.offset as i64));
        let passer = frame.passed_by.map(|by| self.frame_of(by));
        self.fill_frame(this, &raw const frame.image as u64, slots, home, passer);
    }

    /// Fills a frame with the words of the image at an address, the address of its registers, the scope around it if it
    /// is a block's, and the frame that passes it a literal block.
    pub fn fill_frame(&mut self, frame: Ssa, image: u64, slots: Ssa, home: Option<Ssa>, passer: Option<Ssa>) {
        let image = self.e.constant(image);
        self.e.copy_frame(image, frame);
        self.e.store(slots, frame, offset_of!(Scope, slots));
        if let Some(passer) = passer {
            // The handler of a literal block is the tagged address of the frame that passes the block.
            let handler = self.e.add_constant(passer, 1);
            self.e.store(handler, frame, offset_of!(Scope, block));
        }
        if let Some(home) = home {
            self.e.store(home, frame, offset_of!(Scope, outer));
            for place in [offset_of!(Scope, cref), offset_of!(Scope, entry)] {
                let v = self.e.load(home, place);
                self.e.store(v, frame, place);
            }
        }
    }

    /// Pops frames until `level` bodies have one. With 0 the unit's own frame stays, which may be open where control
    /// joins.
    pub fn pop_frames(&mut self, level: usize) {
        if self.pushed > level.max(1) {
            self.set_running_frame(level.max(1) - 1);
        }
        self.pushed = self.pushed.min(level);
    }

    /// Leaves the code if a call has captured an inlined body's frame, that is, moved its variables to the heap or set
    /// its `$~`. Neither may be lost. All frames must exist, memory must be up to date, `pc` set, and results in their
    /// registers.
    pub fn require_frames_free(&mut self, word: usize) {
        if self.bodies.len() == 1 {
            return;
        }
        let exit = self.exit_for(word, Reason::Captured);
        self.require_free(self.bodies.len(), exit);
    }

    /// Goes to `captured` if the frame of an inlined body below a number was captured.
    fn require_free(&mut self, end: usize, captured: Block) {
        for number in 1..end {
            let frame = self.frame_of(number);
            let environment = self.e.load(frame, offset_of!(Scope, environment));
            let special = self.e.load(frame, offset_of!(Scope, special));
            // They are equal only if both are nil.
            let free = self.e.compare(Condition::Equal, environment, special);
            self.e.require(free, captured);
        }
    }

    /// The block of the exit that continues at a word in the interpreter.
    pub fn exit_for(&mut self, word: usize, reason: Reason) -> Block {
        self.exit_with(word, exits::place(self.body().path, word), reason)
    }

    /// The block of the exit that continues at a word; `place` is where the exit is recorded.
    pub fn exit_with(&mut self, word: usize, place: u64, reason: Reason) -> Block {
        let exit = Exit { top: self.body().frame.clone(), word, place, reason };
        self.r.exit(&mut self.e, self.context, exit)
    }

    /// What earlier exits recorded of the instruction at a word. For an inlined body without records, those of the code
    /// object as a unit of its own.
    pub fn seen(&self, word: usize) -> Seen {
        match self.seen_at(self.body().path, word) {
            Seen(0) if self.current() > 0 => self.code.tier.seen(exits::place(0, word)),
            seen => seen,
        }
    }

    /// What earlier exits recorded of the instruction at a word of the body with a path.
    pub fn seen_at(&self, path: u32, word: usize) -> Seen {
        let place = exits::place(path, word);
        // In the last compilation nothing is expected. In a large code object this holds only for what has failed,
        // because most of it may not have run yet.
        let is_given_up =
            self.tier.is_last() && (!blocks::is_large(self.bodies[0].code) || self.tier.has_failed(place));
        if is_given_up { Seen::FAILED } else { self.tier.seen(place) }
    }

    /// Where the variables of the scope `depth` levels out are.
    pub fn place_of(&self, depth: usize) -> Place {
        let mut number = self.current();
        for left in (1..=depth).rev() {
            let body = &self.bodies[number];
            match (body.home, body.outside) {
                (Some(home), _) => number = home,
                (None, Some(start)) => return Place::Outer(OuterScope { start, depth: left - 1 }),
                (None, None) => return Place::Outer(OuterScope::of_unit(left)),
            }
        }
        Place::Body(number)
    }

    /// Where the scope is that a block was passed to, which for the unit's own body is in its frame.
    pub fn scope_of(&self, depth: usize) -> Place {
        match self.place_of(depth) {
            Place::Body(0) => Place::Outer(OuterScope::of_unit(0)),
            place => place,
        }
    }

    /// The block that was passed to the method around the running body, `depth` scopes out.
    pub fn block_passed(&self, depth: usize) -> Passed<'a> {
        match self.place_of(depth) {
            Place::Body(number) => self.bodies[number].block,
            Place::Outer(_) => Passed::Unknown,
        }
    }

    /// The scope in which the running body's lexical scope is found: the unit's own, or the scope around a block that
    /// was passed to the unit.
    pub fn lexical_scope(&self) -> OuterScope {
        let mut number = self.current();
        while let Some(home) = self.bodies[number].home {
            number = home;
        }
        OuterScope { start: self.bodies[number].outside.unwrap_or(Start::Unit), depth: 0 }
    }

    /// Forgets what a call with this window may have changed. The kinds of the temporaries below the window and of the
    /// variables of inlined bodies that passed no block are kept, because the callee cannot change them. `passer` is
    /// the body whose block the call passes. The block changes variables of the bodies around it, and may call the
    /// blocks that were passed to these.
    pub fn forget_call(&mut self, window: u16, passer: Option<usize>) {
        let end = self.r.at(window);
        let mut open = vec![false; self.bodies.len()];
        open[0] = true;
        let mut reached: Vec<usize> = passer.into_iter().collect();
        while let Some(number) = reached.pop() {
            let body = &self.bodies[number];
            let passed_by = match body.block {
                Passed::Literal { home, .. } => Some(home),
                Passed::Unknown | Passed::None => None,
            };
            open[number] = true;
            reached.extend([body.home, passed_by].into_iter().flatten().filter(|number| !open[*number]));
        }
        let changed: Vec<std::ops::Range<usize>> = self
            .bodies
            .iter()
            .zip(open)
            .filter(|(_, is_open)| *is_open)
            .map(|(body, _)| (body.offset as usize, body.code.environment_slots as usize))
            // Self stays the same.
            .map(|(offset, count)| offset + 1..offset + count.max(1))
            .collect();
        self.r.forget_clobbered(|at| at < end && !changed.iter().any(|range| range.contains(&at)));
    }

    /// The path of a body that is inlined at a word, for the site's entry number `n`.
    pub fn path_to(&self, word: usize, n: usize) -> u32 {
        let step = (word as u32).wrapping_mul(4).wrapping_add(n as u32 + 1).wrapping_mul(0x9e37_79b1);
        (self.body().path.rotate_left(5) ^ step).max(1)
    }

    /// May the code be inlined at a word, with its registers from `offset` on? Not if the recursion is too deep, if the
    /// unit gets too large, if trace points are set in the code, or if it contains instructions that only the
    /// interpreter executes and that were reached.
    pub fn may_inline(&self, code: &Code, word: usize, path: u32, offset: usize, most: usize) -> bool {
        // A block of the method that calls the method again is recursion, too.
        let is_same = |body: &&Body| {
            let own = body.code.own.get();
            std::ptr::eq(body.code, code) || code.children.iter().any(|child| child.get() == own)
        };
        let depth = self.bodies.iter().filter(is_same).count();
        let size = counters::size_of(code);
        let is_small = size <= LARGEST_RECURSIVE && code.children.is_empty();
        // If methods that call each other in a circle were inlined repeatedly, the innermost call would push the frames
        // of all.
        let calls_itself = std::ptr::eq(self.code, code);
        let recursion_fits = depth == 0 || depth <= MOST_RECURSIVE && is_small && calls_itself;
        let registers = self.bodies[0].code.registers as usize;
        let fits = self.bodies.len() < MOST_INLINED_FRAMES
            && size <= most
            && self.size + size <= self.limits.unit
            && offset + code.registers as usize <= registers + MOST_INLINED;
        let call = exits::place(self.body().path, word);
        fits && recursion_fits
            && !self.tier.is_last()
            && !code.is_traced()
            && !self.tier.seen(call).has(Seen::CAPTURED)
            && !self.was_left_for_good(code, path)
    }

    /// Does the unit exit for a block that it was not compiled for? Iterators of the Ruby half do not, because large
    /// programs pass them ever new blocks; long loops continue in copies of them (see [`crate::block_copies`]).
    pub fn learns_blocks(&self) -> bool {
        !self.bodies[0].code.internal && self.tier.learns_blocks()
    }

    /// Did the body with a path exit at an instruction that is never compiled?
    fn was_left_for_good(&self, code: &Code, path: u32) -> bool {
        let left = |word: &usize| self.tier.seen(exits::place(path, *word)).has(Seen::REACHED);
        let words = 0..code.instructions.len();
        words.filter(left).any(|word| instruction::is_for_the_interpreter(code.instruction(word).op()))
    }

    /// Translates an inlined body, whose arguments are in its registers; its other registers are set to nil.
    /// Translation continues after the call, with the result in the call's destination.
    pub fn inline(&mut self, mut body: Body<'a>, given: usize, end: End) {
        let (code, outer) = (std::mem::replace(&mut self.code, body.code), self.r.offset);
        self.r.offset = body.offset;
        self.inlined.push(Kept(body.code.own.get()));
        self.reach = self.reach.max(body.offset + body.code.registers);
        // Machine code refers to the contents of the frame by address.
        body.number = Some(self.frames.len() as u32);
        self.frames.extend(body.frame.clone());
        self.size += counters::size_of(body.code);
        body.end = Some(end);
        self.bodies.push(body);
        for register in 1 + given as u16..self.code.environment_slots {
            self.write_constant(register, Value::NIL);
        }
        let current = self.current();
        if loops::need_frames(self) {
            self.push_frames(0);
        }
        self.bodies[current].level = self.pushed;
        self.translate_body();
        let Some(Body { end: Some(end), offset, .. }) = self.bodies.pop() else { unreachable!("pushed just now") };
        self.code = code;
        self.r.offset = outer;
        if self.join(end.block, end.arrivals).is_none() {
            // The body never returns: it always raises or exits.
            self.e.at(end.block);
            self.pushed = self.pushed.min(self.bodies.len());
            self.r.begin();
        }
        self.r.drop_samples(offset as usize);
        self.r.guess(end.destination, end.sample);
    }

    /// Leaves an inlined body with a result.
    pub fn leave_inlined(&mut self, number: usize, from: u16) {
        let result = self.r.content(&mut self.e, self.context, from);
        self.leave_inlined_with(number, result);
    }

    /// Leaves an inlined body, and the bodies above it, with a result.
    pub fn leave_inlined_with(&mut self, number: usize, result: Content) {
        let Some(end) = &self.bodies[number].end else { unreachable!("inlined bodies have an end") };
        let (destination, first) = (end.destination, self.bodies[number].offset);
        let own = std::mem::replace(&mut self.r.offset, self.bodies[number - 1].offset);
        // The contents of its registers are not needed any more; the window of the call, where the result may go,
        // begins with them.
        self.r.drop_body(first as usize);
        // The guess at the body's own register stays: the rest of the body is yet to be translated.
        let guess = self.r.sample(destination);
        self.r.put(destination, result);
        self.r.set_sample(destination, guess);
        self.r.offset = own;
        let arrival = self.arrival();
        let Some(end) = &mut self.bodies[number].end else { unreachable!("inlined bodies have an end") };
        if end.sample.is_none() || result.sample.is_some_and(Value::truthy) {
            end.sample = result.sample;
        }
        let edge = end.arrivals.push(arrival);
        self.e.jump(edge, &[]);
    }

    /// Leaves an inlined body with the result of a call. The frame of the body below must be the running one, and
    /// memory up to date.
    pub fn leave_behind_call(&mut self, number: usize, v: Ssa) {
        let Some(end) = &self.bodies[number].end else { unreachable!("inlined bodies have an end") };
        let to = self.bodies[number - 1].offset + end.destination;
        self.e.store(v, self.r.base, 8 * usize::from(to));
        let leave = self.require_current();
        self.require_free(number, leave);
        self.leave_inlined_with(number, Content::of_value(v));
    }
}

/// The targets of backward jumps, and the targets of all jumps.
fn leaders(code: &Code) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let (mut heads, mut targets) = (BTreeSet::new(), BTreeSet::new());
    let mut word = 0;
    while word < code.instructions.len() {
        let is_loop = code.instruction(word).op() == Opcode::Loop;
        for to in jump_targets(code, word) {
            targets.insert(to);
            if is_loop || to <= word {
                heads.insert(to);
            }
        }
        word = liveness::next(code, word);
    }
    (heads, targets)
}

/// Where the instruction at a word may jump to.
pub fn jump_targets(code: &Code, word: usize) -> Vec<usize> {
    let i = code.instruction(word);
    match i.op().operands() {
        Operands::Jump | Operands::AJump => vec![target(word, i.bc())],
        Operands::AbJump | Operands::AIntJump => vec![target(word, i.c as i16 as i32)],
        _ if i.op() == Opcode::JumpTable => {
            table_targets(code, i.c as usize).into_iter().map(|(_, word)| word).collect()
        }
        _ => Vec::new(),
    }
}

/// The literals of a `case`, as bits, with the words that it jumps to for them, in the order of the words. The code
/// keeps the literals alive.
pub fn table_targets(code: &Code, literal: usize) -> Vec<(u64, usize)> {
    let Some(table) = code.jump_tables().iter().find(|table| table.literal == literal) else { return Vec::new() };
    let mut targets: Vec<(u64, usize)> =
        table.targets.iter().map(|(JumpKey(key), word)| (key.0, *word as usize)).collect();
    targets.sort_by_key(|(key, word)| (*word, *key));
    targets
}

/// The target of a jump.
pub fn target(word: usize, distance: i32) -> usize {
    (word as i64 + 1 + distance as i64) as usize
}

//! What is known about the registers of the frame while code is translated.
//!
//! A result is stored in memory only when something may read it there: at a call, at a join, at an exit. Until then it
//! is *pending*. Within loops registers are carried from one turn to the next as values (`loops`).
//!
//! The registers of inlined bodies are where those of a callee would be: in the window of the call. This module
//! identifies a register by its distance from the first register of the unit's frame; the code of a body numbers its
//! registers from its own first.

use abi::Value;
use runtime::code::exits::{Exit, MOST_MADE};

use crate::{
    floats,
    ir::{Condition, ExitState},
    known_words::KnownWord,
    seam::{Block, Emitter, Ssa},
    virtual_objects::{self, Content, Objects},
};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    #[default]
    Any,
    Fixnum,
    /// A Float that is an immediate.
    Flonum,
    /// The address of an object's cell.
    Cell,
    /// An object of this shape. Known until a call that may change the object; then it is a `Cell`.
    Shape(u32),
    Constant(Value),
}

impl Kind {
    pub fn is_fixnum(self) -> bool {
        self == Kind::Fixnum || matches!(self, Kind::Constant(v) if v.is_fixnum())
    }

    pub fn is_flonum(self) -> bool {
        self == Kind::Flonum || matches!(self, Kind::Constant(v) if v.is_flonum())
    }

    pub fn is_immediate(self) -> bool {
        match self {
            Kind::Fixnum | Kind::Flonum => true,
            Kind::Constant(v) => v.is_immediate(),
            Kind::Any | Kind::Cell | Kind::Shape(_) => false,
        }
    }

    pub fn is_cell(self) -> bool {
        match self {
            Kind::Cell | Kind::Shape(_) => true,
            Kind::Constant(v) => v.is_heap(),
            Kind::Any | Kind::Fixnum | Kind::Flonum => false,
        }
    }

    /// A guess at a value of this kind.
    pub fn typical(self) -> Option<Value> {
        match self {
            Kind::Constant(v) => Some(v),
            Kind::Fixnum => Some(Value::fixnum(0)),
            _ => None,
        }
    }

    /// What is known of a value that is of this kind or of the other kind.
    pub fn or(self, other: Kind) -> Kind {
        if self == other {
            return self;
        }
        let of = |kind: Kind| match kind {
            kind if kind.is_fixnum() => Kind::Fixnum,
            kind if kind.is_flonum() => Kind::Flonum,
            kind if kind.is_cell() => Kind::Cell,
            Kind::Constant(_) => Kind::Any,
            kind => kind,
        };
        if of(self) == of(other) { of(self) } else { Kind::Any }
    }
}

/// What is known of the contents of a register in the current block.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct Held {
    pub value: Option<Ssa>,
    pub double: Option<Ssa>,
    /// An object that is not made; then neither its value nor its double is known, and its kind is its shape.
    pub object: Option<virtual_objects::Id>,
    pub kind: Kind,
}

/// What is known of all registers at a place.
#[derive(Clone, Default)]
pub struct State {
    held: Vec<Held>,
    pending: Vec<u16>,
    pub objects: Objects,
    pub words: Vec<KnownWord>,
}

pub struct Registers {
    /// The frame's registers in memory.
    pub base: Ssa,
    /// The distance of the first register of the body that is translated.
    pub offset: u16,
    pub held: Vec<Held>,
    /// Guesses at the contents of registers, derived from the frame that runs during the compilation. The outer `None`:
    /// the register was not set; the inner `None`: there is no guess.
    samples: Vec<Option<Option<Value>>>,
    /// Registers that are not stored yet, in the order in which they were set.
    pub pending: Vec<u16>,
    /// The objects that are not made. Only pending registers hold them, and the words of others.
    pub objects: Objects,
    pub last_object: virtual_objects::Id,
    /// What words of other objects hold.
    pub words: Vec<KnownWord>,
    /// The exits by number, with their blocks and stores.
    exits: Vec<KnownExit>,
}

/// An exit that was created before.
struct KnownExit {
    exit: Exit,
    block: Block,
    state: ExitState,
}

impl State {
    pub fn held_at(&self, at: u16) -> Held {
        self.held.get(at as usize).copied().unwrap_or_default()
    }

    pub fn pending(&self) -> &[u16] {
        &self.pending
    }

    /// The number of registers of which something may be known.
    pub fn len(&self) -> usize {
        self.held.len()
    }
}

impl Registers {
    pub fn new(base: Ssa) -> Registers {
        Registers {
            base,
            offset: 0,
            held: Vec::new(),
            samples: Vec::new(),
            pending: Vec::new(),
            objects: Objects::default(),
            last_object: 0,
            words: Vec::new(),
            exits: Vec::new(),
        }
    }

    /// A register's distance from the frame's first.
    pub fn at(&self, register: u16) -> usize {
        self.offset as usize + register as usize
    }

    /// The offset of a register in memory, in bytes from the frame's first.
    pub fn byte(&self, register: u16) -> usize {
        8 * self.at(register)
    }

    /// What is known of a register, given by its distance from the frame's first.
    fn entry_at(&mut self, at: usize) -> &mut Held {
        if at >= self.held.len() {
            self.held.resize(at + 1, Held::default());
        }
        &mut self.held[at]
    }

    fn held(&mut self, register: u16) -> &mut Held {
        self.entry_at(self.at(register))
    }

    fn known(&self, register: u16) -> Held {
        self.held_at(self.at(register) as u16)
    }

    /// A register's value.
    pub fn read(&mut self, e: &mut Emitter, context: Ssa, register: u16) -> Ssa {
        self.read_at(e, context, self.at(register))
    }

    /// The value of a register by its distance from the frame's first.
    pub fn read_at(&mut self, e: &mut Emitter, context: Ssa, at: usize) -> Ssa {
        let held = self.held_at(at as u16);
        if let Some(v) = held.value {
            return v;
        }
        if let Some(object) = held.object {
            return self.make(e, context, object);
        }
        let v = match (held.double, held.kind) {
            (Some(double), _) => floats::encode(e, context, double),
            (None, Kind::Constant(v)) => e.constant(v.0),
            _ => e.load(self.base, 8 * at),
        };
        self.entry_at(at).value = Some(v);
        v
    }

    /// Whether a register holds another value than undef, if that is known.
    pub fn is_given(&self, register: u16) -> Option<bool> {
        match self.kind(register) {
            Kind::Constant(v) => Some(!v.is_undef()),
            kind => (kind.is_fixnum() || self.double(register).is_some()).then_some(true),
        }
    }

    /// The double of a register, if it was computed or unboxed before.
    pub fn double(&self, register: u16) -> Option<Ssa> {
        self.known(register).double
    }

    pub fn kind(&self, register: u16) -> Kind {
        self.known(register).kind
    }

    pub fn learn(&mut self, register: u16, kind: Kind) {
        self.held(register).kind = kind;
        self.learn_of_words(self.known(register).value, |held| held.kind = kind);
    }

    /// Records the shape of the object in a register, which all registers with the same value have, too: a receiver is
    /// mostly the copy of a variable, which calls other methods next.
    pub fn learn_shape(&mut self, register: u16, shape: u32) {
        self.learn(register, Kind::Shape(shape));
        let Some(value) = self.known(register).value else { return };
        for held in
            self.held.iter_mut().filter(|held| held.value == Some(value) && matches!(held.kind, Kind::Any | Kind::Cell))
        {
            held.kind = Kind::Shape(shape);
        }
    }

    pub fn learn_double(&mut self, register: u16, double: Ssa) {
        self.held(register).double = Some(double);
        self.learn_of_words(self.known(register).value, |held| held.double = Some(double));
    }

    /// Sets a register; the store follows later.
    pub fn write(&mut self, register: u16, v: Ssa, kind: Kind) {
        self.note(register, v, kind);
        self.pending.push(self.at(register) as u16);
    }

    /// Records the contents of a register that is already stored.
    pub fn note(&mut self, register: u16, v: Ssa, kind: Kind) {
        let at = self.at(register) as u16;
        self.pending.retain(|pending| *pending != at);
        *self.held(register) = Held { value: Some(v), kind, ..Held::default() };
        self.guess(register, kind.typical());
    }

    /// Sets a register to a Float; boxing and the store follow later.
    pub fn write_double(&mut self, register: u16, double: Ssa) {
        let at = self.at(register) as u16;
        self.pending.retain(|pending| *pending != at);
        self.pending.push(at);
        // The kind is unknown because a result may be out of the flonums' range.
        *self.held(register) = Held { double: Some(double), ..Held::default() };
        self.guess(register, Value::try_flonum(1.0));
    }

    /// The guess at the contents of a register; the outer `None` if the register was not set.
    pub fn sample(&self, register: u16) -> Option<Option<Value>> {
        self.samples.get(self.at(register)).copied().flatten()
    }

    /// The kind of a value that a register holds, and the guess at it.
    pub fn known_of(&self, v: Ssa) -> (Kind, Option<Option<Value>>) {
        let holds = |held: &Held| held.value == Some(v);
        match self.held.iter().position(holds) {
            Some(at) => (self.held[at].kind, self.samples.get(at).copied().flatten()),
            None => (Kind::Any, None),
        }
    }

    /// Records a guess at the contents of a register.
    pub fn guess(&mut self, register: u16, sample: Option<Value>) {
        self.set_sample(register, Some(sample));
    }

    /// Sets the guess to what [`Registers::sample`] returned.
    pub fn set_sample(&mut self, register: u16, sample: Option<Option<Value>>) {
        let at = self.at(register);
        if at >= self.samples.len() {
            self.samples.resize(at + 1, None);
        }
        self.samples[at] = sample;
    }

    /// Copies the contents of one register to another, with what is known of them.
    pub fn copy(&mut self, e: &mut Emitter, context: Ssa, from: u16, to: u16) {
        let content = self.content(e, context, from);
        self.put(to, content);
    }

    /// The contents of a register, with what is known of them. A double stays unboxed until it is stored; an object
    /// stays virtual.
    pub fn content(&mut self, e: &mut Emitter, context: Ssa, register: u16) -> Content {
        let held = self.known(register);
        let is_pending = self.pending.contains(&(self.at(register) as u16));
        if held.double.is_some() && is_pending {
            return Content { held, sample: Value::try_flonum(1.0) };
        }
        let sample = self.sample(register).unwrap_or(held.kind.typical());
        if held.object.is_some() {
            return Content { held, sample };
        }
        let value = Some(self.read(e, context, register));
        Content { held: Held { value, ..held }, sample }
    }

    /// Sets a register to what another place held; the store follows later.
    pub fn put(&mut self, register: u16, content: Content) {
        let content = self.objects.present(content);
        let at = self.at(register) as u16;
        self.pending.retain(|pending| *pending != at);
        self.pending.push(at);
        *self.held(register) = content.held;
        self.guess(register, content.sample);
    }

    /// Stores all pending registers.
    pub fn flush(&mut self, e: &mut Emitter, context: Ssa) {
        self.flush_but(e, context, |_| false);
    }

    /// The number of pending registers.
    pub fn pending_count(&self) -> usize {
        self.pending.len()
    }

    /// Stores the pending registers, except for those that `stays` selects.
    pub fn flush_but(&mut self, e: &mut Emitter, context: Ssa, stays: impl Fn(u16) -> bool) {
        let (stay, go): (Vec<u16>, Vec<u16>) = std::mem::take(&mut self.pending).into_iter().partition(|r| stays(*r));
        for at in go.into_iter().map(usize::from) {
            let v = self.read_at(e, context, at);
            e.store(v, self.base, 8 * at);
        }
        self.pending = stay;
    }

    /// Discards what is known of registers. Memory must be up to date.
    pub fn forget(&mut self) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        self.held.clear();
        self.objects.clear();
        self.words.clear();
    }

    /// Starts a block in which nothing is known.
    pub fn begin(&mut self) {
        self.held.clear();
        self.pending.clear();
        self.objects.clear();
        self.words.clear();
    }

    /// Discards pending registers that are not read any more.
    pub fn drop_pending(&mut self, is_dead: impl Fn(u16) -> bool) {
        let held = &mut self.held;
        self.pending.retain(|at| {
            let dead = is_dead(*at);
            if dead {
                held[*at as usize] = Held::default();
            }
            !dead
        });
    }

    /// The registers of which something is known, by their distances from the frame's first.
    pub fn known_registers(&self) -> Vec<u16> {
        let is_known = |held: &Held| *held != Held::default();
        (0..self.held.len() as u16).filter(|at| is_known(&self.held[*at as usize])).collect()
    }

    /// Discards the registers of a body that is left, from its first on; they are not read any more.
    pub fn drop_body(&mut self, first: usize) {
        self.held.truncate(first);
        self.pending.retain(|register| (*register as usize) < first);
    }

    /// Discards guesses for the unit's registers below `end`, so that the running frame is used instead.
    pub fn drop_samples_below(&mut self, end: usize) {
        self.samples.iter_mut().take(end).for_each(|sample| *sample = None);
    }

    /// Discards guesses for the registers from one on.
    pub fn drop_samples(&mut self, first: usize) {
        self.samples.truncate(first);
    }

    /// Discards what a call may have changed: shapes of objects, and registers. The kinds of registers for which
    /// `keeps` is true (given their distance from the frame's first) stay known.
    pub fn forget_clobbered(&mut self, keeps: impl Fn(usize) -> bool) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        self.words.clear();
        for (at, held) in self.held.iter_mut().enumerate() {
            let kind = match held.kind {
                Kind::Shape(_) => Kind::Cell,
                kind => kind,
            };
            *held = Held { kind: if keeps(at) { kind } else { Kind::Any }, ..Held::default() };
        }
    }

    /// Discards values but not their kinds: after something that allocates, reading a cell's address again is better
    /// than keeping it in a machine register.
    pub fn forget_values(&mut self) {
        for (at, held) in self.held.iter_mut().enumerate() {
            if !self.pending.contains(&(at as u16)) {
                held.value = None;
            }
        }
    }

    /// Discards shapes: something ran that may have changed objects.
    pub fn forget_shapes(&mut self) {
        self.forget_shapes_of_words();
        for held in &mut self.held {
            // Nothing but the translated code changes an object that is not made.
            if matches!(held.kind, Kind::Shape(_)) && held.object.is_none() {
                held.kind = Kind::Cell;
            }
        }
    }

    pub fn state(&self) -> State {
        State {
            held: self.held.clone(),
            pending: self.pending.clone(),
            objects: self.objects.clone(),
            words: self.words.clone(),
        }
    }

    pub fn restore(&mut self, state: State) {
        (self.held, self.pending, self.objects, self.words) = (state.held, state.pending, state.objects, state.words);
    }

    /// What is known of a register, given by its distance from the frame's first.
    pub fn held_at(&self, at: u16) -> Held {
        self.held.get(at as usize).copied().unwrap_or_default()
    }

    /// Records what is known of a register, given by its distance from the frame's first; `is_pending`: it is not
    /// stored yet.
    pub fn set_held(&mut self, at: u16, held: Held, is_pending: bool) {
        *self.entry_at(at as usize) = held;
        if is_pending {
            self.pending.push(at);
        }
    }

    /// Is the value, the contents of a register, known to point to a cell?
    pub fn is_cell(&self, v: Ssa) -> bool {
        self.held.iter().any(|held| held.value == Some(v) && held.kind.is_cell())
    }

    /// The block of the exit, which stores the pending registers.
    pub fn exit(&mut self, e: &mut Emitter, context: Ssa, exit: Exit) -> Block {
        let mut objects = self.objects_of_pending();
        while objects.len() > MOST_MADE {
            self.make(e, context, objects[0]);
            objects = self.objects_of_pending();
        }
        let made = self.made_by_exit(e, &objects);
        let mut state = ExitState { made, ..ExitState::default() };
        for register in &self.pending {
            let held = self.held[*register as usize];
            let v = match (held.value, held.double, held.kind, held.object) {
                (Some(v), ..) | (None, Some(v), ..) => v,
                (.., Some(object)) => {
                    let number = objects.iter().position(|known| *known == object);
                    state.objects.extend(number.map(|number| (*register, number as u8)));
                    continue;
                }
                (_, _, Kind::Constant(v), _) => e.constant(v.0),
                _ => unreachable!("what is pending is known"),
            };
            state.stores.push((*register, v));
        }
        let same = |known: &&KnownExit| {
            let asked = (exit.place, exit.word, exit.reason);
            (known.exit.place, known.exit.word, known.exit.reason) == asked && known.state == state
        };
        // The same exit is mostly asked for again by the same instruction.
        if let Some(known) = self.exits.iter().rev().take(4).find(same) {
            return known.block;
        }
        let (block, number) = e.exit_block(state.clone());
        debug_assert_eq!(number as usize, self.exits.len());
        self.exits.push(KnownExit { exit, block, state });
        block
    }

    /// The exits, by their numbers.
    pub fn take_exits(&mut self) -> Vec<Exit> {
        std::mem::take(&mut self.exits).into_iter().map(|known| known.exit).collect()
    }
}

/// Goes to `otherwise` unless the value points to a cell.
pub fn require_cell(e: &mut Emitter, v: Ssa, otherwise: Block) {
    let tag = e.and_constant(v, 7);
    let aligned = e.compare_constant(Condition::Equal, tag, 0);
    e.require(aligned, otherwise);
    let not_false = e.compare_constant(Condition::NotEqual, v, 0);
    e.require(not_false, otherwise);
}

//! What the registers of the frame hold while code is translated, and the exits that put it all back into memory.
//!
//! Memory is up to date at each instruction but for doubles: a Float that was just computed is boxed when something may
//! look at it, which for most never happens.
//!
//! Inlined bodies have their registers where a callee's lie: in the window of the call. All are known here by their
//! distance from the frame's first; a body names its own from its first on.

use abi::Value;
use runtime::code::exits::Exit;

use crate::{
    floats,
    ir::Condition,
    seam::{Block, Emitter, Ssa},
};

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    #[default]
    Any,
    Fixnum,
    /// A Float that is an immediate.
    Flonum,
    /// An object of this shape, until something runs that may change it.
    Shape(u32),
    Constant(Value),
}

impl Kind {
    /// What is known of a value that is of this kind or of the other.
    pub fn or(self, other: Kind) -> Kind {
        if self == other {
            return self;
        }
        let of = |kind: Kind| match kind {
            Kind::Constant(v) if v.is_fixnum() => Kind::Fixnum,
            Kind::Constant(v) if v.is_flonum() => Kind::Flonum,
            Kind::Constant(_) => Kind::Any,
            kind => kind,
        };
        if of(self) == of(other) { of(self) } else { Kind::Any }
    }
}

/// What a register holds, as far as it is known in the current block.
#[derive(Clone, Copy, Default)]
struct Held {
    value: Option<Ssa>,
    double: Option<Ssa>,
    kind: Kind,
}

/// What registers hold where control comes from several places: what all of them know. Memory is up to date.
#[derive(Clone, Default)]
pub struct Known(Vec<Held>);

pub struct Registers {
    /// The frame's registers in memory.
    pub base: Ssa,
    /// The first register of the body that is translated.
    pub offset: u16,
    held: Vec<Held>,
    /// What registers that were set might hold, by what the frame that runs while the code is compiled holds. `None`:
    /// none was set; within: anything.
    samples: Vec<Option<Option<Value>>>,
    /// Registers whose doubles are not in memory, in the order in which they were computed.
    pending: Vec<u16>,
    /// Exits by their number, with their blocks and what they store.
    exits: Vec<KnownExit>,
}

/// An exit that was asked for.
struct KnownExit {
    exit: Exit,
    block: Block,
    stores: Vec<(u16, Ssa)>,
}

impl Registers {
    pub fn new(base: Ssa) -> Registers {
        Registers { base, offset: 0, held: Vec::new(), samples: Vec::new(), pending: Vec::new(), exits: Vec::new() }
    }

    /// A register's distance from the frame's first.
    pub fn at(&self, register: u16) -> usize {
        self.offset as usize + register as usize
    }

    /// Its place in memory, in bytes from the frame's first.
    pub fn byte(&self, register: u16) -> usize {
        8 * self.at(register)
    }

    fn held(&mut self, register: u16) -> &mut Held {
        let at = self.at(register);
        if at >= self.held.len() {
            self.held.resize(at + 1, Held::default());
        }
        &mut self.held[at]
    }

    fn known(&self, register: u16) -> Held {
        self.held.get(self.at(register)).copied().unwrap_or_default()
    }

    /// A register's value.
    pub fn read(&mut self, e: &mut Emitter, context: Ssa, register: u16) -> Ssa {
        let held = self.known(register);
        if let Some(v) = held.value {
            return v;
        }
        let v = match (held.double, held.kind) {
            (Some(double), _) => floats::encode(e, context, double),
            (None, Kind::Constant(v)) => e.constant(v.0),
            _ => e.load(self.base, self.byte(register)),
        };
        self.held(register).value = Some(v);
        v
    }

    /// Its double, if it was computed or taken out of a value before.
    pub fn double(&self, register: u16) -> Option<Ssa> {
        self.known(register).double
    }

    pub fn kind(&self, register: u16) -> Kind {
        self.known(register).kind
    }

    pub fn learn(&mut self, register: u16, kind: Kind) {
        self.held(register).kind = kind;
    }

    pub fn learn_double(&mut self, register: u16, double: Ssa) {
        self.held(register).double = Some(double);
    }

    /// Sets a register.
    pub fn write(&mut self, e: &mut Emitter, register: u16, v: Ssa, kind: Kind) {
        e.store(v, self.base, self.byte(register));
        self.note(register, v, kind);
    }

    /// Notes what a register holds, where it was stored already.
    pub fn note(&mut self, register: u16, v: Ssa, kind: Kind) {
        let at = self.at(register) as u16;
        self.pending.retain(|pending| *pending != at);
        *self.held(register) = Held { value: Some(v), double: None, kind };
        let sample = match kind {
            Kind::Constant(v) => Some(v),
            Kind::Fixnum => Some(Value::fixnum(0)),
            _ => None,
        };
        self.guess(register, sample);
    }

    /// Sets a register to a Float, which is boxed and stored later.
    pub fn write_double(&mut self, register: u16, double: Ssa) {
        let at = self.at(register) as u16;
        self.pending.retain(|pending| *pending != at);
        self.pending.push(at);
        // A result may be out of the flonums' range.
        *self.held(register) = Held { value: None, double: Some(double), kind: Kind::Any };
        self.guess(register, Value::try_flonum(1.0));
    }

    /// What a register that was set might hold; `None` if none was set.
    pub fn sample(&self, register: u16) -> Option<Option<Value>> {
        self.samples.get(self.at(register)).copied().flatten()
    }

    /// Notes what a register might hold.
    pub fn guess(&mut self, register: u16, sample: Option<Value>) {
        let at = self.at(register);
        if at >= self.samples.len() {
            self.samples.resize(at + 1, None);
        }
        self.samples[at] = Some(sample);
    }

    /// Copies what one register holds to another.
    pub fn copy(&mut self, e: &mut Emitter, context: Ssa, from: u16, to: u16) {
        let held = self.known(from);
        if let Some(double) = held.double
            && self.pending.contains(&(self.at(from) as u16))
        {
            return self.write_double(to, double);
        }
        let v = self.read(e, context, from);
        self.write(e, to, v, held.kind);
        if let Some(sample) = self.sample(from) {
            self.guess(to, sample);
        }
        if let Some(double) = held.double {
            self.learn_double(to, double);
        }
    }

    /// Brings memory up to date.
    pub fn flush(&mut self, e: &mut Emitter, context: Ssa) {
        let offset = std::mem::take(&mut self.offset);
        for register in std::mem::take(&mut self.pending) {
            let v = self.read(e, context, register);
            e.store(v, self.base, 8 * register as usize);
        }
        self.offset = offset;
    }

    /// Forgets what registers hold. Memory is up to date.
    pub fn forget(&mut self) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        self.held.clear();
    }

    /// Forgets the registers of a body that was left, from its first on; nobody reads them any more.
    pub fn drop_body(&mut self, first: usize) {
        self.held.truncate(first);
        self.samples.truncate(first);
        self.pending.retain(|register| (*register as usize) < first);
    }

    /// Forgets what a call may have changed: objects, and registers but for those that `keeps` names by their distance
    /// from the frame's first, whose kinds stay known.
    pub fn forget_clobbered(&mut self, keeps: impl Fn(usize) -> bool) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        for (at, held) in self.held.iter_mut().enumerate() {
            let kind = match held.kind {
                Kind::Shape(_) => Kind::Any,
                kind => kind,
            };
            *held = Held { value: None, double: None, kind: if keeps(at) { kind } else { Kind::Any } };
        }
    }

    /// Forgets values but not what they are: something ran that allocates, and a cell's address is better read again
    /// than kept.
    pub fn forget_values(&mut self) {
        for held in &mut self.held {
            held.value = None;
        }
    }

    /// Notes that a register holds a value of the kind that is known of it.
    pub fn hold(&mut self, register: u16, v: Ssa) {
        let held = self.held(register);
        (held.value, held.double) = (Some(v), None);
    }

    /// Forgets shapes: something ran that may have changed objects.
    pub fn forget_shapes(&mut self) {
        for held in &mut self.held {
            if matches!(held.kind, Kind::Shape(_)) {
                held.kind = Kind::Any;
            }
        }
    }

    /// What is known now, for a place where control arrives. Memory is up to date.
    pub fn snapshot(&self) -> Known {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        Known(self.held.clone())
    }

    /// Notes that control arrives at a place with what is known now.
    pub fn arrive(&self, known: &mut Option<Known>) {
        let Some(known) = known else {
            *known = Some(self.snapshot());
            return;
        };
        known.0.truncate(self.held.len());
        for (there, here) in known.0.iter_mut().zip(&self.held) {
            there.value = there.value.filter(|v| here.value == Some(*v));
            there.double = there.double.filter(|v| here.double == Some(*v));
            there.kind = there.kind.or(here.kind);
        }
    }

    /// Goes on with what is known at a place.
    pub fn resume(&mut self, known: Known) {
        self.held = known.0;
    }

    /// The block that goes back to the interpreter by the exit, which stores what is not in memory.
    pub fn exit(&mut self, e: &mut Emitter, exit: Exit) -> Block {
        let double = |register: &u16| Some((*register, self.held.get(*register as usize)?.double?));
        let pending: Vec<(u16, Ssa)> = self.pending.iter().filter_map(double).collect();
        let same = |known: &&KnownExit| {
            let asked = (exit.place, exit.word, exit.reason);
            (known.exit.place, known.exit.word, known.exit.reason) == asked && known.stores == pending
        };
        // Most are asked for again by the same instruction.
        if let Some(known) = self.exits.iter().rev().take(4).find(same) {
            return known.block;
        }
        let (block, number) = e.exit_block(pending.clone());
        debug_assert_eq!(number as usize, self.exits.len());
        self.exits.push(KnownExit { exit, block, stores: pending });
        block
    }

    /// The exits, by their numbers.
    pub fn take_exits(&mut self) -> Vec<Exit> {
        std::mem::take(&mut self.exits).into_iter().map(|known| known.exit).collect()
    }
}

/// Goes to `otherwise` unless the value points to a cell.
pub fn require_heap(e: &mut Emitter, v: Ssa, otherwise: Block) {
    let tag = e.and_constant(v, 7);
    let aligned = e.compare_constant(Condition::Equal, tag, 0);
    e.require(aligned, otherwise);
    let not_false = e.compare_constant(Condition::NotEqual, v, 0);
    e.require(not_false, otherwise);
}

//! What the registers of the frame hold while code is translated, and the exits that put it all back into memory.
//!
//! Memory is up to date at each instruction but for doubles: a Float that was just computed is boxed when something may
//! look at it, which for most never happens.

use std::collections::HashMap;

use abi::{RuntimeCall, Value};
use cranelift_codegen::ir::condcodes::IntCC;
use runtime::code::tier::How;

use crate::{
    floats,
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

/// What a register holds, as far as it is known in the current block.
#[derive(Clone, Copy, Default)]
struct Held {
    value: Option<Ssa>,
    double: Option<Ssa>,
    kind: Kind,
    /// The register in memory is out of date: `double` must be stored.
    is_pending: bool,
}

pub struct Registers {
    /// The frame's registers in memory.
    pub base: Ssa,
    held: HashMap<u16, Held>,
    /// What registers that were set might hold, by what the frame that runs while the code is compiled holds. `None`:
    /// anything.
    samples: HashMap<u16, Option<Value>>,
    /// Registers whose doubles are not in memory, in the order in which they were computed.
    pending: Vec<u16>,
    exits: Vec<Exit>,
}

/// Gives control back at a word.
struct Exit {
    block: Block,
    word: usize,
    /// On purpose, not because the instruction cannot be done.
    is_forced: bool,
    pending: Vec<(u16, Ssa)>,
}

impl Registers {
    pub fn new(base: Ssa) -> Registers {
        Registers { base, held: HashMap::new(), samples: HashMap::new(), pending: Vec::new(), exits: Vec::new() }
    }

    /// A register's value.
    pub fn read(&mut self, e: &mut Emitter, context: Ssa, register: u16) -> Ssa {
        let held = self.held.entry(register).or_default();
        if let Some(v) = held.value {
            return v;
        }
        let v = match (held.double, held.kind) {
            (Some(double), _) => floats::encode(e, context, double),
            (None, Kind::Constant(v)) => e.constant(v.0),
            _ => e.load(self.base, 8 * register as usize),
        };
        held.value = Some(v);
        v
    }

    /// Its double, if it was computed or taken out of a value before.
    pub fn double(&self, register: u16) -> Option<Ssa> {
        self.held.get(&register)?.double
    }

    pub fn kind(&self, register: u16) -> Kind {
        self.held.get(&register).map_or(Kind::Any, |held| held.kind)
    }

    pub fn learn(&mut self, register: u16, kind: Kind) {
        self.held.entry(register).or_default().kind = kind;
    }

    pub fn learn_double(&mut self, register: u16, double: Ssa) {
        self.held.entry(register).or_default().double = Some(double);
    }

    /// Sets a register.
    pub fn write(&mut self, e: &mut Emitter, register: u16, v: Ssa, kind: Kind) {
        e.store(v, self.base, 8 * register as usize);
        self.note(register, v, kind);
    }

    /// Notes what a register holds, where it was stored already.
    pub fn note(&mut self, register: u16, v: Ssa, kind: Kind) {
        self.pending.retain(|pending| *pending != register);
        self.held.insert(register, Held { value: Some(v), double: None, kind, is_pending: false });
        let sample = match kind {
            Kind::Constant(v) => Some(v),
            Kind::Fixnum => Some(Value::fixnum(0)),
            _ => None,
        };
        self.samples.insert(register, sample);
    }

    /// Sets a register to a Float, which is boxed and stored later.
    pub fn write_double(&mut self, register: u16, double: Ssa) {
        self.pending.retain(|pending| *pending != register);
        self.pending.push(register);
        // A result may be out of the flonums' range.
        self.held.insert(register, Held { value: None, double: Some(double), kind: Kind::Any, is_pending: true });
        self.samples.insert(register, Value::try_flonum(1.0));
    }

    /// What a register that was set might hold; `None` if none was set.
    pub fn sample(&self, register: u16) -> Option<Option<Value>> {
        self.samples.get(&register).copied()
    }

    /// Notes what a register might hold.
    pub fn guess(&mut self, register: u16, sample: Option<Value>) {
        self.samples.insert(register, sample);
    }

    /// Copies what one register holds to another.
    pub fn copy(&mut self, e: &mut Emitter, context: Ssa, from: u16, to: u16) {
        match self.held.get(&from).copied() {
            Some(Held { double: Some(double), is_pending: true, .. }) => self.write_double(to, double),
            held => {
                let v = self.read(e, context, from);
                let held = held.unwrap_or_default();
                self.write(e, to, v, held.kind);
                if let Some(sample) = self.sample(from) {
                    self.guess(to, sample);
                }
                if let Some(double) = held.double {
                    self.learn_double(to, double);
                }
            }
        }
    }

    /// Brings memory up to date.
    pub fn flush(&mut self, e: &mut Emitter, context: Ssa) {
        for register in std::mem::take(&mut self.pending) {
            let v = self.read(e, context, register);
            e.store(v, self.base, 8 * register as usize);
            self.held.entry(register).or_default().is_pending = false;
        }
    }

    /// Forgets what registers hold. Memory is up to date.
    pub fn forget(&mut self) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        self.held.clear();
    }

    /// Forgets what a call may have changed: the variables, objects, and the registers from the call's window on. What
    /// is kept are the kinds of the registers between these.
    pub fn forget_clobbered(&mut self, variables: u16, window: u16) {
        debug_assert!(self.pending.is_empty(), "what is not in memory would be lost");
        self.held.retain(|register, held| {
            held.value = None;
            held.double = None;
            (variables..window).contains(register) && !matches!(held.kind, Kind::Shape(_))
        });
    }

    /// Forgets shapes: something ran that may have changed objects.
    pub fn forget_shapes(&mut self) {
        for held in self.held.values_mut() {
            if matches!(held.kind, Kind::Shape(_)) {
                held.kind = Kind::Any;
            }
        }
    }

    /// Where to go if the instruction at the word must be left to the interpreter; `is_forced`: on purpose.
    pub fn exit(&mut self, e: &mut Emitter, word: usize, is_forced: bool) -> Block {
        let pending: Vec<(u16, Ssa)> =
            self.pending.iter().filter_map(|register| Some((*register, self.double(*register)?))).collect();
        let same = |exit: &&Exit| exit.word == word && exit.is_forced == is_forced && exit.pending == pending;
        if let Some(exit) = self.exits.iter().find(same) {
            return exit.block;
        }
        let block = e.cold_block();
        self.exits.push(Exit { block, word, is_forced, pending });
        block
    }

    /// Writes the exits that were asked for.
    pub fn write_exits(&mut self, e: &mut Emitter, context: Ssa) {
        let (ordinary, forced) = (Common::new(e), Common::new(e));
        for exit in std::mem::take(&mut self.exits) {
            e.at(exit.block);
            for (register, double) in exit.pending {
                let v = floats::encode(e, context, double);
                e.store(v, self.base, 8 * register as usize);
            }
            let at = e.constant(exit.word as u64);
            e.jump(if exit.is_forced { forced.block } else { ordinary.block }, &[at]);
        }
        ordinary.write(e, context, RuntimeCall::Exit);
        forced.write(e, context, RuntimeCall::ForcedExit);
    }
}

/// What all exits of a kind end in.
struct Common {
    block: Block,
    word: Ssa,
}

impl Common {
    fn new(e: &mut Emitter) -> Common {
        let (block, word) = e.join();
        e.builder.set_cold_block(block);
        Common { block, word }
    }

    fn write(self, e: &mut Emitter, context: Ssa, call: RuntimeCall) {
        e.at(self.block);
        e.call(call, &[context, self.word]);
        let (value, how) = (e.constant(Value::UNDEF.0), e.constant(How::Exited as u64));
        e.leave(&[value, how]);
    }
}

/// Goes to `otherwise` unless the value points to a cell.
pub fn require_heap(e: &mut Emitter, v: Ssa, otherwise: Block) {
    let tag = e.and_constant(v, 7);
    let aligned = e.compare_constant(IntCC::Equal, tag, 0);
    e.require(aligned, otherwise);
    let not_false = e.compare_constant(IntCC::NotEqual, v, 0);
    e.require(not_false, otherwise);
}

//! The state of Ractors, see `concurrency::ractor`.

use abi::Value;
use heap::Trace;
use object::native::{self, NativeData};

use super::{cx::Cx, named_roots::Root};

/// How a Ractor ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Exited,
    /// By an exception.
    Aborted,
}

#[derive(Trace)]
pub struct RactorState {
    pub id: u64,
    /// A String or nil.
    pub name: Value,
    /// The source position of Ractor.new, for inspect.
    pub place: String,
    /// The Thread that runs its block.
    pub main_thread: Value,
    pub default_port: Value,
    /// The ports to notify of its end, an Array.
    pub monitors: Value,
    #[trace(skip)]
    pub outcome: Option<Outcome>,
    /// The result of its block, or the exception that ended it.
    pub value: Value,
    /// The Ractor that first requested the value, or nil; no other Ractor receives it.
    pub successor: Value,
    /// Ractor-locals, a Hash or nil, and the Mutex that `store_if_absent` holds.
    pub locals: Value,
    pub locals_mutex: Value,
    /// `$stdin`, `$stdout` and `$stderr`, made when they are first used.
    pub streams: [Value; 3],
    /// The generator of Kernel#rand, or nil.
    pub random: Value,
    pub verbose: Option<bool>,
    pub debug: bool,
    pub next_port: u64,
}

impl NativeData for RactorState {
    object::one_vtable!(RactorState);

    fn type_name(&self) -> &'static str {
        "ractor"
    }
}

/// The state of a Ractor, to change.
pub fn state(cx: &mut Cx, ractor: Value) -> &mut RactorState {
    native::get_mut::<RactorState>(cx, ractor).expect("a Ractor holds its state")
}

/// The state of a Ractor.
pub fn get(v: &Value) -> Option<&RactorState> {
    native::get::<RactorState>(v)
}

/// The root with the Array of live Ractors, the main one first.
pub const LIVING: Root = Root::Ractors;
/// The root with the main Ractor.
pub const MAIN: Root = Root::MainRactor;

/// The main Ractor.
pub fn main(cx: &Cx) -> Value {
    cx.root(MAIN)
}

/// The main thread of the running Ractor.
pub fn main_thread(cx: &Cx) -> Value {
    match get(&cx.ractor) {
        Some(own) => own.main_thread,
        None => cx.root(crate::Root::MainThread),
    }
}

impl Cx {
    /// `$VERBOSE`, which is local to each Ractor.
    pub fn verbose(&self) -> Option<bool> {
        if self.isolated { get(&self.ractor).map_or(Some(false), |own| own.verbose) } else { self.vm().options.verbose }
    }

    /// `$DEBUG`, per Ractor.
    pub fn debug(&self) -> bool {
        if self.isolated { get(&self.ractor).is_some_and(|own| own.debug) } else { self.vm().options.debug }
    }

    pub fn set_verbose(&mut self, to: Option<bool>) {
        if self.isolated {
            let own = self.ractor;
            state(self, own).verbose = to;
        } else {
            self.vm_mut().options.verbose = to;
        }
    }

    pub fn set_debug(&mut self, to: bool) {
        if self.isolated {
            let own = self.ractor;
            state(self, own).debug = to;
        } else {
            self.vm_mut().options.debug = to;
        }
    }
}

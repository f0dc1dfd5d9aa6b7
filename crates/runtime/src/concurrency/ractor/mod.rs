//! Ractors: threads that share only immutable objects. Like all threads they take turns under the global lock.
//!
//! - `port`: message queues; `ending`: the end of a Ractor, and its monitors; `access`: the restrictions of Ractors
//!   other than the main one.

pub mod access;
mod ending;
pub mod port;

use abi::Value;
use heap::Trace;
use object::{
    array::Arr,
    native::{self, NativeData},
};

pub use ending::{end_threads, finish, forget_others, is_main_thread};

use super::thread::{ThreadStatus, state as thread_state};
use crate::{Cx, make};

/// The root with the Array of live Ractors, the main one first.
const LIVING: crate::Root = crate::Root::Ractors;
/// The root with the main Ractor.
const MAIN: crate::Root = crate::Root::MainRactor;

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
    fn type_name(&self) -> &'static str {
        "ractor"
    }
}

/// A Ractor object of a class, not started; every Ractor may refer to it.
pub fn new(cx: &mut Cx, class: Value) -> Value {
    let id = cx.vm().last_ractor_id + 1;
    cx.vm_mut().last_ractor_id = id;
    let monitors = make::array(cx, &[]);
    let (verbose, debug) = (cx.verbose(), cx.debug());
    let own = RactorState {
        id,
        name: Value::NIL,
        place: String::new(),
        main_thread: Value::NIL,
        default_port: Value::NIL,
        monitors,
        outcome: None,
        value: Value::NIL,
        successor: Value::NIL,
        locals: Value::NIL,
        locals_mutex: Value::NIL,
        streams: [Value::NIL; 3],
        random: Value::NIL,
        verbose,
        debug,
        next_port: 0,
    };
    let ractor = native::new(cx, class, Box::new(own));
    object::cell::set_header(ractor, object::cell::header(ractor).with(abi::Flags::SHAREABLE));
    let port = port::new(cx, cx.vm().ractor_port_class.0, ractor);
    state(cx, ractor).default_port = port;
    ractor
}

/// Creates the main Ractor, which owns all threads that no other Ractor started.
pub fn make_main(cx: &mut Cx, class: Value) {
    let main = new(cx, class);
    let thread = cx.thread;
    thread_state(cx, thread).ractor = main;
    state(cx, main).main_thread = thread;
    cx.ractor = main;
    cx.set_root(MAIN, main);
    add_living(cx, main);
}

/// The state of a Ractor, to change.
pub fn state(cx: &mut Cx, ractor: Value) -> &mut RactorState {
    native::get_mut::<RactorState>(cx, ractor).expect("a Ractor holds its state")
}

/// The state of a Ractor.
pub fn get(v: &Value) -> Option<&RactorState> {
    native::get::<RactorState>(v)
}

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

pub fn add_living(cx: &mut Cx, ractor: Value) {
    let living = cx.root(LIVING);
    let living = if living.is_nil() { make::array(cx, &[]) } else { living };
    cx.set_root(LIVING, living);
    make::push(cx, living, ractor);
}

/// The number of live Ractors.
pub fn count(cx: &Cx) -> usize {
    Arr::of(cx.root(LIVING)).len()
}

/// "running", "blocking" (all its threads wait) or "terminated".
pub fn status(cx: &mut Cx, ractor: Value) -> &'static str {
    if state(cx, ractor).outcome.is_some() {
        return "terminated";
    }
    let threads = cx.root(crate::Root::Threads);
    if threads.is_nil() || ractor == cx.ractor {
        return "running";
    }
    let mut i = 0;
    while let Some(thread) = Arr::of(threads).get(i) {
        let own = thread_state(cx, thread);
        if own.ractor == ractor && own.status == ThreadStatus::Runnable {
            return "running";
        }
        i += 1;
    }
    "blocking"
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

/// Runs `body` as the main Ractor: code run by `require` and autoload belongs to the program, whichever Ractor
/// triggered it.
pub fn as_main<T>(cx: &mut Cx, body: impl FnOnce(&mut Cx) -> T) -> T {
    if !cx.isolated {
        return body(cx);
    }
    let own = cx.ractor;
    cx.isolated = false;
    cx.ractor = main(cx);
    let result = body(cx);
    cx.ractor = own;
    cx.isolated = true;
    result
}

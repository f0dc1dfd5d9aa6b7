//! Ractors: threads that share only immutable objects. Like all threads they take turns under the global lock.
//!
//! - `port`: message queues; `ending`: the end of a Ractor, and its monitors; `access`: the restrictions of Ractors
//!   other than the main one.

mod ending;
pub mod port;

use abi::Value;
use object::{array::Arr, native};

pub use ending::{end_threads, finish, forget_others, is_main_thread};

use super::thread_state::{ThreadStatus, state as thread_state};
pub use crate::state::ractor::{Outcome, RactorState, get, main, main_thread, state};
use crate::{
    Cx, make,
    state::ractor::{LIVING, MAIN},
};

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

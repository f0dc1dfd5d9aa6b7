//! `--verify-facts`: checks the facts of native methods' rows at each call. A wrong fact ends the program.

use std::{
    cell::RefCell,
    collections::{HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

use abi::{Type, Value};
use object::{array::Arr, cell, class, hash::HashRef, string::Str};

use crate::{Cx, R, literal_arguments, method_table::Method, special, trace::VERIFY_FACTS, window::Window};

/// The exit status of a program in which a wrong fact was found.
const STATUS: i32 = 70;

/// A search for a borrowed argument takes as long as a full marking, so it is done at the first calls of each row, then
/// rarely.
const FIRST_CALLS: u32 = 3;
const THEN_EACH: u32 = 509;

thread_local! {
    /// Calls with lent arguments by the address of their row.
    static CALLS: RefCell<HashMap<usize, u32>> = RefCell::new(HashMap::new());
}

/// Turns the checks on.
pub fn turn_on(cx: &mut Cx) {
    cx.vm_mut().trace_events |= VERIFY_FACTS;
}

/// Runs a native method, whose frame is the running one, and checks the facts of its row. `lent`: the bits of arguments
/// that are Strings created for this call.
pub fn watch(
    cx: &mut Cx,
    row: &'static Method,
    window: Window,
    count: usize,
    lent: u16,
    run: impl FnOnce(&mut Cx) -> R,
) -> R {
    let lent_before: Vec<Lent> = (0..16).filter(|n| lent & (1 << n) != 0).map(|n| Lent::new(window, n)).collect();
    let entered = cx.entered;
    let before = row.facts.pure.then(|| state_of(cx, window, count));
    let result = run(cx);
    if let Ok(v) = result {
        if (row.facts.leaf || row.facts.needs_no_frame(count)) && cx.entered != entered {
            report(row, "is no leaf: it ran Ruby code");
        }
        if let Some(known) = row.facts.returns
            && !v.is_undef()
            && class::real_class(cx, v) != cx.class(known)
        {
            let got = crate::error::class_name_of(cx, v);
            let wanted = crate::naming::class_name(cx, cx.class(known));
            report(row, &format!("returned an instance of {got}, not of {wanted}"));
        }
        if before.is_some_and(|before| before != state_of(cx, window, count)) {
            report(row, "is not pure: its receiver, an argument, $~ or $! changed");
        }
    }
    for lent in &lent_before {
        lent.check(cx, row, window, result.as_ref().ok().copied());
    }
    result
}

/// A String that was created for the call in place of a literal. Once it is out of the window, only the native stack
/// keeps it alive, which a search does not scan.
struct Lent {
    word: usize,
    string: Value,
    bytes: Vec<u8>,
    flags: u32,
}

impl Lent {
    fn new(window: Window, n: u32) -> Lent {
        let word = if n == 15 { 0 } else { 1 + n as usize };
        let string = window.get(word);
        Lent { word, string, bytes: Str::of(string).to_vector(), flags: visible_flags(string) }
    }

    fn check(&self, cx: &mut Cx, row: &'static Method, window: Window, result: Option<Value>) {
        let which = if self.word == 0 { "its receiver".into() } else { format!("argument {}", self.word - 1) };
        if Str::of(self.string).bytes(cx) != self.bytes.as_slice() || visible_flags(self.string) != self.flags {
            report(row, &format!("changed {which}, which it borrows"));
        }
        if result == Some(self.string) {
            report(row, &format!("returned {which}, which it borrows"));
        }
        let calls = CALLS.with_borrow_mut(|calls| {
            let calls = calls.entry(std::ptr::from_ref(row) as usize).or_insert(0);
            *calls += 1;
            *calls
        });
        if calls > FIRST_CALLS && !calls.is_multiple_of(THEN_EACH) {
            return;
        }
        // A method to which it was lent in turn is still using it.
        if literal_arguments::times_lent(cx, self.string) > 1 {
            return;
        }
        // Only the native stack keeps the result alive, and the result may refer to the String.
        window.set(self.word, Value::NIL);
        let made = std::mem::replace(&mut cx.frame_mut().scope.special, Value::NIL);
        let held = cx.is_held(self.string, result.unwrap_or(Value::NIL));
        cx.frame_mut().scope.special = made;
        window.set(self.word, self.string);
        if held {
            report(row, &format!("keeps {which}, which it borrows"));
        }
    }
}

/// The encoding and the frozen flag, but no flags that a read may set.
fn visible_flags(v: Value) -> u32 {
    Str::of(v).encoding().index() as u32 | (cell::frozen(v) as u32) << 16
}

/// A digest of the state that a pure method must not change: receiver and arguments, one level deep, `$~` and `$!`.
fn state_of(cx: &Cx, window: Window, count: usize) -> u64 {
    let mut state = DefaultHasher::new();
    for word in 0..=count {
        let v = window.get(word);
        v.0.hash(&mut state);
        if cell::is(v, Type::String) {
            (Str::of(v).bytes(cx), visible_flags(v)).hash(&mut state);
        } else if cell::is(v, Type::Array) {
            Arr::of(v).iter().for_each(|element| element.0.hash(&mut state));
        } else if cell::is(v, Type::Hash) {
            HashRef::of(v).entries().for_each(|(key, value)| (key.0, value.0).hash(&mut state));
        }
    }
    cx.error_info.0.hash(&mut state);
    special::last_match(cx).0.hash(&mut state);
    state.finish()
}

fn report(row: &Method, what: &str) {
    host::tell_line!("beni: wrong fact: `{}` {what}", row.signature);
    std::process::exit(STATUS);
}

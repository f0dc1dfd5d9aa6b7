//! What the error of a deadlock says about the threads that wait for each other.

use abi::Value;
use object::array::Arr;

use super::thread_state::{ThreadStatus, frames, state};
use crate::{
    Cx, R, backtrace, call,
    error::{self, OrRaise},
    state::ractor,
};

/// The message: every thread of the Ractor, what it waits for and where. This thread waits for a change of `about`.
///
/// # Errors
/// An exception of a program's own `inspect`; NoMemoryError.
pub fn message(cx: &mut Cx, about: Value) -> R<String> {
    let (own, main, threads) = (cx.thread, ractor::main_thread(cx), living(cx)?);
    let count = Arr::of(threads).len();
    let mut text = format!(
        "No live threads left. Deadlock?\n{count} threads, {count} sleeps current:0x{:016x} main thread:0x{:016x}\n",
        own.0, main.0
    );
    let before = (state(cx, own).status, state(cx, own).waits_for_others);
    (state(cx, own).status, state(cx, own).waits_for_others) = (ThreadStatus::Sleeping, true);
    let described = (0..count).try_for_each(|i| {
        let thread = Arr::of(threads).at(i);
        let about = if thread == own { about } else { awaited(cx, thread) };
        describe(cx, thread, about, &mut text)
    });
    (state(cx, own).status, state(cx, own).waits_for_others) = before;
    described.map(|()| text)
}

/// The living threads of the running Ractor, as an Array.
fn living(cx: &mut Cx) -> R {
    let (own, ractor, threads) = (cx.thread, cx.ractor, cx.root(crate::Root::Threads));
    if threads.is_nil() {
        return Ok(crate::make::array(cx, &[own]));
    }
    let found = Arr::empty(cx);
    let mut i = 0;
    while let Some(thread) = Arr::of(threads).get(i) {
        let s = state(cx, thread);
        if s.ractor == ractor && s.is_alive() {
            found.push(cx, thread).or_raise(cx)?;
        }
        i += 1;
    }
    Ok(found.value())
}

/// The object for whose change a sleeping thread waits.
fn awaited(cx: &mut Cx, thread: Value) -> Value {
    let context = state(cx, thread).context;
    cx.parking().about(context).unwrap_or(Value::NIL)
}

fn describe(cx: &mut Cx, thread: Value, about: Value, text: &mut String) -> R<()> {
    let shown = call::inspect_text(cx, thread)?;
    text.push_str(&format!("* {shown}\n"));
    if about.is_heap() && about != thread {
        text.push_str(&format!("   waits for #<{}:0x{:016x}>\n", error::class_name_of(cx, about), about.0));
    }
    let trace = backtrace::capture_of(cx, 0, usize::MAX, |cx| frames(cx, thread));
    let lines = backtrace::to_array(cx, trace);
    for line in Arr::of(lines).iter().filter_map(object::string::Str::from_value) {
        text.push_str(&format!("   {}\n", line.to_text()));
    }
    Ok(())
}

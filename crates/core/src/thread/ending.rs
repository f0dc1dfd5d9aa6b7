//! Exceptions that end a thread, and termination of all threads at exit.

use memory::Grow;
use object::array::Arr;
use runtime::{
    Cx, R, Value, call,
    concurrency::{parking, pending, ractor, thread::state},
    convert,
    error::{self, ErrorClass},
    make,
    unwind::Unwinding,
};

/// Handles an exception that ends a thread: reports it, or raises it in the main thread.
pub fn failed(cx: &mut Cx, thread: Value, exception: Value) {
    let main = ractor::main_thread(cx);
    if error::is_error(cx, exception, ErrorClass::SystemExit) {
        // For a Ractor's main thread, the exception ends the Ractor.
        if main != thread {
            pending::raise_in(cx, main, exception);
        }
        return;
    }
    let own = state(cx, thread);
    let (aborts, reports) = (own.abort_on_exception, own.report_on_exception);
    let aborts = aborts || cx.root(runtime::Root::ThreadAbortOnException).truthy() || cx.debug();
    if reports && report(cx, thread, exception).is_err() {
        cx.unwinding = Unwinding::none();
    }
    if aborts && main != thread {
        pending::raise_in(cx, main, exception);
    }
}

fn report(cx: &mut Cx, thread: Value, exception: Value) -> R<()> {
    let shown = call::send(cx, thread, runtime::sym::INSPECT, &[])?;
    let mut text = convert::to_s(cx, shown)?.to_vector();
    text.append_slice(b" terminated with exception (report_on_exception is true):\n");
    text.extend(crate::exception::report::last_words(cx, exception));
    let text = make::string(cx, &text, text::encoding::EncodingId::UTF_8);
    crate::kernel::output::write_line_to(cx, "$stderr", text)
}

/// Kills every thread but this one at the end of the program, so that their ensure clauses run.
pub fn terminate_all(cx: &mut Cx) {
    let own = cx.thread;
    let threads = super::living(cx);
    if Arr::of(threads).len() < 2 {
        return;
    }
    let mut i = 0;
    while let Some(thread) = Arr::of(threads).get(i) {
        if thread != own {
            pending::raise_in(cx, thread, Value::NIL);
        }
        i += 1;
    }
    // Nothing may be raised here: the main fiber blocks.
    let _ = parking::wait_uninterrupted(cx, Value::NIL, |cx| {
        Arr::of(threads).iter().all(|thread| thread == own || !state(cx, thread).is_alive())
    });
}

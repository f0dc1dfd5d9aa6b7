//! The output at the end of a program: uncaught errors, crashes, statistics.

use abi::Value;
use object::shape::ivars;
use runtime::{
    Cx, R, call,
    error::{self, ErrorClass},
    sym,
};

/// The way a process ends, and the exception to report first.
#[derive(Clone, Copy)]
struct Ending {
    status: u8,
    signal: Option<i32>,
    reported: bool,
}

/// A program with a syntax error: no frame has a location, so Ruby names the script or, with `-c`, the command.
pub fn name_program(cx: &mut Cx, command: &crate::options::Command) {
    if command.dumps.syntax {
        cx.vm_mut().options.script_name = command.program.clone();
    }
}

/// Ends the program: trap's EXIT handler, at_exit blocks, the uncaught exception's report, the other threads, streams.
/// Returns the exit status, or dies by the signal that the program did not handle.
///
/// An error in a handler is reported immediately and determines the status. Those of the trap and of the program itself
/// are reported after them, in this order; that of the trap determines the status.
pub fn finish(cx: &mut Cx, result: R) -> u8 {
    let own = exception_of(cx, result);
    cx.error_info = own;
    finish_after(cx, own)
}

/// Like [`finish`], for a program that an exception has kept from beginning: it is reported first, is not `$!` in the
/// blocks, and determines the status, which no handler changes. A signal is a failure.
pub fn finish_unstarted(cx: &mut Cx, result: R) -> u8 {
    let own = exception_of(cx, result);
    cx.error_info = Value::NIL;
    let end = ending(cx, own);
    if end.reported {
        print_error(cx, own);
    }
    finish_after(cx, Value::NIL);
    if end.signal.is_some() { 1 } else { end.status }
}

fn finish_after(cx: &mut Cx, own: Value) -> u8 {
    let closed = runtime::concurrency::scheduler::set(cx, Value::NIL);
    let mut last = handler_ended(cx, closed, Value::NIL);
    let current = cx.error_info;
    let exited = core_classes::signal::run_exit_handler(cx).map(|()| Value::NIL);
    let trapped = exception_of(cx, exited);
    cx.error_info = if trapped.is_nil() { current } else { Value::NIL };
    while let Some(block) = cx.vm_mut().at_exit.pop() {
        let result = call::block::call_proc(cx, block.0, &[]);
        last = handler_ended(cx, result, last);
    }
    core_classes::signal::forget_pending();
    let mut end = Ending { status: 0, signal: None, reported: false };
    if !trapped.is_nil() && ending(cx, trapped).reported {
        print_error(cx, trapped);
    }
    if !own.is_nil() {
        end = ending(cx, own);
        if end.reported {
            print_error(cx, own);
        }
    }
    if !trapped.is_nil() {
        end = ending(cx, trapped);
    } else if !last.is_nil() {
        end = ending(cx, last);
    }
    core_classes::thread::terminate_all(cx);
    let finalized = core_classes::object_space::run_every_finalizer(cx).map(|()| Value::NIL);
    let last = handler_ended(cx, finalized, Value::NIL);
    if !last.is_nil() {
        end = ending(cx, last);
    }
    if let Some(free_all) = cx.vm().extensions.free_all {
        core_classes::io::flush_all(cx);
        free_all(cx);
    }
    runtime::sampling::process_ends(cx);
    core_classes::io::flush_all(cx);
    if let Some(signal) = end.signal {
        host::signal::die_by(signal);
    }
    end.status
}

/// If an exception ended a handler, it becomes `$!`, is reported and returned; otherwise returns `before`.
fn handler_ended(cx: &mut Cx, result: R, before: Value) -> Value {
    let current = cx.error_info;
    match exception_of(cx, result) {
        Value::NIL => {
            cx.error_info = current;
            before
        }
        exception => {
            // The exception that is ending the program is not a cause.
            if !current.is_nil() && exception != current && error::is_among_causes(cx, current, exception) {
                let mut at = exception;
                loop {
                    let cause = ivars::get(cx, at, sym::MEMO_CAUSE);
                    if cause == current {
                        break ivars::set_hidden(cx, at, sym::MEMO_CAUSE, Value::NIL);
                    }
                    at = cause;
                }
            }
            cx.error_info = exception;
            if ending(cx, exception).reported {
                print_error(cx, exception);
            }
            exception
        }
    }
}

/// The exception that a result ends with, or nil.
fn exception_of(cx: &mut Cx, result: R) -> Value {
    match result {
        Ok(_) => Value::NIL,
        Err(unwind) => cx.take_exception(unwind).unwrap_or(Value::NIL),
    }
}

/// SystemExit determines the status, SignalException the signal (silently, unlike Interrupt); all others are reported.
fn ending(cx: &mut Cx, exception: Value) -> Ending {
    if runtime::error::is_error(cx, exception, ErrorClass::SystemExit) {
        let status = ivars::get(cx, exception, sym::MEMO_STATUS);
        return Ending { status: status.as_fixnum().unwrap_or(0) as u8, signal: None, reported: false };
    }
    match core_classes::features::signal_of(cx, exception) {
        Some(signal) => {
            let plain = object::class::real_class(cx, exception) == cx.error_class(ErrorClass::SignalException);
            let silent = plain || runtime::error::is_error(cx, exception, ErrorClass::SystemCallError);
            Ending { status: 1, signal: Some(signal), reported: !silent }
        }
        None => Ending { status: 1, signal: None, reported: true },
    }
}

/// Prints Ruby's report to `$stderr`, or to the process's if the program's cannot be written.
fn print_error(cx: &mut Cx, exception: Value) {
    if core_classes::exception::report::print(cx, exception).is_err() {
        cx.unwinding = runtime::unwind::Unwinding::none();
        let text = core_classes::exception::report::last_words(cx, exception);
        host::tell!("{}", String::from_utf8_lossy(&text));
    }
}

/// A panic in Beni becomes a Ruby exception with a hint where to report it.
pub fn panicked(info: &std::panic::PanicHookInfo) {
    let is_exhaustion = info.payload_as_str().is_some_and(runtime::panics::says_exhausted);
    if is_exhaustion || info.payload().is::<heap::OutOfMemory>() || runtime::panics::is_expected() {
        return;
    }
    host::tell_line!("beni: internal error: {info}\nPlease report it with the program that caused it.");
}

/// `--stats`
pub fn statistics(cx: &mut Cx) {
    host::tell!("{}", core_classes::gc::summary::text(cx));
}

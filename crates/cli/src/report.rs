//! What is printed when a program ends: uncaught errors, crashes, statistics.

use abi::Value;
use object::{shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{Cx, R, call, error::ErrorClass, make, sym};

/// How a program ends: its exit status, or the signal that it dies by.
#[derive(Clone, Copy)]
enum End {
    Status(u8),
    Signal(i32),
}

/// Ends the program: trap's EXIT handler, at_exit blocks, the other threads, and at last the report of what ended it. Gives the exit status.
pub fn finish(cx: &mut Cx, result: R) -> u8 {
    let ended_by = exception_of(cx, result);
    let mut end = ended_by.map_or(End::Status(0), |exception| end_by(cx, exception));
    if let Err(unwind) = core_classes::signal::run_exit_handler(cx) {
        end = report_now(cx, Err(unwind)).unwrap_or(end);
    }
    while let Some(block) = cx.vm_mut().at_exit.pop() {
        let result = call::block::call_proc(cx, block.0, &[]);
        end = report_now(cx, result).unwrap_or(end);
    }
    core_classes::thread::terminate_all(cx);
    core_classes::features::flush_standard_streams(cx);
    if let Some(exception) = ended_by {
        report(cx, exception);
        core_classes::features::flush_standard_streams(cx);
    }
    match end {
        End::Status(status) => status,
        End::Signal(signal) => host::signal::die_by(signal),
    }
}

/// The exception that a result is, which becomes `$!`.
fn exception_of(cx: &mut Cx, result: R) -> Option<Value> {
    let exception = cx.take_exception(result.err()?).ok()?;
    cx.error_info = exception;
    Some(exception)
}

/// Reports what ended a handler, and says how the program ends because of it.
fn report_now(cx: &mut Cx, result: R) -> Option<End> {
    let exception = exception_of(cx, result)?;
    report(cx, exception);
    Some(end_by(cx, exception))
}

/// How an exception ends the program.
fn end_by(cx: &mut Cx, exception: Value) -> End {
    if runtime::error::is_error(cx, exception, ErrorClass::SystemExit) {
        let status = ivars::get(cx, exception, sym::MEMO_STATUS);
        return End::Status(status.as_fixnum().unwrap_or(0) as u8);
    }
    core_classes::features::signal_of(cx, exception).map_or(End::Status(1), End::Signal)
}

/// Prints an exception, unless it is SystemExit or a plain SignalException, which the program only dies by.
fn report(cx: &mut Cx, exception: Value) {
    let is_plain_signal = object::class::real_class(cx, exception) == cx.error_class(ErrorClass::SignalException);
    if !is_plain_signal && !runtime::error::is_error(cx, exception, ErrorClass::SystemExit) {
        core_classes::features::flush_standard_streams(cx);
        print_error(cx, exception);
    }
}

/// The report that Ruby prints: Exception#full_message, or as much of it as can be had.
fn print_error(cx: &mut Cx, exception: Value) {
    let name = intern_text(cx, "full_message");
    let text = match call::send(cx, exception, name, &[]) {
        Ok(text) if object::cell::is(text, abi::Type::String) => {
            String::from_utf8_lossy(Str(text).bytes()).into_owned()
        }
        _ => plain_report(cx, exception),
    };
    eprint!("{text}");
    if !text.ends_with('\n') {
        eprintln!();
    }
}

fn plain_report(cx: &mut Cx, exception: Value) -> String {
    cx.unwinding = runtime::unwind::Unwinding::none();
    let class = runtime::error::class_name_of(cx, exception);
    let message = ivars::get(cx, exception, sym::MEMO_MESSAGE);
    let message = if object::cell::is(message, abi::Type::String) {
        String::from_utf8_lossy(Str(message).bytes()).into_owned()
    } else {
        class.clone()
    };
    let locations = ivars::get(cx, exception, sym::MEMO_LOCATIONS);
    let lines = if locations.is_heap() { runtime::backtrace::to_array(cx, locations) } else { make::array(cx, &[]) };
    let lines: Vec<String> = object::array::Arr(lines)
        .elements()
        .iter()
        .map(|l| String::from_utf8_lossy(Str(*l).bytes()).into_owned())
        .collect();
    let mut text = format!("{}: {message} ({class})\n", lines.first().map_or("beni", String::as_str));
    for line in lines.iter().skip(1) {
        text.push_str(&format!("\tfrom {line}\n"));
    }
    text
}

/// A panic of Beni itself: it becomes a Ruby exception, and says where to send it.
pub fn panicked(info: &std::panic::PanicHookInfo) {
    if info.payload().is::<heap::OutOfMemory>() {
        return;
    }
    eprintln!("beni: internal error: {info}\nPlease report it with the program that led here.");
}

/// `--stats`
pub fn statistics(cx: &mut Cx) {
    eprint!("{}", core_classes::features::statistics(cx));
}

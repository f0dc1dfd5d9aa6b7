//! The crash report for memory faults of the interpreter and for fatal errors of extensions, before the signal ends the
//! process: the fault, the Ruby backtrace, and the native backtrace. This module does not allocate, lock or run Ruby.
//! (A panic becomes a Ruby exception instead.)

use std::sync::OnceLock;

use abi::{Frame, FrameFlags, Value};
use host::library::place_of;
use host::signal::{
    fault::{self, AlternateStack, Fault, Verdict, write_hexadecimal},
    report::{self, Names, Report, write_raw},
};
use object::{class, method_entry};

use crate::{Cx, backtrace, code::code};

/// The interpreter's name and versions.
static DESCRIPTION: OnceLock<String> = OnceLock::new();

/// What extensions add to a report, if any do: given the descriptor to write to.
static ADDITIONS: OnceLock<fn(i32)> = OnceLock::new();

/// The number of frames that a report shows at each end of a deep stack.
const SHOWN: usize = 200;
/// A bad access within this distance of the stack pointer is a stack overflow.
const NEAR: usize = 64 << 10;

/// Installs the handler for the process; each thread must call [`watch`].
pub fn install(description: String, names: Names) {
    DESCRIPTION.get_or_init(|| description);
    report::set_names(names);
    // On a system without these signals there are no reports.
    let _ = fault::install(classify, report);
}

/// Marks the calling thread as running Ruby in `cx` until the result is dropped, which holds the alternate stack for
/// reports.
pub fn watch(cx: &Cx) -> Option<AlternateStack> {
    cx.bind_to_this_thread();
    AlternateStack::install().ok()
}

fn classify(fault: &Fault) -> Verdict {
    let near_stack = !fault.sent && fault.address.abs_diff(fault.stack_pointer) < NEAR;
    if near_stack { Verdict::StackOverflow } else { Verdict::Defect }
}

/// Reports a defect that was found by a check, with the present place, and ends the process.
pub fn bug(message: &str) -> ! {
    let fault = Fault::here();
    let cx = this_context();
    let report = Report::begin();
    write_title(cx, message);
    write_state(cx, &fault);
    write_raw(b"\n");
    run_additions();
    drop(report);
    std::process::abort()
}

/// Has each report call `add` at its end.
pub fn set_additions(add: fn(i32)) {
    ADDITIONS.get_or_init(|| add);
}

fn run_additions() {
    if let Some(add) = ADDITIONS.get() {
        add(report::stream().0);
    }
}

fn this_context<'a>() -> Option<&'a Cx> {
    // SAFETY: the context lives as long as its thread runs Ruby. If its data is corrupt, a fault in the handler ends
    // the process.
    unsafe { Cx::of_this_thread().as_ref() }
}

/// "file:line: [BUG] title"
fn write_title(cx: Option<&Cx>, title: &str) {
    if let Some(place) = cx.into_iter().flat_map(|cx| cx.frames()).find(|frame| backtrace::is_visible_code(frame)) {
        write_place(place);
        write_raw(b" ");
    }
    write_all(&["[BUG] ", title]);
}

/// The version, the Ruby backtrace and the calls in libraries.
fn write_state(cx: Option<&Cx>, fault: &Fault) {
    write_all(&["\n", DESCRIPTION.get().map_or("", String::as_str), "\n\nRuby backtrace:\n"]);
    if let Some(cx) = cx {
        write_backtrace(cx);
    } else {
        write_raw(b"\t(not a thread of the program)\n");
    }
    write_libraries(fault);
}

fn report(fault: &Fault, verdict: Verdict) {
    let cx = this_context();
    let _report = Report::begin();
    write_title(cx, fault.name());
    match (fault.sent, verdict) {
        (true, _) => write_raw(b", sent by a process"),
        (_, Verdict::StackOverflow) => write_raw(b" at the end of the native stack"),
        _ => {
            write_raw(b" at 0x");
            write_hexadecimal(fault.address);
        }
    }
    write_state(cx, fault);
    write_raw(b"\nAddresses in the interpreter (addr2line -Cfie shows their lines):\n\t");
    // SAFETY: this runs in the report function.
    for address in unsafe { fault.calls() }.take(SHOWN).filter(|address| place_of(*address).is_none()) {
        write_raw(b" 0x");
        write_hexadecimal(fault::file_address(address));
    }
    write_raw(b"\n\n");
    run_additions();
    if fault.sent {
        return;
    }
    if place_of(fault.instruction).is_some() {
        write_raw(b"The fault is in an extension in C, or in data that Beni passed to it.\n");
    } else {
        write_raw(
            b"This is a defect of Beni. Please report it with all of these lines and the program that caused it.\n",
        );
    }
}

/// Writes the native frames that lie in libraries: extensions and system libraries.
fn write_libraries(fault: &Fault) {
    // SAFETY: this runs in the report function.
    let places = unsafe { fault.calls() }.take(SHOWN).filter_map(place_of);
    for (line, place) in places.enumerate() {
        if line == 0 {
            write_raw(b"\nCalls in libraries:\n");
        }
        write_raw(b"\t");
        write_raw(place.file.to_bytes());
        write_raw(b"+0x");
        write_hexadecimal(place.offset);
        if let Some(function) = place.function {
            write_raw(b" in ");
            write_raw(function.to_bytes());
        }
        write_raw(b"\n");
    }
}

fn write_backtrace(cx: &Cx) {
    let lines = || cx.frames().enumerate().filter(|(_, frame)| is_shown(cx, frame));
    let count = lines().count();
    for (line, (i, frame)) in lines().enumerate() {
        if line >= SHOWN && line + SHOWN < count {
            if line == SHOWN {
                write_raw(b"\t...\n");
            }
            continue;
        }
        write_raw(b"\t");
        // A native method is shown with the position of its caller.
        if let Some(place) = cx.frames().skip(i).find(|frame| backtrace::is_visible_code(frame)) {
            write_place(place);
        }
        write_raw(b"in '");
        write_label(cx, frame);
        write_raw(b"'\n");
    }
}

fn is_shown(cx: &Cx, frame: &Frame) -> bool {
    let native = frame.flags & FrameFlags::NATIVE != 0;
    let nameless = if native { frame.scope.entry.is_nil() } else { backtrace::internal_inner(frame) };
    frame.flags & FrameFlags::HIDDEN == 0 && !nameless && !backtrace::is_helper(cx, frame)
}

/// "file:line:"
fn write_place(frame: &Frame) {
    let code = code(&frame.scope.code);
    let line = match backtrace::current_word(code, frame) {
        backtrace::NOT_BEGUN => code.first_line,
        word => code.line(word as usize),
    };
    write_all(&[&code.source.path, ":"]);
    write_decimal(line.unsigned_abs());
    write_raw(b":");
}

/// "Foo#bar", "block in Foo.bar", "<main>".
fn write_label(cx: &Cx, frame: &Frame) {
    let native = frame.flags & FrameFlags::NATIVE != 0;
    let entry = frame.scope.entry;
    if !native && code(&frame.scope.code).block_depth > 0 {
        write_raw(b"block in ");
    }
    if entry.is_nil() || !native && backtrace::is_defined_by_block(entry) {
        return write_raw(code(&frame.scope.code).name.as_bytes());
    }
    let data = class::class_data(cx, method_entry::owner(entry));
    let (named, separator): (Value, &[u8]) = match data.flags.singleton {
        true if class::is_module(data.attached) => (class::name(data.attached), b"."),
        _ => (data.name, b"#"),
    };
    if object::cell::is(named, abi::Type::String) {
        write_raw(object::string::Str::of(named).bytes(cx));
        write_raw(separator);
    }
    write_raw(method_entry::original_name(entry).bytes(cx));
}

fn write_all(parts: &[&str]) {
    parts.iter().for_each(|part| write_raw(part.as_bytes()));
}

fn write_decimal(number: u32) {
    if number > 9 {
        write_decimal(number / 10);
    }
    write_raw(&[b'0' + (number % 10) as u8]);
}

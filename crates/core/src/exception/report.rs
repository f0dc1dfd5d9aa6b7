//! The report of an exception: location, message, frames, causes.

use abi::{Type, Value};
use memory::Grow;
use object::{array::Arr, cell, hash::HashRef, string::Str};
use runtime::{Cx, R, call, keys, make, sym};

use super::{backtraces, field, message};

/// Prints the exception that ends a program or thread to `$stderr`: its full_message, but methods of the program that
/// raise are replaced by what can be told without them.
pub fn print(cx: &mut Cx, exception: Value) -> R<()> {
    let bytes = last_words(cx, exception);
    let text = make::string(cx, &bytes, text::encoding::EncodingId::UTF_8);
    crate::kernel::output::write_line_to(cx, "$stderr", text)
}

/// What `print` writes.
pub fn last_words(cx: &mut Cx, exception: Value) -> Vec<u8> {
    let mut out = Vec::new();
    let options = HashRef::new(cx).value();
    let stored = keys::store(cx, options, sym::HIGHLIGHT.value(), Value::bool(message::is_tty()));
    let _ = unless_raised(cx, stored);
    let lines = lines(cx, exception);
    let lines = unless_raised(cx, lines).unwrap_or_default();
    let detailed = message::detailed(cx, exception, options);
    let detailed = unless_raised(cx, detailed).unwrap_or_default();
    write(cx, exception, options, &lines, &detailed, &mut out);
    let causes = causes(cx, exception, options, &mut out);
    let _ = unless_raised(cx, causes);
    out
}

/// The value, unless the program's code raised an exception, which is forgotten.
fn unless_raised<T>(cx: &mut Cx, result: R<T>) -> Option<T> {
    if result.is_err() {
        cx.unwinding = runtime::unwind::Unwinding::none();
    }
    result.ok()
}

/// The full_message; `options` are passed to detailed_message.
pub fn full(cx: &mut Cx, exception: Value, options: Value, highlight: bool, bottom_first: bool) -> R<Vec<u8>> {
    let mut out = Vec::new();
    if bottom_first {
        reversed(cx, exception, options, highlight, &mut out)?;
        return Ok(out);
    }
    one(cx, exception, options, &mut out)?;
    causes(cx, exception, options, &mut out)?;
    Ok(out)
}

/// The causes of an exception, each one once.
fn causes(cx: &mut Cx, exception: Value, options: Value, out: &mut Vec<u8>) -> R<()> {
    let shown = make::array(cx, &[exception]);
    let mut at = exception;
    loop {
        at = field(cx, at, sym::MEMO_CAUSE);
        if at.is_nil() || Arr::of(shown).contains(at) {
            return Ok(());
        }
        make::push(cx, shown, at);
        one(cx, at, options, out)?;
    }
}

/// The lines of the backtrace, if it is valid.
fn lines(cx: &mut Cx, exception: Value) -> R<Vec<String>> {
    let _ = backtraces::of(cx, exception)?;
    let list = call::send(cx, exception, sym::BACKTRACE, &[])?;
    if list.is_nil() {
        return Ok(Vec::new());
    }
    backtraces::check(cx, list)?;
    Ok(Arr::of(list)
        .elements(cx)
        .iter()
        .filter(|l| cell::is(**l, Type::String))
        .map(|l| Str::of(*l).to_text())
        .collect())
}

/// One exception: its first line and the frames after it.
fn one(cx: &mut Cx, exception: Value, options: Value, out: &mut Vec<u8>) -> R<()> {
    let lines = lines(cx, exception)?;
    let detailed = message::detailed(cx, exception, options)?;
    write(cx, exception, options, &lines, &detailed, out);
    Ok(())
}

fn write(cx: &mut Cx, exception: Value, options: Value, lines: &[String], detailed: &[u8], out: &mut Vec<u8>) {
    if out.last().is_some_and(|b| *b != b'\n') {
        out.append_one(b'\n');
    }
    head(cx, exception, options, (lines.first(), detailed), out);
    let limit = cx.vm().options.backtrace_limit;
    let frames = &lines[lines.len().min(1)..];
    // The line for omitted frames replaces at least two frames, as it is a line itself.
    let is_long = limit >= 0 && frames.len() > limit as usize + 1;
    let shown = if is_long { limit as usize } else { frames.len() };
    let too_many = is_overflow(cx, exception) && frames.len() > 12;
    for (i, line) in frames.iter().enumerate().take(shown) {
        if too_many && (8..frames.len() - 4).contains(&i) {
            if i == 8 {
                out.append_slice(format!("\n\t ... {} levels...", frames.len() - 12).as_bytes());
            }
            continue;
        }
        out.append_slice(b"\n\tfrom ");
        out.append_slice(line.as_bytes());
    }
    if shown < frames.len() {
        out.append_slice(format!("\n\t ... {} levels...", frames.len() - shown).as_bytes());
    }
    out.append_one(b'\n');
}

fn is_overflow(cx: &Cx, exception: Value) -> bool {
    runtime::error::is_error(cx, exception, runtime::error::ErrorClass::SystemStackError)
}

fn head(cx: &mut Cx, exception: Value, options: Value, (place, detailed): (Option<&String>, &[u8]), out: &mut Vec<u8>) {
    match place {
        Some(place) => out.append_slice(format!("{place}: ").as_bytes()),
        None => {
            let (path, line) =
                runtime::backtrace::caller_position(cx).unwrap_or_else(|| (cx.vm().options.script_name.clone(), 0));
            let running = cx.frames().next().is_some_and(|f| !f.scope.entry.is_nil());
            let place = match (line, running) {
                (0, _) => format!("{path}: "),
                (_, true) => format!("{path}:{line}:in 'full_message': "),
                _ => format!("{path}:{line}: "),
            };
            out.append_slice(place.as_bytes());
        }
    }
    if detailed.is_empty() {
        let shown = message::class_only(cx, exception, options);
        out.append_slice(&shown);
    } else {
        out.append_slice(detailed);
    }
}

/// `order: :bottom`: the outermost frame first, the message last.
fn reversed(cx: &mut Cx, exception: Value, options: Value, highlight: bool, out: &mut Vec<u8>) -> R<()> {
    let lines = lines(cx, exception)?;
    let title: &[u8] = if highlight {
        b"\x1b[1mTraceback\x1b[m (most recent call last):\n"
    } else {
        b"Traceback (most recent call last):\n"
    };
    out.append_slice(title);
    let seen = make::array(cx, &[exception]);
    causes_reversed(cx, exception, options, seen, out)?;
    let width = lines.len().saturating_sub(1).to_string().len();
    frames_reversed(&lines, width, out);
    let detailed = message::detailed(cx, exception, options)?;
    head(cx, exception, options, (lines.first(), &detailed), out);
    out.append_one(b'\n');
    Ok(())
}

/// The innermost cause first, then the exceptions that it caused; a title precedes them all.
fn causes_reversed(cx: &mut Cx, exception: Value, options: Value, seen: Value, out: &mut Vec<u8>) -> R<()> {
    cx.check_native_stack()?;
    let cause = field(cx, exception, sym::MEMO_CAUSE);
    if cause.is_nil() || Arr::of(seen).contains(cause) {
        return Ok(());
    }
    make::push(cx, seen, cause);
    causes_reversed(cx, cause, options, seen, out)?;
    let lines = lines(cx, cause)?;
    let width = lines.len().saturating_sub(1).to_string().len();
    frames_reversed(&lines, width, out);
    let detailed = message::detailed(cx, cause, options)?;
    head(cx, cause, options, (lines.first(), &detailed), out);
    out.append_one(b'\n');
    Ok(())
}

fn frames_reversed(lines: &[String], width: usize, out: &mut Vec<u8>) {
    for (i, line) in lines.iter().enumerate().skip(1).rev() {
        out.append_slice(format!("\t{i:>width$}: from {line}\n").as_bytes());
    }
}

/// Each line of the text in bold.
pub fn in_bold(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, line) in text.split(|b| *b == b'\n').enumerate() {
        if i > 0 {
            out.append_one(b'\n');
        }
        if !line.is_empty() {
            out.append_slice(b"\x1b[1m");
            out.append_slice(line);
            out.append_slice(b"\x1b[m");
        }
    }
    out
}

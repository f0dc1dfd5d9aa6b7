//! putc, printf, and output before `$stdout` exists.

use abi::Value;
use object::{cell, string::Str, symbol};
use runtime::{
    Args, Cx, R, Root, call,
    error::{self, ErrorClass},
    make, sym,
};

use crate::io::output;

/// `$stdout`, or nil before IO is defined.
fn standard(cx: &mut Cx, name: &str) -> R {
    let name = symbol::table::intern_text(cx, name);
    cx.global_get(name)
}

/// Writes a String to `$stdout` or `$stderr`.
pub fn write_to(cx: &mut Cx, variable: &str, text: Value) -> R<()> {
    let out = standard(cx, variable)?;
    if out.is_nil() {
        let fd = if variable == "$stderr" { 2 } else { 1 };
        let mut bytes = Str::of(text).to_vector();
        while !bytes.is_empty() {
            match host::fs::write(host::Fd(fd), &bytes) {
                Ok(0) | Err(_) => break,
                Ok(n) => drop(bytes.drain(..n)),
            }
        }
        return Ok(());
    }
    call::send(cx, out, sym::WRITE, &[text])?;
    Ok(())
}

/// Writes a message of the interpreter to `$stderr`. If that is the process's own stream, which is closed or full, the
/// message is lost.
pub fn write_message(cx: &mut Cx, text: Value) -> R<()> {
    let written = write_to(cx, "$stderr", text);
    let Err(unwind) = written else { return Ok(()) };
    let exception = cx.take_exception(unwind)?;
    let is_own = standard(cx, "$stderr")? == cx.root(Root::StandardError);
    if is_own && error::is_error(cx, exception, ErrorClass::SystemCallError) {
        return Ok(());
    }
    Err(cx.raise_object(exception))
}

/// Writes a String to `$stdout` or `$stderr`, and a newline unless the String ends with one.
pub fn write_line_to(cx: &mut Cx, variable: &str, text: Value) -> R<()> {
    let line = if Str::of(text).ends_with(b"\n") { text } else { with_newline(cx, text) };
    write_to(cx, variable, line)
}

fn with_newline(cx: &mut Cx, text: Value) -> Value {
    let bytes = [Str::of(text).bytes(cx), b"\n"].concat();
    make::string(cx, &bytes, Str::of(text).encoding())
}

/// `putc(character) → object`: of Kernel; calls `$stdout.putc`, which writes the first character of a String, or the
/// low byte of a number.
pub fn putc(cx: &mut Cx, args: Args) -> R {
    let out = standard(cx, "$stdout")?;
    output::forward(cx, out, "putc", args, output::putc_to)
}

/// `printf(format, …)`, `printf(io, format, …) → nil`: writes the result of `format` to `$stdout` or to a stream.
pub fn printf(cx: &mut Cx, args: Args) -> R {
    let Some(first) = args.opt(0) else { return Ok(Value::NIL) };
    let (out, rest) =
        if cell::is(first, abi::Type::String) { (standard(cx, "$stdout")?, args.all()) } else { (first, args.from(1)) };
    let text = crate::string::format::format_arguments(cx, rest)?;
    if out.is_nil() {
        write_to(cx, "$stdout", text)?;
    } else {
        call::send(cx, out, sym::WRITE, &[text])?;
    }
    Ok(Value::NIL)
}

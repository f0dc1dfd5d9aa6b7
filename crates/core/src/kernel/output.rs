//! puts, print, p and the like: they go to `$stdout`.

use abi::Value;
use object::{array::Arr, cell, string::Str, symbol};
use runtime::{Args, Cx, R, call, convert, make, sym};

/// `$stdout`, or nil before there is an IO.
fn standard(cx: &mut Cx, name: &str) -> R {
    let name = symbol::table::intern_text(cx, name);
    cx.global_get(name)
}

/// Calls a method of `$stdout`; writes to the descriptor itself before there is an IO class.
fn delegate(cx: &mut Cx, method: &str, args: Args) -> R<bool> {
    let out = standard(cx, "$stdout")?;
    if out.is_nil() {
        return Ok(false);
    }
    let name = symbol::table::intern_text(cx, method);
    call::send(cx, out, name, args.all())?;
    Ok(true)
}

/// Writes a String to `$stdout` or `$stderr`.
pub fn write_to(cx: &mut Cx, variable: &str, text: Value) -> R<()> {
    let out = standard(cx, variable)?;
    if out.is_nil() {
        let fd = if variable == "$stderr" { 2 } else { 1 };
        let mut bytes = Str(text).bytes().to_vec();
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

/// The same with a newline at its end.
pub fn write_line_to(cx: &mut Cx, variable: &str, text: Value) -> R<()> {
    let line = if Str(text).bytes().ends_with(b"\n") { text } else { with_newline(cx, text) };
    write_to(cx, variable, line)
}

fn with_newline(cx: &mut Cx, text: Value) -> Value {
    let bytes = [Str(text).bytes(), b"\n"].concat();
    make::string(cx, &bytes, Str(text).encoding())
}

/// `puts(…)`
pub fn puts(cx: &mut Cx, args: Args) -> R {
    if delegate(cx, "puts", args)? {
        return Ok(Value::NIL);
    }
    if args.is_empty() {
        let empty = make::text(cx, "\n");
        write_to(cx, "$stdout", empty)?;
    }
    for v in args.all() {
        put_line(cx, *v)?;
    }
    Ok(Value::NIL)
}

fn put_line(cx: &mut Cx, v: Value) -> R<()> {
    cx.check_native_stack()?;
    if let Some(list) = convert::try_ary(cx, v)? {
        let mut i = 0;
        while let Some(inner) = Arr(list).get(i) {
            put_line(cx, inner)?;
            i += 1;
        }
        return Ok(());
    }
    let text = convert::to_s(cx, v)?;
    write_line_to(cx, "$stdout", text)
}

/// `print(…)`
pub fn print(cx: &mut Cx, args: Args) -> R {
    if delegate(cx, "print", args)? {
        return Ok(Value::NIL);
    }
    for v in args.all() {
        let text = convert::to_s(cx, *v)?;
        write_to(cx, "$stdout", text)?;
    }
    Ok(Value::NIL)
}

/// `putc(character)`
pub fn putc(cx: &mut Cx, args: Args) -> R {
    delegate(cx, "putc", args)?;
    Ok(args.at(0))
}

/// `p(…)`: a line of inspect for each; gives the argument or arguments back.
pub fn p(cx: &mut Cx, args: Args) -> R {
    for v in args.all() {
        let shown = convert::inspect(cx, *v)?;
        let line = with_newline(cx, shown);
        write_to(cx, "$stdout", line)?;
    }
    match args.all() {
        [] => Ok(Value::NIL),
        [one] => Ok(*one),
        many => Ok(make::array(cx, many)),
    }
}

/// `printf(format, …)`, `printf(io, format, …)`
pub fn printf(cx: &mut Cx, args: Args) -> R {
    let Some(first) = args.opt(0) else { return Ok(Value::NIL) };
    let (out, rest) =
        if cell::is(first, abi::Type::String) { (standard(cx, "$stdout")?, args.all()) } else { (first, args.from(1)) };
    let Some((format, values)) = rest.split_first() else {
        return Err(cx.argument_error("too few arguments"));
    };
    let text = super::format::format(cx, *format, values)?;
    if out.is_nil() {
        write_to(cx, "$stdout", text)?;
    } else {
        call::send(cx, out, sym::WRITE, &[text])?;
    }
    Ok(Value::NIL)
}

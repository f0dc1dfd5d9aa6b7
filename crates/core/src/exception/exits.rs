//! SystemExit, SignalException, Interrupt.

use abi::{Type, Value};
use object::{Sym, cell, shape::ivars, string::Str};
use runtime::{Args, Cx, Method, R, convert, error::ErrorClass, make, sym};

use super::{field, methods};

const SYSTEM_EXIT: &[Method] = &[
    Method::new("initialize(status = true, message = nil)", initialize_exit).private(),
    Method::new("status", status).leaf(),
    Method::new("success?", is_success).leaf(),
];

const SIGNAL_EXCEPTION: &[Method] = &[
    Method::new("initialize(*arguments)", initialize_signal).private(),
    Method::new("signo", signo).leaf(),
    Method::new("signm", signm),
];

const INTERRUPT: &[Method] = &[Method::new("initialize(message = nil)", initialize_interrupt).private()];

pub fn define(cx: &mut Cx) {
    methods(cx, ErrorClass::SystemExit, SYSTEM_EXIT);
    methods(cx, ErrorClass::SignalException, SIGNAL_EXCEPTION);
    methods(cx, ErrorClass::Interrupt, INTERRUPT);
}

/// `SystemExit.new(status = true, message = "exit")`: a first argument that is not a status is the message.
fn initialize_exit(cx: &mut Cx, args: Args) -> R {
    let (status, message) = match args.opt(0) {
        None => (0, None),
        Some(Value::TRUE) => (0, args.opt(1)),
        Some(Value::FALSE) => (1, args.opt(1)),
        Some(v) if convert::is_integer(v) => (convert::to_i64(cx, v)?, args.opt(1)),
        Some(v) => (0, Some(v)),
    };
    ivars::set_hidden(cx, args.me(), sym::MEMO_MESSAGE, message.unwrap_or(Value::NIL));
    ivars::set_hidden(cx, args.me(), sym::MEMO_STATUS, Value::fixnum(status));
    Ok(Value::NIL)
}

/// `status → integer`: the exit status of the program if the exception is not rescued.
fn status(cx: &mut Cx, args: Args) -> R {
    Ok(field(cx, args.me(), sym::MEMO_STATUS))
}

/// `success? → true or false`: whether the exit status is 0.
fn is_success(cx: &mut Cx, args: Args) -> R {
    let status = field(cx, args.me(), sym::MEMO_STATUS);
    Ok(Value::bool(status.is_nil() || status == Value::fixnum(0)))
}

/// Number and name of a signal: an Integer, or "INT", "SIGINT", :INT.
pub fn signal_of(cx: &mut Cx, v: Value) -> R<(i32, String)> {
    if v.is_fixnum() {
        let number = convert::to_i32(cx, v)?;
        if !(0..=64).contains(&number) {
            return Err(cx.argument_error(&format!("invalid signal number ({number})")));
        }
        let name = host::signal::name(number).map_or_else(|| format!("SIG{number}"), |name| format!("SIG{name}"));
        return Ok((number, name));
    }
    let text = match Sym::from_value(v) {
        Some(symbol) => symbol.to_text(cx),
        None => match convert::try_str(cx, v)? {
            Some(s) if cell::is(s.value(), Type::String) => s.to_text(),
            _ => {
                let got = runtime::error::class_name_of(cx, v);
                return Err(cx.argument_error(&format!("bad signal type {got}")));
            }
        },
    };
    if text.starts_with('-') {
        return Err(cx.argument_error(&format!("negative signal name: {text}")));
    }
    let plain = text.strip_prefix("SIG").unwrap_or(&text);
    match host::signal::number(plain) {
        Some(number) => Ok((number, format!("SIG{plain}"))),
        None => Err(cx.argument_error(&format!("unsupported signal 'SIG{plain}'"))),
    }
}

/// `SignalException.new(name)`, `new(number, name = nil)`: the message is the name with `SIG` unless one is given.
/// ArgumentError for an unknown signal.
fn initialize_signal(cx: &mut Cx, args: Args) -> R {
    let most = if args.opt(0).is_some_and(Value::is_fixnum) { 2 } else { 1 };
    if !(1..=most).contains(&args.len()) {
        return Err(cx.arity_error(args.len(), 1, Some(most)));
    }
    let (number, name) = signal_of(cx, args.at(0))?;
    if number == 0 && !args.at(0).is_fixnum() {
        // "EXIT" names no signal: only `trap` knows it.
        return Err(cx.argument_error("unsupported signal 'SIGEXIT'"));
    }
    let message = match args.non_nil(1) {
        Some(message) => message,
        None => make::text(cx, &name),
    };
    ivars::set_hidden(cx, args.me(), sym::MEMO_MESSAGE, message);
    ivars::set_hidden(cx, args.me(), sym::MEMO_SIGNO, Value::fixnum(number as i64));
    Ok(Value::NIL)
}

/// `initialize(message = nil) → nil`: a SignalException of SIGINT; the message is "Interrupt" unless one is given.
fn initialize_interrupt(cx: &mut Cx, args: Args) -> R {
    let message = match args.opt(0) {
        Some(message) => message,
        None => make::text(cx, "Interrupt"),
    };
    ivars::set_hidden(cx, args.me(), sym::MEMO_MESSAGE, message);
    ivars::set_hidden(cx, args.me(), sym::MEMO_SIGNO, Value::fixnum(2));
    Ok(Value::NIL)
}

/// `signo → integer`: the number of the signal.
fn signo(cx: &mut Cx, args: Args) -> R {
    Ok(field(cx, args.me(), sym::MEMO_SIGNO))
}

/// `signm → string`: the message, which is the signal's name unless another was given.
fn signm(cx: &mut Cx, args: Args) -> R {
    convert::to_s(cx, args.me()).map(Str::value)
}

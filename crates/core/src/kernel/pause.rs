//! sleep.

use std::time::Duration;

use abi::Value;
use object::{class, Known};
use runtime::{Args, Cx, R, call, convert, error};

/// `sleep(seconds = nil)`: gives the seconds slept, rounded.
pub fn sleep(cx: &mut Cx, args: Args) -> R {
    let started = std::time::Instant::now();
    let limit = match args.opt(0) {
        None | Some(Value::NIL) => None,
        Some(v) => Some(duration(cx, v)?),
    };
    crate::thread::sleep(cx, limit)?;
    Ok(Value::fixnum(started.elapsed().as_secs_f64().round() as i64))
}

/// A span of time from a number of seconds.
pub fn duration(cx: &mut Cx, v: Value) -> R<Duration> {
    let divmod = object::symbol::table::intern_text(cx, "divmod");
    if !class::is_known(cx, v, Known::Numeric) && !call::responds(cx, v, divmod, false)? {
        let got = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {got} into time interval")));
    }
    let seconds = convert::to_f64(cx, v)?;
    if seconds < 0.0 {
        return Err(cx.argument_error("time interval must not be negative"));
    }
    if seconds.is_nan() {
        return Err(cx.raise(error::ErrorClass::FloatDomainError, "NaN"));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

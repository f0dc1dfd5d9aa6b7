//! sleep.

use std::time::{Duration, Instant};

use abi::Value;
use object::{Known, class};
use runtime::{
    Args, Cx, R, Unwind, call,
    concurrency::{pending, scheduler, thread},
    convert, error,
};

/// `sleep(seconds = nil) → integer`: waits for `seconds` seconds, or until another thread wakes this one; returns the
/// elapsed seconds, rounded. ArgumentError for a negative time, TypeError for anything but a number.
pub fn sleep(cx: &mut Cx, args: Args) -> R {
    let started = Instant::now();
    let limit = match args.opt(0) {
        None | Some(Value::NIL) => None,
        Some(v) => Some(duration(cx, v)?),
    };
    match scheduler::current(cx) {
        Some(scheduler) => {
            scheduler::send(cx, scheduler, "kernel_sleep", args.all())?;
        }
        None => pause(cx, started, limit)?,
    }
    Ok(Value::fixnum(started.elapsed().as_secs_f64().round() as i64))
}

/// Sleeps until the time is over, the thread is woken up or an interrupt raises.
fn pause(cx: &mut Cx, started: Instant, limit: Option<Duration>) -> R<()> {
    let me = cx.thread;
    thread::state(cx, me).wakeup = false;
    pending::check_blocking(cx)?;
    loop {
        let left = match limit {
            None => Duration::from_secs(3600),
            Some(limit) => match limit.checked_sub(started.elapsed()) {
                Some(left) if !left.is_zero() => left.min(Duration::from_secs(3600)),
                _ => return Ok(()),
            },
        };
        // After a spurious wakeup it sleeps for the remaining time.
        let _ = thread::blocking(cx, || host::clock::sleep_for(left));
        pending::check_blocking(cx)?;
        if thread::state(cx, me).wakeup {
            return Ok(());
        }
    }
}

fn not_a_duration(cx: &mut Cx, v: Value) -> Unwind {
    let got = error::describe_for_conversion(cx, v);
    cx.type_error(&format!("can't convert {got} into time interval"))
}

/// The seconds of an object that is no number, but can be divided.
fn divided(cx: &mut Cx, v: Value) -> R<f64> {
    let divmod = object::symbol::table::intern_text(cx, "divmod");
    let Some(parts) = call::send_if_responds(cx, v, divmod, &[Value::fixnum(1)])? else {
        return Err(not_a_duration(cx, v));
    };
    let Some(parts) = convert::try_ary(cx, parts)? else { return Err(not_a_duration(cx, v)) };
    let whole = parts.get(0).unwrap_or(Value::NIL);
    let whole = convert::to_i64(cx, whole)?;
    let rest = parts.get(1).unwrap_or(Value::NIL);
    Ok(whole as f64 + convert::to_f64(cx, rest)?)
}

/// A number of seconds to wait, of a number or an object that can be divided (`divmod`). ArgumentError for a negative
/// one, RangeError for one that is no time.
pub fn interval(cx: &mut Cx, v: Value) -> R<f64> {
    let seconds = match class::is_known(cx, v, Known::Numeric) {
        true => convert::to_f64(cx, v)?,
        false => divided(cx, v)?,
    };
    if seconds < 0.0 {
        return Err(cx.argument_error("time interval must not be negative"));
    }
    if seconds.is_nan() || seconds >= i64::MAX as f64 {
        if object::float::get(v).is_none() {
            return Err(cx.range_error("bignum too big to convert into 'long'"));
        }
        let shown = if seconds.is_infinite() { "Inf".to_string() } else { format!("{seconds:.6}") };
        return Err(cx.range_error(&format!("{shown} out of Time range")));
    }
    Ok(seconds)
}

/// A duration from a number of seconds.
pub fn duration(cx: &mut Cx, v: Value) -> R<Duration> {
    Ok(Duration::try_from_secs_f64(interval(cx, v)?).unwrap_or(Duration::MAX))
}

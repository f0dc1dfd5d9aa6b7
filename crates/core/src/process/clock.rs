//! Process.clock_gettime and its clocks.

use host::clock::{CLOCKS, Clock, Timespec};
use object::{bigint, float, symbol::table::intern_text};
use runtime::{Args, Cx, R, Sym, Value, convert, define};

pub fn define_constants(cx: &mut Cx, module: Value) {
    for (name, number) in CLOCKS {
        let name = intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum(*number as i64));
    }
}

fn clock(cx: &mut Cx, v: Value) -> R<Clock> {
    if let Some(name) = Sym::from_value(v) {
        let text = name.to_text(cx);
        return match Clock::from_symbol(&text) {
            Some(clock) => Ok(clock),
            None => Err(cx.system_error(host::Errno::from_name("EINVAL").unwrap_or(host::Errno(22)), "clock_gettime")),
        };
    }
    Ok(Clock::System(convert::to_i32(cx, v)?))
}

/// `clock_gettime(clock, unit = :float_second)`
pub fn gettime(cx: &mut Cx, args: Args) -> R {
    let clock = clock(cx, args.at(0))?;
    match clock.now() {
        Ok(time) => in_unit(cx, time, args.opt(1)),
        Err(errno) => Err(cx.system_error(errno, "clock_gettime")),
    }
}

/// `clock_getres(clock, unit = :float_second)`
pub fn getres(cx: &mut Cx, args: Args) -> R {
    let clock = clock(cx, args.at(0))?;
    let wanted = args.opt(1);
    if let Some(name) = wanted.and_then(Sym::from_value)
        && name.to_text(cx) == "hertz"
    {
        return match clock.resolution() {
            Ok(time) => Ok(float::new(cx, 1.0 / time.as_seconds())),
            Err(errno) => Err(cx.system_error(errno, "clock_getres")),
        };
    }
    match clock.resolution() {
        Ok(time) => in_unit(cx, time, wanted),
        Err(errno) => Err(cx.system_error(errno, "clock_getres")),
    }
}

fn in_unit(cx: &mut Cx, time: Timespec, unit: Option<Value>) -> R {
    let unit = match unit {
        None | Some(Value::NIL) => "float_second".to_string(),
        Some(v) => match Sym::from_value(v) {
            Some(name) => name.to_text(cx),
            None => return Err(unexpected(cx, v)),
        },
    };
    let (seconds, nanoseconds) = (time.seconds as i128, time.nanoseconds as i128);
    let all = seconds * 1_000_000_000 + nanoseconds;
    Ok(match unit.as_str() {
        "float_second" => float::new(cx, seconds as f64 + nanoseconds as f64 * 1e-9),
        "float_millisecond" => float::new(cx, seconds as f64 * 1e3 + nanoseconds as f64 * 1e-6),
        "float_microsecond" => float::new(cx, seconds as f64 * 1e6 + nanoseconds as f64 * 1e-3),
        "second" => bigint::from_i128(cx, all.div_euclid(1_000_000_000)),
        "millisecond" => bigint::from_i128(cx, all.div_euclid(1_000_000)),
        "microsecond" => bigint::from_i128(cx, all.div_euclid(1_000)),
        "nanosecond" => bigint::from_i128(cx, all),
        other => return Err(cx.argument_error(&format!("unexpected unit: {other}"))),
    })
}

fn unexpected(cx: &mut Cx, v: Value) -> runtime::Unwind {
    match runtime::call::inspect_text(cx, v) {
        Ok(text) => cx.argument_error(&format!("unexpected unit: {text}")),
        Err(unwind) => unwind,
    }
}

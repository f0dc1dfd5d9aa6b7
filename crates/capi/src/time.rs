//! Times.

use abi::Value;
use object::symbol::table::intern_text;
use runtime::{Cx, R, convert};

use crate::{
    border::{send, send_to},
    given,
};

/// `struct timeval`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Timeval {
    pub seconds: i64,
    pub microseconds: i64,
}

/// `struct timespec`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Timespec {
    pub seconds: i64,
    pub nanoseconds: i64,
}

pub fn rb_time_new(cx: &mut Cx, seconds: i64, microseconds: i64) -> R {
    send_to(cx, "Time", "at", &[Value::fixnum(seconds), Value::fixnum(microseconds)])
}

pub fn rb_time_nano_new(cx: &mut Cx, seconds: i64, nanoseconds: i64) -> R {
    let unit = intern_text(cx, "nsec").value();
    send_to(cx, "Time", "at", &[Value::fixnum(seconds), Value::fixnum(nanoseconds), unit])
}

/// The offset INT_MAX means local time, INT_MAX - 1 UTC.
pub fn rb_time_timespec_new(cx: &mut Cx, time: *const Timespec, offset: i32) -> R {
    let time = given::read(time);
    let Ok(nanoseconds @ 0..=999_999_999) = u32::try_from(time.nanoseconds) else {
        return Err(cx.argument_error("nanosecond part out of range"));
    };
    let made = core_classes::time::local_time(cx, time.seconds, nanoseconds);
    match offset {
        i32::MAX => send(cx, made, "localtime", &[]),
        n if n == i32::MAX - 1 => send(cx, made, "utc", &[]),
        n if (-86400..=86400).contains(&n) => send(cx, made, "localtime", &[Value::fixnum(n as i64)]),
        _ => Err(cx.argument_error("utc_offset out of range")),
    }
}

pub fn rb_time_num_new(cx: &mut Cx, number: Value, offset: Value) -> R {
    let made = send_to(cx, "Time", "at", &[number])?;
    if offset.is_nil() { Ok(made) } else { send(cx, made, "localtime", &[offset]) }
}

/// Seconds and nanoseconds of a Time or a number.
fn parts(cx: &mut Cx, v: Value, is_interval: bool) -> R<(i64, i64)> {
    if object::class::is_known(cx, v, runtime::Known::Time) && !is_interval {
        let seconds = send(cx, v, "to_i", &[])?;
        let nanoseconds = send(cx, v, "nsec", &[])?;
        return Ok((convert::to_i64(cx, seconds)?, convert::to_i64(cx, nanoseconds)?));
    }
    let what = if is_interval { "time interval" } else { "time" };
    if !object::class::is_known(cx, v, runtime::Known::Numeric) {
        let class = runtime::error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {class} into {what}")));
    }
    if is_interval && send(cx, v, "<", &[Value::fixnum(0)])?.truthy() {
        return Err(cx.argument_error("time interval must not be negative"));
    }
    let time = send_to(cx, "Time", "at", &[v])?;
    parts(cx, time, false)
}

pub fn rb_time_interval(cx: &mut Cx, v: Value) -> R<Timeval> {
    let (seconds, nanoseconds) = parts(cx, v, true)?;
    Ok(Timeval { seconds, microseconds: nanoseconds / 1000 })
}

pub fn rb_time_timeval(cx: &mut Cx, v: Value) -> R<Timeval> {
    let (seconds, nanoseconds) = parts(cx, v, false)?;
    Ok(Timeval { seconds, microseconds: nanoseconds / 1000 })
}

pub fn rb_time_timespec(cx: &mut Cx, v: Value) -> R<Timespec> {
    let (seconds, nanoseconds) = parts(cx, v, false)?;
    Ok(Timespec { seconds, nanoseconds })
}

pub fn rb_time_timespec_interval(cx: &mut Cx, v: Value) -> R<Timespec> {
    let (seconds, nanoseconds) = parts(cx, v, true)?;
    Ok(Timespec { seconds, nanoseconds })
}

pub fn rb_timespec_now(to: *mut Timespec) {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    given::write(to, Timespec { seconds: now.as_secs() as i64, nanoseconds: now.subsec_nanos() as i64 });
}

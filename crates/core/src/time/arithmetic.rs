//! Order, sums, differences, rounding, and conversions to numbers.

use std::cmp::Ordering;

use object::bigint;
use runtime::{Args, Cx, Known, R, Value, call, convert, recursion, sym};

use super::instant::{Instant, exact_number, float_nanos};
use super::zone::seen_by;
use super::{TimeData, Zone, get, new, of};
use crate::integer::{self, hash_value};
use crate::numeric::ops::{self, Kind, flo, kind};
use crate::rational;

/// `to_i → integer`: whole seconds since 1970-01-01 00:00 UTC, rounded down. Alias: `tv_sec`.
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    let at = of(cx, args.me())?.at;
    Ok(bigint::from_i128(cx, at.seconds))
}

/// `to_f → float`: seconds since 1970-01-01 00:00 UTC, rounded to a Float.
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    let at = of(cx, args.me())?.at;
    let f = at.to_f64(cx)?;
    flo(cx, f)
}

/// `to_r → rational`: seconds since 1970-01-01 00:00 UTC, exact.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    let at = of(cx, args.me())?.at;
    let exact = at.to_exact(cx)?;
    Ok(if kind(exact) == Kind::Integer { rational::whole(cx, exact) } else { exact })
}

/// `usec → integer`: whole microseconds of the second. Alias: `tv_usec`.
pub fn usec(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(i64::from(of(cx, args.me())?.at.nanos / 1000)))
}

/// `nsec → integer`: whole nanoseconds of the second. Alias: `tv_nsec`.
pub fn nsec(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(of(cx, args.me())?.at.nanos.into()))
}

/// `subsec → number`: the fraction of the second, exactly: 0 or a Rational.
pub fn subsec(cx: &mut Cx, args: Args) -> R {
    of(cx, args.me())?.at.fraction(cx)
}

fn order(cx: &mut Cx, a: Instant, b: Instant) -> R<Ordering> {
    let order = (a.seconds, a.nanos).cmp(&(b.seconds, b.nanos));
    if order != Ordering::Equal || (a.is_plain() && b.is_plain()) { Ok(order) } else { call::compare(cx, a.sub, b.sub) }
}

/// `self <=> other → -1, 0, 1 or nil`: compares the exact instants. Objects of other classes are compared by their own
/// `<=>`.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    let a = of(cx, me)?.at;
    if let Some(b) = get(other) {
        return Ok(Value::fixnum(order(cx, a, b.at)? as i64));
    }
    let answer = recursion::guard(cx, sym::COMPARE, me, other, |cx| call::send(cx, other, sym::COMPARE, &[me]))?;
    match answer {
        None => Ok(Value::NIL),
        Some(v) if v.is_nil() => Ok(Value::NIL),
        Some(v) => {
            let order = call::comparison_result(cx, v, me, other)?;
            Ok(Value::fixnum(order.reverse() as i64))
        }
    }
}

/// `eql?(other) → true or false`: whether `other` is a Time at the same instant, including fractions of nanoseconds;
/// the zone is ignored.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let a = of(cx, args.me())?.at;
    match get(args.at(0)) {
        Some(b) => Ok(Value::bool(order(cx, a, b.at)? == Ordering::Equal)),
        None => Ok(Value::FALSE),
    }
}

/// `hash → integer`: equal for times that are `eql?`.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let at = of(cx, args.me())?.at;
    let sub = if at.is_plain() { 0 } else { runtime::keys::hash_of(cx, at.sub)? };
    let word = (at.seconds as u64).rotate_left(30) ^ u64::from(at.nanos) ^ sub;
    Ok(hash_value(object::hash::mix(cx, word)))
}

/// A Time at another instant, in the same zone.
fn moved(cx: &mut Cx, data: TimeData, by: Value) -> R {
    let at = data.at.plus(cx, by)?;
    moved_to(cx, data, at)
}

/// The instant at a distance of a Float of seconds, if that is a whole number of nanoseconds.
fn moved_by_float(data: TimeData, by: Value, sign: i128) -> Option<Instant> {
    let nanos = if convert::is_float(by) { float_nanos(object::float::value(by))? } else { return None };
    data.at.plus_nanos(sign * nanos)
}

/// A Time at another instant, in the same zone.
fn moved_to(cx: &mut Cx, data: TimeData, at: Instant) -> R {
    let zone = match data.zone {
        Zone::Determined(offset) if !offset.is_fixed() => Zone::Local,
        Zone::Object { zone, .. } => match seen_by(cx, zone, at)? {
            Some(seen) => seen,
            None => data.zone,
        },
        other => other,
    };
    let class = cx.class(Known::Time);
    Ok(new(cx, class, at, zone))
}

/// `self + seconds → time`: the time `seconds` later, exactly, in the same zone. TypeError for another Time.
pub fn plus(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    if get(args.at(0)).is_some() {
        return Err(cx.type_error("time + time?"));
    }
    if let Some(at) = moved_by_float(data, args.at(0), 1) {
        return moved_to(cx, data, at);
    }
    let by = exact_number(cx, args.at(0))?;
    moved(cx, data, by)
}

/// `self - seconds → time`, `self - time → float`: the time `seconds` earlier, in the same zone, or the seconds between
/// two times.
pub fn minus(cx: &mut Cx, args: Args) -> R {
    let data = of(cx, args.me())?;
    if let Some(other) = get(args.at(0)) {
        let f = difference(cx, data.at, other.at)?;
        return flo(cx, f);
    }
    if let Some(at) = moved_by_float(data, args.at(0), -1) {
        return moved_to(cx, data, at);
    }
    let by = exact_number(cx, args.at(0))?;
    let by = ops::neg(cx, by)?;
    moved(cx, data, by)
}

fn difference(cx: &mut Cx, a: Instant, b: Instant) -> R<f64> {
    if a.is_plain() && b.is_plain() {
        let mut seconds = a.seconds - b.seconds;
        let mut nanos = i64::from(a.nanos) - i64::from(b.nanos);
        if nanos < 0 {
            seconds -= 1;
            nanos += 1_000_000_000;
        }
        return Instant { seconds, nanos: nanos as u32, sub: Value::fixnum(0) }.to_f64(cx);
    }
    let (a, b) = (a.to_exact(cx)?, b.to_exact(cx)?);
    let difference = ops::sub(cx, a, b)?;
    convert::to_f64(cx, difference)
}

/// The part below the last digit, and the unit of the last digit.
fn beyond(cx: &mut Cx, args: Args) -> R<(TimeData, Value, Value)> {
    let data = of(cx, args.me())?;
    let digits = match args.non_nil(0) {
        None => 0,
        Some(v) => convert::to_i64(cx, v)?,
    };
    if digits < 0 {
        return Err(cx.argument_error("negative ndigits given"));
    }
    let fraction = data.at.fraction(cx)?;
    if digits == 0 {
        return Ok((data, fraction, Value::fixnum(1)));
    }
    let power = integer::pow(cx, Value::fixnum(10), Value::fixnum(digits))?;
    let unit = rational::new(cx, Value::fixnum(1), power)?;
    let rest = if ops::is_exact_zero(fraction) {
        fraction
    } else {
        let quotient = rational::div(cx, fraction, unit)?;
        let whole = call::send(cx, quotient, sym::FLOOR, &[])?;
        let whole = ops::mul(cx, unit, whole)?;
        ops::sub(cx, fraction, whole)?
    };
    Ok((data, rest, unit))
}

/// `round(digits = 0) → time`: rounded to `digits` digits of the second, halves upwards. ArgumentError for a negative
/// number.
pub fn round(cx: &mut Cx, args: Args) -> R {
    let (data, rest, unit) = beyond(cx, args)?;
    let twice = ops::mul(cx, rest, Value::fixnum(2))?;
    let gap = ops::sub(cx, twice, unit)?;
    let by = if ops::is_negative(cx, gap)? { ops::neg(cx, rest)? } else { ops::sub(cx, unit, rest)? };
    moved(cx, data, by)
}

/// `floor(digits = 0) → time`: rounded down to `digits` digits of the second. ArgumentError for a negative number.
pub fn floor(cx: &mut Cx, args: Args) -> R {
    let (data, rest, _) = beyond(cx, args)?;
    let by = ops::neg(cx, rest)?;
    moved(cx, data, by)
}

/// `ceil(digits = 0) → time`: rounded up to `digits` digits of the second. ArgumentError for a negative number.
pub fn ceil(cx: &mut Cx, args: Args) -> R {
    let (data, rest, unit) = beyond(cx, args)?;
    let by = if ops::is_zero(cx, rest)? { Value::fixnum(0) } else { ops::sub(cx, unit, rest)? };
    moved(cx, data, by)
}

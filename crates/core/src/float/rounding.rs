//! Rounding to digits.

use numeric::{
    big::Error,
    float::{self, Rounded},
};
use object::float::value;
use runtime::{Args, Cx, R, Value};

use crate::numeric::{
    ops::{self, flo, give},
    rounding,
};

fn rounded(cx: &mut Cx, result: Result<Rounded, Error>) -> R {
    match result {
        Ok(Rounded::Float(f)) => flo(cx, f),
        Ok(Rounded::Integer(n)) => give(cx, n),
        Err(e) => Err(ops::raise(cx, e)),
    }
}

/// The nearest integer by `round`, if it is small and no digits are requested.
fn near(args: Args, round: impl Fn(f64) -> f64) -> Option<Value> {
    let f = value(args.me());
    let plain = args.is_empty() && args.keywords().is_none() && f.abs() < 4e15;
    plain.then(|| Value::fixnum(round(f) as i64))
}

/// The multiple of a power of ten that `whole` and `rest` give: a small number is made whole, and what `rest` takes
/// from it, for this power of ten, is subtracted.
fn in_tens(args: Args, whole: impl Fn(f64) -> f64, rest: impl Fn(i64, i64) -> i64) -> Option<Value> {
    let f = value(args.me());
    let places = args.opt(0)?.as_fixnum().filter(|places| (-15..0).contains(places))?;
    if args.keywords().is_some() || f.is_nan() || f.abs() >= 4e15 {
        return None;
    }
    let (whole, step) = (whole(f) as i64, 10i64.pow(places.unsigned_abs() as u32));
    Some(Value::fixnum(whole - rest(whole, step)))
}

/// `floor(digits = 0) → integer or float`: the largest number with `digits` decimal places that is not above the
/// receiver, an Integer unless `digits` is positive. FloatDomainError for NaN and infinities if the result is an
/// Integer.
pub fn floor(cx: &mut Cx, args: Args) -> R {
    if let Some(n) = near(args, f64::floor).or_else(|| in_tens(args, f64::floor, i64::rem_euclid)) {
        return Ok(n);
    }
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::floor(value(args.me()), digits))
}

/// `ceil(digits = 0) → integer or float`: the smallest number with `digits` decimal places that is not below the
/// receiver, an Integer unless `digits` is positive. FloatDomainError for NaN and infinities if the result is an
/// Integer.
pub fn ceil(cx: &mut Cx, args: Args) -> R {
    let rest = |whole: i64, step| -(-whole).rem_euclid(step);
    if let Some(n) = near(args, f64::ceil).or_else(|| in_tens(args, f64::ceil, rest)) {
        return Ok(n);
    }
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::ceil(value(args.me()), digits))
}

/// `truncate(digits = 0) → integer or float`: the number cut after `digits` decimal places, an Integer unless `digits`
/// is positive. FloatDomainError for NaN and infinities if the result is an Integer.
pub fn truncate(cx: &mut Cx, args: Args) -> R {
    if let Some(n) = near(args, f64::trunc).or_else(|| in_tens(args, f64::trunc, |whole, step| whole % step)) {
        return Ok(n);
    }
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::truncate(value(args.me()), digits))
}

/// `round(digits = 0, half: :up) → integer or float`: the nearest number with `digits` decimal places; `half` selects
/// how ties are rounded: `:up` away from 0, `:down` or `:even`. FloatDomainError for NaN and infinities if the result
/// is an Integer.
pub fn round(cx: &mut Cx, args: Args) -> R {
    if let Some(n) = near(args, f64::round) {
        return Ok(n);
    }
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    let half = rounding::half(cx, args)?;
    rounded(cx, float::round(value(args.me()), digits, half))
}

//! Rounding to whole numbers and to digits.

use numeric::{
    big::{self, Error, Half, Int, Integer},
    rational::round as round_fraction,
};
use runtime::{Args, Cx, R, Value};

use super::{new, parts};
use crate::numeric::{
    ops::{self, Kind, give_result, int, kind},
    rounding,
};

fn down(n: Int, d: Int) -> Result<Integer, Error> {
    big::div(n, d)
}

fn up(n: Int, d: Int) -> Result<Integer, Error> {
    big::ceildiv(n, d)
}

fn towards_zero(n: Int, d: Int) -> Result<Integer, Error> {
    if n.is_negative() { up(n, d) } else { down(n, d) }
}

/// Rounds to digits: an Integer if they are 0, negative or missing, otherwise a Rational.
fn rounded(cx: &mut Cx, args: Args, whole: impl Fn(Int, Int) -> Result<Integer, Error>) -> R {
    let (n, d) = parts(args.me());
    let Some(digits) = args.opt(0) else { return give_result(cx, whole(int(&n), int(&d))) };
    if kind(digits) != Kind::Integer {
        return Err(cx.type_error("not an integer"));
    }
    let Some(places) = digits.as_fixnum() else { return Err(cx.range_error("bignum too big to convert into 'int'")) };
    let power = big::Error::ExponentTooLarge;
    let power = match i32::try_from(places) {
        Ok(_) => ops::interruptible(cx, |interrupt| big::pow(Int::Fix(10), Int::Fix(places.abs()), interrupt))?,
        Err(_) => return Err(ops::raise(cx, power)),
    };
    let result = if places < 0 {
        big::mul(int(&d), power.as_int())
            .and_then(|d| whole(int(&n), d.as_int()))
            .and_then(|n| big::mul(n.as_int(), power.as_int()))
    } else {
        big::mul(int(&n), power.as_int()).and_then(|n| whole(n.as_int(), int(&d)))
    };
    let result = give_result(cx, result)?;
    if places < 1 {
        return Ok(result);
    }
    let power = ops::give(cx, power)?;
    new(cx, result, power)
}

/// `to_i → integer`: without the fraction, towards zero.
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    let (n, d): (Value, Value) = parts(args.me());
    give_result(cx, towards_zero(int(&n), int(&d)))
}

/// `floor(digits = 0) → integer or rational`: the largest number with `digits` decimal places that is not above the
/// receiver; an Integer unless `digits` is positive.
pub fn floor(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, down)
}

/// `ceil(digits = 0) → integer or rational`: the smallest number with `digits` decimal places that is not below the
/// receiver; an Integer unless `digits` is positive.
pub fn ceil(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, up)
}

/// `truncate(digits = 0) → integer or rational`: the number cut after `digits` decimal places; an Integer unless
/// `digits` is positive.
pub fn truncate(cx: &mut Cx, args: Args) -> R {
    rounded(cx, args, towards_zero)
}

/// `round(digits = 0, half: nil) → integer or rational`: the nearest number with `digits` decimal places, an Integer
/// unless `digits` is positive; `half` selects how ties are rounded: `:up` away from 0, `:down` or `:even`.
pub fn round(cx: &mut Cx, args: Args) -> R {
    let half: Half = rounding::half(cx, args)?;
    rounded(cx, args, |n, d| round_fraction(n, d, half))
}

//! Rounding to digits.

use numeric::{
    big::Error,
    float::{self, Rounded},
};
use object::float::value;
use runtime::{Args, Cx, R};

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

pub fn floor(cx: &mut Cx, args: Args) -> R {
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::floor(value(args.me()), digits))
}

pub fn ceil(cx: &mut Cx, args: Args) -> R {
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::ceil(value(args.me()), digits))
}

pub fn truncate(cx: &mut Cx, args: Args) -> R {
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    rounded(cx, float::truncate(value(args.me()), digits))
}

/// `round(digits = 0, half: :up)`
pub fn round(cx: &mut Cx, args: Args) -> R {
    let digits = rounding::digits(cx, args)?.unwrap_or(0);
    let half = rounding::half(cx, args)?;
    rounded(cx, float::round(value(args.me()), digits, half))
}

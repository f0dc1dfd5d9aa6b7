//! Rounding to powers of ten.

use numeric::big;
use runtime::{Args, Cx, R};

use crate::numeric::{
    ops::{give_result, int},
    rounding,
};

/// `floor(digits = 0) → integer`: the largest multiple of 10 to the power of `-digits` that is not above the receiver;
/// the receiver itself for 0 and positive digits.
pub fn floor(cx: &mut Cx, args: Args) -> R {
    match rounding::digits(cx, args)? {
        Some(digits) if digits < 0 => give_result(cx, big::floor(int(&args.me()), digits.into())),
        _ => Ok(args.me()),
    }
}

/// `ceil(digits = 0) → integer`: the smallest multiple of 10 to the power of `-digits` that is not below the receiver;
/// the receiver itself for 0 and positive digits.
pub fn ceil(cx: &mut Cx, args: Args) -> R {
    match rounding::digits(cx, args)? {
        Some(digits) if digits < 0 => give_result(cx, big::ceil(int(&args.me()), digits.into())),
        _ => Ok(args.me()),
    }
}

/// `truncate(digits = 0) → integer`: replaces the last `-digits` digits by 0; the receiver for 0 and positive digits.
pub fn truncate(cx: &mut Cx, args: Args) -> R {
    match rounding::digits(cx, args)? {
        Some(digits) if digits < 0 => give_result(cx, big::truncate(int(&args.me()), digits.into())),
        _ => Ok(args.me()),
    }
}

/// `round(digits = 0, half: :up) → integer`: the nearest multiple of 10 to the power of `-digits`; `half` selects how
/// ties are rounded: `:up` away from 0, `:down` or `:even`. The receiver for 0 and positive digits.
pub fn round(cx: &mut Cx, args: Args) -> R {
    let Some(digits) = rounding::digits(cx, args)? else { return Ok(args.me()) };
    let half = rounding::half(cx, args)?;
    match digits {
        digits if digits < 0 => give_result(cx, big::round(int(&args.me()), digits.into(), half)),
        _ => Ok(args.me()),
    }
}

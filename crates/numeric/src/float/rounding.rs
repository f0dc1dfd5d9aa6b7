//! `floor`, `ceil`, `round`, `truncate` to digits.
//!
//! Up to 14 digits after the point the power of ten is scaled in and out again, with a correction for the error of
//! scaling, as in CRuby. From 15 digits on the decimal expansion is exact.

use super::parts::to_fraction;
use crate::big::{self, Error, Half, Int, Integer, never};

/// An Integer if the digits were 0 or negative.
#[derive(Clone, Debug, PartialEq)]
pub enum Rounded {
    Float(f64),
    Integer(Integer),
}

const POWERS: [f64; 15] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14];

/// A power of ten by which scaling is accurate enough.
fn scale(ndigits: i32) -> Option<f64> {
    POWERS.get(usize::try_from(ndigits).ok()?).copied()
}

/// `value.floor(ndigits)`.
///
/// # Errors [`Error::NotFinite`] if the result would be an Integer; see also [`big::floor`].
pub fn floor(value: f64, ndigits: i32) -> Result<Rounded, Error> {
    if ndigits <= 0 {
        let whole = big::from_f64(value.floor())?;
        return big::floor(whole.as_int(), ndigits.into()).map(Rounded::Integer);
    }
    Ok(Rounded::Float(match place(value, ndigits) {
        Place::Keep => value,
        Place::Zero if value > 0.0 => 0.0,
        _ => match scale(ndigits) {
            Some(scale) => {
                let scaled = (value * scale).floor();
                let above = (scaled + 1.0) / scale;
                if above > value { scaled / scale } else { above }
            }
            None => exactly(value, ndigits, big::div)?,
        },
    }))
}

/// `value.ceil(ndigits)`.
pub fn ceil(value: f64, ndigits: i32) -> Result<Rounded, Error> {
    if ndigits <= 0 {
        let whole = big::from_f64(value.ceil())?;
        return big::ceil(whole.as_int(), ndigits.into()).map(Rounded::Integer);
    }
    Ok(Rounded::Float(match place(value, ndigits) {
        Place::Keep => value,
        Place::Zero if value < 0.0 => 0.0,
        _ => match scale(ndigits) {
            Some(scale) => (value * scale).ceil() / scale,
            None => exactly(value, ndigits, big::ceildiv)?,
        },
    }))
}

/// `value.truncate(ndigits)`.
pub fn truncate(value: f64, ndigits: i32) -> Result<Rounded, Error> {
    if value.is_sign_negative() { ceil(value, ndigits) } else { floor(value, ndigits) }
}

/// `value.round(ndigits, half:)`.
pub fn round(value: f64, ndigits: i32, half: Half) -> Result<Rounded, Error> {
    if ndigits < 0 {
        return big::round(big::from_f64(value)?.as_int(), ndigits.into(), half).map(Rounded::Integer);
    }
    if ndigits == 0 {
        return big::from_f64(round_scaled(value, 1.0, half)).map(Rounded::Integer);
    }
    Ok(Rounded::Float(match place(value, ndigits) {
        Place::Keep => value,
        Place::Zero => 0.0,
        Place::Within => match scale(ndigits) {
            Some(scale) => round_scaled(value, scale, half) / scale,
            None => exactly(value, ndigits, |numerator, denominator| round_quotient(numerator, denominator, half))?,
        },
    }))
}

enum Place {
    /// All digits of the number are before the requested place. Also for zeros, infinities and NaN.
    Keep,
    /// All digits are certainly after the requested place.
    Zero,
    Within,
}

/// Compares the place with bounds of the number's decimal exponent, from its binary one: 10 is between 2^3 and 2^4.
fn place(value: f64, ndigits: i32) -> Place {
    if value == 0.0 || !value.is_finite() {
        return Place::Keep;
    }
    let (_, exponent) = libm::frexp(value);
    let (lower, upper) = if exponent > 0 { (exponent / 4, exponent / 3 + 1) } else { (exponent / 3 - 1, exponent / 4) };
    if ndigits >= 17 - lower {
        Place::Keep
    } else if ndigits < -upper {
        Place::Zero
    } else {
        Place::Within
    }
}

/// `value * scale` rounded to an integer. Corrects the error of scaling: if a neighbour, scaled back, is on the value's
/// side of the half, the result is that neighbour.
fn round_scaled(value: f64, scale: f64, half: Half) -> f64 {
    if half == Half::Even {
        return round_half_even(value, scale);
    }
    let magnitude = value.abs();
    let mut rounded = (magnitude * scale).round();
    match half {
        Half::Down if (rounded - 0.5) / scale >= magnitude => rounded -= 1.0,
        Half::Up if scale != 1.0 && (rounded + 0.5) / scale <= magnitude => rounded += 1.0,
        _ => {}
    }
    rounded.copysign(value)
}

/// The whole part and the fraction are scaled apart, so that a half is recognized as one.
fn round_half_even(value: f64, scale: f64) -> f64 {
    let magnitude = value.abs();
    let whole = magnitude.trunc() * scale;
    let fraction = (magnitude - magnitude.trunc()) * scale;
    let below = whole + fraction.floor();
    let rest = fraction - fraction.floor();
    let up = if rest > 0.5 {
        1.0
    } else if rest == 0.5 || (below + 0.5) / scale <= magnitude {
        below % 2.0
    } else {
        0.0
    };
    (whole + (fraction.floor() + up)).copysign(value)
}

/// Rounds `value * 10^ndigits` as a fraction, and returns the float nearest to the result divided by the same power.
fn exactly(value: f64, ndigits: i32, divide: impl Fn(Int, Int) -> Result<Integer, Error>) -> Result<f64, Error> {
    let (numerator, denominator) = to_fraction(value)?;
    let power = big::pow(Int::Fix(10), Int::Fix(ndigits.into()), &mut never)?;
    let scaled = big::mul(numerator.as_int(), power.as_int())?;
    let whole = divide(scaled.as_int(), denominator.as_int())?;
    Ok(big::fdiv(whole.as_int(), power.as_int()))
}

/// The denominator is positive.
pub(crate) fn round_quotient(numerator: Int, denominator: Int, half: Half) -> Result<Integer, Error> {
    let magnitude = big::abs(numerator);
    let (quotient, rest) = big::divmod(magnitude.as_int(), denominator)?;
    let gap = big::sub(denominator, rest.as_int());
    let up = match big::cmp(rest.as_int(), gap.as_int()) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Equal => match half {
            Half::Up => true,
            Half::Down => false,
            Half::Even => quotient.as_int().is_odd(),
        },
    };
    let rounded = if up { big::add(quotient.as_int(), Int::Fix(1)) } else { quotient };
    Ok(if numerator.is_negative() { big::neg(rounded.as_int()) } else { rounded })
}

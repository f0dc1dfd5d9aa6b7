//! Conversion between integers and floats, exact or correctly rounded.

use super::arithmetic::{div, gcd};
use super::integer::{Error, Int, Integer};
use dashu_int::IBig;

/// The floats whose integer part fits an `i64`: -2^63 and 2^63, which floats hold exactly.
pub(crate) const FITS_I64: std::ops::Range<f64> = i64::MIN as f64..-(i64::MIN as f64);

/// The nearest float, ties to even; infinite beyond the largest.
pub fn to_f64(a: Int) -> f64 {
    match a {
        Int::Fix(n) => n as f64,
        Int::Big(big) => {
            let (mantissa, exponent) = top_bits(big.trimmed());
            let magnitude = match exponent {
                // `mantissa as f64` may be 2^64, so that the product overflows if it should.
                0..=960 => mantissa as f64 * power_of_two(exponent as i32),
                _ => f64::INFINITY,
            };
            if big.negative { -magnitude } else { magnitude }
        }
    }
}

/// The top 64 bits, with the lowest one set if any bit below is set (which is enough to round any narrower format
/// correctly), and the exponent of two by which they must be scaled.
fn top_bits(limbs: &[u64]) -> (u64, u64) {
    let [rest @ .., top] = limbs else { return (0, 0) };
    let Some((&next, low)) = rest.split_last() else { return (*top, 0) };
    let shift = top.leading_zeros();
    let both = (u128::from(*top) << 64 | u128::from(next)) << shift;
    let sticky = both as u64 != 0 || low.iter().any(|&limb| limb != 0);
    ((both >> 64) as u64 | u64::from(sticky), limbs.len() as u64 * 64 - u64::from(shift) - 64)
}

/// Exactly 2^exponent, for exponents of normal floats.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The integer part, exactly.
///
/// # Errors
/// [`Error::NotFinite`] for infinities and NaN.
pub fn from_f64(value: f64) -> Result<Integer, Error> {
    if !value.is_finite() {
        return Err(Error::NotFinite(value));
    }
    let whole = value.trunc();
    if FITS_I64.contains(&whole) {
        return Ok(Integer::from(whole as i64));
    }
    let bits = whole.to_bits();
    let mantissa = (bits & ((1 << 52) - 1) | 1 << 52) as i64;
    let exponent = ((bits >> 52) & 0x7ff) as usize - 1075;
    let magnitude = IBig::from(mantissa) << exponent;
    Ok(Integer::from_ibig(if value < 0.0 { -magnitude } else { magnitude }))
}

/// `a.fdiv(b)`, as CRuby rounds it: a divisor that a float holds exactly, once the fraction is reduced, divides the
/// float nearest to the dividend; other quotients are rounded once.
pub fn fdiv(a: Int, b: Int) -> f64 {
    let is_exact = |n: Int| n.magnitude_bits() <= 53;
    if b.is_zero() || a.is_zero() || is_exact(a) && is_exact(b) {
        return to_f64(a) / to_f64(b);
    }
    let common = gcd(a, b);
    let reduced = |n: Int| div(n, common.as_int()).unwrap_or_else(|_| n.to_integer());
    let (a, b) = (reduced(a), reduced(b));
    let (a, b) = (a.as_int(), b.as_int());
    let dividend = to_f64(a);
    if is_exact(b) && dividend.is_finite() {
        return dividend / to_f64(b);
    }
    let negative = a.is_negative() != b.is_negative();
    // The operands are scaled so that the integer quotient has 64 to 66 bits; the lowest bit is set if the remainder is
    // not 0.
    let scale = 65 - (a.magnitude_bits() as i64 - b.magnitude_bits() as i64);
    let (mut dividend, mut divisor) = (magnitude(a), magnitude(b));
    if scale >= 0 {
        dividend <<= scale as usize;
    } else {
        divisor <<= scale.unsigned_abs() as usize;
    }
    let (quotient, rest) = super::arithmetic::divmod_ibig(dividend, &divisor);
    let quotient = quotient.as_sign_words().1.iter().rev().fold(0u128, |sum, &limb| sum << 64 | u128::from(limb));
    let magnitude = scaled(quotient | u128::from(!rest.is_zero()), -scale);
    if negative { -magnitude } else { magnitude }
}

fn magnitude(a: Int) -> IBig {
    let loaded = a.load();
    if a.is_negative() { -loaded } else { loaded }
}

/// `mantissa * 2^exponent`, rounded once, to the last place that a float of that size has (subnormals included).
fn scaled(mantissa: u128, exponent: i64) -> f64 {
    let bits = 128 - i64::from(mantissa.leading_zeros());
    let top = exponent + bits - 1;
    if top > 1023 {
        return f64::INFINITY;
    }
    let last_place = (top - 52).max(-1074);
    let drop = last_place - exponent;
    if drop <= 0 {
        return libm::ldexp(mantissa as f64, exponent as i32);
    }
    if drop > bits {
        return 0.0;
    }
    let half = 1u128 << (drop - 1);
    let (kept, lost) = (mantissa >> drop, mantissa & ((half << 1) - 1));
    let up = lost > half || (lost == half && kept & 1 == 1);
    libm::ldexp((kept + u128::from(up)) as f64, last_place as i32)
}

/// The magnitude's top 53 bits, truncated, as a float, and its power-of-two scale: the basis of `Math.log` for integers
/// beyond the floats.
pub fn top_53_bits(a: Int) -> (f64, u64) {
    match a {
        Int::Fix(n) => (n.unsigned_abs() as f64, 0),
        Int::Big(big) => {
            let (mantissa, exponent) = top_bits(big.trimmed());
            ((mantissa >> 11) as f64, exponent + 11)
        }
    }
}

//! The exact decomposition of a float, and its neighbours.

use crate::big::{self, Error, Int, Integer};

/// `to_r`: numerator and denominator in lowest terms.
///
/// # Errors
/// [`Error::NotFinite`].
pub fn to_fraction(value: f64) -> Result<(Integer, Integer), Error> {
    let (mantissa, exponent) = decode(value)?;
    let (mantissa, exponent) = match mantissa {
        0 => (0, 0),
        mantissa => {
            let twos = mantissa.trailing_zeros().min(exponent.min(0).unsigned_abs());
            (mantissa >> twos, exponent + twos as i32)
        }
    };
    let width = Int::Fix(i64::from(exponent.unsigned_abs()));
    Ok(if exponent >= 0 {
        (big::shl(Int::Fix(mantissa), width)?, Integer::Fix(1))
    } else {
        (Integer::from(mantissa), big::shl(Int::Fix(1), width)?)
    })
}

/// The value as `mantissa * 2^exponent`.
pub(crate) fn decode(value: f64) -> Result<(i64, i32), Error> {
    if !value.is_finite() {
        return Err(Error::NotFinite(value));
    }
    let bits = value.to_bits();
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = match (bits >> 52) as i32 & 0x7ff {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    };
    Ok((if value.is_sign_negative() { -mantissa } else { mantissa }, exponent))
}

pub fn next_float(value: f64) -> f64 {
    value.next_up()
}

pub fn prev_float(value: f64) -> f64 {
    value.next_down()
}

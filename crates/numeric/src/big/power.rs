//! Powers, with the size bound of Ruby 4.0.

use super::integer::{Error, Int, Integer, Interrupt, MAX_BITS};
use dashu_int::ops::Abs;
use dashu_int::{IBig, Sign};

/// Below this many bits a power is computed in one call.
const UNINTERRUPTED_BITS: u64 = 1 << 20;

/// An upper bound of the bits of `base ** exponent`; `None` if beyond `u64`.
pub fn pow_bits_estimate(base: Int, exponent: u64) -> Option<u64> {
    match base.to_i64() {
        Some(-1..=1) => Some(1),
        _ => base.magnitude_bits().checked_mul(exponent),
    }
}

/// `base ** exponent` for an exponent that is not negative (for a negative one the caller makes `Rational(1, …)` of the
/// power with `-exponent`).
///
/// # Errors [`Error::ExponentTooLarge`] if the result could be longer than [`MAX_BITS`]; [`Error::NegativeExponent`];
/// [`Error::Interrupted`].
pub fn pow(base: Int, exponent: Int, interrupt: Interrupt) -> Result<Integer, Error> {
    if exponent.is_negative() {
        return Err(Error::NegativeExponent);
    }
    match (base.to_i64(), exponent.is_zero()) {
        (_, true) | (Some(1), _) => return Ok(Integer::Fix(1)),
        (Some(0), _) => return Ok(Integer::Fix(0)),
        (Some(-1), _) => return Ok(Integer::Fix(if exponent.is_odd() { -1 } else { 1 })),
        _ => {}
    }
    let exponent = exponent.to_u64().ok_or(Error::ExponentTooLarge)?;
    if let Some(small) = base.to_i64()
        && let Ok(narrow) = u32::try_from(exponent)
        && let Some(power) = small.checked_pow(narrow)
    {
        return Ok(Integer::from(power));
    }
    let bits = pow_bits_estimate(base, exponent).filter(|&bits| bits <= MAX_BITS).ok_or(Error::ExponentTooLarge)?;
    let base = base.load();
    if bits <= UNINTERRUPTED_BITS {
        return Ok(Integer::from_ibig(base.pow(exponent as usize)));
    }
    pow_in_steps(base, exponent, interrupt).map(Integer::from_ibig)
}

/// Square and multiply from the top bit; the power of two in the base is split off, so that `2 ** n` is one shift.
fn pow_in_steps(base: IBig, exponent: u64, interrupt: Interrupt) -> Result<IBig, Error> {
    let twos = base.trailing_zeros().unwrap_or(0);
    let odd = base >> twos;
    let mut power = IBig::ONE;
    if odd.clone().abs() != IBig::ONE {
        for bit in (0..64 - exponent.leading_zeros()).rev() {
            if interrupt() {
                return Err(Error::Interrupted);
            }
            power = power.sqr().into();
            if exponent >> bit & 1 == 1 {
                power *= &odd;
            }
        }
    } else if odd.sign() == Sign::Negative && exponent & 1 == 1 {
        power = -power;
    }
    Ok(power << (twos * exponent as usize))
}

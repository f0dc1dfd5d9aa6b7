//! Powers, with the size bound of Ruby 4.0.

use super::arithmetic::divmod_ibig;
use super::integer::{Error, Int, Integer, Interrupt, MAX_BITS};
use dashu_int::ops::{Abs, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig, fast_div::ConstDivisor};

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

/// `base.pow(exponent, modulus)`: has the sign of the modulus.
pub fn powmod(base: Int, exponent: Int, modulus: Int) -> Result<Integer, Error> {
    if exponent.is_negative() {
        return Err(Error::NegativeExponent);
    }
    if modulus.is_zero() {
        return Err(Error::ZeroDivision);
    }
    if let (Some(base), Some(exponent), Some(modulus)) = (base.to_i64(), exponent.to_u64(), modulus.to_i64()) {
        return Ok(Integer::from(powmod_small(base, exponent, modulus)));
    }
    if let (Int::Big(base), Some(exponent), Some(modulus)) = (base, exponent.to_u64(), modulus.to_i64()) {
        let residue = residue_of_limbs(base.limbs, modulus.unsigned_abs());
        let start = if base.negative && residue != 0 { modulus.unsigned_abs() - residue } else { residue };
        return Ok(Integer::from(powmod_of_residue(start, exponent, modulus)));
    }
    let modulus = modulus.load();
    let magnitude: UBig = modulus.clone().unsigned_abs();
    if magnitude.is_one() {
        // For this modulus `dashu` returns a residue of 1.
        return Ok(Integer::Fix(0));
    }
    let ring = ConstDivisor::new(magnitude.clone());
    let (_, start) = divmod_ibig(base.load(), &IBig::from(magnitude));
    let power = ring.reduce(start.unsigned_abs()).pow(&exponent.load().unsigned_abs()).residue();
    let (_, result) = divmod_ibig(IBig::from(power), &modulus);
    Ok(Integer::from_ibig(result))
}

/// `powmod` for numbers that fit words; the result has the sign of the modulus.
fn powmod_small(base: i64, exponent: u64, modulus: i64) -> i64 {
    let magnitude = modulus.unsigned_abs();
    powmod_of_residue(i128::from(base).rem_euclid(i128::from(magnitude)) as u64, exponent, modulus)
}

/// The magnitude modulo a number.
fn residue_of_limbs(limbs: &[u64], modulus: u64) -> u64 {
    match u32::try_from(modulus) {
        // Divisions of one word are faster than those of two.
        Ok(narrow) => limbs.iter().rev().fold(0, |rest, limb| {
            let high = (rest << 32 | limb >> 32) % u64::from(narrow);
            (high << 32 | limb & u64::from(u32::MAX)) % u64::from(narrow)
        }),
        Err(_) => limbs
            .iter()
            .rev()
            .fold(0, |rest, limb| ((u128::from(rest) << 64 | u128::from(*limb)) % u128::from(modulus)) as u64),
    }
}

/// The power of a number below the magnitude of the modulus.
fn powmod_of_residue(start: u64, exponent: u64, modulus: i64) -> i64 {
    let magnitude = modulus.unsigned_abs();
    let power = match u32::try_from(magnitude) {
        // Products of 32-bit numbers fit a word, whose division is faster than that of two words.
        Ok(narrow) => power_below(start, exponent, |a, b| a * b % u64::from(narrow)),
        Err(_) => power_below(start, exponent, |a, b| (u128::from(a) * u128::from(b) % u128::from(magnitude)) as u64),
    };
    let residue = power % magnitude;
    if modulus < 0 && residue != 0 { (i128::from(residue) + i128::from(modulus)) as i64 } else { residue as i64 }
}

fn power_below(base: u64, exponent: u64, multiply: impl Fn(u64, u64) -> u64) -> u64 {
    let (mut base, mut exponent, mut power) = (base, exponent, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = multiply(power, base);
        }
        exponent >>= 1;
        if exponent > 0 {
            base = multiply(base, base);
        }
    }
    power
}

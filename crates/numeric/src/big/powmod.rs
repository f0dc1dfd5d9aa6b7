//! Powers modulo a number.

use super::arithmetic::divmod_ibig;
use super::integer::{Error, Int, Integer};
use super::montgomery;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig, fast_div::ConstDivisor, monty::MontgomeryRepr};

/// Montgomery's reduction, whose cost grows with the square of the length, is faster than dividing up to this length.
const MONTGOMERY_BITS: usize = 8192;

/// Shorter exponents do not repay what preparing Montgomery's reduction costs.
const MONTGOMERY_EXPONENT_BITS: usize = 6;

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
    let (_, start) = divmod_ibig(base.load(), &IBig::from(magnitude.clone()));
    let power = power_of_residue(start.unsigned_abs(), &exponent.load().unsigned_abs(), magnitude);
    let (_, result) = divmod_ibig(IBig::from(power), &modulus);
    Ok(Integer::from_ibig(result))
}

/// The power of a number below the modulus, which is not 1.
fn power_of_residue(start: UBig, exponent: &UBig, modulus: UBig) -> UBig {
    let bits = modulus.bit_len();
    if bits > MONTGOMERY_BITS || exponent.bit_len() < MONTGOMERY_EXPONENT_BITS {
        return ConstDivisor::new(modulus).reduce(start).pow(exponent).residue();
    }
    let twos = modulus.trailing_zeros().unwrap_or(0);
    let odd = modulus >> twos;
    if twos == 0 {
        return power_of_odd(start, exponent, odd);
    }
    if odd.is_one() {
        return power_of_two(start, exponent, twos);
    }
    // The remainder theorem: the power is `high` modulo the odd part, `low` modulo the power of two.
    let low = power_of_two(start.clone(), exponent, twos);
    let high = power_of_odd(start % &odd, exponent, odd.clone());
    let mut factor = (low + negative(high.clone(), twos)) * inverse(&odd, twos);
    factor.clear_high_bits(twos);
    high + factor * odd
}

fn power_of_odd(start: UBig, exponent: &UBig, modulus: UBig) -> UBig {
    if let Some(power) = montgomery::power(&start, exponent, &modulus) {
        return power;
    }
    MontgomeryRepr::new(modulus).reduce(start).pow(exponent).residue()
}

/// The power modulo `2 ** bits`.
fn power_of_two(mut start: UBig, exponent: &UBig, bits: usize) -> UBig {
    start.clear_high_bits(bits);
    let mut exponent = exponent.clone();
    if start.bit(0) {
        // The order of an odd number divides `2 ** (bits - 1)`.
        exponent.clear_high_bits(bits - 1);
    } else if exponent >= UBig::from(bits) {
        return UBig::ZERO;
    }
    let mut power = UBig::ONE;
    for bit in (0..exponent.bit_len()).rev() {
        power = power.sqr();
        power.clear_high_bits(bits);
        if exponent.bit(bit) {
            power *= &start;
            power.clear_high_bits(bits);
        }
    }
    power
}

/// The number that gives 0 modulo `2 ** bits` when added.
fn negative(mut number: UBig, bits: usize) -> UBig {
    number.clear_high_bits(bits);
    (UBig::ONE << bits) - number
}

/// The inverse of an odd number modulo `2 ** bits`: each of Newton's steps doubles the bits that are right.
fn inverse(odd: &UBig, bits: usize) -> UBig {
    let (mut inverse, mut right) = (UBig::ONE, 1);
    while right < bits {
        right = bits.min(2 * right);
        let mut step = odd.clone();
        step.clear_high_bits(right);
        step *= &inverse;
        inverse *= UBig::from(2u8) + negative(step, right);
        inverse.clear_high_bits(right);
    }
    inverse
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
        Err(_) => power_of_residue(UBig::from(start), &UBig::from(exponent), UBig::from(magnitude))
            .as_words()
            .first()
            .copied()
            .unwrap_or(0),
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

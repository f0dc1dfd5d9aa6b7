//! Bit operations on infinite two's complement.

use super::arithmetic;
use super::integer::{BigRef, Error, Int, Integer, MAX_BITS};
use super::short;

pub fn and(a: Int, b: Int) -> Integer {
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(a & b),
        _ => short::bits(a, b, |a, b| a & b).unwrap_or_else(|| Integer::from_ibig(a.load() & b.load())),
    }
}

pub fn or(a: Int, b: Int) -> Integer {
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(a | b),
        _ => short::bits(a, b, |a, b| a | b).unwrap_or_else(|| Integer::from_ibig(a.load() | b.load())),
    }
}

pub fn xor(a: Int, b: Int) -> Integer {
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(a ^ b),
        _ => short::bits(a, b, |a, b| a ^ b).unwrap_or_else(|| Integer::from_ibig(a.load() ^ b.load())),
    }
}

pub fn not(a: Int) -> Integer {
    match a {
        Int::Fix(n) => Integer::from(!n),
        // `-a - 1`
        Int::Big(_) => short::sum(Int::Fix(-1), a, true).unwrap_or_else(|| Integer::from_ibig(!a.load())),
    }
}

/// `a << width`; a negative width shifts right.
///
/// # Errors [`Error::OutOfMemory`] if the result would be longer than [`MAX_BITS`], [`Error::ShiftTooBig`] for widths
/// from 2^66 on.
pub fn shl(a: Int, width: Int) -> Result<Integer, Error> {
    match width.to_i64() {
        Some(width @ 0..) => shift_left(a, width as u64),
        Some(width) => Ok(shift_right(a, width.unsigned_abs())),
        None if width.is_negative() => Ok(shift_right(a, u64::MAX)),
        None => shift_left_by_big(a, width),
    }
}

/// `a >> width`, rounding down; a negative width shifts left.
pub fn shr(a: Int, width: Int) -> Result<Integer, Error> {
    match width.to_i64() {
        Some(width @ 0..) => Ok(shift_right(a, width as u64)),
        Some(width) => shift_left(a, width.unsigned_abs()),
        None if width.is_negative() => shift_left_by_big(a, width),
        None => Ok(shift_right(a, u64::MAX)),
    }
}

/// A shift whose width needs 64 bits or more: CRuby's objects have fewer than 2^63 bytes.
fn shift_left_by_big(a: Int, width: Int) -> Result<Integer, Error> {
    if width.magnitude_bits() >= 67 && !a.is_zero() { Err(Error::ShiftTooBig) } else { shift_left(a, u64::MAX) }
}

fn shift_left(a: Int, width: u64) -> Result<Integer, Error> {
    if a.is_zero() {
        return Ok(Integer::Fix(0));
    }
    if width > MAX_BITS || a.magnitude_bits() + width > MAX_BITS + 1 {
        return Err(Error::OutOfMemory);
    }
    if let Int::Fix(n) = a
        && width < 64
    {
        return Ok(Integer::from(i128::from(n) << width));
    }
    Ok(short::shift_left(a, width).unwrap_or_else(|| Integer::from_ibig(a.load() << width as usize)))
}

fn shift_right(a: Int, width: u64) -> Integer {
    match a {
        Int::Fix(n) => Integer::from(n >> width.min(63)),
        Int::Big(_) if width >= a.magnitude_bits() => Integer::Fix(if a.is_negative() { -1 } else { 0 }),
        Int::Big(big) => {
            short::shift_right(big, width).unwrap_or_else(|| Integer::from_ibig(a.load() >> width as usize))
        }
    }
}

/// `a[index]`: 0 or 1.
pub fn bit(a: Int, index: Int) -> u8 {
    if index.is_negative() {
        return 0;
    }
    match index.to_u64() {
        Some(index) => bit_at(a, index),
        None => u8::from(a.is_negative()),
    }
}

fn bit_at(a: Int, index: u64) -> u8 {
    match a {
        Int::Fix(n) => (n >> index.min(63) & 1) as u8,
        Int::Big(big) => {
            let place = usize::try_from(index / 64).unwrap_or(usize::MAX);
            (twos_complement_limb(big, place) >> (index % 64) & 1) as u8
        }
    }
}

/// One limb of the infinite two's complement: `!magnitude + 1`, whose carry reaches this limb if all lower limbs are
/// zero.
pub(crate) fn twos_complement_limb(big: BigRef, place: usize) -> u64 {
    let limb = big.limbs.get(place).copied().unwrap_or(0);
    if !big.negative {
        return limb;
    }
    let below = &big.limbs[..place.min(big.limbs.len())];
    (!limb).wrapping_add(u64::from(below.iter().all(|&limb| limb == 0)))
}

/// `a[offset, len]` and `a[range]`: `(a >> offset) & ((1 << len) - 1)`; a negative `len` masks nothing, `None` is an
/// endless range.
pub fn bit_range(a: Int, offset: Int, len: Option<Int>) -> Result<Integer, Error> {
    let shifted = shr(a, offset)?;
    let Some(len) = len.filter(|len| !len.is_negative()) else { return Ok(shifted) };
    let value = shifted.as_int();
    match len.to_u64() {
        Some(len) if value.is_negative() || len < value.magnitude_bits() => {
            let mask = arithmetic::sub(shift_left(Int::Fix(1), len)?.as_int(), Int::Fix(1));
            Ok(and(value, mask.as_int()))
        }
        None if value.is_negative() => Err(Error::ShiftTooBig),
        _ => Ok(shifted),
    }
}

/// Whether the lowest `count` bits are all zero: the condition for `a[..n]` to be 0 rather than raise
/// [`Error::InfiniteBits`].
pub fn low_bits_zero(a: Int, count: u64) -> bool {
    match a {
        Int::Fix(n) => n == 0 || u64::from(n.trailing_zeros()) >= count,
        Int::Big(big) => match big.limbs.iter().position(|&limb| limb != 0) {
            None => true,
            Some(place) => place as u64 * 64 + u64::from(big.limbs[place].trailing_zeros()) >= count,
        },
    }
}

/// `Integer#bit_length`: bits of `a`, or of `~a` if it is negative.
pub fn bit_length(a: Int) -> u64 {
    match a {
        Int::Fix(n) => u64::from(64 - (n ^ (n >> 63)).leading_zeros()),
        Int::Big(big) => {
            let bits = a.magnitude_bits();
            if !big.negative {
                return bits;
            }
            let limbs = big.trimmed();
            let power_of_two = limbs.last().is_some_and(|top| top.is_power_of_two())
                && limbs[..limbs.len() - 1].iter().all(|&limb| limb == 0);
            bits - u64::from(power_of_two)
        }
    }
}

/// The number of set bits.
pub fn bit_count(a: Int) -> Result<u64, Error> {
    if a.is_negative() {
        return Err(Error::NegativeBitCount);
    }
    Ok(match a {
        Int::Fix(n) => u64::from(n.count_ones()),
        Int::Big(big) => big.limbs.iter().map(|limb| u64::from(limb.count_ones())).sum(),
    })
}

//! The decimal text of big integers.
//!
//! A number of a few limbs is divided by powers of ten that fit a limb; longer ones are split at powers of ten first.
//! The library's own text of a number of a few hundred limbs takes twice as long.

use dashu_int::UBig;
use dashu_int::ops::DivRem;
use memory::Grow;

use super::integer::{BigRef, Error, Interrupt};

/// Up to this many limbs a number is not split.
const FEW_LIMBS: usize = 48;

/// The digits are computed in parts of this many, the values below this power of ten. Its highest bit is set, so that
/// a division by it needs no shifts.
const PART: u64 = 10_u64.pow(PART_DIGITS as u32);
const PART_DIGITS: usize = 19;

/// Digits of a number of at most [`FEW_LIMBS`]: the width of the smallest pieces of longer ones.
const PIECE_DIGITS: usize = FEW_LIMBS * PART_DIGITS;

/// Parts that are divided off together. Each division waits for the one before it, so that several take no more time
/// than one.
const AT_ONCE: usize = 4;

/// The decimal text with the sign.
///
/// # Errors
/// [`Error::Interrupted`].
pub(super) fn to_s(big: BigRef, interrupt: Interrupt) -> Result<String, Error> {
    let limbs = big.trimmed();
    let mut text = memory::with_capacity(limbs.len() * (PART_DIGITS + 1) + 2);
    if big.negative && !limbs.is_empty() {
        text.append_one(b'-');
    }
    if limbs.len() <= FEW_LIMBS {
        push_few(limbs, 0, &mut text);
    } else {
        let magnitude = UBig::from_words(limbs);
        let powers = powers_up_to(&magnitude, interrupt)?;
        split(&magnitude, &powers, false, &mut text, interrupt)?;
    }
    Ok(String::from_utf8(text).unwrap_or_default())
}

/// Powers of ten with doubling numbers of digits, the first of [`PIECE_DIGITS`], up to about half of the number.
fn powers_up_to(magnitude: &UBig, interrupt: Interrupt) -> Result<Vec<UBig>, Error> {
    let mut powers = vec![UBig::from(10_u8).pow(PIECE_DIGITS)];
    while let Some(last) = powers.last()
        && last.as_words().len() * 2 <= magnitude.as_words().len() + 1
    {
        if interrupt() {
            return Err(Error::Interrupted);
        }
        let square = last.sqr();
        powers.push(square);
    }
    Ok(powers)
}

/// Splits at the largest power, the high half first. All pieces except the leading one are filled with zeros to their
/// width.
fn split(value: &UBig, powers: &[UBig], filled: bool, text: &mut Vec<u8>, interrupt: Interrupt) -> Result<(), Error> {
    let Some((power, smaller)) = powers.split_last() else {
        push_few(value.as_words(), if filled { PIECE_DIGITS } else { 0 }, text);
        return Ok(());
    };
    if interrupt() {
        return Err(Error::Interrupted);
    }
    let (high, low) = value.div_rem(power);
    let has_high = filled || !high.is_zero();
    if has_high {
        split(&high, smaller, filled, text, interrupt)?;
    }
    split(&low, smaller, has_high, text, interrupt)
}

/// Appends the digits of a number of a few limbs, filled with zeros to a width.
fn push_few(limbs: &[u64], width: usize, text: &mut Vec<u8>) {
    // Clearing the room for the longest ones takes as long as converting a short one.
    const SHORT: usize = 12;
    if limbs.len() <= SHORT {
        push_in(limbs, width, &mut [0; SHORT], &mut [0; SHORT + 2 * AT_ONCE], text);
    } else {
        push_in(limbs, width, &mut [0; FEW_LIMBS], &mut [0; FEW_LIMBS + 2 * AT_ONCE], text);
    }
}

/// `rest` has room for the limbs, `parts` for some more words.
#[inline(always)]
fn push_in(limbs: &[u64], width: usize, rest: &mut [u64], parts: &mut [u64], text: &mut Vec<u8>) {
    rest[..limbs.len()].copy_from_slice(limbs);
    let (mut count, mut len) = (0, limbs.len());
    while len > 0 {
        divide_off(&mut rest[..len], &mut parts[count..]);
        count += AT_ONCE;
        while len > 0 && rest[len - 1] == 0 {
            len -= 1;
        }
    }
    let mut places = [0; PART_DIGITS];
    let first = parts[..count].iter().rposition(|part| *part > 0);
    let leading = first.map_or(&[][..], |first| {
        write_part(parts[first], &mut places);
        let zeros = places.iter().take_while(|digit| **digit == b'0').count();
        &places[zeros..]
    });
    let behind = first.unwrap_or(0) * PART_DIGITS;
    for _ in leading.len() + behind..width.max(1) {
        text.append_one(b'0');
    }
    text.append_slice(leading);
    for part in parts[..first.unwrap_or(0)].iter().rev() {
        let mut places = [0; PART_DIGITS];
        write_part(*part, &mut places);
        text.append_slice(&places);
    }
}

/// Divides by the power of [`AT_ONCE`] parts, whose values it stores, the lowest first.
fn divide_off(limbs: &mut [u64], parts: &mut [u64]) {
    let mut rests = [0; AT_ONCE];
    for limb in limbs.iter_mut().rev() {
        let mut quotient = *limb;
        for rest in &mut rests {
            (quotient, *rest) = divide(*rest, quotient);
        }
        *limb = quotient;
    }
    parts[..AT_ONCE].copy_from_slice(&rests);
}

/// Quotient and remainder of the number of two limbs and [`PART`], which is greater than the upper limb: by a
/// multiplication with the reciprocal (Möller and Granlund, *Improved division by invariant integers*, algorithm 4).
#[inline(always)]
fn divide(above: u64, limb: u64) -> (u64, u64) {
    const RECIPROCAL: u64 = (u128::MAX / PART as u128 - (1 << 64)) as u64;
    let estimate = u128::from(RECIPROCAL) * u128::from(above) + (u128::from(above) << 64 | u128::from(limb));
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut rest = limb.wrapping_sub(quotient.wrapping_mul(PART));
    if rest > estimate as u64 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(PART);
    }
    if rest >= PART {
        quotient += 1;
        rest -= PART;
    }
    (quotient, rest)
}

/// The digits of a value below [`PART`].
fn write_part(part: u64, to: &mut [u8; PART_DIGITS]) {
    const LOW_DIGITS: usize = 10;
    const LOW: u64 = 10_u64.pow(LOW_DIGITS as u32);
    let (high, low) = to.split_at_mut(PART_DIGITS - LOW_DIGITS);
    write_pairs(part / LOW, high);
    write_pairs(part % LOW, low);
}

/// The lowest digits of a value, as many as there is room for.
#[inline(always)]
pub fn write_pairs(mut value: u64, to: &mut [u8]) {
    let (first, pairs) = to.as_rchunks_mut::<2>();
    for pair in pairs.iter_mut().rev() {
        *pair = PAIRS[(value % 100) as usize];
        value /= 100;
    }
    if let [first] = first {
        *first = b'0' + value as u8;
    }
}

const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + n as u8 / 10, b'0' + n as u8 % 10];
        n += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::big::{Int, never, parse_digits};

    #[test]
    fn divisions_by_the_reciprocal_are_exact() {
        let mut seed = 1_u64;
        for round in 0..10_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let limb = [seed, 0, u64::MAX, PART, PART - 1][round % 5];
            let above = [seed % PART, PART - 1, 0, 1][round % 4];
            let both = u128::from(above) << 64 | u128::from(limb);
            let expected = ((both / u128::from(PART)) as u64, (both % u128::from(PART)) as u64);
            assert_eq!(divide(above, limb), expected, "{above} {limb}");
        }
    }

    #[test]
    fn texts_of_all_lengths_are_those_of_the_digits() {
        for length in (20..1200).chain([5_000, 20_000]) {
            for text in ["9".repeat(length), format!("1{}", "0".repeat(length)), "1030".repeat(length / 4)] {
                let number = parse_digits(text.as_bytes(), 10, true, &mut never).unwrap().unwrap();
                let Int::Big(big) = number.as_int() else { panic!("a number of many digits") };
                assert_eq!(to_s(big, &mut never).unwrap(), format!("-{text}"));
            }
        }
    }
}

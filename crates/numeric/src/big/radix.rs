//! Text and digits in any radix.

use super::decimal;
use super::integer::{BigRef, Error, Int, Integer, Interrupt};
use dashu_int::ops::{DivRem, UnsignedAbs};
use dashu_int::{IBig, UBig};

/// Below this many bits a conversion is one call.
const UNINTERRUPTED_BITS: u64 = 1 << 20;

/// Below this many bits the digits are split off one by one, which takes quadratic time.
const DIVIDED_BITS: u64 = 1 << 12;

/// `a.to_s(radix)`: lower case, with the sign.
///
/// # Errors
/// [`Error::InvalidRadix`] outside 2..=36; [`Error::Interrupted`].
pub fn to_s(a: Int, radix: i64, interrupt: Interrupt) -> Result<String, Error> {
    if !(2..=36).contains(&radix) {
        return Err(Error::InvalidRadix(radix));
    }
    if radix == 10
        && let Int::Fix(n) = a
    {
        return Ok(n.to_string());
    }
    if radix == 10
        && let Int::Big(big) = a
    {
        return decimal::to_s(big, interrupt);
    }
    if let Int::Big(big) = a
        && let Some(width) = [(2, 1), (4, 2), (16, 4)].iter().find(|(base, _)| *base == radix).map(|(_, width)| *width)
    {
        return Ok(whole_bits(big, width));
    }
    let negative = a.is_negative();
    let mut text = String::new();
    if negative {
        text.push('-');
    }
    let magnitude = a.load().unsigned_abs();
    if a.magnitude_bits() <= UNINTERRUPTED_BITS || radix.count_ones() == 1 {
        push_digits(&magnitude, radix, 0, &mut text);
        return Ok(text);
    }
    memory::reserve_text(&mut text, to_s_len_estimate(a, radix) as usize);
    let powers = powers_up_to(&magnitude, radix, interrupt)?;
    split_digits(magnitude, radix, &powers, false, &mut text, interrupt)?;
    Ok(text)
}

/// The digits of `width` bits each, a divisor of a limb's: no digit is in two limbs.
fn whole_bits(big: BigRef, width: usize) -> String {
    let used = big.limbs.iter().rposition(|limb| *limb != 0).map_or(0, |last| last + 1);
    let Some(highest) = big.limbs[..used].last() else { return "0".into() };
    let in_highest = (64 - highest.leading_zeros() as usize).div_ceil(width);
    let per_limb = 64 / width;
    let mut text = memory::with_capacity(usize::from(big.negative) + in_highest + (used - 1) * per_limb);
    if big.negative {
        text.push(b'-');
    }
    for (index, limb) in big.limbs[..used].iter().enumerate().rev() {
        let count = if index == used - 1 { in_highest } else { per_limb };
        let digit = |place: usize| b"0123456789abcdef"[(limb >> (place * width)) as usize & ((1 << width) - 1)];
        text.extend((0..count).rev().map(digit));
    }
    String::from_utf8(text).unwrap_or_default()
}

/// An upper bound of `a.to_s(radix)`'s bytes.
pub fn to_s_len_estimate(a: Int, radix: i64) -> u64 {
    let bits_a_digit = (radix.clamp(2, 36) as f64).log2();
    (a.magnitude_bits() as f64 / bits_a_digit) as u64 + 2
}

fn push_digits(magnitude: &UBig, radix: i64, width: usize, text: &mut String) {
    let digits = memory::formatted(format_args!("{}", magnitude.in_radix(radix as u8)));
    let zeros = width.saturating_sub(digits.len());
    memory::reserve_text(text, zeros + digits.len());
    text.extend(std::iter::repeat_n('0', zeros));
    text.push_str(&digits);
}

/// `radix ** (width)` for doubling widths, from about [`UNINTERRUPTED_BITS`] to half of the number.
fn powers_up_to(magnitude: &UBig, radix: i64, interrupt: Interrupt) -> Result<Vec<(usize, UBig)>, Error> {
    let mut width = 1 << 18;
    let mut power = UBig::from(radix as u64).pow(width);
    let mut powers = Vec::new();
    while power <= *magnitude {
        if interrupt() {
            return Err(Error::Interrupted);
        }
        let square = power.sqr();
        powers.push((width, power));
        width *= 2;
        power = square;
    }
    Ok(powers)
}

/// Splits at the largest power, the high half first. All parts except the leading one are padded with zeros to their
/// width.
fn split_digits(
    value: UBig,
    radix: i64,
    powers: &[(usize, UBig)],
    filled: bool,
    text: &mut String,
    interrupt: Interrupt,
) -> Result<(), Error> {
    let Some(((width, power), smaller)) = powers.split_last() else {
        push_digits(&value, radix, if filled { 1 << 18 } else { 0 }, text);
        return Ok(());
    };
    if interrupt() {
        return Err(Error::Interrupted);
    }
    let (high, low) = value.div_rem(power);
    if filled || !high.is_zero() {
        split_digits(high, radix, smaller, filled, text, interrupt)?;
        debug_assert!(*width >= 1 << 18);
        split_digits(low, radix, smaller, true, text, interrupt)
    } else {
        split_digits(low, radix, smaller, false, text, interrupt)
    }
}

/// The integer for these ASCII digits (no sign, no underscores). `None` if there are none, if one is not below the
/// radix, or if the radix is outside 2..=36.
///
/// # Errors
/// [`Error::Interrupted`].
pub fn parse_digits(digits: &[u8], radix: u32, negative: bool, interrupt: Interrupt) -> Result<Option<Integer>, Error> {
    let valid = |digit: &u8| (*digit as char).is_digit(radix);
    if !(2..=36).contains(&radix) || digits.is_empty() || !digits.iter().all(valid) {
        return Ok(None);
    }
    let first = digits.iter().position(|&digit| digit != b'0').unwrap_or(digits.len());
    let digits = &digits[first..];
    if digits.len() <= 12 {
        let value = digits
            .iter()
            .fold(0i64, |sum, &digit| sum * i64::from(radix) + i64::from((digit as char).to_digit(radix).unwrap_or(0)));
        return Ok(Some(Integer::from(if negative { -value } else { value })));
    }
    let magnitude = IBig::from(parse_magnitude(digits, radix, interrupt)?);
    Ok(Some(Integer::from_ibig(if negative { -magnitude } else { magnitude })))
}

fn parse_magnitude(digits: &[u8], radix: u32, interrupt: Interrupt) -> Result<UBig, Error> {
    const LEAF: usize = 1 << 18;
    let leaf = |digits: &[u8]| {
        let text = std::str::from_utf8(digits).unwrap_or("0");
        UBig::from_str_radix(text, radix).unwrap_or(UBig::ZERO)
    };
    if digits.len() <= LEAF || radix.is_power_of_two() {
        return Ok(leaf(digits));
    }
    // Equal chunks from the right, then pairs are joined until one is left; `power` is the radix to a chunk's width.
    let mut chunks: Vec<UBig> = digits.rchunks(LEAF).map(leaf).collect();
    let mut power = UBig::from(radix).pow(LEAF);
    while chunks.len() > 1 {
        let mut joined = memory::with_capacity(chunks.len().div_ceil(2));
        let mut pairs = chunks.into_iter();
        while let Some(low) = pairs.next() {
            if interrupt() {
                return Err(Error::Interrupted);
            }
            joined.push(match pairs.next() {
                Some(high) => high * &power + low,
                None => low,
            });
        }
        chunks = joined;
        if chunks.len() > 1 {
            power = power.sqr();
        }
    }
    Ok(chunks.pop().unwrap_or(UBig::ZERO))
}

/// The result of [`digits`]: plain words wherever the base is a fixnum.
#[derive(Debug, PartialEq)]
pub enum Digits {
    Small(Vec<u64>),
    Big(Vec<Integer>),
}

/// `a.digits(base)`, the least significant first.
pub fn digits(a: Int, base: Int, interrupt: Interrupt) -> Result<Digits, Error> {
    if a.is_negative() {
        return Err(Error::NegativeDigits);
    }
    match base.to_i64() {
        _ if base.is_negative() => return Err(Error::NegativeRadix),
        Some(radix @ 0..2) => return Err(Error::InvalidRadix(radix)),
        _ => {}
    }
    if a.is_zero() {
        return Ok(Digits::Small(vec![0]));
    }
    if let Some(base) = base.to_u64() {
        if let Some(mut n) = a.to_u64() {
            let mut digits = Vec::new();
            while n > 0 {
                digits.push(n % base);
                n /= base;
            }
            return Ok(Digits::Small(digits));
        }
        if base <= 36 {
            // The conversion to text is faster.
            let text = to_s(a, base as i64, interrupt)?;
            let digits = text.bytes().rev().map(|byte| (byte as char).to_digit(36).unwrap_or(0).into());
            return Ok(Digits::Small(digits.collect()));
        }
        if a.magnitude_bits() <= DIVIDED_BITS {
            let mut digits = a.load().unsigned_abs().to_digits(base);
            digits.reverse();
            return Ok(Digits::Small(digits));
        }
    }
    let parts = split_by_powers(a.load().unsigned_abs(), base.load().unsigned_abs(), interrupt)?;
    Ok(match base.to_u64() {
        Some(_) => Digits::Small(parts.iter().map(|part| part.as_words().first().copied().unwrap_or(0)).collect()),
        None => Digits::Big(parts.into_iter().map(|part| Integer::from_ibig(part.into())).collect()),
    })
}

/// Divides by the squares of the base from the largest down, which needs few large divisions.
fn split_by_powers(value: UBig, base: UBig, interrupt: Interrupt) -> Result<Vec<UBig>, Error> {
    let mut powers = Vec::new();
    let mut power = base;
    while power <= value {
        let square = power.sqr();
        powers.push(power);
        power = square;
    }
    let mut parts = vec![value];
    for power in powers.iter().rev() {
        let last = parts.len() - 1;
        let mut finer = memory::with_capacity(parts.len() * 2);
        for (place, part) in parts.into_iter().enumerate() {
            if interrupt() {
                return Err(Error::Interrupted);
            }
            let (high, low) = part.div_rem(power);
            finer.push(low);
            if place < last || !high.is_zero() {
                finer.push(high);
            }
        }
        parts = finer;
    }
    Ok(parts)
}

//! Sums, products, quotients, powers and comparison.

use dashu_int::{UBig, ops::DivRem};
use std::cmp::Ordering;

use super::{
    Decimal::{self, Infinite, Nan, Zero},
    Finite, Rounding,
    rounding::{rounded_quotient, short_quotient},
    scaled, ten_to,
};

/// The maximum number of digits of a result: more would take too long and are refused.
const MOST_DIGITS: u64 = 1 << 24;

/// NoMemoryError: the result has too many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooBig;

/// The digits of both at the lower exponent, and that exponent.
fn aligned(a: &Finite, b: &Finite) -> Result<(UBig, UBig, i64), TooBig> {
    let exponent = a.exponent.min(b.exponent);
    let at = |f: &Finite| {
        let shift = (f.exponent - exponent) as u64;
        if shift + f.count > MOST_DIGITS { Err(TooBig) } else { Ok(scaled(&f.digits, shift)) }
    };
    Ok((at(a)?, at(b)?, exponent))
}

/// The digits of both at the lower exponent, if each is one word before they are aligned and two afterwards.
fn aligned_short(a: &Finite, b: &Finite) -> Option<(u128, u128, i64)> {
    let exponent = a.exponent.min(b.exponent);
    let at = |f: &Finite| {
        let shift = u32::try_from(f.exponent - exponent).ok().filter(|shift| *shift < 19)?;
        Some(u128::from(u64::try_from(&f.digits).ok()?) * u128::from(10_u64.pow(shift)))
    };
    Some((at(a)?, at(b)?, exponent))
}

pub fn add(a: &Decimal, b: &Decimal) -> Result<Decimal, TooBig> {
    let (Decimal::Finite(x), Decimal::Finite(y)) = (a, b) else { return Ok(add_special(a, b)) };
    if let Some((left, right, exponent)) = aligned_short(x, y) {
        let same = x.negative == y.negative;
        let (sum, negative) = match left >= right {
            true => (if same { left + right } else { left - right }, x.negative),
            false => (if same { left + right } else { right - left }, y.negative),
        };
        // The sum of opposite numbers has no sign.
        return Ok(Finite::normal(negative && sum != 0, UBig::from(sum), exponent));
    }
    let (left, right, exponent) = aligned(x, y)?;
    Ok(match (x.negative == y.negative, left.cmp(&right)) {
        (true, _) => Finite::normal(x.negative, left + right, exponent),
        (false, Ordering::Greater) => Finite::normal(x.negative, left - right, exponent),
        (false, Ordering::Less) => Finite::normal(y.negative, right - left, exponent),
        (false, Ordering::Equal) => Zero { negative: false },
    })
}

fn add_special(a: &Decimal, b: &Decimal) -> Decimal {
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => Nan,
        (Infinite { .. }, _) => a.clone(),
        (_, Infinite { .. }) => b.clone(),
        (Zero { negative: x }, Zero { negative: y }) => Zero { negative: *x && *y },
        (Zero { .. }, _) => b.clone(),
        _ => a.clone(),
    }
}

pub fn multiply(a: &Decimal, b: &Decimal) -> Result<Decimal, TooBig> {
    let negative = a.is_negative() != b.is_negative();
    Ok(match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, Zero { .. }) | (Zero { .. }, Infinite { .. }) => Nan,
        (Infinite { .. }, _) | (_, Infinite { .. }) => Infinite { negative },
        (Zero { .. }, _) | (_, Zero { .. }) => Zero { negative },
        (Decimal::Finite(x), Decimal::Finite(y)) => {
            if x.count + y.count > MOST_DIGITS {
                return Err(TooBig);
            }
            Finite::normal(negative, &x.digits * &y.digits, x.exponent.saturating_add(y.exponent))
        }
    })
}

/// The quotient if one of the operands is not finite.
fn divide_special(a: &Decimal, b: &Decimal) -> Decimal {
    let negative = a.is_negative() != b.is_negative();
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite { .. }, Infinite { .. }) | (Zero { .. }, Zero { .. }) => Nan,
        (Infinite { .. }, _) | (_, Zero { .. }) => Infinite { negative },
        _ => Zero { negative },
    }
}

/// Digits per word of CRuby's representation, in which it computes the precision of quotients.
const WORD: i64 = 9;

/// The index of the word with the first digit, counted from the point.
fn first_word(f: &Finite) -> i64 {
    (f.point() + WORD - 1).div_euclid(WORD)
}

/// `a / b`, at least twice as precise as both and to 32 digits.
pub fn divide(a: &Decimal, b: &Decimal, mode: Rounding) -> Decimal {
    let (Decimal::Finite(x), Decimal::Finite(y)) = (a, b) else { return divide_special(a, b) };
    let mut precision = (2 * precision_of(x).max(precision_of(y))).max(32);
    if precision > MOST_DIGITS {
        // The number consists mostly of zeros before or after the point.
        precision = (2 * x.count.max(y.count)).clamp(32, MOST_DIGITS);
    }
    let precision = precision as i64;
    let words = (precision + WORD - 1) / WORD - (first_word(x) - first_word(y));
    quotient(x, y, words.saturating_mul(WORD), mode)
}

/// Digits before and after the point, with zeros between the point and the first digit.
pub fn precision_of(f: &Finite) -> u64 {
    let behind = (-f.exponent).max(0) as u64;
    f.point().max(0) as u64 + behind
}

/// Divides to this many significant digits.
pub fn divide_to_digits(a: &Decimal, b: &Decimal, digits: u64, mode: Rounding) -> Decimal {
    let (Decimal::Finite(x), Decimal::Finite(y)) = (a, b) else { return divide_special(a, b) };
    // The quotient's first digit is at the difference of the points, or one after it.
    let first_is_smaller = {
        let width = x.count.max(y.count);
        scaled(&x.digits, width - x.count) < scaled(&y.digits, width - y.count)
    };
    let point = x.point() - y.point() + i64::from(!first_is_smaller);
    quotient(x, y, (digits as i64).saturating_sub(point), mode)
}

/// The quotient to this many places after the point.
fn quotient(x: &Finite, y: &Finite, places: i64, mode: Rounding) -> Decimal {
    let negative = x.negative != y.negative;
    let shift = x.exponent - y.exponent + places;
    if let Ok(shift) = u32::try_from(shift)
        && let (Ok(digits), Ok(denominator)) = (u128::try_from(&x.digits), u128::try_from(&y.digits))
        && let Some(numerator) = 10_u128.checked_pow(shift).and_then(|power| digits.checked_mul(power))
    {
        let quotient = short_quotient(numerator, denominator, negative, mode);
        return Finite::normal(negative, UBig::from(quotient), -places);
    }
    let (mut numerator, mut denominator) = (x.digits.clone(), y.digits.clone());
    if shift >= 0 {
        numerator *= ten_to(shift as u64);
    } else {
        denominator *= ten_to(shift.unsigned_abs());
    }
    Finite::normal(negative, rounded_quotient(&numerator, &denominator, negative, mode), -places)
}

/// The quotient rounded down, and the remainder, which has the divisor's sign.
pub fn floor_division(a: &Finite, b: &Finite) -> Result<(Decimal, Decimal), TooBig> {
    let (left, right, exponent) = aligned(a, b)?;
    let (mut quotient, mut rest) = left.div_rem(&right);
    let negative = a.negative != b.negative;
    if negative && rest != UBig::ZERO {
        quotient += UBig::ONE;
        rest = right - rest;
    }
    Ok((Finite::normal(negative, quotient, 0), Finite::normal(b.negative, rest, exponent)))
}

/// The remainder of a quotient rounded towards zero; it has the sign of `a`.
pub fn remainder(a: &Finite, b: &Finite) -> Result<Decimal, TooBig> {
    let (left, right, exponent) = aligned(a, b)?;
    Ok(Finite::normal(a.negative, left.div_rem(&right).1, exponent))
}

/// `a^n`
pub fn power(a: &Finite, n: u64) -> Result<Decimal, TooBig> {
    if a.digits != UBig::ONE && a.count.saturating_mul(n) > MOST_DIGITS {
        return Err(TooBig);
    }
    let exponent = i128::from(a.exponent) * i128::from(n);
    let exponent = exponent.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let digits = if a.digits == UBig::ONE { UBig::ONE } else { a.digits.pow(n as usize) };
    Ok(Finite::normal(a.negative && n % 2 == 1, digits, exponent))
}

/// `None` if one of them is NaN.
pub fn compare(a: &Decimal, b: &Decimal) -> Option<Ordering> {
    let rank = |v: &Decimal| match v {
        Nan => None,
        Infinite { negative } => Some(if *negative { -2 } else { 2 }),
        Zero { .. } => Some(0),
        Decimal::Finite(f) => Some(if f.negative { -1 } else { 1 }),
    };
    let (left, right) = (rank(a)?, rank(b)?);
    if left != right || !matches!((a, b), (Decimal::Finite(_), Decimal::Finite(_))) {
        return Some(left.cmp(&right));
    }
    let (Decimal::Finite(x), Decimal::Finite(y)) = (a, b) else { return Some(Ordering::Equal) };
    let magnitudes = x.point().cmp(&y.point()).then_with(|| {
        let width = x.count.max(y.count);
        scaled(&x.digits, width - x.count).cmp(&scaled(&y.digits, width - y.count))
    });
    Some(if x.negative { magnitudes.reverse() } else { magnitudes })
}

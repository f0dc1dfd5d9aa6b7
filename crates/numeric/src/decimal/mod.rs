//! Decimal numbers of any precision: `BigDecimal`.
//!
//! A finite number is digits times a power of ten, without zeros at the end of the digits, so that each value has one
//! form. Children: `parse`, `arithmetic`, `rounding`, `functions` (square root, exponential, logarithm), `convert`
//! (text, floats, integers).

mod arithmetic;
mod convert;
mod functions;
mod parse;
mod rounding;

use std::sync::OnceLock;

use dashu_int::{
    UBig,
    ops::{BitTest, DivRem},
};

use crate::big::{self, BigRef, Int};

pub use arithmetic::{
    TooBig, add, compare, divide, divide_to_digits, floor_division, multiply, power, precision_of, remainder,
};
pub use functions::{exponential, logarithm, square_root};
pub use parse::{parse, parse_loosely};
pub use rounding::Rounding;

/// A number or a special value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decimal {
    Nan,
    Infinite { negative: bool },
    Zero { negative: bool },
    Finite(Finite),
}

/// `digits * 10^exponent`, not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finite {
    negative: bool,
    /// Not divisible by ten.
    digits: UBig,
    /// The number of digits.
    count: u64,
    exponent: i64,
}

/// Larger exponents become infinite or zero, which keeps digit counts far from overflow.
const MOST_EXPONENT: i64 = 1 << 60;

/// `10^n`
fn ten_to(n: u64) -> UBig {
    /// Powers that were needed: decimals of some hundred digits are aligned and rounded by them all the time.
    static KEPT: [OnceLock<UBig>; 512] = [const { OnceLock::new() }; 512];
    if let Some(power) = u32::try_from(n).ok().and_then(|n| 10u128.checked_pow(n)) {
        return UBig::from(power);
    }
    let power = || UBig::from(10u8).pow(n as usize);
    KEPT.get(n as usize).map_or_else(power, |kept| kept.get_or_init(power).clone())
}

/// `digits * 10^n`
fn scaled(digits: &UBig, n: u64) -> UBig {
    if n == 0 { digits.clone() } else { digits * ten_to(n) }
}

/// The digits without zeros at the end, the number of those, and the number of digits that stay. Not zero.
fn trimmed(digits: UBig) -> (UBig, u64, u64) {
    // Almost all decimals have few digits: no text and no division of several words is made for them.
    if let Ok(number) = u128::try_from(&digits) {
        let (number, zeros, count) = trimmed_short(number);
        let digits = if zeros == 0 { digits } else { UBig::from(number) };
        return (digits, u64::from(zeros), u64::from(count));
    }
    let zeros = zeros_at_end(&digits);
    let digits = if zeros == 0 { digits } else { digits.div_rem(&ten_to(zeros)).0 };
    let count = digit_count(&digits);
    (digits, zeros, count)
}

/// [`trimmed`] of a number of two words. Divisions of one word are several times faster.
fn trimmed_short(number: u128) -> (u128, u32, u32) {
    if let Ok(word) = u64::try_from(number) {
        let zeros = zeros_of_word(word);
        let word = if zeros == 0 { word } else { word / 10_u64.pow(zeros) };
        return (u128::from(word), zeros, word.ilog10() + 1);
    }
    let step = 10_u128.pow(WORD_ZEROS);
    let (high, low) = (number / step, (number % step) as u64);
    if low == 0 {
        let (number, zeros, count) = trimmed_short(high);
        return (number, zeros + WORD_ZEROS, count);
    }
    let zeros = zeros_of_word(low);
    let count = WORD_ZEROS + 1 + u64::try_from(high).map_or_else(|_| high.ilog10(), u64::ilog10) - zeros;
    let number = if zeros == 0 { number } else { number / 10_u128.pow(zeros) };
    (number, zeros, count)
}

/// The number of zeros at the end of a word that is not zero.
fn zeros_of_word(mut word: u64) -> u32 {
    // Each zero is a factor of two as well.
    let mut zeros = 0;
    if word & 1 != 0 {
        return zeros;
    }
    for (step, power) in [(8, 100_000_000), (8, 100_000_000), (4, 10_000), (2, 100), (1, 10)] {
        if word.is_multiple_of(power) {
            word /= power;
            zeros += step;
        }
    }
    zeros
}

/// The largest power of ten that fits a word has so many zeros.
const WORD_ZEROS: u32 = 19;

/// The number of zeros at the end of the digits of a number of more than one word.
fn zeros_at_end(digits: &UBig) -> u64 {
    let twos = digits.trailing_zeros().unwrap_or(0) as u64;
    if twos == 0 {
        return 0;
    }
    let last = digits % 10_u64.pow(WORD_ZEROS);
    if last != 0 {
        return (0..WORD_ZEROS).rev().find(|zeros| last.is_multiple_of(10_u64.pow(*zeros))).map_or(0, u64::from);
    }
    // Each zero is a factor of two as well. Halving what may be left finds the number with a few divisions.
    let is_multiple = |zeros: u64| digits.div_rem(&ten_to(zeros)).1 == UBig::ZERO;
    let (mut known, mut beyond) = (u64::from(WORD_ZEROS), twos.min(digit_count(digits)) + 1);
    while beyond - known > 1 {
        let middle = known.midpoint(beyond);
        if is_multiple(middle) { known = middle } else { beyond = middle }
    }
    known
}

/// The number of digits of a number of more than one word.
fn digit_count(digits: &UBig) -> u64 {
    let Some(shift) = digits.bit_len().checked_sub(64) else {
        return u64::try_from(digits).ok().and_then(u64::checked_ilog10).map_or(0, |log| u64::from(log) + 1);
    };
    let highest = u64::try_from(digits >> shift).unwrap_or(u64::MAX);
    let log = (highest as f64).log10() + shift as f64 * std::f64::consts::LOG10_2;
    // The error of the logarithm is far smaller. Only next to a power of ten it does not tell.
    const NEAR: f64 = 1e-6;
    let nearest = log.round();
    if (log - nearest).abs() > NEAR {
        return log as u64 + 1;
    }
    nearest as u64 + u64::from(*digits >= ten_to(nearest as u64))
}

impl Finite {
    /// Sign, digits and exponent, in normal form.
    fn normal(negative: bool, digits: UBig, exponent: i64) -> Decimal {
        if digits == UBig::ZERO {
            return Decimal::Zero { negative };
        }
        let (digits, zeros, kept) = trimmed(digits);
        let exponent = exponent.saturating_add(zeros as i64);
        let point = exponent.saturating_add(kept as i64);
        if point > MOST_EXPONENT {
            return Decimal::Infinite { negative };
        }
        if point < -MOST_EXPONENT {
            return Decimal::Zero { negative };
        }
        Decimal::Finite(Finite { negative, digits, count: kept, exponent })
    }

    /// The position of the point, counted from before the first digit.
    pub fn point(&self) -> i64 {
        self.exponent + self.count as i64
    }

    /// The number of digits.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of digits after the point; negative for trailing zeros of whole numbers.
    pub fn exponent(&self) -> i64 {
        self.exponent
    }

    /// The digits as a number, if they fit a word.
    pub fn word(&self) -> Option<u64> {
        u64::try_from(&self.digits).ok()
    }

    /// The digits, without a point.
    pub fn digits(&self) -> String {
        match u64::try_from(&self.digits) {
            Ok(word) => word.to_string(),
            Err(_) => {
                let digits = BigRef { negative: false, limbs: self.digits.as_words() };
                big::to_s(Int::Big(digits), 10, &mut big::never).unwrap_or_default()
            }
        }
    }
}

impl Decimal {
    pub fn is_negative(&self) -> bool {
        match self {
            Decimal::Nan => false,
            Decimal::Infinite { negative } | Decimal::Zero { negative } => *negative,
            Decimal::Finite(finite) => finite.negative,
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self, Decimal::Zero { .. })
    }

    pub fn is_nan(&self) -> bool {
        matches!(self, Decimal::Nan)
    }

    pub fn finite(&self) -> Option<&Finite> {
        if let Decimal::Finite(finite) = self { Some(finite) } else { None }
    }

    #[must_use]
    pub fn with_sign(mut self, to: bool) -> Decimal {
        match &mut self {
            Decimal::Nan => {}
            Decimal::Infinite { negative } | Decimal::Zero { negative } => *negative = to,
            Decimal::Finite(finite) => finite.negative = to,
        }
        self
    }

    #[must_use]
    pub fn negated(self) -> Decimal {
        let negative = self.is_negative();
        self.with_sign(!negative)
    }

    /// The number of significant digits; 0 for special values.
    pub fn count(&self) -> u64 {
        self.finite().map_or(0, Finite::count)
    }

    /// Bytes of the digits.
    pub fn memory_size(&self) -> usize {
        self.finite().map_or(0, |finite| finite.digits.bit_len() / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_trimmed_and_digits_counted_as_in_text() {
        let mut numbers: Vec<UBig> = Vec::new();
        for exponent in [1, 18, 19, 20, 37, 38, 39, 57, 60, 200, 511, 512, 900] {
            let power = UBig::from(10u8).pow(exponent);
            numbers.extend([
                &power - UBig::ONE,
                &power + UBig::ONE,
                &power * 7u8,
                &power * UBig::from(12_345u32).pow(30),
            ]);
            numbers.extend([&power << 3, &power * UBig::from(5u8).pow(40), UBig::ONE << exponent, power]);
        }
        for digits in numbers {
            let text = digits.to_string();
            let kept = text.trim_end_matches('0');
            let expected = (kept.to_owned(), (text.len() - kept.len()) as u64, kept.len() as u64);
            let (digits, zeros, count) = trimmed(digits);
            assert_eq!((digits.to_string(), zeros, count), expected);
        }
    }
}

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

use dashu_int::{
    UBig,
    ops::{BitTest, DivRem},
};

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
    match u32::try_from(n).ok().and_then(|n| 10u128.checked_pow(n)) {
        Some(power) => UBig::from(power),
        None => UBig::from(10u8).pow(n as usize),
    }
}

/// `digits * 10^n`
fn scaled(digits: &UBig, n: u64) -> UBig {
    if n == 0 { digits.clone() } else { digits * ten_to(n) }
}

/// The digits without zeros at the end, the number of those, and the number of digits that stay. Not zero.
fn trimmed(digits: UBig) -> (UBig, u64, u64) {
    // Almost all decimals have few digits: no text and no division of several words is made for them.
    if let Ok(mut word) = u64::try_from(&digits) {
        let mut zeros = 0;
        while word.is_multiple_of(10) {
            word /= 10;
            zeros += 1;
        }
        let digits = if zeros == 0 { digits } else { UBig::from(word) };
        return (digits, zeros, u64::from(word.ilog10()) + 1);
    }
    if let Ok(number) = u128::try_from(&digits)
        && !number.is_multiple_of(10)
    {
        return (digits, 0, u64::from(number.ilog10()) + 1);
    }
    let text = digits.to_string();
    let kept = text.trim_end_matches('0').len();
    let zeros = (text.len() - kept) as u64;
    let digits = if zeros == 0 { digits } else { digits.div_rem(&ten_to(zeros)).0 };
    (digits, zeros, kept as u64)
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

    /// The digits, without a point.
    pub fn digits(&self) -> String {
        match u64::try_from(&self.digits) {
            Ok(word) => word.to_string(),
            Err(_) => self.digits.to_string(),
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

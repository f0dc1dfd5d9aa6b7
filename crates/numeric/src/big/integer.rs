//! Operands and results of the operations: borrowed operands, owned results in Ruby's normal form, and errors.

use super::short::Short;
use dashu_int::{IBig, Sign};

/// The largest integer that is a fixnum: 63 bits, as Ruby tags them.
pub const FIXNUM_MAX: i64 = (1 << 62) - 1;
/// The smallest integer that is a fixnum.
pub const FIXNUM_MIN: i64 = -(1 << 62);

/// The maximum length, in bits, of the results of powers, shifts and products: half a gigabyte of limbs.
pub const MAX_BITS: u64 = (1 << 32) - 1;

/// Called between the steps of a long operation; `true` ends it with [`Error::Interrupted`].
pub type Interrupt<'i> = &'i mut dyn FnMut() -> bool;

/// An interrupt check for callers that have none.
pub fn never() -> bool {
    false
}

/// The borrowed limbs of a big integer: sign and magnitude, least significant limb first.
///
/// Leading zero limbs and values that would fit a fixnum are allowed; results never have them.
#[derive(Clone, Copy, Debug)]
pub struct BigRef<'a> {
    pub negative: bool,
    pub limbs: &'a [u64],
}

impl BigRef<'_> {
    /// The value if it has at most two limbs and fits.
    #[inline(always)]
    pub fn to_i128(self) -> Option<i128> {
        let magnitude = match self.limbs {
            [] => 0,
            [low] => u128::from(*low),
            [low, high] => u128::from(*low) | u128::from(*high) << 64,
            _ => return None,
        };
        let n = i128::try_from(magnitude).ok()?;
        Some(if self.negative { -n } else { n })
    }
}

/// An operand. `Fix` may hold any `i64`, not just Ruby's fixnums.
#[derive(Clone, Copy, Debug)]
pub enum Int<'a> {
    Fix(i64),
    Big(BigRef<'a>),
}

/// A result in normal form: `Fix` if and only if it is within [`FIXNUM_MIN`]`..=`[`FIXNUM_MAX`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    Fix(i64),
    Big(Big),
}

/// An owned big integer beyond the fixnums.
#[derive(Clone, Debug)]
pub struct Big(Owned);

#[derive(Clone, Debug)]
enum Owned {
    Short(Short),
    Long(IBig),
}

impl Big {
    #[inline]
    pub fn negative(&self) -> bool {
        match &self.0 {
            Owned::Short(short) => short.negative(),
            Owned::Long(long) => long.sign() == Sign::Negative,
        }
    }

    /// The magnitude, least significant limb first, without leading zeros.
    #[inline]
    pub fn limbs(&self) -> &[u64] {
        match &self.0 {
            Owned::Short(short) => short.limbs(),
            Owned::Long(long) => long.as_sign_words().1,
        }
    }
}

impl PartialEq for Big {
    fn eq(&self, other: &Big) -> bool {
        self.negative() == other.negative() && self.limbs() == other.limbs()
    }
}

impl Eq for Big {}

impl Integer {
    pub fn as_int(&self) -> Int<'_> {
        match self {
            Integer::Fix(n) => Int::Fix(*n),
            Integer::Big(big) => Int::Big(BigRef { negative: big.negative(), limbs: big.limbs() }),
        }
    }

    /// A number beyond the fixnums.
    #[inline]
    pub(crate) fn short(value: Short) -> Integer {
        Integer::Big(Big(Owned::Short(value)))
    }

    #[inline]
    pub(crate) fn from_ibig(value: IBig) -> Integer {
        let (sign, words) = value.as_sign_words();
        if let [] | [_] = words {
            let magnitude = words.first().copied().unwrap_or(0);
            let limit = FIXNUM_MAX as u64 + u64::from(sign == Sign::Negative);
            if magnitude <= limit {
                let n = magnitude as i64;
                return Integer::Fix(if sign == Sign::Negative { -n } else { n });
            }
        }
        Integer::Big(Big(Owned::Long(value)))
    }
}

impl From<i64> for Integer {
    #[inline]
    fn from(n: i64) -> Integer {
        if (FIXNUM_MIN..=FIXNUM_MAX).contains(&n) {
            Integer::Fix(n)
        } else {
            Integer::Big(Big(Owned::Long(IBig::from(n))))
        }
    }
}

impl From<u64> for Integer {
    fn from(n: u64) -> Integer {
        Integer::from(i128::from(n))
    }
}

impl From<i128> for Integer {
    #[inline]
    fn from(n: i128) -> Integer {
        match i64::try_from(n) {
            Ok(small) => Integer::from(small),
            Err(_) => Integer::Big(Big(Owned::Long(IBig::from(n)))),
        }
    }
}

impl<'a> Int<'a> {
    /// The operand as a `dashu` integer. One or two limbs are stored inline, more are copied.
    #[inline]
    pub(crate) fn load(self) -> IBig {
        match self {
            Int::Fix(n) => IBig::from(n),
            Int::Big(big) => {
                IBig::from_sign_words(if big.negative { Sign::Negative } else { Sign::Positive }, big.limbs)
            }
        }
    }

    /// The value if it fits, in either representation.
    #[inline]
    pub fn to_i64(self) -> Option<i64> {
        match self {
            Int::Fix(n) => Some(n),
            Int::Big(big) => match big.trimmed() {
                [] => Some(0),
                [limb] if big.negative => 0i64.checked_sub_unsigned(*limb),
                [limb] => i64::try_from(*limb).ok(),
                _ => None,
            },
        }
    }

    /// The value if it fits two words, in either representation.
    #[inline]
    pub fn to_i128(self) -> Option<i128> {
        match self {
            Int::Fix(n) => Some(i128::from(n)),
            Int::Big(big) => big.to_i128(),
        }
    }

    /// The value if it is not negative and fits.
    pub fn to_u64(self) -> Option<u64> {
        match self {
            Int::Fix(n) => u64::try_from(n).ok(),
            Int::Big(big) => match big.trimmed() {
                [] => Some(0),
                [limb] if !big.negative => Some(*limb),
                _ => None,
            },
        }
    }

    pub fn is_zero(self) -> bool {
        match self {
            Int::Fix(n) => n == 0,
            Int::Big(big) => big.trimmed().is_empty(),
        }
    }

    pub fn is_negative(self) -> bool {
        match self {
            Int::Fix(n) => n < 0,
            Int::Big(big) => big.negative && !big.trimmed().is_empty(),
        }
    }

    pub fn is_odd(self) -> bool {
        match self {
            Int::Fix(n) => n & 1 == 1,
            Int::Big(big) => big.limbs.first().is_some_and(|limb| limb & 1 == 1),
        }
    }

    /// The number of bits of the magnitude (0 for 0).
    pub fn magnitude_bits(self) -> u64 {
        match self {
            Int::Fix(n) => u64::from(64 - n.unsigned_abs().leading_zeros()),
            Int::Big(big) => match big.trimmed() {
                [] => 0,
                limbs @ [.., top] => limbs.len() as u64 * 64 - u64::from(top.leading_zeros()),
            },
        }
    }

    /// An owned copy in normal form.
    pub fn to_integer(self) -> Integer {
        match self {
            Int::Fix(n) => Integer::from(n),
            Int::Big(_) => Integer::from_ibig(self.load()),
        }
    }
}

impl<'a> BigRef<'a> {
    /// The limbs without leading zeros.
    pub(crate) fn trimmed(self) -> &'a [u64] {
        let len = self.limbs.iter().rposition(|&limb| limb != 0).map_or(0, |top| top + 1);
        &self.limbs[..len]
    }
}

/// The reason why an operation has no result, with the exception that it raises in Ruby.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// ZeroDivisionError.
    ZeroDivision,
    /// NoMemoryError: a left shift whose result would be longer than [`MAX_BITS`].
    OutOfMemory,
    /// RangeError: a left shift whose result could never fit in memory.
    ShiftTooBig,
    /// ArgumentError: a power whose result would be longer than [`MAX_BITS`].
    ExponentTooLarge,
    /// ArgumentError: a product longer than [`MAX_BITS`].
    TooBig,
    /// RangeError: `pow(-1, m)`.
    NegativeExponent,
    /// Math::DomainError: `Integer.sqrt(-1)`.
    NegativeRoot,
    /// Math::DomainError: `-1.digits`.
    NegativeDigits,
    /// ArgumentError: the radix itself.
    InvalidRadix(i64),
    /// ArgumentError: `digits(-2)`.
    NegativeRadix,
    /// FloatDomainError, with the float.
    NotFinite(f64),
    /// ArgumentError: `n[..i]` with set bits.
    InfiniteBits,
    /// ArgumentError: `-1.bit_count`.
    NegativeBitCount,
    /// ArgumentError: the number does not fit the requested width.
    TooBigToConvert,
    /// The interrupt closure returned true.
    Interrupted,
}

impl std::fmt::Display for Error {
    /// The message of the Ruby exception.
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::ZeroDivision => out.write_str("divided by 0"),
            Error::OutOfMemory => out.write_str("failed to allocate memory"),
            Error::ShiftTooBig => out.write_str("shift width too big"),
            Error::ExponentTooLarge => out.write_str("exponent is too large"),
            Error::TooBig => out.write_str("multiplication overflow"),
            Error::NegativeExponent => {
                out.write_str("Integer#pow() 1st argument cannot be negative when 2nd argument specified")
            }
            Error::NegativeRoot => out.write_str("Numerical argument is out of domain - \"isqrt\""),
            Error::NegativeDigits => out.write_str("out of domain"),
            Error::InvalidRadix(radix) => write!(out, "invalid radix {radix}"),
            Error::NegativeRadix => out.write_str("negative radix"),
            Error::NotFinite(value) if value.is_nan() => out.write_str("NaN"),
            Error::NotFinite(value) if *value < 0.0 => out.write_str("-Infinity"),
            Error::NotFinite(_) => out.write_str("Infinity"),
            Error::InfiniteBits => out.write_str("The beginless range for Integer#[] results in infinity"),
            Error::NegativeBitCount => out.write_str("bit_count is undefined for negative integers"),
            Error::TooBigToConvert => out.write_str("too big number"),
            Error::Interrupted => out.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Error {}

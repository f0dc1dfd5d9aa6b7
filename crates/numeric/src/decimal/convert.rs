//! Conversion of decimals to and from integers, fractions and floats.

use dashu_int::{IBig, Sign, UBig, ops::DivRem};

use super::{Decimal, Finite, arithmetic::TooBig, ten_to};
use crate::big::{Int, Integer};

/// A conversion to Integer with more digits than this would take too long.
const MOST_WHOLE: i64 = 1 << 24;

fn signed(negative: bool, magnitude: UBig) -> Integer {
    Integer::from_ibig(IBig::from_parts(if negative { Sign::Negative } else { Sign::Positive }, magnitude))
}

impl Decimal {
    pub fn from_integer(n: Int) -> Decimal {
        let (sign, magnitude) = n.load().into_parts();
        Finite::normal(sign == Sign::Negative, magnitude, 0)
    }
}

impl Finite {
    /// The whole part.
    pub fn to_integer(&self) -> Result<Integer, TooBig> {
        if self.point() > MOST_WHOLE {
            return Err(TooBig);
        }
        let whole = if self.exponent >= 0 {
            &self.digits * ten_to(self.exponent as u64)
        } else if self.point() <= 0 {
            UBig::ZERO
        } else {
            (&self.digits).div_rem(&ten_to(self.exponent.unsigned_abs())).0
        };
        Ok(signed(self.negative, whole))
    }

    /// Numerator and denominator, not in lowest terms.
    pub fn to_fraction(&self) -> Result<(Integer, Integer), TooBig> {
        if self.exponent.unsigned_abs() > MOST_WHOLE as u64 {
            return Err(TooBig);
        }
        let scale = ten_to(self.exponent.unsigned_abs());
        Ok(if self.exponent >= 0 {
            (signed(self.negative, &self.digits * scale), signed(false, UBig::ONE))
        } else {
            (signed(self.negative, self.digits.clone()), signed(false, scale))
        })
    }

    /// The nearest float.
    pub fn to_f64(&self) -> f64 {
        let text = format!("{}{}e{}", if self.negative { "-" } else { "" }, self.digits, self.exponent);
        text.parse().unwrap_or(f64::NAN)
    }
}

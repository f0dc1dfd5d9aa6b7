//! Rounding.

use dashu_int::{UBig, ops::DivRem};
use std::cmp::Ordering;

use super::{Decimal, Finite, ten_to};

/// The rounding modes, with Ruby's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Up = 1,
    Down = 2,
    HalfUp = 3,
    HalfDown = 4,
    Ceiling = 5,
    Floor = 6,
    HalfEven = 7,
}

impl Rounding {
    pub fn from_number(n: i64) -> Option<Rounding> {
        use Rounding::{Ceiling, Down, Floor, HalfDown, HalfEven, HalfUp, Up};
        [Up, Down, HalfUp, HalfDown, Ceiling, Floor, HalfEven].into_iter().find(|mode| *mode as i64 == n)
    }

    /// Whether a magnitude is rounded up; `rest` compares the remainder with half a unit (`None`: no remainder).
    pub(super) fn goes_up(self, negative: bool, odd: bool, rest: Option<Ordering>) -> bool {
        let Some(rest) = rest else { return false };
        match self {
            Rounding::Up => true,
            Rounding::Down => false,
            Rounding::HalfUp => rest.is_ge(),
            Rounding::HalfDown => rest.is_gt(),
            Rounding::Ceiling => !negative,
            Rounding::Floor => negative,
            Rounding::HalfEven => rest.is_gt() || (rest.is_eq() && odd),
        }
    }
}

/// `numerator / denominator`, rounded to a whole number.
pub(super) fn rounded_quotient(numerator: &UBig, denominator: &UBig, negative: bool, mode: Rounding) -> UBig {
    if let (Ok(numerator), Ok(denominator)) = (u128::try_from(numerator), u128::try_from(denominator)) {
        return UBig::from(short_quotient(numerator, denominator, negative, mode));
    }
    let (quotient, rest) = numerator.div_rem(denominator);
    let compared = (rest != UBig::ZERO).then(|| (rest << 1).cmp(denominator));
    let odd = (&quotient % 2u8) == 1;
    if mode.goes_up(negative, odd, compared) { quotient + UBig::ONE } else { quotient }
}

/// [`rounded_quotient`] of numbers of two words.
pub(super) fn short_quotient(numerator: u128, denominator: u128, negative: bool, mode: Rounding) -> u128 {
    let (quotient, rest) = match (u64::try_from(numerator), u64::try_from(denominator)) {
        (Ok(n), Ok(d)) => (u128::from(n / d), u128::from(n % d)),
        _ => {
            let quotient = numerator / denominator;
            (quotient, numerator - quotient * denominator)
        }
    };
    let compared = (rest != 0).then(|| rest.cmp(&(denominator - rest)));
    quotient + u128::from(mode.goes_up(negative, quotient % 2 == 1, compared))
}

impl Decimal {
    /// Rounded to this many digits after the point (negative: before it).
    #[must_use]
    pub fn rounded(&self, places: i64, mode: Rounding) -> Decimal {
        let Decimal::Finite(finite) = self else { return self.clone() };
        let drop = (-finite.exponent).saturating_sub(places);
        if drop <= 0 {
            return self.clone();
        }
        let negative = finite.negative;
        if drop as u64 > finite.count + 1 {
            // The number is less than a tenth of a unit.
            let up = mode.goes_up(negative, false, Some(Ordering::Less));
            return if up { Finite::normal(negative, UBig::ONE, -places) } else { Decimal::Zero { negative } };
        }
        let digits = rounded_quotient(&finite.digits, &ten_to(drop as u64), negative, mode);
        Finite::normal(negative, digits, -places)
    }

    /// Rounded to this many significant digits.
    #[must_use]
    pub fn rounded_to_digits(&self, digits: u64, mode: Rounding) -> Decimal {
        match self {
            Decimal::Finite(finite) if finite.count > digits => {
                self.rounded((digits as i64).saturating_sub(finite.point()), mode)
            }
            _ => self.clone(),
        }
    }
}

//! Square root, exponential and logarithm, each correct to the requested digits except the last, which may be off by
//! one.
//!
//! Exponential and logarithm are sums of integers scaled by a power of ten ("fixed"), with guard digits for the
//! truncation of each step.

use dashu_int::{IBig, UBig, ops::SquareRoot};

use super::{Decimal, Finite, Rounding, arithmetic::TooBig, ten_to};

const GUARD: u64 = 10;

/// The square root to this many digits.
pub fn square_root(a: &Finite, digits: u64, mode: Rounding) -> Decimal {
    // An even exponent, and twice as many digits as the root needs, including one for rounding.
    let wanted = 2 * (digits + 2);
    let mut shift = wanted.saturating_sub(a.count);
    if (a.exponent - shift as i64) % 2 != 0 {
        shift += 1;
    }
    let scaled = &a.digits * ten_to(shift);
    let root = scaled.sqrt();
    let exact = &root * &root == scaled;
    let exponent = (a.exponent - shift as i64) / 2;
    // A remainder beyond the computed digits is represented by one more digit.
    let (root, exponent) = if exact { (root, exponent) } else { (root * 10u8 + 1u8, exponent - 1) };
    Finite::normal(false, root, exponent).rounded_to_digits(digits, mode)
}

/// `value * 10^scale`, truncated.
fn fixed(value: &Finite, scale: u64) -> IBig {
    let shift = value.exponent + scale as i64;
    let magnitude = if shift >= 0 {
        &value.digits * ten_to(shift as u64)
    } else if shift.unsigned_abs() > value.count {
        UBig::ZERO
    } else {
        &value.digits / ten_to(shift.unsigned_abs())
    };
    if value.negative { -IBig::from(magnitude) } else { IBig::from(magnitude) }
}

fn unfixed(value: IBig, scale: u64) -> Decimal {
    let (sign, magnitude) = value.into_parts();
    Finite::normal(sign == dashu_int::Sign::Negative, magnitude, -(scale as i64))
}

/// `ln((1 + z) / (1 - z))` for `z = numerator / denominator`, fixed: twice the sum of odd powers of z over their
/// exponents.
fn twice_artanh(numerator: &IBig, denominator: &IBig, unit: &IBig) -> IBig {
    let mut power = unit * numerator / denominator;
    let (square_top, square_bottom) = (numerator * numerator, denominator * denominator);
    let (mut sum, mut k) = (IBig::ZERO, 1u64);
    while power != IBig::ZERO {
        sum += &power / IBig::from(k);
        power = power * &square_top / &square_bottom;
        k += 2;
    }
    sum * IBig::from(2u8)
}

/// ln 2 and ln 10, fixed.
fn constants(unit: &IBig) -> (IBig, IBig) {
    let ln2 = twice_artanh(&IBig::ONE, &IBig::from(3u8), unit);
    // 10 = 2^3 * 5/4
    let ln10 = &ln2 * IBig::from(3u8) + twice_artanh(&IBig::ONE, &IBig::from(9u8), unit);
    (ln2, ln10)
}

/// The natural logarithm of a positive number.
pub fn logarithm(a: &Finite, digits: u64, mode: Rounding) -> Decimal {
    let point = a.point();
    let one = Finite { negative: false, digits: UBig::ONE, count: 1, exponent: 0 };
    if *a == one {
        return Decimal::Zero { negative: false };
    }
    // Near one the logarithm is about the distance from one, and leading zeros are not significant: compute more
    // digits.
    let near = if point == 0 || point == 1 { leading_zeros_of_distance(a) } else { 0 };
    let scale = digits + near + GUARD + 20;
    let unit = IBig::from(ten_to(scale));
    let (ln2, ln10) = constants(&unit);
    // a = m * 10^(point) with m in [0.1, 1), then m = r * 2^-halvings with r near one.
    let mantissa = Finite { exponent: -(a.count as i64), ..a.clone() };
    let (mut reduced, mut doublings, mut tens) = (fixed(&mantissa, scale + 5), 0u32, point);
    let wide = IBig::from(ten_to(scale + 5));
    if point == 1 {
        // There is one digit before the point.
        reduced *= IBig::from(10u8);
        tens = 0;
    }
    while &reduced * IBig::from(3u8) < &wide * IBig::from(2u8) {
        reduced *= IBig::from(2u8);
        doublings += 1;
    }
    let mut halvings = 0u32;
    while &reduced * IBig::from(3u8) > &wide * IBig::from(4u8) {
        reduced /= IBig::from(2u8);
        halvings += 1;
    }
    let sum = twice_artanh(&(&reduced - &wide), &(&reduced + &wide), &unit);
    let twos = IBig::from(i64::from(halvings) - i64::from(doublings));
    let all = sum + twos * ln2 + IBig::from(tens) * ln10;
    unfixed(all, scale).rounded_to_digits(digits, mode)
}

/// The number of zeros between the point and the first digit of `|a - 1|`.
fn leading_zeros_of_distance(a: &Finite) -> u64 {
    let width = a.exponent.unsigned_abs();
    if a.exponent >= 0 {
        return 0;
    }
    let one = ten_to(width);
    let distance = if a.digits > one { &a.digits - &one } else { &one - &a.digits };
    width.saturating_sub(distance.to_string().len() as u64)
}

/// `e^a`
pub fn exponential(a: &Finite, digits: u64, mode: Rounding) -> Result<Decimal, TooBig> {
    if a.point() > 18 {
        return if a.negative { Ok(Decimal::Zero { negative: false }) } else { Err(TooBig) };
    }
    // e^a = 10^k * e^r with |r| <= ln 10; k can be computed from the float, which is precise enough.
    let k = (a.to_f64() / std::f64::consts::LN_10).trunc() as i64;
    let scale = digits + GUARD + 25;
    let unit = IBig::from(ten_to(scale));
    let (_, ln10) = constants(&unit);
    let reduced = fixed(a, scale) - IBig::from(k) * ln10;
    // The argument is halved this often, and the result squared as often.
    const HALVINGS: u32 = 16;
    let small = reduced / IBig::from(1u32 << HALVINGS);
    let (mut term, mut sum, mut n) = (unit.clone(), unit.clone(), 1u64);
    while term != IBig::ZERO {
        term = term * &small / &unit / IBig::from(n);
        sum += &term;
        n += 1;
    }
    for _ in 0..HALVINGS {
        sum = &sum * &sum / &unit;
    }
    let (sign, magnitude) = sum.into_parts();
    let exponent = k - scale as i64;
    Ok(Finite::normal(sign == dashu_int::Sign::Negative, magnitude, exponent).rounded_to_digits(digits, mode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decimal::parse;

    fn finite(text: &str) -> Finite {
        parse(text).and_then(|d| d.finite().cloned()).unwrap()
    }

    fn shown(d: &Decimal) -> String {
        let f = d.finite().unwrap();
        format!("{}e{}", f.digits(), f.exponent())
    }

    #[test]
    fn functions_are_correct_to_their_digits() {
        let mode = Rounding::HalfUp;
        assert_eq!(shown(&square_root(&finite("2"), 30, mode)), "141421356237309504880168872421e-29");
        assert_eq!(shown(&square_root(&finite("0.0004"), 5, mode)), "2e-2");
        assert_eq!(shown(&logarithm(&finite("2"), 30, mode)), "693147180559945309417232121458e-30");
        assert_eq!(shown(&exponential(&finite("1"), 30, mode).unwrap()), "271828182845904523536028747135e-29");
        assert_eq!(shown(&exponential(&finite("-100.5"), 10, mode).unwrap()), "2256340136e-53");
        assert_eq!(shown(&logarithm(&finite("123456789"), 20, mode)), "18631401766168018033e-18");
        assert_eq!(shown(&logarithm(&finite("1.0000000000001"), 10, mode)), "1e-13");
    }
}

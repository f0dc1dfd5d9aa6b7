//! The parts of `Rational` beyond integer arithmetic: rounding of fractions and the simplest fraction in an interval.
//!
//! Fractions are pairs of integers with a positive denominator, reduced or not.

use crate::big::{self, Error, Half, Int, Integer, never};
use crate::float::decode;
use std::cmp::Ordering;

/// A numerator and a denominator.
pub type Fraction = (Integer, Integer);

/// In lowest terms with a positive denominator.
///
/// # Errors
/// [`Error::ZeroDivision`].
pub fn reduce(numerator: Int, denominator: Int) -> Result<Fraction, Error> {
    if denominator.is_zero() {
        return Err(Error::ZeroDivision);
    }
    if let (Int::Fix(n), Int::Fix(d)) = (numerator, denominator) {
        let (above, below) = (n.unsigned_abs(), d.unsigned_abs());
        let common = if above == 0 { below } else { big::gcd_u64(above, below) };
        let above = i128::from(above / common);
        return Ok((Integer::from(if (n < 0) == (d < 0) { above } else { -above }), Integer::from(below / common)));
    }
    let common = big::gcd(numerator, denominator);
    let common = if denominator.is_negative() { big::neg(common.as_int()) } else { common };
    Ok((big::div(numerator, common.as_int())?, big::div(denominator, common.as_int())?))
}

/// An operand: a numerator and a positive denominator without a common divisor.
pub type Operand<'a> = (Int<'a>, Int<'a>);

/// `a + b`, in lowest terms. A common divisor of the result's parts divides that of the denominators, which is mostly
/// small: the large products need no GCD (Knuth, The Art of Computer Programming, 4.5.1).
pub fn sum(a: Operand, b: Operand) -> Result<Fraction, Error> {
    combined(a, b, big::add)
}

/// `a - b`, in lowest terms.
pub fn difference(a: Operand, b: Operand) -> Result<Fraction, Error> {
    combined(a, b, big::sub)
}

fn combined((an, ad): Operand, (bn, bd): Operand, combine: fn(Int, Int) -> Integer) -> Result<Fraction, Error> {
    let common = big::gcd(ad, bd);
    let (a_rest, b_rest) = (divided(ad, &common)?, divided(bd, &common)?);
    let above = combine(big::mul(an, b_rest.as_int())?.as_int(), big::mul(bn, a_rest.as_int())?.as_int());
    if is_one(&common) {
        return Ok((above, big::mul(ad, bd)?));
    }
    let common = big::gcd(above.as_int(), common.as_int());
    Ok((divided(above.as_int(), &common)?, big::mul(a_rest.as_int(), divided(bd, &common)?.as_int())?))
}

/// `a * b`, in lowest terms.
pub fn product((an, ad): Operand, (bn, bd): Operand) -> Result<Fraction, Error> {
    let (first, second) = (big::gcd(an, bd), big::gcd(bn, ad));
    let above = big::mul(divided(an, &first)?.as_int(), divided(bn, &second)?.as_int())?;
    let below = big::mul(divided(ad, &second)?.as_int(), divided(bd, &first)?.as_int())?;
    Ok((above, below))
}

/// `a / b`, in lowest terms.
///
/// # Errors
/// [`Error::ZeroDivision`].
pub fn quotient(a: Operand, (bn, bd): Operand) -> Result<Fraction, Error> {
    if bn.is_zero() {
        return Err(Error::ZeroDivision);
    }
    if !bn.is_negative() {
        return product(a, (bd, bn));
    }
    product(a, (big::neg(bd).as_int(), big::neg(bn).as_int()))
}

/// The quotient by a divisor.
fn divided(n: Int, divisor: &Integer) -> Result<Integer, Error> {
    if is_one(divisor) { Ok(n.to_integer()) } else { big::div(n, divisor.as_int()) }
}

fn is_one(n: &Integer) -> bool {
    n.as_int().to_i64() == Some(1)
}

/// `round(half:)` to a whole number.
pub fn round(numerator: Int, denominator: Int, half: Half) -> Result<Integer, Error> {
    crate::float::round_quotient(numerator, denominator, half)
}

/// The float nearest to the fraction.
pub fn to_f64(numerator: Int, denominator: Int) -> f64 {
    big::fdiv(numerator, denominator)
}

/// The order of two fractions.
pub fn cmp(a: (Int, Int), b: (Int, Int)) -> Result<Ordering, Error> {
    Ok(big::cmp(big::mul(a.0, b.1)?.as_int(), big::mul(b.0, a.1)?.as_int()))
}

/// The fraction with the smallest denominator in `low..high` (closed at `low`, open at `high`, as in CRuby), by
/// continued fractions. `low` must be below `high` and not negative: the caller handles signs and equal ends.
pub fn simplest_between(low: (Int, Int), high: (Int, Int)) -> Result<Fraction, Error> {
    let (mut low, mut high) = (owned(low), owned(high));
    let mut convergents = Convergents::new();
    loop {
        let ceiling = big::ceildiv(low.0.as_int(), low.1.as_int())?;
        let scaled = big::mul(ceiling.as_int(), high.1.as_int())?;
        if big::cmp(scaled.as_int(), high.0.as_int()) == Ordering::Less {
            return convergents.next(ceiling.as_int());
        }
        let whole = big::sub(ceiling.as_int(), Int::Fix(1));
        let next = convergents.next(whole.as_int())?;
        convergents.push(next);
        // 1 / (x - whole) for both ends, which swap places.
        let inverse = |(numerator, denominator): Fraction| -> Result<Fraction, Error> {
            let part = big::mul(whole.as_int(), denominator.as_int())?;
            let rest = big::sub(numerator.as_int(), part.as_int());
            Ok((denominator, rest))
        };
        (low, high) = (inverse(high)?, inverse(low)?);
    }
}

fn owned((numerator, denominator): (Int, Int)) -> Fraction {
    (numerator.to_integer(), denominator.to_integer())
}

/// The last two convergents of a continued fraction.
struct Convergents {
    before: Fraction,
    last: Fraction,
}

impl Convergents {
    fn new() -> Convergents {
        Convergents { before: (Integer::Fix(0), Integer::Fix(1)), last: (Integer::Fix(1), Integer::Fix(0)) }
    }

    fn next(&self, term: Int) -> Result<Fraction, Error> {
        let numerator = big::add(big::mul(term, self.last.0.as_int())?.as_int(), self.before.0.as_int());
        let denominator = big::add(big::mul(term, self.last.1.as_int())?.as_int(), self.before.1.as_int());
        Ok((numerator, denominator))
    }

    fn push(&mut self, next: Fraction) {
        self.before = std::mem::replace(&mut self.last, next);
    }
}

/// [`simplest_between`] for ends that are floats, as `Float#rationalize(eps)` computes with them. Both finite, `low`
/// below `high` and not negative.
pub fn simplest_between_floats(low: f64, high: f64) -> Result<Fraction, Error> {
    let (mut low, mut high) = (low, high);
    let mut convergents = Convergents::new();
    loop {
        let ceiling = low.ceil();
        if ceiling < high {
            return convergents.next(big::from_f64(ceiling)?.as_int());
        }
        let whole = ceiling - 1.0;
        let next = convergents.next(big::from_f64(whole)?.as_int())?;
        convergents.push(next);
        (low, high) = (1.0 / (high - whole), 1.0 / (low - whole));
    }
}

/// `Float#rationalize`: the simplest fraction that is this float and no other.
///
/// # Errors
/// [`Error::NotFinite`].
pub fn rationalize_float(value: f64) -> Result<Fraction, Error> {
    let (mantissa, exponent) = decode(value)?;
    if mantissa == 0 || exponent >= 0 {
        return Ok((big::shl(Int::Fix(mantissa), Int::Fix(exponent.max(0).into()))?, Integer::Fix(1)));
    }
    // Normalised to 53 bits, also for subnormals: CRuby takes half a unit of that as the margin.
    let shift = 53 - (64 - mantissa.unsigned_abs().leading_zeros() as i32);
    let (twice, exponent) = ((mantissa.abs() << shift) * 2, exponent - shift);
    if exponent >= 0 {
        return crate::float::to_fraction(value);
    }
    let denominator = big::pow(Int::Fix(2), Int::Fix(i64::from(1 - exponent)), &mut never)?;
    let low = (Int::Fix(twice - 1), denominator.as_int());
    let high = (Int::Fix(twice + 1), denominator.as_int());
    let (numerator, denominator) = simplest_between(low, high)?;
    Ok((if value < 0.0 { big::neg(numerator.as_int()) } else { numerator }, denominator))
}

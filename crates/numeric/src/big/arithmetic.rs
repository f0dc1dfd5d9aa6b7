//! Sums, products, Ruby's three divisions, and functions derived from them.

use super::integer::{Error, Int, Integer, MAX_BITS};
use super::short;
use dashu_int::ops::{Abs, DivRem, Gcd, SquareRoot};
use dashu_int::{IBig, Sign};

/// The result of an operation on operands that fit two words, if it does as well. Numbers of this size are the most
/// frequent ones, and the library would allocate for them.
#[inline(always)]
fn in_two_words(a: Int, b: Int, of: fn(i128, i128) -> Option<i128>) -> Option<Integer> {
    of(a.to_i128()?, b.to_i128()?).map(Integer::from)
}

pub fn add(a: Int, b: Int) -> Integer {
    if let Some(sum) = in_two_words(a, b, i128::checked_add) {
        return sum;
    }
    if let Some(sum) = short::sum(a, b, false) {
        return sum;
    }
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(i128::from(a) + i128::from(b)),
        (Int::Big(_), Int::Fix(b)) => Integer::from_ibig(a.load() + b),
        (Int::Fix(a), Int::Big(_)) => Integer::from_ibig(b.load() + a),
        (Int::Big(_), Int::Big(_)) => Integer::from_ibig(a.load() + b.load()),
    }
}

pub fn sub(a: Int, b: Int) -> Integer {
    if let Some(difference) = in_two_words(a, b, i128::checked_sub) {
        return difference;
    }
    if let Some(difference) = short::sum(a, b, true) {
        return difference;
    }
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(i128::from(a) - i128::from(b)),
        (Int::Big(_), Int::Fix(b)) => Integer::from_ibig(a.load() - b),
        _ => Integer::from_ibig(a.load() - b.load()),
    }
}

/// Refuses products longer than [`MAX_BITS`].
pub fn mul(a: Int, b: Int) -> Result<Integer, Error> {
    if let Some(product) = in_two_words(a, b, i128::checked_mul) {
        return Ok(product);
    }
    if let Some(product) = short::multiple(a, b) {
        return Ok(product);
    }
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => return Ok(Integer::from(i128::from(a) * i128::from(b))),
        _ if a.magnitude_bits() + b.magnitude_bits() > MAX_BITS + 1 => return Err(Error::TooBig),
        _ => {}
    }
    Ok(Integer::from_ibig(match (a, b) {
        (Int::Big(_), Int::Fix(b)) => a.load() * b,
        (Int::Fix(a), Int::Big(_)) => b.load() * a,
        _ if same_limbs(a, b) => a.load().sqr().into(),
        _ => a.load() * b.load(),
    }))
}

/// Squaring takes about two thirds of a multiplication's time, and in Ruby programs both operands of a square are
/// usually the same object.
fn same_limbs(a: Int, b: Int) -> bool {
    matches!((a, b), (Int::Big(a), Int::Big(b)) if a.negative == b.negative && std::ptr::eq(a.limbs, b.limbs))
}

pub fn neg(a: Int) -> Integer {
    match a {
        Int::Fix(n) => Integer::from(-i128::from(n)),
        Int::Big(big) => short::with_sign(big, !big.negative).unwrap_or_else(|| Integer::from_ibig(-a.load())),
    }
}

pub fn abs(a: Int) -> Integer {
    if a.is_negative() { neg(a) } else { a.to_integer() }
}

/// The quotient rounded down, and the corresponding remainder, which has the divisor's sign.
pub fn divmod(a: Int, b: Int) -> Result<(Integer, Integer), Error> {
    if b.is_zero() {
        return Err(Error::ZeroDivision);
    }
    if let (Int::Fix(a), Int::Fix(b)) = (a, b) {
        let (quotient, modulo) = divmod_i64(a, b);
        return Ok((Integer::from(quotient), Integer::from(modulo)));
    }
    if let Some((quotient, modulo)) = short::divmod(a, b) {
        return Ok((quotient, Integer::Fix(modulo)));
    }
    if is_shorter(a, b) {
        let below = a.is_negative() != b.is_negative() && !a.is_zero();
        return Ok((Integer::Fix(-i64::from(below)), shorter_modulo(a, b, below)));
    }
    let (quotient, modulo) = divmod_ibig(a.load(), &b.load());
    Ok((Integer::from_ibig(quotient), Integer::from_ibig(modulo)))
}

/// Whether the magnitude of `a` has fewer bits than that of `b`, so that the quotient is 0 or -1.
fn is_shorter(a: Int, b: Int) -> bool {
    a.magnitude_bits() < b.magnitude_bits()
}

/// `a % b` for such a number; `below` if the quotient is -1.
fn shorter_modulo(a: Int, b: Int, below: bool) -> Integer {
    if below { add(a, b) } else { a.to_integer() }
}

fn divmod_i64(a: i64, b: i64) -> (i128, i64) {
    // Division of two words is a call of a function.
    let Some(quotient) = a.checked_div(b) else { return (-i128::from(a), 0) };
    let (quotient, rest) = (i128::from(quotient), a % b);
    if rest != 0 && (rest < 0) != (b < 0) { (quotient - 1, rest + b) } else { (quotient, rest) }
}

/// The divisor must not be zero.
pub(crate) fn divmod_ibig(a: IBig, b: &IBig) -> (IBig, IBig) {
    let (quotient, rest) = a.div_rem(b);
    if !rest.is_zero() && rest.sign() != b.sign() { (quotient - 1, rest + b) } else { (quotient, rest) }
}

/// `a.div(b)`: rounded down.
pub fn div(a: Int, b: Int) -> Result<Integer, Error> {
    if is_shorter(a, b) {
        // Without the modulo, which is a big integer.
        return Ok(Integer::Fix(-i64::from(a.is_negative() != b.is_negative() && !a.is_zero())));
    }
    Ok(divmod(a, b)?.0)
}

/// `a % b`: has the sign of `b`.
pub fn modulo(a: Int, b: Int) -> Result<Integer, Error> {
    if b.is_zero() || matches!((a, b), (Int::Fix(_), Int::Fix(_))) {
        return Ok(divmod(a, b)?.1);
    }
    if let Some((_, modulo)) = short::divmod(a, b) {
        return Ok(Integer::Fix(modulo));
    }
    if is_shorter(a, b) {
        return Ok(shorter_modulo(a, b, a.is_negative() != b.is_negative() && !a.is_zero()));
    }
    let b = b.load();
    let rest = a.load() % &b;
    Ok(Integer::from_ibig(if !rest.is_zero() && rest.sign() != b.sign() { rest + b } else { rest }))
}

/// `a.remainder(b)`: has the sign of `a`.
pub fn remainder(a: Int, b: Int) -> Result<Integer, Error> {
    if b.is_zero() {
        return Err(Error::ZeroDivision);
    }
    Ok(match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => Integer::from(i128::from(a) % i128::from(b)),
        _ => Integer::from_ibig(a.load() % b.load()),
    })
}

/// `a.ceildiv(b)`: rounded up.
pub fn ceildiv(a: Int, b: Int) -> Result<Integer, Error> {
    let (quotient, rest) = divmod(a, b)?;
    Ok(if rest.as_int().is_zero() { quotient } else { add(quotient.as_int(), Int::Fix(1)) })
}

/// Never negative; `gcd(0, 0)` is 0.
pub fn gcd(a: Int, b: Int) -> Integer {
    if a.is_zero() {
        return abs(b);
    }
    if b.is_zero() {
        return abs(a);
    }
    if let (Int::Fix(a), Int::Fix(b)) = (a, b) {
        return Integer::from(gcd_u64(a.unsigned_abs(), b.unsigned_abs()));
    }
    if let (Int::Fix(small), large) | (large, Int::Fix(small)) = (a, b)
        && let Ok(rest) = modulo(large, Int::Fix(small))
        && let Some(rest) = rest.as_int().to_i64()
    {
        return Integer::from(gcd_u64(small.unsigned_abs(), rest.unsigned_abs()));
    }
    Integer::from_ibig(a.load().gcd(b.load()).into())
}

/// `a` is not 0.
pub(crate) fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

/// Never negative; 0 if either operand is 0.
pub fn lcm(a: Int, b: Int) -> Result<Integer, Error> {
    if a.is_zero() || b.is_zero() {
        return Ok(Integer::Fix(0));
    }
    let common = gcd(a, b);
    let part = div(a, common.as_int())?;
    Ok(abs(mul(part.as_int(), b)?.as_int()))
}

/// `Integer.sqrt(a)`.
pub fn isqrt(a: Int) -> Result<Integer, Error> {
    if a.is_negative() {
        return Err(Error::NegativeRoot);
    }
    Ok(match a {
        Int::Fix(n) => Integer::Fix(n.isqrt()),
        Int::Big(_) => Integer::from_ibig(a.load().unsigned_abs_root()),
    })
}

trait UnsignedRoot {
    fn unsigned_abs_root(self) -> IBig;
}

impl UnsignedRoot for IBig {
    fn unsigned_abs_root(self) -> IBig {
        let (_, magnitude) = self.abs().into_parts();
        IBig::from_parts(Sign::Positive, magnitude.sqrt())
    }
}

//! Sums, products, quotients and powers.

use numeric::big;
use object::{array::Arr, bigint, float};
use runtime::{Args, Cx, R, Value, basic_ops, call, convert, error::OrRaise, make, sym};

use crate::numeric::{
    coerce, long_operation,
    ops::{self, Kind, flo, give, give_result, int, kind, real},
};
use crate::{complex, float as floats, rational};

/// `a + b` or `a - b` of big integers.
#[inline]
pub fn sum(cx: &mut Cx, a: big::Int, b: big::Int, subtract: bool) -> R {
    let mut room = big::new_sum();
    match big::sum_in(a, b, subtract, &mut room) {
        Some(sum) => bigint::from_parts(cx, sum).or_raise(cx),
        None => give(cx, if subtract { big::sub(a, b) } else { big::add(a, b) }),
    }
}

/// `a * b` of big integers.
#[inline]
fn product(cx: &mut Cx, a: Value, b: Value) -> R {
    let mut room = big::new_product();
    match big::product_in(int(&a), int(&b), &mut room) {
        Some(product) => bigint::from_parts(cx, product).or_raise(cx),
        None => long_operation::binary(cx, a, b, big::mul),
    }
}

/// `a + b`
#[inline]
pub fn add(cx: &mut Cx, a: Value, b: Value) -> R {
    if a.both_fixnum(b) {
        return Ok(basic_ops::add_fixnums(cx, a, b));
    }
    match kind(b) {
        Kind::Integer => sum(cx, int(&a), int(&b), false),
        Kind::Float => flo(cx, real(a) + float::value(b)),
        Kind::Rational | Kind::Complex => ops::add(cx, b, a),
        Kind::Other => coerce::binary(cx, a, sym::PLUS, b),
    }
}

/// `a - b`
#[inline]
pub fn sub(cx: &mut Cx, a: Value, b: Value) -> R {
    if a.both_fixnum(b) {
        return Ok(basic_ops::subtract_fixnums(cx, a, b));
    }
    match kind(b) {
        Kind::Integer => sum(cx, int(&a), int(&b), true),
        Kind::Float => flo(cx, real(a) - float::value(b)),
        Kind::Rational => {
            let a = rational::whole(cx, a);
            rational::sub(cx, a, b)
        }
        Kind::Complex => complex::subtract_from_real(cx, a, b),
        Kind::Other => coerce::binary(cx, a, sym::MINUS, b),
    }
}

/// `a * b`
#[inline]
pub fn mul(cx: &mut Cx, a: Value, b: Value) -> R {
    if a.both_fixnum(b) {
        return Ok(basic_ops::multiply_fixnums(cx, a, b));
    }
    match kind(b) {
        Kind::Integer => product(cx, a, b),
        Kind::Float => flo(cx, real(a) * float::value(b)),
        Kind::Rational | Kind::Complex => ops::mul(cx, b, a),
        Kind::Other => coerce::binary(cx, a, sym::TIMES, b),
    }
}

/// `a / b`: floored; ZeroDivisionError.
#[inline]
pub fn div(cx: &mut Cx, a: Value, b: Value) -> R {
    if a.both_fixnum(b)
        && let Some(quotient) = basic_ops::divide_fixnums(cx, a, b)
    {
        return Ok(quotient);
    }
    match kind(b) {
        Kind::Integer => long_operation::binary(cx, a, b, big::div),
        Kind::Float => flo(cx, floats::quotient(real(a), float::value(b))),
        Kind::Rational => {
            let a = rational::whole(cx, a);
            rational::div(cx, a, b)
        }
        _ => coerce::binary(cx, a, sym::DIVIDE, b),
    }
}

/// `a.div(b)`: an Integer even for Floats.
pub fn floor_div(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(b) {
        Kind::Integer => div(cx, a, b),
        Kind::Float => give_result(cx, numeric::float::floor_div(real(a), float::value(b))),
        _ => coerce::binary(cx, a, sym::DIV, b),
    }
}

/// `a % b`: has the sign of `b`.
#[inline]
pub fn modulo(cx: &mut Cx, a: Value, b: Value) -> R {
    if a.both_fixnum(b)
        && let Some(rest) = basic_ops::modulo_fixnums(a, b)
    {
        return Ok(rest);
    }
    match kind(b) {
        Kind::Integer => long_operation::binary(cx, a, b, big::modulo),
        Kind::Float => floats::modulo_floats(cx, real(a), float::value(b)),
        _ => coerce::binary(cx, a, sym::MODULO, b),
    }
}

/// `divmod(other) → [quotient, modulus]`: the quotient rounded down, and the remainder, which has the divisor's sign.
/// ZeroDivisionError for 0 and 0.0.
pub fn divmod(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    if a.both_fixnum(b)
        && let (Some(quotient), Some(rest)) = (basic_ops::divide_fixnums(cx, a, b), basic_ops::modulo_fixnums(a, b))
    {
        return Ok(Arr::pair(cx, quotient, rest).value());
    }
    match kind(b) {
        Kind::Integer => {
            let weight = long_operation::product_weight(int(&a), int(&b));
            let (quotient, rest) = long_operation::run(cx, &[int(&a), int(&b)], weight, |operands, _| {
                big::divmod(operands[0], operands[1])
            })?;
            let quotient = give(cx, quotient)?;
            let rest = give(cx, rest)?;
            Ok(Arr::pair(cx, quotient, rest).value())
        }
        Kind::Float => floats::divmod_floats(cx, real(a), float::value(b)),
        _ => coerce::binary(cx, a, sym::DIVMOD, b),
    }
}

/// `remainder(other) → number`: the remainder of the division rounded towards zero, which has the sign of the receiver.
/// ZeroDivisionError for 0.
pub fn remainder(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    match kind(b) {
        Kind::Integer => long_operation::binary(cx, a, b, big::remainder),
        Kind::Float => {
            let (x, y) = (real(a), float::value(b));
            if y.is_infinite() {
                let opposite = x != 0.0 && x.is_sign_negative() != y.is_sign_negative();
                return if opposite && a.is_fixnum() { Ok(a) } else { flo(cx, x) };
            }
            if y == 0.0 {
                return Err(ops::zero_division(cx));
            }
            flo(cx, x % y)
        }
        _ => crate::numeric::arithmetic::remainder(cx, a, b),
    }
}

/// `fdiv(other) → float`: the quotient as a Float, even if the operands are too large for one. TypeError if `other` is
/// not a number and has no `coerce`.
pub fn fdiv(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    match kind(b) {
        Kind::Integer => flo(cx, big::fdiv(int(&a), int(&b))),
        Kind::Float if real(a).is_infinite() && float::value(b).is_finite() && float::value(b) != 0.0 => {
            // Operands too large for a Float may have a quotient that is not.
            let b = call::send(cx, b, sym::TO_R, &[])?;
            let quotient = div(cx, a, b)?;
            call::send(cx, quotient, sym::TO_F, &[])
        }
        Kind::Float => flo(cx, real(a) / float::value(b)),
        Kind::Rational => {
            let quotient = div(cx, a, b)?;
            call::send(cx, quotient, sym::TO_F, &[])
        }
        _ => {
            let fdiv = ops::name(cx, "fdiv");
            let quotient = coerce::binary(cx, a, fdiv, b)?;
            let quotient = convert::to_f64(cx, quotient)?;
            flo(cx, quotient)
        }
    }
}

/// `ceildiv(other) → integer`: the quotient rounded up. ZeroDivisionError for 0.
pub fn ceildiv(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    if kind(b) == Kind::Integer {
        return long_operation::binary(cx, a, b, big::ceildiv);
    }
    let zero = Value::fixnum(0);
    let negative = ops::sub(cx, zero, b)?;
    let quotient = floor_div(cx, a, negative)?;
    ops::neg(cx, quotient)
}

/// `a ** b`
pub fn pow(cx: &mut Cx, a: Value, b: Value) -> R {
    if let (Some(base), Some(exponent)) = (a.as_fixnum(), b.as_fixnum())
        && let Ok(exponent) = u32::try_from(exponent)
        && let Some(power) = base.checked_pow(exponent).and_then(Value::try_fixnum)
    {
        return Ok(power);
    }
    match kind(b) {
        Kind::Integer => {
            if int(&b).is_negative() {
                // For a base of 1 the result remains an Integer.
                if a == Value::fixnum(1) || a == Value::fixnum(-1) {
                    return Ok(if int(&b).is_odd() { a } else { Value::fixnum(1) });
                }
                return rational::power_of_fraction(cx, (a, Value::fixnum(1)), b);
            }
            let bits = int(&b).to_u64().and_then(|exponent| big::pow_bits_estimate(int(&a), exponent));
            // Rejected immediately if the estimate exceeds the limit.
            let weight = bits.filter(|bits| *bits <= big::MAX_BITS).map_or(0, long_operation::square_weight);
            let n = long_operation::run(cx, &[int(&a), int(&b)], weight, |operands, stop| {
                big::pow(operands[0], operands[1], stop)
            })?;
            give(cx, n)
        }
        Kind::Float => {
            let (x, y) = (real(a), float::value(b));
            if y == 0.0 || a == Value::fixnum(1) {
                return flo(cx, 1.0);
            }
            if a == Value::fixnum(0) {
                return flo(cx, if y < 0.0 { f64::INFINITY } else { 0.0 });
            }
            floats::power(cx, x, y)
        }
        Kind::Rational => {
            let base = rational::whole(cx, a);
            rational::pow(cx, base, b)
        }
        _ => coerce::binary(cx, a, sym::POWER, b),
    }
}

/// `pow(exponent)`, `pow(exponent, modulus) → number`: like `**`, or the power modulo an Integer without computing the
/// whole power; then TypeError unless all are integers, RangeError for a negative exponent, ZeroDivisionError for 0.
pub fn pow_modulo(cx: &mut Cx, args: Args) -> R {
    let (a, b) = (args.me(), args.at(0));
    let Some(m) = args.opt(1) else { return pow(cx, a, b) };
    if kind(b) != Kind::Integer {
        return Err(cx.type_error("Integer#pow() 2nd argument not allowed unless a 1st argument is integer"));
    }
    if int(&b).is_negative() {
        return Err(ops::raise(cx, big::Error::NegativeExponent));
    }
    if kind(m) != Kind::Integer {
        return Err(cx.type_error("Integer#pow() 2nd argument not allowed unless all arguments are integers"));
    }
    if a == Value::fixnum(0) && b != Value::fixnum(0) {
        return Ok(a);
    }
    if let (Some(base), Some(exponent), Some(modulus)) = (a.as_fixnum(), b.as_fixnum(), m.as_fixnum())
        && (1..=i64::from(u32::MAX)).contains(&modulus)
    {
        return Ok(Value::fixnum(small_power(base.rem_euclid(modulus), exponent, modulus)));
    }
    let weight = long_operation::product_weight(int(&m), int(&m)).saturating_mul(int(&b).magnitude_bits());
    let operands = [int(&a), int(&b), int(&m)];
    let power = long_operation::run(cx, &operands, weight, |o, _| big::powmod(o[0], o[1], o[2]))?;
    give(cx, power)
}

/// The power modulo a 32-bit number, whose products fit a word.
fn small_power(base: i64, exponent: i64, modulus: i64) -> i64 {
    let (mut base, mut rest, modulus) = (base as u64, exponent, modulus as u64);
    let mut power = 1 % modulus;
    while rest > 0 {
        if rest & 1 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        rest >>= 1;
    }
    power as i64
}

/// `-self → integer`: the negated number; negating the smallest fixnum gives a big integer.
pub fn negate(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    match int(&me) {
        big::Int::Fix(n) => Ok(bigint::from_i128(cx, -i128::from(n))),
        big::Int::Big(n) => bigint::from_parts(cx, big::BigRef { negative: !n.negative, ..n }).or_raise(cx),
    }
}

/// `abs → integer`: without the sign. Alias: `magnitude`.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    if let Some(n) = args.me().as_fixnum().filter(|n| *n >= 0 || Value::try_fixnum(-*n).is_some()) {
        return Ok(Value::fixnum(n.abs()));
    }
    if int(&args.me()).is_negative() { negate(cx, args) } else { Ok(args.me()) }
}

/// The argument, which must be an Integer: TypeError "not an integer".
fn integer_argument(cx: &mut Cx, v: Value) -> R {
    if kind(v) == Kind::Integer { Ok(v) } else { Err(cx.type_error("not an integer")) }
}

/// GCDs of large numbers take quadratic time, while products and quotients take less.
const GCD_WEIGHT: u64 = 16;

/// The GCD of fixnums, which are below 2**62.
pub fn small_gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `gcd(other) → integer`: the greatest common divisor, never negative. TypeError unless `other` is an Integer.
pub fn gcd(cx: &mut Cx, args: Args) -> R {
    let b = integer_argument(cx, args.at(0))?;
    if let (Some(a), Some(b)) = (args.me().as_fixnum(), b.as_fixnum()) {
        return Ok(object::bigint::from_i64(cx, small_gcd(a, b)));
    }
    long_operation::weighed(cx, args.me(), b, GCD_WEIGHT, |a, b| Ok(big::gcd(a, b)))
}

/// `lcm(other) → integer`: the least common multiple, never negative. TypeError unless `other` is an Integer.
pub fn lcm(cx: &mut Cx, args: Args) -> R {
    let b = integer_argument(cx, args.at(0))?;
    if let (Some(a), Some(b)) = (args.me().as_fixnum(), b.as_fixnum())
        && a != 0
        && let Some(product) = (a / small_gcd(a, b)).checked_mul(b)
    {
        return Ok(object::bigint::from_i64(cx, product.saturating_abs()));
    }
    long_operation::weighed(cx, args.me(), b, GCD_WEIGHT, big::lcm)
}

/// `gcdlcm(other) → array`: `gcd` and `lcm` with `other`.
pub fn gcdlcm(cx: &mut Cx, args: Args) -> R {
    let gcd = gcd(cx, args)?;
    let lcm = lcm(cx, args)?;
    Ok(make::array(cx, &[gcd, lcm]))
}

/// `succ → integer`: the receiver plus one. Alias: `next`.
pub fn succ(cx: &mut Cx, args: Args) -> R {
    add(cx, args.me(), Value::fixnum(1))
}

/// `pred → integer`: the receiver minus one.
pub fn pred(cx: &mut Cx, args: Args) -> R {
    sub(cx, args.me(), Value::fixnum(1))
}

/// `Integer.sqrt(n) → integer`: the square root rounded down, exact for integers of any size. Math::DomainError for
/// negative ones.
pub fn sqrt(cx: &mut Cx, args: Args) -> R {
    let n = convert::to_integer(cx, args.at(0))?;
    if let Some(n) = n.as_fixnum().filter(|n| *n >= 0) {
        return Ok(Value::fixnum(n.isqrt()));
    }
    long_operation::binary(cx, n, n, |n, _| big::isqrt(n))
}

//! Sums, products, quotients and powers.

use object::{Sym, class, float, method_entry};
use runtime::{Args, Cx, R, Value, call, sym};

use super::{from_polar, is_real, new, parts, polar};
use crate::numeric::{
    coerce,
    ops::{self, Kind, int, is_exact_zero, kind},
};
use crate::rational;

type Operation = fn(&mut Cx, Value, Value) -> R;

/// An operation on parts: `own`, unless a program has redefined the method `name` in the class of `a`.
fn by_method(cx: &mut Cx, a: Value, name: Sym, b: Value, own: Operation) -> R {
    let class = class::class_of(cx, a);
    let entry = class::lookup::find_method(cx, class, name);
    if !entry.is_undef() && method_entry::kind(entry) == method_entry::Kind::Native {
        return own(cx, a, b);
    }
    call::send(cx, a, name, &[b])
}

fn plus(cx: &mut Cx, a: Value, b: Value) -> R {
    by_method(cx, a, sym::PLUS, b, sum)
}

/// The sum of parts. An exact zero changes nothing, not even the sign of a Float's zero.
fn sum(cx: &mut Cx, a: Value, b: Value) -> R {
    if is_exact_zero(a) {
        return Ok(b);
    }
    if is_exact_zero(b) && matches!(kind(a), Kind::Integer | Kind::Float) {
        return Ok(a);
    }
    ops::add(cx, a, b)
}

fn minus(cx: &mut Cx, a: Value, b: Value) -> R {
    by_method(cx, a, sym::MINUS, b, ops::sub)
}

fn times(cx: &mut Cx, a: Value, b: Value) -> R {
    by_method(cx, a, sym::TIMES, b, ops::mul)
}

/// `a + b`
pub fn add(cx: &mut Cx, a: Value, b: Value) -> R {
    let (re, im) = parts(a);
    if kind(b) == Kind::Complex {
        let (bre, bim) = parts(b);
        let re = plus(cx, re, bre)?;
        let im = plus(cx, im, bim)?;
        return Ok(new(cx, re, im));
    }
    if is_real(cx, b)? {
        let re = plus(cx, re, b)?;
        return Ok(new(cx, re, im));
    }
    coerce::binary(cx, a, sym::PLUS, b)
}

/// `a - b`
pub fn sub(cx: &mut Cx, a: Value, b: Value) -> R {
    let (re, im) = parts(a);
    if kind(b) == Kind::Complex {
        let (bre, bim) = parts(b);
        let re = minus(cx, re, bre)?;
        let im = minus(cx, im, bim)?;
        return Ok(new(cx, re, im));
    }
    if is_real(cx, b)? {
        let re = minus(cx, re, b)?;
        return Ok(new(cx, re, im));
    }
    coerce::binary(cx, a, sym::MINUS, b)
}

/// `a - b` of a real number and a Complex.
pub fn subtract_from_real(cx: &mut Cx, a: Value, b: Value) -> R {
    let (re, im) = parts(b);
    let re = minus(cx, a, re)?;
    let im = minus(cx, Value::fixnum(0), im)?;
    Ok(new(cx, re, im))
}

/// A product in which a zero times an infinity counts as a signed zero.
fn safe_product(cx: &mut Cx, a: Value, b: Value) -> R {
    let (a_zero, b_zero) = (ops::is_zero(cx, a)?, ops::is_zero(cx, b)?);
    let sign_only = |cx: &mut Cx, v: Value| match float::get(v) {
        Some(f) if !f.is_nan() => float::new(cx, 1f64.copysign(f)),
        _ => v,
    };
    let x = if !a_zero && b_zero { sign_only(cx, a) } else { a };
    let y = if !b_zero && a_zero { sign_only(cx, b) } else { b };
    times(cx, x, y)
}

fn product(cx: &mut Cx, a: (Value, Value), b: (Value, Value)) -> R<(Value, Value)> {
    let (x, y) = (safe_product(cx, a.0, b.0)?, safe_product(cx, a.1, b.1)?);
    let re = minus(cx, x, y)?;
    let (x, y) = (safe_product(cx, a.0, b.1)?, safe_product(cx, a.1, b.0)?);
    let im = plus(cx, x, y)?;
    Ok((re, im))
}

/// `a * b`
pub fn mul(cx: &mut Cx, a: Value, b: Value) -> R {
    let (re, im) = parts(a);
    if kind(b) == Kind::Complex {
        let (re, im) = product(cx, (re, im), parts(b))?;
        return Ok(new(cx, re, im));
    }
    if is_real(cx, b)? {
        let re = times(cx, re, b)?;
        let im = times(cx, im, b)?;
        return Ok(new(cx, re, im));
    }
    coerce::binary(cx, a, sym::TIMES, b)
}

/// The exact quotient of reals.
fn quo(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(a) {
        Kind::Integer if kind(b) != Kind::Float => {
            let a = rational::whole(cx, a);
            ops::div(cx, a, b)
        }
        Kind::Integer | Kind::Float | Kind::Rational => ops::div(cx, a, b),
        _ => {
            let quo = ops::name(cx, "quo");
            call::send(cx, a, quo, &[b])
        }
    }
}

fn fdiv_reals(cx: &mut Cx, a: Value, b: Value) -> R {
    let fdiv = ops::name(cx, "fdiv");
    call::send(cx, a, fdiv, &[b])
}

/// A Rational with the denominator 1 becomes an Integer.
fn canonical(v: Value) -> Value {
    match kind(v) {
        Kind::Rational if rational::parts(v).1 == Value::fixnum(1) => rational::parts(v).0,
        _ => v,
    }
}

type Quotient = fn(&mut Cx, Value, Value) -> R;

fn divide(cx: &mut Cx, a: Value, b: Value, quo: Quotient, op: runtime::Sym) -> R {
    let (re, im) = parts(a);
    if kind(b) != Kind::Complex {
        if !is_real(cx, b)? {
            return coerce::binary(cx, a, op, b);
        }
        let re = quo(cx, re, b)?;
        let im = quo(cx, im, b)?;
        return Ok(new(cx, canonical(re), canonical(im)));
    }
    let (bre, bim) = parts(b);
    let floats = [re, im, bre, bim].iter().any(|v| kind(*v) == Kind::Float);
    // The operands are scaled by the larger part of the divisor.
    let (size_re, size_im) = (polar::magnitude(cx, bre)?, polar::magnitude(cx, bim)?);
    let by_real = ops::relation(cx, size_re, sym::GREATER, size_im)?;
    let (large, small) = if by_real { (bre, bim) } else { (bim, bre) };
    let ratio = quo(cx, small, large)?;
    let square = times(cx, ratio, ratio)?;
    let sum = plus(cx, Value::fixnum(1), square)?;
    let scale = times(cx, large, sum)?;
    let (re_ratio, im_ratio) = (times(cx, re, ratio)?, times(cx, im, ratio)?);
    let (x, y) = if by_real {
        (plus(cx, re, im_ratio)?, minus(cx, im, re_ratio)?)
    } else {
        (plus(cx, re_ratio, im)?, minus(cx, im_ratio, re)?)
    };
    let (x, y) = (quo(cx, x, scale)?, quo(cx, y, scale)?);
    Ok(if floats { new(cx, x, y) } else { new(cx, canonical(x), canonical(y)) })
}

/// `a / b`: exact if the parts are.
pub fn div(cx: &mut Cx, a: Value, b: Value) -> R {
    let name = ops::name(cx, "quo");
    divide(cx, a, b, quo, name)
}

/// `fdiv(other) → complex`: each part divided as a Float, so that integers give fractions too. TypeError unless `other`
/// is a number.
pub fn fdiv(cx: &mut Cx, args: Args) -> R {
    let fdiv = ops::name(cx, "fdiv");
    divide(cx, args.me(), args.at(0), fdiv_reals, fdiv)
}

/// `-self → complex`: both parts negated.
pub fn negate(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let re = ops::neg(cx, re)?;
    let im = ops::neg(cx, im)?;
    Ok(new(cx, re, im))
}

/// `a ** b`
pub fn pow(cx: &mut Cx, a: Value, b: Value) -> R {
    let b = if kind(b) == Kind::Complex && is_exact_zero(parts(b).1) { parts(b).0 } else { b };
    let b = canonical(b);
    if is_exact_zero(b) {
        return Ok(new(cx, Value::fixnum(1), Value::fixnum(0)));
    }
    if ops::is_exact_one(b) {
        return Ok(a);
    }
    if kind(b) == Kind::Integer
        && let Some(result) = at_special_angle(cx, a, b)?
    {
        return Ok(result);
    }
    match kind(b) {
        Kind::Complex => complex_exponent(cx, a, b),
        Kind::Integer if b.is_fixnum() => integer_exponent(cx, a, b.fixnum_value()),
        _ if is_real(cx, b)? => {
            let size = polar::absolute(cx, a)?;
            let size = ops::pow(cx, size, b)?;
            let angle = polar::argument(cx, a)?;
            let angle = times(cx, angle, b)?;
            from_polar(cx, size, angle)
        }
        _ => coerce::binary(cx, a, sym::POWER, b),
    }
}

fn complex_exponent(cx: &mut Cx, a: Value, b: Value) -> R {
    let (bre, bim) = parts(b);
    let size = polar::absolute(cx, a)?;
    let angle = polar::argument(cx, a)?;
    let log = runtime::convert::to_f64(cx, size)?.ln();
    let log = float::new(cx, log);
    let (x, y) = (times(cx, bre, log)?, times(cx, bim, angle)?);
    let power = minus(cx, x, y)?;
    let power = runtime::convert::to_f64(cx, power)?.exp();
    let power = float::new(cx, power);
    let (x, y) = (times(cx, angle, bre)?, times(cx, bim, log)?);
    let turn = plus(cx, x, y)?;
    from_polar(cx, power, turn)
}

/// Powers by squaring; `n` is not 0 or 1.
fn integer_exponent(cx: &mut Cx, a: Value, n: i64) -> R {
    let a = if n < 0 {
        let one = new(cx, Value::fixnum(1), Value::fixnum(0));
        div(cx, one, a)?
    } else {
        a
    };
    let mut x = parts(a);
    let mut z = x;
    let mut n = n.unsigned_abs() - 1;
    while n > 0 {
        while n.is_multiple_of(2) {
            let (re2, im2) = (times(cx, x.0, x.0)?, times(cx, x.1, x.1)?);
            let twice = times(cx, Value::fixnum(2), x.0)?;
            x = (minus(cx, re2, im2)?, times(cx, twice, x.1)?);
            n /= 2;
            cx.safepoint()?;
        }
        z = product(cx, z, x)?;
        n -= 1;
    }
    Ok(new(cx, z.0, z.1))
}

/// Integer powers of numbers on the axes and diagonals, where the angle is exact.
fn at_special_angle(cx: &mut Cx, a: Value, b: Value) -> R<Option<Value>> {
    let (re, im) = parts(a);
    let opposite = ops::neg(cx, im)?;
    let (x, direction) = if ops::is_zero(cx, im)? {
        (re, 0)
    } else if ops::is_zero(cx, re)? {
        (im, 2)
    } else if call::equal(cx, re, im)? {
        (re, 1)
    } else if call::equal(cx, re, opposite)? {
        (im, 3)
    } else {
        return Ok(None);
    };
    let (x, direction) = if ops::is_negative(cx, x)? { (ops::neg(cx, x)?, direction + 4) } else { (x, direction) };
    let size = if direction % 2 == 0 {
        ops::pow(cx, x, b)?
    } else {
        let twice = times(cx, Value::fixnum(2), x)?;
        let square = times(cx, twice, x)?;
        let half = ops::div(cx, b, Value::fixnum(2))?;
        let size = ops::pow(cx, square, half)?;
        if int(&b).is_odd() { times(cx, size, x)? } else { size }
    };
    const DIRECTIONS: [(i8, i8); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
    let turn = (direction * (numeric::big::low_u64(int(&b)) & 7)) % 8;
    let (dre, dim) = DIRECTIONS[turn as usize];
    let re = directed(cx, size, dre)?;
    let im = directed(cx, size, dim)?;
    Ok(Some(new(cx, re, im)))
}

fn directed(cx: &mut Cx, size: Value, direction: i8) -> R {
    match direction {
        1 => Ok(size),
        -1 => ops::neg(cx, size),
        _ => Ok(match kind(size) {
            Kind::Float => float::new(cx, 0.0),
            Kind::Rational => rational::whole(cx, Value::fixnum(0)),
            _ => Value::fixnum(0),
        }),
    }
}

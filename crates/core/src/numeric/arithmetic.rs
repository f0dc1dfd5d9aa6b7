//! Methods of all numbers, in terms of the operators of their classes.

use runtime::{Args, Cx, Known, R, Value, call, convert, error, make, sym};

use crate::numeric::{
    coerce,
    ops::{self, Kind, kind},
};

/// `+self`, `dup`, `real`, `conjugate → self`: a number is its own copy, and a real one its own real part.
pub fn plus(_: &mut Cx, args: Args) -> R {
    Ok(args.me())
}

/// `-self → number`: `0 - self`, with both converted by `coerce` of the receiver.
pub fn negate(cx: &mut Cx, args: Args) -> R {
    let (zero, me) = coerce::coerced(cx, Value::fixnum(0), args.me())?;
    call::send(cx, zero, sym::MINUS, &[me])
}

/// `div(other) → integer`: the result of `/`, rounded down. ZeroDivisionError if `other` equals 0.
pub fn div(cx: &mut Cx, args: Args) -> R {
    let zero = Value::fixnum(0);
    if call::equal(cx, zero, args.at(0))? {
        return Err(ops::zero_division(cx));
    }
    let quotient = call::send(cx, args.me(), sym::DIVIDE, &[args.at(0)])?;
    call::send(cx, quotient, sym::FLOOR, &[])
}

/// `self % other → number`: `self - other * self.div(other)`, so that it has the divisor's sign.
pub fn modulo(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    let quotient = call::send(cx, me, sym::DIV, &[other])?;
    let product = ops::mul(cx, other, quotient)?;
    ops::sub(cx, me, product)
}

/// `divmod(other) → [quotient, modulus]`: the results of `div` and `%`.
pub fn divmod(cx: &mut Cx, args: Args) -> R {
    let quotient = call::send(cx, args.me(), sym::DIV, &[args.at(0)])?;
    let rest = call::send(cx, args.me(), sym::MODULO, &[args.at(0)])?;
    Ok(make::array(cx, &[quotient, rest]))
}

/// `remainder(other)`: has the sign of the receiver.
pub fn remainder(cx: &mut Cx, x: Value, y: Value) -> R {
    let (x, y) = if object::class::is_known(cx, y, Known::Numeric) { (x, y) } else { coerce::coerced(cx, x, y)? };
    let rest = ops::modulo(cx, x, y)?;
    let opposite = !ops::is_zero(cx, rest)?
        && ((ops::is_negative(cx, x)? && ops::is_positive(cx, y)?)
            || (ops::is_positive(cx, x)? && ops::is_negative(cx, y)?));
    if !opposite {
        return Ok(rest);
    }
    if kind(y) == Kind::Float && ops::real(y).is_infinite() {
        return Ok(x);
    }
    ops::sub(cx, rest, y)
}

/// `fdiv(other) → float`: the receiver as a Float divided by `other`.
pub fn fdiv(cx: &mut Cx, args: Args) -> R {
    let f = convert::to_f64(cx, args.me())?;
    let f = object::float::new(cx, f);
    ops::div(cx, f, args.at(0))
}

/// `quo(other) → number`: the exact quotient as a Rational; a Float if the divisor is a Float. ZeroDivisionError for an
/// exact 0.
pub fn quo(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if kind(other) == Kind::Float {
        let fdiv = ops::name(cx, "fdiv");
        return call::send(cx, me, fdiv, &[other]);
    }
    let me = match kind(me) {
        Kind::Integer => crate::rational::whole(cx, me),
        _ => {
            let Some(made) = call::send_if_responds(cx, me, sym::TO_R, &[])? else {
                let from = error::class_name_of(cx, me);
                return Err(cx.type_error(&format!("can't convert {from} into Rational")));
            };
            if kind(made) != Kind::Rational {
                let (from, to) = (error::class_name_of(cx, me), error::class_name_of(cx, made));
                return Err(cx.type_error(&format!("can't convert {from} to Rational ({from}#to_r gives {to})")));
            }
            made
        }
    };
    ops::div(cx, me, other)
}

/// `abs → number`: the receiver, or the result of its `-@` if it is negative.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if ops::is_negative(cx, me)? { call::send(cx, me, sym::UMINUS, &[]) } else { Ok(me) }
}

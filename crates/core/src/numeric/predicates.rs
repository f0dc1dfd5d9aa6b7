//! Predicates and conversions in terms of the operators of the number's class.

use object::class;
use runtime::{Args, Cx, R, Value, call, error, keys, make, sym};

use crate::numeric::{
    convert,
    ops::{self, Kind, kind},
};

/// `real?`, `finite? → true`: a number is real and finite unless its class says otherwise.
pub fn yes(_: &mut Cx, _: Args) -> R {
    Ok(Value::TRUE)
}

/// `integer? → false`: true only for Integer.
pub fn no(_: &mut Cx, _: Args) -> R {
    Ok(Value::FALSE)
}

/// `infinite? → nil`: only floats can be infinite; they return 1 or -1.
pub fn nothing(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `coerce(other) → [other, self]`: unchanged if both have the same class, otherwise as floats. TypeError or
/// ArgumentError if `other` is not a number.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if class::class_of(cx, me) == class::class_of(cx, other) {
        return Ok(make::array(cx, &[other, me]));
    }
    let other = convert::kernel_float(cx, other)?;
    let me = convert::kernel_float(cx, me)?;
    Ok(make::array(cx, &[other, me]))
}

/// `self <=> other → 0 or nil`: 0 for the same object or an equal one, otherwise nil; subclasses redefine it.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let same = args.me() == args.at(0) || call::equal(cx, args.me(), args.at(0))?;
    Ok(if same { Value::fixnum(0) } else { Value::NIL })
}

/// `eql?(other) → true or false`: whether `other` is of the same class and equal.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me.is_fixnum() || other.is_fixnum() {
        // Every integer has one representation only.
        return Ok(Value::bool(me == other));
    }
    if class::real_class(cx, me) != class::real_class(cx, other) {
        return Ok(Value::FALSE);
    }
    if kind(me) == Kind::Integer {
        return Ok(Value::bool(numeric::big::cmp(ops::int(&me), ops::int(&other)).is_eq()));
    }
    Ok(Value::bool(call::equal(cx, me, other)?))
}

/// `to_int → integer`: the result of `to_i`; the implicit conversion of numbers.
pub fn to_int(cx: &mut Cx, args: Args) -> R {
    call::send(cx, args.me(), sym::TO_I, &[])
}

/// `zero? → true or false`: whether the number equals 0.
pub fn zero(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(ops::is_zero(cx, args.me())?))
}

/// `nonzero? → self or nil`: nil if the number is 0, so that `a.nonzero? || b` chains comparisons.
pub fn nonzero(cx: &mut Cx, args: Args) -> R {
    let zero = match kind(args.me()) {
        Kind::Integer | Kind::Float | Kind::Rational => ops::is_zero(cx, args.me())?,
        _ => {
            let name = ops::name(cx, "zero?");
            call::send(cx, args.me(), name, &[])?.truthy()
        }
    };
    Ok(if zero { Value::NIL } else { args.me() })
}

/// `positive? → true or false`: whether the number is greater than 0, by its `>`.
pub fn positive(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    Ok(Value::bool(match kind(me) {
        Kind::Integer => !ops::is_exact_zero(me) && !ops::is_negative(cx, me)?,
        _ => ops::relation(cx, me, sym::GREATER, Value::fixnum(0))?,
    }))
}

/// `negative? → true or false`: whether the number is less than 0, by its `<`.
pub fn negative(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(ops::is_negative(cx, args.me())?))
}

macro_rules! by_float {
    ($($(#[$documentation:meta])* $name:ident;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            let f = convert::kernel_float(cx, args.me())?;
            let name = ops::name(cx, stringify!($name));
            call::send_full(cx, f, name, args.all(), args.keywords(), abi::BlockHandler::NONE, call::Scope::Public)
        }
    )*};
}

by_float! {
    /// `floor(digits = 0) → integer or float`: `Float#floor` of the number as a Float.
    floor;
    /// `ceil(digits = 0) → integer or float`: `Float#ceil` of the number as a Float.
    ceil;
    /// `round(digits = 0, half: nil) → integer or float`: `Float#round` of the number as a Float.
    round;
    /// `truncate(digits = 0) → integer or float`: `Float#truncate` of the number as a Float.
    truncate;
}

/// `clone(freeze: nil) → self`: numbers are immutable, so that no copy is needed. ArgumentError for `freeze: false`.
pub fn clone(cx: &mut Cx, args: Args) -> R {
    let freeze = ops::name(cx, "freeze");
    let keywords = args.keywords();
    keys::only_keywords(cx, keywords, &[freeze])?;
    match keys::keyword(cx, keywords, freeze) {
        Value::FALSE => {
            let class = error::class_name_of(cx, args.me());
            Err(cx.argument_error(&format!("can't unfreeze {class}")))
        }
        Value::UNDEF | Value::NIL | Value::TRUE => Ok(args.me()),
        other => {
            let class = error::class_name_of(cx, other);
            Err(cx.argument_error(&format!("unexpected value for freeze: {class}")))
        }
    }
}

/// `numerator → integer`: the numerator of `to_r`.
pub fn numerator(cx: &mut Cx, args: Args) -> R {
    let r = call::send(cx, args.me(), sym::TO_R, &[])?;
    let name = ops::name(cx, "numerator");
    call::send(cx, r, name, &[])
}

/// `denominator → integer`: the denominator of `to_r`.
pub fn denominator(cx: &mut Cx, args: Args) -> R {
    let r = call::send(cx, args.me(), sym::TO_R, &[])?;
    let name = ops::name(cx, "denominator");
    call::send(cx, r, name, &[])
}

//! Predicates and conversions that go by the operators of the number's class.

use object::class;
use runtime::{Args, Cx, R, Value, call, error, keys, make, sym};

use crate::numeric::{
    convert,
    ops::{self, Kind, kind},
};

pub fn yes(_: &mut Cx, _: Args) -> R {
    Ok(Value::TRUE)
}

pub fn no(_: &mut Cx, _: Args) -> R {
    Ok(Value::FALSE)
}

pub fn nothing(_: &mut Cx, _: Args) -> R {
    Ok(Value::NIL)
}

/// `coerce(other)`: both as they are where they are of one class, else as Floats.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if class::class_of(cx, me) == class::class_of(cx, other) {
        return Ok(make::array(cx, &[other, me]));
    }
    let other = convert::kernel_float(cx, other)?;
    let me = convert::kernel_float(cx, me)?;
    Ok(make::array(cx, &[other, me]))
}

/// `<=>`: 0 for the same number, else nil.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    let same = args.me() == args.at(0) || call::equal(cx, args.me(), args.at(0))?;
    Ok(if same { Value::fixnum(0) } else { Value::NIL })
}

/// `eql?`: of the same class and equal.
pub fn eql(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if class::real_class(cx, me) != class::real_class(cx, other) {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(call::equal(cx, me, other)?))
}

pub fn to_int(cx: &mut Cx, args: Args) -> R {
    call::send(cx, args.me(), sym::TO_I, &[])
}

pub fn zero(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(ops::is_zero(cx, args.me())?))
}

/// `nonzero? → self or nil`
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

pub fn positive(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    Ok(Value::bool(match kind(me) {
        Kind::Integer => !ops::is_exact_zero(me) && !ops::is_negative(cx, me)?,
        _ => ops::relation(cx, me, sym::GREATER, Value::fixnum(0))?,
    }))
}

pub fn negative(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(ops::is_negative(cx, args.me())?))
}

macro_rules! by_float {
    ($($name:ident)*) => {$(
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            let f = convert::kernel_float(cx, args.me())?;
            let name = ops::name(cx, stringify!($name));
            call::send_full(cx, f, name, args.all(), args.keywords(), abi::BlockHandler::NONE, call::Scope::Public)
        }
    )*};
}

by_float! { floor ceil round truncate }

/// `clone(freeze: true)`: the number itself; ArgumentError "can't unfreeze Integer".
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

pub fn numerator(cx: &mut Cx, args: Args) -> R {
    let r = call::send(cx, args.me(), sym::TO_R, &[])?;
    let name = ops::name(cx, "numerator");
    call::send(cx, r, name, &[])
}

pub fn denominator(cx: &mut Cx, args: Args) -> R {
    let r = call::send(cx, args.me(), sym::TO_R, &[])?;
    let name = ops::name(cx, "denominator");
    call::send(cx, r, name, &[])
}

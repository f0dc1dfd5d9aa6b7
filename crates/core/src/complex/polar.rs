//! Absolute value and angle.

use std::f64::consts::{FRAC_PI_2, PI};

use object::float;
use runtime::{Args, Cx, R, Value, call, convert, make, sym};

use super::{convert::real_check, new, parts};
use crate::numeric::ops::{self, Kind, flo, kind, mul as times};

/// The absolute value of a real number.
pub fn magnitude(cx: &mut Cx, v: Value) -> R {
    match kind(v) {
        Kind::Integer | Kind::Rational => {
            if ops::is_negative(cx, v)? {
                ops::neg(cx, v)
            } else {
                Ok(v)
            }
        }
        Kind::Float => flo(cx, float::value(v).abs()),
        _ => call::send(cx, v, sym::ABS, &[]),
    }
}

/// The absolute value of a Complex: that of one part if the other is zero, otherwise a Float.
pub fn absolute(cx: &mut Cx, v: Value) -> R {
    let (re, im) = parts(v);
    for (zero, part) in [(re, im), (im, re)] {
        if ops::is_zero(cx, zero)? {
            let size = magnitude(cx, part)?;
            let size = if kind(zero) == Kind::Float { to_float(cx, size)? } else { size };
            return Ok(size);
        }
    }
    let real = if kind(re) == Kind::Float { ops::real(re).is_sign_negative() } else { ops::is_negative(cx, re)? };
    let size_re = if real { ops::neg(cx, re)? } else { re };
    let size_re = convert::to_f64(cx, size_re)?;
    let size_im = convert::to_f64(cx, im)?.abs();
    flo(cx, size_re.hypot(size_im))
}

/// The angle of a Complex: a Float.
pub fn argument(cx: &mut Cx, v: Value) -> R {
    let (re, im) = parts(v);
    let (re, im) = (convert::to_f64(cx, re)?, convert::to_f64(cx, im)?);
    flo(cx, numeric::float::atan2(im, re))
}

/// `abs → float`: the distance from zero, without intermediate overflow. Alias: `magnitude`.
pub fn abs(cx: &mut Cx, args: Args) -> R {
    absolute(cx, args.me())
}

/// `abs2 → number`: the sum of the parts' squares, exact for exact parts.
pub fn abs2(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let (re, im) = (times(cx, re, re)?, times(cx, im, im)?);
    ops::add(cx, re, im)
}

/// `arg → number`: the angle with the positive real axis in radians, above -π and at most π. Aliases: `angle`, `phase`.
pub fn arg(cx: &mut Cx, args: Args) -> R {
    argument(cx, args.me())
}

/// `polar → [abs, arg]`: the distance from zero and the angle in radians.
pub fn polar(cx: &mut Cx, args: Args) -> R {
    let (size, angle) = (absolute(cx, args.me())?, argument(cx, args.me())?);
    Ok(make::array(cx, &[size, angle]))
}

/// `Complex.polar(absolute, argument = 0) → complex`: the Complex with this distance from zero and angle in radians.
/// TypeError unless they are real numbers.
pub fn make_polar(cx: &mut Cx, args: Args) -> R {
    let size = real_check(cx, args.at(0))?;
    let angle = match args.opt(1) {
        None => Value::fixnum(0),
        Some(angle) => real_check(cx, angle)?,
    };
    from_polar(cx, size, angle)
}

/// The Complex with an absolute value and an angle: exact on the axes.
pub fn from_polar(cx: &mut Cx, size: Value, angle: Value) -> R {
    let zero = float::new(cx, 0.0);
    if ops::is_zero(cx, size)? || ops::is_zero(cx, angle)? {
        return Ok(new(cx, size, zero));
    }
    if let Some(turn) = float::get(angle) {
        if turn == PI {
            let re = ops::neg(cx, size)?;
            return Ok(new(cx, re, zero));
        }
        if turn == FRAC_PI_2 {
            return Ok(new(cx, zero, size));
        }
        if turn == FRAC_PI_2 + PI {
            let im = ops::neg(cx, size)?;
            return Ok(new(cx, zero, im));
        }
    }
    let turn = convert::to_f64(cx, angle)?;
    let (cos, sin) = (float::new(cx, turn.cos()), float::new(cx, turn.sin()));
    let re = times(cx, size, cos)?;
    let im = times(cx, size, sin)?;
    Ok(new(cx, re, im))
}

fn to_float(cx: &mut Cx, v: Value) -> R {
    let f = convert::to_f64(cx, v)?;
    flo(cx, f)
}

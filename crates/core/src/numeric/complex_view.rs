//! The methods of Complex for every number: real, imaginary, abs2, polar etc.

use runtime::{Args, Cx, R, Value, call, make, sym};

use crate::complex;
use crate::numeric::ops::{self, flo};

/// `imaginary → 0`: the imaginary part of a real number. Alias: `imag`.
pub fn imaginary(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(0))
}

/// `i → complex`: the receiver as the imaginary part of a Complex.
pub fn times_i(cx: &mut Cx, args: Args) -> R {
    Ok(complex::new(cx, Value::fixnum(0), args.me()))
}

/// `to_c → complex`: the number as the real part, with 0 as the imaginary one.
pub fn to_c(cx: &mut Cx, args: Args) -> R {
    Ok(complex::of_real(cx, args.me()))
}

/// `abs2 → number`: the square.
pub fn abs2(cx: &mut Cx, args: Args) -> R {
    ops::mul(cx, args.me(), args.me())
}

/// `arg → 0 or float`: 0, or π for negative numbers. Aliases: `angle`, `phase`.
pub fn arg(cx: &mut Cx, args: Args) -> R {
    if ops::is_negative(cx, args.me())? { flo(cx, std::f64::consts::PI) } else { Ok(Value::fixnum(0)) }
}

/// `rectangular → array`: the number and 0, like the parts of a Complex. Alias: `rect`.
pub fn rectangular(cx: &mut Cx, args: Args) -> R {
    Ok(make::array(cx, &[args.me(), Value::fixnum(0)]))
}

/// `polar → [abs, arg]`: the results of `abs` and `arg`.
pub fn polar(cx: &mut Cx, args: Args) -> R {
    let size = call::send(cx, args.me(), sym::ABS, &[])?;
    let name = ops::name(cx, "arg");
    let angle = call::send(cx, args.me(), name, &[])?;
    Ok(make::array(cx, &[size, angle]))
}

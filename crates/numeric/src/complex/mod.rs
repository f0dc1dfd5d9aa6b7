//! Complex arithmetic on floats where signs of zero, infinities and exact angles matter.
//!
//! The caller handles integer and rational components; these are the paths for floats.

use std::f64::consts::{FRAC_PI_2, PI};

/// A real and an imaginary part.
pub type Parts = (f64, f64);

/// `a * b`. A zero times an infinity counts as a signed zero, so that `Complex(0.0, 1.0) * Float::INFINITY` keeps its
/// direction.
pub fn mul(a: Parts, b: Parts) -> Parts {
    (product(a.0, b.0) - product(a.1, b.1), product(a.0, b.1) + product(a.1, b.0))
}

fn product(a: f64, b: f64) -> f64 {
    let sign_only = |value: f64, other: f64| {
        if value != 0.0 && other == 0.0 && !value.is_nan() { 1f64.copysign(value) } else { value }
    };
    sign_only(a, b) * sign_only(b, a)
}

/// `a / b`, scaled by the larger part of the divisor (Smith's method).
pub fn div(a: Parts, b: Parts) -> Parts {
    if b.0.abs() > b.1.abs() {
        let ratio = b.1 / b.0;
        let scale = b.0 * (1.0 + ratio * ratio);
        ((a.0 + a.1 * ratio) / scale, (a.1 - a.0 * ratio) / scale)
    } else {
        let ratio = b.0 / b.1;
        let scale = b.1 * (1.0 + ratio * ratio);
        ((a.0 * ratio + a.1) / scale, (a.1 * ratio - a.0) / scale)
    }
}

/// `Complex.polar(abs, arg)`: exact on the axes.
pub fn from_polar(abs: f64, arg: f64) -> Parts {
    if abs == 0.0 || arg == 0.0 {
        (abs, 0.0)
    } else if arg == PI {
        (-abs, 0.0)
    } else if arg == FRAC_PI_2 {
        (0.0, abs)
    } else if arg == FRAC_PI_2 + PI {
        (0.0, -abs)
    } else {
        (abs * arg.cos(), abs * arg.sin())
    }
}

/// The power of a negative float: `abs` at the angle of `half_turns` times π. An imaginary part of `None` means that
/// the result is a Float.
pub fn from_polar_pi(abs: f64, half_turns: f64) -> (f64, Option<f64>) {
    let turn = half_turns.rem_euclid(2.0);
    if turn == 0.0 {
        (abs, None)
    } else if turn == 1.0 {
        (-abs, None)
    } else if turn == 0.5 {
        (0.0, Some(abs))
    } else if turn == 1.5 {
        (0.0, Some(-abs))
    } else {
        let angle = half_turns * PI;
        (abs * angle.cos(), Some(abs * angle.sin()))
    }
}

/// `abs`.
pub fn abs(value: Parts) -> f64 {
    value.0.hypot(value.1)
}

/// `Math.sqrt` of a complex number (as in CMath): the root with a real part that is not negative.
pub fn sqrt(value: Parts) -> Parts {
    let magnitude = abs(value);
    let imaginary = ((magnitude - value.0) / 2.0).sqrt();
    (((magnitude + value.0) / 2.0).sqrt(), imaginary.copysign(value.1))
}

//! Floored division.

use crate::big::{Error, Integer, from_f64};

/// `a % b`: has the sign of `b`.
///
/// # Errors
/// [`Error::ZeroDivision`].
pub fn modulo(a: f64, b: f64) -> Result<f64, Error> {
    if b == 0.0 {
        return Err(Error::ZeroDivision);
    }
    Ok(parts(a, b, false).1)
}

/// `a.divmod(b)`.
///
/// # Errors
/// [`Error::ZeroDivision`]; [`Error::NotFinite`] if the quotient is not finite.
pub fn divmod(a: f64, b: f64) -> Result<(Integer, f64), Error> {
    if b == 0.0 {
        return Err(Error::ZeroDivision);
    }
    let (quotient, modulo) = parts(a, b, true);
    Ok((from_f64(quotient)?, modulo))
}

/// `a.div(b)`: the floored quotient.
pub fn floor_div(a: f64, b: f64) -> Result<Integer, Error> {
    if b == 0.0 {
        return Err(Error::ZeroDivision);
    }
    from_f64((a / b).floor())
}

fn parts(a: f64, b: f64, rounded: bool) -> (f64, f64) {
    if b.is_nan() {
        return (b, b);
    }
    let mut modulo = if a == 0.0 || (b.is_infinite() && a.is_finite()) { a } else { a % b };
    let mut quotient = if a.is_infinite() && b.is_finite() {
        a
    } else {
        let quotient = (a - modulo) / b;
        if rounded { quotient.round() } else { quotient }
    };
    if b * modulo < 0.0 {
        modulo += b;
        quotient -= 1.0;
    }
    (quotient, modulo)
}

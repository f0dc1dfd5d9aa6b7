//! `Math`: the functions whose domains, poles or operands differ from the C library's.
//!
//! The others (`sin`, `exp`, …) are `f64`'s own methods.

use crate::big::{self, Int};
use std::f64::consts::{LN_2, LOG10_2, PI};

/// Math::DomainError: `Numerical argument is out of domain - name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DomainError(pub &'static str);

impl std::fmt::Display for DomainError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Numerical argument is out of domain - {}", self.0)
    }
}

impl std::error::Error for DomainError {}

fn at_least(value: f64, least: f64, name: &'static str) -> Result<(), DomainError> {
    // Negative zero is within every domain.
    if value < least { Err(DomainError(name)) } else { Ok(()) }
}

fn within_one(value: f64, name: &'static str) -> Result<(), DomainError> {
    if value.abs() > 1.0 { Err(DomainError(name)) } else { Ok(()) }
}

pub fn sqrt(value: f64) -> Result<f64, DomainError> {
    at_least(value, 0.0, "sqrt")?;
    Ok(if value == 0.0 { 0.0 } else { value.sqrt() })
}

/// Correctly rounded; the last digit of CRuby's result depends on its C library.
pub fn cbrt(value: f64) -> f64 {
    value.cbrt()
}

pub fn hypot(a: f64, b: f64) -> f64 {
    a.hypot(b)
}

pub fn acos(value: f64) -> Result<f64, DomainError> {
    within_one(value, "acos")?;
    Ok(value.acos())
}

pub fn asin(value: f64) -> Result<f64, DomainError> {
    within_one(value, "asin")?;
    Ok(value.asin())
}

pub fn asinh(value: f64) -> f64 {
    libm::asinh(value)
}

pub fn acosh(value: f64) -> Result<f64, DomainError> {
    at_least(value, 1.0, "acosh")?;
    Ok(libm::acosh(value))
}

pub fn atanh(value: f64) -> Result<f64, DomainError> {
    within_one(value, "atanh")?;
    Ok(match value {
        1.0 => f64::INFINITY,
        -1.0 => f64::NEG_INFINITY,
        _ => libm::atanh(value),
    })
}

pub fn atan2(y: f64, x: f64) -> f64 {
    if x == 0.0 && y == 0.0 {
        return if x.is_sign_positive() { y } else { PI.copysign(y) };
    }
    y.atan2(x)
}

/// An operand of a logarithm: integers may be beyond the floats.
#[derive(Clone, Copy)]
pub enum Operand<'a> {
    Float(f64),
    Int(Int<'a>),
}

impl From<f64> for Operand<'_> {
    fn from(value: f64) -> Self {
        Operand::Float(value)
    }
}

impl<'a> From<Int<'a>> for Operand<'a> {
    fn from(value: Int<'a>) -> Operand<'a> {
        Operand::Int(value)
    }
}

impl Operand<'_> {
    /// A float and its power-of-two scale.
    fn split(self, least: f64, name: &'static str) -> Result<(f64, f64), DomainError> {
        let (value, exponent) = match self {
            Operand::Float(value) => (value, 0.0),
            Operand::Int(value) if value.is_negative() || value.magnitude_bits() < 1024 => (big::to_f64(value), 0.0),
            Operand::Int(value) => {
                let (mantissa, exponent) = big::top_53_bits(value);
                (mantissa, exponent as f64)
            }
        };
        at_least(value, least, name)?;
        Ok((value, exponent))
    }
}

/// `Math.log(value)`.
pub fn log<'a>(value: impl Into<Operand<'a>>) -> Result<f64, DomainError> {
    let (value, exponent) = value.into().split(0.0, "log")?;
    Ok(if value == 0.0 { f64::NEG_INFINITY } else { value.ln() + exponent * LN_2 })
}

/// `Math.log(value, base)`.
pub fn log_base<'a, 'b>(value: impl Into<Operand<'a>>, base: impl Into<Operand<'b>>) -> Result<f64, DomainError> {
    let (value, exponent) = value.into().split(0.0, "log")?;
    let (base, base_exponent) = base.into().split(0.0, "log")?;
    Ok(match (value == 0.0, base == 0.0) {
        (true, true) => f64::NAN,
        (true, false) => f64::NEG_INFINITY,
        (false, true) => -0.0,
        (false, false) if base_exponent > 0.0 => (value.log2() + exponent) / (base.log2() + base_exponent),
        (false, false) => value.log2() / base.log2() + exponent / base.log2(),
    })
}

pub fn log2<'a>(value: impl Into<Operand<'a>>) -> Result<f64, DomainError> {
    let (value, exponent) = value.into().split(0.0, "log2")?;
    Ok(if value == 0.0 { f64::NEG_INFINITY } else { value.log2() + exponent })
}

pub fn log10<'a>(value: impl Into<Operand<'a>>) -> Result<f64, DomainError> {
    let (value, exponent) = value.into().split(0.0, "log10")?;
    Ok(if value == 0.0 { f64::NEG_INFINITY } else { value.log10() + exponent * LOG10_2 })
}

pub fn log1p<'a>(value: impl Into<Operand<'a>>) -> Result<f64, DomainError> {
    let (value, exponent) = value.into().split(-1.0, "log1p")?;
    Ok(if value == -1.0 {
        f64::NEG_INFINITY
    } else if exponent > 0.0 {
        // A difference of one is not visible beyond 2^1024.
        value.ln() + exponent * LN_2
    } else {
        value.ln_1p()
    })
}

/// `a ** b` if it is real. `None` if it is complex: a negative base with a fractional exponent (see
/// [`crate::complex::from_polar_pi`]).
pub fn pow(a: f64, b: f64) -> Option<f64> {
    if a < 0.0 && b != b.round() { None } else { Some(a.powf(b)) }
}

pub fn erf(value: f64) -> f64 {
    libm::erf(value)
}

pub fn erfc(value: f64) -> f64 {
    libm::erfc(value)
}

pub fn gamma(value: f64) -> Result<f64, DomainError> {
    if value == f64::NEG_INFINITY || (value < 0.0 && value == value.floor()) {
        return Err(DomainError("gamma"));
    }
    if value == 0.0 {
        return Ok(f64::INFINITY.copysign(value));
    }
    if value == value.floor() && (1.0..=23.0).contains(&value) {
        // Factorials that a float holds exactly.
        return Ok((2..value as u64).fold(1.0, |product, factor| product * factor as f64));
    }
    Ok(libm::tgamma(value))
}

/// The logarithm of the gamma function's magnitude, and the function's sign.
pub fn lgamma(value: f64) -> Result<(f64, i32), DomainError> {
    if value == f64::NEG_INFINITY {
        return Err(DomainError("lgamma"));
    }
    if value == 0.0 {
        return Ok((f64::INFINITY, if value.is_sign_negative() { -1 } else { 1 }));
    }
    let (logarithm, sign) = libm::lgamma_r(value);
    Ok((logarithm, if sign == 0 { 1 } else { sign }))
}

pub fn frexp(value: f64) -> (f64, i32) {
    if value.is_finite() { libm::frexp(value) } else { (value, 0) }
}

pub fn ldexp(mantissa: f64, exponent: i32) -> f64 {
    libm::ldexp(mantissa, exponent)
}

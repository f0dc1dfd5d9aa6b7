//! Math: functions of real numbers, with their domains.

use numeric::float::{self as functions, DomainError, Operand};
use object::{Known, class, float};
use runtime::{Args, Cx, Method, R, Value, call, convert, define, error::ErrorClass, make, method_table::InLine, sym};

use crate::{
    complex,
    numeric::ops::{Kind, flo, int, kind},
};

pub const METHODS: &[Method] = &[
    // `sin`, `cos`, `tan`, `atan`, `sinh`, `cosh`, `tanh`, `asinh`, `exp`, `expm1`, `cbrt`, `erf`, `erfc`: a Float for
    // every real number, angles in radians. TypeError for anything else, including a String.
    Method::new("sin(x)", |cx, args| total(cx, args, f64::sin)).module_function().frameless_with_numbers(),
    Method::new("cos(x)", |cx, args| total(cx, args, f64::cos)).module_function().frameless_with_numbers(),
    Method::new("tan(x)", |cx, args| total(cx, args, f64::tan)).module_function().frameless_with_numbers(),
    Method::new("atan(x)", |cx, args| total(cx, args, f64::atan)).module_function().frameless_with_numbers(),
    Method::new("sinh(x)", |cx, args| total(cx, args, f64::sinh)).module_function().frameless_with_numbers(),
    Method::new("cosh(x)", |cx, args| total(cx, args, f64::cosh)).module_function().frameless_with_numbers(),
    Method::new("tanh(x)", |cx, args| total(cx, args, f64::tanh)).module_function().frameless_with_numbers(),
    Method::new("asinh(x)", |cx, args| total(cx, args, functions::asinh)).module_function().frameless_with_numbers(),
    Method::new("exp(x)", |cx, args| total(cx, args, f64::exp)).module_function().frameless_with_numbers(),
    Method::new("expm1(x)", |cx, args| total(cx, args, f64::exp_m1)).module_function().frameless_with_numbers(),
    Method::new("cbrt(x)", |cx, args| total(cx, args, functions::cbrt)).module_function().frameless_with_numbers(),
    Method::new("erf(x)", |cx, args| total(cx, args, functions::erf)).module_function().frameless_with_numbers(),
    Method::new("erfc(x)", |cx, args| total(cx, args, functions::erfc)).module_function().frameless_with_numbers(),
    // `acos`, `asin`, `acosh`, `atanh`, `gamma`: a Float for a real number in the function's domain,
    // Math::DomainError outside of it, TypeError for anything else.
    Method::new("acos(x)", |cx, args| partial(cx, args, functions::acos)).module_function().frameless_with_numbers(),
    Method::new("asin(x)", |cx, args| partial(cx, args, functions::asin)).module_function().frameless_with_numbers(),
    Method::new("acosh(x)", |cx, args| partial(cx, args, functions::acosh)).module_function().frameless_with_numbers(),
    Method::new("atanh(x)", |cx, args| partial(cx, args, functions::atanh)).module_function().frameless_with_numbers(),
    Method::new("gamma(x)", |cx, args| partial(cx, args, functions::gamma)).module_function().frameless_with_numbers(),
    Method::new("sqrt(x)", sqrt).module_function().frameless_with_numbers().in_line(InLine::SquareRoot),
    Method::new("atan2(y, x)", atan2).module_function().frameless_with_numbers(),
    Method::new("hypot(a, b)", hypot).module_function().frameless_with_numbers(),
    Method::new("log(x, base = nil)", log).module_function().frameless_with_numbers(),
    Method::new("log2(x)", log2).module_function().frameless_with_numbers(),
    Method::new("log10(x)", log10).module_function().frameless_with_numbers(),
    Method::new("log1p(x)", log1p).module_function().frameless_with_numbers(),
    Method::new("lgamma(x)", lgamma).module_function().frameless_with_numbers(),
    Method::new("frexp(x)", frexp).module_function().frameless_with_numbers(),
    Method::new("ldexp(fraction, exponent)", ldexp).module_function().frameless_with_numbers(),
];

/// Creates the module.
pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Math");
    define::define_methods(cx, module, METHODS);
    for (name, f) in [("PI", std::f64::consts::PI), ("E", std::f64::consts::E)] {
        let name = object::symbol::table::intern_text(cx, name);
        let f = float::new(cx, f);
        define::set_constant(cx, module, name, f);
    }
}

/// An argument as a Float: of an Integer what its `to_f` returns, if a program has replaced that method.
fn real(cx: &mut Cx, v: Value) -> R<f64> {
    if kind(v) == Kind::Integer && is_to_f_replaced(cx) {
        let f = call::send_private(cx, v, sym::TO_F, &[])?;
        return convert::float_of(cx, v, f);
    }
    convert::to_f64(cx, v)
}

#[inline]
fn is_to_f_replaced(cx: &mut Cx) -> bool {
    let class = cx.class(Known::Integer);
    class::class_data(cx, class).rare().core_methods.contains_key(&sym::TO_F)
}

fn total(cx: &mut Cx, args: Args, f: impl Fn(f64) -> f64) -> R {
    let x = real(cx, args.at(0))?;
    flo(cx, f(x))
}

/// The float, or Math::DomainError `Numerical argument is out of domain - sqrt`.
fn within<T>(cx: &mut Cx, result: Result<T, DomainError>) -> R<T> {
    result.map_err(|e| cx.raise(ErrorClass::MathDomainError, &e.to_string()))
}

fn partial(cx: &mut Cx, args: Args, f: impl Fn(f64) -> Result<f64, DomainError>) -> R {
    let x = real(cx, args.at(0))?;
    let result = within(cx, f(x))?;
    flo(cx, result)
}

/// `Math.sqrt(x) → float or complex`: the square root of a real number that is not negative, or the one of a Complex
/// whose real part is not negative. Math::DomainError or TypeError for anything else.
fn sqrt(cx: &mut Cx, args: Args) -> R {
    let x = args.at(0);
    if kind(x) != Kind::Complex {
        return partial(cx, args, functions::sqrt);
    }
    let (re, im) = complex::parts(x);
    let size = complex::polar::absolute(cx, x)?;
    let (size, re, im) = (convert::to_f64(cx, size)?, convert::to_f64(cx, re)?, convert::to_f64(cx, im)?);
    let (root, height) = (((size + re) / 2.0).sqrt(), ((size - re) / 2.0).sqrt());
    let (root, height) = (flo(cx, root)?, flo(cx, height.copysign(im))?);
    Ok(complex::new(cx, root, height))
}

/// `Math.atan2(y, x) → float`: the angle of the point (x, y) in radians, from -π to π. TypeError unless both are real
/// numbers.
fn atan2(cx: &mut Cx, args: Args) -> R {
    let y = real(cx, args.at(0))?;
    let x = real(cx, args.at(1))?;
    flo(cx, functions::atan2(y, x))
}

/// `Math.hypot(a, b) → float`: the length of the hypotenuse, without intermediate overflow.
fn hypot(cx: &mut Cx, args: Args) -> R {
    let a = real(cx, args.at(0))?;
    let b = real(cx, args.at(1))?;
    flo(cx, functions::hypot(a, b))
}

/// An Integer unchanged unless a program has replaced its `to_f`, other values as a Float.
fn operand(cx: &mut Cx, v: Value) -> R {
    if kind(v) == Kind::Integer && !is_to_f_replaced(cx) {
        return Ok(v);
    }
    let f = real(cx, v)?;
    flo(cx, f)
}

fn as_operand(v: &Value) -> Operand<'_> {
    match float::get(*v) {
        Some(f) => Operand::Float(f),
        None => Operand::Int(int(v)),
    }
}

/// `Math.log(x, base = nil) → float`: the natural logarithm, or the logarithm to a base; integers of any size are
/// accepted. Math::DomainError for negative numbers.
fn log(cx: &mut Cx, args: Args) -> R {
    let x = operand(cx, args.at(0))?;
    let result = match args.opt(1) {
        None => functions::log(as_operand(&x)),
        Some(base) => {
            let base = operand(cx, base)?;
            functions::log_base(as_operand(&x), as_operand(&base))
        }
    };
    let result = within(cx, result)?;
    flo(cx, result)
}

/// `Math.log2(x) → float`: the logarithm to base 2; integers of any size are accepted. Math::DomainError for negative
/// numbers.
fn log2(cx: &mut Cx, args: Args) -> R {
    let x = operand(cx, args.at(0))?;
    let result = within(cx, functions::log2(as_operand(&x)))?;
    flo(cx, result)
}

/// `Math.log10(x) → float`: the logarithm to base 10; integers of any size are accepted. Math::DomainError for negative
/// numbers.
fn log10(cx: &mut Cx, args: Args) -> R {
    let x = operand(cx, args.at(0))?;
    let result = within(cx, functions::log10(as_operand(&x)))?;
    flo(cx, result)
}

/// `Math.log1p(x) → float`: the natural logarithm of 1 + x, exact for small x. Math::DomainError below -1.
fn log1p(cx: &mut Cx, args: Args) -> R {
    let x = operand(cx, args.at(0))?;
    let result = within(cx, functions::log1p(as_operand(&x)))?;
    flo(cx, result)
}

/// `Math.lgamma(x) → [logarithm, sign]`: the logarithm of the gamma function's magnitude, and its sign as 1 or -1.
/// Math::DomainError for negative infinity.
fn lgamma(cx: &mut Cx, args: Args) -> R {
    let x = real(cx, args.at(0))?;
    let (logarithm, sign) = within(cx, functions::lgamma(x))?;
    let logarithm = flo(cx, logarithm)?;
    Ok(make::array(cx, &[logarithm, Value::fixnum(sign.into())]))
}

/// `Math.frexp(x) → [fraction, exponent]`: the number as a fraction, at least 0.5 and below 1, times 2 to the power of
/// the exponent; the inverse of `ldexp`.
fn frexp(cx: &mut Cx, args: Args) -> R {
    let x = real(cx, args.at(0))?;
    let (fraction, exponent) = functions::frexp(x);
    let fraction = flo(cx, fraction)?;
    Ok(make::array(cx, &[fraction, Value::fixnum(exponent.into())]))
}

/// `Math.ldexp(fraction, exponent) → float`: the fraction times 2 to the power of the exponent; the inverse of `frexp`.
fn ldexp(cx: &mut Cx, args: Args) -> R {
    let fraction = real(cx, args.at(0))?;
    let exponent = convert::to_i32(cx, args.at(1))?;
    flo(cx, functions::ldexp(fraction, exponent))
}

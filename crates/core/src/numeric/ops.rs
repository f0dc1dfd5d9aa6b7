//! Arithmetic on values of unknown class: directly for core numbers, otherwise by calls.

use std::sync::atomic::Ordering::Relaxed;

use abi::Type;
use numeric::big::{self, Error, Int, Integer};
use object::{bigint, cell, float};
use runtime::{
    Cx, R, Sym, Unwind, Value, call,
    cx::Interrupts,
    error::{ErrorClass, OrRaise},
    sym,
};

use crate::{complex, float as floats, integer, rational};

/// The kind of number of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Float,
    Rational,
    Complex,
    Other,
}

#[inline]
pub fn kind(v: Value) -> Kind {
    if v.is_fixnum() {
        return Kind::Integer;
    }
    if v.is_flonum() {
        return Kind::Float;
    }
    if !v.is_heap() {
        return Kind::Other;
    }
    match cell::header(v).ty() {
        Type::BigInteger => Kind::Integer,
        Type::Float => Kind::Float,
        Type::Rational => Kind::Rational,
        Type::Complex => Kind::Complex,
        _ => Kind::Other,
    }
}

/// The operand of an Integer (0 for other values).
#[inline(always)]
pub fn int(v: &Value) -> Int<'_> {
    bigint::operand(v).unwrap_or(Int::Fix(0))
}

/// The value of a Float or Integer, rounded to the nearest Float.
#[inline(always)]
pub fn real(v: Value) -> f64 {
    match float::get(v) {
        Some(f) => f,
        None => big::to_f64(int(&v)),
    }
}

#[inline(always)]
pub fn flo(cx: &mut Cx, f: f64) -> R {
    Ok(float::new(cx, f))
}

/// A result as an Integer object.
#[inline]
pub fn give(cx: &mut Cx, n: Integer) -> R {
    bigint::integer(cx, n).or_raise(cx)
}

/// A result as an Integer object, or Ruby's error.
#[inline]
pub fn give_result(cx: &mut Cx, n: Result<Integer, Error>) -> R {
    match n {
        Ok(n) => give(cx, n),
        Err(e) => Err(raise(cx, e)),
    }
}

/// The exception for an error of `numeric::big`.
#[cold]
pub fn raise(cx: &mut Cx, e: Error) -> Unwind {
    let class = match e {
        Error::ZeroDivision => ErrorClass::ZeroDivisionError,
        Error::ShiftTooBig | Error::NegativeExponent | Error::TooBigToConvert => ErrorClass::RangeError,
        Error::NegativeRoot | Error::NegativeDigits => ErrorClass::MathDomainError,
        Error::NotFinite(_) => ErrorClass::FloatDomainError,
        Error::OutOfMemory => return cx.no_memory(),
        Error::Interrupted => return cx.runtime_error("interrupted"),
        _ => ErrorClass::ArgumentError,
    };
    cx.raise(class, &e.to_string())
}

#[cold]
pub fn zero_division(cx: &mut Cx) -> Unwind {
    raise(cx, Error::ZeroDivision)
}

/// Runs a long operation, which checks for signals, and restarts it after a signal that does not raise.
pub fn interruptible<T>(cx: &mut Cx, mut operation: impl FnMut(&mut dyn FnMut() -> bool) -> Result<T, Error>) -> R<T> {
    loop {
        let interrupts = &cx.attention.interrupts;
        let urgent = Interrupts::SIGNAL | Interrupts::ASYNC;
        match operation(&mut || interrupts.load(Relaxed) & urgent != 0) {
            Ok(v) => return Ok(v),
            Err(Error::Interrupted) => cx.safepoint()?,
            Err(e) => return Err(raise(cx, e)),
        }
    }
}

macro_rules! operations {
    ($($name:ident $sym:ident;)*) => {$(
        #[inline]
        pub fn $name(cx: &mut Cx, a: Value, b: Value) -> R {
            match kind(a) {
                Kind::Integer => integer::$name(cx, a, b),
                Kind::Float => floats::$name(cx, a, b),
                Kind::Rational => rational::$name(cx, a, b),
                Kind::Complex => complex::$name(cx, a, b),
                Kind::Other => call::send(cx, a, sym::$sym, &[b]),
            }
        }
    )*};
}

operations! {
    add PLUS;
    sub MINUS;
    mul TIMES;
    div DIVIDE;
    pow POWER;
}

/// `a % b`
pub fn modulo(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(a) {
        Kind::Integer => integer::modulo(cx, a, b),
        Kind::Float => floats::modulo(cx, a, b),
        _ => call::send(cx, a, sym::MODULO, &[b]),
    }
}

/// `a.div(b)`: the floored quotient.
pub fn floor_div(cx: &mut Cx, a: Value, b: Value) -> R {
    match kind(a) {
        Kind::Integer => integer::floor_div(cx, a, b),
        Kind::Float => floats::floor_div(cx, a, b),
        _ => call::send(cx, a, sym::DIV, &[b]),
    }
}

/// `-a`
pub fn neg(cx: &mut Cx, a: Value) -> R {
    match kind(a) {
        Kind::Integer => give(cx, big::neg(int(&a))),
        Kind::Float => flo(cx, -real(a)),
        Kind::Rational => rational::neg(cx, a),
        _ => call::send(cx, a, sym::UMINUS, &[]),
    }
}

/// `a < 0`
pub fn is_negative(cx: &mut Cx, a: Value) -> R<bool> {
    match kind(a) {
        Kind::Integer => Ok(int(&a).is_negative()),
        Kind::Float => Ok(real(a) < 0.0),
        Kind::Rational => Ok(int(&rational::parts(a).0).is_negative()),
        _ => compare_with_zero(cx, a, sym::LESS),
    }
}

/// ArgumentError for an object without the operator.
fn compare_with_zero(cx: &mut Cx, a: Value, operator: Sym) -> R<bool> {
    match call::send_conversion(cx, a, operator, &[Value::fixnum(0)])? {
        Some(answer) => Ok(answer.truthy()),
        None => Err(call::comparison_failed(cx, a, Value::fixnum(0))),
    }
}

/// `a > 0`
pub fn is_positive(cx: &mut Cx, a: Value) -> R<bool> {
    match kind(a) {
        Kind::Integer => Ok(a != Value::fixnum(0) && !int(&a).is_negative()),
        Kind::Float => Ok(real(a) > 0.0),
        Kind::Rational => is_positive(cx, rational::parts(a).0),
        _ => compare_with_zero(cx, a, sym::GREATER),
    }
}

/// `a == 0`
pub fn is_zero(cx: &mut Cx, a: Value) -> R<bool> {
    match kind(a) {
        Kind::Integer => Ok(a == Value::fixnum(0)),
        Kind::Float => Ok(real(a) == 0.0),
        Kind::Rational => Ok(rational::parts(a).0 == Value::fixnum(0)),
        _ => call::equal(cx, a, Value::fixnum(0)),
    }
}

/// `a < b` etc.
pub fn relation(cx: &mut Cx, a: Value, op: Sym, b: Value) -> R<bool> {
    Ok(call::send(cx, a, op, &[b])?.truthy())
}

/// Whether the value is an Integer that is an exact zero or one.
#[inline(always)]
pub fn is_exact_zero(v: Value) -> bool {
    v == Value::fixnum(0)
}

#[inline(always)]
pub fn is_exact_one(v: Value) -> bool {
    v == Value::fixnum(1)
}

/// A Symbol that is not frequent enough in the core for a predefined number.
pub fn name(cx: &mut Cx, text: &str) -> Sym {
    object::symbol::table::intern_text(cx, text)
}

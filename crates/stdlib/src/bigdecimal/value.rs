//! The object, and operands of other classes.

use abi::Flags;
use core_classes::{
    numeric::ops::{Kind, int, kind},
    rational,
};
use heap::Trace;
use numeric::decimal::{self, Decimal, Rounding, TooBig};
use object::{
    cell, float,
    native::{self, NativeData},
};
use runtime::{Cx, R, Unwind, Value, error::ErrorClass};

use super::modes;

/// The class.
pub const ROOT: runtime::Root = runtime::Root::BigDecimal;

#[derive(Trace)]
struct DecimalData(#[trace(skip)] Decimal);

impl NativeData for DecimalData {
    object::one_vtable!(DecimalData);

    fn memsize(&self) -> usize {
        size_of::<DecimalData>() + self.0.memory_size()
    }
}

/// A BigDecimal, without applying the modes.
pub fn new(cx: &mut Cx, decimal: Decimal) -> Value {
    let class = cx.root(ROOT);
    let v = native::new(cx, class, Box::new(DecimalData(decimal)));
    cell::set_header(v, cell::header(v).with(Flags::FROZEN | Flags::SHAREABLE));
    v
}

/// A result; FloatDomainError for NaN and infinities if the mode requires it.
pub fn give(cx: &mut Cx, decimal: Decimal) -> R {
    modes::check(cx, &decimal)?;
    Ok(new(cx, decimal))
}

/// NoMemoryError for results that are too large.
pub fn or_raise<T>(cx: &mut Cx, result: Result<T, TooBig>) -> R<T> {
    result.map_err(|_| cx.no_memory())
}

/// The number of a BigDecimal.
pub fn get(v: &Value) -> Option<&Decimal> {
    native::get::<DecimalData>(v).map(|data| &data.0)
}

/// The number of the receiver.
pub fn of<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a Decimal> {
    match get(v) {
        Some(decimal) => Ok(decimal),
        None => Err(cx.type_error("uninitialized BigDecimal")),
    }
}

/// The number for a Float, from its shortest digits.
pub fn of_float(f: f64) -> Decimal {
    if f.is_nan() {
        Decimal::Nan
    } else if f.is_infinite() {
        Decimal::Infinite { negative: f < 0.0 }
    } else {
        decimal::parse(&::text::number::float_to_s(f)).unwrap_or(Decimal::Nan)
    }
}

/// A fraction to this many digits.
pub fn of_rational(v: Value, digits: u64, mode: Rounding) -> Decimal {
    let (numerator, denominator) = rational::parts(v);
    let numerator = Decimal::from_integer(int(&numerator));
    decimal::divide_to_digits(&numerator, &Decimal::from_integer(int(&denominator)), digits, mode)
}

/// The other operand; `None` if it must be coerced. A fraction becomes about as precise as `me`.
pub fn operand(me: &Decimal, v: Value) -> Option<Decimal> {
    if let Some(decimal) = get(&v) {
        return Some(decimal.clone());
    }
    match kind(v) {
        Kind::Integer => Some(Decimal::from_integer(int(&v))),
        Kind::Float => float::get(v).map(of_float),
        Kind::Rational => Some(of_rational(v, words(me) * 9, modes::rounding())),
        _ => None,
    }
}

/// The number of nine-digit words in CRuby's representation.
pub fn words(decimal: &Decimal) -> u64 {
    let Some(finite) = decimal.finite() else { return 1 };
    let first = (finite.point() + 8).div_euclid(9);
    let last = finite.exponent().div_euclid(9);
    (first - last).max(1) as u64
}

/// FloatDomainError for a value that is not finite.
pub fn not_finite(cx: &mut Cx, decimal: &Decimal) -> Unwind {
    let message = match decimal {
        Decimal::Infinite { negative: false } => "Computation results in 'Infinity'",
        Decimal::Infinite { negative: true } => "Computation results in '-Infinity'",
        _ => "Computation results in 'NaN' (Not a Number)",
    };
    cx.raise(ErrorClass::FloatDomainError, message)
}

//! Rational: fractions in lowest terms, each a pair of Integers.
//!
//! Children: `arithmetic`, `compare`, `convert` (text, other numbers, `Rational()`), `rounding`.

mod arithmetic;
mod compare;
mod convert;
mod rounding;

pub use arithmetic::{add, div, mul, neg, pow, power_of_fraction, sub};
pub use convert::{from_text, to_f64};

use numeric::{big, rational::Fraction};
use runtime::{Cx, Known, Method, R, Value, define, make};

use crate::numeric::{
    long_operation,
    ops::{self, give, int},
};

pub const METHODS: &[Method] = &[
    // `+`, `-`, `*`, `/`, `**`: a Rational with integers and rationals, a Float with a Float; other objects are
    // converted by their `coerce`, TypeError without one. ZeroDivisionError for the division by an exact zero. `**` is
    // exact for an Integer exponent.
    Method::new("+(other)", |cx, args| add(cx, args.me(), args.at(0))),
    Method::new("-(other)", |cx, args| sub(cx, args.me(), args.at(0))),
    Method::new("*(other)", |cx, args| mul(cx, args.me(), args.at(0))),
    Method::new("/(other)", |cx, args| div(cx, args.me(), args.at(0))),
    Method::new("**(other)", |cx, args| pow(cx, args.me(), args.at(0))),
    Method::new("fdiv(other)", arithmetic::fdiv),
    // The negated number.
    Method::new("-@", |cx, args| neg(cx, args.me())).leaf().pure().returns(Known::Rational),
    Method::new("abs", arithmetic::abs).leaf().pure().returns(Known::Rational),
    Method::new("<=>(other)", compare::compare).borrows(0),
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("hash", compare::hash).leaf().pure().returns(Known::Integer),
    // `positive?`, `negative?`: the sign of the numerator; the denominator is always positive. Both are false for 0.
    Method::new("positive?", |_, args| {
        Ok(Value::bool(!int(&parts(args.me()).0).is_negative() && !ops::is_exact_zero(parts(args.me()).0)))
    })
    .leaf()
    .pure(),
    Method::new("negative?", |_, args| Ok(Value::bool(int(&parts(args.me()).0).is_negative()))).leaf().pure(),
    // `numerator`, `denominator`: in lowest terms, the denominator positive.
    Method::new("numerator", |_, args| Ok(parts(args.me()).0)).leaf().pure().returns(Known::Integer),
    Method::new("denominator", |_, args| Ok(parts(args.me()).1)).leaf().pure().returns(Known::Integer),
    Method::new("coerce(other)", convert::coerce),
    Method::new("to_i", rounding::to_i).leaf().pure().returns(Known::Integer),
    Method::new("to_f", convert::to_f).leaf().pure().returns(Known::Float),
    // `to_r` returns the receiver. Conversions of numbers call it.
    Method::new("to_r", |_, args| Ok(args.me())).leaf().pure().returns(Known::Rational),
    Method::new("rationalize(eps = nil)", convert::rationalize),
    Method::new("to_s", convert::to_s),
    Method::new("inspect", convert::inspect),
    Method::new("marshal_dump", convert::marshal_dump).private(),
    Method::new("floor(digits = 0)", rounding::floor),
    Method::new("ceil(digits = 0)", rounding::ceil),
    Method::new("truncate(digits = 0)", rounding::truncate),
    Method::new("round(digits = 0, half: nil)", rounding::round),
];

const SINGLETON: &[Method] =
    &[Method::new("convert(numerator, denominator = 1, exception: true)", convert::kernel_rational)
        .borrows(0)
        .borrows(1)
        .private()];

const KERNEL: &[Method] =
    &[Method::new("Rational(numerator, denominator = 1, exception: true)", convert::kernel_rational)
        .borrows(0)
        .borrows(1)
        .module_function()];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Rational);
    define::define_methods(cx, class, METHODS);
    define::synonyms(cx, class, &[("quo", "/"), ("magnitude", "abs")]);
    crate::integer::no_constructor(cx, class);
    let singleton = object::class::class_of(cx, class);
    define::undefine(cx, singleton, "allocate");
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    define::define_singleton_methods(cx, class, SINGLETON);
    let nil = cx.class(Known::NilClass);
    define::define_methods(cx, nil, convert::OF_NIL);
}

/// Numerator and denominator.
#[inline(always)]
pub fn parts(v: Value) -> (Value, Value) {
    make::pair_parts(v)
}

/// The Integer `n` as `n/1`.
pub fn whole(cx: &mut Cx, n: Value) -> Value {
    make::pair(cx, Known::Rational, n, Value::fixnum(1))
}

/// A Rational of any two Integers; ZeroDivisionError.
pub fn new(cx: &mut Cx, numerator: Value, denominator: Value) -> R {
    if numerator.both_fixnum(denominator) {
        return from_result(cx, numeric::rational::reduce(int(&numerator), int(&denominator)));
    }
    let weight = long_operation::product_weight(int(&numerator), int(&denominator)).saturating_mul(16);
    let operands = [int(&numerator), int(&denominator)];
    let fraction = long_operation::run(cx, &operands, weight, |o, _| numeric::rational::reduce(o[0], o[1]))?;
    from_fraction(cx, fraction)
}

/// A Rational of a fraction in lowest terms.
pub fn from_fraction(cx: &mut Cx, (numerator, denominator): Fraction) -> R {
    let numerator = give(cx, numerator)?;
    let denominator = give(cx, denominator)?;
    Ok(make::pair(cx, Known::Rational, numerator, denominator))
}

/// `from_fraction` for a result; raises the exception for its error.
pub fn from_result(cx: &mut Cx, fraction: Result<Fraction, big::Error>) -> R {
    match fraction {
        Ok(fraction) => from_fraction(cx, fraction),
        Err(e) => Err(ops::raise(cx, e)),
    }
}

//! Float: double precision numbers.
//!
//! Children: `arithmetic`, `compare`, `convert` (text, other numbers, adjacent Floats), `rounding`.

mod arithmetic;
mod compare;
mod convert;
mod rounding;

pub use arithmetic::{add, div, divmod_floats, floor_div, modulo, modulo_floats, mul, pow, power, quotient, sub};
pub use convert::exact;

use object::float::value;
use runtime::{Cx, Known, Method, Value, define, method_table::InLine};

pub const METHODS: &[Method] = &[
    // `+`, `-`, `*`, `/`, `quo`, `%`, `**`: a Float with integers and floats; other objects are converted by their
    // `coerce`, TypeError without one. Division by 0 gives an infinity or NaN; `%` has the divisor's sign. `**` of a
    // negative number with a fractional exponent is Complex.
    Method::new("+(other)", |cx, args| add(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("-(other)", |cx, args| sub(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("*(other)", |cx, args| mul(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("/(other)", |cx, args| div(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("quo(other)", |cx, args| div(cx, args.me(), args.at(0))),
    Method::new("%(other)", |cx, args| modulo(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("**(other)", |cx, args| pow(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("divmod(other)", arithmetic::divmod).frameless_with_numbers(),
    Method::new("-@", arithmetic::negate).leaf().pure().returns(Known::Float),
    Method::new("abs", arithmetic::abs).leaf().pure().returns(Known::Float).in_line(InLine::Magnitude),
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("<=>(other)", compare::compare).borrows(0).frameless_with_numbers(),
    Method::new("<(other)", compare::less),
    Method::new("<=(other)", compare::less_equal),
    Method::new(">(other)", compare::greater),
    Method::new(">=(other)", compare::greater_equal),
    Method::new("eql?(other)", compare::eql).borrows(0).leaf().pure(),
    Method::new("hash", compare::hash).leaf().pure().returns(Known::Integer),
    // `zero?`, `positive?`, `negative?`, `nan?`, `finite?`: 0.0 and -0.0 are zero and neither positive nor negative;
    // NaN is none of the three.
    Method::new("zero?", |_, args| Ok(Value::bool(value(args.me()) == 0.0))).leaf().pure(),
    Method::new("positive?", |_, args| Ok(Value::bool(value(args.me()) > 0.0))).leaf().pure(),
    Method::new("negative?", |_, args| Ok(Value::bool(value(args.me()) < 0.0))).leaf().pure(),
    Method::new("nan?", |_, args| Ok(Value::bool(value(args.me()).is_nan()))).leaf().pure(),
    Method::new("finite?", |_, args| Ok(Value::bool(value(args.me()).is_finite()))).leaf().pure(),
    Method::new("infinite?", compare::infinite).leaf().pure(),
    Method::new("to_s", convert::to_s).leaf().pure().returns(Known::String),
    // `to_f` returns the receiver. Conversions of numbers call it.
    Method::new("to_f", |_, args| Ok(args.me())).leaf().pure().in_line(InLine::Itself),
    Method::new("to_i", convert::to_i).leaf().pure().returns(Known::Integer).in_line(InLine::Truncated),
    Method::new("to_r", convert::to_r).leaf().pure().returns(Known::Rational),
    Method::new("rationalize(eps = nil)", convert::rationalize),
    Method::new("numerator", convert::numerator).leaf().pure(),
    Method::new("denominator", convert::denominator).leaf().pure().returns(Known::Integer),
    Method::new("arg", convert::arg).leaf().pure(),
    Method::new("coerce(other)", convert::coerce),
    Method::new("next_float", convert::next_float).leaf().pure().returns(Known::Float),
    Method::new("prev_float", convert::prev_float).leaf().pure().returns(Known::Float),
    Method::new("floor(digits = 0)", rounding::floor).frameless(0).frameless_with_numbers().in_line(InLine::Floor),
    Method::new("ceil(digits = 0)", rounding::ceil).frameless(0).frameless_with_numbers().in_line(InLine::Ceiling),
    Method::new("truncate(digits = 0)", rounding::truncate)
        .frameless(0)
        .frameless_with_numbers()
        .in_line(InLine::Truncated),
    Method::new("round(digits = 0, half: nil)", rounding::round)
        .frameless(0)
        .frameless_with_numbers()
        .in_line(InLine::Rounded),
];

const FIGURES: &[(&str, i64)] = &[
    ("DIG", f64::DIGITS as i64),
    ("MANT_DIG", f64::MANTISSA_DIGITS as i64),
    ("MAX_10_EXP", f64::MAX_10_EXP as i64),
    ("MIN_10_EXP", f64::MIN_10_EXP as i64),
    ("MAX_EXP", f64::MAX_EXP as i64),
    ("MIN_EXP", f64::MIN_EXP as i64),
    ("RADIX", f64::RADIX as i64),
];

const LIMITS: &[(&str, f64)] = &[
    ("MAX", f64::MAX),
    ("MIN", f64::MIN_POSITIVE),
    ("EPSILON", f64::EPSILON),
    ("INFINITY", f64::INFINITY),
    ("NAN", f64::NAN),
];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Float);
    define::define_methods(cx, class, METHODS);
    define::synonyms(
        cx,
        class,
        &[("===", "=="), ("modulo", "%"), ("fdiv", "quo"), ("to_int", "to_i"), ("angle", "arg"), ("phase", "arg")],
    );
    define::aliases(cx, class, &[("inspect", "to_s"), ("magnitude", "abs")]);
    crate::integer::no_constructor(cx, class);
    for (name, n) in FIGURES {
        let name = object::symbol::table::intern_text(cx, name);
        define::set_constant(cx, class, name, Value::fixnum(*n));
    }
    for (name, f) in LIMITS {
        let name = object::symbol::table::intern_text(cx, name);
        let f = object::float::new(cx, *f);
        define::set_constant(cx, class, name, f);
    }
}

//! Integer: fixnums and big integers.
//!
//! Children: `arithmetic`, `compare`, `bits`, `convert` (text, other numbers, digits), `rounding`; the Ruby half has
//! the methods that yield.

mod arithmetic;
mod bits;
mod compare;
pub mod convert;
mod rounding;

pub use arithmetic::{add, div, floor_div, modulo, mul, pow, small_gcd, sub};
pub use compare::{compare, equal, hash_value};
pub use convert::in_radix;

use object::class;
use runtime::{Cx, Known, Method, Value, define, internal, method_table::InLine};

use crate::numeric::ops::int;

pub const METHODS: &[Method] = &[
    // `+`, `-`, `*`, `/`, `%`, `**`: an Integer with integers; other objects are converted by their `coerce`, TypeError
    // without one. `/` rounds down and `%` has the divisor's sign, ZeroDivisionError for 0. `**` is a Rational for a
    // negative exponent.
    Method::new("+(other)", |cx, args| add(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("-(other)", |cx, args| sub(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("*(other)", |cx, args| mul(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("/(other)", |cx, args| div(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("%(other)", |cx, args| modulo(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("**(other)", |cx, args| pow(cx, args.me(), args.at(0))),
    Method::new("pow(other, modulus = nil)", arithmetic::pow_modulo),
    // The quotient rounded down to an Integer, also of a Float; ZeroDivisionError for 0 and 0.0.
    Method::new("div(other)", |cx, args| floor_div(cx, args.me(), args.at(0))).frameless_with_numbers(),
    Method::new("divmod(other)", arithmetic::divmod).frameless_with_numbers(),
    Method::new("remainder(other)", arithmetic::remainder).frameless_with_numbers(),
    Method::new("fdiv(other)", arithmetic::fdiv).frameless_with_numbers(),
    Method::new("ceildiv(other)", arithmetic::ceildiv),
    Method::new("-@", arithmetic::negate).leaf().pure().returns(Known::Integer),
    Method::new("abs", arithmetic::abs).leaf().pure().returns(Known::Integer).in_line(InLine::Magnitude),
    Method::new("gcd(other)", arithmetic::gcd).leaf().pure().returns(Known::Integer),
    Method::new("lcm(other)", arithmetic::lcm).leaf().pure().returns(Known::Integer),
    Method::new("gcdlcm(other)", arithmetic::gcdlcm).leaf().pure().returns(Known::Array),
    Method::new("succ", arithmetic::succ).leaf().pure().returns(Known::Integer).in_line(InLine::Next),
    Method::new("pred", arithmetic::pred).leaf().pure().returns(Known::Integer).in_line(InLine::Previous),
    // `==`, `<=>`: also exact with floats. Other objects are compared by their `==` or `coerce`; `<=>` is nil without
    // an order.
    Method::new("==(other)", |cx, args| Ok(Value::bool(equal(cx, args.me(), args.at(0))?))).borrows(0),
    Method::new("<=>(other)", |cx, args| compare(cx, args.me(), args.at(0))).borrows(0).frameless_with_numbers(),
    Method::new("<(other)", compare::less),
    Method::new("<=(other)", compare::less_equal),
    Method::new(">(other)", compare::greater),
    Method::new(">=(other)", compare::greater_equal),
    // `zero?`, `even?`, `odd?`, `integer?`: predicates that neither raise nor call.
    Method::new("zero?", |_, args| Ok(Value::bool(args.me() == Value::fixnum(0)))).leaf().pure().in_line(InLine::Zero),
    Method::new("even?", |_, args| Ok(Value::bool(!int(&args.me()).is_odd()))).leaf().pure().in_line(InLine::Even),
    Method::new("odd?", |_, args| Ok(Value::bool(int(&args.me()).is_odd()))).leaf().pure().in_line(InLine::Odd),
    Method::new("integer?", |_, _| Ok(Value::TRUE)).leaf().pure(),
    Method::new("~", bits::invert).leaf().pure().returns(Known::Integer),
    // These call `coerce` of a Float.
    Method::new("&(other)", bits::and),
    Method::new("|(other)", bits::or),
    Method::new("^(other)", bits::xor),
    Method::new("<<(width)", bits::shift_left).frameless_with_numbers(),
    Method::new(">>(width)", bits::shift_right).frameless_with_numbers(),
    Method::new("[](index, length = 1)", bits::aref).frameless_with_numbers().in_line(InLine::Bit),
    Method::new("allbits?(mask)", bits::all_bits).frameless_with_numbers(),
    Method::new("anybits?(mask)", bits::any_bits).frameless_with_numbers(),
    Method::new("nobits?(mask)", bits::no_bits).frameless_with_numbers(),
    Method::new("bit_count", bits::bit_count).leaf().pure().returns(Known::Integer),
    Method::new("bit_length", bits::bit_length).leaf().pure().returns(Known::Integer),
    Method::new("size", bits::size).leaf().pure().returns(Known::Integer),
    Method::new("to_s(base = 10)", convert::to_s).frameless(0),
    // `to_i` and `to_int` return the receiver. Conversions of numbers call them.
    Method::new("to_i", |_, args| Ok(args.me())).leaf().pure().in_line(InLine::Itself),
    Method::new("to_f", convert::to_f).leaf().pure().returns(Known::Float).in_line(InLine::ToFloat),
    Method::new("to_r", convert::to_r).leaf().pure().returns(Known::Rational),
    Method::new("rationalize(eps = nil)", convert::to_r).leaf().pure().returns(Known::Rational),
    // `numerator`, `denominator`: the receiver as a fraction over 1. `ord`: the receiver.
    Method::new("numerator", |_, args| Ok(args.me())).leaf().pure(),
    Method::new("denominator", |_, _| Ok(Value::fixnum(1))).leaf().pure(),
    Method::new("ord", |_, args| Ok(args.me())).leaf().pure(),
    Method::new("chr(encoding = nil)", convert::chr),
    Method::new("digits(base = 10)", convert::digits),
    Method::new("coerce(other)", convert::coerce),
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

const SINGLETON: &[Method] =
    &[Method::new("sqrt(n)", arithmetic::sqrt), Method::new("try_convert(object)", convert::try_convert)];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Integer);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("===", "=="), ("modulo", "%"), ("next", "succ"), ("to_int", "to_i")]);
    define::aliases(cx, class, &[("inspect", "to_s"), ("magnitude", "abs")]);
    no_constructor(cx, class);
    if internal::load(cx, runtime::ruby_half!("integer/integer")).is_err() {
        panic!("the Ruby half of Integer failed");
    }
}

/// Removes `new` and the allocator from a class of numbers.
pub fn no_constructor(cx: &mut Cx, class: Value) {
    class::class_data_mut(cx, class).flags.no_allocator = true;
    let singleton = class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
}

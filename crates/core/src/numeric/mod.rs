//! Numeric: the common methods of numbers, and helpers shared by their classes.
//!
//! Children: `long_operation` (long operations), `coerce` (the protocol of mixed operands), `ops` (arithmetic on
//! numbers of any class), `arithmetic`, `complex_view` (methods of Complex), `rounding` and `convert` (arguments).
//! `step` is in the Ruby half.

pub mod arithmetic;
pub mod coerce;
mod complex_view;
pub mod convert;
pub mod long_operation;
pub mod ops;
mod predicates;
pub mod rounding;

use runtime::{Cx, Known, Method, define, internal};

pub const METHODS: &[Method] = &[
    Method::new("+@", arithmetic::plus),
    Method::new("-@", arithmetic::negate),
    Method::new("coerce(other)", predicates::coerce),
    Method::new("<=>(other)", predicates::compare),
    Method::new("eql?(other)", predicates::eql),
    Method::new("fdiv(other)", arithmetic::fdiv),
    Method::new("quo(other)", arithmetic::quo),
    Method::new("div(other)", arithmetic::div),
    Method::new("divmod(other)", arithmetic::divmod),
    Method::new("%(other)", arithmetic::modulo),
    // The remainder of the division rounded towards zero: it has the sign of the receiver, unlike `%`.
    Method::new("remainder(other)", |cx, args| arithmetic::remainder(cx, args.me(), args.at(0))),
    Method::new("abs", arithmetic::abs),
    Method::new("to_int", predicates::to_int),
    Method::new("integer?", predicates::no),
    Method::new("real?", predicates::yes),
    Method::new("zero?", predicates::zero),
    Method::new("nonzero?", predicates::nonzero),
    Method::new("positive?", predicates::positive),
    Method::new("negative?", predicates::negative),
    Method::new("finite?", predicates::yes),
    Method::new("infinite?", predicates::nothing),
    Method::new("floor(digits = 0)", predicates::floor),
    Method::new("ceil(digits = 0)", predicates::ceil),
    Method::new("round(digits = 0, half: nil)", predicates::round),
    Method::new("truncate(digits = 0)", predicates::truncate),
    Method::new("dup", arithmetic::plus),
    Method::new("clone(freeze: nil)", predicates::clone),
    Method::new("numerator", predicates::numerator),
    Method::new("denominator", predicates::denominator),
    Method::new("real", arithmetic::plus),
    Method::new("imaginary", complex_view::imaginary),
    Method::new("i", complex_view::times_i),
    Method::new("to_c", complex_view::to_c),
    Method::new("abs2", complex_view::abs2),
    Method::new("arg", complex_view::arg),
    Method::new("rectangular", complex_view::rectangular),
    Method::new("polar", complex_view::polar),
    Method::new("conjugate", arithmetic::plus),
];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Numeric);
    let comparable = define::class_or_module_named(cx, "Comparable");
    if object::class::ancestors::include(cx, class, comparable).is_err() {
        panic!("Numeric cannot include Comparable");
    }
    define::define_methods(cx, class, METHODS);
    define::synonyms(
        cx,
        class,
        &[("modulo", "%"), ("magnitude", "abs"), ("angle", "arg"), ("phase", "arg"), ("rect", "rectangular")],
    );
    define::aliases(cx, class, &[("imag", "imaginary"), ("conj", "conjugate")]);
    if internal::load(cx, runtime::ruby_half!("numeric/numeric")).is_err() {
        panic!("the Ruby half of Numeric failed");
    }
    crate::enumerator::hide_in(cx, class, &["__step_size"]);
}

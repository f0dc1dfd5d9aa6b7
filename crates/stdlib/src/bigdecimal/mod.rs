//! BigDecimal, on top of `numeric::decimal`.
//!
//! Children: `value` (the object, operands of other classes), `create` (`BigDecimal()`, `_load`), `modes` (exceptions,
//! rounding, limit; per thread), `arithmetic`, `compare`, `rounding`, `convert` (to other numbers and text),
//! `functions` (roots, powers, BigMath).

mod arithmetic;
mod compare;
mod convert;
mod create;
mod functions;
mod modes;
mod rounding;
mod value;

use numeric::decimal::{Decimal, Rounding};
use object::{Known, symbol::table::intern_text};
use runtime::{Cx, Method, R, Value, define, library, make};

const METHODS: &[Method] = &[
    Method::new("+(other)", arithmetic::plus),
    Method::new("-(other)", arithmetic::minus),
    Method::new("*(other)", arithmetic::times),
    Method::new("/(other)", arithmetic::divide),
    Method::new("%(other)", arithmetic::modulo),
    Method::new("add(other, digits)", arithmetic::add),
    Method::new("sub(other, digits)", arithmetic::sub),
    Method::new("mult(other, digits)", arithmetic::mult),
    Method::new("div(other, digits = nil)", arithmetic::div),
    Method::new("quo(other, digits = nil)", arithmetic::quo),
    Method::new("divmod(other)", arithmetic::divmod),
    Method::new("remainder(other)", arithmetic::remainder),
    Method::new("-@", arithmetic::negate),
    Method::new("+@", arithmetic::itself),
    Method::new("abs", arithmetic::abs),
    Method::new("<=>(other)", compare::compare),
    Method::new("==(other)", compare::equal),
    Method::new("<(other)", compare::less),
    Method::new("<=(other)", compare::less_or_equal),
    Method::new(">(other)", compare::greater),
    Method::new(">=(other)", compare::greater_or_equal),
    Method::new("hash", compare::hash),
    Method::new("coerce(other)", compare::coerce),
    Method::new("nan?", compare::is_nan),
    Method::new("infinite?", compare::infinite),
    Method::new("finite?", compare::is_finite),
    Method::new("zero?", compare::is_zero),
    Method::new("nonzero?", compare::nonzero),
    Method::new("sign", compare::sign),
    Method::new("round(places = nil, mode = nil, half: nil)", rounding::round),
    Method::new("floor(places = nil)", rounding::floor),
    Method::new("ceil(places = nil)", rounding::ceil),
    Method::new("truncate(places = nil)", rounding::truncate),
    Method::new("fix", rounding::fix),
    Method::new("frac", rounding::frac),
    Method::new("to_s(format = nil)", convert::to_s).borrows(0),
    Method::new("to_i", convert::to_i),
    Method::new("to_f", convert::to_f),
    Method::new("to_r", convert::to_r),
    Method::new("split", convert::split),
    Method::new("exponent", convert::exponent),
    Method::new("precision", convert::precision),
    Method::new("scale", convert::scale),
    Method::new("precision_scale", convert::precision_scale),
    Method::new("n_significant_digits", convert::significant_digits),
    Method::new("precs", convert::precs),
    Method::new("_dump(limit = nil)", convert::dump),
    Method::new("clone", arithmetic::itself),
    Method::new("dup", arithmetic::itself),
    Method::new("sqrt(digits)", functions::sqrt),
    Method::new("power(exponent, digits = nil)", functions::power),
    Method::new("**(exponent)", functions::power),
];

const SINGLETON: &[Method] = &[
    Method::new("_load(dump)", create::load).borrows(0),
    Method::new("interpret_loosely(text)", create::interpret_loosely).borrows(0),
    Method::new("double_fig", modes::double_figures),
    Method::new("limit(digits = nil)", modes::limit),
    Method::new("mode(which, value = nil)", modes::mode),
    Method::new("save_exception_mode { }", modes::save_exceptions),
    Method::new("save_rounding_mode { }", modes::save_rounding),
    Method::new("save_limit { }", modes::save_limit),
];

const KERNEL: &[Method] = &[Method::new("BigDecimal(value, digits = nil, exception: true)", create::kernel_decimal)
    .borrows(0)
    .module_function()
    .borrows(0)];

const MATH: &[Method] =
    &[Method::new("exp(number, digits)", functions::exp), Method::new("log(number, digits)", functions::log)];

pub fn define(cx: &mut Cx) -> R<()> {
    let (object, numeric) = (cx.class(Known::Object), cx.class(Known::Numeric));
    let class = library::class(cx, object, "BigDecimal", numeric)?;
    cx.set_root(value::ROOT, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    core_classes::integer::no_constructor(cx, class);
    define::synonyms(
        cx,
        class,
        &[("===", "=="), ("eql?", "=="), ("modulo", "%"), ("to_int", "to_i"), ("inspect", "to_s")],
    );
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let math = library::module(cx, object, "BigMath")?;
    define::define_singleton_methods(cx, math, MATH);
    constants(cx, class);
    Ok(())
}

fn constants(cx: &mut Cx, class: Value) {
    let rounding = [
        ("ROUND_UP", Rounding::Up),
        ("ROUND_DOWN", Rounding::Down),
        ("ROUND_HALF_UP", Rounding::HalfUp),
        ("ROUND_HALF_DOWN", Rounding::HalfDown),
        ("ROUND_CEILING", Rounding::Ceiling),
        ("ROUND_FLOOR", Rounding::Floor),
        ("ROUND_HALF_EVEN", Rounding::HalfEven),
    ];
    let numbers = [
        ("BASE", 1_000_000_000),
        ("EXCEPTION_ALL", 255),
        ("EXCEPTION_INFINITY", modes::INFINITY),
        ("EXCEPTION_NaN", modes::NAN),
        ("EXCEPTION_UNDERFLOW", 4),
        ("EXCEPTION_OVERFLOW", 1),
        ("EXCEPTION_ZERODIVIDE", modes::ZERO_DIVIDE),
        ("ROUND_MODE", modes::ROUND_MODE),
        ("SIGN_NaN", 0),
        ("SIGN_POSITIVE_ZERO", 1),
        ("SIGN_NEGATIVE_ZERO", -1),
        ("SIGN_POSITIVE_FINITE", 2),
        ("SIGN_NEGATIVE_FINITE", -2),
        ("SIGN_POSITIVE_INFINITE", 3),
        ("SIGN_NEGATIVE_INFINITE", -3),
    ];
    for (name, number) in numbers.into_iter().chain(rounding.map(|(name, mode)| (name, mode as i64))) {
        let name = intern_text(cx, name);
        define::set_constant(cx, class, name, Value::fixnum(number));
    }
    for (name, decimal) in [("INFINITY", Decimal::Infinite { negative: false }), ("NAN", Decimal::Nan)] {
        let name = intern_text(cx, name);
        let v = value::new(cx, decimal);
        define::set_constant(cx, class, name, v);
    }
    let (name, version) = (intern_text(cx, "VERSION"), make::interned(cx, "3.1.8"));
    define::set_constant(cx, class, name, version);
}

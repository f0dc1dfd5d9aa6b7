//! Complex: pairs of real numbers of any class.
//!
//! Children: `arithmetic`, `compare`, `convert` (text, other numbers, `Complex()`), `polar`.

mod arithmetic;
mod compare;
mod convert;
pub(crate) mod polar;

pub use arithmetic::{add, div, mul, pow, sub, subtract_from_real};
pub use polar::from_polar;

use object::class;
use runtime::{Cx, Known, Method, R, Value, define, make};

use crate::numeric::ops::{self, Kind, kind};

pub const METHODS: &[Method] = &[
    // `+`, `-`, `*`, `/`, `**`: with numbers of any class, exact if both are exact; other objects are converted by
    // their `coerce`, TypeError without one. ZeroDivisionError for the division by an exact zero.
    Method::new("+(other)", |cx, args| add(cx, args.me(), args.at(0))),
    Method::new("-(other)", |cx, args| sub(cx, args.me(), args.at(0))),
    Method::new("*(other)", |cx, args| mul(cx, args.me(), args.at(0))),
    Method::new("/(other)", |cx, args| div(cx, args.me(), args.at(0))),
    Method::new("**(other)", |cx, args| pow(cx, args.me(), args.at(0))),
    Method::new("fdiv(other)", arithmetic::fdiv),
    Method::new("-@", arithmetic::negate),
    Method::new("==(other)", compare::equal).borrows(0),
    Method::new("<=>(other)", compare::compare).borrows(0),
    Method::new("eql?(other)", compare::eql),
    Method::new("hash", compare::hash),
    Method::new("coerce(other)", convert::coerce),
    // `real`, `imaginary`: the parts as they were given. `real?` is false even if the imaginary part is 0.
    Method::new("real", |_, args| Ok(parts(args.me()).0)).leaf().pure(),
    Method::new("imaginary", |_, args| Ok(parts(args.me()).1)).leaf().pure(),
    Method::new("real?", |_, _| Ok(Value::FALSE)).leaf().pure(),
    Method::new("abs", polar::abs),
    Method::new("abs2", polar::abs2),
    Method::new("arg", polar::arg),
    Method::new("polar", polar::polar),
    // `rectangular`: the real and the imaginary part in an array. `conjugate`: the imaginary part negated.
    Method::new("rectangular", |cx, args| {
        let (re, im) = parts(args.me());
        Ok(make::array(cx, &[re, im]))
    }),
    Method::new("conjugate", |cx, args| {
        let (re, im) = parts(args.me());
        let im = ops::neg(cx, im)?;
        Ok(new(cx, re, im))
    }),
    Method::new("numerator", convert::numerator),
    Method::new("denominator", convert::denominator),
    Method::new("finite?", compare::finite),
    Method::new("infinite?", compare::infinite),
    Method::new("to_i", convert::to_i),
    Method::new("to_f", convert::to_f),
    Method::new("to_r", convert::to_r),
    Method::new("rationalize(eps = nil)", convert::rationalize),
    // `to_c` returns the receiver. Conversions of numbers call it.
    Method::new("to_c", |_, args| Ok(args.me())).leaf().pure(),
    Method::new("to_s", convert::to_s),
    Method::new("inspect", convert::inspect),
    Method::new("marshal_dump", convert::marshal_dump).private(),
];

const SINGLETON: &[Method] = &[
    Method::new("rectangular(real, imaginary = 0)", convert::rectangular),
    Method::new("polar(absolute, argument = 0)", polar::make_polar),
    Method::new("convert(real, imaginary = 0, exception: true)", convert::kernel_complex)
        .borrows(0)
        .borrows(1)
        .private(),
];

const KERNEL: &[Method] = &[Method::new("Complex(real, imaginary = 0, exception: true)", convert::kernel_complex)
    .borrows(0)
    .borrows(1)
    .module_function()];

/// Fills the class.
pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Complex);
    define::define_methods(cx, class, METHODS);
    define::synonyms(
        cx,
        class,
        &[
            ("quo", "/"),
            ("magnitude", "abs"),
            ("imag", "imaginary"),
            ("angle", "arg"),
            ("phase", "arg"),
            ("rect", "rectangular"),
            ("conj", "conjugate"),
        ],
    );
    define::define_singleton_methods(cx, class, SINGLETON);
    let singleton = class::singleton_class(cx, class);
    define::synonym(cx, singleton, "rect", "rectangular");
    crate::integer::no_constructor(cx, class);
    let singleton = object::class::class_of(cx, class);
    define::undefine(cx, singleton, "allocate");
    for name in [
        "<", "<=", ">", ">=", "between?", "clamp", "%", "div", "divmod", "floor", "ceil", "modulo", "remainder",
        "round", "step", "truncate", "i", "positive?", "negative?",
    ] {
        define::undefine(cx, class, name);
    }
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let nil = cx.class(Known::NilClass);
    define::define_methods(cx, nil, convert::OF_NIL);
    let i = new(cx, Value::fixnum(0), Value::fixnum(1));
    let name = object::symbol::table::intern_text(cx, "I");
    define::set_constant(cx, class, name, i);
}

/// Real and imaginary part.
#[inline(always)]
pub fn parts(v: Value) -> (Value, Value) {
    make::pair_parts(v)
}

/// A Complex of two reals.
pub fn new(cx: &mut Cx, re: Value, im: Value) -> Value {
    make::pair(cx, Known::Complex, re, im)
}

/// Whether the value is an ordered number. Objects of other classes decide by `real?`.
pub fn is_real(cx: &mut Cx, v: Value) -> R<bool> {
    match kind(v) {
        Kind::Integer | Kind::Float | Kind::Rational => Ok(true),
        Kind::Complex => Ok(false),
        Kind::Other if class::is_known(cx, v, Known::Numeric) => {
            let real = ops::name(cx, "real?");
            Ok(runtime::call::send(cx, v, real, &[])?.truthy())
        }
        Kind::Other => Ok(false),
    }
}

/// A number without imaginary part as an operand for a Complex.
pub fn of_real(cx: &mut Cx, v: Value) -> Value {
    new(cx, v, Value::fixnum(0))
}

//! Conversions of Complex to text and other numbers, and to Complex.

use abi::Type;
use memory::Grow;
use numeric::big;
use object::{
    cell, class,
    string::{self, Str},
};
use runtime::{Args, Cx, Known, Method, R, Value, call, convert, error, make, sym};
use text::encoding::EncodingId;
use text::number::{ComplexText, IntegerText, NumberText, parse_complex_strict};

use super::{compare::has_no_imaginary_part, from_polar, is_real, new, parts, polar};
use crate::numeric::ops::{self, Kind, flo, give, give_result, int, is_exact_zero, kind};
use crate::{kernel::conversions, rational};

/// `nil.to_c`: 0+0i.
pub const OF_NIL: &[Method] = &[Method::new("to_c", |cx, _| Ok(new(cx, Value::fixnum(0), Value::fixnum(0))))];

/// TypeError "not a real" unless the value is real; a Complex without imaginary part is converted to its real part.
pub fn real_check(cx: &mut Cx, v: Value) -> R {
    if kind(v) == Kind::Complex && ops::is_zero(cx, parts(v).1)? {
        return Ok(parts(v).0);
    }
    if is_real(cx, v)? { Ok(v) } else { Err(cx.type_error("not a real")) }
}

/// `Complex.rectangular(real, imaginary = 0) → complex`: a Complex with these parts, unchanged. TypeError unless they
/// are real numbers.
pub fn rectangular(cx: &mut Cx, args: Args) -> R {
    let re = real_check(cx, args.at(0))?;
    let im = match args.opt(1) {
        None => Value::fixnum(0),
        Some(im) => real_check(cx, im)?,
    };
    Ok(new(cx, re, im))
}

/// `coerce(other) → array`: `other` as a Complex, and the receiver. TypeError unless `other` is a number.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if kind(other) == Kind::Complex {
        return Ok(make::array(cx, &[other, me]));
    }
    if is_real(cx, other)? {
        let other = super::of_real(cx, other);
        return Ok(make::array(cx, &[other, me]));
    }
    let (from, into) = (error::class_name_of(cx, other), error::class_name_of(cx, me));
    Err(cx.type_error(&format!("{from} can't be coerced into {into}")))
}

fn shown(cx: &mut Cx, v: Value, part: fn(&mut Cx, Value) -> R<string::Str>) -> R<String> {
    let (re, im) = parts(v);
    let negative = match kind(im) {
        Kind::Float => !ops::real(im).is_nan() && ops::real(im).is_sign_negative(),
        _ => ops::is_negative(cx, im)?,
    };
    let size = polar::magnitude(cx, im)?;
    let (re, size) = (part(cx, re)?, part(cx, size)?);
    let mut text = re.to_text();
    text.append_one(if negative { '-' } else { '+' });
    text.push_str(&memory::lossy_text(size.bytes(cx)));
    if !text.ends_with(|c: char| c.is_ascii_digit()) {
        text.append_one('*');
    }
    text.append_one('i');
    Ok(text)
}

/// `to_s → string`: both parts with their signs and `i`, such as `1+2i`; a `*` precedes the `i` of NaN and infinities.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let text = shown(cx, args.me(), convert::to_s)?;
    Ok(make::string(cx, text.as_bytes(), EncodingId::US_ASCII))
}

/// `inspect → string`: `to_s` in parentheses, with the parts' own `inspect`.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let text = shown(cx, args.me(), convert::inspect)?;
    Ok(make::string(cx, format!("({text})").as_bytes(), EncodingId::US_ASCII))
}

/// `marshal_dump → array`: the real and the imaginary part, as Marshal writes them.
pub fn marshal_dump(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    Ok(make::array(cx, &[re, im]))
}

/// The real part; RangeError "can't convert 1+2i into Integer" unless the imaginary part is an exact zero.
fn real_only(cx: &mut Cx, v: Value, into: &str, inexact: bool) -> R {
    let (re, im) = parts(v);
    // A number of another class is asked for a Rational.
    let im = match kind(im) {
        Kind::Other if inexact => call::send_if_responds(cx, im, sym::TO_R, &[])?.unwrap_or(im),
        _ => im,
    };
    if (inexact || kind(im) != Kind::Float) && ops::is_zero(cx, im)? {
        return Ok(re);
    }
    let text = shown(cx, v, convert::to_s)?;
    Err(cx.range_error(&format!("can't convert {text} into {into}")))
}

/// `to_i → integer`: the real part's `to_i`. RangeError unless the imaginary part is an exact zero (0, not 0.0).
pub fn to_i(cx: &mut Cx, args: Args) -> R {
    let re = real_only(cx, args.me(), "Integer", false)?;
    call::send(cx, re, sym::TO_I, &[])
}

/// `to_f → float`: the real part's `to_f`. RangeError unless the imaginary part is an exact zero (0, not 0.0).
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    let re = real_only(cx, args.me(), "Float", false)?;
    call::send(cx, re, sym::TO_F, &[])
}

/// `to_r → rational`: the real part's `to_r`. RangeError unless the imaginary part is zero; 0.0 is accepted.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    let re = real_only(cx, args.me(), "Rational", true)?;
    call::send(cx, re, sym::TO_R, &[])
}

/// `rationalize(eps = nil) → rational`: the real part's `rationalize`. RangeError unless the imaginary part is an exact
/// zero.
pub fn rationalize(cx: &mut Cx, args: Args) -> R {
    let re = real_only(cx, args.me(), "Rational", false)?;
    let rationalize = ops::name(cx, "rationalize");
    call::send(cx, re, rationalize, args.all())
}

fn part_denominator(cx: &mut Cx, v: Value) -> R {
    let denominator = ops::name(cx, "denominator");
    call::send(cx, v, denominator, &[])
}

/// `denominator → integer`: the least common multiple of the denominators of both parts.
pub fn denominator(cx: &mut Cx, args: Args) -> R {
    let (re, im) = parts(args.me());
    let (re, im) = (part_denominator(cx, re)?, part_denominator(cx, im)?);
    give_result(cx, big::lcm(int(&re), int(&im)))
}

/// `numerator → complex`: the parts multiplied by `denominator`, so that both are integers.
pub fn numerator(cx: &mut Cx, args: Args) -> R {
    let common = denominator(cx, args)?;
    let name = ops::name(cx, "numerator");
    let scaled = |cx: &mut Cx, v: Value| -> R {
        let numerator = call::send(cx, v, name, &[])?;
        let own = part_denominator(cx, v)?;
        let factor = ops::div(cx, common, own)?;
        ops::mul(cx, numerator, factor)
    };
    let (re, im) = parts(args.me());
    let (re, im) = (scaled(cx, re)?, scaled(cx, im)?);
    Ok(new(cx, re, im))
}

fn number(cx: &mut Cx, text: &NumberText) -> R {
    match text {
        NumberText::Integer(IntegerText::Small(n)) => Ok(object::bigint::from_i64(cx, *n)),
        NumberText::Integer(IntegerText::Big { negative, radix, digits }) => {
            let n = ops::interruptible(cx, |interrupt| big::parse_digits(digits, *radix, *negative, interrupt))?;
            give(cx, n.unwrap_or(big::Integer::Fix(0)))
        }
        NumberText::Float(f) => flo(cx, *f),
        NumberText::Rational(text) => rational::from_text(cx, text),
    }
}

fn from_text(cx: &mut Cx, text: &ComplexText) -> R {
    match text {
        ComplexText::Rectangular { real, imaginary } => {
            let (re, im) = (number(cx, real)?, number(cx, imaginary)?);
            Ok(new(cx, re, im))
        }
        ComplexText::Polar { absolute, argument } => {
            let (size, angle) = (number(cx, absolute)?, number(cx, argument)?);
            from_polar(cx, size, angle)
        }
    }
}

/// `Complex(real, imaginary = 0, exception: true) → complex or nil`: from numbers, or from a whole String. TypeError or
/// ArgumentError for anything else; nil with `exception: false`, unless the real part is no number beside an imaginary
/// part that is one.
pub fn kernel_complex(cx: &mut Cx, args: Args) -> R {
    let quiet = conversions::quiet(cx, args)?;
    for v in args.all() {
        conversions::check_encoding(cx, *v)?;
    }
    if quiet && is_part(args.opt(1)) && !is_convertible(cx, args.at(0)) {
        return Err(cx.type_error("not a real"));
    }
    let is_no_number = |text: Str| text.read((), |bytes, ()| parse_complex_strict(bytes).is_none());
    if quiet && (args.at(0).is_nil() || Str::from_value(args.at(0)).is_some_and(is_no_number)) {
        return Ok(Value::NIL); // No exception is created for it.
    }
    let result = convert_to_complex(cx, args.at(0), args.opt(1));
    conversions::finish(cx, quiet, result)
}

/// Whether an imaginary part is a number of one of the real core classes.
fn is_part(im: Option<Value>) -> bool {
    im.is_some_and(|im| matches!(kind(im), Kind::Integer | Kind::Float | Kind::Rational))
}

/// Whether a real part is a number, or gives nil instead of an error.
fn is_convertible(cx: &mut Cx, re: Value) -> bool {
    re.is_nil() || cell::is(re, Type::String) || class::is_known(cx, re, Known::Numeric)
}

fn convert_to_complex(cx: &mut Cx, re: Value, im: Option<Value>) -> R {
    if im.is_none() && object::cell::is(re, abi::Type::Complex) {
        return Ok(re);
    }
    if re.is_nil() || im.is_some_and(Value::is_nil) {
        return Err(cx.type_error("can't convert nil into Complex"));
    }
    let re = operand(cx, re)?;
    let im = match im {
        Some(im) => Some(operand(cx, im)?),
        None => None,
    };
    if kind(re) == Kind::Complex && im.is_none_or(is_exact_zero) {
        return Ok(re);
    }
    let Some(im) = im else {
        if !class::is_known(cx, re, Known::Numeric) {
            return by_to_c(cx, re);
        }
        return if is_real(cx, re)? { Ok(super::of_real(cx, re)) } else { Ok(re) };
    };
    if class::is_known(cx, re, Known::Numeric)
        && class::is_known(cx, im, Known::Numeric)
        && (!is_real(cx, re)? || !is_real(cx, im)?)
    {
        let i = new(cx, Value::fixnum(0), Value::fixnum(1));
        let imaginary = ops::mul(cx, im, i)?;
        return ops::add(cx, re, imaginary);
    }
    let (re, im) = (real_check(cx, re)?, real_check(cx, im)?);
    Ok(new(cx, re, im))
}

fn operand(cx: &mut Cx, v: Value) -> R {
    let v = if cell::is(v, Type::String) { strict(cx, v)? } else { v };
    Ok(if kind(v) == Kind::Complex && has_no_imaginary_part(v) { parts(v).0 } else { v })
}

fn strict(cx: &mut Cx, v: Value) -> R {
    let bytes = Str::of(v).to_vector();
    if bytes.contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    match parse_complex_strict(&bytes) {
        Some(text) => from_text(cx, &text),
        None => {
            let shown = call::inspect_text(cx, v)?;
            Err(cx.argument_error(&format!("invalid value for convert(): {shown}")))
        }
    }
}

fn by_to_c(cx: &mut Cx, v: Value) -> R {
    let from = error::describe_for_conversion(cx, v);
    match call::send_if_responds(cx, v, sym::TO_C, &[])? {
        None => Err(cx.type_error(&format!("can't convert {from} into Complex"))),
        Some(c) if kind(c) == Kind::Complex => Ok(c),
        Some(other) => {
            let got = error::class_name_of(cx, other);
            Err(cx.type_error(&format!("can't convert {from} to Complex ({from}#to_c gives {got})")))
        }
    }
}

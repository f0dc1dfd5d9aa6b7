//! Integer(), Float(), String(), Array(), Hash().

use abi::{Type, Value};
use object::{bigint, cell, class, float, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, Unwind, basic_ops, call, convert, error, error::OrRaise, keys, make, sym};
use text::number::{IntegerError, IntegerText, parse_float_strict, parse_integer_strict};

/// Whether the keywords contain `exception: false`.
pub fn quiet(cx: &mut Cx, args: Args) -> R<bool> {
    let name = sym::EXCEPTION;
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let wanted = keys::keyword(cx, args.keywords(), name).or(Value::TRUE);
    is_quiet(cx, wanted)
}

/// Whether the value of the keyword `exception` is false. ArgumentError unless it is true or false.
fn is_quiet(cx: &mut Cx, wanted: Value) -> R<bool> {
    match wanted {
        Value::TRUE => Ok(false),
        Value::FALSE => Ok(true),
        other => {
            let shown = call::inspect_text(cx, other)?;
            Err(cx.argument_error(&format!("expected true or false as exception: {shown}")))
        }
    }
}

/// The result, or nil instead of an error with `exception: false`.
pub fn finish(cx: &mut Cx, quiet: bool, result: R) -> R {
    match result {
        Err(unwind) if quiet => {
            let exception = cx.take_exception(unwind)?;
            let standard = cx.error_class(error::ErrorClass::StandardError);
            if class::is_a(cx, exception, standard) { Ok(Value::NIL) } else { Err(cx.raise_object(exception)) }
        }
        result => result,
    }
}

/// The text of a String from which a number can be read without conversions.
fn readable(cx: &Cx, v: Value) -> Option<&[u8]> {
    Str::from_value(v).filter(|s| s.encoding().is_ascii_compatible()).map(|s| s.bytes(cx))
}

/// [`integer`] of a fixnum, of a Float that is truncated to one, or of the text of one.
pub fn quick_integer(cx: &mut Cx, args: Args) -> R {
    const LIMIT: f64 = (1u64 << 53) as f64;
    let v = args.at(0);
    let Some(base) = args.at(1).as_fixnum().filter(|_| args.at(2) == Value::TRUE) else { return Ok(Value::UNDEF) };
    if let Some(text) = readable(cx, v) {
        return match parse_integer_strict(text, base) {
            Ok(parsed) => integer_of_text(cx, parsed),
            Err(_) => Ok(Value::UNDEF),
        };
    }
    if base != 0 {
        return Ok(Value::UNDEF);
    }
    Ok(match v.as_fixnum() {
        Some(_) => v,
        None if v.is_flonum() && v.flonum_value().abs() < LIMIT => Value::fixnum(v.flonum_value() as i64),
        None => Value::UNDEF,
    })
}

/// [`kernel_float`] of a Float, a small Integer or the text of a number.
pub fn quick_float(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if args.at(1) != Value::TRUE {
        return Ok(Value::UNDEF);
    }
    if let Some(text) = readable(cx, v) {
        return Ok(parse_float_strict(text).map_or(Value::UNDEF, |f| float::new(cx, f)));
    }
    Ok(match v.as_fixnum() {
        Some(n) if n.unsigned_abs() < 1 << 53 => float::new(cx, n as f64),
        None if v.is_flonum() => v,
        _ => Value::UNDEF,
    })
}

/// `Integer(value, base = 0, exception: true) → integer or nil`: by `to_int`, then `to_i`; the whole text of a String
/// must be a number. TypeError, ArgumentError or FloatDomainError for anything else; nil with `exception: false`.
pub fn integer(cx: &mut Cx, args: Args) -> R {
    let quiet = is_quiet(cx, args.at(2))?;
    // Also with `exception: false`, the base must be a number.
    let (v, base) = (args.at(0), convert::to_i64(cx, args.at(1))?);
    if quiet {
        check_encoding(cx, v)?;
        if base == 0 && v.is_nil() {
            return Ok(Value::NIL);
        }
        if let Some(text) = Str::from_value(v) {
            return match parse_integer_strict(text.bytes(cx), base) {
                Ok(parsed) => integer_of_text(cx, parsed),
                Err(IntegerError::InvalidRadix) => Err(invalid_radix(cx, base)),
                Err(IntegerError::Invalid) => Ok(Value::NIL),
            };
        }
    }
    let base = if base == 0 { Value::UNDEF } else { Value::fixnum(base) };
    let result = to_integer(cx, v, base);
    finish(cx, quiet, result)
}

/// Integer() of a value; `base` is undef if none was given.
pub fn to_integer(cx: &mut Cx, v: Value, base: Value) -> R {
    let radix = match base {
        Value::UNDEF => None,
        base => Some(convert::to_i64(cx, base)?),
    };
    if radix.is_none() && convert::is_integer(v) {
        return Ok(v);
    }
    if let Some(f) = basic_ops::as_float(v) {
        return if radix.is_some() { Err(base_for_non_string(cx)) } else { convert::float_to_integer(cx, f) };
    }
    if cell::is(v, Type::String) {
        return string_to_integer(cx, v, radix.unwrap_or(0));
    }
    if let Some(radix) = radix {
        return match convert::try_str(cx, v)? {
            Some(s) => string_to_integer(cx, s.value(), radix),
            None => Err(base_for_non_string(cx)),
        };
    }
    if v.is_nil() {
        return Err(cx.type_error("can't convert nil into Integer"));
    }
    // A `to_int` that fails is as one that is missing.
    match call::send_if_responds(cx, v, sym::TO_INT, &[]) {
        Ok(Some(n)) if convert::is_integer(n) => return Ok(n),
        Ok(_) => {}
        Err(unwind) => cx.end_unwinding(unwind)?,
    }
    if let Some(s) = convert::try_str(cx, v)? {
        return string_to_integer(cx, s.value(), 0);
    }
    let from = error::describe_for_conversion(cx, v);
    match call::send_if_responds(cx, v, sym::TO_I, &[])? {
        Some(n) if convert::is_integer(n) => Ok(n),
        Some(other) => {
            let got = error::class_name_of(cx, other);
            Err(cx.type_error(&format!("can't convert {from} to Integer ({from}#to_i gives {got})")))
        }
        None => Err(cx.type_error(&format!("can't convert {from} into Integer"))),
    }
}

fn base_for_non_string(cx: &mut Cx) -> Unwind {
    cx.argument_error("base specified for non string value")
}

fn invalid_radix(cx: &mut Cx, radix: i64) -> Unwind {
    cx.argument_error(&format!("invalid radix {radix}"))
}

fn string_to_integer(cx: &mut Cx, s: Value, radix: i64) -> R {
    check_text(cx, s)?;
    match parse_integer_strict(Str::of(s).bytes(cx), radix) {
        Ok(parsed) => integer_of_text(cx, parsed),
        Err(IntegerError::InvalidRadix) => Err(invalid_radix(cx, radix)),
        Err(IntegerError::Invalid) => {
            let shown = call::inspect_text(cx, s)?;
            Err(cx.argument_error(&format!("invalid value for Integer(): {shown}")))
        }
    }
}

/// A parsed integer as a value.
pub fn integer_of_text(cx: &mut Cx, parsed: IntegerText) -> R {
    match parsed {
        IntegerText::Small(n) => Ok(bigint::from_i64(cx, n)),
        IntegerText::Big { negative, radix, digits } => {
            match numeric::big::parse_digits(&digits, radix, negative, &mut numeric::big::never) {
                Ok(Some(n)) => bigint::integer(cx, n).or_raise(cx),
                _ => Err(cx.no_memory()),
            }
        }
    }
}

/// CompatibilityError for a String whose encoding is not ASCII-compatible: also with `exception: false`.
pub fn check_encoding(cx: &mut Cx, v: Value) -> R<()> {
    let Some(s) = Str::from_value(v).filter(|s| !s.encoding().is_ascii_compatible()) else { return Ok(()) };
    let message = format!("ASCII incompatible encoding: {}", s.encoding().name());
    Err(cx.raise(error::ErrorClass::CompatibilityError, &message))
}

/// Numeric text must not contain a zero byte, and its encoding must be ASCII-compatible.
fn check_text(cx: &mut Cx, s: Value) -> R<()> {
    check_encoding(cx, s)?;
    if Str::of(s).contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    Ok(())
}

/// `Float(value, exception: true) → float or nil`: from numbers, and from Strings whose whole text is a number.
/// TypeError or ArgumentError for anything else; nil with `exception: false`.
pub fn kernel_float(cx: &mut Cx, args: Args) -> R {
    let quiet = is_quiet(cx, args.at(1))?;
    let v = args.at(0);
    if quiet {
        check_encoding(cx, v)?;
        if v.is_nil() {
            return Ok(Value::NIL);
        }
        if let Some(text) = Str::from_value(v) {
            return Ok(parse_float_strict(text.bytes(cx)).map_or(Value::NIL, |f| float::new(cx, f)));
        }
    }
    let result = if convert::is_float(v) { Ok(v) } else { to_float(cx, v).map(|f| float::new(cx, f)) };
    finish(cx, quiet, result)
}

/// Float() of a value.
pub fn to_float(cx: &mut Cx, v: Value) -> R<f64> {
    if cell::is(v, Type::String) {
        check_text(cx, v)?;
        return match parse_float_strict(Str::of(v).bytes(cx)) {
            Some(f) => Ok(f),
            None => {
                let shown = call::inspect_text(cx, v)?;
                Err(cx.argument_error(&format!("invalid value for Float(): {shown}")))
            }
        };
    }
    if convert::is_float(v) || convert::is_integer(v) || class::is_known(cx, v, object::Known::Numeric) {
        return convert::to_f64(cx, v);
    }
    if matches!(v, Value::NIL | Value::TRUE | Value::FALSE) {
        let from = error::describe_for_conversion(cx, v);
        return Err(cx.type_error(&format!("can't convert {from} into Float")));
    }
    let from = error::describe_for_conversion(cx, v);
    match call::send_if_responds(cx, v, sym::TO_F, &[])? {
        Some(f) => match basic_ops::as_float(f) {
            Some(f) => Ok(f),
            None => {
                let got = error::class_name_of(cx, f);
                Err(cx.type_error(&format!("can't convert {from} to Float ({from}#to_f gives {got})")))
            }
        },
        None => Err(cx.type_error(&format!("can't convert {from} into Float"))),
    }
}

/// `String(value) → string`: the result of `to_str`, otherwise `to_s`. TypeError if neither returns a String.
pub fn string(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if let Some(s) = convert::try_str(cx, v)? {
        return Ok(s.value());
    }
    let from = error::describe_for_conversion(cx, v);
    let converted = if call::responds(cx, v, sym::TO_S, true)? || !call::has_method(cx, v, sym::TO_S) {
        let result = call::send(cx, v, sym::TO_S, &[]);
        no_method_as_none(cx, result, sym::TO_S)?
    } else {
        None
    };
    match converted {
        Some(s) if cell::is(s, Type::String) => Ok(s),
        Some(other) => {
            let got = error::class_name_of(cx, other);
            Err(cx.type_error(&format!("can't convert {from} to String ({from}#to_s gives {got})")))
        }
        None => Err(cx.type_error(&format!("can't convert {from} into String"))),
    }
}

/// `Array(value) → array`: the result of `to_ary`, otherwise of `to_a`, otherwise an array with the value; an empty
/// array for nil.
pub fn array(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if let Some(list) = convert::try_ary(cx, v)? {
        return Ok(list.value());
    }
    let from = error::describe_for_conversion(cx, v);
    match call::send_conversion(cx, v, sym::TO_A, &[])? {
        Some(list) if cell::is(list, Type::Array) => Ok(list),
        None | Some(Value::NIL) => Ok(make::array(cx, &[v])),
        Some(other) => {
            let got = error::class_name_of(cx, other);
            Err(cx.type_error(&format!("can't convert {from} to Array ({from}#to_a gives {got})")))
        }
    }
}

/// `Hash(value) → hash`: the result of `to_hash`; an empty hash for nil and `[]`. TypeError for anything else.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if v.is_nil() || (cell::is(v, Type::Array) && object::array::Arr::of(v).is_empty()) {
        return Ok(HashRef::new(cx).value());
    }
    match convert::try_hash(cx, v)? {
        Some(h) => Ok(h.value()),
        None => {
            let from = error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("can't convert {from} into Hash")))
        }
    }
}

/// Converts a NoMethodError for that method to None.
fn no_method_as_none(cx: &mut Cx, result: R, name: object::Sym) -> R<Option<Value>> {
    let unwind = match result {
        Ok(v) => return Ok(Some(v)),
        Err(unwind) => unwind,
    };
    let exception = cx.take_exception(unwind)?;
    let about = object::shape::ivars::get(cx, exception, sym::MEMO_NAME);
    if error::is_error(cx, exception, error::ErrorClass::NoMethodError) && about == name.value() {
        Ok(None)
    } else {
        Err(cx.raise_object(exception))
    }
}

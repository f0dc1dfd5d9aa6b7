//! Conversions of Integer to text, characters, digits and other numbers.

use numeric::big::{self, Digits};
use object::{class, string::Str};
use runtime::{Args, Cx, Known, R, Value, call, convert, error, make, sym};
use text::encoding::{self, CodepointError, EncodingId};

use crate::numeric::{
    long_operation,
    ops::{self, Kind, flo, give, int, kind},
};

/// `to_s(base = 10) → string`: the digits in a base from 2 to 36, in US-ASCII. ArgumentError for another base. Alias:
/// `inspect`.
pub fn to_s(cx: &mut Cx, args: Args) -> R {
    let radix = match args.opt(0) {
        None if args.me().is_fixnum() => return Ok(Str::decimal(cx, args.me().fixnum_value()).value()),
        None => 10,
        Some(v) => convert::to_i32(cx, v)?,
    };
    if args.me().is_fixnum() && (2..=36).contains(&radix) {
        let mut buffer = [0; 65];
        let text = numeric::digits::in_radix(args.me().fixnum_value(), radix as u32, &mut buffer);
        return Ok(Str::short_ascii(cx, text).value());
    }
    in_radix(cx, args.me(), radix.into())
}

/// The text of an Integer.
pub fn in_radix(cx: &mut Cx, v: Value, radix: i64) -> R {
    let weight = long_operation::square_weight(int(&v).magnitude_bits());
    let text = long_operation::run(cx, &[int(&v)], weight, move |n, stop| big::to_s(n[0], radix, stop))?;
    Ok(make::string(cx, text.as_bytes(), EncodingId::US_ASCII))
}

/// `to_f → float`: the nearest Float, Infinity beyond the largest.
pub fn to_f(cx: &mut Cx, args: Args) -> R {
    flo(cx, big::to_f64(int(&args.me())))
}

/// `to_r`, `rationalize(eps = nil) → rational`: the receiver over 1; the `eps` of `rationalize` is ignored, as the
/// value is exact.
pub fn to_r(cx: &mut Cx, args: Args) -> R {
    Ok(crate::rational::whole(cx, args.me()))
}

/// `chr(encoding = nil) → string`: the character of this number in the encoding; by default US-ASCII or BINARY for a
/// byte, otherwise the internal encoding. RangeError if there is none.
pub fn chr(cx: &mut Cx, args: Args) -> R {
    let code = int(&args.me()).to_i64().and_then(|n| u32::try_from(n).ok());
    let Some(code) = code else {
        let message = match int(&args.me()).to_i64() {
            Some(n) => format!("{n} out of char range"),
            None => "bignum out of char range".to_string(),
        };
        return Err(cx.range_error(&message));
    };
    let encoding = match args.opt(0) {
        Some(v) => encoding_argument(cx, v)?,
        None if code < 0x80 => return Ok(make::string(cx, &[code as u8], EncodingId::US_ASCII)),
        None if code < 0x100 => return Ok(make::string(cx, &[code as u8], EncodingId::BINARY)),
        None => match default_internal(cx)? {
            Some(encoding) => encoding,
            None => return Err(cx.range_error(&format!("{code} out of char range"))),
        },
    };
    let mut bytes = Vec::new();
    match encoding::encode_codepoint(encoding, code, &mut bytes) {
        Ok(()) => Ok(make::string(cx, &bytes, encoding)),
        Err(CodepointError::OutOfRange) => Err(cx.range_error(&format!("{code} out of char range"))),
        Err(CodepointError::Invalid) => {
            Err(cx.range_error(&format!("invalid codepoint 0x{code:X} in {}", encoding.name())))
        }
    }
}

fn default_internal(cx: &mut Cx) -> R<Option<EncodingId>> {
    let class = cx.class(Known::Encoding);
    let name = ops::name(cx, "default_internal");
    match call::send_if_responds(cx, class, name, &[])? {
        Some(v) if !v.is_nil() => encoding_argument(cx, v).map(Some),
        _ => Ok(None),
    }
}

/// The encoding given as an Encoding or by name: ArgumentError "unknown encoding name - x".
fn encoding_argument(cx: &mut Cx, v: Value) -> R<EncodingId> {
    let name = if class::is_known(cx, v, Known::Encoding) { call::send(cx, v, sym::NAME, &[])? } else { v };
    let name = convert::to_str(cx, name)?;
    match encoding::find(name.bytes(cx)) {
        Some(encoding) => Ok(encoding),
        None => {
            let name = name.to_text();
            Err(cx.argument_error(&format!("unknown encoding name - {name}")))
        }
    }
}

/// `digits(base = 10) → array`: the digits in a base, the least significant first. Math::DomainError for negative
/// numbers, ArgumentError for a base below 2.
pub fn digits(cx: &mut Cx, args: Args) -> R {
    let base = match args.opt(0) {
        None => Value::fixnum(10),
        Some(v) => match call::send_if_responds(cx, v, sym::TO_INT, &[])? {
            Some(n) if convert::is_integer(n) => n,
            _ => {
                let from = error::describe_for_conversion(cx, v);
                return Err(cx.type_error(&format!("no implicit conversion of {from} into Integer")));
            }
        },
    };
    let me = args.me();
    if let (Some(n), Some(base)) = (me.as_fixnum(), base.as_fixnum())
        && n >= 0
        && base >= 2
    {
        let (mut few, mut count, mut rest) = ([Value::NIL; 64], 0, n);
        loop {
            few[count] = Value::fixnum(rest % base);
            count += 1;
            rest /= base;
            if rest == 0 {
                return Ok(make::array(cx, &few[..count]));
            }
        }
    }
    let weight = long_operation::square_weight(int(&me).magnitude_bits());
    let result = long_operation::run(cx, &[int(&me), int(&base)], weight, |n, stop| big::digits(n[0], n[1], stop))?;
    let list = make::array(cx, &[]);
    match result {
        Digits::Small(digits) => {
            for digit in digits {
                let digit = object::bigint::from_u64(cx, digit);
                make::push(cx, list, digit);
            }
        }
        Digits::Big(digits) => {
            for digit in digits {
                let digit = give(cx, digit)?;
                make::push(cx, list, digit);
            }
        }
    }
    Ok(list)
}

/// `coerce(other) → [other, self]`: as integers if `other` is an Integer, otherwise as floats. TypeError or
/// ArgumentError if it is not a number.
pub fn coerce(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if kind(other) == Kind::Integer {
        return Ok(make::array(cx, &[other, me]));
    }
    let first = crate::numeric::convert::kernel_float(cx, other)?;
    let second = flo(cx, big::to_f64(int(&me)))?;
    Ok(make::array(cx, &[first, second]))
}

/// `Integer.try_convert(object) → integer or nil`: the object if it is an Integer, otherwise the result of its
/// `to_int`; nil without that method. TypeError if `to_int` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    to_int_or_nil(cx, args.at(0))
}

/// An Integer, the result of an object's `to_int`, or nil.
pub fn to_int_or_nil(cx: &mut Cx, v: Value) -> R {
    if convert::is_integer(v) {
        return Ok(v);
    }
    match call::send_if_responds(cx, v, sym::TO_INT, &[])? {
        None => Ok(Value::NIL),
        Some(n) if n.is_nil() || convert::is_integer(n) => Ok(n),
        Some(n) => {
            let (from, got) = (error::class_name_of(cx, v), error::class_name_of(cx, n));
            Err(cx.type_error(&format!("can't convert {from} to Integer ({from}#to_int gives {got})")))
        }
    }
}

//! format, sprintf: values put into a pattern.

use abi::{Type, Value};
use object::{array::Arr, bigint, cell, hash::HashRef, string::Str, symbol};
use runtime::{Args, Cx, R, Unwind, call, convert, keys, make, special, sym};
use text::{
    encoding::EncodingId,
    sprintf::{
        Argument, Directive, FormatError, Parser, Piece, Spec, format_char, format_float, format_integer, format_text,
        radix,
    },
};

/// `format(pattern, …)`
pub fn kernel_format(cx: &mut Cx, args: Args) -> R {
    format(cx, args.at(0), args.from(1))
}

/// The pattern with values put in; String#% as well.
pub fn format(cx: &mut Cx, pattern: Value, values: &[Value]) -> R {
    let pattern = convert::to_str(cx, pattern)?;
    let values_array = make::array(cx, values);
    let mut encoding = Str(pattern).encoding();
    let source = Str(pattern).bytes().to_vec();
    let mut out: Vec<u8> = Vec::with_capacity(source.len() + 16);
    let mut parser = Parser::new(encoding, &source, values.len());
    loop {
        match parser.next_piece() {
            Err(error) => return Err(failed(cx, error)),
            Ok(None) => break,
            Ok(Some(Piece::Literal(bytes))) => out.extend_from_slice(bytes),
            Ok(Some(Piece::Directive(directive))) => {
                encoding = put(cx, values_array, encoding, &directive, &mut out)?;
            }
        }
    }
    if parser.has_unused_arguments() && !values.first().is_some_and(|v| values.len() == 1 && cell::is(*v, Type::Hash)) {
        if cx.vm().options.debug {
            return Err(cx.argument_error("too many arguments for format string"));
        }
        if cx.vm().options.verbose == Some(true) {
            special::warn_here(cx, "too many arguments for format string")?;
        }
    }
    Ok(make::string(cx, &out, encoding))
}

fn failed(cx: &mut Cx, error: FormatError) -> Unwind {
    if matches!(error, FormatError::NoMemory) {
        return cx.no_memory();
    }
    let message = String::from_utf8_lossy(&error.message()).into_owned();
    cx.argument_error(&message)
}

/// Writes one directive; gives the encoding that the result has from now on.
fn put(cx: &mut Cx, values: Value, encoding: EncodingId, directive: &Directive, out: &mut Vec<u8>) -> R<EncodingId> {
    let spec = resolve(cx, values, directive)?;
    let value = match directive.argument {
        Argument::Positional(i) => Arr(values).get(i).unwrap_or(Value::NIL),
        Argument::Named { name, text } => named(cx, values, encoding, name, text)?,
    };
    let written = match directive.conversion {
        b's' | b'p' => return put_text(cx, encoding, &spec, directive.conversion, value, out),
        b'c' => return put_char(cx, encoding, &spec, value, out),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            put_integer(cx, &spec, directive.conversion, value, out)?
        }
        conversion => put_float(cx, &spec, conversion, value, out)?,
    };
    written.map_err(|error| failed(cx, error))?;
    Ok(encoding)
}

enum Failure {
    Format(FormatError),
    Raised(Unwind),
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::Format(error)
    }
}

fn resolve(cx: &mut Cx, values: Value, directive: &Directive) -> R<Spec> {
    let resolved = directive.resolve(|i| {
        let v = Arr(values).get(i).unwrap_or(Value::NIL);
        convert::to_i32(cx, v).map_err(Failure::Raised)
    });
    match resolved {
        Ok(spec) => Ok(spec),
        Err(Failure::Raised(unwind)) => Err(unwind),
        Err(Failure::Format(error)) => Err(failed(cx, error)),
    }
}

/// The value of `%<name>` in the one hash given.
fn named(cx: &mut Cx, values: Value, encoding: EncodingId, name: &[u8], text: &[u8]) -> R {
    let first = Arr(values).get(0).unwrap_or(Value::NIL);
    let Some(hash) = convert::try_hash(cx, first)? else {
        return Err(cx.argument_error("one hash required"));
    };
    let id = if name.is_ascii() { EncodingId::US_ASCII } else { encoding };
    let key = symbol::intern(cx, name, id);
    if let Some(value) = keys::get(cx, hash, key.0)? {
        return Ok(value);
    }
    let default = if HashRef(hash).default_is_proc() {
        let p = HashRef(hash).default();
        call::block::call_proc(cx, p, &[hash, key.0])?
    } else {
        let default = HashRef(hash).default();
        if call::is_native_method(cx, hash, sym::DEFAULT) {
            default
        } else {
            call::send(cx, hash, sym::DEFAULT, &[key.0])?
        }
    };
    if !default.is_nil() && !default.is_undef() {
        return Ok(default);
    }
    let shown = String::from_utf8_lossy(text).into_owned();
    let message = make::text(cx, &format!("key{shown} not found"));
    Err(cx.key_error(message, hash, key.0))
}

/// %s and %p.
fn put_text(
    cx: &mut Cx,
    encoding: EncodingId,
    spec: &Spec,
    conversion: u8,
    value: Value,
    out: &mut Vec<u8>,
) -> R<EncodingId> {
    let shown = if conversion == b'p' { convert::inspect(cx, value)? } else { convert::to_s(cx, value)? };
    let shown = Str(shown);
    let joined = join_encodings(cx, encoding, out, shown)?;
    let bytes = shown.bytes().to_vec();
    format_text(spec, shown.encoding(), &bytes, shown.code_range(), out).map_err(|error| failed(cx, error))?;
    Ok(joined)
}

/// The encoding of what was written so far with `added` behind it.
fn join_encodings(cx: &mut Cx, encoding: EncodingId, out: &[u8], added: Str) -> R<EncodingId> {
    if added.encoding() == encoding || added.is_ascii() {
        return Ok(encoding);
    }
    if out.is_ascii() {
        return Ok(added.encoding());
    }
    let message = format!("incompatible character encodings: {} and {}", encoding.name(), added.encoding().name());
    Err(cx.raise(runtime::error::ErrorClass::CompatibilityError, &message))
}

/// %c: the first character of a String, or a codepoint.
fn put_char(cx: &mut Cx, encoding: EncodingId, spec: &Spec, value: Value, out: &mut Vec<u8>) -> R<EncodingId> {
    if let Some(string) = convert::try_str(cx, value)? {
        let one = Spec { precision: Some(1), ..*spec };
        let joined = join_encodings(cx, encoding, out, Str(string))?;
        let bytes = Str(string).bytes().to_vec();
        format_text(&one, Str(string).encoding(), &bytes, Str(string).code_range(), out)
            .map_err(|error| failed(cx, error))?;
        return Ok(joined);
    }
    let code = convert::to_i64(cx, value)?;
    let mut bytes = Vec::new();
    let encoded = u32::try_from(code).is_ok_and(|c| text::encoding::encode_codepoint(encoding, c, &mut bytes).is_ok());
    if !encoded {
        return Err(cx.range_error(&format!("{code} out of char range")));
    }
    format_char(spec, &bytes, out).map_err(|error| failed(cx, error))?;
    Ok(encoding)
}

/// The Integer that %d and the like show.
fn integer_of(cx: &mut Cx, value: Value) -> R {
    if convert::is_integer(value) {
        return Ok(value);
    }
    if convert::is_float(value) {
        let f = runtime::basic_ops::as_float(value).unwrap_or(0.0);
        return convert::float_to_integer(cx, f.floor());
    }
    super::conversions::to_integer(cx, value, Value::UNDEF)
}

fn put_integer(
    cx: &mut Cx,
    spec: &Spec,
    conversion: u8,
    value: Value,
    out: &mut Vec<u8>,
) -> R<Result<(), FormatError>> {
    let n = integer_of(cx, value)?;
    let base = radix(conversion);
    if n.is_fixnum() {
        let n = n.fixnum_value();
        let magnitude = n.unsigned_abs();
        let digits = match base {
            8 => format!("{magnitude:o}"),
            16 => format!("{magnitude:x}"),
            2 => format!("{magnitude:b}"),
            _ => magnitude.to_string(),
        };
        return Ok(format_integer(spec, conversion, n < 0, digits.as_bytes(), out));
    }
    let Some(operand) = bigint::operand(&n) else { return Ok(Ok(())) };
    let digits = numeric::big::to_s(operand, i64::from(base), &mut numeric::big::never);
    match digits {
        Ok(digits) => {
            let (negative, magnitude) = match digits.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, &digits[..]),
            };
            Ok(format_integer(spec, conversion, negative, magnitude.as_bytes(), out))
        }
        Err(_) => Err(cx.no_memory()),
    }
}

fn put_float(cx: &mut Cx, spec: &Spec, conversion: u8, value: Value, out: &mut Vec<u8>) -> R<Result<(), FormatError>> {
    let f = super::conversions::to_float(cx, value)?;
    Ok(format_float(spec, conversion, f, out))
}

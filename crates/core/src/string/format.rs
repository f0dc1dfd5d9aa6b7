//! `String#%`, Kernel#format: formatting by directives.

use memory::{Grow, ToVector};
use object::{Known, bigint, cell, class, float, hash::HashRef, string::Str};
use runtime::{
    Args, Cx, R, Unwind, Value, call, convert,
    error::{ErrorClass, OrRaise},
    sym, warning,
};
use text::{
    EncodingId,
    sprintf::{self, Argument, Directive, FormatError, Parser, Piece, Spec},
};

use super::modify;
use crate::numeric::long_operation;

/// `format % arguments → string`: `format` with the elements of an array, or with a single object. Ruby:
/// doc/language/format_specifications.rdoc.
pub fn percent(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    let list = convert::try_ary(cx, v)?;
    let values = match list {
        Some(list) => runtime::make::copy(cx, list),
        None => runtime::make::array(cx, &[v]),
    };
    format(cx, Str::of(args.me()), object::array::Arr::of(values))
}

/// The reason why a directive failed.
enum Failure {
    Format(FormatError),
    Raised(Unwind),
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Failure {
        Failure::Format(error)
    }
}

impl From<Unwind> for Failure {
    fn from(unwind: Unwind) -> Failure {
        Failure::Raised(unwind)
    }
}

/// The format filled with the values of an unshared Array.
pub fn format(cx: &mut Cx, format: Str, values: object::array::Arr) -> R {
    let format = format.frozen_dup(cx);
    if !format.encoding().is_ascii_compatible() {
        let message = format!("ASCII incompatible encoding: {}", format.encoding().name());
        return Err(cx.raise(ErrorClass::CompatibilityError, &message));
    }
    let mut writer = Writer { out: memory::with_capacity(format.len() + 16), encoding: format.encoding(), ascii: true };
    match fill(cx, format, values, &mut writer) {
        Ok(()) => modify::of_list(cx, writer.out, writer.encoding),
        Err(Failure::Raised(unwind)) => Err(unwind),
        Err(Failure::Format(FormatError::NoMemory)) => Err(cx.no_memory()),
        Err(Failure::Format(error)) => {
            let message = modify::new(cx, &error.message(), format.encoding())?;
            Err(cx.raise_with_string(ErrorClass::ArgumentError, message))
        }
    }
}

struct Writer {
    out: Vec<u8>,
    encoding: EncodingId,
    /// Whether only ASCII was written so far.
    ascii: bool,
}

fn fill(cx: &mut Cx, format: Str, values: object::array::Arr, writer: &mut Writer) -> Result<(), Failure> {
    // Conversions of values run the program's methods, which may change the format.
    let text = format.held(cx);
    let mut parser = Parser::new(format.encoding(), &text, values.len());
    while let Some(piece) = parser.next_piece()? {
        match piece {
            Piece::Literal(text) => {
                writer.ascii &= text.is_ascii();
                writer.out.append_slice(text);
            }
            Piece::Directive(directive) => {
                let spec = directive.resolve(|index| -> Result<i32, Failure> {
                    let v = values.get(index).unwrap_or(Value::NIL);
                    Ok(convert::to_i32(cx, v)?)
                })?;
                let v = value(cx, &directive, values, format)?;
                write(cx, writer, &directive, &spec, v)?;
            }
        }
    }
    let one_hash = values.len() == 1 && values.get(0).is_some_and(|v| HashRef::from_value(v).is_some());
    if parser.has_unused_arguments() && !one_hash {
        if cx.debug() {
            return Err(cx.argument_error("too many arguments for format string").into());
        }
        if cx.verbose() == Some(true) {
            warning::warn_here(cx, "too many arguments for format string")?;
        }
    }
    Ok(())
}

/// The value that a directive writes.
fn value(cx: &mut Cx, directive: &Directive, values: object::array::Arr, format: Str) -> Result<Value, Failure> {
    let (name, shown) = match &directive.argument {
        Argument::Positional(index) => return Ok(values.get(*index).unwrap_or(Value::NIL)),
        Argument::Named { name, text } => (*name, *text),
    };
    let hash = match values.get(0) {
        Some(v) if values.len() == 1 => convert::try_hash(cx, v)?,
        _ => None,
    };
    let Some(hash) = hash else { return Err(FormatError::OneHashRequired.into()) };
    let ascii = name.is_ascii();
    let key = object::symbol::intern_dynamic(cx, name, if ascii { EncodingId::US_ASCII } else { format.encoding() });
    if let Some(v) = runtime::keys::get(cx, hash.value(), key.value())? {
        return Ok(v);
    }
    let name = object::symbol::table::intern_text(cx, "default");
    let default = call::send(cx, hash.value(), name, &[key.value()])?;
    if default.is_nil() {
        let message = runtime::make::string(cx, &[b"key", shown, b" not found"].concat(), format.encoding());
        return Err(cx.key_error(message, hash.value(), key.value()).into());
    }
    Ok(default)
}

fn write(cx: &mut Cx, writer: &mut Writer, directive: &Directive, spec: &Spec, v: Value) -> Result<(), Failure> {
    match directive.conversion {
        b'c' => write_char(cx, writer, spec, v),
        b's' | b'p' => {
            let shown = if directive.conversion == b'p' { convert::inspect(cx, v)? } else { convert::to_s(cx, v)? };
            write_text(cx, writer, spec, shown)
        }
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            let n = to_integer(cx, v)?;
            let radix = sprintf::radix(directive.conversion);
            if let Some(n) = n.as_fixnum() {
                let (mut buffer, mut long) = ([0; 20], [0; 65]);
                let text = match radix {
                    10 => numeric::digits::decimal(n, &mut buffer),
                    _ => numeric::digits::in_radix(n, radix, &mut long),
                };
                let magnitude = &text[usize::from(n < 0)..];
                let written = sprintf::format_integer(spec, directive.conversion, n < 0, magnitude, &mut writer.out);
                return Ok(written?);
            }
            let (negative, magnitude) = digits(cx, n, radix)?;
            Ok(sprintf::format_integer(spec, directive.conversion, negative, &magnitude, &mut writer.out)?)
        }
        b'f' => write_fixed(cx, writer, spec, v),
        conversion => {
            let f = to_float(cx, v)?;
            Ok(sprintf::format_float(spec, conversion, f, &mut writer.out)?)
        }
    }
}

/// Sign and digits of an Integer.
fn digits(cx: &mut Cx, n: Value, radix: u32) -> R<(bool, Vec<u8>)> {
    let text = match bigint::operand(&n) {
        Some(n) => {
            let weight = long_operation::square_weight(n.magnitude_bits());
            long_operation::run(cx, &[n], weight, move |n, stop| numeric::big::to_s(n[0], radix as i64, stop))?
        }
        None => String::from("0"),
    };
    match text.strip_prefix('-') {
        Some(magnitude) => Ok((true, magnitude.as_bytes().to_vector())),
        None => Ok((false, text.into_bytes())),
    }
}

fn write_char(cx: &mut Cx, writer: &mut Writer, spec: &Spec, v: Value) -> Result<(), Failure> {
    if let Some(s) = convert::try_str(cx, v)? {
        let first = text::encoding::char_len_or_min(s.encoding(), s.bytes(cx));
        let char = Str::of(modify::part(cx, s, 0, first)?);
        return write_text(cx, writer, &Spec { precision: None, ..*spec }, char);
    }
    let code = convert::to_i32(cx, v)?;
    let encoding = writer.encoding;
    let mut char = Vec::new();
    let Ok(number) = u32::try_from(code) else {
        return Err(cx.argument_error("invalid character").into());
    };
    if encoding == text::encoding::EncodingId::US_ASCII && (0x80..=0xFF).contains(&number) {
        // A byte above 0x7F changes the encoding of the result from US-ASCII to BINARY.
        writer.encoding = text::encoding::EncodingId::BINARY;
        writer.ascii = false;
        return Ok(sprintf::format_char(spec, &[number as u8], &mut writer.out)?);
    }
    if encoding.is_single_byte() && number > 0xFF {
        return Err(cx.range_error(&format!("{number} out of char range")).into());
    }
    if text::encoding::encode_codepoint(encoding, number, &mut char).is_err() {
        return Err(cx.argument_error(&format!("invalid codepoint 0x{number:x} in {}", encoding.name())).into());
    }
    writer.ascii &= char.is_ascii();
    Ok(sprintf::format_char(spec, &char, &mut writer.out)?)
}

fn write_text(cx: &mut Cx, writer: &mut Writer, spec: &Spec, s: Str) -> Result<(), Failure> {
    let encoding = s.encoding();
    if encoding != writer.encoding {
        let plain = s.is_ascii() && writer.encoding.is_ascii_compatible();
        if plain || s.is_empty() {
        } else if writer.out.is_empty() || (writer.ascii && encoding.is_ascii_compatible()) {
            writer.encoding = encoding;
        } else {
            return Err(modify::incompatible(cx, writer.encoding, encoding).into());
        }
    }
    writer.ascii &= s.is_ascii();
    let range = s.code_range();
    Ok(sprintf::format_text(spec, encoding, s.bytes(cx), range, &mut writer.out)?)
}

/// The Integer for %d: Strings are converted like by Integer(), Floats and Rationals are truncated.
fn to_integer(cx: &mut Cx, v: Value) -> R {
    if convert::is_integer(v) {
        return Ok(v);
    }
    if let Some(f) = float::get(v) {
        return convert::float_to_integer(cx, f.trunc());
    }
    if let Some(s) = Str::from_value(v) {
        return strict_integer(cx, s);
    }
    if cell::is(v, abi::Type::Rational) {
        let name = object::symbol::table::intern_text(cx, "truncate");
        return call::send(cx, v, name, &[]);
    }
    crate::kernel::conversions::to_integer(cx, v, Value::UNDEF)
}

/// `Integer("…")`
pub fn strict_integer(cx: &mut Cx, s: Str) -> R {
    match text::number::parse_integer_strict(s.bytes(cx), 0) {
        Ok(text) => super::number::integer(cx, text),
        Err(_) => {
            let shown = call::inspect_text(cx, s.value())?;
            Err(cx.argument_error(&format!("invalid value for Integer(): {shown}")))
        }
    }
}

/// The Float for %e etc.; Strings are converted like by Float().
fn to_float(cx: &mut Cx, v: Value) -> R<f64> {
    if let Some(f) = float::get(v) {
        return Ok(f);
    }
    if let Some(s) = Str::from_value(v) {
        return match text::number::parse_float_strict(s.bytes(cx)) {
            Some(f) => Ok(f),
            None => {
                let shown = call::inspect_text(cx, v)?;
                Err(cx.argument_error(&format!("invalid value for Float(): {shown}")))
            }
        };
    }
    if v.is_nil() {
        return Err(cx.type_error("can't convert nil into Float"));
    }
    if !class::is_known(cx, v, Known::Numeric)
        && let Some(f) = call::send_if_responds(cx, v, sym::TO_F, &[])?
        && let Some(f) = float::get(f)
    {
        return Ok(f);
    }
    convert::to_f64(cx, v)
}

/// %f: Integers and Rationals are formatted exactly.
fn write_fixed(cx: &mut Cx, writer: &mut Writer, spec: &Spec, v: Value) -> Result<(), Failure> {
    if convert::is_integer(v) {
        let (negative, digits) = digits(cx, v, 10)?;
        return Ok(sprintf::format_fixed(spec, negative, &digits, false, &mut writer.out)?);
    }
    if cell::is(v, abi::Type::Rational) {
        let precision = spec.precision.unwrap_or(6);
        let power = call::send(cx, Value::fixnum(10), sym::POWER, &[Value::fixnum(precision as i64)])?;
        let name = object::symbol::table::intern_text(cx, "round");
        let absolute = call::send(cx, v, sym::ABS, &[])?;
        let scaled = call::send(cx, absolute, sym::TIMES, &[power])?;
        let rounded = call::send(cx, scaled, name, &[])?;
        let negative = call::send(cx, v, sym::LESS, &[Value::fixnum(0)])?.truthy();
        let (_, digits) = digits(cx, rounded, 10)?;
        return Ok(sprintf::format_fixed(spec, negative, &digits, true, &mut writer.out)?);
    }
    let f = to_float(cx, v)?;
    // Whole numbers of many digits, whose exact text takes less time as that of an Integer.
    const LARGE: f64 = (1_u128 << 64) as f64;
    if f.is_finite()
        && f.abs() >= LARGE
        && !spec.flags.sharp
        && let Ok(whole) = numeric::big::from_f64(f.abs())
    {
        let digits = numeric::big::to_s(whole.as_int(), 10, &mut numeric::big::never).unwrap_or_default();
        return Ok(sprintf::format_fixed(spec, f < 0.0, digits.as_bytes(), false, &mut writer.out)?);
    }
    Ok(sprintf::format_float(spec, b'f', f, &mut writer.out)?)
}

/// `format(pattern, *values)`, `sprintf(pattern, *values) → string`: of Kernel; the pattern with its directives
/// replaced by the values. ArgumentError for too few values and unknown directives, KeyError for a missing name. Ruby:
/// doc/language/format_specifications.rdoc.
pub fn kernel_format(cx: &mut Cx, args: Args) -> R {
    format_arguments(cx, args.all())
}

/// The first argument, a format, filled with the others.
pub fn format_arguments(cx: &mut Cx, arguments: &[Value]) -> R {
    let Some((format_string, rest)) = arguments.split_first() else {
        return Err(cx.argument_error("too few arguments"));
    };
    let format_string = modify::argument(cx, *format_string)?;
    let values = object::array::Arr::new(cx, rest).or_raise(cx)?;
    format(cx, format_string, values)
}

//! The exceptions of conversions, and their data.

use object::{Known, Sym, shape::ivars, symbol};
use runtime::{
    Args, Cx, Method, R, Unwind, Value, define,
    error::{self, ErrorClass},
    make,
};
use text::{
    EncodingId,
    transcode::{ErrorInfo, ErrorKind},
};

use super::names::{name_string, object};

/// Encoding::ConverterNotFoundError "code converter not found (x to y)".
#[cold]
pub fn converter_not_found(cx: &mut Cx, description: &[u8]) -> Unwind {
    let shown = memory::lossy_text(description);
    cx.raise(ErrorClass::ConverterNotFoundError, &format!("code converter not found ({shown})"))
}

/// The exception for an error of a conversion.
pub fn exception(cx: &mut Cx, info: &ErrorInfo, message: &str) -> Value {
    let kind = match info.kind {
        ErrorKind::UndefinedConversion => ErrorClass::UndefinedConversionError,
        _ => ErrorClass::InvalidByteSequenceError,
    };
    let class = cx.error_class(kind);
    let message = make::text(cx, message);
    let exception = error::new_exception(cx, class, message);
    let source = text::encoding::find(info.source.as_bytes());
    set_encoding(cx, exception, "__source_encoding_name", "__source_encoding", (info.source, source));
    let destination = text::encoding::find(info.destination.as_bytes());
    let destination = (info.destination, destination);
    set_encoding(cx, exception, "__destination_encoding_name", "__destination_encoding", destination);
    let source = source.unwrap_or(EncodingId::BINARY);
    if info.kind == ErrorKind::UndefinedConversion {
        let char = make::string(cx, &info.error_bytes, source);
        set(cx, exception, "__error_char", char);
    } else {
        let bytes = make::string(cx, &info.error_bytes, EncodingId::BINARY);
        set(cx, exception, "__error_bytes", bytes);
        let bytes = match info.kind {
            ErrorKind::IncompleteInput => Value::NIL,
            _ => make::string(cx, &info.readagain_bytes, EncodingId::BINARY),
        };
        set(cx, exception, "__readagain_bytes", bytes);
        set(cx, exception, "__incomplete", Value::bool(info.kind == ErrorKind::IncompleteInput));
    }
    exception
}

fn set_encoding(
    cx: &mut Cx,
    exception: Value,
    name_variable: &str,
    variable: &str,
    (name, encoding): (&str, Option<EncodingId>),
) {
    let name = name_string(cx, name);
    set(cx, exception, name_variable, name);
    if let Some(id) = encoding {
        let encoding = object(cx, id);
        set(cx, exception, variable, encoding);
    }
}

fn set(cx: &mut Cx, exception: Value, name: &str, v: Value) {
    let name = symbol::table::intern_text(cx, name);
    ivars::set_hidden(cx, exception, name, v);
}

/// Raises the exception for an error of a conversion.
#[cold]
pub fn conversion(cx: &mut Cx, info: &ErrorInfo, message: &str) -> Unwind {
    let exception = exception(cx, info, message);
    error::raise_exception(cx, exception)
}

fn get(cx: &mut Cx, args: Args, name: &str) -> R {
    let name: Sym = symbol::table::intern_text(cx, name);
    let v = ivars::get(cx, args.me(), name);
    Ok(if v.is_undef() { Value::NIL } else { v })
}

macro_rules! readers {
    ($($(#[$documentation:meta])* $function:ident $name:literal;)*) => {$(
        $(#[$documentation])*
        fn $function(cx: &mut Cx, args: Args) -> R {
            get(cx, args, $name)
        }
    )*};
}

readers! {
    /// `source_encoding_name → string`: the source encoding of the failing step, which may be part of a longer
    /// conversion.
    source_encoding_name "__source_encoding_name";
    /// `destination_encoding_name → string`: the destination encoding of the failing step.
    destination_encoding_name "__destination_encoding_name";
    /// `source_encoding → encoding or nil`: the source encoding of the failing step; nil if it has no Encoding object.
    source_encoding "__source_encoding";
    /// `destination_encoding → encoding or nil`: the destination encoding of the failing step; nil if it has no
    /// Encoding object.
    destination_encoding "__destination_encoding";
    /// `error_char → string`: the character that the other encoding cannot represent, in the source encoding.
    error_char "__error_char";
    /// `error_bytes → string`: the invalid bytes, BINARY.
    error_bytes "__error_bytes";
    /// `readagain_bytes → string`: the bytes after the error that were read to detect it and are converted again,
    /// BINARY.
    readagain_bytes "__readagain_bytes";
    /// `incomplete_input? → true or false`: whether the input ended within a character.
    is_incomplete "__incomplete";
}

const UNDEFINED: &[Method] = &[
    Method::new("source_encoding_name", source_encoding_name),
    Method::new("destination_encoding_name", destination_encoding_name),
    Method::new("source_encoding", source_encoding),
    Method::new("destination_encoding", destination_encoding),
    Method::new("error_char", error_char),
];

const INVALID: &[Method] = &[
    Method::new("source_encoding_name", source_encoding_name),
    Method::new("destination_encoding_name", destination_encoding_name),
    Method::new("source_encoding", source_encoding),
    Method::new("destination_encoding", destination_encoding),
    Method::new("error_bytes", error_bytes),
    Method::new("readagain_bytes", readagain_bytes),
    Method::new("incomplete_input?", is_incomplete),
];

/// Fills the exception classes.
pub fn define(cx: &mut Cx) {
    debug_assert!(!cx.class(Known::Encoding).is_nil());
    let class = cx.error_class(ErrorClass::UndefinedConversionError);
    define::define_methods(cx, class, UNDEFINED);
    let class = cx.error_class(ErrorClass::InvalidByteSequenceError);
    define::define_methods(cx, class, INVALID);
}

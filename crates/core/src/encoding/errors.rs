//! The exceptions of conversions, and their data.

use object::{Known, Sym, shape::ivars};
use runtime::{
    Args, Cx, Method, R, Unwind, Value, define,
    error::{self, ErrorClass},
    make, sym,
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
    let destination = text::encoding::find(info.destination.as_bytes());
    // Marshal dumps the fields in this order.
    if info.kind == ErrorKind::UndefinedConversion {
        let char = make::string(cx, &info.error_bytes, source.unwrap_or(EncodingId::BINARY));
        ivars::set_hidden(cx, exception, sym::MEMO_ERROR_CHAR, char);
    } else {
        let bytes = make::string(cx, &info.error_bytes, EncodingId::BINARY);
        ivars::set_hidden(cx, exception, sym::MEMO_ERROR_BYTES, bytes);
        let bytes = match info.readagain_bytes.is_empty() {
            true => Value::NIL,
            false => make::string(cx, &info.readagain_bytes, EncodingId::BINARY),
        };
        ivars::set_hidden(cx, exception, sym::MEMO_READAGAIN_BYTES, bytes);
        let is_incomplete = Value::bool(info.kind == ErrorKind::IncompleteInput);
        ivars::set_hidden(cx, exception, sym::MEMO_INCOMPLETE, is_incomplete);
    }
    let names =
        [(sym::MEMO_SOURCE_ENCODING_NAME, info.source), (sym::MEMO_DESTINATION_ENCODING_NAME, info.destination)];
    for (field, name) in names {
        let name = name_string(cx, name);
        ivars::set_hidden(cx, exception, field, name);
    }
    for (field, id) in [(sym::MEMO_SOURCE_ENCODING, source), (sym::MEMO_DESTINATION_ENCODING, destination)] {
        if let Some(id) = id {
            let encoding = object(cx, id);
            ivars::set_hidden(cx, exception, field, encoding);
        }
    }
    exception
}

/// Raises the exception for an error of a conversion.
#[cold]
pub fn conversion(cx: &mut Cx, info: &ErrorInfo, message: &str) -> Unwind {
    let exception = exception(cx, info, message);
    error::raise_exception(cx, exception)
}

fn get(cx: &mut Cx, args: Args, name: Sym) -> R {
    let v = ivars::get(cx, args.me(), name);
    Ok(if v.is_undef() { Value::NIL } else { v })
}

macro_rules! readers {
    ($($(#[$documentation:meta])* $function:ident $name:ident;)*) => {$(
        $(#[$documentation])*
        fn $function(cx: &mut Cx, args: Args) -> R {
            get(cx, args, sym::$name)
        }
    )*};
}

readers! {
    /// `source_encoding_name → string`: the source encoding of the failing step, which may be part of a longer
    /// conversion.
    source_encoding_name MEMO_SOURCE_ENCODING_NAME;
    /// `destination_encoding_name → string`: the destination encoding of the failing step.
    destination_encoding_name MEMO_DESTINATION_ENCODING_NAME;
    /// `source_encoding → encoding or nil`: the source encoding of the failing step; nil if it has no Encoding object.
    source_encoding MEMO_SOURCE_ENCODING;
    /// `destination_encoding → encoding or nil`: the destination encoding of the failing step; nil if it has no
    /// Encoding object.
    destination_encoding MEMO_DESTINATION_ENCODING;
    /// `error_char → string`: the character that the other encoding cannot represent, in the source encoding.
    error_char MEMO_ERROR_CHAR;
    /// `error_bytes → string`: the invalid bytes, BINARY.
    error_bytes MEMO_ERROR_BYTES;
    /// `readagain_bytes → string`: the bytes after the error that were read to detect it and are converted again,
    /// BINARY; nil if there are none.
    readagain_bytes MEMO_READAGAIN_BYTES;
    /// `incomplete_input? → true or false`: whether the input ended within a character.
    is_incomplete MEMO_INCOMPLETE;
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

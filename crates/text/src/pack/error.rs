//! Errors in a format or in the data.

use super::Mode;
use crate::encoding::EncodingId;
use crate::inspect::escape_unprintable;

/// The reason why packing or unpacking failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PackError {
    UnknownDirective(Mode, u8),
    UnknownAlignment(u8),
    MissingAlignment,
    EndianAlignment,
    InvalidAlignment,
    /// `_` or `!` after a letter without a native size.
    NativeNotAllowed(u8),
    /// `<` or `>` after a letter without a byte order.
    EndianNotAllowed(u8),
    BothEndians,
    LengthTooBig,
    PercentNotSupported,
    TooFewArguments,
    XOutside,
    ForwardOutside,
    AtOutside,
    OffsetOutside,
    Utf8OutOfRange,
    MalformedUtf8,
    /// Bytes expected and given.
    TruncatedUtf8(usize, usize),
    RedundantUtf8,
    NegativeBer,
    NegativeLeb128,
    InvalidBase64,
    /// NoMemoryError.
    NoMemory,
}

impl PackError {
    /// Whether it raises RangeError; otherwise ArgumentError.
    pub fn is_range_error(&self) -> bool {
        use PackError::*;
        matches!(self, BothEndians | LengthTooBig | Utf8OutOfRange | InvalidAlignment)
    }

    /// Ruby's message; `format` is the whole format.
    pub fn message(&self, format: &[u8]) -> String {
        use PackError::*;
        const NATIVE: &str = "sSiIlLqQjJ";
        let text = match self {
            UnknownDirective(Mode::Pack, byte) => return unknown("pack", *byte, format),
            UnknownDirective(Mode::Unpack, byte) => return unknown("unpack", *byte, format),
            UnknownAlignment(byte) => return unknown("alignment", *byte, format),
            NativeNotAllowed(byte) | EndianNotAllowed(byte) => {
                return format!("'{}' allowed only after types {NATIVE}", char::from(*byte));
            }
            TruncatedUtf8(expected, given) => {
                return format!("malformed UTF-8 character (expected {expected} bytes, given {given} bytes)");
            }
            MissingAlignment => "missing alignment",
            EndianAlignment => "endian modifier is not allowed for alignment",
            InvalidAlignment => "invalid alignment",
            BothEndians => "Can't use both '<' and '>'",
            LengthTooBig => "pack length too big",
            PercentNotSupported => "% is not supported",
            TooFewArguments => "too few arguments",
            XOutside => "X outside of string",
            ForwardOutside => "x outside of string",
            AtOutside => "@ outside of string",
            OffsetOutside => "offset outside of string",
            Utf8OutOfRange => "pack(U): value out of range",
            MalformedUtf8 => "malformed UTF-8 character",
            RedundantUtf8 => "redundant UTF-8 sequence",
            NegativeBer => "can't compress negative numbers",
            NegativeLeb128 => "can't encode negative numbers in ULEB128",
            InvalidBase64 => "invalid base64",
            NoMemory => "failed to allocate memory",
        };
        text.to_owned()
    }
}

fn unknown(what: &str, byte: u8, format: &[u8]) -> String {
    let letter = match byte {
        0x20..=0x7E => char::from(byte).to_string(),
        _ => format!("\\x{byte:02x}"),
    };
    let shown = match std::str::from_utf8(format) {
        Ok(text) if !text.chars().any(char::is_control) => text.to_owned(),
        _ => {
            let mut escaped = Vec::new();
            escape_unprintable(EncodingId::UTF_8, format, &mut escaped);
            memory::lossy_text(&escaped)
        }
    };
    format!("unknown {what} directive '{letter}' in '{shown}'")
}

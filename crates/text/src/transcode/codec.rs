//! The steps of a conversion.

use super::emoji;
use super::iso2022::Iso2022;
use super::shape::{Shape, shape};
use super::unicode::{self, ByteOrder};
use super::utf8_mac::{Composer, decompose};
use super::{charset, japanese, run, single_byte};
use crate::encoding::EncodingId;
use memory::Grow;

/// The result of a step at the start of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// This many bytes were consumed; the output, if any, is appended.
    Done(usize),
    /// This many bytes are invalid, and the second number of bytes after them was read to detect it.
    Invalid(usize, usize),
    /// This many bytes are a character that the destination lacks.
    Undefined(usize),
    /// More input is needed.
    NeedMore,
}

/// The line endings that a decorator writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Newline {
    CrLf,
    Cr,
}

/// A step.
#[derive(Clone, Debug)]
pub(super) enum Codec {
    /// Any character set to UTF-8.
    Decode(EncodingId),
    /// UTF-8 to any character set.
    Encode(EncodingId),
    /// UTF-16 or UTF-32 with a byte order mark to UTF-8; the unit's size, and the byte order once known.
    DecodeMarked(usize, Option<ByteOrder>),
    /// UTF-8 to UTF-16 or UTF-32 with a byte order mark; the encoding to write, and whether the mark was written.
    EncodeMarked(EncodingId, bool),
    /// Between EBCDIC and ISO-8859-1.
    EbcdicToLatin1,
    Latin1ToEbcdic,
    EucJpToShiftJis,
    ShiftJisToEucJp,
    EucJpToStateless,
    StatelessToEucJp,
    Iso2022(Iso2022),
    ComposeMac(Composer),
    DecomposeMac,
    /// Between variants of UTF-8 with different emoji.
    Emoji(emoji::Exchange),
    /// Whether a carriage return is pending.
    UniversalNewline(bool),
    Newline(Newline),
    XmlText,
    Ampersand,
    XmlAttribute,
    /// Whether the opening quote was written.
    XmlQuote(bool),
}

impl Codec {
    /// Converts the start of `input`, which is not empty; `ends` if nothing follows it.
    pub(super) fn unit(&mut self, input: &[u8], ends: bool, out: &mut Vec<u8>) -> Unit {
        match self {
            Codec::Decode(encoding) => decode(*encoding, input, ends, out),
            Codec::Encode(encoding) => encode(input, |char| charset::encode(*encoding, char, out)),
            Codec::DecodeMarked(size, order) => unicode::decode_marked(*size, order, input, ends, out),
            Codec::EncodeMarked(encoding, marked) => encode(input, |char| {
                if !std::mem::replace(marked, true) {
                    charset::encode(*encoding, '\u{FEFF}', out);
                }
                charset::encode(*encoding, char, out)
            }),
            Codec::EbcdicToLatin1 => {
                let char = single_byte::decode_byte(EncodingId::IBM037, input[0]);
                map_byte(char.and_then(|char| u8::try_from(char as u32).ok()), out)
            }
            Codec::Latin1ToEbcdic => map_byte(single_byte::encode_byte(EncodingId::IBM037, char::from(input[0])), out),
            Codec::EucJpToShiftJis => japanese::euc_jp_to_shift_jis(input, out),
            Codec::ShiftJisToEucJp => japanese::shift_jis_to_euc_jp(input, out),
            Codec::EucJpToStateless => japanese::euc_jp_to_stateless(input, out),
            Codec::StatelessToEucJp => japanese::stateless_to_euc_jp(input, out),
            Codec::Iso2022(state) => state.unit(input, out),
            Codec::ComposeMac(composer) => composer.unit(input, out),
            Codec::DecomposeMac => decompose(input, out),
            Codec::Emoji(exchange) => exchange.unit(input, out),
            Codec::UniversalNewline(pending) => universal_newline(pending, input[0], out),
            Codec::Newline(newline) => {
                match (input[0], newline) {
                    (b'\n', Newline::CrLf) => out.append_slice(b"\r\n"),
                    (b'\n', Newline::Cr) => out.append_one(b'\r'),
                    (byte, _) => out.append_one(byte),
                }
                Unit::Done(1)
            }
            Codec::XmlText => escape(input[0], false, out),
            Codec::Ampersand => {
                out.append_slice(if input[0] == b'&' { b"&amp;" } else { &input[..1] });
                Unit::Done(1)
            }
            Codec::XmlAttribute => escape(input[0], true, out),
            Codec::XmlQuote(open) => {
                if !std::mem::replace(open, true) {
                    out.append_one(b'"');
                }
                out.append_one(input[0]);
                Unit::Done(1)
            }
        }
    }

    /// Converts mapped characters at the start of `input`, perhaps not all; returns the length of these.
    pub(super) fn run(&mut self, input: &[u8], out: &mut Vec<u8>) -> usize {
        match self {
            Codec::Decode(encoding) => run::decode(*encoding, input, out),
            Codec::Encode(encoding) => run::encode(*encoding, input, out),
            _ => 0,
        }
    }

    /// Appends the pending output at the end of the input.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        match self {
            Codec::Iso2022(state) => state.finish(out),
            Codec::ComposeMac(composer) => composer.finish(out),
            Codec::UniversalNewline(pending) => {
                out.append_from(std::mem::take(pending).then_some(b'\n'));
            }
            Codec::XmlQuote(open) => {
                out.append_slice(if std::mem::take(open) { &b"\""[..] } else { b"\"\"" });
            }
            _ => {}
        }
    }

    /// Whether bytes below 0x80 are ASCII on both sides and map to themselves, so that runs of them are copied.
    pub(super) fn copies_ascii(&self) -> bool {
        match self {
            Codec::Decode(encoding) | Codec::Encode(encoding) => encoding.is_ascii_compatible(),
            Codec::EucJpToShiftJis | Codec::ShiftJisToEucJp | Codec::DecomposeMac => true,
            _ => false,
        }
    }
}

fn map_byte(byte: Option<u8>, out: &mut Vec<u8>) -> Unit {
    out.append_from(byte);
    if byte.is_some() { Unit::Done(1) } else { Unit::Undefined(1) }
}

fn decode(encoding: EncodingId, input: &[u8], ends: bool, out: &mut Vec<u8>) -> Unit {
    use ByteOrder::{Big, Little};
    let len = match encoding {
        EncodingId::UTF_16BE => unicode::utf16(Big, input, ends),
        EncodingId::UTF_16LE => unicode::utf16(Little, input, ends),
        EncodingId::UTF_32BE => unicode::utf32(Big, input, ends),
        EncodingId::UTF_32LE => unicode::utf32(Little, input, ends),
        _ => unit_shape(encoding, input),
    };
    let len = match len {
        Ok(len) => len,
        Err(unit) => return unit,
    };
    if charset::decode(encoding, &input[..len], out) { Unit::Done(len) } else { Unit::Undefined(len) }
}

/// The length of the character that starts the input of a byte-oriented encoding, or why there is none.
pub(super) fn unit_shape(encoding: EncodingId, input: &[u8]) -> Result<usize, Unit> {
    match shape(encoding, input) {
        Shape::Complete(len) => Ok(len),
        Shape::NeedMore => Err(Unit::NeedMore),
        Shape::Spoilt(1) => Err(Unit::Invalid(1, 0)),
        Shape::Spoilt(len) => Err(Unit::Invalid(len - 1, 1)),
    }
}

/// Reads a character of UTF-8 and passes it to `write`, which returns whether it could write it.
fn encode(input: &[u8], write: impl FnOnce(char) -> bool) -> Unit {
    let len = match unit_shape(EncodingId::UTF_8, input) {
        Ok(len) => len,
        Err(unit) => return unit,
    };
    let char = std::str::from_utf8(&input[..len]).ok().and_then(|text| text.chars().next());
    match char {
        Some(char) if write(char) => Unit::Done(len),
        _ => Unit::Undefined(len),
    }
}

fn universal_newline(pending: &mut bool, byte: u8, out: &mut Vec<u8>) -> Unit {
    let after_return = std::mem::replace(pending, byte == b'\r');
    match byte {
        b'\n' => out.append_one(b'\n'),
        _ => {
            if after_return {
                out.append_one(b'\n');
            }
            if byte != b'\r' {
                out.append_one(byte);
            }
        }
    }
    Unit::Done(1)
}

fn escape(byte: u8, quotes: bool, out: &mut Vec<u8>) -> Unit {
    match byte {
        b'&' => out.append_slice(b"&amp;"),
        b'<' => out.append_slice(b"&lt;"),
        b'>' => out.append_slice(b"&gt;"),
        b'"' if quotes => out.append_slice(b"&quot;"),
        b'\'' if quotes => out.append_slice(b"&apos;"),
        _ => out.append_one(byte),
    }
    Unit::Done(1)
}

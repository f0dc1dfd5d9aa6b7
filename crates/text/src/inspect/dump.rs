//! String#dump and String#undump.

use super::escape::{control_letter, push_byte_escape, push_code_escape};
use crate::encoding::{self, EncodingId, codepoint, encode_codepoint};
use memory::Grow;

/// An upper bound for the bytes of an escaped character, and for those of the end.
const LONGEST_PIECE: usize = 64;

/// Appends `String#dump`, which is ASCII only. The result keeps the encoding of the string, or BINARY if that is not
/// ASCII compatible.
pub fn dump(encoding: EncodingId, bytes: &[u8], out: &mut Vec<u8>) {
    memory::reserve(out, bytes.len() + LONGEST_PIECE);
    out.append_one(b'"');
    let mut rest = bytes;
    while let [byte, tail @ ..] = rest {
        memory::reserve(out, LONGEST_PIECE);
        let here = rest;
        rest = tail;
        match *byte {
            b'"' | b'\\' => out.append_from([b'\\', *byte]),
            b'#' if matches!(tail.first(), Some(b'$' | b'@' | b'{')) => out.append_slice(b"\\#"),
            0x20..=0x7E => out.append_one(*byte),
            _ => {
                if let Some(letter) = control_letter(u32::from(*byte)) {
                    out.append_from([b'\\', letter]);
                    continue;
                }
                match codepoint(encoding, here) {
                    Some((code, len)) if encoding == EncodingId::UTF_8 && code > 0x7F => {
                        push_code_escape(encoding, code, out);
                        rest = &here[len..];
                    }
                    _ => push_byte_escape(*byte, out),
                }
            }
        }
    }
    out.append_one(b'"');
    if !encoding.is_ascii_compatible() {
        out.append_slice(b".dup.force_encoding(\"");
        out.append_slice(encoding.name().as_bytes());
        out.append_slice(b"\")");
    }
}

/// The string that a dump represents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undumped {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its encoding.
    pub encoding: EncodingId,
}

/// Why a string is not a dump; [`UndumpError::message`] is Ruby's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UndumpError {
    /// Encoding::CompatibilityError "ASCII incompatible encoding: %s".
    NotAsciiCompatible,
    NonAscii,
    NullByte,
    InvalidFormat,
    Unterminated,
    UnicodeWithForceEncoding,
    UnknownEncoding,
    InvalidEscape,
    MixedEscapes,
    InvalidUnicodeEscape,
    UnterminatedUnicodeEscape,
    CodepointTooLarge,
    InvalidCodepoint,
    InvalidHexEscape,
}

impl UndumpError {
    /// The message of the RuntimeError.
    pub fn message(self) -> &'static str {
        match self {
            UndumpError::NotAsciiCompatible => "ASCII incompatible encoding",
            UndumpError::NonAscii => "non-ASCII character detected",
            UndumpError::NullByte => "string contains null byte",
            UndumpError::InvalidFormat => {
                "invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form"
            }
            UndumpError::Unterminated => "unterminated dumped string",
            UndumpError::UnicodeWithForceEncoding => "dumped string contained Unicode escape but used force_encoding",
            UndumpError::UnknownEncoding => "dumped string has unknown encoding name",
            UndumpError::InvalidEscape => "invalid escape",
            UndumpError::MixedEscapes => "hex escape and Unicode escape are mixed",
            UndumpError::InvalidUnicodeEscape => "invalid Unicode escape",
            UndumpError::UnterminatedUnicodeEscape => "unterminated Unicode escape",
            UndumpError::CodepointTooLarge => "invalid Unicode codepoint (too large)",
            UndumpError::InvalidCodepoint => "invalid Unicode codepoint",
            UndumpError::InvalidHexEscape => "invalid hex escape",
        }
    }
}

/// `String#undump`.
pub fn undump(encoding: EncodingId, bytes: &[u8]) -> Result<Undumped, UndumpError> {
    if !encoding.is_ascii_compatible() {
        return Err(UndumpError::NotAsciiCompatible);
    }
    if !bytes.is_ascii() {
        return Err(UndumpError::NonAscii);
    }
    if bytes.contains(&0) {
        return Err(UndumpError::NullByte);
    }
    let [b'"', rest @ ..] = bytes else {
        return Err(UndumpError::InvalidFormat);
    };
    if rest.is_empty() {
        return Err(UndumpError::InvalidFormat);
    }
    let mut reader = Reader { rest, out: Vec::new(), encoding, unicode: false, binary: false };
    loop {
        match reader.rest {
            [] => return Err(UndumpError::Unterminated),
            [b'"', suffix @ ..] => {
                reader.rest = suffix;
                break;
            }
            [b'\\', escaped @ ..] => {
                reader.rest = escaped;
                reader.escape()?;
            }
            [byte, tail @ ..] => {
                reader.out.append_one(*byte);
                reader.rest = tail;
            }
        }
    }
    if !reader.rest.is_empty() {
        reader.encoding = reader.forced_encoding()?;
    }
    Ok(Undumped { bytes: reader.out, encoding: reader.encoding })
}

struct Reader<'a> {
    rest: &'a [u8],
    out: Vec<u8>,
    encoding: EncodingId,
    unicode: bool,
    binary: bool,
}

impl Reader<'_> {
    fn escape(&mut self) -> Result<(), UndumpError> {
        let [letter, rest @ ..] = self.rest else {
            return Err(UndumpError::InvalidEscape);
        };
        self.rest = rest;
        match letter {
            b'\\' | b'"' | b'#' => self.out.append_one(*letter),
            b'n' => self.out.append_one(b'\n'),
            b'r' => self.out.append_one(b'\r'),
            b't' => self.out.append_one(b'\t'),
            b'f' => self.out.append_one(0x0C),
            b'v' => self.out.append_one(0x0B),
            b'b' => self.out.append_one(0x08),
            b'a' => self.out.append_one(0x07),
            b'e' => self.out.append_one(0x1B),
            b'u' => return self.unicode_escape(),
            b'x' => return self.hex_escape(),
            other => self.out.append_from([b'\\', *other]),
        }
        Ok(())
    }

    fn hex_escape(&mut self) -> Result<(), UndumpError> {
        let (value, 2) = self.hex_digits(2) else {
            return Err(UndumpError::InvalidHexEscape);
        };
        if value > 0x7F {
            if self.unicode {
                return Err(UndumpError::MixedEscapes);
            }
            self.binary = true;
        }
        self.out.append_one(value as u8);
        Ok(())
    }

    fn unicode_escape(&mut self) -> Result<(), UndumpError> {
        if self.binary {
            return Err(UndumpError::MixedEscapes);
        }
        self.unicode = true;
        let Some(first) = self.rest.first() else {
            return Err(UndumpError::InvalidUnicodeEscape);
        };
        self.encoding = EncodingId::UTF_8;
        if *first != b'{' {
            let (code, 4) = self.hex_digits(4) else {
                return Err(UndumpError::InvalidUnicodeEscape);
            };
            return self.push(code);
        }
        self.rest = &self.rest[1..];
        loop {
            match self.rest {
                [] => return Err(UndumpError::UnterminatedUnicodeEscape),
                [b'}', tail @ ..] => {
                    self.rest = tail;
                    return Ok(());
                }
                [b' ' | 0x09..=0x0D, tail @ ..] => self.rest = tail,
                _ => {
                    let (code, 1..=6) = self.hex_digits(usize::MAX) else {
                        return Err(UndumpError::InvalidUnicodeEscape);
                    };
                    self.push(code)?;
                }
            }
        }
    }

    fn push(&mut self, code: u32) -> Result<(), UndumpError> {
        if code > 0x10FFFF {
            return Err(UndumpError::CodepointTooLarge);
        }
        encode_codepoint(EncodingId::UTF_8, code, &mut self.out).map_err(|_| UndumpError::InvalidCodepoint)
    }

    /// Reads at most `most` hex digits; returns their value (saturated) and count.
    fn hex_digits(&mut self, most: usize) -> (u32, usize) {
        let (mut value, mut count) = (0u32, 0);
        while let [byte, tail @ ..] = self.rest {
            match char::from(*byte).to_digit(16) {
                Some(digit) if count < most => {
                    value = value.saturating_mul(16).saturating_add(digit);
                    count += 1;
                    self.rest = tail;
                }
                _ => break,
            }
        }
        (value, count)
    }

    fn forced_encoding(&self) -> Result<EncodingId, UndumpError> {
        let suffix = self.rest.strip_prefix(b".dup").unwrap_or(self.rest);
        let name = suffix.strip_prefix(b".force_encoding(\"").ok_or(UndumpError::InvalidFormat)?;
        if name.is_empty() {
            return Err(UndumpError::InvalidFormat);
        }
        if self.unicode {
            return Err(UndumpError::UnicodeWithForceEncoding);
        }
        let end = name.iter().position(|&b| b == b'"').ok_or(UndumpError::InvalidFormat)?;
        if &name[end..] != b"\")" {
            return Err(UndumpError::InvalidFormat);
        }
        encoding::find(&name[..end]).ok_or(UndumpError::UnknownEncoding)
    }
}

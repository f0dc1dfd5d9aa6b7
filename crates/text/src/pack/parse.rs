//! Reading a format, one directive at a time.

use super::PackError;

/// Which method reads the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Mode {
    Pack,
    Unpack,
}

/// The count after a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Nothing.
    None,
    /// `*`
    Star,
    /// A number.
    Number(usize),
}

/// The kind of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    /// `c C s S i I l L q Q j J n N v V`; size in bytes.
    Integer { size: usize, signed: bool, big_endian: bool },
    /// `f F e g`, `d D E G`.
    Float { double: bool, big_endian: bool },
    /// `a`, `A`, `Z`.
    Text(u8),
    /// `b B`.
    Bits { high_first: bool },
    /// `h H`.
    Hex { high_first: bool },
    /// `U`
    Utf8,
    /// `w`
    Ber,
    /// `r R`
    Leb128 { signed: bool },
    /// `u`
    Uu,
    /// `m`
    Base64,
    /// `M`
    QuotedPrintable,
    /// `p`; `P` points to a structure of that many bytes.
    Pointer { structure: bool },
    /// `x`
    Forward,
    /// `X`
    Back,
    /// `@`
    Absolute,
    /// `x!` and `@!`: skip to the next multiple, counted from where packing began or from the start.
    Align { size: usize, from_start: bool },
    /// `^`: the position, when unpacking.
    Position,
}

/// One directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its kind.
    pub kind: Kind,
    /// The repetition count or length.
    pub count: Count,
}

/// The encoding that the result of `pack` gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ResultEncoding {
    UsAscii,
    Utf8,
    Binary,
}

/// Reads a format.
#[derive(Clone, Debug)]
pub struct Parser<'a> {
    mode: Mode,
    rest: &'a [u8],
    encoding: ResultEncoding,
}

const LITTLE: bool = cfg!(target_endian = "little");

impl<'a> Parser<'a> {
    /// A reader of `format`.
    pub fn new(mode: Mode, format: &'a [u8]) -> Parser<'a> {
        Parser { mode, rest: format, encoding: ResultEncoding::UsAscii }
    }

    /// The encoding of the result according to the directives read so far.
    pub fn encoding(&self) -> ResultEncoding {
        self.encoding
    }

    /// The next directive; `None` at the end.
    pub fn next_directive(&mut self) -> Result<Option<Directive>, PackError> {
        let letter = loop {
            match self.rest {
                [] => return Ok(None),
                [b' ' | 0x09..=0x0D, rest @ ..] => self.rest = rest,
                [b'#', rest @ ..] => {
                    let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
                    self.rest = &rest[end..];
                }
                [letter, rest @ ..] => {
                    self.rest = rest;
                    break *letter;
                }
            }
        };
        let is_followed = matches!(self.rest.first(), Some(b'_' | b'!' | b'<' | b'>' | b'*' | b'0'..=b'9'));
        if !is_followed && letter != b'@' {
            let kind = self.kind(letter, false, None)?;
            self.note(letter);
            return Ok(Some(Directive { kind, count: Count::None }));
        }
        if matches!(letter, b'x' | b'@') && self.rest.first() == Some(&b'!') {
            self.rest = &self.rest[1..];
            let kind = Kind::Align { size: self.alignment()?, from_start: letter == b'@' };
            return Ok(Some(Directive { kind, count: Count::None }));
        }
        let (native, endian) = self.modifiers(letter)?;
        let mut count = self.count()?;
        if letter == b'@' && count == Count::None && self.rest.is_empty() {
            // At the end of a format Ruby treats a lone `@` as `@1`, elsewhere as `@0` when unpacking.
            count = Count::Number(1);
        }
        let kind = self.kind(letter, native, endian)?;
        self.note(letter);
        Ok(Some(Directive { kind, count }))
    }

    fn note(&mut self, letter: u8) {
        self.encoding = match (letter, self.encoding) {
            (b'U', ResultEncoding::UsAscii) => ResultEncoding::Utf8,
            (b'U' | b'm' | b'M' | b'u', encoding) => encoding,
            _ => ResultEncoding::Binary,
        };
    }

    /// Whether sizes are native, and whether the byte order is big-endian, if specified.
    fn modifiers(&mut self, letter: u8) -> Result<(bool, Option<bool>), PackError> {
        let sized = b"sSiIlLqQjJ".contains(&letter);
        let (mut native, mut endian) = (false, None);
        loop {
            match self.rest.first() {
                Some(&byte @ (b'_' | b'!')) if !sized => {
                    return Err(PackError::NativeNotAllowed(byte));
                }
                Some(b'_' | b'!') => native = true,
                Some(&byte @ (b'<' | b'>')) if !sized => {
                    return Err(PackError::EndianNotAllowed(byte));
                }
                Some(b'<' | b'>') if endian.is_some() => return Err(PackError::BothEndians),
                Some(byte @ (b'<' | b'>')) => endian = Some(*byte == b'>'),
                _ => return Ok((native, endian)),
            }
            self.rest = &self.rest[1..];
        }
    }

    fn count(&mut self) -> Result<Count, PackError> {
        match self.rest.first() {
            Some(b'*') => {
                self.rest = &self.rest[1..];
                Ok(Count::Star)
            }
            Some(b'0'..=b'9') => Ok(Count::Number(self.number().ok_or(PackError::LengthTooBig)?)),
            _ => Ok(Count::None),
        }
    }

    /// Digits; `None` if the number exceeds any length.
    fn number(&mut self) -> Option<usize> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (text, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let value: i64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        usize::try_from(value).ok()
    }

    fn alignment(&mut self) -> Result<usize, PackError> {
        match self.rest {
            [b'0'..=b'9', ..] => match self.number() {
                Some(size @ 1..) => Ok(size),
                _ => Err(PackError::InvalidAlignment),
            },
            [] => Err(PackError::MissingAlignment),
            [letter, rest @ ..] => {
                self.rest = rest;
                let (native, endian) = self.modifiers(*letter)?;
                if endian.is_some() {
                    return Err(PackError::EndianAlignment);
                }
                match self.kind(*letter, native, None) {
                    Ok(Kind::Integer { size, .. }) => Ok(size),
                    Ok(Kind::Float { double, .. }) => Ok(if double { 8 } else { 4 }),
                    Ok(Kind::Pointer { .. }) => Ok(size_of::<usize>()),
                    _ => Err(PackError::UnknownAlignment(*letter)),
                }
            }
        }
    }

    fn kind(&self, letter: u8, native: bool, endian: Option<bool>) -> Result<Kind, PackError> {
        let integer = |size: usize, big: Option<bool>| Kind::Integer {
            size,
            signed: letter.is_ascii_lowercase() && !matches!(letter, b'n' | b'v'),
            big_endian: big.unwrap_or(!LITTLE),
        };
        let float = |double: bool, big_endian: bool| Kind::Float { double, big_endian };
        Ok(match letter {
            b'c' | b'C' => integer(1, None),
            b's' | b'S' => integer(2, endian),
            b'i' | b'I' => integer(4, endian),
            b'l' | b'L' if native => integer(size_of::<std::ffi::c_long>(), endian),
            b'l' | b'L' => integer(4, endian),
            b'q' | b'Q' => integer(8, endian),
            b'j' | b'J' => integer(size_of::<usize>(), endian),
            b'n' => integer(2, Some(true)),
            b'N' => integer(4, Some(true)),
            b'v' => integer(2, Some(false)),
            b'V' => integer(4, Some(false)),
            b'f' | b'F' => float(false, !LITTLE),
            b'd' | b'D' => float(true, !LITTLE),
            b'e' => float(false, false),
            b'g' => float(false, true),
            b'E' => float(true, false),
            b'G' => float(true, true),
            b'a' | b'A' | b'Z' => Kind::Text(letter),
            b'b' | b'B' => Kind::Bits { high_first: letter == b'B' },
            b'h' | b'H' => Kind::Hex { high_first: letter == b'H' },
            b'U' => Kind::Utf8,
            b'w' => Kind::Ber,
            b'r' | b'R' => Kind::Leb128 { signed: letter == b'r' },
            b'u' => Kind::Uu,
            b'm' => Kind::Base64,
            b'M' => Kind::QuotedPrintable,
            b'p' | b'P' => Kind::Pointer { structure: letter == b'P' },
            b'x' => Kind::Forward,
            b'X' => Kind::Back,
            b'@' => Kind::Absolute,
            b'^' if self.mode == Mode::Unpack => Kind::Position,
            b'%' => return Err(PackError::PercentNotSupported),
            _ => return Err(PackError::UnknownDirective(self.mode, letter)),
        })
    }
}

//! String#unpack, value by value.

use super::numbers::{from_groups, unpack_float, unpack_integer, unpack_utf8};
use super::parse::{Count, Directive, Kind, Mode, Parser};
use super::{
    PackError, decode_base64, decode_base64_strict, decode_quoted_printable, decode_uu, unpack_bits, unpack_hex,
};
use std::ops::Range;

use memory::Grow;

/// An unpacked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// An integer between the smallest i64 and the largest u64.
    Integer(i128),
    /// An integer that may be larger: its absolute value in little-endian bytes.
    BigInteger {
        /// Whether it is negative.
        negative: bool,
        /// May end in zeros.
        magnitude: Vec<u8>,
    },
    /// A float.
    Float(f64),
    /// A BINARY string.
    Bytes(Vec<u8>),
    /// A BINARY string of these bytes of the data.
    Part(Range<usize>),
    /// A US-ASCII string.
    Ascii(Vec<u8>),
    /// The data is exhausted: this many nils (a count, because a format may ask for more than memory holds).
    Nil(usize),
    /// An address: of a zero-terminated string, or of this many bytes.
    Pointer(u64, Option<usize>),
}

/// The maximum number of bytes that `Integers` holds: a multiple of every size.
const MOST_BYTES: usize = 512;

/// Integers of one size, one after the other: room for what [`Unpacker::take_integers`] takes.
pub struct Integers {
    bytes: [u8; MOST_BYTES],
    len: usize,
    size: usize,
    signed: bool,
    big_endian: bool,
}

impl Default for Integers {
    fn default() -> Integers {
        Integers { bytes: [0; MOST_BYTES], len: 0, size: 1, signed: false, big_endian: false }
    }
}

impl Integers {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.len / self.size
    }

    /// Each of them, in an i64 where it fits.
    #[inline]
    pub fn each<E>(&self, mut each: impl FnMut(Result<i64, i128>) -> Result<(), E>) -> Result<(), E> {
        let bytes = &self.bytes[..self.len];
        if self.size == 1 {
            let signed = self.signed;
            return bytes
                .iter()
                .try_for_each(|byte| each(Ok(if signed { i64::from(*byte as i8) } else { i64::from(*byte) })));
        }
        if self.size == 4 && !self.signed && !self.big_endian {
            return bytes.as_chunks().0.iter().try_for_each(|four| each(Ok(u32::from_le_bytes(*four).into())));
        }
        bytes.chunks_exact(self.size).try_for_each(|bytes| {
            let number = unpack_integer(bytes, self.signed, self.big_endian);
            each(i64::try_from(number).map_err(|_| number))
        })
    }
}

/// Unpacks data. Each step is given the data, so that its owner can allocate between two of them; the data must be the
/// same at every step.
#[derive(Clone, Debug)]
pub struct Unpacker<'a> {
    parser: Parser<'a>,
    at: usize,
    base: usize,
    /// The directive in progress, its remaining repetitions, and the number of nils that follow.
    current: Option<(Directive, usize, usize)>,
}

impl<'a> Unpacker<'a> {
    /// An unpacker of `data` from `offset` on (counted from the end if negative).
    pub fn new(format: &'a [u8], data: &[u8], offset: i64) -> Result<Unpacker<'a>, PackError> {
        let from_end = if offset < 0 { data.len() as i64 } else { 0 };
        match usize::try_from(offset.saturating_add(from_end)) {
            Ok(at) if at <= data.len() => {
                let parser = Parser::new(Mode::Unpack, format);
                Ok(Unpacker { parser, at, base: at, current: None })
            }
            _ => Err(PackError::OffsetOutside),
        }
    }

    /// The next value; `None` at the end of the format.
    pub fn next_item(&mut self, data: &[u8]) -> Result<Option<Item>, PackError> {
        loop {
            match self.current {
                Some((directive, times @ 1.., nils)) => {
                    self.current = Some((directive, times - 1, nils));
                    if let Some(item) = self.repeated(data, directive)? {
                        return Ok(Some(item));
                    }
                }
                Some((_, 0, nils @ 1..)) => {
                    self.current = None;
                    return Ok(Some(Item::Nil(nils)));
                }
                _ => {
                    let Some(directive) = self.parser.next_directive()? else { return Ok(None) };
                    self.current = None;
                    if let Some(item) = self.start(data, directive)? {
                        return Ok(Some(item));
                    }
                }
            }
        }
    }

    /// Takes the next integers of the directive in progress, at most as many as there is room for; false if there are
    /// none.
    pub fn take_integers(&mut self, data: &[u8], taken: &mut Integers) -> bool {
        let Some((directive, times @ 1.., nils)) = self.current else { return false };
        match directive.kind {
            Kind::Utf8 => return self.take_code_points(data, directive, times, nils, taken),
            Kind::Integer { size, signed, big_endian } => {
                (taken.size, taken.signed, taken.big_endian) = (size, signed, big_endian);
            }
            _ => return false,
        }
        let count = times.min(MOST_BYTES / taken.size);
        self.current = Some((directive, times - count, nils));
        let bytes = self.take(data, count * taken.size);
        taken.bytes[..bytes.len()].copy_from_slice(bytes);
        taken.len = bytes.len();
        true
    }

    /// Takes the next code points; false at the end, and before one that is malformed, which is then the next item.
    fn take_code_points(
        &mut self,
        data: &[u8],
        directive: Directive,
        times: usize,
        nils: usize,
        taken: &mut Integers,
    ) -> bool {
        const SIZE: usize = size_of::<u32>();
        let mut count = 0;
        let mut rest = &data[self.at..];
        for room in taken.bytes.as_chunks_mut::<SIZE>().0.iter_mut().take(times) {
            let code = match *rest {
                [] => break,
                [ascii @ 0..0x80, ..] => {
                    rest = &rest[1..];
                    ascii.into()
                }
                _ => {
                    let Ok((code, len)) = unpack_utf8(rest) else { break };
                    rest = &rest[len..];
                    code
                }
            };
            *room = code.to_le_bytes();
            count += 1;
        }
        self.at = data.len() - rest.len();
        self.current = Some((directive, times - count, nils));
        (taken.size, taken.signed, taken.big_endian, taken.len) = (SIZE, false, false, count * SIZE);
        count > 0
    }

    fn take<'d>(&mut self, data: &'d [u8], len: usize) -> &'d [u8] {
        let taken = &data[self.at..self.at + len];
        self.at += len;
        taken
    }

    /// Begins a directive; one with a single value returns it at once.
    fn start(&mut self, data: &[u8], directive: Directive) -> Result<Option<Item>, PackError> {
        let Directive { kind, count } = directive;
        let left = data.len() - self.at;
        let len = match count {
            Count::Star => left,
            Count::Number(len) => len,
            Count::None => usize::from(kind != Kind::Absolute),
        };
        match kind {
            Kind::Integer { size, .. } => self.repeat(data, directive, len, size),
            Kind::Float { double, .. } => self.repeat(data, directive, len, if double { 8 } else { 4 }),
            Kind::Pointer { structure: false } => {
                let times = len.min(left / size_of::<usize>());
                self.current = Some((directive, times, 0));
            }
            Kind::Utf8 | Kind::Ber | Kind::Leb128 { .. } => {
                self.current = Some((directive, len, 0));
            }
            Kind::Absolute => self.at = within(data, Some(len), PackError::AtOutside)?,
            Kind::Forward => {
                self.at = within(data, self.at.checked_add(len), PackError::ForwardOutside)?;
            }
            Kind::Back => {
                self.at = within(data, self.at.checked_sub(len), PackError::XOutside)?;
            }
            Kind::Align { size, from_start } => {
                let start = if from_start { 0 } else { self.base };
                let over = (self.at as i128 - start as i128).rem_euclid(size as i128) as usize;
                let to = if over == 0 { Some(self.at) } else { self.at.checked_add(size - over) };
                let error = if from_start { PackError::AtOutside } else { PackError::ForwardOutside };
                self.at = within(data, to, error)?;
            }
            Kind::Pointer { structure: true } if left < size_of::<usize>() => {}
            _ => return self.single(data, kind, count, len).map(Some),
        }
        Ok(None)
    }

    /// Begins values of a fixed size; missing data gives nil unless the count is `*`.
    fn repeat(&mut self, data: &[u8], directive: Directive, len: usize, size: usize) {
        let times = len.min((data.len() - self.at) / size);
        let nils = if directive.count == Count::Star { 0 } else { len - times };
        self.current = Some((directive, times, nils));
    }

    /// The next value of a directive that has several; `None` at its end.
    fn repeated(&mut self, data: &[u8], directive: Directive) -> Result<Option<Item>, PackError> {
        Ok(Some(match directive.kind {
            Kind::Integer { size, signed, big_endian } => {
                Item::Integer(unpack_integer(self.take(data, size), signed, big_endian))
            }
            Kind::Float { double, big_endian } => {
                Item::Float(unpack_float(self.take(data, if double { 8 } else { 4 }), big_endian))
            }
            Kind::Pointer { .. } => self.pointer(data, None),
            Kind::Utf8 if data.len() > self.at => {
                let (code, len) = unpack_utf8(&data[self.at..])?;
                self.at += len;
                Item::Integer(i128::from(code))
            }
            Kind::Ber | Kind::Leb128 { .. } => return Ok(self.groups(data, directive)),
            _ => {
                self.current = None;
                return Ok(None);
            }
        }))
    }

    fn pointer(&mut self, data: &[u8], len: Option<usize>) -> Item {
        let bytes = self.take(data, size_of::<usize>());
        let address = unpack_integer(bytes, false, cfg!(target_endian = "big")) as u64;
        if address == 0 { Item::Nil(1) } else { Item::Pointer(address, len) }
    }

    /// A number in groups of seven bits.
    fn groups(&mut self, data: &[u8], directive: Directive) -> Option<Item> {
        let rest = &data[self.at..];
        let Some(last) = rest.iter().position(|byte| byte & 0x80 == 0) else {
            self.at = data.len();
            let times = self.current.map_or(0, |(_, times, _)| times) + 1;
            let nils = directive.kind != Kind::Ber && directive.count != Count::Star;
            self.current = Some((directive, 0, if nils { times } else { 0 }));
            return None;
        };
        let bytes = self.take(data, last + 1);
        let magnitude = match directive.kind {
            Kind::Ber => from_groups(bytes.iter().rev().copied()),
            _ => from_groups(bytes.iter().copied()),
        };
        let negative = directive.kind == Kind::Leb128 { signed: true } && bytes[last] & 0x40 != 0;
        if !negative {
            return Some(Item::BigInteger { negative, magnitude });
        }
        // Two's complement: the bits above the last group are ones.
        let mut carry = true;
        let inverted: Vec<u8> = bytes
            .iter()
            .map(|byte| {
                let group = (!byte & 0x7F) + u8::from(carry);
                carry = group > 0x7F;
                group & 0x7F
            })
            .chain([0])
            .collect();
        let mut magnitude = from_groups(inverted.into_iter());
        if carry {
            let bits = 7 * bytes.len();
            magnitude.set_length(magnitude.len().max(bits / 8 + 1), 0);
            magnitude[bits / 8] |= 1 << (bits % 8);
        }
        Some(Item::BigInteger { negative, magnitude })
    }

    fn single(&mut self, data: &[u8], kind: Kind, count: Count, len: usize) -> Result<Item, PackError> {
        let left = data.len() - self.at;
        let rest = &data[self.at..];
        Ok(match kind {
            Kind::Text(b'A') => {
                let start = self.at;
                let text = self.take(data, len.min(left));
                let end = text.iter().rposition(|byte| !matches!(byte, b' ' | 0));
                Item::Part(start..start + end.map_or(0, |end| end + 1))
            }
            Kind::Text(b'Z') => {
                let text = &rest[..len.min(left)];
                let end = memchr::memchr(0, text).unwrap_or(text.len());
                let next = if count == Count::Star { (end + 1).min(left) } else { text.len() };
                let start = self.at;
                self.at += next;
                Item::Part(start..start + end)
            }
            Kind::Text(_) => {
                let start = self.at;
                self.at += len.min(left);
                Item::Part(start..self.at)
            }
            Kind::Bits { high_first } => {
                let most = left.saturating_mul(8);
                let count = if count == Count::Star { most } else { len.min(most) };
                self.at += count.div_ceil(8);
                Item::Ascii(unpack_bits(rest, count, high_first))
            }
            Kind::Hex { high_first } => {
                let most = left.saturating_mul(2);
                let count = if count == Count::Star { most } else { len.min(most) };
                self.at += count.div_ceil(2);
                Item::Ascii(unpack_hex(rest, count, high_first))
            }
            Kind::Uu => {
                let (bytes, read) = decode_uu(rest);
                self.at += read;
                Item::Bytes(bytes)
            }
            Kind::Base64 if len == 0 && count != Count::Star => {
                self.at = data.len();
                Item::Bytes(decode_base64_strict(rest)?)
            }
            Kind::Base64 => {
                let (bytes, read) = decode_base64(rest);
                self.at += read;
                Item::Bytes(bytes)
            }
            Kind::QuotedPrintable => {
                let (bytes, read) = decode_quoted_printable(rest);
                self.at += read;
                Item::Bytes(bytes)
            }
            Kind::Pointer { .. } => self.pointer(data, Some(len)),
            _ => Item::Integer(self.at as i128),
        })
    }
}

fn within(data: &[u8], at: Option<usize>, error: PackError) -> Result<usize, PackError> {
    at.filter(|&at| at <= data.len()).ok_or(error)
}

//! Concatenation of Strings, and the resulting encoding.

use abi::Value;
use numeric::digits::{decimal, decimal_length};
use text::{CodeRange, EncodingId};

use super::layout::Str;
use crate::Mem;
use crate::payload::Exhausted;

/// The reason why two Strings cannot be concatenated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinError {
    /// Encoding::CompatibilityError: `incompatible character encodings: A and B`.
    Incompatible(EncodingId, EncodingId),
    Exhausted(Exhausted),
}

impl From<Exhausted> for JoinError {
    fn from(exhausted: Exhausted) -> JoinError {
        JoinError::Exhausted(exhausted)
    }
}

impl Str {
    /// The encoding of the concatenation.
    #[inline]
    fn joined_encoding(self, other: Str) -> Result<EncodingId, JoinError> {
        self.compatible(other).ok_or(JoinError::Incompatible(self.encoding(), other.encoding()))
    }

    /// The code range of the concatenation, if it is known.
    #[inline]
    fn joined_range(self, other: Str) -> CodeRange {
        match (self.is_empty(), other.is_empty()) {
            (_, true) => self.known_code_range(),
            (true, false) => other.known_code_range(),
            (false, false) => {
                scan_smaller_part(&[self.value(), other.value()]);
                self.known_code_range().concat(other.known_code_range())
            }
        }
    }

    /// `+`.
    #[inline]
    pub fn plus(self, cx: &mut Mem, other: Str) -> Result<Str, JoinError> {
        let encoding = self.joined_encoding(other)?;
        let range = self.joined_range(other);
        // SAFETY: the handles are on the stack, and an allocation changes no String.
        let parts = unsafe { [self.unguarded(), other.unguarded()] };
        Ok(Str::joined(cx, &parts, encoding, range)?)
    }

    /// `<<`: appends a String if the encodings are compatible; the result may be in the encoding of the other.
    #[inline]
    pub fn concat(self, cx: &mut Mem, other: Str) -> Result<(), JoinError> {
        let encoding = self.joined_encoding(other)?;
        if encoding != self.encoding() {
            self.set_encoding(encoding);
        }
        Ok(self.append_str(cx, other)?)
    }

    /// The concatenation of the parts of an interpolated String, if they have an ASCII-compatible encoding in common;
    /// some of them may be plain US-ASCII instead. A part is a String, or a small integer, which becomes its digits.
    pub fn interpolated(cx: &mut Mem, parts: &[Value]) -> Option<Result<Str, Exhausted>> {
        let (mut encoding, mut range) = (EncodingId::US_ASCII, CodeRange::SevenBit);
        let (mut known, mut unknown) = (0_usize, 0_usize);
        for part in parts {
            if let Some(n) = part.as_fixnum() {
                known += decimal_length(n);
                continue;
            }
            let part = Str::of(*part);
            let (own, len) = (part.encoding(), part.len());
            if own == EncodingId::US_ASCII {
                if !part.is_ascii() {
                    return None;
                }
            } else if encoding == EncodingId::US_ASCII {
                encoding = own;
            } else if own != encoding {
                return None;
            }
            let counted = match part.known_code_range() {
                _ if len == 0 => continue,
                CodeRange::Unknown => &mut unknown,
                part_range => {
                    range = range.concat(part_range);
                    &mut known
                }
            };
            match counted.checked_add(len) {
                Some(sum) => *counted = sum,
                None => return Some(Err(Exhausted::TooBig)),
            }
        }
        if encoding != EncodingId::UTF_8 && !encoding.is_ascii_compatible() {
            return None;
        }
        if unknown > 0 {
            scan_smaller_part(parts);
            let texts = texts(parts).filter(|text| !text.is_empty());
            range = texts.fold(CodeRange::SevenBit, |range, text| range.concat(text.known_code_range()));
        }
        Some(match known.checked_add(unknown) {
            Some(len) => Str::filled_from(cx, parts, len, encoding, range),
            None => Err(Exhausted::TooBig),
        })
    }

    /// The parts, of `len` bytes in all, one after the other.
    #[inline]
    fn filled_from(
        cx: &mut Mem,
        parts: &[Value],
        len: usize,
        encoding: EncodingId,
        range: CodeRange,
    ) -> Result<Str, Exhausted> {
        let string = Str::with_room(cx, len, encoding)?;
        let (mut to, _) = string.span();
        for part in parts {
            let mut digits = [0; 20];
            let (from, len) = match part.as_fixnum() {
                Some(n) => {
                    let text = decimal(n, &mut digits);
                    (text.as_ptr().cast_mut(), text.len())
                }
                None => Str::of(*part).span(),
            };
            // SAFETY: the new payload has room for the bytes of all parts, and is none of theirs.
            unsafe {
                std::ptr::copy_nonoverlapping(from, to, len);
                to = to.add(len);
            }
        }
        string.set_len(len);
        string.set_code_range(range);
        Ok(string)
    }

    /// `*`: the bytes repeated `times` times.
    pub fn repeated(self, cx: &mut Mem, times: usize) -> Result<Str, Exhausted> {
        let part = self.len();
        let len = part.checked_mul(times).ok_or(Exhausted::TooBig)?;
        let range = self.known_code_range();
        if len > super::layout::EMBED_MAX && self.with(|bytes| bytes.iter().all(|byte| *byte == 0)) {
            return Str::filled(cx, len, self.encoding(), range.concat(range), |_| ());
        }
        let string = Str::with_room(cx, len, self.encoding())?;
        if len == 0 {
            return Ok(string);
        }
        let ((from, _), (to, _)) = (self.span(), string.span());
        // SAFETY: the new payload has room for `len` bytes; the part that is filled is copied after itself until it is
        // full.
        unsafe {
            std::ptr::copy_nonoverlapping(from, to, part);
            if part == 1 {
                std::ptr::write_bytes(to, *from, len);
            }
            let mut done = if part == 1 { len } else { part };
            while done < len {
                let more = done.min(len - done);
                std::ptr::copy_nonoverlapping(to, to.add(done), more);
                done += more;
            }
        }
        string.set_len(len);
        string.set_code_range(range.concat(range));
        Ok(string)
    }
}

/// Scans the parts of unknown code range if they are at most half of all bytes: the code range of the result is then
/// known for less than the cost of copying it.
fn scan_smaller_part(parts: &[Value]) {
    let (mut known, mut unknown) = (0, 0);
    for text in texts(parts) {
        match text.known_code_range() {
            CodeRange::Unknown => unknown += text.len(),
            _ => known += text.len(),
        }
    }
    if 0 < unknown && unknown <= known {
        for text in texts(parts) {
            text.code_range();
        }
    }
}

/// Those parts of an interpolated String that are Strings.
fn texts(parts: &[Value]) -> impl Iterator<Item = Str> {
    parts.iter().filter(|part| !part.is_fixnum()).map(|part| Str::of(*part))
}

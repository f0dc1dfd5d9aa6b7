//! Lines and their separators: each_line, chomp, chop.

use crate::encoding::{EncodingId, char_len_or_min, codepoint, encode_codepoint};
use crate::scan::{find, prev_char_start};

/// A line separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator<'a> {
    /// `"\n"`; with `chomp` a preceding `"\r"` is removed too.
    Newline,
    /// `""`: paragraphs, ended by two newlines; further newlines are dropped.
    Paragraph,
    /// Any other bytes (not empty; an empty one never ends a line).
    Bytes(&'a [u8]),
}

impl<'a> Separator<'a> {
    /// The separator that a Ruby string specifies, for text of `encoding`.
    pub fn new(encoding: EncodingId, separator: &'a [u8]) -> Separator<'a> {
        if separator.is_empty() {
            Separator::Paragraph
        } else if separator.len() == encoding.min_char_len() && is_newline(encoding, separator) {
            Separator::Newline
        } else {
            Separator::Bytes(separator)
        }
    }
}

/// The lines of a string.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    encoding: EncodingId,
    rest: &'a [u8],
    separator: Separator<'a>,
    chomp: bool,
    first: bool,
    /// Whether a newline is one byte that never occurs inside of another character.
    byte_newline: bool,
}

/// `String#each_line`; with `chomp` the separators are left out.
pub fn lines<'a>(encoding: EncodingId, bytes: &'a [u8], separator: Separator<'a>, chomp: bool) -> Lines<'a> {
    let byte_newline = separator == Separator::Newline && encoding.is_ascii_compatible();
    Lines { encoding, rest: bytes, separator, chomp, first: true, byte_newline }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        match self.separator {
            Separator::Newline if self.byte_newline => {
                let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |at| at + 1);
                let line = self.split(end);
                if !self.chomp {
                    return Some(line);
                }
                Some(line.strip_suffix(b"\n").map_or(line, |line| line.strip_suffix(b"\r").unwrap_or(line)))
            }
            Separator::Newline => {
                let mut newline = memory::with_capacity(4);
                encode_codepoint(self.encoding, 0x0A, &mut newline).ok()?;
                let line = self.take(&newline);
                Some(if self.chomp { chomp_newline(self.encoding, line) } else { line })
            }
            Separator::Bytes(separator) => {
                let line = self.take(separator);
                Some(if self.chomp { line.strip_suffix(separator).unwrap_or(line) } else { line })
            }
            Separator::Paragraph => self.paragraph(),
        }
    }
}

impl<'a> Lines<'a> {
    fn take(&mut self, separator: &[u8]) -> &'a [u8] {
        let end = match separator {
            [] => self.rest.len(),
            _ => find(self.encoding, self.rest, separator, 0).map_or(self.rest.len(), |at| at + separator.len()),
        };
        self.split(end)
    }

    fn split(&mut self, end: usize) -> &'a [u8] {
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        line
    }

    fn paragraph(&mut self) -> Option<&'a [u8]> {
        if !std::mem::take(&mut self.first) {
            while let (len, true) = self.line_break(0) {
                self.split(len);
            }
            if self.rest.is_empty() {
                return None;
            }
        }
        // The end of the last line break seen, and its length.
        let mut line_end = None;
        let mut at = 0;
        while at < self.rest.len() {
            let (len, is_break) = self.line_break(at);
            match line_end {
                Some((end, break_len)) if is_break && end == at => {
                    let line = self.split(at + len);
                    return Some(if self.chomp { &line[..at - break_len] } else { line });
                }
                _ => at += len,
            }
            if is_break {
                line_end = Some((at, len));
            }
        }
        Some(self.split(at))
    }

    /// The length of the character at `at` (with a carriage return before it), and whether it is a newline.
    fn line_break(&self, at: usize) -> (usize, bool) {
        let here = &self.rest[at..];
        let skip = match codepoint(self.encoding, here) {
            Some((0x0D, len)) => len,
            _ => 0,
        };
        let next = &here[skip..];
        (skip + char_len_or_min(self.encoding, next), is_newline(self.encoding, next))
    }
}

/// A line without its newline and a carriage return before it (which Ruby keeps in UTF-16 and UTF-32, where only
/// `String#chomp` removes it).
pub fn chomp_newline(encoding: EncodingId, bytes: &[u8]) -> &[u8] {
    match before_last(encoding, bytes, 0x0A) {
        Some(rest) if encoding.min_char_len() > 1 => rest,
        Some(rest) => before_last(encoding, rest, 0x0D).unwrap_or(rest),
        None => bytes,
    }
}

/// `String#chomp`: `Newline` removes one `"\n"`, `"\r\n"` or `"\r"`, `Paragraph` all `"\n"` and `"\r\n"` at the end.
pub fn chomp<'a>(encoding: EncodingId, bytes: &'a [u8], separator: Separator<'_>) -> &'a [u8] {
    match separator {
        Separator::Newline => {
            let rest = before_last(encoding, bytes, 0x0A).unwrap_or(bytes);
            before_last(encoding, rest, 0x0D).unwrap_or(rest)
        }
        Separator::Paragraph => {
            let mut rest = bytes;
            while let Some(shorter) = before_last(encoding, rest, 0x0A) {
                rest = before_last(encoding, shorter, 0x0D).unwrap_or(shorter);
            }
            rest
        }
        Separator::Bytes(separator) => {
            if super::ends_with(encoding, bytes, separator) {
                &bytes[..bytes.len() - separator.len()]
            } else {
                bytes
            }
        }
    }
}

/// `String#chop`: without the last character; `"\r\n"` counts as one.
pub fn chop(encoding: EncodingId, bytes: &[u8]) -> &[u8] {
    let Some(start) = prev_char_start(encoding, bytes, bytes.len()) else {
        return bytes;
    };
    let rest = &bytes[..start];
    if is_newline(encoding, &bytes[start..]) { before_last(encoding, rest, 0x0D).unwrap_or(rest) } else { rest }
}

fn is_newline(encoding: EncodingId, char: &[u8]) -> bool {
    matches!(codepoint(encoding, char), Some((0x0A, _)))
}

/// The text before the last character, if that is `code`, a character of ASCII.
fn before_last(encoding: EncodingId, bytes: &[u8], code: u32) -> Option<&[u8]> {
    if encoding == EncodingId::UTF_8 || encoding.is_single_byte() {
        return bytes.strip_suffix(&[code as u8]);
    }
    let start = prev_char_start(encoding, bytes, bytes.len())?;
    match codepoint(encoding, &bytes[start..]) {
        Some((found, len)) if found == code && start + len == bytes.len() => Some(&bytes[..start]),
        _ => None,
    }
}

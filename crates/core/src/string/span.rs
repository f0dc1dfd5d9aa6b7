//! Converts Ranges and character positions to byte positions.

use std::ops::Range;

use object::string::Str;
use runtime::{Cx, R, Unwind, Value, call, convert};
use text::{CodeRange, EncodingId, scan};

use crate::range;

use super::modify::{char_count, is_single_byte};

/// The start and length that a Range argument selects in a sequence of a given length.
pub enum Span {
    NotRange,
    Outside,
    /// Start and length, within the sequence.
    At(usize, usize),
}

/// Start and length of a Range in a sequence of `length` elements; the end is clipped to it.
pub fn of_range(cx: &mut Cx, v: Value, length: usize) -> R<Span> {
    let Some((first, last, exclusive)) = range::ends::of(cx, v)? else { return Ok(Span::NotRange) };
    let begin = if first.is_nil() { 0 } else { convert::to_i64(cx, first)? };
    let end = if last.is_nil() { -1 } else { convert::to_i64(cx, last)? };
    let exclusive = exclusive && !last.is_nil();
    let length = length as i64;
    let begin = if begin < 0 { begin.saturating_add(length) } else { begin };
    if begin < 0 || begin > length {
        return Ok(Span::Outside);
    }
    let end = if end < 0 { end.saturating_add(length) } else { end };
    let end = if exclusive { end } else { end.saturating_add(1) }.min(length);
    Ok(Span::At(begin as usize, (end - begin).max(0) as usize))
}

/// RangeError "3..5 out of range".
#[cold]
pub fn out_of_range(cx: &mut Cx, v: Value) -> Unwind {
    match call::inspect_text(cx, v) {
        Ok(shown) => cx.range_error(&format!("{shown} out of range")),
        Err(unwind) => unwind,
    }
}

/// The bytes of `count` characters from `start` on (a negative one counted from the end); `None` outside.
pub fn of_chars(s: Str, start: i64, count: i64) -> Option<Range<usize>> {
    if count < 0 {
        return None;
    }
    if is_single_byte(s) {
        let length = s.len() as i64;
        let start = if start < 0 { start.checked_add(length)? } else { start };
        if start < 0 || start > length {
            return None;
        }
        return Some(start as usize..start.saturating_add(count).min(length) as usize);
    }
    if start < 0
        && s.encoding() == EncodingId::UTF_8
        && s.code_range() == CodeRange::Valid
        && let Some(from) = s.read(start.unsigned_abs() as usize, chars_before_end)
    {
        return s.read((from, count as usize), |bytes, (from, count)| {
            let rest = scan::substring(EncodingId::UTF_8, &bytes[from..], CodeRange::Valid, 0, count)?;
            Some(from + rest.start..from + rest.end)
        });
    }
    let start =
        if start < 0 { usize::try_from(start.checked_add(char_count(s) as i64)?).ok()? } else { start as usize };
    s.read((s.encoding(), s.code_range(), start, count as usize), |bytes, (encoding, range, start, count)| {
        scan::substring(encoding, bytes, range, start, count)
    })
}

/// The start of the last `count` characters of valid UTF-8; `None` if there are fewer, or if counting would be faster.
fn chars_before_end(bytes: &[u8], count: usize) -> Option<usize> {
    const FEW: usize = 64;
    if count > FEW {
        return None;
    }
    let mut at = bytes.len();
    for _ in 0..count {
        at = bytes[..at].iter().rposition(|byte| byte & 0xC0 != 0x80)?;
    }
    Some(at)
}

/// The byte at which character `index` starts; `None` beyond the end.
pub fn byte_offset(s: Str, index: usize) -> Option<usize> {
    if is_single_byte(s) {
        return (index <= s.len()).then_some(index);
    }
    s.read((s.encoding(), s.code_range(), index), |bytes, (encoding, range, index)| {
        scan::byte_offset(encoding, bytes, range, index)
    })
}

/// The index of the character that starts at byte `offset`.
pub fn char_index(s: Str, offset: usize) -> usize {
    if is_single_byte(s) {
        return offset;
    }
    s.read((s.encoding(), s.code_range(), offset), |bytes, (encoding, range, offset)| {
        scan::char_index(encoding, bytes, range, offset)
    })
}

/// The number of characters between two bytes at which characters start.
pub fn chars_between(s: Str, start: usize, end: usize) -> usize {
    if start == end || is_single_byte(s) {
        return end - start;
    }
    s.read((s.encoding(), s.code_range(), start, end), |bytes, (encoding, range, start, end)| {
        scan::char_count(encoding, &bytes[start..end], range)
    })
}

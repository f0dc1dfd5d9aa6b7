//! `[]`, `[]=`, `slice!`, and the same by bytes.

use std::ops::Range;

use abi::Type;
use object::{Sym, cell, string::Str};
use runtime::{Args, Cx, R, Value, convert, error::OrRaise};
use text::{CodeRange, scan};

use super::modify::{self, argument, compatible, modifiable};
use super::span::{self, Span};
use crate::{match_data, regexp};

/// `self[index]`, `self[start, length]`, `self[range]`, `self[regexp, group = 0]`, `self[substring] → string or nil`: a
/// part by characters, of a match, or a copy of the substring; nil if it does not exist. A Regexp sets `$~`.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let index = args.at(0);
    if args.len() == 1 {
        if index.is_fixnum() {
            return char_at(cx, s, index.fixnum_value());
        }
        if let Some(part) = Str::from_value(index) {
            return Ok(if find(cx, s, part)?.is_some() { part.dup(cx).value() } else { Value::NIL });
        }
    }
    match locate(cx, s, index, args.opt(1))? {
        Some(range) => modify::part(cx, s, range.start, range.end),
        None => Ok(Value::NIL),
    }
}

/// One character.
#[inline]
fn char_at(cx: &mut Cx, s: Str, index: i64) -> R {
    if s.is_ascii() {
        let at = if index < 0 { index.saturating_add(s.len() as i64) } else { index };
        return match usize::try_from(at).ok().and_then(|at| s.byte(at)) {
            Some(byte) => Ok(Str::with_range(cx, &[byte], s.encoding(), CodeRange::SevenBit).or_raise(cx)?.value()),
            None => Ok(Value::NIL),
        };
    }
    match span::of_chars(s, index, 1) {
        Some(range) if !range.is_empty() => modify::part(cx, s, range.start, range.end),
        _ => Ok(Value::NIL),
    }
}

fn find(cx: &mut Cx, s: Str, part: Str) -> R<Option<usize>> {
    compatible(cx, s, part)?;
    Ok(super::search::occurrence(cx, s, part, 0))
}

/// The range of bytes selected by the arguments of `[]`; sets `$~` for a Regexp.
fn locate(cx: &mut Cx, s: Str, index: Value, second: Option<Value>) -> R<Option<Range<usize>>> {
    if cell::is(index, Type::Regexp) {
        let m = regexp::search::search(cx, index, s, 0, false)?;
        if m.is_nil() {
            return Ok(None);
        }
        let group = match second {
            Some(group) => match_data::groups::number(cx, m, group)?,
            None => Some(0),
        };
        return Ok(group.and_then(|group| match_data::groups::span(m, group)).map(|(start, end)| start..end));
    }
    if let Some(second) = second {
        let start = convert::to_i64(cx, index)?;
        let count = convert::to_i64(cx, second)?;
        return Ok(span::of_chars(s, start, count));
    }
    if let Some(part) = Str::from_value(index) {
        return Ok(find(cx, s, part)?.map(|at| at..at + part.len()));
    }
    if index.is_fixnum() {
        return Ok(span::of_chars(s, index.fixnum_value(), 1).filter(|range| !range.is_empty()));
    }
    match span::of_range(cx, index, modify::char_count(s))? {
        Span::At(start, count) => Ok(span::of_chars(s, start as i64, count as i64)),
        Span::Outside => Ok(None),
        Span::NotRange => {
            let index = convert::to_i64(cx, index)?;
            Ok(span::of_chars(s, index, 1).filter(|range| !range.is_empty()))
        }
    }
}

/// `self[index] = string`, and with all arguments of `[]`: replaces that part. IndexError or RangeError if it does not
/// exist.
pub fn aset(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let (index, with) = (args.at(0), args.at(args.len() - 1));
    let (range, text) = if args.len() == 3 {
        if cell::is(index, Type::Regexp) {
            (group_to_replace(cx, s, index, args.at(1))?, argument(cx, with)?)
        } else {
            let start = convert::to_i64(cx, index)?;
            let count = convert::to_i64(cx, args.at(1))?;
            chars_to_replace(cx, s, start, count, with)?
        }
    } else if cell::is(index, Type::Regexp) {
        (group_to_replace(cx, s, index, Value::fixnum(0))?, argument(cx, with)?)
    } else if let Some(part) = Str::from_value(index) {
        match find(cx, s, part)? {
            Some(at) => (at..at + part.len(), argument(cx, with)?),
            None => return Err(cx.index_error("string not matched")),
        }
    } else {
        match span::of_range(cx, index, modify::char_count(s))? {
            Span::At(start, count) => chars_to_replace(cx, s, start as i64, count as i64, with)?,
            Span::Outside => return Err(span::out_of_range(cx, index)),
            Span::NotRange => {
                let start = convert::to_i64(cx, index)?;
                chars_to_replace(cx, s, start, 1, with)?
            }
        }
    };
    let s = modifiable(cx, args.me())?;
    replace_part(cx, s, range, text)?;
    Ok(with)
}

/// The place of the characters that `with` is to replace, and its text, which is converted before the place is looked
/// for.
fn chars_to_replace(cx: &mut Cx, s: Str, start: i64, count: i64, with: Value) -> R<(Range<usize>, Str)> {
    if count < 0 {
        return Err(cx.index_error(&format!("negative length {count}")));
    }
    let with = argument(cx, with)?;
    compatible(cx, s, with)?;
    match span::of_chars(s, start, count) {
        Some(range) => Ok((range, with)),
        None => Err(cx.index_error(&format!("index {start} out of string"))),
    }
}

fn group_to_replace(cx: &mut Cx, s: Str, pattern: Value, group: Value) -> R<Range<usize>> {
    let m = regexp::search::search(cx, pattern, s, 0, false)?;
    if m.is_nil() {
        return Err(cx.index_error("regexp not matched"));
    }
    let count = match_data::groups::count(m) as i64;
    let is_name = Sym::from_value(group).is_some() || Str::from_value(group).is_some();
    let number = if !is_name {
        let n = convert::to_i64(cx, group)?;
        if n >= count || n < 0 && -n >= count {
            return Err(cx.index_error(&format!("index {n} out of regexp")));
        }
        Some(if n < 0 { n + count } else { n } as usize)
    } else {
        match_data::groups::number(cx, m, group)?
    };
    match number.and_then(|number| match_data::groups::span(m, number)) {
        Some((start, end)) => Ok(start..end),
        None => Err(cx.index_error(&format!("regexp group {} not matched", number.unwrap_or(0)))),
    }
}

/// Replaces bytes by a String, in an encoding compatible with both. The range is clipped to the String, which may have
/// changed since it was found.
pub fn replace_part(cx: &mut Cx, s: Str, range: Range<usize>, with: Str) -> R<()> {
    let encoding = compatible(cx, s, with)?;
    let (start, end) = (range.start.min(s.len()), range.end.min(s.len()));
    if encoding != s.encoding() {
        s.set_encoding(encoding);
    }
    s.splice_str(cx, start, end.saturating_sub(start), with).or_raise(cx)
}

/// `slice!(…) → string or nil`: removes and returns the part that `[]` returns for the same arguments.
pub fn slice_bang(cx: &mut Cx, args: Args) -> R {
    let s = modifiable(cx, args.me())?;
    let Some(range) = locate(cx, s, args.at(0), args.opt(1))? else { return Ok(Value::NIL) };
    let s = modifiable(cx, args.me())?;
    let range = range.start.min(s.len())..range.end.min(s.len());
    let part = modify::part(cx, s, range.start, range.end)?;
    s.splice(cx, range.start, range.len(), &[]).or_raise(cx)?;
    match Str::from_value(args.at(0)) {
        // For a substring, the result is a copy of the argument with its own encoding.
        Some(text) => Ok(text.dup(cx).value()),
        None => Ok(part),
    }
}

/// Start and length in bytes for a pair of integers, clipped to `length`; `None` outside.
fn bytes_at(length: usize, start: i64, count: i64) -> Option<Range<usize>> {
    let length = length as i64;
    let start = if start < 0 { start.saturating_add(length) } else { start };
    if start < 0 || start > length || count < 0 {
        return None;
    }
    Some(start as usize..start.saturating_add(count).min(length) as usize)
}

/// `byteslice(index)`, `byteslice(start, length)`, `byteslice(range) → string or nil`: like `[]`, but all positions are
/// bytes, so that characters may be split.
pub fn byteslice(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let length = s.len();
    let range = if let Some(count) = args.opt(1) {
        let start = convert::to_i64(cx, args.at(0))?;
        let count = convert::to_i64(cx, count)?;
        bytes_at(length, start, count)
    } else {
        match span::of_range(cx, args.at(0), length)? {
            Span::At(start, count) => Some(start..start + count),
            Span::Outside => None,
            Span::NotRange => {
                let start = convert::to_i64(cx, args.at(0))?;
                bytes_at(length, start, 1).filter(|range| !range.is_empty())
            }
        }
    };
    // The conversion of the arguments may have shortened the String.
    match range.map(|range| range.start..range.end.min(s.len())).filter(|range| range.start <= range.end) {
        Some(range) => modify::part(cx, s, range.start, range.end),
        None => Ok(Value::NIL),
    }
}

/// `getbyte(index) → integer or nil`: the byte at an index, a negative one counted from the end; nil outside.
pub fn getbyte(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))?;
    let s = Str::of(args.me());
    let at = if index < 0 { index.saturating_add(s.len() as i64) } else { index };
    let byte = usize::try_from(at).ok().and_then(|at| s.byte(at));
    Ok(byte.map_or(Value::NIL, |byte| Value::fixnum(byte as i64)))
}

/// `setbyte(index, integer) → integer`: sets the byte at an index to the low byte of the integer, which is returned.
/// IndexError for an index outside.
pub fn setbyte(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))?;
    let integer = convert::to_integer(cx, args.at(1))?;
    let byte = object::bigint::operand(&integer).map_or(0, numeric::big::low_u64) as u8;
    let s = Str::of(args.me());
    let length = s.len() as i64;
    if index >= length || index < -length {
        return Err(cx.index_error(&format!("index {index} out of string")));
    }
    modifiable(cx, args.me())?;
    let at = if index < 0 { index + length } else { index } as usize;
    let range = match s.known_code_range() {
        CodeRange::SevenBit if byte.is_ascii() => CodeRange::SevenBit,
        CodeRange::Valid if !byte.is_ascii() && s.encoding().is_single_byte() => CodeRange::Valid,
        _ => CodeRange::Unknown,
    };
    s.make_own(cx).or_raise(cx)?;
    if let Ok(bytes) = s.bytes_mut(cx) {
        bytes[at] = byte;
    }
    s.set_code_range(range);
    Ok(args.at(1))
}

/// `bytesplice(index, length, string, …)`, `bytesplice(range, string, …) → self`: replaces bytes by a string or by a
/// part of it, which two further positions or a range select. IndexError if an end is within a character or outside.
pub fn bytesplice(cx: &mut Cx, args: Args) -> R {
    let count = args.len();
    if count == 4 || count < 2 {
        return Err(cx.argument_error(&format!("wrong number of arguments (given {count}, expected 2, 3, or 5)")));
    }
    let by_ranges = count == 2 || count == 3 && !args.at(0).is_fixnum();
    let s = Str::of(args.me());
    let (range, with, with_range) = if by_ranges {
        let range = byte_range(cx, args.at(0), s.len())?;
        let with = argument(cx, args.at(1))?;
        let with_range = match args.opt(2) {
            Some(v) => byte_range(cx, v, with.len())?,
            None => 0..with.len(),
        };
        (range, with, with_range)
    } else {
        let range = byte_pair(cx, args.at(0), args.at(1), s)?;
        let with = argument(cx, args.at(2))?;
        let with_range = if count == 5 { byte_pair(cx, args.at(3), args.at(4), with)? } else { 0..with.len() };
        (range, with, with_range)
    };
    // The conversion of later arguments may have shortened either String.
    for (s, range) in [(s, &range), (with, &with_range)] {
        if range.end > s.len() {
            return Err(cx.index_error(&format!("index {} out of string", range.start)));
        }
        check_boundaries(cx, s, range)?;
    }
    let s = modifiable(cx, args.me())?;
    let part = with.slice(cx, with_range.start, with_range.len()).or_raise(cx)?;
    replace_part(cx, s, range, part)?;
    Ok(args.me())
}

fn byte_range(cx: &mut Cx, v: Value, length: usize) -> R<Range<usize>> {
    match span::of_range(cx, v, length)? {
        Span::At(start, count) => Ok(start..start + count),
        Span::Outside => Err(span::out_of_range(cx, v)),
        Span::NotRange => {
            let name = runtime::error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("wrong argument type {name} (expected Range)")))
        }
    }
}

fn byte_pair(cx: &mut Cx, start: Value, count: Value, s: Str) -> R<Range<usize>> {
    let start = convert::to_i64(cx, start)?;
    let count = convert::to_i64(cx, count)?;
    if count < 0 {
        return Err(cx.index_error(&format!("negative length {count}")));
    }
    match bytes_at(s.len(), start, count) {
        Some(range) => Ok(range),
        None => Err(cx.index_error(&format!("index {start} out of string"))),
    }
}

fn check_boundaries(cx: &mut Cx, s: Str, range: &Range<usize>) -> R<()> {
    for at in [range.start, range.end] {
        if !is_boundary(s, at) {
            return Err(cx.index_error(&format!("offset {at} does not land on character boundary")));
        }
    }
    Ok(())
}

/// Whether a character starts (or the String ends) at byte `at`.
pub fn is_boundary(s: Str, at: usize) -> bool {
    modify::is_single_byte(s)
        || s.read((s.encoding(), at), |bytes, (encoding, at)| scan::char_start(encoding, bytes, at) == at)
}

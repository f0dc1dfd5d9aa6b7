//! index and related methods, start_with? and end_with?, partition, match.

use abi::Type;
use object::{array::Arr, cell, string::Str};
use runtime::{Args, Cx, R, Value, basic_ops::BasicOp, call, convert, make, special, sym};
use text::{CodeRange, scan};

use super::modify::{self, argument, char_count, compatible};
use super::span;
use crate::{match_data, regexp};

/// A position in characters or bytes, a negative one counted from the end; `None` outside.
fn position(length: usize, at: i64) -> Option<usize> {
    let at = if at < 0 { at.checked_add(length as i64)? } else { at };
    usize::try_from(at).ok().filter(|at| *at <= length)
}

/// The first match of `pattern` from byte `from` on, as a byte offset; sets `$~` for a Regexp.
fn find_from(cx: &mut Cx, s: Str, pattern: Value, from: usize) -> R<Option<usize>> {
    if cell::is(pattern, Type::Regexp) {
        let m = regexp::search::search(cx, pattern, s, from, false)?;
        return Ok(match_data::groups::span(m, 0).map(|(start, _)| start));
    }
    let pattern = argument(cx, pattern)?;
    compatible(cx, s, pattern)?;
    Ok(occurrence(cx, s, pattern, from))
}

/// The first occurrence of a String at a character boundary; a broken one occurs nowhere.
pub fn occurrence(cx: &Cx, s: Str, part: Str, from: usize) -> Option<usize> {
    if part.code_range() == CodeRange::Broken {
        return None;
    }
    scan::find(s.encoding(), s.bytes(cx), part.bytes(cx), from)
}

fn find_backward(cx: &mut Cx, s: Str, pattern: Value, from: usize) -> R<Option<usize>> {
    if cell::is(pattern, Type::Regexp) {
        let m = regexp::search::search(cx, pattern, s, from, true)?;
        return Ok(match_data::groups::span(m, 0).map(|(start, _)| start));
    }
    let pattern = argument(cx, pattern)?;
    compatible(cx, s, pattern)?;
    if pattern.code_range() == CodeRange::Broken {
        return Ok(None);
    }
    Ok(scan::rfind(s.encoding(), s.bytes(cx), pattern.bytes(cx), from))
}

fn forget_match(cx: &mut Cx, pattern: Value) {
    if cell::is(pattern, Type::Regexp) {
        special::set_last_match(cx, Value::NIL);
    }
}

/// `index(pattern, offset = 0) → integer or nil`: the character at which the first match from `offset` on begins; a
/// Regexp sets `$~`. TypeError unless the pattern is a Regexp, a String or has `to_str`.
pub fn index(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let pattern = args.at(0);
    let from = match args.opt(1) {
        None => 0,
        Some(offset) => {
            let offset = convert::to_i64(cx, offset)?;
            let offset = if offset < 0 { position(char_count(s), offset) } else { usize::try_from(offset).ok() };
            match offset.and_then(|offset| span::byte_offset(s, offset)) {
                Some(from) => from,
                None => {
                    forget_match(cx, pattern);
                    return Ok(Value::NIL);
                }
            }
        }
    };
    let found = find_from(cx, s, pattern, from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(span::char_index(s, at) as i64)))
}

/// `byteindex(pattern, offset = 0) → integer or nil`: like `index`, in bytes. IndexError for an offset within a
/// character.
pub fn byteindex(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let pattern = args.at(0);
    let offset = match args.opt(1) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 0,
    };
    let Some(from) = position(s.len(), offset) else {
        forget_match(cx, pattern);
        return Ok(Value::NIL);
    };
    check_boundary(cx, s, from)?;
    Ok(find_from(cx, s, pattern, from)?.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

fn check_boundary(cx: &mut Cx, s: Str, at: usize) -> R<()> {
    if super::index::is_boundary(s, at) {
        return Ok(());
    }
    Err(cx.index_error(&format!("offset {at} does not land on character boundary")))
}

/// `rindex(pattern, offset = nil) → integer or nil`: the character at which the last match begins, at `offset` or
/// before; a Regexp sets `$~`.
pub fn rindex(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let pattern = args.at(0);
    let from = match args.opt(1) {
        None => s.len(),
        Some(offset) => {
            let offset = convert::to_i64(cx, offset)?;
            let length = char_count(s);
            let offset = if offset < 0 { offset.saturating_add(length as i64) } else { offset.min(length as i64) };
            match usize::try_from(offset).ok().and_then(|offset| span::byte_offset(s, offset)) {
                Some(from) => from,
                None => {
                    forget_match(cx, pattern);
                    return Ok(Value::NIL);
                }
            }
        }
    };
    let found = find_backward(cx, s, pattern, from)?;
    Ok(found.map_or(Value::NIL, |at| Value::fixnum(span::char_index(s, at) as i64)))
}

/// `byterindex(pattern, offset = nil) → integer or nil`: like `rindex`, in bytes. IndexError for an offset within a
/// character.
pub fn byterindex(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let pattern = args.at(0);
    let length = s.len() as i64;
    let offset = match args.opt(1) {
        Some(v) => {
            let offset = convert::to_i64(cx, v)?;
            if offset < 0 { offset.saturating_add(length) } else { offset.min(length) }
        }
        None => length,
    };
    let Ok(from) = usize::try_from(offset) else {
        forget_match(cx, pattern);
        return Ok(Value::NIL);
    };
    check_boundary(cx, s, from)?;
    Ok(find_backward(cx, s, pattern, from)?.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

/// `start_with?(*prefixes) → true or false`: whether the string begins with one of the prefixes, Strings or Regexps;
/// the latter set `$~`. TypeError for anything else.
pub fn start_with(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    for prefix in args.all() {
        if cell::is(*prefix, Type::Regexp) {
            let m = regexp::search::match_start(cx, *prefix, s)?;
            if !m.is_nil() {
                return Ok(Value::TRUE);
            }
            continue;
        }
        let prefix = argument(cx, *prefix)?;
        compatible(cx, s, prefix)?;
        if s.bytes(cx).starts_with(prefix.bytes(cx))
            && (modify::is_single_byte(s) || scan::starts_with(s.encoding(), s.bytes(cx), prefix.bytes(cx)))
        {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

/// `end_with?(*suffixes) → true or false`: whether the string ends with one of the suffixes, at a character boundary.
/// TypeError unless they are Strings or have `to_str`.
pub fn end_with(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    for suffix in args.all() {
        let suffix = argument(cx, *suffix)?;
        compatible(cx, s, suffix)?;
        if scan::ends_with(s.encoding(), s.bytes(cx), suffix.bytes(cx)) {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

/// `partition(pattern) → [before, match, after]`: the parts around the first match; without a match the whole string
/// and two empty ones. A Regexp sets `$~`.
pub fn partition(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let found = if cell::is(args.at(0), Type::Regexp) {
        let m = regexp::search::search(cx, args.at(0), s, 0, false)?;
        match_data::groups::span(m, 0)
    } else {
        let pattern = Str::of(super::substitute::pattern(cx, args.at(0))?);
        let found = find_from(cx, s, pattern.value(), 0)?.map(|at| (at, at + pattern.len()));
        if let Some((start, end)) = found {
            return parts_around(cx, s, start, pattern, end);
        }
        None
    };
    match found {
        Some(at) => three_parts(cx, s, at),
        None => {
            let (whole, first, second) = (s.dup(cx).value(), empty(cx, s), empty(cx, s));
            Ok(make::array(cx, &[whole, first, second]))
        }
    }
}

/// `rpartition(pattern) → [before, match, after]`: the parts around the last match; without a match two empty strings
/// and the whole string. A Regexp sets `$~`.
pub fn rpartition(cx: &mut Cx, args: Args) -> R {
    let s = Str::of(args.me());
    let found = if cell::is(args.at(0), Type::Regexp) {
        let m = regexp::search::search(cx, args.at(0), s, s.len(), true)?;
        match_data::groups::span(m, 0)
    } else {
        let pattern = Str::of(super::substitute::pattern(cx, args.at(0))?);
        let found = find_backward(cx, s, pattern.value(), s.len())?.map(|at| (at, at + pattern.len()));
        if let Some((start, end)) = found {
            return parts_around(cx, s, start, pattern, end);
        }
        None
    };
    match found {
        Some(at) => three_parts(cx, s, at),
        None => {
            let (whole, first, second) = (s.dup(cx).value(), empty(cx, s), empty(cx, s));
            Ok(make::array(cx, &[first, second, whole]))
        }
    }
}

fn empty(cx: &mut Cx, s: Str) -> Value {
    Str::empty(cx, s.encoding()).value()
}

/// The parts before and after a found String, with a copy of it in between.
/// The pattern itself is between the parts.
fn parts_around(cx: &mut Cx, s: Str, start: usize, found: Str, end: usize) -> R {
    let before = modify::part(cx, s, 0, start)?;
    let after = modify::part(cx, s, end, s.len())?;
    Ok(make::array(cx, &[before, found.value(), after]))
}

fn three_parts(cx: &mut Cx, s: Str, (start, end): (usize, usize)) -> R {
    let before = modify::part(cx, s, 0, start)?;
    let part = modify::part(cx, s, start, end)?;
    let after = modify::part(cx, s, end, s.len())?;
    Ok(make::array(cx, &[before, part, after]))
}

/// `self =~ pattern → integer or nil`: the result of the pattern's `=~` for the receiver. TypeError for a String.
pub fn match_operator(cx: &mut Cx, args: Args) -> R {
    let pattern = args.at(0);
    if cell::is(pattern, Type::String) {
        return Err(cx.type_error("type mismatch: String given"));
    }
    let is_own = |cx: &mut Cx| {
        // If no class redefines `=~`, no lookup is needed.
        cx.vm().redefinitions().object & BasicOp::Match.bit() == 0 || call::is_native_method(cx, pattern, sym::MATCH)
    };
    if cell::is(pattern, Type::Regexp) && is_own(cx) {
        return regexp::matching::operator(cx, pattern, args.me());
    }
    call::send(cx, pattern, sym::MATCH, &[args.me()])
}

/// `match(pattern, offset = 0) { |match| } → match_data or nil`: calls `Regexp#match`; a String is first converted to a
/// Regexp. It sets `$~`. The `match` of a subclass of Regexp gets all arguments.
pub fn match_method(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() {
        return Err(cx.arity_error(0, 1, Some(2)));
    }
    let pattern = regexp::create::from_pattern(cx, args.at(0), false)?;
    let found = if args.len() > 2 {
        let list = make::array(cx, &[args.me()]);
        for i in 1..args.len() {
            make::push(cx, list, args.at(i));
        }
        runtime::args::spread(cx, Arr::of(list), |cx, arguments| call::send(cx, pattern, sym::MATCH_METHOD, arguments))?
    } else {
        let arguments = [args.me(), args.opt(1).unwrap_or(Value::NIL)];
        call::send(cx, pattern, sym::MATCH_METHOD, &arguments[..args.len()])?
    };
    let block = args.block(cx);
    if block.is_none() || found.is_nil() { Ok(found) } else { call::yield_one(cx, block, found) }
}

/// `match?(pattern, offset = 0) → true or false`: whether the pattern matches from the character `offset` on, without
/// setting `$~`; a String is first converted to a Regexp.
pub fn match_p(cx: &mut Cx, args: Args) -> R {
    let pattern = regexp::create::from_pattern(cx, args.at(0), false)?;
    regexp::matching::is_match(cx, pattern, args.me(), args.opt(1))
}

//! scan and split.

use abi::{BlockHandler, Type};
use object::{cell, string::Str};
use regexp::Captures;
use runtime::{Args, Cx, R, Value, call, convert, make, special, sym, warning};
use text::encoding::{char_len_or_min, codepoint};

use super::modify::{self, compatible};
use super::substitute::{find, pattern, valid_pattern};
use crate::regexp as re;

/// `scan(pattern) → array`, `scan(pattern) { |match| } → self`: each match, or an array of its groups if the pattern
/// has any; matches do not overlap. It sets `$~`.
pub fn scan(cx: &mut Cx, args: Args) -> R {
    let pattern = valid_pattern(cx, args.at(0))?;
    let block = args.block(cx);
    let me = Str::of(args.me());
    let mut s = if block.is_none() { me } else { me.frozen_dup(cx) };
    if cell::is(pattern, Type::String) {
        if s.code_range() == text::CodeRange::Broken {
            return Err(modify::invalid_bytes(cx, s.encoding()));
        }
        compatible(cx, s, Str::of(pattern))?;
    }
    let list = if block.is_none() { make::array(cx, &[]) } else { Value::NIL };
    let (mut captures, mut last) = (Captures::new(), None);
    let (mut at, mut searched_from, mut was_changed) = (0, 0, false);
    while at <= s.len() && find(cx, pattern, s, at, &mut captures)? {
        searched_from = at;
        let (start, end) = captures.get(0).unwrap_or((0, 0));
        at = end;
        if start == end {
            at += if end < s.len() { char_len_or_min(s.encoding(), &s.bytes(cx)[end..]) } else { 1 };
        }
        let item = scanned(cx, s, &captures)?;
        if block.is_none() {
            make::push(cx, list, item);
            last = Some(std::mem::take(&mut captures));
        } else {
            last = Some(captures.clone());
            set_match(cx, s, pattern, &captures);
            call::yield_one(cx, block, item)?;
            modify::check_length(cx, me, s)?;
            if !me.same_bytes(s) {
                s = me.frozen_dup(cx);
                was_changed = true;
            }
        }
    }
    if was_changed {
        last = find(cx, pattern, s, searched_from, &mut captures)?.then_some(captures);
    }
    let m = match last {
        Some(last) => re::search::new_match(cx, pattern, s, &last),
        None => Value::NIL,
    };
    special::set_last_match(cx, m);
    Ok(if block.is_none() { list } else { args.me() })
}

/// The match, or an Array of its groups if it has any.
fn scanned(cx: &mut Cx, s: Str, captures: &Captures) -> R {
    if captures.spans.len() <= 1 {
        let (start, end) = captures.get(0).unwrap_or((0, 0));
        return modify::part(cx, s, start, end);
    }
    let list = make::array(cx, &[]);
    for group in 1..captures.spans.len() {
        let v = match captures.get(group) {
            Some((start, end)) => modify::part(cx, s, start, end)?,
            None => Value::NIL,
        };
        make::push(cx, list, v);
    }
    Ok(list)
}

enum Separator {
    /// The separators are runs of whitespace.
    White,
    /// The string is split between all characters.
    Characters,
    Text(Str),
    Regexp(Value),
}

fn separator(cx: &mut Cx, s: Str, given: Option<Value>) -> R<Separator> {
    let given = match given.filter(|v| !v.is_nil()) {
        Some(v) => v,
        None => {
            let default = cx.global_get(sym::FIELD_SEPARATOR)?;
            if !default.is_nil() {
                warning::warn_deprecated(cx, "$; is set to non-nil value")?;
            }
            default
        }
    };
    if given.is_nil() {
        return Ok(Separator::White);
    }
    let given = pattern(cx, given)?;
    if let Some(text) = Str::from_value(given) {
        for checked in [text, s] {
            if checked.code_range() == text::CodeRange::Broken {
                return Err(modify::invalid_bytes(cx, checked.encoding()));
            }
        }
        compatible(cx, s, text)?;
        return Ok(if text.is_empty() {
            Separator::Characters
        } else if text.is(b" ")
            || text.len() > 1 && codepoint(text.encoding(), text.bytes(cx)) == Some((32, text.len()))
        {
            Separator::White
        } else {
            Separator::Text(text)
        });
    }
    let data = re::search::data(cx, &given)?;
    let source = Str::of(data.source);
    Ok(match source.bytes(cx) {
        b"" => Separator::Characters,
        b" " if data.options & 7 == 0 => Separator::Text(source),
        _ => Separator::Regexp(given),
    })
}

/// `split(pattern = nil, limit = 0) → array or self`: the parts between matches, or between runs of whitespace for nil
/// and " "; groups are added. A positive limit is the maximum number of parts, 0 drops empty ones at the end. With a
/// block it yields them. A Regexp's searches set `$~`.
pub fn split(cx: &mut Cx, args: Args) -> R {
    let limit = match args.opt(1) {
        Some(v) => convert::to_i32(cx, v)? as i64,
        None => 0,
    };
    let block = args.block(cx);
    let me = Str::of(args.me());
    let s = if block.is_none() { me } else { me.frozen_dup(cx) };
    if limit == 1 {
        if s.is_empty() {
            return Ok(if block.is_none() { make::array(cx, &[]) } else { args.me() });
        }
        let whole = s.dup(cx).value();
        if block.is_none() {
            return Ok(make::array(cx, &[whole]));
        }
        call::yield_one(cx, block, whole)?;
        return Ok(args.me());
    }
    let separator = separator(cx, s, args.opt(0))?;
    if !matches!(separator, Separator::Regexp(_)) && s.code_range() == text::CodeRange::Broken {
        return Err(modify::invalid_bytes(cx, s.encoding()));
    }
    let mut parts = Parts { found: Vec::new(), limit: usize::try_from(limit).unwrap_or(0), fields: 1 };
    let rest = match separator {
        Separator::White => split_white(cx, s, &mut parts),
        Separator::Characters => split_characters(cx, s, &mut parts),
        Separator::Text(text) => split_text(cx, s, text, &mut parts),
        Separator::Regexp(pattern) => split_regexp(cx, s, pattern, &mut parts, |cx, parts, captures| {
            if block.is_none() {
                return Ok(());
            }
            set_match(cx, s, pattern, captures);
            // Empty parts wait for one that is not empty.
            let filled = parts.found.iter().rposition(|(start, end)| limit != 0 || start < end);
            let ready = parts.found.drain(..filled.map_or(0, |last| last + 1)).collect::<Vec<_>>();
            yield_parts(cx, me, s, &ready, block)
        })?,
    };
    if !s.is_empty() && (limit != 0 || rest < s.len()) {
        parts.found.push((rest, s.len()));
    }
    if limit == 0 {
        while parts.found.last().is_some_and(|(start, end)| start >= end) {
            parts.found.pop();
        }
    }
    give(cx, args.me(), s, &parts.found, block)
}

fn give(cx: &mut Cx, me: Value, s: Str, parts: &[(usize, usize)], block: BlockHandler) -> R {
    if block.is_none() {
        let list = object::array::Arr::with_capacity(cx, parts.len());
        let list = runtime::error::OrRaise::or_raise(list, cx)?.value();
        for (start, end) in parts {
            let part = modify::part(cx, s, *start, (*end).max(*start))?;
            make::push(cx, list, part);
        }
        return Ok(list);
    }
    yield_parts(cx, Str::of(me), s, parts, block)?;
    Ok(me)
}

fn yield_parts(cx: &mut Cx, me: Str, s: Str, parts: &[(usize, usize)], block: BlockHandler) -> R<()> {
    for (start, end) in parts {
        let part = modify::part(cx, s, *start, (*end).max(*start))?;
        call::yield_one(cx, block, part)?;
        modify::check_length(cx, me, s)?;
    }
    Ok(())
}

fn set_match(cx: &mut Cx, s: Str, pattern: Value, captures: &Captures) {
    let m = re::search::new_match(cx, pattern, s, captures);
    special::set_last_match(cx, m);
}

struct Parts {
    found: Vec<(usize, usize)>,
    /// The maximum number of fields; 0: unlimited.
    limit: usize,
    fields: usize,
}

impl Parts {
    /// Adds a field; false if only the last one may follow.
    fn field(&mut self, start: usize, end: usize) -> bool {
        memory::reserve(&mut self.found, 1);
        self.found.push((start, end));
        self.fields += 1;
        self.limit == 0 || self.fields < self.limit
    }
}

/// The functions for the kinds of separators add all fields but the last, and return the start of the last field.
fn split_white(cx: &Cx, s: Str, parts: &mut Parts) -> usize {
    let bytes = s.bytes(cx);
    let encoding = s.encoding();
    let bytewise = encoding.is_ascii_compatible() && (encoding.is_utf8() || modify::is_single_byte(s));
    let (mut at, mut start) = (0, None);
    while at < bytes.len() {
        let (white, len) = if bytewise {
            (matches!(bytes[at], 9..=13 | 32), 1)
        } else {
            let code = codepoint(encoding, &bytes[at..]);
            (matches!(code, Some((9..=13 | 32, _))), char_len_or_min(encoding, &bytes[at..]))
        };
        match (white, start) {
            (false, None) => start = Some(at),
            (true, Some(from)) => {
                start = None;
                if !parts.field(from, at) {
                    // The last field starts after the following whitespace.
                    at += len;
                    while at < bytes.len() {
                        let white = if bytewise {
                            matches!(bytes[at], 9..=13 | 32).then_some(1)
                        } else {
                            codepoint(encoding, &bytes[at..])
                                .filter(|(code, _)| matches!(code, 9..=13 | 32))
                                .map(|(_, len)| len)
                        };
                        match white {
                            Some(len) => at += len,
                            None => break,
                        }
                    }
                    return at;
                }
            }
            _ => {}
        }
        at += len;
    }
    start.unwrap_or(bytes.len())
}

fn split_characters(cx: &Cx, s: Str, parts: &mut Parts) -> usize {
    let bytes = s.bytes(cx);
    let single = modify::is_single_byte(s);
    let mut at = 0;
    while at < bytes.len() {
        let len = if single { 1 } else { char_len_or_min(s.encoding(), &bytes[at..]) };
        if !parts.field(at, at + len) {
            return at + len;
        }
        at += len;
    }
    at
}

fn split_text(cx: &Cx, s: Str, separator: Str, parts: &mut Parts) -> usize {
    let bytes = s.bytes(cx);
    let mut start = 0;
    while let Some(at) = text::scan::find(s.encoding(), bytes, separator.bytes(cx), start) {
        let more = parts.field(start, at);
        start = at + separator.len();
        if !more {
            break;
        }
    }
    start
}

/// `found` is called after the fields before a match were added. `$~` becomes the last match if the limit of fields
/// ends the search, and nil otherwise.
fn split_regexp(
    cx: &mut Cx,
    s: Str,
    pattern: Value,
    parts: &mut Parts,
    found: impl Fn(&mut Cx, &mut Parts, &Captures) -> R<()>,
) -> R<usize> {
    let mut captures = Captures::new();
    let (mut from, mut begin, mut was_empty) = (0, 0, false);
    while from <= s.len() && find(cx, pattern, s, from, &mut captures)? {
        let (start, end) = captures.get(0).unwrap_or((0, 0));
        let more;
        if from == start && start == end {
            if !was_empty {
                from += if from < s.len() { char_len_or_min(s.encoding(), &s.bytes(cx)[from..]) } else { 1 };
                was_empty = true;
                continue;
            }
            more = parts.field(begin, from);
            begin = from;
        } else {
            more = parts.field(begin, start);
            begin = end;
            from = end;
        }
        was_empty = false;
        for group in 1..captures.spans.len() {
            if let Some((start, end)) = captures.get(group) {
                memory::reserve(&mut parts.found, 1);
                parts.found.push((start, end));
            }
        }
        if more {
            found(cx, parts, &captures)?;
        } else {
            set_match(cx, s, pattern, &captures);
            found(cx, parts, &captures)?;
            return Ok(begin);
        }
    }
    special::set_last_match(cx, Value::NIL);
    Ok(begin)
}

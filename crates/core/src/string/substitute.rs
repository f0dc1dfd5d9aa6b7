//! sub, gsub, and backslashes in replacements.

use abi::{BlockHandler, Type};
use memory::Grow;
use object::{cell, hash::HashRef, string::Str};
use regexp::Captures;
use runtime::{Args, Cx, R, Value, call, convert, error::OrRaise, special};
use text::{CodeRange, scan};

use super::enumerate::enumerator;
use super::modify::{self, compatible, modifiable};
use crate::{match_data, regexp as re};

/// The replacement of matches.
enum Replacement {
    Text(Str),
    Hash(Value),
    Block(BlockHandler),
}

/// A pattern given as Regexp, as String or as an object with to_str.
pub fn pattern(cx: &mut Cx, v: Value) -> R {
    if cell::is(v, Type::Regexp) || cell::is(v, Type::String) {
        return Ok(v);
    }
    match convert::try_str(cx, v)? {
        Some(s) => Ok(s.value()),
        None => {
            let name = runtime::error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("wrong argument type {name} (expected Regexp)")))
        }
    }
}

/// A pattern; RegexpError for a String with invalid characters.
pub fn valid_pattern(cx: &mut Cx, v: Value) -> R {
    let pattern = pattern(cx, v)?;
    if let Some(text) = Str::from_value(pattern)
        && text.code_range() == CodeRange::Broken
    {
        re::create::from_pattern(cx, pattern, false)?;
    }
    Ok(pattern)
}

/// Finds `pattern` from byte `from` on; returns whether there is a match.
pub fn find(cx: &mut Cx, pattern: Value, s: Str, from: usize, captures: &mut Captures) -> R<bool> {
    if cell::is(pattern, Type::Regexp) {
        return re::search::find(cx, pattern, s, from, false, captures);
    }
    let needle = Str::of(pattern);
    let at = scan::find(s.encoding(), s.bytes(cx), needle.bytes(cx), from);
    Ok(note(at, needle.len(), captures))
}

/// Notes the place of a String that was found.
fn note(at: Option<usize>, len: usize, captures: &mut Captures) -> bool {
    let Some(at) = at else { return false };
    captures.spans.clear();
    captures.spans.push((at as isize, (at + len) as isize));
    true
}

fn replacement(cx: &mut Cx, args: Args) -> R<Replacement> {
    match args.opt(1) {
        None => Ok(Replacement::Block(args.block(cx))),
        Some(v) => {
            if let Some(s) = Str::from_value(v) {
                return Ok(Replacement::Text(s));
            }
            match convert::try_hash(cx, v)? {
                Some(hash) => Ok(Replacement::Hash(hash.value())),
                None => Ok(Replacement::Text(modify::argument(cx, v)?)),
            }
        }
    }
}

/// Replaces the first match, or all. `None` without a match.
fn substituted(cx: &mut Cx, args: Args, all: bool, in_place: bool) -> R<Option<Str>> {
    let with = replacement(cx, args)?;
    let pattern = valid_pattern(cx, args.at(0))?;
    let me = if in_place { modifiable(cx, args.me())? } else { Str::of(args.me()) };
    let runs_ruby = !matches!(with, Replacement::Text(_));
    let mut s = if runs_ruby { me.frozen_dup(cx) } else { me };
    if cell::is(pattern, Type::String) {
        compatible(cx, s, Str::of(pattern))?;
    }
    let mut captures = Captures::new();
    if !find(cx, pattern, s, 0, &mut captures)? {
        special::set_last_match(cx, Value::NIL);
        return Ok(None);
    }
    let encoding = s.encoding();
    let result = Str::with_capacity(cx, s.len() + 30, encoding).or_raise(cx)?;
    // A block or the default of a Hash may change the pattern.
    let searched = (all && !runs_ruby).then(|| Str::from_value(pattern).map(|text| text.to_vector())).flatten();
    let needle = searched.as_deref().map(scan::Needle::new);
    let expands = matches!(with, Replacement::Text(text) if text.contains_byte(b'\\'));
    let mut following = Captures::new();
    let (mut copied, mut searched_from, mut was_changed) = (0, 0, false);
    loop {
        let (start, end) = captures.get(0).unwrap_or((0, 0));
        let value = match &with {
            Replacement::Text(_) => None,
            Replacement::Hash(hash) => {
                let m = re::search::new_match(cx, pattern, s, &captures);
                special::set_last_match(cx, m);
                let key = modify::part(cx, s, start, end)?;
                let v = hash_value(cx, *hash, key)?;
                Some(convert::to_s(cx, v)?)
            }
            Replacement::Block(block) => {
                let m = re::search::new_match(cx, pattern, s, &captures);
                special::set_last_match(cx, m);
                let part = modify::part(cx, s, start, end)?;
                let v = call::yield_one(cx, *block, part)?;
                Some(convert::to_s(cx, v)?)
            }
        };
        // Ruby code may have changed the String, which is `sub`'s own copy.
        if value.is_some() && (all || in_place) && !me.same_bytes(s) {
            modify::check_length(cx, me, s)?;
            s = me.frozen_dup(cx);
            was_changed = true;
        }
        append_part(cx, result, s, copied, start)?;
        match (&with, value) {
            (_, Some(value)) => modify::append(cx, result, value)?,
            (Replacement::Text(text), None) if expands => append_text(cx, result, s, pattern, *text, &captures)?,
            (Replacement::Text(text), None) => modify::append(cx, result, *text)?,
            _ => {}
        }
        copied = end;
        if !all {
            break;
        }
        let mut next = end;
        if start == end {
            if end >= s.len() {
                break;
            }
            let rest = &s.bytes(cx)[end..];
            next += match text::encoding::char_len(encoding, rest) {
                // A character that is cut short by the end stays in one piece.
                text::encoding::CharLen::NeedMore(_) => rest.len(),
                _ => text::encoding::char_len_or_min(encoding, rest),
            };
            append_part(cx, result, s, copied, next)?;
            copied = next;
        }
        let found = next <= s.len()
            && match &needle {
                Some(needle) => {
                    let at = needle.find(encoding, s.bytes(cx), next);
                    note(at, searched.as_ref().map_or(0, Vec::len), &mut following)
                }
                None => find(cx, pattern, s, next, &mut following)?,
            };
        if !found {
            break;
        }
        searched_from = copied;
        std::mem::swap(&mut captures, &mut following);
    }
    append_part(cx, result, s, copied, s.len())?;
    // For a single match it was set before Ruby code ran, which may have set another one.
    if all || !runs_ruby {
        let is_there = !was_changed || find(cx, pattern, s, searched_from, &mut captures)?;
        let m = if is_there { re::search::new_match(cx, pattern, s, &captures) } else { Value::NIL };
        special::set_last_match(cx, m);
    }
    Ok(Some(result))
}

/// `hash[key]`, or the hash's default.
fn hash_value(cx: &mut Cx, hash: Value, key: Value) -> R {
    debug_assert!(HashRef::from_value(hash).is_some());
    crate::hash::read::lookup(cx, hash, key)
}

#[inline]
fn append_part(cx: &mut Cx, to: Str, s: Str, from: usize, until: usize) -> R<()> {
    if from >= until {
        return Ok(());
    }
    if to.encoding() != s.encoding() {
        // A replacement has changed the encoding of the result.
        let part = Str::of(modify::part(cx, s, from, until)?);
        return modify::append(cx, to, part);
    }
    let range = if s.known_code_range() == CodeRange::SevenBit { CodeRange::SevenBit } else { CodeRange::Unknown };
    to.append_part(cx, s, from..until, range).or_raise(cx)
}

/// Appends a replacement text, expanding its backslash sequences.
fn append_text(cx: &mut Cx, to: Str, s: Str, pattern: Value, text: Str, captures: &Captures) -> R<()> {
    let bytes = text.held(cx);
    let encoding = compatible(cx, to, text)?;
    let has_names = cell::is(pattern, Type::Regexp) && !special::program_of(&pattern).names().is_empty();
    let mut expanded = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let len = text::encoding::char_len_or_min(text.encoding(), &bytes[at..]);
        if len != 1 || bytes[at] != b'\\' || at + 1 >= bytes.len() {
            expanded.append_slice(&bytes[at..at + len]);
            at += len;
            continue;
        }
        let letter = bytes[at + 1];
        at += 2;
        let group = match letter {
            // If groups have names, numbers other than 0 refer to none.
            b'1'..=b'9' if has_names => None,
            b'0'..=b'9' => Some((letter - b'0') as usize),
            b'&' => Some(0),
            b'+' => (1..captures.spans.len()).rev().find(|group| captures.get(*group).is_some()),
            b'`' => {
                expanded.append_slice(&s.bytes(cx)[..captures.get(0).map_or(0, |(start, _)| start)]);
                None
            }
            b'\'' => {
                expanded.append_slice(&s.bytes(cx)[captures.get(0).map_or(0, |(_, end)| end)..]);
                None
            }
            b'\\' => {
                expanded.push(b'\\');
                None
            }
            b'k' if bytes.get(at) == Some(&b'<') && !bytes[at..].contains(&b'>') => {
                return Err(cx.runtime_error("invalid group name reference format"));
            }
            b'k' if bytes.get(at) == Some(&b'<') => {
                let end = at + bytes[at..].iter().position(|b| *b == b'>').unwrap_or(0);
                let name = &bytes[at + 1..end];
                at = end + 1;
                Some(named_group(cx, pattern, name, captures)?)
            }
            _ => {
                expanded.push(b'\\');
                at -= 1;
                None
            }
        };
        if let Some((start, end)) = group.and_then(|group| captures.get(group)) {
            expanded.append_slice(&s.bytes(cx)[start..end]);
        }
    }
    let expanded = Str::new(cx, &expanded, encoding).or_raise(cx)?;
    modify::append(cx, to, expanded)
}

/// The group of `\k<name>`.
fn named_group(cx: &mut Cx, pattern: Value, name: &[u8], captures: &Captures) -> R<usize> {
    if cell::is(pattern, Type::Regexp) {
        let program = special::program_of(&pattern);
        if let Some(groups) = program.groups_named(name) {
            return Ok(match_data::groups::last_matched(groups, |group| captures.get(group).is_some()));
        }
    }
    let shown = memory::lossy_text(name);
    Err(cx.index_error(&format!("undefined group name reference: {shown}")))
}

fn check_arguments(cx: &mut Cx, args: Args) -> R<()> {
    if args.len() == 1 && args.block(cx).is_none() {
        return Err(cx.arity_error(1, 2, Some(2)));
    }
    Ok(())
}

fn in_copy(cx: &mut Cx, args: Args, all: bool) -> R {
    match substituted(cx, args, all, false)? {
        Some(result) => Ok(result.value()),
        None => Ok(Str::of(args.me()).dup(cx).value()),
    }
}

fn in_place(cx: &mut Cx, args: Args, all: bool) -> R {
    match substituted(cx, args, all, true)? {
        Some(result) => {
            let s = modifiable(cx, args.me())?;
            s.replace(cx, result).or_raise(cx)?;
            Ok(args.me())
        }
        None => Ok(Value::NIL),
    }
}

/// `sub(pattern, replacement)`, `sub(pattern) { |match| } → string`: a copy with the first match replaced: by a string,
/// in which `\1` etc. refer to groups, by a Hash's value for the match, or by the result of the block. It sets `$~`.
pub fn sub(cx: &mut Cx, args: Args) -> R {
    check_arguments(cx, args)?;
    in_copy(cx, args, false)
}

/// `sub!(pattern, replacement)`, `sub!(pattern) { |match| } → self or nil`: `sub` in place; nil without a match.
pub fn sub_bang(cx: &mut Cx, args: Args) -> R {
    check_arguments(cx, args)?;
    in_place(cx, args, false)
}

/// `gsub(pattern, replacement)`, `gsub(pattern) { |match| } → string`: like `sub`, with all matches replaced. An
/// Enumerator with neither.
pub fn gsub(cx: &mut Cx, args: Args) -> R {
    if args.len() == 1 && args.block(cx).is_none() {
        return enumerator(cx, args, "gsub", None);
    }
    in_copy(cx, args, true)
}

/// `gsub!(pattern, replacement)`, `gsub!(pattern) { |match| } → self or nil`: `gsub` in place; nil without a match.
pub fn gsub_bang(cx: &mut Cx, args: Args) -> R {
    if args.len() == 1 && args.block(cx).is_none() {
        cx.check_frozen(args.me())?;
        return enumerator(cx, args, "gsub!", None);
    }
    modifiable(cx, args.me())?;
    in_place(cx, args, true)
}

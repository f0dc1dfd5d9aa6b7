//! The results of the last match.

use abi::Type;
use core_classes::string::modify;
use memory::ToVector;
use object::{Sym, cell, hash::HashRef, string::Str};
use runtime::{Args, Cx, R, Value, convert, error::ErrorClass, keys, make, special};

use super::scanner::{Scanner, read_only};

/// The bytes that a group matched. The program may have shortened the string since.
fn matched_span(scanner: &Scanner, group: usize) -> Option<(usize, usize)> {
    let (start, end) = scanner.captures.get(group)?;
    Some((start + scanner.base, end + scanner.base))
}

/// What is still in the string of the bytes that a group matched.
fn span(scanner: &Scanner, string: Str, group: usize) -> Option<(usize, usize)> {
    let (start, end) = matched_span(scanner, group)?;
    (start <= string.len()).then_some((start, end.min(string.len())))
}

fn text(cx: &mut Cx, scanner: &Scanner, string: Str, group: usize) -> R {
    match span(scanner, string, group) {
        Some((start, end)) => modify::part(cx, string, start, end),
        None => Ok(Value::NIL),
    }
}

/// `matched? → true or false`: whether the last scan matched.
pub fn is_matched(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(read_only(cx, &args)?.0.matched.get()))
}

/// `matched → string or nil`: the text of the last match; nil if the last scan did not match. Then the other methods
/// that describe the match return nil, too.
pub fn matched(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    if scanner.matched.get() { text(cx, scanner, string, 0) } else { Ok(Value::NIL) }
}

/// `matched_size → integer or nil`: the number of bytes of the last match.
pub fn matched_size(cx: &mut Cx, args: Args) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    let found = if scanner.matched.get() { matched_span(scanner, 0) } else { None };
    Ok(found.map_or(Value::NIL, |(start, end)| Value::fixnum((end - start) as i64)))
}

/// `self[group] → string or nil`: the text of a group of the last match, by number or name. IndexError for an unknown
/// name.
pub fn group(cx: &mut Cx, args: Args) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    if scanner.matched.get() { named_or_numbered(cx, args, args.at(0)) } else { Ok(Value::NIL) }
}

/// The group with a name or number; IndexError for unknown names.
fn named_or_numbered(cx: &mut Cx, args: Args, key: Value) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    let name = if let Some(symbol) = Sym::from_value(key) {
        Some(symbol.bytes(cx).to_vector())
    } else if cell::is(key, Type::String) {
        Some(Str::of(key).to_vector())
    } else {
        None
    };
    if let Some(name) = name {
        let Some(group) = group_named(scanner, &name) else {
            let shown = memory::lossy_text(&name);
            return Err(cx.raise(ErrorClass::IndexError, &format!("undefined group name reference: {shown}")));
        };
        let (scanner, string) = read_only(cx, &args)?;
        return text(cx, scanner, string, group);
    }
    let index = convert::to_i64(cx, key)?;
    numbered(cx, args, index)
}

/// The last group of that name that took part in the match, or the last one of all.
fn group_named(scanner: &Scanner, name: &[u8]) -> Option<usize> {
    let regexp = scanner.regexp.get();
    if regexp.is_nil() {
        return None;
    }
    let groups = special::program_of(&regexp).groups_named(name)?;
    groups.iter().rev().find(|group| scanner.captures.get(**group).is_some()).or(groups.last()).copied()
}

fn numbered(cx: &mut Cx, args: Args, index: i64) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    let count = group_count(scanner) as i64;
    let index = if index < 0 { index.saturating_add(count) } else { index };
    if index < 0 || index >= count { Ok(Value::NIL) } else { text(cx, scanner, string, index as usize) }
}

/// The number of groups, including the whole match.
fn group_count(scanner: &Scanner) -> usize {
    if scanner.regexp.get().is_nil() { 1 } else { special::program_of(&scanner.regexp.get()).group_count() + 1 }
}

/// `pre_match → string or nil`: the text before the last match, from the string's start.
pub fn pre_match(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    match matched_span(scanner, 0) {
        Some((start, _)) if scanner.matched.get() => modify::part(cx, string, 0, start.min(string.len())),
        _ => Ok(Value::NIL),
    }
}

/// `post_match → string or nil`: the text after the last match.
pub fn post_match(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    match matched_span(scanner, 0) {
        Some((_, end)) if scanner.matched.get() && end <= string.len() => modify::part(cx, string, end, string.len()),
        _ => Ok(Value::NIL),
    }
}

/// `size → integer or nil`: the number of groups of the last match, including the whole match.
pub fn size(cx: &mut Cx, args: Args) -> R {
    let (scanner, _) = read_only(cx, &args)?;
    Ok(if scanner.matched.get() { Value::fixnum(group_count(scanner) as i64) } else { Value::NIL })
}

/// `captures → array or nil`: the texts of the groups of the last match without the whole match; nil for those that did
/// not match.
pub fn captures(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    if !scanner.matched.get() {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    for group in 1..group_count(scanner) {
        let part = text(cx, scanner, string, group)?;
        make::push(cx, list, part);
    }
    Ok(list)
}

/// `values_at(*groups) → array or nil`: the texts of these groups, by number or name. IndexError for an unknown name.
pub fn values_at(cx: &mut Cx, args: Args) -> R {
    if !read_only(cx, &args)?.0.matched.get() {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    for key in args.all() {
        let part = named_or_numbered(cx, args, *key)?;
        make::push(cx, list, part);
    }
    Ok(list)
}

/// `named_captures → hash`: the text of each named group by its name; nil for each if the last scan did not match.
pub fn named_captures(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    let table = HashRef::new(cx).value();
    let regexp = scanner.regexp.get();
    if regexp.is_nil() {
        return Ok(table);
    }
    let program = special::program_of(&regexp);
    for row in program.names() {
        let name = make::string(cx, &row.name, ::text::EncodingId::UTF_8);
        let group = if scanner.matched.get() { group_named(scanner, &row.name) } else { None };
        let part = match group {
            Some(group) => self::text(cx, scanner, string, group)?,
            None => Value::NIL,
        };
        keys::store(cx, table, name, part)?;
    }
    Ok(table)
}

//! Matching at the position, or anywhere after it.

use abi::Type;
use core_classes::{regexp::search, string::modify};
use object::{cell, string::Str, symbol::table::intern_text};
use regexp::Captures;
use runtime::{Args, Cx, R, Value, call, convert, error, error::ErrorClass, error::OrRaise, keys};
use text::{CodeRange, EncodingId, encoding};

use super::scanner::{Scanner, of, read_only};

/// How a method matches, and the use that it makes of a match.
#[derive(Clone, Copy)]
struct Mode {
    /// Matches at the position only, not anywhere after it.
    anchored: bool,
    advance: bool,
    /// Returns the text up to the end of the match instead of its length.
    text: bool,
}

const fn mode(anchored: bool, advance: bool, text: bool) -> Mode {
    Mode { anchored, advance, text }
}

/// `scan(pattern) → string or nil`: matches at the position, moves past the match and returns it. TypeError unless the
/// pattern is a Regexp or a String.
pub fn scan(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(true, true, true))
}

/// `skip(pattern) → integer or nil`: like `scan`, but the match's length in bytes.
pub fn skip(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(true, true, false))
}

/// `match?(pattern) → integer or nil`: like `skip`, but the position stays.
pub fn match_p(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(true, false, false))
}

/// `check(pattern) → string or nil`: like `scan`, but the position stays.
pub fn check(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(true, false, true))
}

/// `scan_full(pattern, advance, string) → string, integer or nil`: like `scan`, but `advance` determines whether the
/// position moves, and `string` whether the text or its length is returned.
pub fn scan_full(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(true, args.at(1).truthy(), args.at(2).truthy()))
}

/// `scan_until(pattern) → string or nil`: moves past the next match and returns the text from the old position up to
/// there.
pub fn scan_until(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(false, true, true))
}

/// `skip_until(pattern) → integer or nil`: like `scan_until`, but the length in bytes.
pub fn skip_until(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(false, true, false))
}

/// `exist?(pattern) → integer or nil`: like `skip_until`, but the position stays.
pub fn exist(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(false, false, false))
}

/// `check_until(pattern) → string or nil`: like `scan_until`, but the position stays.
pub fn check_until(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(false, false, true))
}

/// `search_full(pattern, advance, string) → string, integer or nil`: like `scan_until`, but `advance` determines
/// whether the position moves, and `string` whether the text or its length is returned.
pub fn search_full(cx: &mut Cx, args: Args) -> R {
    run(cx, args, mode(false, args.at(1).truthy(), args.at(2).truthy()))
}

fn run(cx: &mut Cx, args: Args, mode: Mode) -> R {
    let pattern = args.at(0);
    let is_regexp = cell::is(pattern, Type::Regexp);
    let pattern = match convert_pattern(cx, pattern, is_regexp)? {
        Some(pattern) => pattern,
        None => {
            let class = error::class_name_of(cx, pattern);
            return Err(cx.type_error(&format!("wrong argument type {class} (expected Regexp)")));
        }
    };
    let (scanner, string) = read_only(cx, &args)?;
    scanner.matched.set(false);
    let (at, fixed) = (scanner.pos.get(), scanner.fixed_anchor);
    if at > string.len() {
        return Ok(Value::NIL);
    }
    if is_regexp && mode.anchored && search::is_excluded(&pattern, string, at) {
        of(cx, args)?.0.regexp.set(pattern);
        return Ok(Value::NIL);
    }
    let mut captures = Captures::new();
    let (found, base) = if is_regexp {
        find_regexp(cx, pattern, fixed, string, at, mode.anchored, &mut captures)?
    } else {
        (find_string(cx, Str::of(pattern), string, at, mode.anchored, &mut captures)?, at)
    };
    let (scanner, string) = of(cx, args)?;
    scanner.regexp.set(if is_regexp { pattern } else { Value::NIL });
    if !found {
        return Ok(Value::NIL);
    }
    scanner.captures = captures;
    scanner.base = base;
    let end = (base + scanner.captures.get(0).map_or(0, |(_, end)| end)).min(string.len());
    finish(scanner, at, end, mode);
    if mode.text { modify::part(cx, string, at, end) } else { Ok(Value::fixnum((end - at) as i64)) }
}

/// A Regexp unchanged, other values converted to a String.
fn convert_pattern(cx: &mut Cx, pattern: Value, is_regexp: bool) -> R<Option<Value>> {
    if is_regexp { Ok(Some(pattern)) } else { Ok(convert::try_str(cx, pattern)?.map(Str::value)) }
}

fn finish(scanner: &mut Scanner, at: usize, end: usize, mode: Mode) {
    scanner.matched.set(true);
    scanner.previous = at;
    if mode.advance {
        scanner.pos.set(end);
    }
}

/// Whether the Regexp matches, and from which byte the spans count.
fn find_regexp(
    cx: &mut Cx,
    pattern: Value,
    fixed: bool,
    string: Str,
    at: usize,
    anchored: bool,
    captures: &mut Captures,
) -> R<(bool, usize)> {
    let whole = whole_from(string, at);
    let whole_string = fixed || at == 0;
    let base = if whole_string { 0 } else { whole };
    let found = if !whole_string && is_valid_from(string, whole) {
        search::find_in_rest(cx, pattern, string, whole, anchored, captures)?
    } else {
        let (text, from) = if whole_string {
            (string, whole)
        } else {
            (string.slice(cx, whole, string.len() - whole).or_raise(cx)?, 0)
        };
        if anchored {
            search::find_here(cx, pattern, text, from, captures)?
        } else {
            search::find(cx, pattern, text, from, false, captures)?
        }
    };
    // The bytes of a partial character match no pattern; only the empty string matches before them.
    let found = found && (!anchored || whole == at || captures.get(0).is_some_and(|(start, end)| start == end));
    let inside = anchored && whole != at && base != 0;
    Ok((found, if inside { at } else { base }))
}

/// The start of the first whole character at or after the position, which a program may set into a character.
fn whole_from(string: Str, at: usize) -> usize {
    if string.encoding() != EncodingId::UTF_8 || string.code_range() != CodeRange::Valid {
        return at;
    }
    let rest = (at..).map_while(|at| string.byte(at));
    at + rest.take_while(|byte| byte & 0xc0 == 0x80).count()
}

/// Whether the text from this byte on consists of whole characters.
fn is_valid_from(string: Str, at: usize) -> bool {
    match string.code_range() {
        CodeRange::SevenBit => true,
        CodeRange::Valid if string.encoding() == EncodingId::UTF_8 => {
            string.byte(at).is_none_or(|byte| byte & 0xc0 != 0x80)
        }
        CodeRange::Valid => string.encoding().is_single_byte(),
        _ => false,
    }
}

fn find_string(cx: &mut Cx, pattern: Str, string: Str, at: usize, anchored: bool, captures: &mut Captures) -> R<bool> {
    modify::compatible(cx, string, pattern)?;
    let rest = &string.bytes(cx)[at..];
    let found = if anchored {
        rest.starts_with(pattern.bytes(cx)).then_some(0)
    } else {
        text::scan::find(EncodingId::BINARY, rest, pattern.bytes(cx), 0)
    };
    let Some(start) = found else { return Ok(false) };
    captures.spans.clear();
    captures.spans.push((start as isize, (start + pattern.len()) as isize));
    Ok(true)
}

/// Records the `length` bytes at the position as the match.
fn take(scanner: &mut Scanner, length: usize) {
    scanner.matched.set(true);
    scanner.previous = scanner.pos.get();
    scanner.base = scanner.pos.get();
    scanner.regexp.set(Value::NIL);
    scanner.captures.spans.clear();
    scanner.captures.spans.push((0, length as isize));
    scanner.pos.set(scanner.pos.get() + length);
}

/// `getch → string or nil`: reads the next character; nil at the end.
pub fn getch(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    scanner.forget_match();
    let at = scanner.pos.get();
    if at >= string.len() {
        return Ok(Value::NIL);
    }
    let length = string
        .read((string.encoding(), at), |bytes, (encoding, at)| encoding::char_len_or_min(encoding, &bytes[at..]))
        .min(string.len() - at);
    let character = modify::part(cx, string, at, at + length)?;
    take(of(cx, args)?.0, length);
    Ok(character)
}

/// `get_byte → string or nil`: reads one byte, regardless of the encoding; nil at the end.
pub fn get_byte(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    scanner.forget_match();
    let at = scanner.pos.get();
    if at >= string.len() {
        return Ok(Value::NIL);
    }
    let byte = modify::part(cx, string, at, at + 1)?;
    take(of(cx, args)?.0, 1);
    Ok(byte)
}

/// `scan_byte → integer or nil`: reads one byte as a number; nil at the end.
pub fn scan_byte(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = of(cx, args)?;
    scanner.forget_match();
    let Some(byte) = string.byte(scanner.pos.get()) else { return Ok(Value::NIL) };
    take(scanner, 1);
    Ok(Value::fixnum(byte as i64))
}

/// `peek_byte → integer or nil`: the next byte as a number, without advancing.
pub fn peek_byte(cx: &mut Cx, args: Args) -> R {
    let (scanner, string) = read_only(cx, &args)?;
    Ok(string.byte(scanner.pos.get()).map_or(Value::NIL, |byte| Value::fixnum(byte as i64)))
}

/// `peek(length) → string`: the next `length` bytes, without advancing.
pub fn peek(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i64(cx, args.at(0))?;
    if length < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    let (scanner, string) = read_only(cx, &args)?;
    let at = scanner.pos.get().min(string.len());
    modify::part(cx, string, at, string.len().min(at.saturating_add(length as usize)))
}

/// `scan_integer(base: 10) → integer or nil`: reads a number with its sign, in base 10 or 16; nil if there is none.
/// ArgumentError for another base.
pub fn scan_integer(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "base");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let base = keys::keyword(cx, args.keywords(), name);
    let base = if base.is_undef() { Value::fixnum(10) } else { base };
    let hexadecimal = if base == Value::fixnum(10) {
        false
    } else if base == Value::fixnum(16) {
        true
    } else {
        let shown = call::inspect_text(cx, base)?;
        return Err(cx.argument_error(&format!("Unsupported integer base: {shown}, expected 10 or 16")));
    };
    let (scanner, string) = of(cx, args)?;
    if !string.encoding().is_ascii_compatible() {
        let name = string.encoding().name();
        return Err(cx.raise(ErrorClass::CompatibilityError, &format!("ASCII incompatible encoding: {name}")));
    }
    scanner.forget_match();
    let at = scanner.pos.get();
    let length = string.read((at, hexadecimal), |bytes, (at, hexadecimal)| {
        bytes.get(at..).map_or(0, |rest| integer_length(rest, hexadecimal))
    });
    if length == 0 {
        return Ok(Value::NIL);
    }
    take(scanner, length);
    let digits = modify::part(cx, string, at, at + length)?;
    let name = intern_text(cx, "to_i");
    call::send(cx, digits, name, &[base])
}

/// The number of bytes of the integer at the start: sign, prefix, digits; 0 if there is none.
fn integer_length(bytes: &[u8], hexadecimal: bool) -> usize {
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|b| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() }).count()
    };
    if hexadecimal && bytes[sign..].starts_with(b"0x") && digits(sign + 2) > 0 {
        return sign + 2 + digits(sign + 2);
    }
    match digits(sign) {
        0 => 0,
        count => sign + count,
    }
}

//! Removing text at both ends: strip and related methods, chomp, chop, delete_prefix and delete_suffix.

use std::ops::Range;

use object::string::Str;
use runtime::{
    Args, Cx, R, Value,
    error::{ErrorClass, OrRaise},
};
use text::{
    CodeRange,
    charset::CharSet,
    encoding::codepoint,
    scan::{self, Separator},
};

use super::charsets;
use super::modify::{self, argument, compatible, modifiable};

/// Returns the range of the bytes that remain of the String.
type Cut = fn(&mut Cx, Str, Args) -> R<Range<usize>>;

fn cut(cx: &mut Cx, args: Args, kept: Cut) -> R {
    let s = Str::of(args.me());
    let range = kept(cx, s, args)?;
    modify::part(cx, s, range.start, range.end)
}

fn cut_in_place(cx: &mut Cx, args: Args, kept: Cut) -> R {
    modifiable(cx, args.me())?;
    let range = kept(cx, Str::of(args.me()), args)?;
    let s = modifiable(cx, args.me())?;
    if range.len() == s.len() {
        return Ok(Value::NIL);
    }
    s.splice(cx, range.end, s.len() - range.end, &[]).or_raise(cx)?;
    s.splice(cx, 0, range.start, &[]).or_raise(cx)?;
    Ok(args.me())
}

fn is_white(code: u32) -> bool {
    matches!(code, 0 | 9..=13 | 32)
}

fn left_of(cx: &Cx, s: Str) -> usize {
    let bytes = s.bytes(cx);
    if modify::is_single_byte(s) || s.encoding().is_utf8() {
        return bytes.iter().position(|byte| !is_white(*byte as u32)).unwrap_or(bytes.len());
    }
    let mut at = 0;
    while let Some((code, len)) = codepoint(s.encoding(), &bytes[at..]) {
        if !is_white(code) {
            break;
        }
        at += len;
    }
    at
}

/// CompatibilityError for Strings whose end cannot be determined.
fn check_end_is_known(cx: &mut Cx, s: Str) -> R<()> {
    let name = s.encoding().name();
    let message = if s.encoding().is_dummy() {
        format!("incompatible encoding with this operation: {name}")
    } else if s.code_range() == CodeRange::Broken {
        format!("invalid byte sequence in {name}")
    } else {
        return Ok(());
    };
    Err(cx.raise(ErrorClass::CompatibilityError, &message))
}

fn right_of(cx: &mut Cx, s: Str) -> R<usize> {
    check_end_is_known(cx, s)?;
    let bytes = s.bytes(cx);
    if modify::is_single_byte(s) || s.encoding().is_utf8() {
        return Ok(bytes.iter().rposition(|byte| !is_white(*byte as u32)).map_or(0, |at| at + 1));
    }
    let mut end = bytes.len();
    while let Some(start) = scan::prev_char_start(s.encoding(), bytes, end) {
        match codepoint(s.encoding(), &bytes[start..end]) {
            Some((code, _)) if is_white(code) => end = start,
            _ => break,
        }
    }
    Ok(end)
}

/// The end of the leading characters that are in the given sets.
fn left_of_set(cx: &mut Cx, s: Str, set: &CharSet) -> R<usize> {
    let bytes = s.bytes(cx);
    let mut at = 0;
    while at < bytes.len() {
        let Some((code, len)) = next_code(cx, s, at) else { return Err(modify::invalid_bytes(cx, s.encoding())) };
        if !set.contains(code) {
            break;
        }
        at += len;
    }
    Ok(at)
}

fn right_of_set(cx: &mut Cx, s: Str, set: &CharSet) -> R<usize> {
    check_end_is_known(cx, s)?;
    let bytes = s.bytes(cx);
    let mut end = bytes.len();
    while let Some(start) = scan::prev_char_start(s.encoding(), bytes, end) {
        let Some((code, _)) = next_code(cx, s, start) else { return Err(modify::invalid_bytes(cx, s.encoding())) };
        if !set.contains(code) {
            break;
        }
        end = start;
    }
    Ok(end)
}

fn next_code(cx: &Cx, s: Str, at: usize) -> Option<(u32, usize)> {
    let bytes = &s.bytes(cx)[at..];
    if s.encoding().is_single_byte() { Some((bytes[0] as u32, 1)) } else { codepoint(s.encoding(), bytes) }
}

fn lstripped(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    if args.is_empty() {
        let left = left_of(cx, s);
        if s.code_range() == CodeRange::Broken && left < s.len() && next_code(cx, s, left).is_none() {
            return Err(modify::invalid_bytes(cx, s.encoding()));
        }
        return Ok(left..s.len());
    }
    let set = charsets::set(cx, s, args.all())?;
    Ok(left_of_set(cx, s, &set)?..s.len())
}

fn rstripped(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    if args.is_empty() {
        return Ok(0..right_of(cx, s)?);
    }
    let set = charsets::set(cx, s, args.all())?;
    Ok(0..right_of_set(cx, s, &set)?)
}

fn stripped(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    if args.is_empty() {
        let left = lstripped(cx, s, args)?.start;
        let right = right_of(cx, s)?;
        return Ok(left.min(right.max(left))..right.max(left));
    }
    let set = charsets::set(cx, s, args.all())?;
    let left = left_of_set(cx, s, &set)?;
    let right = right_of_set(cx, s, &set)?;
    Ok(left..right.max(left))
}

fn chomped(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    let separator = args.opt(0).unwrap_or_else(|| modify::record_separator(cx));
    if separator.is_nil() {
        return Ok(0..s.len());
    }
    let separator = argument(cx, separator)?;
    // A newline in any encoding stands for those of the receiver's.
    let is_newline = matches!(Separator::new(separator.encoding(), separator.bytes(cx)), Separator::Newline);
    if separator.len() > s.len() && !is_newline {
        return Ok(0..s.len());
    }
    if !is_newline && !separator.is_empty() {
        compatible(cx, s, separator)?;
        if separator.code_range() == CodeRange::Broken {
            return Ok(0..s.len());
        }
    }
    let what = if is_newline { Separator::Newline } else { Separator::new(s.encoding(), separator.bytes(cx)) };
    Ok(0..scan::chomp(s.encoding(), s.bytes(cx), what).len())
}

fn chopped(cx: &mut Cx, s: Str, _: Args) -> R<Range<usize>> {
    Ok(0..scan::chop(s.encoding(), s.bytes(cx)).len())
}

fn without_prefix(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    let prefix = argument(cx, args.at(0))?;
    if prefix.code_range() != text::CodeRange::Broken
        || !s.encoding().is_ascii_compatible()
        || !prefix.encoding().is_ascii_compatible()
    {
        compatible(cx, s, prefix)?;
    } else if s.code_range() != text::CodeRange::Broken {
        // A part of a valid string that ends at a character is valid.
        return Ok(0..s.len());
    }
    let there = scan::starts_with(s.encoding(), s.bytes(cx), prefix.bytes(cx));
    Ok(if there { prefix.len() } else { 0 }..s.len())
}

fn without_suffix(cx: &mut Cx, s: Str, args: Args) -> R<Range<usize>> {
    let suffix = argument(cx, args.at(0))?;
    if suffix.code_range() == CodeRange::Broken {
        return Ok(0..s.len());
    }
    compatible(cx, s, suffix)?;
    let there = scan::ends_with(s.encoding(), s.bytes(cx), suffix.bytes(cx));
    Ok(0..s.len() - if there { suffix.len() } else { 0 })
}

macro_rules! cutters {
    ($($(#[$documentation:meta])* $name:ident $(#[$in_place:meta])* $bang:ident $kept:ident;)*) => {$(
        $(#[$documentation])*
        pub fn $name(cx: &mut Cx, args: Args) -> R {
            cut(cx, args, $kept)
        }
        $(#[$in_place])*
        pub fn $bang(cx: &mut Cx, args: Args) -> R {
            cut_in_place(cx, args, $kept)
        }
    )*};
}

cutters! {
    /// `strip(*sets) → string`: a copy without whitespace and zero bytes at both ends, or without the characters in all
    /// sets (as for `tr`). Encoding::CompatibilityError if the last character is invalid.
    strip
    /// `strip!(*sets) → self or nil`: `strip` in place; nil if nothing changed.
    strip_bang stripped;
    /// `lstrip(*sets) → string`: like `strip`, at the start only.
    lstrip
    /// `lstrip!(*sets) → self or nil`: `lstrip` in place; nil if nothing changed.
    lstrip_bang lstripped;
    /// `rstrip(*sets) → string`: like `strip`, at the end only.
    rstrip
    /// `rstrip!(*sets) → self or nil`: `rstrip` in place; nil if nothing changed.
    rstrip_bang rstripped;
    /// `chomp(separator = $/) → string`: a copy without one separator at the end. "\n" also removes "\r\n" and "\r", ""
    /// all line ends but a lone "\r", nil nothing.
    chomp
    /// `chomp!(separator = $/) → self or nil`: `chomp` in place; nil if nothing changed.
    chomp_bang chomped;
    /// `chop → string`: a copy without the last character; "\r\n" counts as one.
    chop
    /// `chop! → self or nil`: `chop` in place; nil if the string is empty.
    chop_bang chopped;
    /// `delete_prefix(prefix) → string`: a copy without the prefix, if the string begins with it. TypeError unless the
    /// prefix is a String or has `to_str`.
    delete_prefix
    /// `delete_prefix!(prefix) → self or nil`: `delete_prefix` in place; nil if nothing changed.
    delete_prefix_bang without_prefix;
    /// `delete_suffix(suffix) → string`: a copy without the suffix, if the string ends with it. TypeError unless the
    /// suffix is a String or has `to_str`.
    delete_suffix
    /// `delete_suffix!(suffix) → self or nil`: `delete_suffix` in place; nil if nothing changed.
    delete_suffix_bang without_suffix;
}

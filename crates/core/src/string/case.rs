//! upcase, downcase, swapcase, capitalize.

use object::{Sym, string::Str};
use runtime::{Args, Cx, R, Value, error::OrRaise};
use text::{
    CodeRange,
    case::{CaseMapping, CaseOptions, changes_ascii, map_ascii, map_case},
};

use super::modify::{self, modifiable};

fn options(cx: &mut Cx, given: &[Value], mapping: CaseMapping) -> R<CaseOptions> {
    if given.is_empty() {
        return Ok(CaseOptions::default());
    }
    if given.len() > 1 && Sym::from_value(given[0]).is_none() {
        return Err(cx.argument_error("too many options"));
    }
    let mut names = Vec::new();
    for v in given {
        match Sym::from_value(*v) {
            Some(symbol) => names.push(symbol.to_text(cx)),
            None => return Err(cx.argument_error("invalid option")),
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    CaseOptions::parse(&names, mapping).map_err(|error| cx.argument_error(error.message()))
}

/// CompatibilityError for a string in a stateful encoding.
pub fn check_not_dummy(cx: &mut Cx, s: Str) -> R<()> {
    if !s.encoding().is_dummy() {
        return Ok(());
    }
    let message = format!("incompatible encoding with this operation: {}", s.encoding().name());
    Err(cx.raise(runtime::error::ErrorClass::CompatibilityError, &message))
}

/// The bytes in another case.
pub fn mapped(cx: &mut Cx, s: Str, given: &[Value], mapping: CaseMapping) -> R<Vec<u8>> {
    let options = options(cx, given, mapping)?;
    check_not_dummy(cx, s)?;
    match map_case(s.encoding(), s.bytes(cx), s.code_range(), mapping, options) {
        Ok(mapped) => Ok(mapped),
        Err(_) => Err(cx.argument_error("input string invalid")),
    }
}

fn changed(cx: &mut Cx, args: Args, mapping: CaseMapping) -> R {
    let s = Str::of(args.me());
    if s.known_code_range() == CodeRange::SevenBit && args.is_empty() {
        // ASCII: changed in a copy, without decoding.
        let copy = s.copied(cx, 0..s.len(), s.encoding()).or_raise(cx)?;
        ascii_in_place(cx, copy, mapping)?;
        return Ok(copy.value());
    }
    let bytes = mapped(cx, s, args.all(), mapping)?;
    modify::new(cx, &bytes, s.encoding())
}

fn ascii_in_place(cx: &mut Cx, s: Str, mapping: CaseMapping) -> R<()> {
    let bytes = match s.bytes_mut(cx) {
        Ok(bytes) => bytes,
        Err(exhausted) => return Err(exhausted).or_raise(cx),
    };
    map_ascii(bytes, mapping);
    s.set_code_range(CodeRange::SevenBit);
    Ok(())
}

fn change(cx: &mut Cx, args: Args, mapping: CaseMapping) -> R {
    let s = Str::of(args.me());
    options(cx, args.all(), mapping)?;
    modifiable(cx, args.me())?;
    if args.is_empty() && s.is_ascii() {
        if !changes_ascii(s.bytes(cx), mapping) {
            return Ok(Value::NIL);
        }
        ascii_in_place(cx, s, mapping)?;
        return Ok(args.me());
    }
    let bytes = mapped(cx, s, args.all(), mapping)?;
    if bytes == s.bytes(cx) {
        return Ok(Value::NIL);
    }
    s.set_bytes(cx, &bytes).or_raise(cx)?;
    Ok(args.me())
}

/// `upcase(*options) → string`: lower-case characters become upper-case ones by Unicode's full mapping, which may
/// change the length. Options: `:ascii`, `:turkic`, `:lithuanian`; ArgumentError for others and for invalid bytes.
pub fn upcase(cx: &mut Cx, args: Args) -> R {
    changed(cx, args, CaseMapping::Up)
}

/// `downcase(*options) → string`: upper-case characters become lower-case ones; the options of `upcase`, and `:fold`
/// for Unicode case folding.
pub fn downcase(cx: &mut Cx, args: Args) -> R {
    changed(cx, args, CaseMapping::Down)
}

/// `swapcase(*options) → string`: exchanges upper and lower case; the options of `upcase`.
pub fn swapcase(cx: &mut Cx, args: Args) -> R {
    changed(cx, args, CaseMapping::Swap)
}

/// `capitalize(*options) → string`: the first character in title case, the others in lower case; the options of
/// `upcase`.
pub fn capitalize(cx: &mut Cx, args: Args) -> R {
    changed(cx, args, CaseMapping::Capitalize)
}

/// `upcase!(*options) → self or nil`: `upcase` in place; nil if nothing changed.
pub fn upcase_bang(cx: &mut Cx, args: Args) -> R {
    change(cx, args, CaseMapping::Up)
}

/// `downcase!(*options) → self or nil`: `downcase` in place; nil if nothing changed.
pub fn downcase_bang(cx: &mut Cx, args: Args) -> R {
    change(cx, args, CaseMapping::Down)
}

/// `swapcase!(*options) → self or nil`: `swapcase` in place; nil if nothing changed.
pub fn swapcase_bang(cx: &mut Cx, args: Args) -> R {
    change(cx, args, CaseMapping::Swap)
}

/// `capitalize!(*options) → self or nil`: `capitalize` in place; nil if nothing changed.
pub fn capitalize_bang(cx: &mut Cx, args: Args) -> R {
    change(cx, args, CaseMapping::Capitalize)
}

//! Methods that Symbol shares with String: they delegate to the String of the name.

use abi::Value;
use object::{Sym, string::Str, symbol};
use runtime::{Args, Cx, R, call, convert, sym};
use text::case::CaseMapping;

use crate::string::{case, compare, modify};

fn name(cx: &Cx, args: Args) -> Str {
    Str::of(Sym::of(args.me()).name(cx))
}

/// Calls a method of String with the name as its receiver.
fn delegate(cx: &mut Cx, args: Args, method: Sym) -> R {
    let name = name(cx, args).value();
    let block = args.block(cx);
    call::send_with_block(cx, name, method, args.all(), block)
}

/// The Symbol of these bytes.
fn from_bytes(cx: &mut Cx, bytes: &[u8], like: Str) -> R {
    let s = modify::new(cx, bytes, like.encoding())?;
    let encoding = convert::symbol_encoding(Str::of(s));
    Ok(symbol::intern_dynamic(cx, bytes, encoding).value())
}

/// `self <=> other → -1, 0, 1 or nil`: `String#<=>` of both names; nil unless `other` is a Symbol.
pub fn compare(cx: &mut Cx, args: Args) -> R {
    match Sym::from_value(args.at(0)) {
        Some(other) => Ok(compare::ordering(name(cx, args).compare(Str::of(other.name(cx))))),
        None => Ok(Value::NIL),
    }
}

fn with_name(cx: &mut Cx, args: Args, method: Sym) -> R {
    let Some(other) = Sym::from_value(args.at(0)) else { return Ok(Value::NIL) };
    let other = other.name(cx);
    let name = name(cx, args).value();
    call::send(cx, name, method, &[other])
}

/// `casecmp(other) → integer or nil`: `String#casecmp` of both names; nil unless `other` is a Symbol.
pub fn casecmp(cx: &mut Cx, args: Args) -> R {
    with_name(cx, args, sym::CASECMP)
}

/// `casecmp?(other) → true, false or nil`: `String#casecmp?` of both names; nil unless `other` is a Symbol.
pub fn casecmp_p(cx: &mut Cx, args: Args) -> R {
    with_name(cx, args, sym::CASECMP_P)
}

/// `self =~ pattern → integer or nil`: `String#=~` of the name.
pub fn match_operator(cx: &mut Cx, args: Args) -> R {
    let name = name(cx, args).value();
    call::send(cx, name, sym::MATCH, args.all())
}

/// `match(pattern, position = 0) { |match| } → match_data or nil`: `String#match` of the name; sets `$~`.
pub fn match_method(cx: &mut Cx, args: Args) -> R {
    delegate(cx, args, sym::MATCH_METHOD)
}

/// `match?(pattern, position = 0) → true or false`: `String#match?` of the name.
pub fn match_p(cx: &mut Cx, args: Args) -> R {
    delegate(cx, args, sym::MATCH_P)
}

/// `[](index, length = nil) → string or nil`: `String#[]` of the name. Alias: `slice`.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    delegate(cx, args, sym::AREF)
}

/// `length → integer`: the number of characters. Alias: `size`.
pub fn length(cx: &mut Cx, args: Args) -> R {
    let name = name(cx, args);
    let count = if name.is_ascii() { name.len() } else { modify::char_count(name) };
    Ok(Value::fixnum(count as i64))
}

/// `empty? → true or false`: whether it is `:""`.
pub fn is_empty(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(name(cx, args).is_empty()))
}

/// `encoding → encoding`: US-ASCII for pure ASCII names, otherwise that of the original string.
pub fn encoding(cx: &mut Cx, args: Args) -> R {
    let encoding = name(cx, args).encoding();
    Ok(crate::encoding::object(cx, encoding))
}

/// `start_with?(*prefixes) → true or false`: `String#start_with?` of the name.
pub fn start_with(cx: &mut Cx, args: Args) -> R {
    delegate(cx, args, sym::START_WITH_P)
}

/// `end_with?(*suffixes) → true or false`: `String#end_with?` of the name.
pub fn end_with(cx: &mut Cx, args: Args) -> R {
    delegate(cx, args, sym::END_WITH_P)
}

/// `succ → symbol`: the Symbol of the name's `String#succ`. Alias: `next`.
pub fn succ(cx: &mut Cx, args: Args) -> R {
    let name = name(cx, args);
    let next = text::succ::succ(name.encoding(), name.bytes(cx));
    from_bytes(cx, &next, name)
}

fn in_case(cx: &mut Cx, args: Args, mapping: CaseMapping) -> R {
    let name = name(cx, args);
    let bytes = case::mapped(cx, name, args.all(), mapping)?;
    from_bytes(cx, &bytes, name)
}

/// `upcase(*options) → symbol`: the Symbol of the name's `String#upcase` with the options.
pub fn upcase(cx: &mut Cx, args: Args) -> R {
    in_case(cx, args, CaseMapping::Up)
}

/// `downcase(*options) → symbol`: the Symbol of the name's `String#downcase` with the options.
pub fn downcase(cx: &mut Cx, args: Args) -> R {
    in_case(cx, args, CaseMapping::Down)
}

/// `capitalize(*options) → symbol`: the Symbol of the name's `String#capitalize` with the options.
pub fn capitalize(cx: &mut Cx, args: Args) -> R {
    in_case(cx, args, CaseMapping::Capitalize)
}

/// `swapcase(*options) → symbol`: the Symbol of the name's `String#swapcase` with the options.
pub fn swapcase(cx: &mut Cx, args: Args) -> R {
    in_case(cx, args, CaseMapping::Swap)
}

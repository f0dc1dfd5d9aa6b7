//! `=~`, `===`, `~`, match, match?.

use abi::Type;
use object::{Sym, cell, string::Str};
use runtime::{Args, Cx, R, Value, call, convert, special};

use super::search;
use crate::match_data;
use crate::string::{modify, span};

/// The String to search; a Symbol is searched as its name.
fn subject(cx: &mut Cx, v: Value) -> R<Str> {
    if let Some(s) = Str::from_value(v) {
        return Ok(s);
    }
    if let Some(symbol) = Sym::from_value(v) {
        return Ok(Str::of(symbol.name(cx)));
    }
    convert::to_str(cx, v)
}

/// `regexp =~ string → integer or nil`; sets `$~`.
pub fn operator(cx: &mut Cx, regexp: Value, v: Value) -> R {
    if v.is_nil() {
        special::set_last_match(cx, Value::NIL);
        return Ok(Value::NIL);
    }
    let s = subject(cx, v)?;
    let m = search::search(cx, regexp, s, 0, false)?;
    Ok(match match_data::groups::span(m, 0) {
        Some((start, _)) => Value::fixnum(span::char_index(s, start) as i64),
        None => Value::NIL,
    })
}

/// `self =~ string → integer or nil`: the character at which the first match begins; sets `$~`. nil for nil, TypeError
/// unless it is a String or Symbol.
pub fn match_operator(cx: &mut Cx, args: Args) -> R {
    operator(cx, args.me(), args.at(0))
}

/// `self === object → true or false`: whether it matches a String or Symbol; sets `$~`. False for anything else.
pub fn case_equal(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    let s = if Sym::from_value(v).is_some() { Some(subject(cx, v)?) } else { convert::try_str(cx, v)? };
    let Some(s) = s else {
        special::set_last_match(cx, Value::NIL);
        return Ok(Value::FALSE);
    };
    let m = search::search(cx, args.me(), s, 0, false)?;
    Ok(Value::bool(!m.is_nil()))
}

/// `~self → integer or nil`: `=~` with `$_`; nil if `$_` is not a String.
pub fn tilde(cx: &mut Cx, args: Args) -> R {
    let line = special::last_line(cx);
    if !cell::is(line, Type::String) {
        special::set_last_match(cx, Value::NIL);
        return Ok(Value::NIL);
    }
    operator(cx, args.me(), line)
}

/// A position in characters, counted from the start; `None` before it.
fn position_of(cx: &mut Cx, s: Str, v: Value) -> R<Option<usize>> {
    let position = convert::to_i64(cx, v)?;
    let position = if position < 0 { position.saturating_add(modify::char_count(s) as i64) } else { position };
    Ok(usize::try_from(position).ok())
}

/// The byte offset of a position in characters; `None` outside.
fn start_of(cx: &mut Cx, s: Str, position: Option<Value>) -> R<Option<usize>> {
    let Some(v) = position else { return Ok(Some(0)) };
    Ok(position_of(cx, s, v)?.and_then(|position| span::byte_offset(s, position)))
}

/// `match(string, position = 0) { |match| } → match_data or nil`: the first match from a character on, or at the end if
/// there is none; a block is called with it; nil without a match. It sets `$~`.
pub fn match_method(cx: &mut Cx, args: Args) -> R {
    if args.at(0).is_nil() {
        if let Some(position) = args.opt(1) {
            convert::to_i64(cx, position)?;
        }
        special::set_last_match(cx, Value::NIL);
        return Ok(Value::NIL);
    }
    let s = subject(cx, args.at(0))?;
    let position = args.opt(1).map_or(Ok(Some(0)), |v| position_of(cx, s, v))?;
    let m = match position.map(|position| span::byte_offset(s, position).unwrap_or(s.len())) {
        Some(from) => search::search(cx, args.me(), s, from, false)?,
        None => {
            special::set_last_match(cx, Value::NIL);
            Value::NIL
        }
    };
    let block = args.block(cx);
    if !m.is_nil() && !block.is_none() {
        return call::yield_one(cx, block, m);
    }
    Ok(m)
}

/// `match?(string, position = 0) → true or false`: whether there is a match from a character on; `$~` is not changed.
pub fn match_p(cx: &mut Cx, args: Args) -> R {
    is_match(cx, args.me(), args.at(0), args.opt(1))
}

pub fn is_match(cx: &mut Cx, regexp: Value, v: Value, position: Option<Value>) -> R {
    if v.is_nil() {
        search::data(cx, &regexp)?;
        return Ok(Value::FALSE);
    }
    let s = subject(cx, v)?;
    match start_of(cx, s, position)? {
        Some(from) => Ok(Value::bool(search::is_match(cx, regexp, s, from)?)),
        None => Ok(Value::FALSE),
    }
}

//! All groups: to_a, captures, names, `[]`, patterns, inspect, equality.

use abi::Type;
use object::{Sym, cell, hash::HashRef, native, string::Str, symbol};
use runtime::{
    Args, Cx, R, Value, call, convert, keys, make,
    special::{MatchInfo, RegexpData},
};

use super::groups;
use crate::string::{
    modify,
    span::{self, Span},
};

/// `self[group] → string or nil`, `self[start, length]`, `self[range] → array`: the text of groups; group 0 is the
/// whole match. nil for a number outside, IndexError for an unknown name.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    let count = groups::count(args.me());
    let second = args.opt(1).filter(|v| !v.is_nil());
    if let Some(length) = second {
        let start = convert::to_i64(cx, v)?;
        let length = convert::to_i64(cx, length)?;
        let start = if start < 0 { start.saturating_add(count as i64) } else { start };
        if start < 0 || start > count as i64 || length < 0 {
            return Ok(Value::NIL);
        }
        return list(cx, args.me(), start as usize, length.min(count as i64 - start) as usize);
    }
    match span::of_range(cx, v, count)? {
        Span::At(start, length) => list(cx, args.me(), start, length),
        Span::Outside => Ok(Value::NIL),
        Span::NotRange => match groups::number(cx, args.me(), v)? {
            Some(group) => groups::text(cx, args.me(), group),
            None => Ok(Value::NIL),
        },
    }
}

/// `integer_at(group, base = 10) → integer or nil`: the text of a group as a number, as by String#to_i; nil if the
/// group did not match, or begins with no digit. IndexError for an unknown name, ArgumentError for an invalid base.
pub fn integer_at(cx: &mut Cx, args: Args) -> R {
    let base = match args.opt(1) {
        Some(base) => convert::to_i64(cx, base)?,
        None => 10,
    };
    let Some(group) = groups::number(cx, args.me(), args.at(0))? else {
        return Ok(Value::NIL);
    };
    if base < 0 || base == 1 || base > 36 {
        return Err(cx.argument_error(&format!("invalid radix {base}")));
    }
    let text = groups::text(cx, args.me(), group)?;
    let text = Str::from_value(text).filter(|text| begins_with_digit(text.bytes(cx), base as u32));
    let Some(text) = text else { return Ok(Value::NIL) };
    crate::string::number::in_base(cx, text, base)
}

/// Whether a digit follows the blanks, the sign and the prefix that String#to_i skips.
fn begins_with_digit(text: &[u8], base: u32) -> bool {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let prefixed = match text {
        [b'0', b'x' | b'X', ..] => 16,
        [b'0', b'b' | b'B', ..] => 2,
        [b'0', b'o' | b'O', ..] => 8,
        [b'0', b'd' | b'D', ..] => 10,
        _ => 0,
    };
    let (digits, radix) = match base {
        0 if prefixed == 0 => (text, 10),
        0 => (&text[2..], prefixed),
        base if base == prefixed => (&text[2..], base),
        base => (text, base),
    };
    digits.first().is_some_and(|digit| char::from(*digit).is_digit(radix))
}

fn list(cx: &mut Cx, m: Value, start: usize, length: usize) -> R {
    let list = make::array(cx, &[]);
    for group in start..start + length {
        let text = groups::text(cx, m, group)?;
        make::push(cx, list, text);
    }
    Ok(list)
}

/// `size → integer`: the number of groups, including the whole match. Alias: `length`.
pub fn size(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(groups::count(args.me()) as i64))
}

/// `to_a → array`: the texts of all groups, the whole match first; nil for those that did not match.
pub fn to_a(cx: &mut Cx, args: Args) -> R {
    list(cx, args.me(), 0, groups::count(args.me()))
}

/// `captures → array`: the texts of all groups without the whole match; nil for those that did not match.
pub fn captures(cx: &mut Cx, args: Args) -> R {
    list(cx, args.me(), 1, groups::count(args.me()).saturating_sub(1))
}

/// Calls `each` with every name and its groups.
fn each_name(cx: &mut Cx, m: Value, mut each: impl FnMut(&mut Cx, &[u8], text::EncodingId, usize) -> R<()>) -> R<()> {
    let info = groups::info(cx, &m)?;
    let Some(data) = native::get::<RegexpData>(&info.regexp) else { return Ok(()) };
    let encoding = Str::of(data.source).encoding();
    for group in data.program.names() {
        let number = groups::last_matched(&group.groups, |group| info.group(group).is_some());
        each(cx, &group.name, encoding, number)?;
    }
    Ok(())
}

/// `named_captures(symbolize_names: false) → hash`: the text of each named group by its name; of several groups with
/// the same name the last one that matched.
pub fn named_captures(cx: &mut Cx, args: Args) -> R {
    let name = symbol::table::intern_text(cx, "symbolize_names");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let symbolize = keys::keyword(cx, args.keywords(), name);
    let symbolize = !symbolize.is_undef() && symbolize.truthy();
    let hash = HashRef::new(cx).value();
    each_name(cx, args.me(), |cx, name, encoding, group| {
        let text = groups::text(cx, args.me(), group)?;
        let key = if symbolize {
            symbol::intern_dynamic(cx, name, encoding).value()
        } else {
            modify::new(cx, name, encoding)?
        };
        keys::store(cx, hash, key, text)
    })?;
    Ok(hash)
}

/// `names → array`: the names of the named groups, each once.
pub fn names(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    each_name(cx, args.me(), |cx, name, encoding, _| {
        let name = modify::new(cx, name, encoding)?;
        make::push(cx, list, name);
        Ok(())
    })?;
    Ok(list)
}

/// `values_at(*groups) → array`: the texts of groups given by number, by name and by range; nil for those that did not
/// match. IndexError for an unknown name.
pub fn values_at(cx: &mut Cx, args: Args) -> R {
    let result = make::array(cx, &[]);
    let count = groups::count(args.me());
    for v in args.all() {
        let selected = if cell::is(*v, Type::Range) { span::of_range(cx, *v, count)? } else { Span::NotRange };
        match selected {
            Span::At(start, length) => {
                for group in start..start + length {
                    let text = groups::text(cx, args.me(), group)?;
                    make::push(cx, result, text);
                }
                // A range beyond the end returns nil for the missing groups.
                let end = object::range::end(*v);
                if end.is_fixnum() && end.fixnum_value() >= 0 {
                    let last = end.fixnum_value() - object::range::is_exclusive(*v) as i64;
                    for _ in (start + length) as i64..=last {
                        make::push(cx, result, Value::NIL);
                    }
                }
            }
            Span::Outside => {
                let begin = object::range::begin(*v);
                if begin.is_fixnum() && begin.fixnum_value() < 0 {
                    return Err(span::out_of_range(cx, *v));
                }
            }
            Span::NotRange => {
                let text = match groups::number(cx, args.me(), *v)? {
                    Some(group) => groups::text(cx, args.me(), group)?,
                    None => Value::NIL,
                };
                make::push(cx, result, text);
            }
        }
    }
    Ok(result)
}

/// `deconstruct_keys(keys) → hash`: the texts of the named groups by symbols, for patterns: those in the array up to
/// the first unknown one, or all for nil. TypeError for anything else.
pub fn deconstruct_keys(cx: &mut Cx, args: Args) -> R {
    let hash = HashRef::new(cx).value();
    if args.at(0).is_nil() {
        each_name(cx, args.me(), |cx, name, encoding, group| {
            let text = groups::text(cx, args.me(), group)?;
            let key = symbol::intern_dynamic(cx, name, encoding).value();
            keys::store(cx, hash, key, text)
        })?;
        return Ok(hash);
    }
    let Some(wanted) = object::array::Arr::from_value(args.at(0)) else {
        let name = runtime::error::class_name_of(cx, args.at(0));
        return Err(cx.type_error(&format!("wrong argument type {name} (expected Array)")));
    };
    let info = groups::info(cx, args.me_ref())?;
    let known = native::get::<RegexpData>(&info.regexp).map_or(0, |data| data.program.names().len());
    if wanted.len() > known {
        return Ok(hash);
    }
    for index in 0..wanted.len() {
        let key = wanted.get(index).unwrap_or(Value::NIL);
        let Some(symbol) = Sym::from_value(key) else {
            let name = runtime::error::class_name_of(cx, key);
            return Err(cx.type_error(&format!("wrong argument type {name} (expected Symbol)")));
        };
        let Some(group) = groups::named(info, symbol.bytes(cx)) else { break };
        let text = groups::text(cx, args.me(), group)?;
        keys::store(cx, hash, key, text)?;
    }
    Ok(hash)
}

/// `regexp → regexp`: the Regexp that matched; for a match of a String a Regexp that matches its text.
pub fn regexp(cx: &mut Cx, args: Args) -> R {
    let info = groups::info(cx, args.me_ref())?;
    if Str::from_value(info.regexp).is_none() {
        return Ok(info.regexp);
    }
    let regexp = crate::regexp::create::from_pattern(cx, info.regexp, true)?;
    if let Some(info) = native::get_mut::<MatchInfo>(cx, args.me()) {
        info.regexp = regexp;
    }
    cx.remember(args.me());
    Ok(regexp)
}

/// `string → string`: the text that was searched, frozen.
pub fn string(cx: &mut Cx, args: Args) -> R {
    Ok(groups::info(cx, args.me_ref())?.string)
}

/// `inspect → string`: the class, the match and each group with its name or number; of a search for a String only the
/// text, as long as `regexp` has made no Regexp of it.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    if native::get::<MatchInfo>(&args.me()).is_none() {
        let shown = runtime::define::any_to_text(cx, args.me());
        return Ok(make::described(cx, &shown));
    }
    let class = runtime::error::class_name_of(cx, args.me());
    let mut names: Vec<Option<Vec<u8>>> = memory::filled(None, groups::count(args.me()));
    let info = groups::info(cx, args.me_ref())?;
    if Str::from_value(info.regexp).is_some() {
        let result = Str::of(make::described(cx, &format!("#<{class}: ")));
        let text = Str::of(groups::text(cx, args.me(), 0)?);
        modify::append(cx, result, text)?;
        let end = Str::of(make::described(cx, ">"));
        modify::append(cx, result, end)?;
        return Ok(result.value());
    }
    if let Some(data) = native::get::<RegexpData>(&info.regexp) {
        for group in data.program.names() {
            for number in &group.groups {
                if let Some(slot) = names.get_mut(*number) {
                    *slot = Some(group.name.clone());
                }
            }
        }
    }
    let result = Str::of(make::described(cx, &format!("#<{class}")));
    for (group, name) in names.iter().enumerate() {
        let label = match (group, name) {
            (0, _) => " ".to_string(),
            (_, Some(name)) => format!(" {}:", memory::lossy_text(name)),
            (group, None) => format!(" {group}:"),
        };
        let label = Str::of(make::described(cx, &label));
        modify::append(cx, result, label)?;
        let text = groups::text(cx, args.me(), group)?;
        let shown = convert::inspect(cx, text)?;
        modify::append(cx, result, shown)?;
    }
    let end = Str::of(make::described(cx, ">"));
    modify::append(cx, result, end)?;
    Ok(result.value())
}

/// `==(other) → true or false`: whether `other` is a match of the same text by an equal Regexp at the same positions.
/// Alias: `eql?`.
pub fn equal(cx: &mut Cx, args: Args) -> R {
    if args.me() == args.at(0) {
        return Ok(Value::TRUE);
    }
    let (Some(a), Some(b)) = (native::get::<MatchInfo>(args.me_ref()), native::get::<MatchInfo>(args.at_ref(0))) else {
        return Ok(Value::FALSE);
    };
    if !Str::of(a.string).equal(Str::of(b.string)) || !groups::are_equal(a, b) {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(call::equal(cx, a.regexp, b.regexp)?))
}

/// `hash → integer`: equal for equal matches: of the same text, at the same positions.
pub fn hash(cx: &mut Cx, args: Args) -> R {
    let info = groups::info(cx, args.me_ref())?;
    let mut hash = Str::of(info.string).hash(cx);
    for group in 0..info.count() {
        let (start, end) = info.group(group).unwrap_or((usize::MAX, 0));
        hash = (hash.rotate_left(5) ^ start as u64 ^ ((end as u64) << 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    Ok(Value::fixnum((hash as i64) >> 2))
}

/// `initialize_copy(other) → self`: copies the regexp, the text and the positions of another match.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    crate::object::copy::initialize_copy(cx, args)?;
    let info = groups::info(cx, args.at_ref(0))?;
    let info = *info;
    if let Some(mine) = native::get_mut::<MatchInfo>(cx, args.me()) {
        *mine = info;
    }
    cx.remember(args.me());
    Ok(args.me())
}

/// `dup`, `clone(freeze: nil) → match_data`: another object for the same match.
pub fn dup(cx: &mut Cx, args: Args) -> R {
    let info = groups::info(cx, args.me_ref())?;
    let info = *info;
    let class = object::class::real_class(cx, args.me());
    let copy = native::embed(cx, class, info);
    object::shape::ivars::copy(cx, args.me(), copy);
    Ok(copy)
}

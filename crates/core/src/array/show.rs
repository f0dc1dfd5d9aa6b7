//! `inspect` and `join`.

use abi::{Type, Value};
use object::{array::Arr, cell, string::Str};
use runtime::{Args, Cx, R, Root, convert, error::OrRaise, make, recursion, sym};
use text::{CodeRange, encoding::EncodingId};

use crate::string::modify;

/// Appends the String `s` to the String `to`; Encoding::CompatibilityError if their encodings are incompatible.
pub fn append(cx: &mut Cx, to: Value, s: Value) -> R<()> {
    modify::append(cx, Str::of(to), Str::of(s))
}

/// Appends ASCII text.
pub fn append_text(cx: &mut Cx, to: Value, text: &str) -> R<()> {
    // The code range stays known, so that repeated appending does not scan the whole string each time.
    let range = if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown };
    Str::of(to).append_with(cx, text.as_bytes(), range).or_raise(cx)
}

/// Appends `v.inspect`; the first element of a collection (`to` contains only its opening bracket) determines the
/// encoding.
pub fn append_inspected(cx: &mut Cx, to: Value, v: Value) -> R<()> {
    let shown = convert::inspect(cx, v)?;
    if Str::of(to).len() == 1 {
        Str::of(to).set_encoding(shown.encoding());
    }
    append(cx, to, shown.value())
}

/// `inspect → string`: the elements' `inspect` between brackets, `[...]` for an array within itself. Alias: `to_s`.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if Arr::of(me).is_empty() {
        return Ok(make::string(cx, b"[]", EncodingId::US_ASCII));
    }
    let shown = crate::thread::locals::guard_inspect(cx, me, |cx| {
        let result = Str::empty(cx, EncodingId::US_ASCII).value();
        append_text(cx, result, "[")?;
        let mut i = 0;
        while let Some(v) = Arr::of(me).get(i) {
            if i > 0 {
                append_text(cx, result, ", ")?;
            }
            append_inspected(cx, result, v)?;
            i += 1;
        }
        append_text(cx, result, "]")?;
        Ok(result)
    })?;
    Ok(match shown {
        Some(shown) => shown,
        None => make::string(cx, b"[...]", EncodingId::US_ASCII),
    })
}

/// `join(separator = $,) → string`: the elements as strings with the separator between them; nested arrays are joined
/// in the same way. ArgumentError for an array that contains itself, TypeError for an element that has no string
/// conversion.
pub fn join(cx: &mut Cx, args: Args) -> R {
    let empty = Arr::of(args.me()).is_empty();
    let separator = match args.non_nil(0) {
        Some(_) if empty => Value::NIL,
        Some(separator) => convert::to_str(cx, separator)?.value(),
        None => {
            let default = cx.root(Root::FieldSeparator);
            if default.is_nil() {
                Value::NIL
            } else {
                runtime::warning::warn_deprecated(cx, "$, is set to non-nil value")?;
                convert::to_str(cx, default)?.value()
            }
        }
    };
    join_with(cx, args.me(), separator)
}

/// The elements as text, with `separator` (a String or nil) between them.
pub fn join_with(cx: &mut Cx, list: Value, separator: Value) -> R {
    if Arr::of(list).is_empty() {
        return Ok(make::string(cx, b"", EncodingId::US_ASCII));
    }
    let encoding = match Arr::of(list).get(0).and_then(Str::from_value) {
        Some(first) => first.encoding(),
        None => EncodingId::US_ASCII,
    };
    let result = Str::empty(cx, encoding).value();
    // As in CRuby, `to_str` of the first element that is not a String is called before any element is appended; the
    // call may change the list.
    let other = Arr::of(list).iter().find(|v| !cell::is(*v, Type::String));
    if let Some(other) = other
        && other.is_heap()
        && !cell::is(other, Type::Array)
    {
        convert::try_str(cx, other)?;
    }
    let mut first = true;
    join_into(cx, result, list, separator, &mut first)?;
    Ok(result)
}

fn join_into(cx: &mut Cx, to: Value, list: Value, separator: Value, first: &mut bool) -> R<()> {
    let mut i = join_strings(cx, to, list, separator, first)?;
    if i == Arr::of(list).len() {
        return Ok(());
    }
    let name = sym::JOIN;
    let done = recursion::guard(cx, name, list, Value::NIL, |cx| {
        while let Some(v) = Arr::of(list).get(i) {
            if i > 0 && !separator.is_nil() {
                append(cx, to, separator)?;
            }
            join_element(cx, to, v, separator, first)?;
            i += 1;
        }
        Ok(())
    })?;
    match done {
        Some(()) => Ok(()),
        None => Err(cx.argument_error("recursive array join")),
    }
}

/// Joins the Strings before the first other element, and returns their number. This runs no method, so that the list
/// does not change and needs no guard against recursion.
fn join_strings(cx: &mut Cx, to: Value, list: Value, separator: Value, first: &mut bool) -> R<usize> {
    let between = Str::from_value(separator);
    let encoding = Str::of(to).encoding();
    // Strings of the result's encoding are appended without comparing encodings, and ASCII, unless the first element is
    // empty, which may leave the result to the encoding of another.
    let begins = Arr::of(list).get(0).and_then(Str::from_value).is_some_and(|s| !s.is_empty());
    let takes_ascii = begins && encoding.is_ascii_compatible();
    let is_ascii = |s: Str| s.known_code_range() == CodeRange::SevenBit && s.encoding().is_ascii_compatible();
    let fits = |s: Str| s.encoding() == encoding || takes_ascii && is_ascii(s);
    let mut is_alike = Str::of(to).is_empty() && between.is_none_or(fits);
    let (mut count, mut total) = (0, 0_usize);
    for s in Arr::of(list).iter().map_while(Str::from_value) {
        is_alike = is_alike && fits(s);
        total = total.saturating_add(s.len());
        count += 1;
    }
    if count > 1 {
        let total = between.map_or(0, Str::len).saturating_mul(count - 1).saturating_add(total);
        if is_alike {
            let strings = Arr::of(list).iter().map_while(Str::from_value).take(count);
            Str::of(to).append_joined(cx, strings, between, total).or_raise(cx)?;
            *first = false;
            return Ok(count);
        }
        Str::of(to).reserve(cx, total).or_raise(cx)?;
    }
    for i in 0..count {
        let Some(v) = Arr::of(list).get(i) else { return Ok(i) };
        if i > 0 && !separator.is_nil() {
            append(cx, to, separator)?;
        }
        append(cx, to, v)?;
        *first = false;
    }
    Ok(count)
}

fn join_element(cx: &mut Cx, to: Value, v: Value, separator: Value, first: &mut bool) -> R<()> {
    if cell::is(v, Type::String) {
        *first = false;
        return append(cx, to, v);
    }
    if cell::is(v, Type::Array) {
        return join_into(cx, to, v, separator, first);
    }
    if !v.is_immediate() {
        if let Some(s) = convert::try_str(cx, v)? {
            return append_first(cx, to, s.value(), first);
        }
        let done = recursion::guard(cx, sym::JOIN, v, Value::NIL, |cx| {
            let Some(list) = convert::try_ary(cx, v)? else { return Ok(false) };
            join_into(cx, to, list.value(), separator, first)?;
            Ok(true)
        })?;
        match done {
            Some(true) => return Ok(()),
            Some(false) => {}
            None => return Err(cx.argument_error("recursive array join")),
        }
    }
    let s = convert::to_s(cx, v)?;
    append_first(cx, to, s.value(), first)
}

/// Appends a String; the first one determines the encoding of the result.
fn append_first(cx: &mut Cx, to: Value, s: Value, first: &mut bool) -> R<()> {
    if std::mem::replace(first, false) {
        Str::of(to).set_encoding(Str::of(s).encoding());
    }
    append(cx, to, s)
}

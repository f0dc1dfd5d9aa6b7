//! Reading elements by index, range or key.

use abi::{Type, Value};
use object::{Known, Sym, array::Arr, cell, class, range};
use runtime::{Args, Cx, R, call, convert, equality, error::OrRaise, make, sym, warning};

/// `length → integer`: the number of elements. Alias: `size`.
pub fn length(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(Arr::of(args.me()).len() as i64))
}

/// `empty? → true or false`: whether there are no elements.
pub fn is_empty(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Arr::of(args.me()).is_empty()))
}

/// The element at an index, negative from the end; nil outside.
pub fn element(list: Value, index: i64) -> Value {
    let index = if index < 0 { index + Arr::of(list).len() as i64 } else { index };
    if index < 0 { Value::NIL } else { Arr::of(list).get(index as usize).unwrap_or(Value::NIL) }
}

/// A range's start and length in a sequence of `len`; `None` if it begins outside. With `grow` the end may lie beyond,
/// and a start before the sequence is a RangeError.
pub fn within(cx: &mut Cx, r: Value, len: usize, grow: bool) -> R<Option<(usize, usize)>> {
    let ends = (range::begin(r), range::end(r), range::is_exclusive(r));
    within_ends(cx, r, ends, len, grow)
}

/// `within` for the ends of a Range, or of an object that is used as one.
pub fn within_ends(
    cx: &mut Cx,
    r: Value,
    (b, e, is_exclusive): (Value, Value, bool),
    len: usize,
    grow: bool,
) -> R<Option<(usize, usize)>> {
    let len = len as i64;
    let start = if b.is_nil() { 0 } else { convert::to_i64(cx, b)? };
    let end = if e.is_nil() { -1 } else { convert::to_i64(cx, e)? };
    let exclusive = !e.is_nil() && is_exclusive;
    let from = if start < 0 { start + len } else { start };
    if from < 0 || (!grow && from > len) {
        if grow {
            let shown = call::inspect_text(cx, r)?;
            return Err(cx.range_error(&format!("{shown} out of range")));
        }
        return Ok(None);
    }
    let mut end = if end < 0 { end + len } else { end };
    if !exclusive {
        end = end.saturating_add(1);
    }
    if !grow {
        end = end.min(len);
    }
    Ok(Some((from as usize, (end - from).max(0) as usize)))
}

/// The `length` elements from `start` on; nil if they begin outside or `length` is negative.
pub fn part(cx: &mut Cx, list: Value, start: i64, length: i64) -> R {
    let len = Arr::of(list).len() as i64;
    let start = if start < 0 { start + len } else { start };
    if start < 0 || start > len || length < 0 {
        return Ok(Value::NIL);
    }
    let length = length.min(len - start);
    Ok(Arr::of(list).slice(cx, start as usize, length as usize).or_raise(cx)?.value())
}

/// `array[index] → element or nil`, `array[start, length]`, `array[range] → array or nil`: negative positions count
/// from the end; nil if the part begins outside. An arithmetic sequence such as `(0..).step(2)` selects elements.
pub fn aref(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if let Some(length) = args.opt(1) {
        let start = convert::to_i64(cx, args.at(0))?;
        let length = convert::to_i64(cx, length)?;
        return part(cx, me, start, length);
    }
    let index = args.at(0);
    if index.is_fixnum() {
        return Ok(element(me, index.fixnum_value()));
    }
    if cell::is(index, Type::Range) {
        return match within(cx, index, Arr::of(me).len(), false)? {
            // The conversion of the range's ends may have changed the array.
            Some((start, length)) => part(cx, me, start as i64, length as i64),
            None => Ok(Value::NIL),
        };
    }
    let sequence = cx.root(runtime::Root::ArithmeticSequence);
    if !sequence.is_nil() && class::is_a(cx, index, sequence) {
        let name = object::symbol::table::intern_text(cx, "__slice_of");
        let places = call::send(cx, index, name, &[me])?;
        return every(cx, me, places);
    }
    if let Some(ends) = crate::range::ends::of(cx, index)? {
        return match within_ends(cx, index, ends, Arr::of(me).len(), false)? {
            Some((start, length)) => part(cx, me, start as i64, length as i64),
            None => Ok(Value::NIL),
        };
    }
    let index = convert::to_i64(cx, index)?;
    Ok(element(me, index))
}

/// The elements at a sequence of positions, given by the first one, the distance and the count; or nil.
fn every(cx: &mut Cx, list: Value, places: Value) -> R {
    let Some(places) = Arr::from_value(places) else { return Ok(Value::NIL) };
    let number = |i: usize| places.get(i).and_then(Value::as_fixnum).unwrap_or(0);
    let (first, by, count) = (number(0), number(1), number(2));
    let elements = (0..count).map(|i| element(list, first + i * by));
    Ok(Arr::collected(cx, count as usize, elements).or_raise(cx)?.value())
}

/// `at(index) → element or nil`: the element at an index, a negative one counted from the end; nil for an index
/// outside. Unlike `[]` it accepts no Range.
pub fn at(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))?;
    Ok(element(args.me(), index))
}

/// `fetch(index)`, `fetch(index, default)`, `fetch(index) { |index| } → object`: the element at an index, a negative
/// one counted from the end. For an index outside, the block's result or the default; IndexError without either.
pub fn fetch(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if !block.is_none() && args.len() > 1 {
        warning::warn_here(cx, "block supersedes default value argument")?;
    }
    let index = convert::to_i64(cx, args.at(0))?;
    let len = Arr::of(args.me()).len() as i64;
    let at = if index < 0 { index + len } else { index };
    if (0..len).contains(&at) {
        return Ok(element(args.me(), at));
    }
    if !block.is_none() {
        return call::yield_one(cx, block, args.at(0));
    }
    match args.opt(1) {
        Some(default) => Ok(default),
        None => Err(cx.index_error(&format!("index {index} outside of array bounds: {}...{len}", -len))),
    }
}

fn count_of(cx: &mut Cx, v: Value) -> R<usize> {
    let n = convert::to_i64(cx, v)?;
    if n < 0 {
        return Err(cx.argument_error("negative array size"));
    }
    Ok(n as usize)
}

/// `first(count = nil) → element, array or nil`: the first element, nil if there is none; with `count` an array of at
/// most that many. ArgumentError for a negative count.
pub fn first(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    match args.opt(0) {
        None => Ok(Arr::of(me).get(0).unwrap_or(Value::NIL)),
        Some(count) => {
            let count = count_of(cx, count)?.min(Arr::of(me).len());
            Ok(Arr::of(me).slice(cx, 0, count).or_raise(cx)?.value())
        }
    }
}

/// `last(count = nil) → element, array or nil`: the last element, nil if there is none; with `count` an array of at
/// most that many in their order. ArgumentError for a negative count.
pub fn last(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    match args.opt(0) {
        None => Ok(element(me, -1)),
        Some(count) => {
            let count = count_of(cx, count)?.min(Arr::of(me).len());
            let start = Arr::of(me).len() - count;
            Ok(Arr::of(me).slice(cx, start, count).or_raise(cx)?.value())
        }
    }
}

/// `dig(index, *rest) → object or nil`: `self[index]`, then `dig` of the result with the remaining arguments; nil as
/// soon as a step returns nil. TypeError if a result has no `dig`.
pub fn dig(cx: &mut Cx, args: Args) -> R {
    let index = convert::to_i64(cx, args.at(0))?;
    let v = element(args.me(), index);
    dig_on(cx, v, args.from(1))
}

/// Continues digging in `v`.
pub fn dig_on(cx: &mut Cx, v: Value, rest: &[Value]) -> R {
    let (mut v, mut rest) = (v, rest);
    while let Some((key, further)) = rest.split_first()
        && let Some(next) = dig_in_plain(cx, v, *key)?
    {
        (v, rest) = (next, further);
    }
    if rest.is_empty() || v.is_nil() {
        return Ok(v);
    }
    match call::send_conversion(cx, v, sym::DIG, rest)? {
        Some(found) => Ok(found),
        None => {
            let name = runtime::error::class_name_of(cx, v);
            Err(cx.type_error(&format!("{name} does not have #dig method")))
        }
    }
}

/// One step into an instance of Array or Hash itself whose `dig` is native; `None` for anything else.
fn dig_in_plain(cx: &mut Cx, v: Value, key: Value) -> R<Option<Value>> {
    if !v.is_heap() {
        return Ok(None);
    }
    let shape = cell::header(v).shape();
    if shape == Known::Array.root_shape() && call::is_native_method(cx, v, sym::DIG) {
        let index = convert::to_i64(cx, key)?;
        return Ok(Some(element(v, index)));
    }
    if shape == Known::Hash.root_shape() && call::is_native_method(cx, v, sym::DIG) {
        return crate::hash::read::lookup(cx, v, key).map(Some);
    }
    Ok(None)
}

/// `values_at(*selectors) → array`: the elements at indices and ranges of indices, nil for positions beyond the end.
/// RangeError for a Range that begins before the first element.
pub fn values_at(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let mut result = Arr::with_capacity(cx, args.len()).or_raise(cx)?.value();
    for selector in args.all() {
        if let Some((b, e, is_exclusive)) = crate::range::ends::of(cx, *selector)? {
            let len = Arr::of(me).len();
            let start = if b.is_nil() { 0 } else { convert::to_i64(cx, b)? };
            let start = if start < 0 { start + len as i64 } else { start };
            if start < 0 {
                let shown = call::inspect_text(cx, *selector)?;
                return Err(cx.range_error(&format!("{shown} out of range")));
            }
            let end = if e.is_nil() { -1 } else { convert::to_i64(cx, e)? };
            let end = if end < 0 { end + len as i64 } else { end };
            let end = if is_exclusive && !e.is_nil() { end } else { end.saturating_add(1) };
            let (start, end) = (start as usize, end.max(start) as usize);
            let before = Arr::of(result).len();
            // Converting the ends may have changed the Array.
            let len = Arr::of(me).len();
            let part = Arr::of(me).slice(cx, start.min(len), end.min(len) - start.min(len)).or_raise(cx)?;
            if before == 0 {
                result = part.value();
            } else {
                Arr::of(result).append_all(cx, part).or_raise(cx)?;
            }
            Arr::of(result).extend_with_nil(cx, before.saturating_add(end - start)).or_raise(cx)?;
        } else {
            let index = convert::to_i64(cx, *selector)?;
            make::push(cx, result, element(me, index));
        }
    }
    Ok(result)
}

/// `take(count) → array`: the first elements, at most `count` of them. ArgumentError for a negative count.
pub fn take(cx: &mut Cx, args: Args) -> R {
    let count = convert::to_i64(cx, args.at(0))?;
    if count < 0 {
        return Err(cx.argument_error("attempt to take negative size"));
    }
    part(cx, args.me(), 0, count)
}

/// `drop(count) → array`: the elements after the first `count`. ArgumentError for a negative count.
pub fn drop(cx: &mut Cx, args: Args) -> R {
    let count = convert::to_i64(cx, args.at(0))?;
    if count < 0 {
        return Err(cx.argument_error("attempt to drop negative size"));
    }
    let len = Arr::of(args.me()).len() as i64;
    let start = count.min(len);
    part(cx, args.me(), start, len - start)
}

/// `assoc(key) → array or nil`: the first element that is an array (or has `to_ary`) whose first element equals `key`
/// by `==`.
pub fn assoc(cx: &mut Cx, args: Args) -> R {
    let mut i = 0;
    while let Some(v) = Arr::of(args.me()).get(i) {
        if let Some(pair) = convert::try_ary(cx, v)?
            && let Some(key) = pair.get(0)
            && call::equal(cx, key, args.at(0))?
        {
            return Ok(pair.value());
        }
        i += 1;
    }
    Ok(Value::NIL)
}

/// `rassoc(value) → array or nil`: the first element that is an array (or has `to_ary`) whose second element equals the
/// value by `==`.
pub fn rassoc(cx: &mut Cx, args: Args) -> R {
    let mut i = 0;
    while let Some(v) = Arr::of(args.me()).get(i) {
        if let Some(pair) = convert::try_ary(cx, v)?
            && let Some(value) = pair.get(1)
            && call::equal(cx, value, args.at(0))?
        {
            return Ok(pair.value());
        }
        i += 1;
    }
    Ok(Value::NIL)
}

/// `include?(value) → true or false`: whether an element equals the value, by the element's `==`.
pub fn include(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(equality::index_of(cx, args.me(), args.at(0), 0)?.is_some()))
}

/// The Symbol with a text.
pub fn name(cx: &mut Cx, text: &str) -> Sym {
    object::symbol::table::intern_text(cx, text)
}

/// `__range(object) → array or nil`: begin, end and whether the end is excluded, if the object is a range or responds
/// to the methods of one.
pub fn ends_of(cx: &mut Cx, args: Args) -> R {
    match crate::range::ends::of(cx, args.at(0))? {
        Some((begin, end, is_exclusive)) => Ok(make::array(cx, &[begin, end, Value::bool(is_exclusive)])),
        None => Ok(Value::NIL),
    }
}

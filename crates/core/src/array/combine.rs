//! Concatenation, repetition and set operations.

use abi::{Type, Value};
use object::{
    array::{Arr, MAX_LEN},
    cell,
    hash::HashRef,
};
use runtime::{Args, Cx, R, call, convert, error::OrRaise, keys, make};

/// Arrays of up to this length are searched element by element instead of through a table.
const SMALL: usize = 16;

/// `self + other → array`: the elements of the receiver, then those of `other`. TypeError unless `other` is an Array or
/// has `to_ary`.
pub fn plus(cx: &mut Cx, args: Args) -> R {
    let other = args.arr(cx, 0)?;
    Ok(Arr::of(args.me()).plus(cx, other).or_raise(cx)?.value())
}

/// `product(*others) → array`: all rows with one element of each Array, the last changing fastest: of a few Arrays and
/// not too many rows, because signals wait; everything else is left to the Ruby half.
pub fn product(cx: &mut Cx, args: Args) -> R {
    const MOST_LISTS: usize = 8;
    const MOST_ROWS: usize = 1 << 16;
    let width = 1 + args.len();
    if width > MOST_LISTS || !args.all().iter().all(|list| Arr::from_value(*list).is_some()) {
        return Ok(Value::UNDEF);
    }
    let list = |i: usize| Arr::of(if i == 0 { args.me() } else { args.at(i - 1) });
    let total = (0..width).try_fold(1, |total: usize, i| total.checked_mul(list(i).len()));
    let Some(total) = total.filter(|total| *total <= MOST_ROWS) else { return Ok(Value::UNDEF) };
    let rows = Arr::with_capacity(cx, total).or_raise(cx)?;
    let mut places = [0; MOST_LISTS];
    for _ in 0..total {
        let row = Arr::collected(cx, width, (0..width).map(|i| list(i).at(places[i]))).or_raise(cx)?;
        rows.push(cx, row.value()).or_raise(cx)?;
        for i in (0..width).rev() {
            places[i] += 1;
            if places[i] < list(i).len() {
                break;
            }
            places[i] = 0;
        }
    }
    Ok(rows.value())
}

/// `array * count → array`, `array * separator → string`: the elements repeated `count` times, or joined as by `join`.
/// ArgumentError for a negative or too large count.
pub fn times(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if let Some(separator) = convert::try_str(cx, args.at(0))? {
        return super::show::join_with(cx, me, separator.value());
    }
    let count = convert::to_i64(cx, args.at(0))?;
    if count < 0 {
        return Err(cx.argument_error("negative argument"));
    }
    let len = Arr::of(me).len();
    if len.checked_mul(count as usize).is_none_or(|n| n > MAX_LEN) {
        return Err(cx.argument_error("argument too big"));
    }
    let result = Arr::with_capacity(cx, len * count as usize).or_raise(cx)?;
    for _ in 0..count {
        result.append_all(cx, Arr::of(me)).or_raise(cx)?;
    }
    Ok(result.value())
}

/// So many elements of a long list tell whether most of them are different.
const SAMPLE: usize = 4096;

/// The elements as keys of a hidden Hash, each mapped to itself. A long list with few different elements gets a small
/// table.
pub fn table_of(cx: &mut Cx, list: Value) -> R {
    let made = HashRef::with_capacity(cx, Arr::of(list).len().min(SAMPLE));
    let mut table = made.map_err(|e| keys::raise_table_error(cx, e))?;
    let mut i = 0;
    while let Some(v) = Arr::of(list).get(i) {
        if i == SAMPLE && table.len() > SAMPLE / 2 {
            let more = Arr::of(list).len().saturating_sub(SAMPLE);
            let larger = HashRef::with_entries_and_room(cx, table, more);
            table = larger.map_err(|e| keys::raise_table_error(cx, e))?;
        }
        let stored = table.store_new(cx, v, v);
        keys::raise(cx, stored)?;
        i += 1;
    }
    Ok(table.value())
}

/// Whether a short list contains an element, by `eql?`.
fn in_short(cx: &mut Cx, list: Value, v: Value) -> R<bool> {
    if v.is_word() {
        return Ok(Arr::of(list).contains(v));
    }
    let mut i = 0;
    while let Some(e) = Arr::of(list).get(i) {
        if call::eql(cx, v, e)? {
            return Ok(true);
        }
        i += 1;
    }
    Ok(false)
}

fn without(cx: &mut Cx, me: Value, other: Value) -> R {
    let result = make::array(cx, &[]);
    let short = Arr::of(other).len() <= SMALL;
    let table = if short { other } else { table_of(cx, other)? };
    let mut i = 0;
    while let Some(v) = Arr::of(me).get(i) {
        let found = if short { in_short(cx, table, v)? } else { keys::get(cx, table, v)?.is_some() };
        if !found {
            make::push(cx, result, v);
        }
        i += 1;
    }
    Ok(result)
}

/// `self - other → array`: the elements that `other` does not contain, compared by `hash` and `eql?`. Repeated elements
/// stay.
pub fn minus(cx: &mut Cx, args: Args) -> R {
    let other = args.arr(cx, 0)?;
    without(cx, args.me(), other.value())
}

/// `difference(*others) → array`: the elements that none of the others contains, compared by `hash` and `eql?`.
pub fn difference(cx: &mut Cx, args: Args) -> R {
    let mut result = make::copy(cx, Arr::of(args.me()));
    for other in args.all() {
        let other = convert::to_ary(cx, *other)?;
        result = without(cx, result, other.value())?;
    }
    Ok(result)
}

fn common(cx: &mut Cx, me: Value, other: Value) -> R {
    let result = make::array(cx, &[]);
    if Arr::of(me).len() <= SMALL && Arr::of(other).len() <= SMALL {
        let mut i = 0;
        while let Some(v) = Arr::of(me).get(i) {
            if in_short(cx, other, v)? && !in_short(cx, result, v)? {
                make::push(cx, result, v);
            }
            i += 1;
        }
        return Ok(result);
    }
    let table = table_of(cx, other)?;
    let mut i = 0;
    while let Some(v) = Arr::of(me).get(i) {
        if keys::delete(cx, table, v)?.is_some() {
            make::push(cx, result, v);
        }
        i += 1;
    }
    Ok(result)
}

/// `self & other → array`: the elements that both contain, each once, in the order of the receiver. They are compared
/// by `hash` and `eql?`.
pub fn and(cx: &mut Cx, args: Args) -> R {
    let other = args.arr(cx, 0)?;
    common(cx, args.me(), other.value())
}

/// `intersection(*others) → array`: the elements that all arrays contain, each once, in the order of the receiver.
/// Without arguments: the receiver's elements, each once.
pub fn intersection(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() {
        return Ok(make::copy(cx, Arr::of(args.me())));
    }
    let mut result = args.me();
    for other in args.all() {
        let other = convert::to_ary(cx, *other)?;
        result = common(cx, result, other.value())?;
    }
    Ok(result)
}

/// `intersect?(other) → true or false`: whether both have a common element, compared by `hash` and `eql?`. The shorter
/// array becomes a table; few elements are only compared by `eql?`.
pub fn intersects(cx: &mut Cx, args: Args) -> R {
    let other = args.arr(cx, 0)?;
    let me = Arr::of(args.me());
    if me.len() <= SMALL && other.len() <= SMALL {
        let mut i = 0;
        while let Some(v) = me.get(i) {
            if in_short(cx, other.value(), v)? {
                return Ok(Value::TRUE);
            }
            i += 1;
        }
        return Ok(Value::FALSE);
    }
    let (short, long) = if me.len() > other.len() { (other, me) } else { (me, other) };
    let table = table_of(cx, short.value())?;
    let mut i = 0;
    while let Some(v) = long.get(i) {
        if keys::get(cx, table, v)?.is_some() {
            return Ok(Value::TRUE);
        }
        i += 1;
    }
    Ok(Value::FALSE)
}

/// `unique` for a short list of values that are `eql?` only to themselves; `None` for other lists.
fn unique_words(cx: &mut Cx, list: Value) -> Option<Value> {
    let elements = Arr::of(list);
    let elements = elements.elements(cx);
    if elements.len() > SMALL || !elements.iter().all(|v| v.is_word()) {
        return None;
    }
    let (mut kept, mut count) = ([Value::NIL; SMALL], 0);
    for v in elements {
        if !kept[..count].contains(v) {
            kept[count] = *v;
            count += 1;
        }
    }
    Some(make::array(cx, &kept[..count]))
}

/// The first of each set of elements that are `eql?`.
pub fn unique(cx: &mut Cx, list: Value) -> R {
    if let Some(unique) = unique_words(cx, list) {
        return Ok(unique);
    }
    if Arr::of(list).len() < 2 {
        return Ok(make::copy(cx, Arr::of(list)));
    }
    let table = table_of(cx, list)?;
    if HashRef::of(table).len() == Arr::of(list).len() {
        return Ok(make::copy(cx, Arr::of(list)));
    }
    Ok(HashRef::of(table).values(cx).or_raise(cx)?.value())
}

/// `__unique → array`: the part of `uniq` and `uniq!` without a block. Elements are compared by `hash` and `eql?`.
pub fn own_unique(cx: &mut Cx, args: Args) -> R {
    unique(cx, args.me())
}

/// The elements of all arrays, each once. Few elements are only compared by `eql?`.
fn united(cx: &mut Cx, me: Value, others: &[Value]) -> R {
    let all = make::copy(cx, Arr::of(me));
    for other in others {
        let other = convert::to_ary(cx, *other)?;
        Arr::of(all).append_all(cx, other).or_raise(cx)?;
    }
    if Arr::of(all).len() > SMALL {
        return unique(cx, all);
    }
    if let Some(unique) = unique_words(cx, all) {
        return Ok(unique);
    }
    let result = make::array(cx, &[]);
    let mut i = 0;
    while let Some(v) = Arr::of(all).get(i) {
        if !in_short(cx, result, v)? {
            make::push(cx, result, v);
        }
        i += 1;
    }
    Ok(result)
}

/// `self | other → array`: the elements of both, each once, in the order of their first occurrence.
pub fn or(cx: &mut Cx, args: Args) -> R {
    united(cx, args.me(), args.all())
}

/// `union(*others) → array`: the elements of all arrays, each once, in the order of their first occurrence.
pub fn union(cx: &mut Cx, args: Args) -> R {
    united(cx, args.me(), args.all())
}

/// `transpose → array`: rows become columns. IndexError if the rows differ in length, TypeError for an element that is
/// not an array.
pub fn transpose(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let result = make::array(cx, &[]);
    if let Some(width) = common_width(Arr::of(me)) {
        for j in 0..width {
            let rows = Arr::of(me);
            let column = (0..rows.len()).map(|i| Arr::of(rows.at(i)).at(j));
            let column = Arr::collected(cx, rows.len(), column).or_raise(cx)?;
            make::push(cx, result, column.value());
        }
        return Ok(result);
    }
    let mut width = None;
    let mut i = 0;
    while let Some(row) = Arr::of(me).get(i) {
        let row = convert::to_ary(cx, row)?;
        let len = row.len();
        if width.is_none() {
            for _ in 0..len {
                let column = make::array(cx, &[]);
                make::push(cx, result, column);
            }
            width = Some(len);
        }
        let expected = width.unwrap_or(0);
        if len != expected {
            return Err(cx.index_error(&format!("element size differs ({len} should be {expected})")));
        }
        for j in 0..len {
            let (column, v) = (Arr::of(result).at(j), row.at(j));
            make::push(cx, column, v);
        }
        i += 1;
    }
    Ok(result)
}

/// The length of all rows, if they are Arrays of one length: nothing is converted then, and no Ruby runs.
fn common_width(rows: Arr) -> Option<usize> {
    let width = |row: Value| cell::is(row, Type::Array).then(|| Arr::of(row).len());
    let first = width(rows.get(0)?)?;
    rows.iter().all(|row| width(row) == Some(first)).then_some(first)
}

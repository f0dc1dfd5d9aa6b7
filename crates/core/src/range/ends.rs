//! Fast paths of `range.rb` and `cover.rb` for ranges of numbers.

use std::cmp::Ordering;

use abi::{Type, Value};
use object::{bigint, cell, float, range, string::Str, symbol};
use runtime::{Args, Cx, R, basic_ops::BasicOp, call, make, order, sym};

/// The ends of a Range, or of an object that responds to `begin`, `end` and `exclude_end?`, and whether the end is
/// excluded. `None` for other objects, and for an arithmetic sequence, whose steps a range lacks.
pub fn of(cx: &mut Cx, v: Value) -> R<Option<(Value, Value, bool)>> {
    if cell::is(v, Type::Range) {
        return Ok(Some((range::begin(v), range::end(v), range::is_exclusive(v))));
    }
    if !cell::is(v, Type::Object) {
        return Ok(None);
    }
    let sequence = cx.root(runtime::Root::ArithmeticSequence);
    if !sequence.is_nil() && object::class::is_a(cx, v, sequence) {
        return Ok(None);
    }
    let exclude_end = symbol::table::intern_text(cx, "exclude_end?");
    let Some(begin) = call::send_conversion(cx, v, sym::BEGIN, &[])? else { return Ok(None) };
    let Some(end) = call::send_conversion(cx, v, sym::END, &[])? else { return Ok(None) };
    let Some(is_exclusive) = call::send_conversion(cx, v, exclude_end, &[])? else { return Ok(None) };
    Ok(Some((begin, end, is_exclusive.truthy())))
}

/// `first(count = nil) → object`: the lower end; calls with a count and ranges without a lower end are left to the Ruby
/// half.
pub fn first(_: &mut Cx, args: Args) -> R {
    let first = range::begin(args.me());
    Ok(if args.is_empty() && !first.is_nil() { first } else { Value::UNDEF })
}

/// `last(count = nil) → object`: the upper end; calls with a count and ranges without an upper end are left to the Ruby
/// half.
pub fn last(_: &mut Cx, args: Args) -> R {
    let last = range::end(args.me());
    Ok(if args.is_empty() && !last.is_nil() { last } else { Value::UNDEF })
}

/// `min(count = nil) → integer or nil`: for integers, nil for an empty range; anything else is left to the Ruby half.
pub fn min(cx: &mut Cx, args: Args) -> R {
    Ok(alone(cx, args).map_or(Value::UNDEF, |ends| ends.0))
}

/// `max(count = nil) → integer or nil`: for integers, nil for an empty range; anything else is left to the Ruby half.
pub fn max(cx: &mut Cx, args: Args) -> R {
    Ok(alone(cx, args).map_or(Value::UNDEF, |ends| ends.1))
}

/// `minmax → [integer, integer] or [nil, nil]`: for integers. The Ruby half calls `min` and `max`, which a subclass may
/// redefine.
pub fn minmax(cx: &mut Cx, args: Args) -> R {
    if object::cell::header(args.me()).shape() != object::Known::Range.root_shape() {
        return Ok(Value::UNDEF);
    }
    Ok(match alone(cx, args) {
        Some((min, max)) => make::array(cx, &[min, max]),
        None => Value::UNDEF,
    })
}

/// `size → integer`: the number of integers in the range; other ranges are left to the Ruby half.
pub fn size(cx: &mut Cx, args: Args) -> R {
    Ok(integers(cx, args.me()).map_or(Value::UNDEF, |(first, last)| Value::fixnum((last - first + 1).max(0))))
}

/// `count(value = nil) → integer`: like `size`; calls with a value, and ranges of other objects than integers, are left
/// to the Ruby half.
pub fn count(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() { size(cx, args) } else { Ok(Value::UNDEF) }
}

/// `sum(initial = 0) → integer`: for a range of integers, by a formula; anything else is left to the Ruby half.
pub fn sum(cx: &mut Cx, args: Args) -> R {
    let initial = args.opt(0).unwrap_or(Value::fixnum(0));
    let (Some((first, last)), Some(initial)) = (integers(cx, args.me()), initial.as_fixnum()) else {
        return Ok(Value::UNDEF);
    };
    let (first, last) = (first as i128, last as i128);
    let sum = if last < first { 0 } else { (last - first + 1) * (first + last) / 2 };
    Ok(i64::try_from(sum + initial as i128).map_or(Value::UNDEF, |n| bigint::from_i64(cx, n)))
}

/// `cover?(value)`, `===(value) → true or false`: whether the value lies between the ends, for numbers and Strings;
/// anything else is left to the Ruby half.
pub fn cover(cx: &mut Cx, args: Args) -> R {
    Ok(covers(cx, args.me(), args.at(0)))
}

/// `include?(value) → true or false`: whether a range of numbers contains the number, or one of ASCII characters a
/// String; other ranges of Strings are left to the Ruby half, which compares each element.
pub fn include(cx: &mut Cx, args: Args) -> R {
    let (me, value) = (args.me(), args.at(0));
    let (first, last) = (range::begin(me), range::end(me));
    let number = |v: Value| v.is_fixnum() || float::get(v).is_some();
    if number(first) || number(last) {
        return Ok(covers(cx, me, value));
    }
    if let (Some(first), Some(last), Some(value)) = (letter(first), letter(last), Str::from_value(value)) {
        return Ok(match letter(value.value()) {
            // Like in CRuby, the last one is included even if it is below the first.
            Some(letter) => {
                Value::bool((first..last).contains(&letter) || (letter == last && !range::is_exclusive(me)))
            }
            None if value.encoding().is_ascii_compatible() && value.len() != 1 => Value::FALSE,
            None => Value::UNDEF,
        });
    }
    Ok(Value::UNDEF)
}

/// The character of a String of a single one in ASCII.
fn letter(v: Value) -> Option<u8> {
    let s = Str::from_value(v).filter(|s| s.len() == 1 && s.encoding().is_ascii_compatible())?;
    s.byte(0).filter(u8::is_ascii)
}

/// `overlap?(other) → true or false`: whether two ranges of integers have an integer in common, each with at least one
/// end; anything else is left to the Ruby half.
pub fn overlap(cx: &mut Cx, args: Args) -> R {
    let other = args.at(0);
    if !object::cell::is(other, Type::Range) {
        return Ok(Value::UNDEF);
    }
    let (Some((a, b)), Some((c, d))) = (bounds(cx, args.me()), bounds(cx, other)) else {
        return Ok(Value::UNDEF);
    };
    Ok(Value::bool(a <= b && c <= d && a <= d && c <= b))
}

/// The first and the last integer of a range, without limit where it has no end; `None` without small ends, and if the
/// program has redefined their order.
fn bounds(cx: &Cx, r: Value) -> Option<(i64, i64)> {
    let (first, last) = (range::begin(r), range::end(r));
    let has_order = cx.vm().redefinitions().integer & BasicOp::Compare.bit() == 0;
    if !has_order || first.is_nil() && last.is_nil() {
        return None;
    }
    let exclusive = i64::from(range::is_exclusive(r));
    Some((
        if first.is_nil() { i64::MIN } else { first.as_fixnum()? },
        if last.is_nil() { i64::MAX } else { last.as_fixnum()? - exclusive },
    ))
}

/// The first and the last integer of a range with small ends, the last below the first if it is empty; `None` for other
/// ends, and if the program has redefined their order.
fn integers(cx: &Cx, r: Value) -> Option<(i64, i64)> {
    let (first, last) = bounds(cx, r).filter(|_| !range::begin(r).is_nil() && !range::end(r).is_nil())?;
    // The number of integers must be small as well.
    Value::try_fixnum(last.checked_sub(first)?.checked_add(1)?)?;
    Some((first, last))
}

/// The smallest and the largest integer, nil if there is none; `None` if there are arguments or other ends.
fn alone(cx: &Cx, args: Args) -> Option<(Value, Value)> {
    let (first, last) = if args.is_empty() { integers(cx, args.me())? } else { return None };
    if last < first {
        return Some((Value::NIL, Value::NIL));
    }
    Some((Value::fixnum(first), Value::try_fixnum(last)?))
}

/// Whether the value lies between the ends; undef if only the Ruby half can decide.
fn covers(cx: &Cx, r: Value, value: Value) -> Value {
    let redefined = cx.vm().redefinitions();
    let (first, last) = (range::begin(r), range::end(r));
    if first.is_nil() && last.is_nil() {
        return Value::UNDEF;
    }
    if !first.is_nil() {
        match order::known_order(redefined, first, value) {
            Some(Ordering::Greater) => return Value::FALSE,
            Some(_) => {}
            None => return Value::UNDEF,
        }
    }
    if last.is_nil() {
        return Value::TRUE;
    }
    match order::known_order(redefined, value, last) {
        Some(Ordering::Equal) => Value::bool(!range::is_exclusive(r)),
        Some(order) => Value::bool(order == Ordering::Less),
        None => Value::UNDEF,
    }
}

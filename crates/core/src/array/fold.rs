//! Fast paths of `fold.rb` and `search.rb` for calls without a block.

use std::cmp::Ordering;

use abi::Value;
use object::{Known, Sym, array::Arr, cell, string::Str};
use runtime::{
    Args, Cx, R, equality,
    error::OrRaise,
    intrinsics::folds,
    make,
    order::{Keys, Plain},
};

/// `min(count = nil) → element or nil`: the smallest element by `<=>`, the first of equal ones, or an Array of the
/// `count` smallest ones. ArgumentError if two elements do not compare.
pub fn min(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() { folds::extreme(cx, args.me(), Ordering::Less) } else { some_extremes(cx, args, false) }
}

/// `max(count = nil) → element or nil`: the largest element by `<=>`, the first of equal ones, or an Array of the
/// `count` largest ones. ArgumentError if two elements do not compare.
pub fn max(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() { folds::extreme(cx, args.me(), Ordering::Greater) } else { some_extremes(cx, args, true) }
}

/// A few of many Integers or Strings, sorted, without sorting the others; everything else is left to the Ruby half,
/// which sorts all elements.
fn some_extremes(cx: &mut Cx, args: Args, largest: bool) -> R {
    let list = Arr::of(args.me());
    let count = args.at(0).as_fixnum().and_then(|count| usize::try_from(count).ok()).unwrap_or(0);
    if count == 0 || count > list.len() / 2 {
        return Ok(Value::UNDEF);
    }
    let order: fn(&Value, &Value) -> Ordering = match Keys::of(cx, list.elements(cx)) {
        Some(Keys::Single(Plain::Integers)) => |a, b| a.fixnum_value().cmp(&b.fixnum_value()),
        Some(Keys::Single(Plain::Strings)) => |a, b| Str::of(*a).compare(Str::of(*b)),
        _ => return Ok(Value::UNDEF),
    };
    if count <= SOME {
        let (few, found) =
            extremes_of(list.elements(cx), count, |a, b| if largest { order(b, a) } else { order(a, b) });
        return Ok(make::array(cx, &few[..found]));
    }
    let few = Arr::of(make::copy(cx, list));
    let select = |values: &mut [Value]| {
        let wanted = |a: &Value, b: &Value| if largest { order(b, a) } else { order(a, b) };
        values.select_nth_unstable_by(count - 1, wanted);
        values[..count].sort_unstable_by(wanted);
    };
    few.permute(cx, select).or_raise(cx)?;
    Ok(few.slice(cx, 0, count).or_raise(cx)?.value())
}

/// Up to this number, the first elements in the order are gathered while the list is read.
const SOME: usize = 16;

/// The first `count` elements in the order, sorted, and their number.
fn extremes_of(list: &[Value], count: usize, order: impl Fn(&Value, &Value) -> Ordering) -> ([Value; SOME], usize) {
    let (mut few, mut found) = ([Value::NIL; SOME], 0);
    for v in list {
        if found == count && order(v, &few[count - 1]).is_ge() {
            continue;
        }
        found = (found + 1).min(count);
        let mut at = found - 1;
        while at > 0 && order(v, &few[at - 1]).is_lt() {
            few[at] = few[at - 1];
            at -= 1;
        }
        few[at] = *v;
    }
    (few, found)
}

/// `minmax → [element, element]`: the smallest and the largest element by `<=>`, nil for an empty array. ArgumentError
/// if two elements do not compare.
pub fn minmax(cx: &mut Cx, args: Args) -> R {
    let min = folds::extreme(cx, args.me(), Ordering::Less)?;
    let max = folds::extreme(cx, args.me(), Ordering::Greater)?;
    Ok(make::array(cx, &[min, max]))
}

/// `sum(initial = 0) → object`: `initial` and the elements added with `+`; floats with Kahan's compensation. TypeError
/// as raised by `+`.
pub fn sum(cx: &mut Cx, args: Args) -> R {
    folds::sum(cx, args.me(), args.opt(0).unwrap_or(Value::fixnum(0)))
}

/// `any?(pattern = nil) → true or false`: whether an element is truthy, or with a pattern whether `pattern === element`
/// holds for one.
pub fn any(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(folds::any(cx, args.me(), args.get(0), true)?))
}

/// `all?(pattern = nil) → true or false`: whether all elements are truthy, or with a pattern whether
/// `pattern === element` holds for all.
pub fn all(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!folds::any(cx, args.me(), args.get(0), false)?))
}

/// `none?(pattern = nil) → true or false`: whether no element is truthy, or with a pattern whether
/// `pattern === element` holds for none.
pub fn none(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(!folds::any(cx, args.me(), args.get(0), true)?))
}

/// `count(value = nil) → integer`: the number of elements equal to the value by `==`; without a value the number of all
/// elements.
pub fn count(cx: &mut Cx, args: Args) -> R {
    match args.opt(0) {
        Some(v) => folds::count_of(cx, args.me(), v),
        None => Ok(Value::fixnum(Arr::of(args.me()).len() as i64)),
    }
}

/// `inject(initial, operator) → object`: the frequent case of plain elements and a Symbol; anything else is left to the
/// Ruby half.
pub fn inject(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let (initial, operator) = match args.len() {
        1 => (Arr::of(me).get(0), args.at(0)),
        2 => (Some(args.at(0)), args.at(1)),
        _ => return Ok(Value::UNDEF),
    };
    if !is_plain(me) || !operator.is_static_symbol() {
        return Ok(Value::UNDEF);
    }
    let Some(initial) = initial else { return Ok(Value::NIL) };
    folds::fold(cx, me, (args.len() == 1) as usize, initial, Sym::of(operator))
}

/// `find_index(value = nil) → integer or nil`: the index of the first element that equals the value by `==`; calls
/// without a value are left to the Ruby half.
pub fn find_index(cx: &mut Cx, args: Args) -> R {
    let Some(v) = args.opt(0) else { return Ok(Value::UNDEF) };
    Ok(equality::index_of(cx, args.me(), v, 0)?.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

/// `rindex(value) → integer or nil`: the index of the last element that equals the value by `==`; everything else is
/// left to the Ruby half.
pub fn rindex(cx: &mut Cx, args: Args) -> R {
    let Some(v) = args.opt(0) else { return Ok(Value::UNDEF) };
    Ok(equality::last_index_of(cx, args.me(), v)?.map_or(Value::NIL, |at| Value::fixnum(at as i64)))
}

/// `delete(value) → nil` if no element equals the value, and all compare without running Ruby; everything else is left
/// to the Ruby half.
pub fn delete(cx: &mut Cx, args: Args) -> R {
    let redefined = cx.vm().redefinitions();
    let differs = |element: &Value| equality::known_equal(redefined, *element, args.at(0)) == Some(false);
    Ok(if Arr::of(args.me()).elements(cx).iter().all(differs) { Value::NIL } else { Value::UNDEF })
}

/// `fill(value) → self`: replaces all elements by the value; everything else is left to the Ruby half.
pub fn fill(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    if args.len() != 1 {
        return Ok(Value::UNDEF);
    }
    cx.check_frozen(me)?;
    Arr::of(me).fill(cx, 0, Arr::of(me).len(), args.at(0)).or_raise(cx)?;
    Ok(me)
}

/// Whether the value is an instance of Array itself, for which no subclass redefines `each`.
fn is_plain(v: Value) -> bool {
    cell::header(v).shape() == Known::Array.root_shape()
}

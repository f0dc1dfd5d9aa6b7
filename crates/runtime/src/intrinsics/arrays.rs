//! Arrays: primitives of the Ruby half of Array and Enumerable.

use std::cmp::Ordering;

use abi::Value;
use object::{Known, Sym, array::Arr, cell};

use super::{folds, rows, sorting};
use crate::{Cx, R, basic_ops::BasicOp, convert, equality, error::OrRaise};

#[inline(always)]
pub fn length(_: &mut Cx, [list]: [Value; 1]) -> Value {
    Value::fixnum(Arr::of(list).len() as i64)
}

#[inline(always)]
pub fn element_or_undef(_: &mut Cx, [list, index]: [Value; 2]) -> Value {
    Arr::of(list).get(at(index)).unwrap_or(Value::UNDEF)
}

#[inline(always)]
pub fn push(cx: &mut Cx, [list, v]: [Value; 2]) -> R {
    Arr::of(list).push(cx, v).or_raise(cx)?;
    Ok(list)
}

pub fn set(cx: &mut Cx, [list, index, v]: [Value; 3]) -> R {
    Arr::of(list).set(cx, at(index), v).or_raise(cx)?;
    Ok(v)
}

pub fn add_to_floats(cx: &mut Cx, [sum, v]: [Value; 2]) -> R {
    folds::add_to_floats(cx, Arr::of(sum), v).map(Value::bool)
}

pub fn truncate(cx: &mut Cx, [list, length]: [Value; 2]) -> Value {
    if at(length) < Arr::of(list).len() {
        Arr::of(list).truncate(cx, at(length));
    }
    list
}

pub fn with_capacity(cx: &mut Cx, [capacity]: [Value; 1]) -> R {
    Ok(Arr::with_capacity(cx, capacity.as_fixnum().unwrap_or(0).clamp(0, 1 << 20) as usize).or_raise(cx)?.value())
}

pub fn pack_values(_: &mut Cx, [values]: [Value; 1]) -> Value {
    let list = Arr::of(values);
    match list.len() {
        0 => Value::NIL,
        1 => list.at(0),
        _ => values,
    }
}

pub fn sum(cx: &mut Cx, [list, initial]: [Value; 2]) -> R {
    folds::sum(cx, list, initial)
}

pub fn fold(cx: &mut Cx, [list, index, memo, operation]: [Value; 4]) -> R {
    folds::fold(cx, list, at(index), memo, Sym::of(operation))
}

pub fn min(cx: &mut Cx, [list]: [Value; 1]) -> R {
    folds::extreme(cx, list, Ordering::Less)
}

pub fn max(cx: &mut Cx, [list]: [Value; 1]) -> R {
    folds::extreme(cx, list, Ordering::Greater)
}

pub fn lesser_number(cx: &mut Cx, [first, second]: [Value; 2]) -> Value {
    extreme_number(cx, BasicOp::Min, first, second, Ordering::Less)
}

pub fn greater_number(cx: &mut Cx, [first, second]: [Value; 2]) -> Value {
    extreme_number(cx, BasicOp::Max, first, second, Ordering::Greater)
}

fn extreme_number(cx: &Cx, op: BasicOp, first: Value, second: Value, wanted: Ordering) -> Value {
    let redefined = cx.vm().redefinitions();
    if !is_own(cx, op) || (redefined.integer | redefined.float) & BasicOp::Compare.bit() != 0 {
        return Value::UNDEF;
    }
    let order = match (number(first), number(second)) {
        _ if first.both_fixnum(second) => Some(second.fixnum_value().cmp(&first.fixnum_value())),
        (Some(first), Some(second)) => second.partial_cmp(&first),
        _ => None,
    };
    match order {
        None => Value::UNDEF,
        Some(order) if order == wanted => second,
        Some(_) => first,
    }
}

/// The value of a Float, or of a small integer that a double represents exactly.
fn number(v: Value) -> Option<f64> {
    const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;
    match v.as_fixnum() {
        Some(n) => (n.unsigned_abs() <= EXACT).then_some(n as f64),
        None => object::float::get(v),
    }
}

pub fn literal_min(cx: &mut Cx, [list]: [Value; 1]) -> R {
    if is_own(cx, BasicOp::Min) { folds::extreme_of_literal(cx, list, Ordering::Less) } else { Ok(Value::UNDEF) }
}

pub fn literal_max(cx: &mut Cx, [list]: [Value; 1]) -> R {
    if is_own(cx, BasicOp::Max) { folds::extreme_of_literal(cx, list, Ordering::Greater) } else { Ok(Value::UNDEF) }
}

/// Whether the program left this operation of Array alone.
fn is_own(cx: &Cx, op: BasicOp) -> bool {
    cx.vm().redefinitions().array & op.bit() == 0
}

pub fn any(cx: &mut Cx, [list, pattern, wanted]: [Value; 3]) -> R<bool> {
    folds::any(cx, list, pattern, wanted.truthy())
}

pub fn index_of(cx: &mut Cx, [list, v, from]: [Value; 3]) -> R {
    Ok(index(equality::index_of(cx, list, v, at(from))?))
}

pub fn last_index_of(cx: &mut Cx, [list, v]: [Value; 2]) -> R {
    Ok(index(equality::last_index_of(cx, list, v)?))
}

pub fn count_of(cx: &mut Cx, [list, v]: [Value; 2]) -> R {
    folds::count_of(cx, list, v)
}

pub fn sort_by_keys(cx: &mut Cx, [values, keys]: [Value; 2]) -> R {
    sorting::by_keys(cx, values, keys)
}

/// Completes `select!` and similar methods, also after their block raised: elements not visited yet move up behind the
/// kept ones.
pub fn close_gap(cx: &mut Cx, [list, kept, index]: [Value; 3]) -> R<bool> {
    let (kept, index) = (at(kept), at(index).min(Arr::of(list).len()));
    if kept >= index {
        return Ok(false);
    }
    if cell::frozen(list) {
        return Err(cx.frozen_error(list));
    }
    Arr::of(list).splice(cx, kept, index - kept, &[]).or_raise(cx)?;
    Ok(true)
}

pub fn to_h(cx: &mut Cx, [list]: [Value; 1]) -> R {
    folds::to_h(cx, list)
}

pub fn tally(cx: &mut Cx, [list]: [Value; 1]) -> R {
    folds::tally(cx, list)
}

pub fn next_row(cx: &mut Cx, [list, state, kind]: [Value; 3]) -> R {
    rows::next(cx, list, state, kind.fixnum_value())
}

pub fn zip(cx: &mut Cx, [list, lists]: [Value; 2]) -> R {
    rows::zip(cx, list, lists)
}

/// Moves elements up; returns the index after them. Ruby code may have shortened the Array in the meantime.
pub fn move_up(cx: &mut Cx, [list, to, from, end]: [Value; 4]) -> R {
    let (to, from) = (at(to), at(from));
    let end = at(end).min(Arr::of(list).len());
    if from >= end {
        return Ok(Value::fixnum(to as i64));
    }
    if to < from {
        Arr::of(list).permute(cx, |elements| elements.copy_within(from..end, to)).or_raise(cx)?;
    }
    Ok(Value::fixnum((to + end - from) as i64))
}

pub fn fill(cx: &mut Cx, [list, start, length, v]: [Value; 4]) -> R {
    Arr::of(list).fill(cx, at(start), at(length), v).or_raise(cx)?;
    Ok(list)
}

pub fn each_is_own(cx: &mut Cx, [list]: [Value; 1]) -> bool {
    super::has_each_of_class(cx, list, Known::Array)
}

/// The maximum number of elements of an Array.
const ARRAY_MAX: i64 = 0x0fff_ffff_ffff_ffff;

/// Array#initialize except for the calls of its block: returns how often the block is to be called.
pub fn prepare(cx: &mut Cx, [me, size, value, block]: [Value; 4]) -> R {
    let block = block.truthy();
    cx.check_frozen(me)?;
    if size.is_undef() {
        if block {
            crate::warning::warn_here(cx, "given block not used")?;
        }
        Arr::of(me).clear(cx);
        return Ok(Value::fixnum(0));
    }
    if value.is_undef()
        && !size.is_fixnum()
        && let Some(list) = convert::try_ary(cx, size)?
    {
        Arr::of(me).replace(cx, list).or_raise(cx)?;
        return Ok(Value::fixnum(0));
    }
    let size = convert::to_i64(cx, size)?;
    if size < 0 {
        return Err(cx.argument_error("negative array size"));
    }
    if size > ARRAY_MAX {
        return Err(cx.argument_error("array size too big"));
    }
    Arr::of(me).clear(cx);
    if !block {
        let value = if value.is_undef() { Value::NIL } else { value };
        Arr::of(me).fill(cx, 0, size as usize, value).or_raise(cx)?;
        return Ok(Value::fixnum(0));
    }
    if !value.is_undef() {
        crate::warning::warn_here(cx, "block supersedes default value argument")?;
    }
    // Reserves all at once, because moving many elements to a larger buffer causes a long pause. Pages are committed
    // when they are accessed.
    Arr::of(me).reserve(cx, size.min(1 << 27) as usize).or_raise(cx)?;
    Ok(Value::fixnum(size))
}

/// An index computed by the Ruby half.
#[inline(always)]
fn at(index: Value) -> usize {
    index.fixnum_value() as usize
}

fn index(at: Option<usize>) -> Value {
    at.map_or(Value::NIL, |at| Value::fixnum(at as i64))
}

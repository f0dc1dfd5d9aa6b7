//! Rows of elements: combinations, permutations, products, `zip`.
//!
//! A state is an internal Array of fixnums, the indices of the next row. It is emptied after the last row.

use abi::Value;
use object::array::Arr;

use crate::{Cx, R, error::OrRaise};

/// How a state advances to the next row.
#[derive(Clone, Copy)]
enum Kind {
    Combination,
    RepeatedCombination,
    RepeatedPermutation,
    /// All indices in their present order, the first of which form the row; then, for each place of a row, the number
    /// of elements that are still to come there.
    Permutation,
    /// The list is a list of lists, each of which contributes one element.
    Product,
}

const KINDS: [Kind; 5] =
    [Kind::Combination, Kind::RepeatedCombination, Kind::RepeatedPermutation, Kind::Permutation, Kind::Product];

/// Returns the row for the state and advances the state. Nil after the last row.
pub fn next(cx: &mut Cx, list: Value, state: Value, kind: i64) -> R {
    let (kind, len) = (KINDS[kind as usize], Arr::of(list).len());
    if Arr::of(state).is_empty() {
        return Ok(Value::NIL);
    }
    let width = Arr::of(state).len() - if matches!(kind, Kind::Permutation) { len } else { 0 };
    let (from, at) = (Arr::of(list), Arr::of(state));
    let places = at.iter().take(width).map(|place| place.fixnum_value() as usize);
    let row = match kind {
        Kind::Product => {
            let picked = places.enumerate().map(|(i, place)| element(from.at(i), place));
            Arr::collected(cx, width, picked)
        }
        _ => Arr::collected(cx, width, places.map(|place| element(list, place))),
    };
    let row = row.or_raise(cx)?;
    let mut more = false;
    Arr::of(state)
        .permute(cx, |state| {
            more = match kind {
                Kind::Combination => advance_combination(state, len),
                Kind::RepeatedCombination => advance_repeated_combination(state, len),
                Kind::RepeatedPermutation => count_up(state, |_| len),
                Kind::Permutation => advance_permutation(state, len),
                Kind::Product => count_up(state, |i| Arr::of(from.at(i)).len()),
            }
        })
        .or_raise(cx)?;
    if !more {
        Arr::of(state).truncate(cx, 0);
    }
    Ok(row.value())
}

fn element(list: Value, place: usize) -> Value {
    Arr::of(list).get(place).unwrap_or(Value::NIL)
}

fn number(v: Value) -> usize {
    v.fixnum_value() as usize
}

fn place(n: usize) -> Value {
    Value::fixnum(n as i64)
}

/// Advances strictly ascending indices below `len`.
fn advance_combination(at: &mut [Value], len: usize) -> bool {
    let width = at.len();
    let Some(i) = (0..width).rev().find(|i| number(at[*i]) != len - width + i) else { return false };
    let first = number(at[i]) + 1;
    for (j, at) in at[i..].iter_mut().enumerate() {
        *at = place(first + j);
    }
    true
}

/// Advances ascending indices below `len` that may repeat.
fn advance_repeated_combination(at: &mut [Value], len: usize) -> bool {
    let Some(i) = at.iter().rposition(|v| number(*v) != len - 1) else { return false };
    let next = place(number(at[i]) + 1);
    at[i..].fill(next);
    true
}

/// Advances counters with limits; the last one counts fastest.
fn count_up(at: &mut [Value], limit: impl Fn(usize) -> usize) -> bool {
    for i in (0..at.len()).rev() {
        let next = number(at[i]) + 1;
        if next < limit(i) {
            at[i] = place(next);
            return true;
        }
        at[i] = place(0);
    }
    false
}

fn advance_permutation(state: &mut [Value], len: usize) -> bool {
    let (places, left) = state.split_at_mut(len);
    for i in (0..left.len()).rev() {
        let still = number(left[i]) - 1;
        if still > 0 {
            left[i] = place(still);
            places.swap(i, len - still);
            return true;
        }
        places[i..].rotate_left(1);
        left[i] = place(len - i);
    }
    false
}

/// `array.zip(*lists)`: each row has one element of each list, nil if a list is shorter.
pub fn zip(cx: &mut Cx, list: Value, lists: Value) -> R {
    let len = Arr::of(list).len();
    let width = 1 + Arr::of(lists).len();
    let result = Arr::with_capacity(cx, len).or_raise(cx)?;
    for i in 0..len {
        let row = (0..width).map(|j| if j == 0 { element(list, i) } else { element(element(lists, j - 1), i) });
        let row = Arr::collected(cx, width, row).or_raise(cx)?;
        result.push(cx, row.value()).or_raise(cx)?;
    }
    Ok(result.value())
}

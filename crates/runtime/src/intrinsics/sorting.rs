//! Sorting by keys.

use abi::Value;
use object::{array::Arr, payload::Exhausted};

use crate::{Cx, R, Unwind, error::OrRaise, make, order::Keys};

/// Why sorting stopped.
enum Failure {
    Exhausted(Exhausted),
    Raised(Unwind),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Failure {
        Failure::Exhausted(exhausted)
    }
}

/// The elements of `values` in the order of their `keys`.
pub fn by_keys(cx: &mut Cx, values: Value, key_list: Value) -> R {
    let len = Arr::of(values).len();
    let keys = Arr::of(key_list);
    if let Some(kind) = Keys::of(cx, keys.elements(cx)) {
        let order = kind.sorted(cx, keys.elements(cx));
        return picked(cx, values, order.into_iter());
    }
    let indices = make::array(cx, &[]);
    for i in 0..len {
        make::push(cx, indices, Value::fixnum(i as i64));
    }
    let sorted = Arr::of(indices).sorted_by(cx, |cx, i, j| {
        let (a, b) = (key_at(key_list, i), key_at(key_list, j));
        crate::call::compare(cx, a, b).map_err(Failure::Raised)
    });
    let sorted = match sorted {
        Ok(sorted) => sorted,
        Err(Failure::Raised(unwind)) => return Err(unwind),
        Err(Failure::Exhausted(exhausted)) => return Err::<Value, _>(exhausted).or_raise(cx),
    };
    picked(cx, values, sorted.iter().map(|i| i.fixnum_value() as usize))
}

/// The elements of `values` at these indices.
fn picked(cx: &mut Cx, values: Value, places: impl Iterator<Item = usize>) -> R {
    let len = Arr::of(values).len();
    let elements = places.map(|i| Arr::of(values).get(i).unwrap_or(Value::NIL));
    Ok(Arr::collected(cx, len, elements).or_raise(cx)?.value())
}

fn key_at(list: Value, i: Value) -> Value {
    Arr::of(list).get(i.fixnum_value() as usize).unwrap_or(Value::NIL)
}

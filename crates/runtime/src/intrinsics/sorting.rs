//! Sorting by keys.

use abi::Value;
use object::{array::Arr, payload::Exhausted};

use crate::{
    Cx, R, Unwind,
    basic_ops::BasicOp,
    make::{self, OrRaise},
};

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
    let len = Arr(values).len();
    let redefined = cx.vm().redefined.integer & BasicOp::Compare.bit() != 0;
    let result = make::array(cx, &[]);
    Arr(result).reserve(cx, len).or_raise(cx)?;
    if !redefined && Arr(key_list).elements().iter().all(|v| v.is_fixnum()) {
        let mut order: Vec<(i64, usize)> =
            Arr(key_list).elements().iter().enumerate().map(|(i, v)| (v.fixnum_value(), i)).collect();
        order.sort_unstable();
        for (_, i) in order {
            make::push(cx, result, Arr(values).elements()[i]);
        }
        return Ok(result);
    }
    let indices = make::array(cx, &[]);
    for i in 0..len {
        make::push(cx, indices, Value::fixnum(i as i64));
    }
    let sorted = Arr(indices).sorted_by(cx, |cx, i, j| {
        let (a, b) = (key_at(key_list, i), key_at(key_list, j));
        super::collections::compare(cx, a, b).map_err(Failure::Raised)
    });
    let sorted = match sorted {
        Ok(sorted) => sorted,
        Err(Failure::Raised(unwind)) => return Err(unwind),
        Err(Failure::Exhausted(exhausted)) => return Err::<Value, _>(exhausted).or_raise(cx),
    };
    for i in sorted.elements() {
        make::push(cx, result, key_at(values, *i));
    }
    Ok(result)
}

fn key_at(list: Value, i: Value) -> Value {
    Arr(list).get(i.fixnum_value() as usize).unwrap_or(Value::NIL)
}

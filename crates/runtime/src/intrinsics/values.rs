//! Small helpers of compiled code.

use abi::Value;
use object::{array::Arr, string::Str};

use crate::{Cx, frozen};

pub fn string_origin(cx: &mut Cx, [s, frozen]: [Value; 2]) -> Value {
    frozen::set_origin(cx, s);
    if frozen.truthy() {
        Str::of(s).freeze();
    }
    s
}

#[inline(always)]
pub fn is_undef(_: &mut Cx, [v]: [Value; 1]) -> bool {
    v.is_undef()
}

pub fn undef(_: &mut Cx, []: [Value; 0]) -> Value {
    Value::UNDEF
}

pub fn next_index(_: &mut Cx, [index]: [Value; 1]) -> Value {
    Value::fixnum(index.fixnum_value() + 1)
}

pub fn is_same(_: &mut Cx, [a, b]: [Value; 2]) -> bool {
    a == b
}

pub fn source_encoding(cx: &mut Cx, [number]: [Value; 1]) -> Value {
    let lists = cx.root(crate::Root::Encodings);
    if lists.is_nil() {
        return Value::NIL;
    }
    Arr::of(lists).get(number.fixnum_value() as usize).unwrap_or(Value::NIL)
}

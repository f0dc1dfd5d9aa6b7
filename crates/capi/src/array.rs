//! Arrays.

use abi::Value;
use object::{array::Arr, cell};
use runtime::{Cx, R, convert, error::OrRaise, make};

use crate::{
    border::{Place, pin, send},
    given,
};

/// The Array, checked that it may be changed.
#[inline(always)]
fn changeable(cx: &mut Cx, v: Value) -> R<Arr> {
    let Some(list) = Arr::from_value(v) else {
        let class = runtime::error::class_name_of(cx, v);
        return Err(cx.type_error(&format!("wrong argument type {class} (expected Array)")));
    };
    if cell::frozen(v) {
        return Err(cx.frozen_error(v));
    }
    Ok(list)
}

pub fn rb_ary_new(cx: &mut Cx) -> R {
    Ok(Arr::empty(cx).value())
}

pub fn rb_ary_new_capa(cx: &mut Cx, capacity: i64) -> R {
    if capacity < 0 {
        return Err(cx.argument_error("negative array size (or size too big)"));
    }
    if capacity > i64::MAX / 8 {
        return Err(cx.argument_error("array size too big"));
    }
    Ok(Arr::with_capacity(cx, capacity as usize).or_raise(cx)?.value())
}

pub fn rb_ary_tmp_new(cx: &mut Cx, capacity: i64) -> R {
    rb_ary_new_capa(cx, capacity)
}

pub fn rb_ary_hidden_new(cx: &mut Cx, capacity: i64) -> R {
    rb_ary_new_capa(cx, capacity)
}

pub fn rb_ary_new_from_values(cx: &mut Cx, count: i64, values: *const Value) -> R {
    let values = given::slice(count.max(0) as usize, values);
    if values.is_empty() {
        return Ok(Arr::empty(cx).value());
    }
    Ok(Arr::new(cx, values).or_raise(cx)?.value())
}

pub fn rb_assoc_new(cx: &mut Cx, a: Value, b: Value) -> R {
    Ok(Arr::pair(cx, a, b).value())
}

pub fn rb_check_array_type(cx: &mut Cx, v: Value) -> R {
    Ok(convert::try_ary(cx, v)?.map_or(Value::NIL, Arr::value))
}

pub fn rb_ary_to_ary(cx: &mut Cx, v: Value) -> R {
    match convert::try_ary(cx, v)? {
        Some(list) => Ok(list.value()),
        None => Ok(make::array(cx, &[v])),
    }
}

#[inline(always)]
pub fn quick_rb_ary_push(cx: &mut Cx, list: Value, v: Value) -> Option<Value> {
    let array = Arr::from_value(list).filter(|_| !cell::frozen(list))?;
    array.push_in_place(cx, v).then_some(list)
}

pub fn rb_ary_push(cx: &mut Cx, list: Value, v: Value) -> R {
    let array = changeable(cx, list)?;
    array.push(cx, v).or_raise(cx)?;
    Ok(list)
}

pub fn rb_ary_cat(cx: &mut Cx, list: Value, values: *const Value, count: i64) -> R {
    let array = changeable(cx, list)?;
    array.append(cx, given::slice(count.max(0) as usize, values)).or_raise(cx)?;
    Ok(list)
}

pub fn rb_ary_pop(cx: &mut Cx, list: Value) -> R {
    let array = changeable(cx, list)?;
    Ok(array.pop(cx).unwrap_or(Value::NIL))
}

pub fn rb_ary_shift(cx: &mut Cx, list: Value) -> R {
    let array = changeable(cx, list)?;
    Ok(array.shift(cx).unwrap_or(Value::NIL))
}

pub fn rb_ary_unshift(cx: &mut Cx, list: Value, v: Value) -> R {
    let array = changeable(cx, list)?;
    array.unshift(cx, &[v]).or_raise(cx)?;
    Ok(list)
}

pub fn rb_ary_store(cx: &mut Cx, list: Value, index: i64, v: Value) -> R<()> {
    let array = changeable(cx, list)?;
    let len = array.len() as i64;
    let at = if index < 0 { index + len } else { index };
    if at < 0 {
        return Err(cx.index_error(&format!("index {index} too small for array; minimum: -{len}")));
    }
    if at >= i64::MAX / 8 {
        return Err(cx.index_error(&format!("index {index} too big")));
    }
    array.set(cx, at as usize, v).or_raise(cx)
}

pub fn rb_ary_aref(cx: &mut Cx, count: i32, argv: *const Value, list: Value) -> R {
    send(cx, list, "[]", given::values(count, argv))
}

pub fn rb_ary_subseq(cx: &mut Cx, list: Value, start: i64, len: i64) -> R {
    let array = Arr::of(list);
    let all = array.len() as i64;
    if start > all || start < 0 || len < 0 {
        return Ok(Value::NIL);
    }
    Ok(array.slice(cx, start as usize, len.min(all - start) as usize).or_raise(cx)?.value())
}

pub fn rb_ary_dup(cx: &mut Cx, list: Value) -> R {
    Ok(Arr::of(list).dup(cx).or_raise(cx)?.value())
}

pub fn rb_ary_resurrect(cx: &mut Cx, list: Value) -> R {
    rb_ary_dup(cx, list)
}

pub fn rb_ary_join(cx: &mut Cx, list: Value, separator: Value) -> R {
    send(cx, list, "join", &[separator])
}

pub fn rb_ary_rotate(cx: &mut Cx, list: Value, count: i64) -> R {
    send(cx, list, "rotate!", &[Value::fixnum(count)])
}

pub fn rb_ary_concat(cx: &mut Cx, list: Value, other: Value) -> R {
    send(cx, list, "concat", &[other])
}

/// Deletes equal elements; nil if there are none.
pub fn rb_ary_delete(cx: &mut Cx, list: Value, v: Value) -> R {
    send(cx, list, "delete", &[v])
}

pub fn rb_ary_delete_at(cx: &mut Cx, list: Value, index: i64) -> R {
    let is_there = {
        let len = Arr::of(list).len() as i64;
        index < len && index >= -len
    };
    if is_there { send(cx, list, "delete_at", &[Value::fixnum(index)]) } else { Ok(Value::NIL) }
}

pub fn rb_ary_each(cx: &mut Cx, list: Value) -> R {
    let block = Place::now().block();
    runtime::call::send_with_block(cx, list, runtime::sym::EACH, &[], block)
}

pub fn rb_ary_freeze(cx: &mut Cx, list: Value) -> R {
    send(cx, list, "freeze", &[])
}

pub fn rb_ary_shared_with_p(cx: &mut Cx, a: Value, b: Value) -> Value {
    let (a, b) = (Arr::of(a), Arr::of(b));
    Value::bool(
        a.is_shared() && b.is_shared() && a.elements(cx).as_ptr() == b.elements(cx).as_ptr() && a.len() == b.len(),
    )
}

pub fn rb_ary_resize(cx: &mut Cx, list: Value, len: i64) -> R {
    let array = changeable(cx, list)?;
    if len >= i64::MAX / 8 {
        return Err(cx.index_error(&format!("index {len} too big")));
    }
    let len = len.max(0) as usize;
    if len < array.len() {
        array.truncate(cx, len);
    } else {
        array.extend_with_nil(cx, len).or_raise(cx)?;
    }
    Ok(list)
}

pub fn rb_ary_modify(cx: &mut Cx, list: Value) -> R<()> {
    let array = changeable(cx, list)?;
    array.make_own(cx).or_raise(cx)
}

pub fn rb_ary_free(_: &mut Cx, _: Value) {}

pub fn rb_ary_detransient(_: &mut Cx, _: Value) {}

pub fn rb_mem_clear(start: *mut Value, count: i64) {
    given::slice_mut(count.max(0) as usize, start).fill(Value::NIL);
}

pub fn beni_array_const_pointer(cx: &mut Cx, list: Value) -> *const Value {
    match Arr::from_value(pin(list)) {
        Some(list) => list.elements(cx).as_ptr(),
        None => std::ptr::null(),
    }
}

/// The address of elements that C may change; the collector scans them in every collection.
pub fn beni_array_pointer(cx: &mut Cx, list: Value) -> R<*mut Value> {
    let array = Arr::of(pin(list));
    if !cell::frozen(list) {
        array.make_own(cx).or_raise(cx)?;
        array.changed_outside(cx);
    }
    Ok(array.elements(cx).as_ptr().cast_mut())
}

pub fn beni_array_written(cx: &mut Cx, list: Value) {
    Arr::of(list).changed_outside(cx);
}

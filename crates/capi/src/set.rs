//! Sets.

use std::ffi::c_void;

use abi::Value;
use runtime::{Cx, R, convert};

use crate::border::{Place, call_words, send, send_to};

pub fn rb_set_new(cx: &mut Cx) -> R {
    send_to(cx, "Set", "new", &[])
}

pub fn rb_set_new_capa(cx: &mut Cx, _: usize) -> R {
    send_to(cx, "Set", "new", &[])
}

pub fn rb_set_lookup(cx: &mut Cx, set: Value, v: Value) -> R<bool> {
    Ok(send(cx, set, "include?", &[v])?.truthy())
}

/// Adds an object; returns whether it was added.
pub fn rb_set_add(cx: &mut Cx, set: Value, v: Value) -> R<bool> {
    Ok(send(cx, set, "add?", &[v])?.truthy())
}

/// Deletes an object; returns whether it was present.
pub fn rb_set_delete(cx: &mut Cx, set: Value, v: Value) -> R<bool> {
    Ok(send(cx, set, "delete?", &[v])?.truthy())
}

pub fn rb_set_size(cx: &mut Cx, set: Value) -> R<usize> {
    let size = send(cx, set, "size", &[])?;
    Ok(convert::to_i64(cx, size)? as usize)
}

pub fn rb_set_foreach(cx: &mut Cx, set: Value, function: *const c_void, data: Value) -> R<()> {
    let place = Place::now();
    let list = send(cx, set, "to_a", &[])?;
    for v in object::array::Arr::of(list).iter() {
        match call_words(cx, function, &[v.0, data.0], place, None)?.0 as i32 {
            1 => break,
            2 => drop(send(cx, set, "delete", &[v])?),
            _ => {}
        }
    }
    Ok(())
}

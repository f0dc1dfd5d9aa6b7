//! The remains of an object that was moved to another Ractor.

use abi::{Flags, Header, ShapeId, Type, Value};

use crate::{Mem, array::Arr, attachment, cell, hash::HashRef, native, shape::ivars::has_own_fields};

/// Empties the cell and gives it `shape`, that of Ractor::MovedObject's instances, frozen.
///
/// Native code further up the stack may still use it as its former type: it finds an empty string, array, hash or
/// structure.
pub fn leave(cx: &mut Mem, v: Value, shape: ShapeId) {
    let header = cell::header(v);
    let ty = header.ty();
    match ty {
        Type::Array => Arr::of(v).clear(cx),
        Type::Hash if !HashRef::of(v).is_iterating() => HashRef::of(v).clear(cx),
        _ => {}
    }
    if !has_own_fields(ty) && header.has(Flags::ATTACHED) {
        attachment::set_variables(cx, v, Value::NIL);
        attachment::set_id(cx, v, Value::NIL);
    }
    let kept = cell::header(v).flags() & (Flags::ATTACHED | Flags::ADDRESS_TAKEN);
    // A cell with a native box keeps an empty one, so that the heap's list of such cells stays valid.
    let ty = if native::has_box(v) { ty } else { Type::Object };
    if ty == Type::Object {
        for word in 1..heap::Mutator::cell_size(v) / 8 {
            // SAFETY: within the cell; undef is no reference.
            unsafe { cell::set_raw(v, word, Value::UNDEF.0) };
        }
    }
    cell::set_header(v, Header::new(ty, shape, kept | Flags::FROZEN));
}

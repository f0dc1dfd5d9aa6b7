//! Moved messages: the receiver gets the contents, the sender keeps a Ractor::MovedObject.

use abi::{Flags, Type};
use object::{
    array::Arr,
    attachment, cell, class,
    hash::{self, HashRef},
    moved, native, range,
    shape::ivars,
    string::Str,
    structure,
    symbol::table::intern_text,
};
use runtime::{
    Cx, R, Value,
    concurrency::sharing,
    error::OrRaise,
    error::{self, ErrorClass},
    keys, make,
};

use super::copy::replace_children;
use crate::{io::data::IoData, object::copy};

/// Moves an object and all unshareable objects that it refers to, so that the sender cannot access them any more.
///
/// # Errors
/// Ractor::Error "can not move … object."; nothing was moved then.
pub fn take(cx: &mut Cx, v: Value) -> R {
    if sharing::is_shareable(cx, v) {
        return Ok(v);
    }
    let seen = sharing::Seen::new(cx, v);
    let mut i = 0;
    while let Some(inner) = seen.get(i) {
        if !sharing::is_shareable(cx, inner) {
            check(cx, inner)?;
            seen.add_children(cx, inner);
        }
        i += 1;
    }
    let known = hash::new_identity(cx);
    let new = moved_object(cx, v, known)?;
    leave_all(cx, known);
    Ok(new)
}

/// Whether the object can be moved. Most native objects that refer to others cannot.
fn check(cx: &mut Cx, v: Value) -> R<()> {
    let can = match cell::header(v).ty() {
        Type::Object => !sharing::is_never_shared(cx, v),
        Type::Exception | Type::String | Type::Array | Type::Struct | Type::Range | Type::Match => true,
        Type::Hash => !HashRef::of(v).is_iterating(),
        Type::Native => native::get::<IoData>(&v).is_some(),
        Type::Regexp => true,
        _ => false,
    };
    if can {
        return Ok(());
    }
    let class = error::class_name_of(cx, v);
    Err(cx.raise(ErrorClass::RactorError, &format!("can not move {class} object.")))
}

/// The new object with the contents of `v`; `known` maps the originals to their new objects.
fn moved_object(cx: &mut Cx, v: Value, known: Value) -> R {
    if sharing::is_shareable(cx, v) {
        return Ok(v);
    }
    let there = hash::identity_get(known, v);
    if !there.is_undef() {
        return Ok(there);
    }
    cx.check_native_stack()?;
    let new = twin(cx, v)?;
    hash::identity_store(cx, known, v, new);
    replace_children(cx, new, &mut |cx, child| moved_object(cx, child, known))?;
    Ok(new)
}

/// An object of the same class with the same contents, singleton methods and id. Runs no Ruby.
fn twin(cx: &mut Cx, v: Value) -> R {
    let class = class::real_class(cx, v);
    let shape = class::root_shape(class);
    let new = match cell::header(v).ty() {
        Type::String => Str::of(v).dup(cx).value(),
        Type::Array => Arr::of(v).dup(cx).or_raise(cx)?.value(),
        Type::Hash => HashRef::of(v).dup(cx).map_err(|failure| keys::raise_table_error(cx, failure))?.value(),
        Type::Struct => structure::dup(cx, v).or_raise(cx)?,
        Type::Range => {
            let new = range::allocate(cx);
            range::initialize(cx, new, range::begin(v), range::end(v), range::is_exclusive(v));
            new
        }
        ty @ (Type::Object | Type::Exception) => ivars::new_object(cx, ty, shape),
        _ => native::take_box(cx, v, class).unwrap_or(Value::NIL),
    };
    cell::set_header(new, cell::header(new).with_shape(shape));
    ivars::copy(cx, v, new);
    copy::copy_singleton(cx, v, new);
    let id = if cell::header(v).has(Flags::ATTACHED) { attachment::id(cx, v) } else { Value::NIL };
    if !id.is_nil() {
        attachment::set_id(cx, new, id);
    }
    if cell::frozen(v) {
        cell::set_header(new, cell::header(new).with(Flags::FROZEN));
    }
    Ok(new)
}

/// Replaces the originals by Ractor::MovedObjects.
fn leave_all(cx: &mut Cx, known: Value) {
    let class = cx.root(runtime::Root::RactorMovedObject);
    // From here on, native code may find MovedObjects, whose class does not have the core methods of these operators.
    for name in ["!", "!=", "=="] {
        let name = intern_text(cx, name);
        runtime::basic_ops::method_changed(cx, class, name);
    }
    let shape = class::root_shape(class);
    let old = make::array(cx, &[]);
    for (key, _) in HashRef::of(known).entries() {
        make::push(cx, old, key);
    }
    let mut i = 0;
    while let Some(v) = Arr::of(old).get(i) {
        moved::leave(cx, v, shape);
        i += 1;
    }
}

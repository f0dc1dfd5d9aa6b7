//! Classes and modules: their tables, ancestors and lookup.

pub mod ancestors;
pub mod call_cache;
pub mod class_variables;
pub mod constant_watch;
pub mod constants;
pub mod data;
pub mod known_classes;
pub mod lookup;
pub mod make;
pub mod recent;
pub mod refined;
pub mod reliance;

pub use data::{
    ClassData, ClassFlags, attached, class_data, class_data_mut, flags, instances, name, own_allocator, refined,
    root_shape, superclass,
};
pub use known_classes::Classes;
pub use make::{learn_field_count, new_class, new_module, singleton_class};

use abi::{Type, Value};

use crate::{Known, Mem, cell};

/// The class in which `v`'s methods are looked up: its singleton class, if it has one.
#[inline(always)]
pub fn class_of(cx: &Mem, v: Value) -> Value {
    if v.is_heap() { cx.world().shapes.class(cell::header(v).shape()) } else { cx.class(immediate_class(v)) }
}

/// The class of an immediate.
#[inline]
pub fn immediate_class(v: Value) -> Known {
    if v.is_fixnum() {
        Known::Integer
    } else if v.is_flonum() {
        Known::Float
    } else if v.is_static_symbol() {
        Known::Symbol
    } else if v.is_nil() {
        Known::NilClass
    } else if v == Value::TRUE {
        Known::TrueClass
    } else {
        Known::FalseClass
    }
}

/// The mask and the bits by which compiled code recognizes immediates that have this number instead of a shape.
pub fn immediate_of_key(shape: u32) -> Option<(u64, u64)> {
    const ALL: u64 = u64::MAX;
    let key = |known: Known| known as u32;
    match shape {
        _ if shape == key(Known::Integer) => Some((1, 1)),
        _ if shape == key(Known::Float) => Some((3, 2)),
        _ if shape == key(Known::Symbol) => Some((0xff, 0x0c)),
        _ if shape == key(Known::NilClass) => Some((ALL, Value::NIL.0)),
        _ if shape == key(Known::TrueClass) => Some((ALL, Value::TRUE.0)),
        _ if shape == key(Known::FalseClass) => Some((ALL, Value::FALSE.0)),
        _ => None,
    }
}

/// The result of `v.class`: the first class that is not a singleton class.
pub fn real_class(cx: &Mem, v: Value) -> Value {
    non_singleton(class_of(cx, v))
}

/// `class` or its nearest superclass that is not a singleton class.
pub fn non_singleton(class: Value) -> Value {
    let mut class = class;
    while data::flags(class).singleton {
        class = data::superclass(class);
    }
    class
}

/// Whether `v` is a class or module.
#[inline]
pub fn is_module(v: Value) -> bool {
    v.is_heap() && matches!(cell::header(v).ty(), Type::Class | Type::Module)
}

#[inline]
pub fn is_class(v: Value) -> bool {
    cell::is(v, Type::Class)
}

/// `v.is_a?(module)`
#[inline]
pub fn is_a(cx: &Mem, v: Value, module: Value) -> bool {
    let class = class_of(cx, v);
    class == module || cx.world().recent_kinds.inherits(class, module)
}

/// [`is_a`] for an object of the heap, in a walk over all objects.
pub fn is_object_a(world: &crate::context::World, object: Value, module: Value) -> bool {
    let class = world.shapes.class(cell::header(object).shape());
    class == module || world.recent_kinds.inherits(class, module)
}

/// Whether `v` is an instance of a known class or of a subclass.
pub fn is_known(cx: &Mem, v: Value, known: Known) -> bool {
    is_a(cx, v, cx.class(known))
}

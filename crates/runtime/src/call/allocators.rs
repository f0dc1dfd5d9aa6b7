//! Which classes have an `allocate` of their own.

use abi::{BlockHandler, Value};
use object::{class::class_data, shape::ivars};

use crate::{Cx, R, call};

/// The native `allocate`, own or inherited, that creates the class's instances; undef for plain objects.
pub fn own(class: Value) -> Value {
    let mut at = class;
    while !at.is_nil() {
        let data = class_data(at);
        if !data.own_allocator.0.is_undef() {
            return data.own_allocator.0;
        }
        at = data.superclass;
    }
    Value::UNDEF
}

/// An instance created by such an `allocate`.
pub fn run(cx: &mut Cx, allocator: Value, class: Value) -> R {
    call::call_entry(cx, allocator, class, &[], None, BlockHandler::NONE)
}

/// A plain object of a class.
pub fn plain(cx: &mut Cx, class: Value) -> Value {
    let data = class_data(class);
    ivars::new_object(cx, data.instances, data.root_shape)
}

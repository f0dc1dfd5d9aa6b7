//! Which classes have an `allocate` of their own.

use abi::Value;
use object::{class, shape::ivars};

use crate::Cx;

/// The native `allocate`, own or inherited, that creates the class's instances; undef for plain objects.
pub fn own(class: Value) -> Value {
    let mut at = class;
    while !at.is_nil() {
        let allocator = class::own_allocator(at);
        if !allocator.is_undef() {
            return allocator;
        }
        at = class::superclass(at);
    }
    Value::UNDEF
}

/// A plain object of a class.
pub fn plain(cx: &mut Cx, class: Value) -> Value {
    ivars::new_object(cx, class::instances(class), class::root_shape(class))
}

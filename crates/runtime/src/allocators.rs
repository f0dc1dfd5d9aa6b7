//! Which classes have an `allocate` of their own.

use abi::Value;
use object::{class, method_entry};

use crate::{Cx, sym};

/// Does the class (or one above it) make its instances by a native `allocate` other than Class#allocate?
pub fn has_own(cx: &mut Cx, class: Value) -> bool {
    let singleton = class::class_of(cx, class);
    let entry = class::lookup::find_method(cx, singleton, sym::ALLOCATE);
    !entry.is_undef()
        && method_entry::kind(entry) == method_entry::Kind::Native
        && method_entry::owner(entry) != cx.class(object::Known::Class)
}

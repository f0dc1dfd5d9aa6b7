//! Set: all of it in Ruby, upon a Hash that programs do not see.

use object::{Known, class};
use runtime::{Cx, define, internal};

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let set = define::define_class(cx, object, "Set", object);
    cx.set_root("Set", set);
    let enumerable = cx.root("Enumerable");
    class::ancestors::include(cx, set, enumerable).expect("a module of its own");
    internal::load(cx, runtime::ruby_half!("set/set")).expect("Set runs");
    crate::enumerator::hide_in(cx, set, &["__table_of", "__like", "__each_of", "__flatten_into"]);
}

//! Enumerable: all of it in Ruby, upon `each`.

use object::{Known, class};
use runtime::{Cx, define, internal};

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Enumerable");
    cx.set_root("Enumerable", module);
    for known in [Known::Array, Known::Hash, Known::Range, Known::Struct, Known::Enumerator] {
        let class = cx.class(known);
        class::ancestors::include(cx, class, module).expect("a module of its own");
    }
    internal::load(cx, runtime::ruby_half!("enumerable/enumerable")).expect("Enumerable runs");
}

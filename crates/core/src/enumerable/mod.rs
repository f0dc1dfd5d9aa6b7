//! Enumerable: entirely in Ruby, on top of `each`.

use object::{Known, class};
use runtime::{Cx, define, internal};

const RUBY: &[&[u8]] = &[
    runtime::ruby_half!("enumerable/iterate"),
    runtime::ruby_half!("enumerable/transform"),
    runtime::ruby_half!("enumerable/search"),
    runtime::ruby_half!("enumerable/fold"),
    runtime::ruby_half!("enumerable/chunks"),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "Enumerable");
    cx.set_root(runtime::Root::Enumerable, module);
    for known in [Known::Array, Known::Hash, Known::Range, Known::Struct, Known::Enumerator] {
        let class = cx.class(known);
        class::ancestors::include(cx, class, module).expect("a module of its own");
    }
    internal::load_all(cx, RUBY).expect("the Ruby half of Enumerable runs");
    crate::enumerator::hide_in(cx, module, &["__matches?", "__order"]);
}

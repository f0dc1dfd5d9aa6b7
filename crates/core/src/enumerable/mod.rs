//! Enumerable: in Ruby, on top of `each`. Children: `direct` (fast paths for Sets).

mod direct;

use object::{Known, class};
use runtime::{Cx, Method, define, internal};

const METHODS: &[Method] = &[
    Method::new("min(count = nil)", direct::min).shortcut(),
    Method::new("max(count = nil)", direct::max).shortcut(),
    Method::new("minmax", direct::minmax).shortcut(),
    Method::new("sum(initial = 0)", direct::sum).shortcut(),
];

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
    define::define_methods(cx, module, METHODS);
    internal::load_all(cx, RUBY).expect("the Ruby half of Enumerable runs");
    crate::enumerator::hide_in(cx, module, &["__matches?", "__order", "__to_set", "__sorted", "__known_size"]);
}

//! Set: entirely in Ruby, on a Hash that programs do not see.

use object::{Known, class, hash::HashRef, shape::ivars, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, allocators, define, internal};

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let set = define::define_class(cx, object, "Set", object);
    cx.set_root("Set", set);
    let enumerable = cx.root("Enumerable");
    class::ancestors::include(cx, set, enumerable).expect("a module of its own");
    define::define_singleton_methods(cx, set, SINGLETON);
    internal::load(cx, runtime::ruby_half!("set/set")).expect("Set runs");
    crate::enumerator::hide_in(cx, set, &["__table_of", "__empty", "__like", "__each_of", "__flatten_into"]);
}

/// `Set.allocate → set`: an empty one, so that it is one even if the `initialize` of a subclass does not call `super`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let set = allocators::plain(cx, args.me());
    let (name, table) = (intern_text(cx, "__table"), HashRef::new(cx).value());
    ivars::set_hidden(cx, set, name, table);
    Ok(set)
}

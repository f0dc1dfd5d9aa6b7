//! Enumerator and its nested classes, in Ruby.

use abi::Value;
use object::{
    Known, class as classes,
    method_entry::{self, Entry, Visibility},
};
use runtime::{Cx, define, internal};

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Enumerator);
    for name in ["Generator", "Yielder"] {
        let object = cx.class(Known::Object);
        let made = define::define_class(cx, class, name, object);
        if name == "Generator" {
            let enumerable = cx.root(runtime::Root::Enumerable);
            classes::ancestors::include(cx, made, enumerable).expect("a module of its own");
        }
    }
    for name in ["Lazy", "Chain", "Product", "ArithmeticSequence"] {
        let made = define::define_class(cx, class, name, class);
        if name == "ArithmeticSequence" {
            cx.set_root(runtime::Root::ArithmeticSequence, made);
        }
    }
    internal::load(cx, runtime::ruby_half!("enumerator/enumerator")).expect("Enumerator runs");
    internal::load(cx, runtime::ruby_half!("enumerator/lazy")).expect("Enumerator::Lazy runs");
    internal::load(cx, runtime::ruby_half!("enumerator/arithmetic_sequence")).expect("ArithmeticSequence runs");
    for (inner, names) in [("Lazy", &["__step"][..]), ("ArithmeticSequence", &["__at", "__slice_of"])] {
        let object = cx.class(Known::Object);
        let inner = define::define_class(cx, class, inner, object);
        hide_in(cx, inner, names);
        if names.contains(&"__at") {
            let singleton = classes::singleton_class(cx, inner);
            define::undefine(cx, singleton, "new");
            classes::class_data_mut(cx, inner).flags.no_allocator = true;
        }
    }
}

/// Makes helpers of the Ruby half private.
pub fn hide_in(cx: &mut Cx, class: Value, names: &[&str]) {
    for name in names {
        let name = object::symbol::table::intern_text(cx, name);
        let entry = classes::lookup::own_method(class, name);
        let hidden = Entry { visibility: Visibility::Private, ..method_entry::read(entry) };
        let hidden = method_entry::new(cx, hidden);
        classes::lookup::add_method(cx, class, name, hidden);
    }
}

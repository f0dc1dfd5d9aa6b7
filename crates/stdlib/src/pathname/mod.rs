//! Pathname: the native part of the library's `pathname.rb`, in Ruby.

use runtime::{Cx, R, define, internal};

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(object::Known::Object);
    define::define_class(cx, object, "Pathname", object);
    internal::load(cx, runtime::ruby_half!("pathname/pathname"))
}

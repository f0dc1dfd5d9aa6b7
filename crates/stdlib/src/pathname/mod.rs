//! Pathname: the native part of the standard library's `pathname.rb`, written in Ruby.

use runtime::{Cx, R, internal, library};

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(object::Known::Object);
    library::class(cx, object, "Pathname", object)?;
    internal::load(cx, runtime::ruby_half!("pathname/pathname"))
}

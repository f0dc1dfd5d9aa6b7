//! Pathname, a core class: its methods are written in Ruby. The library's `pathname.rb` adds those that need other
//! libraries.

use runtime::{Cx, R, internal, library};

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(object::Known::Object);
    library::class(cx, object, "Pathname", object)?;
    internal::load(cx, runtime::ruby_half!("pathname/pathname"))?;
    internal::load(cx, runtime::ruby_half!("pathname/lexical"))
}

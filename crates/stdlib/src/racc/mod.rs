//! racc/cparse: the runtime of racc's parsers, in Ruby.

use runtime::{Cx, R, internal};

pub fn define(cx: &mut Cx) -> R<()> {
    internal::load(cx, runtime::ruby_half!("racc/racc"))
}

//! What rubygems is told of Beni: where its gems are.

use runtime::{Cx, R, internal};

/// `rubygems/defaults/beni`, which rubygems asks for while it loads.
pub fn define(cx: &mut Cx) -> R<()> {
    internal::load(cx, runtime::ruby_half!("rubygems/rubygems"))
}

//! Beni's configuration for rubygems: the folders with gems.

use runtime::{Cx, R, internal};

/// `rubygems/defaults/beni`, which rubygems requires while it loads.
pub fn define(cx: &mut Cx) -> R<()> {
    internal::load(cx, runtime::ruby_half!("rubygems/rubygems"))
}

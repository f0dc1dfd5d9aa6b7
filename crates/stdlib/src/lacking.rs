//! Libraries that cannot work yet, and would only be half loaded: who asks for them gets a LoadError, and can do without.

use runtime::{Cx, R, error::ErrorClass};

/// power_assert reads source with ripper. test-unit and others do without it when it cannot be loaded, not when it is there in part.
pub fn power_assert(cx: &mut Cx) -> R<()> {
    Err(cx.raise(ErrorClass::LoadError, "cannot load such file -- power_assert (it needs ripper, which Beni lacks)"))
}

//! Encoding::Converter.

use runtime::{Cx, Value};

/// Makes the class.
pub fn define(_: &mut Cx, _: Value) {}

//! The native parts of the standard library: a folder a library.

#![forbid(unsafe_code)]

use runtime::vm::NativeFeature;

/// What `require` finds here, and what makes it.
pub const FEATURES: &[NativeFeature] = &[];

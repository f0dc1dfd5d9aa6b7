//! The native parts of the standard library: a folder a library.

#![forbid(unsafe_code)]

mod escape;
mod etc;
mod monitor;
mod rbconfig;
mod stringio;
mod strscan;

use runtime::vm::NativeFeature;

/// What `require` finds here, and what makes it.
pub const FEATURES: &[NativeFeature] = &[
    ("rbconfig", rbconfig::define),
    ("stringio", stringio::define),
    ("strscan", strscan::define),
    ("monitor", monitor::define),
    ("etc", etc::define),
    ("erb/escape", escape::define_erb),
    ("cgi/escape", escape::define_cgi),
];

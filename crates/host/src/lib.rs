//! Every call that Beni makes to the operating system; nothing above this crate knows which one runs it.
//!
//! - [`errno`]: the error of every call here, with names and messages.
//! - [`memory`]: address space and pages.

pub mod errno;
pub mod memory;

pub use errno::{Errno, Result};

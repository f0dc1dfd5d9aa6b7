//! Memory from the system: address space, pages, and what is known about both.
//!
//! - [`files`]: files as memory.
//! - [`pages`]: reserving, mapping, protecting, growing and giving back ranges of pages.
//! - [`usage`]: how much this process uses and may use.

mod files;
mod pages;
mod usage;

pub use files::*;
pub use pages::*;
pub use usage::*;

//! Memory from the system: address space, pages, and their usage.
//!
//! - [`files`]: files as memory.
//! - [`pages`]: reserving, mapping, protecting, growing and returning ranges of pages.
//! - [`usage`]: usage and limits of this process.

mod files;
mod pages;
mod usage;

pub use files::*;
pub use pages::*;
pub use usage::*;

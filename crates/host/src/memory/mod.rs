//! Memory from the system: address space, pages, and their usage.
//!
//! - [`code`]: memory for machine code.
//! - [`files`]: files as memory.
//! - [`pages`]: reserving, mapping, protecting, growing and returning ranges of pages.
//! - [`usage`]: usage and limits of this process.

mod code;
mod files;
mod pages;
mod usage;

pub use code::*;
pub use files::*;
pub use pages::*;
pub use usage::*;

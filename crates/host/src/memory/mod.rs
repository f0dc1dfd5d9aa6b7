//! Memory from the system: address space, pages, and their usage.
//!
//! - [`allocator`]: the allocator of native memory, with a reserve.
//! - [`binary`]: the mapped pages of the binary.
//! - [`code`]: memory for machine code.
//! - [`files`]: files as memory.
//! - [`parser`]: the allocator of the parser, with a reserve for each parse.
//! - [`pages`]: reserving, mapping, protecting, growing and returning ranges of pages.
//! - [`usage`]: usage and limits of this process.

mod allocator;
mod binary;
mod code;
mod files;
mod pages;
mod parser;
mod usage;

pub use allocator::Allocator;
pub use binary::forget_constants;
pub use code::*;
pub use files::*;
pub use pages::*;
pub use parser::ParserReserve;
pub use usage::*;

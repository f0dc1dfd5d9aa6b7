//! File names as text: splitting, joining, expanding, matching, without access to the file system.

mod braces;
mod expand;
mod fnmatch;
mod parts;

pub use braces::brace_expand;
pub use expand::{Environment, ExpandError, expand_path, is_absolute};
pub use fnmatch::{MatchFlags, fnmatch};
pub use parts::{basename, dirname, extname, join, split};

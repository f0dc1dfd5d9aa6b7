//! Files, directories and their descriptors. Paths are bytes.
//!
//! - [`descriptor`]: opening, reading, writing, duplicating, locking, closing.
//! - [`control`]: the constants of `fcntl`.
//! - [`path`]: operations on files by name.
//! - [`status`]: the status of a file.
//! - [`directory`]: the names in a directory.
//! - [`copy`]: copying between descriptors inside the kernel.

pub mod control;
pub mod copy;
pub mod descriptor;
pub mod directory;
pub mod path;
pub mod status;

pub use control::*;
pub use copy::*;
pub use descriptor::*;
pub use directory::*;
pub use path::*;
pub use status::*;

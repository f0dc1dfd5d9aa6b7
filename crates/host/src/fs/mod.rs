//! Files, directories and the descriptors that stand for them. Paths are bytes.
//!
//! - [`descriptor`]: opening, reading, writing, duplicating, locking, closing.
//! - [`control`]: the constants of `fcntl`.
//! - [`path`]: what is done to files by name.
//! - [`status`]: what is known about a file.
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

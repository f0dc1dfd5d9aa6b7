//! The data of Strings: bytes with an encoding, shared until one side changes.
//!
//! - `layout`: the layout; tracing, sizes.
//! - `create`: new Strings.
//! - `share`: copies and slices that share bytes.
//! - `change`: all changes of bytes.
//! - `meaning`: encoding, code range, comparison, hash.
//! - `join`: concatenation, and the resulting encoding.
//! - `range`: the code range of a String that changes.
//! - `intern`: the weak table of frozen Strings.

mod change;
mod create;
pub mod intern;
mod join;
mod layout;
mod meaning;
mod range;
mod share;

pub use intern::InternTable;
pub use join::{JoinError, shared_encoding};
pub use layout::{CHILLED_NAME, LOCKED, Representation, Str, bytes, trace};
pub use meaning::hash_bytes;

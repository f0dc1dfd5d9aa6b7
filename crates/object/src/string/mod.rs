//! The data of Strings: bytes with an encoding, shared until one side changes.
//!
//! - `layout`: the layout; tracing, sizes.
//! - `create`: new Strings.
//! - `held`: snapshots of the bytes, for code that runs Ruby while it reads them.
//! - `share`: copies and slices that share bytes.
//! - `change`: all changes of bytes.
//! - `content`: encoding, code range, comparison, hash.
//! - `join`: concatenation, and the resulting encoding.
//! - `native`: bytes whose address C has.
//! - `range`: the code range of a String that changes.
//! - `room`: room for bytes that a system call writes.
//! - `intern`: the weak table of frozen Strings.

mod change;
mod content;
mod create;
mod held;
pub mod intern;
mod join;
mod layout;
mod native;
mod range;
mod room;
mod share;

pub use content::hash_bytes;
pub use held::Held;
pub use intern::InternTable;
pub use join::JoinError;
pub use layout::{CHILLED_NAME, LOCKED, Representation, Str, for_code, trace};
pub use room::Room;

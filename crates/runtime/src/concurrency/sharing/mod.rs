//! Making objects shareable between Ractors. Children: `freeze` (objects), `isolate` (blocks, which are detached from
//! the scopes around them).

mod freeze;
mod isolate;

pub use freeze::make_shareable;
pub use isolate::{check_eval, for_ractor, shareable_copy};

pub use crate::isolation::shareable::{NEVER_SHARED, Seen, children, is_never_shared, is_shareable};

//! Upper, lower, title and folded case, and case-insensitive comparison.

mod compare;
mod map;
mod options;
mod unicode;

pub use compare::{casecmp, casecmp_p};
pub use map::{CaseError, CaseMapping, changes_ascii, map_ascii, map_case};
pub use options::{CaseOptionError, CaseOptions};

//! Users, groups, and facts about the machine: what `Etc` shows.
//!
//! - [`database`]: users and groups.
//! - [`machine`]: names, processors, the values of `sysconf` and `confstr`.
//! - [`names`]: the numbers that those two take.

pub mod database;
pub mod machine;
pub mod names;

pub use database::*;
pub use machine::*;
pub use names::CONFIGURATION_NAMES;

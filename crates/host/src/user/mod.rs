//! Users, groups, and facts about the machine, for `Etc`.
//!
//! - [`database`]: users and groups.
//! - [`machine`]: names, processors, the values of `sysconf` and `confstr`.
//! - [`names`]: the numbers of configuration values.

pub mod database;
pub mod machine;
pub mod names;

pub use database::*;
pub use machine::*;
pub use names::CONFIGURATION_NAMES;

//! Formats of other tools, one file each.

pub mod collapsed;
pub mod firefox;
pub mod pprof;
pub mod speedscope;

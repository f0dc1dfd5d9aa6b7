//! Formats of other tools, one file per format.

pub mod collapsed;
pub mod firefox;
pub mod pprof;
pub mod speedscope;

//! Signals: their names, recording them for a safepoint, and faults.
//!
//! - [`names`]: numbers and names.
//! - [`pending`]: handlers that record, and what they recorded.
//! - [`disposition`]: what a signal does; dying by one; holding them back.
//! - [`fault`]: bad memory accesses: guard pages and crash reports.

pub mod disposition;
pub mod fault;
pub mod names;
pub mod pending;

pub use disposition::*;
pub use names::*;
pub use pending::*;

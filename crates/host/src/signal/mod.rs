//! Signals: their names, recording them for a safepoint, and faults.
//!
//! - [`names`]: numbers and names.
//! - [`pending`]: handlers that record signals.
//! - [`disposition`]: dispositions; dying by a signal; blocking signals.
//! - [`fault`]: memory faults: guard pages and crash reports.
//! - [`report`]: where crash reports are written.
//! - [`sampling`]: the signal of a profiler.

pub mod disposition;
pub mod fault;
pub mod names;
pub mod pending;
pub mod report;
pub mod sampling;

pub use disposition::*;
pub use names::*;
pub use pending::*;

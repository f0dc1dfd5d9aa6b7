//! The data of a VM and its threads, which all other files work on, and the roots of the collector.

pub mod cx;
pub mod frame_id;
pub(crate) mod global_table;
pub(crate) mod happening;
pub mod named_roots;
pub(crate) mod pool;
pub mod repeated_sources;
pub mod roots;
pub mod stack;
pub mod trace;
pub mod unwind;
pub mod vm;

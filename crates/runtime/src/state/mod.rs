//! The data of a VM and its threads, which all other files work on, and the roots of the collector.
//!
//! A context and the VM refer to each other, and so does what the VM holds for both (`global_table`, `extensions`,
//! `sampling`). Below them are the types of their fields; above them `frames`, `safepoint`, `ractor`, `roots`,
//! `trace` and `unwinding`.

pub mod attention;
pub mod cx;
pub(crate) mod deep_recursion;
mod extensions;
pub(crate) mod fiber;
pub mod frame_id;
pub mod frames;
pub(crate) mod global_table;
pub(crate) mod happening;
pub(crate) mod lock;
pub mod named_roots;
pub(crate) mod native_stack;
pub(crate) mod natives;
pub(crate) mod parking;
pub(crate) mod pool;
pub(crate) mod ractor;
pub mod repeated_sources;
pub mod roots;
mod safepoint;
pub(crate) mod sampling;
pub mod stack;
pub mod stack_sizes;
pub mod trace;
pub mod unwind;
mod unwinding;
pub mod vm;

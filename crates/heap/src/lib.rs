//! The collected heap: allocation, collection, write barrier, roots, weak references, statistics.
//!
//! `docs/heap.md` describes it. In short: [`Heap`] is the shared part; [`Mutator`] is a thread's view of it, which
//! allocates; tracing functions pass references to a [`Marker`]. The heap does not know the layout of any Ruby type:
//! see [`TypeInfo`].

mod allocate;
mod barrier;
mod bits;
mod buffer;
mod buffers;
mod classes;
mod clear;
mod collect;
mod compact;
mod control;
mod counters;
mod dead_stack;
mod extents;
pub mod for_code;
mod full;
mod heap;
mod hooks;
mod large;
mod layout;
mod lists;
mod mark;
mod marker;
mod minor;
mod moving;
mod mutator;
mod options;
mod pauses;
mod region;
mod request;
mod roots;
mod sampling;
mod sides;
mod stack;
mod statistics;
mod sweep;
mod trace;
mod traced;
mod tuning;
mod types;
mod verify;
mod walk;
mod waste;
mod weak;

pub use derive::Trace;

pub use buffer::{Buffer, BufferKind, OutOfMemory};
pub use classes::{MAX_CELL, rounded_size};
pub use compact::Compaction;
pub use heap::{Heap, Phase, Roots};
pub use hooks::{Event, Hooks};
pub use marker::{Marker, Purpose, Reference, ShapeClasses};
pub use mutator::Mutator;
pub use options::Options;
pub use pauses::{PAUSE_BUCKETS, Pauses};
pub use request::{Cause, Request};
pub use roots::with_registers_on_stack;
pub use sampling::{Allocation, AllocationHook};
pub use statistics::{LatestCollection, SizeStatistics, Statistics, ThreadStatistics, Times};
pub use traced::{FixedKey, Trace, WeakSlot};
pub use tuning::Tuning;
pub use types::{Layout, TypeInfo, Types};
pub use walk::{CellFlags, Snapshot};
pub use weak::WeakTable;

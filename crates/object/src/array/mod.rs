//! The data of Arrays: contiguous values, shared until one side changes.
//!
//! - `layout`: the layout; tracing, sizes.
//! - `create`: new Arrays.
//! - `share`: copies and slices that share elements.
//! - `room`: making room at either end, taking copies.
//! - `change`: all changes of elements.
//! - `sort`: sorting by a comparison that may run Ruby.

mod change;
mod create;
mod layout;
mod room;
mod share;
mod sort;

pub use layout::{Arr, MAX_LEN, Representation, elements, trace};

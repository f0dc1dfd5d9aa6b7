//! The data of Arrays: contiguous values, shared until one side changes.
//!
//! - `layout`: the layout; tracing, sizes.
//! - `create`: new Arrays.
//! - `share`: copies and slices that share elements.
//! - `grow`: reserving capacity at either end, copying shared elements.
//! - `change`: all changes of elements.
//! - `sort`: sorting by a comparison that may run Ruby.

mod change;
mod create;
mod grow;
mod layout;
mod share;
mod sort;

pub use layout::{Arr, MAX_LEN, Representation, for_code, trace};

//! The interpreter: the dispatch loop and its instructions.
//!
//! `dispatch` is the loop; the slow paths of instructions are in the other files, by topic.

mod call;
mod complex_call;
mod definitions;
mod dispatch;
mod far;
mod index;
mod ivars;
mod leave;
mod literals;
mod loops;
mod operators;
mod panics;
mod special_methods;
mod unwind;

pub use dispatch::run;

use abi::Value;

/// The outcome of a call.
pub enum Action {
    /// It has completed with this result.
    Value(Value),
    /// A frame was pushed: the loop continues there.
    Entered,
}

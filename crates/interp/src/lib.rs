//! The interpreter: the dispatch loop and its instructions.
//!
//! `dispatch` is the loop; what an instruction does when its fast path does not hold is in the other files, by topic.

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

/// What a call did.
pub enum Action {
    /// It is done; this is its result.
    Value(Value),
    /// A frame was pushed: the loop goes on there.
    Entered,
}

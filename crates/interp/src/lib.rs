//! The interpreter: the dispatch loop and its instructions.
//!
//! `dispatch` is the loop; the slow paths of instructions are in the other files, by topic.

mod compiled;
mod definitions;
mod dispatch;
mod loops;
mod panics;
mod replaced;
mod unwind;
mod wide;

pub use dispatch::{run, run_unwinding};

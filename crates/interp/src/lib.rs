//! The interpreter: the dispatch loop and its instructions.
//!
//! `dispatch` is the loop; the slow paths of instructions are in the other files, by topic.

mod compiled;
mod definitions;
mod dispatch;
mod leave;
mod loops;
mod panics;
mod unwind;
mod wide;

pub use dispatch::{run, run_unwinding};

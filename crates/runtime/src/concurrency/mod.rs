//! Fibers, threads, Ractors and the global lock.

pub mod fiber;
pub mod parking;
pub mod pending;
pub mod process;
pub mod ractor;
pub mod scheduler;
pub mod sharing;
pub mod signals;
pub mod thread;
pub mod waker;

pub use fiber::{FiberState, FiberStatus};
pub use thread::{ThreadState, blocking};

//! Fibers, threads, Ractors and the global lock.

mod blocking;
mod deadlock;
mod delay;
pub mod fiber;
pub mod offload;
pub mod parking;
pub mod pending;
pub mod process;
pub mod ractor;
pub mod scheduler;
pub mod sharing;
pub mod signals;
pub mod thread;
mod thread_state;
pub mod waker;

pub use fiber::{FiberState, FiberStatus};
pub use thread::{ThreadState, blocking};

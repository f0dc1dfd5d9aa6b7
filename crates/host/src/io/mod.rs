//! Waiting for descriptors, several buffers at once, and terminals.
//!
//! - [`poll`]: waiting until descriptors are ready.
//! - [`transfer`]: reading and writing several buffers in one call; device control.
//! - [`terminal`]: modes and sizes of terminals.
//! - [`pty`]: opening pseudo-terminals.

pub mod poll;
pub mod pty;
pub mod terminal;
pub mod transfer;

pub use poll::{Events, PollEntry, Selected, poll, select, wait_for};
pub use pty::*;
pub use transfer::*;

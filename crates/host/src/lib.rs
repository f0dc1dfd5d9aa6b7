//! Every call that Beni makes to the operating system; nothing above this crate knows which one runs it.
//!
//! - [`errno`]: the error of every call here, with names and messages.
//! - [`memory`]: address space and pages.
//! - [`clock`]: clocks, sleeping, processor time.
//! - [`environment`]: the environment's variables.
//! - [`fs`]: files, directories, descriptors.
//! - [`process`]: making, replacing, waiting for and describing processes.
//! - [`signal`]: recording signals, faults.
//! - [`user`]: users, groups, and facts about the machine.

mod c_string;
pub mod clock;
pub mod environment;
pub mod errno;
mod fd;
pub mod fs;
pub mod memory;
pub mod process;
pub mod signal;
pub mod user;

pub use clock::Timespec;
pub use errno::{Errno, Result};
pub use fd::Fd;

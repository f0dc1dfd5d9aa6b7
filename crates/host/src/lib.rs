//! All calls to the operating system; no crate above this one depends on the system.
//!
//! - [`errno`]: the error of every call here, with names and messages.
//! - [`memory`]: address space and pages.
//! - [`clock`]: clocks, sleeping, processor time.
//! - [`crypt`]: password hashes.
//! - [`environment`]: the environment's variables.
//! - [`fs`]: files, directories, descriptors.
//! - [`io`]: waiting for descriptors, terminals.
//! - [`process`]: creating, replacing, waiting for and describing processes.
//! - [`random`]: random bytes.
//! - [`signal`]: recording signals, faults.
//! - [`socket`]: sockets, addresses, names of hosts.
//! - [`tell`]: messages of the command itself.
//! - [`thread`]: native threads, their stacks, locks.
//! - [`user`]: users, groups, and facts about the machine.
//! - [`zone`]: local time.

mod c_string;
pub mod clock;
pub mod crypt;
pub mod environment;
pub mod errno;
mod fd;
pub mod fs;
pub mod io;
pub mod library;
pub mod line_editor;
pub mod memory;
pub mod process;
pub mod random;
pub mod signal;
pub mod socket;
pub mod syslog;
pub mod tell;
pub mod thread;
pub mod user;
pub mod zone;

pub use clock::Timespec;
pub use errno::{Errno, Result};
pub use fd::Fd;

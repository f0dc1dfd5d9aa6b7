//! Processes: creating, replacing and waiting for them.
//!
//! - [`fork`]: the raw fork, and ending a process.
//! - [`command`]: a program to run with its settings, and running it in this process or in a child.
//! - [`shell`]: whether a command line needs a shell.
//! - [`title`]: the name that `ps` shows.
//! - [`wait`]: waiting for children; `Status`.
//! - [`ids`]: process, group, session, user and group ids.
//! - [`limits`]: resource limits, priorities, usage.

pub mod command;
pub mod fork;
pub mod ids;
pub mod limits;
pub mod shell;
pub mod title;
pub mod wait;

pub use command::{Command, Failure, ProcessGroup};
pub use fork::*;
pub use ids::*;
pub use limits::*;
pub use shell::{Invocation, invocation};
pub use title::set_title;
pub use wait::*;

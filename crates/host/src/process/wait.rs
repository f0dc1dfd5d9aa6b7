//! Waiting for children.

use crate::errno::check;
use crate::process::limits::ResourceUsage;
use crate::{Result, signal};

/// Flags of [`wait`], the numbers of `Process::WNOHANG` and `Process::WUNTRACED`.
pub const WNOHANG: i32 = libc::WNOHANG;
pub const WUNTRACED: i32 = libc::WUNTRACED;

/// The status of a process as the system reports it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Status(pub i32);

impl Status {
    /// The status of a process that exits with this code.
    pub fn from_exit_code(code: i32) -> Status {
        Status((code & 0xff) << 8)
    }

    pub fn is_exited(self) -> bool {
        libc::WIFEXITED(self.0)
    }

    pub fn exit_code(self) -> Option<i32> {
        self.is_exited().then(|| libc::WEXITSTATUS(self.0))
    }

    pub fn is_signaled(self) -> bool {
        libc::WIFSIGNALED(self.0)
    }

    /// The signal that ended the process.
    pub fn termination_signal(self) -> Option<i32> {
        self.is_signaled().then(|| libc::WTERMSIG(self.0))
    }

    pub fn is_stopped(self) -> bool {
        libc::WIFSTOPPED(self.0)
    }

    /// The signal that stopped the process.
    pub fn stop_signal(self) -> Option<i32> {
        self.is_stopped().then(|| libc::WSTOPSIG(self.0))
    }

    pub fn is_continued(self) -> bool {
        libc::WIFCONTINUED(self.0)
    }

    pub fn dumped_core(self) -> bool {
        self.is_signaled() && libc::WCOREDUMP(self.0)
    }

    /// The text of `Process::Status#to_s` after the pid: `exit 1`, `SIGKILL (signal 9) (core dumped)`,
    /// `stopped SIGTSTP (signal 20)`.
    pub fn description(self) -> String {
        let named = |number: i32| match signal::name(number) {
            Some(name) => format!("SIG{name} (signal {number})"),
            None => format!("signal {number}"),
        };
        let mut parts = Vec::new();
        if let Some(number) = self.stop_signal() {
            parts.push(format!("stopped {}", named(number)));
        }
        if let Some(number) = self.termination_signal() {
            parts.push(named(number));
        }
        if let Some(code) = self.exit_code() {
            parts.push(format!("exit {code}"));
        }
        if self.dumped_core() {
            parts.push("(core dumped)".to_owned());
        }
        parts.join(" ")
    }
}

/// A child whose state changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waited {
    pub pid: i32,
    pub status: Status,
    /// The resource usage of the child and its waited-for children.
    pub usage: ResourceUsage,
}

/// Waits for a child: the one with this pid, any (−1), any of this process's group (0) or of a given group (the negated
/// id). `None` if `WNOHANG` is given and no child has changed state; `EINTR` if a signal arrived; `ECHILD` if there is
/// no such child.
pub fn wait(pid: i32, flags: i32) -> Result<Option<Waited>> {
    let mut status = 0;
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointers are to locals.
    let pid = check(unsafe { libc::wait4(pid, &mut status, flags, &mut usage) })?;
    Ok((pid != 0).then(|| Waited { pid, status: Status(status), usage: ResourceUsage::from_system(&usage) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_decoded() {
        let exited = Status::from_exit_code(258);
        assert_eq!((exited.exit_code(), exited.termination_signal()), (Some(2), None));
        assert_eq!(exited.description(), "exit 2");
        let killed = Status(libc::SIGSEGV | 0x80);
        assert_eq!((killed.exit_code(), killed.termination_signal()), (None, Some(libc::SIGSEGV)));
        assert_eq!(killed.description(), "SIGSEGV (signal 11) (core dumped)");
        let stopped = Status(libc::SIGTSTP << 8 | 0x7f);
        assert_eq!(stopped.stop_signal(), Some(libc::SIGTSTP));
        assert_eq!(stopped.description(), "stopped SIGTSTP (signal 20)");
    }
}

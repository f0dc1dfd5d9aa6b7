//! The constants of `fcntl(2)` under the names that `Fcntl` gives them, and byte-range locks.

use crate::errno::check;
use crate::{Fd, Result};

macro_rules! constants {
    ($($name:ident)*) => { &[$((stringify!($name), libc::$name as i32)),*] };
}

#[cfg(target_os = "linux")]
pub static FCNTL_CONSTANTS: &[(&str, i32)] = constants! {
    F_DUPFD F_GETFD F_GETLK F_SETFD F_GETFL F_SETFL F_SETLK F_SETLKW FD_CLOEXEC F_UNLCK F_RDLCK F_WRLCK O_CREAT O_EXCL
    O_NOCTTY O_TRUNC O_APPEND O_NONBLOCK O_NDELAY O_RDONLY O_RDWR O_WRONLY O_ACCMODE F_DUPFD_CLOEXEC
};

/// A lock on a range of bytes; a length of 0 extends to the end of the file, even if that moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RangeLock {
    /// `F_RDLCK`, `F_WRLCK` or `F_UNLCK`.
    pub kind: i32,
    pub start: i64,
    pub length: i64,
}

/// Acquires or releases a lock on a range, optionally waiting for other holders (`EINTR` if a signal arrives first).
pub fn lock_range(fd: Fd, lock: RangeLock, wait: bool) -> Result<()> {
    // SAFETY: all zeros is a valid `flock`.
    let mut system: libc::flock = unsafe { std::mem::zeroed() };
    system.l_type = lock.kind as _;
    system.l_whence = libc::SEEK_SET as _;
    system.l_start = lock.start;
    system.l_len = lock.length;
    let command = if wait { libc::F_SETLKW } else { libc::F_SETLK };
    // SAFETY: the commands read a `flock`.
    check(unsafe { libc::fcntl(fd.0, command, &system) }).map(|_| ())
}

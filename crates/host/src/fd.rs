//! `Fd`, a descriptor by its number, as Ruby programs use it: it may be closed, reused or never have been open. `Fd` is
//! never closed implicitly; calls on a number that is not open fail with `EBADF`.

use std::fmt;

/// A descriptor's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Fd(pub i32);

impl Fd {
    pub const STDIN: Fd = Fd(0);
    pub const STDOUT: Fd = Fd(1);
    pub const STDERR: Fd = Fd(2);
}

impl fmt::Debug for Fd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fd {}", self.0)
    }
}

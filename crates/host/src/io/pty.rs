//! Pseudo-terminals.

use super::terminal::{self, WindowSize};
use crate::errno::check;
use crate::{Errno, Fd, Result, c_string, fs};

/// A pseudo-terminal: data written to one side is read from the other, through a terminal's settings. Both descriptors
/// are closed on exec, and neither becomes this process's terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PseudoTerminal {
    pub master: Fd,
    pub slave: Fd,
    /// The slave's path.
    pub name: Vec<u8>,
}

pub fn open_pseudo_terminal(size: Option<WindowSize>) -> Result<PseudoTerminal> {
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    // SAFETY: no pointers are involved.
    let master = Fd(check(unsafe { libc::posix_openpt(flags) })?);
    open_slave(master, flags, size).inspect_err(|_| {
        let _ = fs::close(master);
    })
}

fn open_slave(master: Fd, flags: i32, size: Option<WindowSize>) -> Result<PseudoTerminal> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::grantpt(master.0) })?;
    // SAFETY: no pointers are involved.
    check(unsafe { libc::unlockpt(master.0) })?;
    let name = pseudo_terminal_name(master)?;
    let slave = fs::open(&name, flags, 0)?;
    if let Some(size) = size {
        terminal::set_window_size(slave, size)?;
    }
    Ok(PseudoTerminal { master, slave, name })
}

/// The path of the slave that belongs to a master.
#[cfg(target_os = "linux")]
pub fn pseudo_terminal_name(master: Fd) -> Result<Vec<u8>> {
    let mut buffer = [0; 128];
    // SAFETY: the buffer has the stated length.
    match unsafe { libc::ptsname_r(master.0, buffer.as_mut_ptr(), buffer.len()) } {
        // SAFETY: the call terminated the string.
        0 => Ok(unsafe { c_string::bytes_at(buffer.as_ptr()) }),
        errno => Err(Errno(errno)),
    }
}

/// Makes a terminal the controlling one of this process's session, which must have none; for newly created children.
pub fn make_controlling(fd: Fd) -> Result<()> {
    // SAFETY: the request takes an integer.
    check(unsafe { libc::ioctl(fd.0, libc::TIOCSCTTY, 0) }).map(|_| ())
}

//! Modes and sizes of terminals, for `io/console`.

use std::mem;

use memory::ToVector;

use crate::errno::{check, check_retrying};
use crate::{Errno, Fd, Result};

/// A terminal's settings, to be read, changed and restored.
#[derive(Clone, Copy)]
pub struct Mode(libc::termios);

/// The path of a terminal; None for other descriptors.
pub fn name(fd: Fd) -> Result<Option<Vec<u8>>> {
    // SAFETY: it only reads its argument.
    if unsafe { libc::isatty(fd.0) } != 1 {
        return Ok(None);
    }
    let mut name = [0u8; libc::PATH_MAX as usize];
    // SAFETY: the pointer is to that many bytes; on success they hold a string that ends in a NUL.
    let code = unsafe { libc::ttyname_r(fd.0, name.as_mut_ptr().cast(), name.len()) };
    if code != 0 {
        return Err(Errno(code));
    }
    Ok(name.split(|byte| *byte == 0).next().map(<[u8]>::to_vector))
}

/// Optional settings of raw mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RawOptions {
    /// The minimum number of bytes for a read.
    pub minimum: Option<u8>,
    /// The timeout of a read, in tenths of a second.
    pub time: Option<u8>,
    /// Whether the keys that send signals continue to do so.
    pub signals: bool,
}

const ECHO_BITS: libc::tcflag_t = libc::ECHO | libc::ECHOE | libc::ECHOK | libc::ECHONL;

impl Mode {
    /// The present settings of a terminal; `ENOTTY` for other descriptors.
    pub fn of(fd: Fd) -> Result<Mode> {
        // SAFETY: all zeros is a valid `termios`.
        let mut mode: libc::termios = unsafe { mem::zeroed() };
        // SAFETY: the pointer is to a local.
        check(unsafe { libc::tcgetattr(fd.0, &mut mode) })?;
        Ok(Mode(mode))
    }

    /// Applies these settings to a terminal after pending output was written.
    pub fn apply(&self, fd: Fd) -> Result<()> {
        // SAFETY: the pointer is to valid settings.
        check_retrying(|| unsafe { libc::tcsetattr(fd.0, libc::TCSADRAIN, &self.0) }).map(|_| ())
    }

    /// Raw mode: bytes are delivered immediately and unchanged.
    pub fn raw(mut self, options: RawOptions) -> Mode {
        let mode = &mut self.0;
        // SAFETY: the pointer is to valid settings.
        unsafe { libc::cfmakeraw(mode) };
        mode.c_lflag &= !(libc::ECHOE | libc::ECHOK);
        if let Some(minimum) = options.minimum {
            mode.c_cc[libc::VMIN] = minimum;
        }
        if let Some(time) = options.time {
            mode.c_cc[libc::VTIME] = time;
        }
        if options.signals {
            mode.c_iflag |= libc::BRKINT;
            mode.c_lflag |= libc::ISIG;
            mode.c_oflag |= libc::OPOST;
        }
        self
    }

    /// Cooked mode: whole lines, which the user can edit.
    pub fn cooked(mut self) -> Mode {
        self.0.c_iflag |= libc::BRKINT | libc::ISTRIP | libc::ICRNL | libc::IXON;
        self.0.c_oflag |= libc::OPOST;
        self.0.c_lflag |= ECHO_BITS | libc::ICANON | libc::ISIG | libc::IEXTEN;
        self
    }

    pub fn with_echo(mut self, echo: bool) -> Mode {
        if echo {
            self.0.c_lflag |= ECHO_BITS;
        } else {
            self.0.c_lflag &= !ECHO_BITS;
        }
        self
    }

    pub fn has_echo(&self) -> bool {
        self.0.c_lflag & (libc::ECHO | libc::ECHONL) != 0
    }
}

/// A terminal's size, in characters and in pixels (0 if unknown).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WindowSize {
    pub rows: u16,
    pub columns: u16,
    pub width: u16,
    pub height: u16,
}

impl WindowSize {
    pub(super) fn to_system(self) -> libc::winsize {
        libc::winsize { ws_row: self.rows, ws_col: self.columns, ws_xpixel: self.width, ws_ypixel: self.height }
    }
}

pub fn window_size(fd: Fd) -> Result<WindowSize> {
    let mut size = WindowSize::default().to_system();
    // SAFETY: the request writes a `winsize`.
    check(unsafe { libc::ioctl(fd.0, libc::TIOCGWINSZ, &mut size) })?;
    Ok(WindowSize { rows: size.ws_row, columns: size.ws_col, width: size.ws_xpixel, height: size.ws_ypixel })
}

pub fn set_window_size(fd: Fd, size: WindowSize) -> Result<()> {
    let size = size.to_system();
    // SAFETY: the request reads a `winsize`.
    check(unsafe { libc::ioctl(fd.0, libc::TIOCSWINSZ, &size) }).map(|_| ())
}

/// Which of a terminal's queues [`discard`] empties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Queue {
    Input,
    Output,
    Both,
}

/// Discards unread input, unsent output, or both.
pub fn discard(fd: Fd, queue: Queue) -> Result<()> {
    let queue = match queue {
        Queue::Input => libc::TCIFLUSH,
        Queue::Output => libc::TCOFLUSH,
        Queue::Both => libc::TCIOFLUSH,
    };
    // SAFETY: no pointers are involved.
    check(unsafe { libc::tcflush(fd.0, queue) }).map(|_| ())
}

/// Waits until pending output was sent; `EINTR` if a signal arrives first.
pub fn drain(fd: Fd) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::tcdrain(fd.0) }).map(|_| ())
}

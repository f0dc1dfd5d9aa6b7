//! Pseudo-terminals, their modes and sizes, and children that have one as their controlling terminal.

use host::io::terminal::{self, Mode, RawOptions, WindowSize};
use host::process::Command;
use host::{Errno, Fd, fs, io};

#[test]
fn terminals_have_sizes_and_modes() {
    let size = WindowSize { rows: 24, columns: 80, width: 0, height: 0 };
    let pty = io::open_pseudo_terminal(Some(size)).unwrap();
    assert_eq!(fs::terminal_name(pty.slave).unwrap(), pty.name);
    assert!(fs::is_terminal(pty.slave));
    assert_eq!(terminal::window_size(pty.slave), Ok(size));
    let bigger = WindowSize { rows: 50, ..size };
    terminal::set_window_size(pty.slave, bigger).unwrap();
    assert_eq!(terminal::window_size(pty.slave), Ok(bigger));

    let before = Mode::of(pty.slave).unwrap();
    assert!(before.has_echo());
    before.raw(RawOptions::default()).with_echo(false).apply(pty.slave).unwrap();
    assert!(!Mode::of(pty.slave).unwrap().has_echo());
    // A line that has not ended can only be read in raw mode.
    fs::write(pty.master, b"\x03q").unwrap();
    let mut buffer = [0; 8];
    assert_eq!(fs::read(pty.slave, &mut buffer), Ok(2));
    assert_eq!(&buffer[..2], b"\x03q");
    before.apply(pty.slave).unwrap();
    assert!(matches!(Mode::of(Fd(9999)), Err(Errno(libc::EBADF))));

    let mut command = Command::from_line(b"tty < /dev/tty");
    command.terminal = Some(pty.slave);
    command.redirects = vec![(Fd(0), pty.slave), (Fd(1), pty.slave), (Fd(2), pty.slave)];
    let pid = command.spawn().unwrap();
    let status = host::process::wait(pid, 0).unwrap().unwrap().status;
    assert_eq!(status.exit_code(), Some(0));
    fs::close(pty.master).unwrap();
    fs::close(pty.slave).unwrap();
}

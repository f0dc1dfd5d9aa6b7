//! Children: run, redirected, waited for; and signals, which are the process's as well. One test: both change the whole
//! process.

use host::process::{self, Command, ProcessGroup};
use host::signal::{self, Disposition};
use host::{Errno, Fd, fs};

fn output_of(mut command: Command) -> (String, process::Status) {
    let (read, write) = fs::pipe().unwrap();
    command.redirects.push((Fd::STDOUT, write));
    let pid = command.spawn().unwrap();
    fs::close(write).unwrap();
    let mut output = Vec::new();
    let mut buffer = [0; 256];
    loop {
        match fs::read(read, &mut buffer) {
            Ok(0) => break,
            Ok(count) => output.extend(&buffer[..count]),
            Err(Errno(libc::EINTR)) => {}
            Err(errno) => panic!("{errno}"),
        }
    }
    fs::close(read).unwrap();
    let waited = process::wait(pid, 0).unwrap().unwrap();
    assert_eq!(waited.pid, pid);
    (String::from_utf8(output).unwrap(), waited.status)
}

#[test]
fn commands_apply_their_options() {
    signal::initialize().unwrap();
    let (output, status) = output_of(Command::from_line(b"echo plain words"));
    assert_eq!((output.as_str(), status.exit_code()), ("plain words\n", Some(0)));

    let mut command = Command::from_line(b"pwd; umask; echo $BENI; exit 3");
    command.directory = Some(b"/usr".to_vec());
    command.umask = Some(0o27);
    command.group = ProcessGroup::New;
    command.environment = Some(vec![(b"BENI".to_vec(), b"red".to_vec())]);
    let (output, status) = output_of(command);
    assert_eq!((output.as_str(), status.exit_code()), ("/usr\n0027\nred\n", Some(3)));

    let (_, status) = output_of(Command::from_line(b"kill -9 $$"));
    assert_eq!((status.exit_code(), status.termination_signal()), (None, Some(libc::SIGKILL)));

    // Signals that Rust ignores must not stay ignored in programs that are run.
    let (_, status) = output_of(Command::from_line(b"kill -PIPE $$"));
    assert_eq!(status.termination_signal(), Some(libc::SIGPIPE));

    let failure = Command::from_line(b"/nonexistent/program").spawn().unwrap_err();
    assert_eq!((failure.errno, failure.step), (Errno(libc::ENOENT), None));
    let mut command = Command::from_line(b"true");
    command.directory = Some(b"/nonexistent".to_vec());
    let failure = command.spawn().unwrap_err();
    assert_eq!((failure.errno, failure.step), (Errno(libc::ENOENT), Some("chdir")));
    assert_eq!(Command::from_line(b" ").spawn().unwrap_err().errno, Errno(libc::ENOENT));
    assert_eq!(process::wait(-1, process::WNOHANG), Err(Errno(libc::ECHILD)));

    redirections_happen_all_at_once();
    fork_returns_in_both_processes();
    signals_are_recorded();
}

fn redirections_happen_all_at_once() {
    let (read, write) = fs::pipe().unwrap();
    let (a, b) = (fs::duplicate(write, 50).unwrap(), fs::open(b"/dev/null", fs::WRITE_ONLY, 0).unwrap());
    let b_high = fs::duplicate(b, 60).unwrap();
    // Descriptors of one digit, because a shell can redirect to these.
    fs::duplicate_to(a, Fd(8)).unwrap();
    fs::duplicate_to(b_high, Fd(9)).unwrap();
    let mut command = Command::from_line(b"echo swapped >&9; echo lost >&8; echo out");
    command.redirects = vec![(Fd(9), Fd(8)), (Fd(8), Fd(9))];
    command.child_redirects = vec![(Fd::STDOUT, Fd(9))];
    command.close_others = true;
    let pid = command.spawn().unwrap();
    process::wait(pid, 0).unwrap();
    let mut buffer = [0; 64];
    let count = fs::read(read, &mut buffer).unwrap();
    assert_eq!(&buffer[..count], b"swapped\nout\n");
    for fd in [read, write, a, b, b_high, Fd(8), Fd(9)] {
        fs::close(fd).unwrap();
    }
}

fn fork_returns_in_both_processes() {
    // SAFETY: the child only exits.
    match unsafe { process::fork().unwrap() } {
        process::Fork::Child => process::exit_immediately(7),
        process::Fork::Parent { child } => {
            let waited = process::wait(child, 0).unwrap().unwrap();
            assert_eq!(waited.status.exit_code(), Some(7));
        }
    }
    // SAFETY: the child only changes a disposition, raises and exits.
    match unsafe { process::fork().unwrap() } {
        process::Fork::Child => signal::die_by(libc::SIGTERM),
        process::Fork::Parent { child } => {
            let waited = process::wait(child, 0).unwrap().unwrap();
            assert_eq!(waited.status.termination_signal(), Some(libc::SIGTERM));
        }
    }
}

fn signals_are_recorded() {
    assert_eq!(signal::set_disposition(libc::SIGUSR1, Disposition::Record), Ok(Disposition::Default));
    assert_eq!(signal::set_disposition(libc::SIGUSR2, Disposition::Ignore), Ok(Disposition::Default));
    assert_eq!(signal::set_disposition(libc::SIGKILL, Disposition::Ignore), Err(Errno(libc::EINVAL)));
    assert!(!signal::has_pending());
    signal::raise(libc::SIGUSR1).unwrap();
    signal::raise(libc::SIGUSR2).unwrap();
    assert!(signal::has_pending());
    signal::drain_wake();
    assert_eq!((signal::take_pending(), signal::take_pending()), (Some(libc::SIGUSR1), None));
    {
        let _blocked = signal::block_all();
        signal::raise(libc::SIGUSR1).unwrap();
        assert!(!signal::has_pending());
    }
    assert_eq!(signal::take_pending(), Some(libc::SIGUSR1));
    assert_eq!(signal::set_disposition(libc::SIGUSR1, Disposition::Default), Ok(Disposition::Record));
}

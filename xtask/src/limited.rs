//! Processes with a time limit, including all their descendants.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::workspace;

/// The output of a process and its status; `None` if it ran out of time.
pub struct Printed {
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

/// Runs a command in a process group of its own and captures its output.
pub fn output(command: &mut Command, limit: Duration) -> Result<Printed, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(|error| workspace::could_not_start(command, &error))?;
    // Both pipes are read while the process runs: a full pipe would block it.
    let readers = (read_all(child.stdout.take()), read_all(child.stderr.take()));
    let status = wait(&mut child, limit);
    Ok(Printed { status, stdout: readers.0.join().unwrap_or_default(), stderr: readers.1.join().unwrap_or_default() })
}

fn read_all(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // Output before an error is still worth showing.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Waits until the child, the leader of its group, ends or runs out of time; then kills the rest of the group.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let started = Instant::now();
    let mut pause = Duration::from_millis(2);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(pause),
            Ok(None) | Err(_) => break None,
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    };
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    if status.is_none() {
        let _ = child.wait();
    }
    status
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_of_a_process_is_kept() -> Result<(), String> {
        let printed = output(Command::new("sh").args(["-c", "echo a; echo b >&2"]), Duration::from_secs(20))?;
        assert!(printed.status.is_some_and(|status| status.success()));
        assert_eq!((&printed.stdout[..], &printed.stderr[..]), (&b"a\n"[..], &b"b\n"[..]));
        Ok(())
    }

    #[test]
    fn a_process_whose_time_is_up_ends_with_its_children() -> Result<(), String> {
        let started = Instant::now();
        let printed = output(Command::new("sh").args(["-c", "echo a; sleep 60 & wait"]), Duration::from_millis(200))?;
        assert!(printed.status.is_none());
        assert_eq!(printed.stdout, b"a\n");
        // The child that held the pipe open was killed as well.
        assert!(started.elapsed() < Duration::from_secs(30));
        Ok(())
    }
}

//! Processes with a time limit, including all their descendants.

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

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
    if let Some(group) = Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
    if status.is_none() {
        let _ = child.wait();
    }
    status
}

/// Does `work`; meanwhile, each process begun since whose executable lies in `folder` may run for `limit`. Then it gets
/// SIGQUIT, at which `beni` tells what its threads do, and is killed; `told` receives its command line.
/// Processes are known where there is `/proc`; elsewhere nothing has a limit.
pub fn watched<R>(folder: &Path, limit: Duration, told: impl Fn(&str) + Send, work: impl FnOnce() -> R) -> R {
    let older: HashSet<Pid> = running_from(folder).collect();
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            let mut since = HashMap::new();
            let pause = (limit / 10).min(Duration::from_secs(5));
            while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let running: HashSet<Pid> = running_from(folder).filter(|process| !older.contains(process)).collect();
                since.retain(|process, _| running.contains(process));
                for process in running {
                    if since.entry(process).or_insert_with(Instant::now).elapsed() >= limit {
                        told(&command_line(process));
                        let _ = rustix::process::kill_process(process, Signal::QUIT);
                        std::thread::sleep(pause);
                        let _ = rustix::process::kill_process(process, Signal::KILL);
                    }
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

fn running_from(folder: &Path) -> impl Iterator<Item = Pid> {
    let folder = folder.canonicalize().unwrap_or_else(|_| PathBuf::from(folder));
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let process = Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        std::fs::read_link(entry.path().join("exe")).ok()?.starts_with(&folder).then_some(process)
    })
}

fn command_line(process: Pid) -> String {
    let bytes = std::fs::read(format!("/proc/{}/cmdline", process.as_raw_nonzero())).unwrap_or_default();
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_watched_process_is_killed_at_its_limit() -> Result<(), String> {
        let folder = std::env::temp_dir().join(format!("xtask-watched-{}", std::process::id()));
        let program = folder.join("sleep");
        let failed = |error: std::io::Error| error.to_string();
        std::fs::create_dir_all(&folder).map_err(failed)?;
        std::fs::copy("/usr/bin/sleep", &program).map_err(failed)?;
        let (tell, told) = mpsc::channel();
        let told_to = move |line: &str| tell.send(line.to_string()).unwrap_or_default();
        let status =
            watched(&folder, Duration::from_millis(100), told_to, || Command::new(&program).arg("60").status());
        std::fs::remove_dir_all(&folder).map_err(failed)?;
        assert!(!status.map_err(failed)?.success());
        assert_eq!(told.recv().ok(), Some(format!("{} 60", program.display())));
        Ok(())
    }

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

//! `beni inspect PID stacks | gc | profile SECONDS [FILE] | heap FILE`.

use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use host::signal::sampling::SAMPLE;

const USAGE: &str = "usage: beni inspect PID stacks | gc | profile SECONDS [FILE] | heap FILE";
/// The time limit for the process to open its socket.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn run(arguments: &[String]) -> ExitCode {
    match inspect(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            host::tell_line!("beni inspect: {message}");
            ExitCode::FAILURE
        }
    }
}

fn inspect(arguments: &[String]) -> Result<(), String> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [process, words @ ..] = words.as_slice() else { return Err(USAGE.into()) };
    let process: u32 = process.parse().map_err(|_| USAGE.to_string())?;
    // The answer to `profile` is written here; the process itself writes the dump of a heap.
    let mut file = None;
    let request = match words {
        ["stacks"] => "stacks".to_string(),
        ["gc"] => "gc".to_string(),
        ["profile", seconds] => format!("profile {seconds} -"),
        ["profile", seconds, to] => {
            file = Some(*to);
            format!("profile {seconds} {to}")
        }
        ["heap", to] => {
            let path = std::path::absolute(to).map_err(|error| format!("{to}: {error}"))?;
            format!("heap {}", path.display())
        }
        _ => return Err(USAGE.into()),
    };
    let mut stream = connect(process)?;
    let mut answer = Vec::new();
    let talked = stream.write_all(format!("{request}\n").as_bytes()).and_then(|()| stream.read_to_end(&mut answer));
    talked.map_err(|error| format!("process {process}: {error}"))?;
    let written = match file {
        Some(file) => std::fs::write(file, &answer),
        None => std::io::stdout().write_all(&answer),
    };
    written.map_err(|error| error.to_string())
}

/// Connects to the process's socket, which it opens when it receives the signal.
fn connect(process: u32) -> Result<UnixStream, String> {
    let address = crate::inspect::address(process).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let mut is_told = false;
    loop {
        if let Ok(stream) = UnixStream::connect_addr(&address) {
            check_owner(process, &stream)?;
            return Ok(stream);
        }
        if !is_told {
            check_process(process)?;
            host::process::kill(process as i32, SAMPLE).map_err(|errno| errno.message().to_string())?;
            is_told = true;
        }
        if began.elapsed() > PATIENCE {
            return Err(format!("process {process} did not reach a safepoint"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Checks that the signal is harmless: the process is an interpreter of this name, and handles it.
fn check_process(process: u32) -> Result<(), String> {
    let name = |path: String| std::fs::read_link(path).ok().and_then(|path| Some(path.file_name()?.to_owned()));
    let own = name("/proc/self/exe".into());
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))
        .map_err(|_| format!("there is no process {process}"))?;
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let is_same = own.is_some() && name(format!("/proc/{process}/exe")) == own;
    if !is_same || caught & 1 << (SAMPLE - 1) == 0 {
        return Err(format!("process {process} is not a Beni process, or was started with --no-inspect"));
    }
    Ok(())
}

/// Checks the socket's owner, because another user may have taken its name.
fn check_owner(process: u32, stream: &UnixStream) -> Result<(), String> {
    let peer = host::socket::peer_credentials(host::Fd(stream.as_raw_fd()));
    match peer.is_ok_and(|peer| peer.process as u32 == process) {
        true => Ok(()),
        false => Err(format!("the socket of process {process} belongs to another process")),
    }
}

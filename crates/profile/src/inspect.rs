//! Inspection of a running process: the stacks of its threads, its counters, a profile, a dump of its heap.
//!
//! `SIGPROF` from another process is recorded like other signals. The main thread handles it at its next safepoint and
//! opens a socket in the abstract namespace, which serves only processes of the same user and of root. A native thread
//! reads a request, sends the signal to its own process again, and writes the main thread's answer.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use host::signal::{self, Disposition, sampling::SAMPLE};
use object::{array::Arr, string::Str};
use runtime::concurrency::{thread, waker};
use runtime::sampling::Mode;
use runtime::{Cx, R, Value, backtrace, call, eval};

use crate::output::Format;

/// A request to the main thread, and the channel for its answer.
struct Request {
    line: String,
    answer: Sender<Vec<u8>>,
}

/// The requests that the main thread has not handled yet, and the process whose socket is open.
static REQUESTS: Mutex<Vec<Request>> = Mutex::new(Vec::new());
static SERVES: Mutex<Option<u32>> = Mutex::new(None);

/// The size of the serving thread's native stack, in bytes.
const STACK: usize = 256 << 10;
/// The time limit for a client to send its request, and for the main thread to answer.
const PATIENCE: Duration = Duration::from_secs(30);

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allows other processes of the user to inspect this one from now on.
pub fn listen() {
    if signal::disposition(SAMPLE) == Ok(Disposition::Default) {
        // On a system without this signal, there is no inspection.
        let _ = signal::set_disposition(SAMPLE, Disposition::Record);
    }
}

/// The address of a process's socket.
pub fn address(process: u32) -> std::io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("beni-inspect-{process}"))
}

/// Handles the signal in the main thread.
pub fn signalled(cx: &mut Cx, number: i32) {
    if number != SAMPLE {
        host::tell!("{}", stacks(cx));
        return;
    }
    let own = std::process::id();
    if *lock(&SERVES) != Some(own) {
        // The waker interrupts blocking calls of the main thread when a request comes.
        waker::ensure_started(cx);
        // Without a socket or thread, the request of the other process times out.
        if let Ok(listener) = address(own).and_then(|address| UnixListener::bind_addr(&address))
            && host::thread::spawn("inspector", STACK, move || serve(&listener)).is_ok()
        {
            *lock(&SERVES) = Some(own);
        }
    }
    let requests = std::mem::take(&mut *lock(&REQUESTS));
    for request in requests {
        let answer = answer(cx, &request.line);
        // A client that has disconnected needs no answer.
        let _ = request.answer.send(answer);
    }
}

fn serve(listener: &UnixListener) {
    let _signals = signal::block_all();
    for stream in listener.incoming().flatten() {
        // One client at a time; errors of its connection are ignored.
        let _ = talk(&stream);
    }
}

fn talk(stream: &UnixStream) -> std::io::Result<()> {
    if !is_of_user(stream) {
        return Ok(());
    }
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    let line = line.trim_end().to_string();
    let mut words = line.split(' ');
    if let (Some("profile"), Some(seconds), format) = (words.next(), words.next(), words.next()) {
        let seconds = seconds.parse::<f64>().unwrap_or(1.0).clamp(0.01, 3600.0);
        let begun = ask("begin-profile")?;
        if !begun.is_empty() {
            return (&*stream).write_all(&begun);
        }
        std::thread::sleep(Duration::from_secs_f64(seconds));
        return (&*stream).write_all(&ask(&format!("end-profile {}", format.unwrap_or("-")))?);
    }
    (&*stream).write_all(&ask(&line)?)
}

/// Whether the process at the other end belongs to this user or to root.
fn is_of_user(stream: &UnixStream) -> bool {
    let peer = host::socket::peer_credentials(host::Fd(stream.as_raw_fd()));
    peer.is_ok_and(|peer| peer.user == 0 || peer.user == host::process::effective_user())
}

/// Passes a request to the main thread and waits for its answer.
fn ask(line: &str) -> std::io::Result<Vec<u8>> {
    let (answer, answered): (Sender<Vec<u8>>, Receiver<Vec<u8>>) = channel();
    lock(&REQUESTS).push(Request { line: line.to_string(), answer });
    signal::record(SAMPLE);
    let timed_out =
        |_| std::io::Error::new(std::io::ErrorKind::TimedOut, "the main thread has not reached a safepoint in time");
    answered.recv_timeout(PATIENCE).map_err(timed_out)
}

fn answer(cx: &mut Cx, line: &str) -> Vec<u8> {
    match line.split_once(' ').unwrap_or((line, "")) {
        ("stacks", _) => stacks(cx).into_bytes(),
        ("gc", _) => evaluated(cx, "GC.stat.map { |name, value| \"#{name} #{value}\\n\" }.join"),
        ("heap", path) => {
            let dump = format!(
                "require 'objspace'; File.open({path:?}, 'w') {{ |file| ObjectSpace.dump_all(output: file) }}; \"\""
            );
            evaluated(cx, &dump)
        }
        ("begin-profile", _) => match crate::start(cx, Mode::Wall, crate::INTERVAL) {
            Ok(()) => Vec::new(),
            Err(refusal) => format!("{}\n", crate::command::refused(&refusal)).into_bytes(),
        },
        ("end-profile", file) => match (crate::stop(cx), Format::of_file(file)) {
            (Some(profile), Ok(format)) => format.write(&profile),
            (_, Err(message)) => format!("{message}\n").into_bytes(),
            (None, _) => b"the profile was ended by the program\n".to_vec(),
        },
        _ => b"unknown request\n".to_vec(),
    }
}

/// The result of evaluating Ruby source, or the error that it raised. An unwinding in progress is preserved.
fn evaluated(cx: &mut Cx, source: &str) -> Vec<u8> {
    let options = compiler::Options::new("<internal:inspect>", compiler::SourceKind::Required);
    let result: R = eval::compile(cx, source.as_bytes(), &options).and_then(|code| eval::run_file(cx, code, None));
    match result {
        Ok(value) => Str::from_value(value).map_or(Vec::new(), |text| text.to_vector()),
        Err(unwind) => match cx.take_exception(unwind) {
            Ok(exception) => {
                let class = runtime::error::class_name_of(cx, exception);
                let message = call::send(cx, exception, runtime::sym::MESSAGE, &[]).ok().and_then(Str::from_value);
                format!("{class}: {}\n", message.map_or(String::new(), |text| text.to_text())).into_bytes()
            }
            Err(_) => b"the request was interrupted\n".to_vec(),
        },
    }
}

/// The Ruby stacks of all threads, the running thread first.
fn stacks(cx: &mut Cx) -> String {
    let own = cx.thread;
    let mut text = stack(cx, own);
    let (threads, mut i) = (cx.root(runtime::Root::Threads), 0);
    // The list may change while Ruby code formats a thread. It exists only if there was ever a second thread.
    while let Some(thread) = if threads.is_nil() { None } else { Arr::of(threads).get(i) } {
        i += 1;
        if thread != own {
            text.push_str(&stack(cx, thread));
        }
    }
    text
}

fn stack(cx: &mut Cx, thread: Value) -> String {
    let shown = call::inspect_text(cx, thread).unwrap_or_else(|_| "a thread".into());
    let mut text = format!("{shown}\n");
    let trace = backtrace::capture_of(cx, 0, usize::MAX, |cx| thread::frames(cx, thread));
    let lines = backtrace::to_array(cx, trace);
    for line in Arr::of(lines).iter() {
        text.push_str(&format!("    {}\n", Str::of(line).to_text()));
    }
    text
}

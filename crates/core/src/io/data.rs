//! The state of an IO object: a descriptor and its buffers.

use memory::{Grow, ToVector};
use std::io::IoSlice;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heap::Trace;
use host::{Errno, Fd, io::Events};
use object::{
    array::Arr,
    native::{self, NativeData},
    shape::ivars,
    string::Str,
};
use runtime::{
    Cx, R, Unwind, Value,
    concurrency::{
        parking, pending, scheduler,
        thread::{self, blocking},
    },
    error::ErrorClass,
    make, sym,
};
use text::{
    encoding::EncodingId,
    transcode::{Converter, Limits, Options, Outcome},
};

use super::{
    flusher::Flusher,
    hooks,
    newlines::{self, Newlines},
    receive::read_into,
};

/// Bytes buffered for writing.
const WRITE_BUFFER: usize = 8192;
const FIRST_READ_SIZE: usize = 8192;
const READ_SIZE: usize = 16384;

/// Set once a stream other than the standard ones has buffered bytes: only then streams are searched at process exit.
static WRITTEN_TO: AtomicBool = AtomicBool::new(false);

pub fn was_written_to() -> bool {
    WRITTEN_TO.load(Ordering::Relaxed)
}

#[derive(Trace)]
pub struct IoData {
    /// `None` once closed, or before `initialize`.
    #[trace(skip)]
    pub fd: Option<Fd>,
    /// Whether one half of a duplex stream was closed.
    pub half_closed: bool,
    /// The descriptor to write to if it differs: for pipes to a process.
    #[trace(skip)]
    pub writer: Option<Fd>,
    pub initialized: bool,
    pub readable: bool,
    pub writable: bool,
    pub append: bool,
    pub sync: bool,
    pub binmode: bool,
    pub autoclose: bool,
    /// Whether reading converts `\r\n` and `\r` to `\n`.
    pub universal: bool,
    /// Whether writing converts `\n` to `\r\n`.
    pub crlf: bool,
    /// Whether line feeds are written as carriage returns.
    pub cr: bool,
    /// Whether the descriptor is a terminal, once that was asked.
    pub terminal: Option<bool>,
    /// Whether `reopen` has redirected the stream.
    pub reopened: bool,
    pub pid: Option<i32>,
    /// A stream of the C library for the same descriptor, as an address, and the function that writes out its buffer
    /// and closes it.
    #[trace(skip)]
    pub c_stream: Option<(usize, fn(usize))>,
    pub path: Value,
    pub timeout: Value,
    /// The threads that are blocked in a call on the descriptor, an Array or nil: closing it wakes them.
    pub users: Value,
    pub read_buffer: Vec<u8>,
    pub read_at: usize,
    #[trace(skip)]
    pub newlines: Newlines,
    pub write_buffer: Vec<u8>,
    /// The thread that is writing out the buffer, or the fiber if a scheduler runs it, and the number of forks at its
    /// start: others wait for it, so that bytes are written in the order of buffering. A forked child does not have
    /// that thread.
    flusher: Flusher,
    pub line: i64,
    #[trace(skip)]
    pub external: Option<EncodingId>,
    #[trace(skip)]
    pub internal: Option<EncodingId>,
    /// The converter of written text, for encodings whose state lasts from one string to the next.
    #[trace(skip)]
    pub encoder: Option<Box<Converter>>,
    /// A Hash of the options for conversions (`invalid:`, `undef:`, `replace:`, `xml:`, `fallback:`), or nil.
    pub conversion: Value,
    /// Whether the quote that `xml: :attr` begins with was written.
    pub quoted: bool,
}

/// Identifies native boxes of files.
pub const FILE: &str = "file";

/// Whether `v` is an IO, open or not.
pub fn is_io(v: Value) -> bool {
    object::native::get::<IoData>(&v).is_some()
}

/// The descriptor's number, if `v` is an open IO.
pub fn descriptor(v: Value) -> Option<i32> {
    object::native::get::<IoData>(&v)?.fd.map(|fd| fd.0)
}

impl NativeData for IoData {
    object::one_vtable!(IoData);

    fn type_name(&self) -> &'static str {
        FILE
    }

    fn memsize(&self) -> usize {
        self.read_buffer.capacity() + self.write_buffer.capacity()
    }
}

impl Drop for IoData {
    fn drop(&mut self) {
        self.close_c_stream();
        if !self.autoclose {
            return;
        }
        if let Some(fd) = self.fd
            && fd.0 > 2
        {
            let target = self.writer.unwrap_or(fd);
            let mut done = 0;
            while done < self.write_buffer.len() {
                match host::fs::write(target, &self.write_buffer[done..]) {
                    Ok(n) => done += n,
                    Err(errno) if is_interrupted(errno) => {}
                    Err(_) => break,
                }
            }
            let _ = host::fs::close(fd);
        }
        if let Some(fd) = self.writer {
            let _ = host::fs::close(fd);
        }
    }
}

impl IoData {
    pub(super) fn close_c_stream(&mut self) {
        if let Some((stream, close)) = self.c_stream.take() {
            close(stream);
        }
    }

    pub fn new(fd: Option<Fd>, readable: bool, writable: bool) -> IoData {
        IoData {
            fd,
            writer: None,
            half_closed: false,
            initialized: fd.is_some(),
            readable,
            writable,
            append: false,
            sync: false,
            binmode: false,
            autoclose: true,
            universal: false,
            crlf: false,
            cr: false,
            terminal: None,
            reopened: false,
            c_stream: None,
            pid: None,
            path: Value::NIL,
            timeout: Value::NIL,
            users: Value::NIL,
            read_buffer: Vec::new(),
            read_at: 0,
            newlines: Newlines::default(),
            write_buffer: Vec::new(),
            flusher: Flusher::NONE,
            line: 0,
            external: None,
            internal: None,
            encoder: None,
            conversion: Value::NIL,
            quoted: false,
        }
    }

    /// Bytes that were read from the descriptor but not consumed.
    pub fn waiting(&self) -> &[u8] {
        &self.read_buffer[self.read_at..]
    }

    /// Whether the bytes that are written go to a terminal.
    fn is_terminal(&mut self) -> bool {
        let fd = self.fd;
        *self.terminal.get_or_insert_with(|| fd.is_some_and(host::fs::is_terminal))
    }

    /// Consumes up to `count` buffered bytes.
    pub fn take(&mut self, count: usize) -> Vec<u8> {
        let count = count.min(self.waiting().len());
        let taken = self.waiting()[..count].to_vector();
        self.advance(count);
        taken
    }

    /// Consumes one buffered byte, if there is one.
    pub fn take_byte(&mut self) -> Option<u8> {
        let byte = *self.read_buffer.get(self.read_at)?;
        self.advance(1);
        Some(byte)
    }

    /// Consumes the first `count` buffered bytes.
    pub fn advance(&mut self, count: usize) {
        self.read_at += count;
        if self.read_at == self.read_buffer.len() {
            self.read_buffer.clear();
            self.read_at = 0;
            self.newlines.emptied();
        }
    }

    /// Forgets the buffered bytes.
    pub fn clear_input(&mut self) {
        self.read_buffer.clear();
        self.read_at = 0;
        self.newlines = Newlines::default();
    }

    /// Whether the bytes of a newline are only known after the conversion to the internal encoding.
    pub fn has_newlines_after_conversion(&self) -> bool {
        self.internal.is_some() && self.external.is_some_and(|external| !external.is_ascii_compatible())
    }

    /// Puts bytes back before the buffered ones.
    pub fn put_back(&mut self, bytes: &[u8]) {
        let at = self.read_at;
        if at >= bytes.len() {
            self.newlines.replaced(at, at);
            self.read_at -= bytes.len();
            self.read_buffer[self.read_at..at].copy_from_slice(bytes);
        } else {
            self.newlines.replaced(at, bytes.len());
            self.read_buffer.splice(..at, bytes.iter().copied());
            self.read_at = 0;
        }
    }
}

pub fn is_interrupted(errno: Errno) -> bool {
    errno.name() == Some("EINTR")
}

/// The data of an IO that was initialized; IOError otherwise.
pub fn any_data(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    let is_ready = |data: &IoData| data.initialized;
    native::get_mut_where(cx, io, is_ready, |cx| cx.raise(ErrorClass::IOError, "uninitialized stream"))
}

/// Consumes `count` buffered bytes; returns the first `shown` of them as a String.
pub fn take_text(cx: &mut Cx, io: Value, count: usize, shown: usize, encoding: EncodingId) -> R {
    let Some(data) = native::get::<IoData>(&io).filter(|data| data.initialized) else {
        any_data(cx, io)?;
        return Ok(Value::NIL);
    };
    let made = Str::new(cx, &data.read_buffer[data.read_at..data.read_at + shown], encoding);
    any_data(cx, io)?.advance(count);
    Ok(runtime::error::OrRaise::or_raise(made, cx)?.value())
}

/// The data of an IO that is open; IOError otherwise.
pub fn open_data(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    let is_open = |data: &IoData| data.initialized && data.fd.is_some();
    native::get_mut_where(cx, io, is_open, |cx| match not_open(cx, io) {
        Ok(never) => match never {},
        Err(unwind) => unwind,
    })
}

/// The error of a stream that is not open.
#[cold]
fn not_open(cx: &mut Cx, io: Value) -> R<std::convert::Infallible> {
    any_data(cx, io)?;
    // The thread that closed the stream may have killed this thread first, which must notice that now.
    cx.safepoint()?;
    Err(cx.raise(ErrorClass::IOError, "closed stream"))
}

/// The descriptor of an open IO.
pub fn fd_of(cx: &mut Cx, io: Value) -> R<Fd> {
    let data = open_data(cx, io)?;
    data.fd.ok_or_else(|| cx.raise(ErrorClass::IOError, "closed stream"))
}

/// The data of a readable IO, whose buffer has the bytes that were read.
pub fn reader(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    let data = readable(cx, io)?;
    data.show_bytes();
    Ok(data)
}

/// The data of a readable IO, whose buffer has text: line ends are converted if the stream does that.
pub fn text_reader(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    if readable(cx, io)?.universal {
        newlines::show_text(cx, io, FILLING)?;
    }
    open_data(cx, io)
}

/// The data of a readable IO; buffered output is written first.
pub fn readable(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    let data = open_data(cx, io)?;
    if !data.readable {
        return Err(cx.raise(ErrorClass::IOError, "not opened for reading"));
    }
    if !data.write_buffer.is_empty() && data.writer.is_none() {
        flush(cx, io)?;
    }
    open_data(cx, io)
}

/// The data of a writable IO; the descriptor's position is moved to the reader's position.
pub fn writer(cx: &mut Cx, io: Value) -> R<&mut IoData> {
    if !open_data(cx, io)?.writable {
        return Err(cx.raise(ErrorClass::IOError, "not opened for writing"));
    }
    let data = open_data(cx, io)?;
    if data.writer.is_none() {
        unread(data);
    }
    Ok(data)
}

/// Drops buffered input, moving the descriptor back if possible.
pub fn unread(data: &mut IoData) {
    data.show_bytes();
    let ahead = data.waiting().len() as i64;
    if ahead > 0
        && let Some(fd) = data.fd
        && host::fs::seek(fd, -ahead, host::fs::Whence::Current.number()).is_ok()
    {
        data.clear_input();
    }
}

/// Runs a potentially blocking call on a stream's descriptor; meanwhile another thread may close the stream.
pub fn blocking_on<T>(cx: &mut Cx, io: Value, body: impl FnOnce() -> T) -> R<T> {
    pending::check_blocking(cx)?;
    // No other thread can close the stream.
    if !thread::has_others(cx) {
        return Ok(blocking(cx, body));
    }
    let own = cx.thread;
    let users = enter_use(cx, io, own)?;
    let result = blocking(cx, body);
    if leave_use(cx, io, users, own)? {
        pending::check_blocking(cx)?;
    }
    Ok(result)
}

/// Registers a thread or fiber that blocks on the stream.
fn enter_use(cx: &mut Cx, io: Value, own: Value) -> R {
    let users = any_data(cx, io)?.users;
    let users = if users.is_nil() { make::array(cx, &[]) } else { users };
    any_data(cx, io)?.users = users;
    make::push(cx, users, own);
    Ok(users)
}

/// Ends `enter_use`; true if the stream was closed meanwhile.
fn leave_use(cx: &mut Cx, io: Value, users: Value, own: Value) -> R<bool> {
    if let Some(place) = Arr::of(users).index_of(own) {
        let _ = Arr::of(users).delete_at(cx, place);
    }
    let is_closed = any_data(cx, io)?.fd.is_none();
    if is_closed {
        parking::notify(cx)?;
    }
    Ok(is_closed)
}

/// Runs a hook of the scheduler for a stream; closing the stream meanwhile interrupts the fiber.
///
/// # Errors
/// IOError if the stream was closed.
pub fn while_used<T>(cx: &mut Cx, io: Value, body: impl FnOnce(&mut Cx) -> R<T>) -> R<T> {
    let own = scheduler::runner(cx);
    let users = enter_use(cx, io, own)?;
    let result = body(cx);
    let is_closed = leave_use(cx, io, users, own);
    let result = result?;
    if is_closed? {
        return Err(cx.raise(ErrorClass::IOError, "stream closed in another thread"));
    }
    Ok(result)
}

/// Waits until a stream's descriptor is ready; returns no events on timeout.
pub fn wait_on(cx: &mut Cx, io: Value, fd: Fd, events: Events, seconds: Option<f64>) -> R<Events> {
    if let Some(scheduler) = scheduler::current(cx) {
        let came = while_used(cx, io, |cx| scheduler::io_wait(cx, scheduler, io, events.bits(), seconds))?;
        return Ok(Events::from_bits(came));
    }
    pending::check_blocking(cx)?;
    if let Ok(ready) = host::io::wait_for(fd, events, Some(0), &mut || false)
        && (!ready.is_empty() || seconds.is_some_and(|seconds| seconds <= 0.0))
    {
        // Without a wait, a program that polls in a loop must still let other threads run.
        thread::pass_if_due(cx);
        return Ok(ready);
    }
    let deadline = parking::deadline_after(seconds);
    loop {
        match blocking_on(cx, io, || host::io::wait_for(fd, events, deadline, &mut || false))? {
            Ok(ready) => return Ok(ready),
            Err(errno) if is_interrupted(errno) => {
                // The stream may have been closed, and the descriptor's number may be in use for another file.
                fd_of(cx, io)?;
            }
            Err(errno) => return Err(cx.system_error(errno, "")),
        }
    }
}

/// The stream's `timeout` in seconds.
pub fn time_limit(cx: &mut Cx, io: Value) -> R<Option<f64>> {
    Ok(seconds(open_data(cx, io)?.timeout))
}

/// Waits for a stream within its time limit.
///
/// # Errors
/// IO::TimeoutError.
pub fn wait_in_time(cx: &mut Cx, io: Value, fd: Fd, events: Events) -> R<()> {
    let limit = time_limit(cx, io)?;
    if wait_on(cx, io, fd, events, limit)?.is_empty() {
        return Err(cx.raise(ErrorClass::IOTimeoutError, "Blocking operation timed out!"));
    }
    Ok(())
}

/// The number of bytes that a pipe accepts at once if it accepts any.
const PIPE_ROOM: usize = 4096;

/// The most bytes that one call of the hook `io_write` gets, which are copied: it may write few of them.
const HOOK_ROOM: usize = 256 << 10;

/// If a scheduler runs the current fiber, lets other fibers run until the descriptor is ready; returns whether there is
/// a scheduler.
pub(super) fn wait_by_scheduler(cx: &mut Cx, io: Value, fd: Fd, events: Events) -> R<bool> {
    if scheduler::current(cx).is_none() {
        return Ok(false);
    }
    // A fiber may be resumed although the descriptor is not ready.
    while host::io::wait_for(fd, events, Some(0), &mut || false).is_ok_and(|ready| ready.is_empty()) {
        wait_in_time(cx, io, fd, events)?;
    }
    Ok(true)
}

/// The stream's name for messages.
pub fn path_text(v: Value) -> String {
    object::string::Str::from_value(v).map_or(String::new(), |s| s.to_text())
}

/// The name of an IO for messages; empty if it has none.
pub fn name(io: Value) -> String {
    native::get::<IoData>(&io).map_or(String::new(), |data| path_text(data.path))
}

/// The error of an operation on a stream: "Is a directory @ io_fread - /tmp", as CRuby's, whose messages name the
/// function.
#[cold]
pub fn failed(cx: &mut Cx, errno: Errno, io: Value, function: &str) -> Unwind {
    let Some(data) = native::get::<IoData>(&io) else { return cx.system_error(errno, "") };
    let path = path_text(data.path);
    match data.fd {
        _ if path.is_empty() => cx.system_error(errno, ""),
        Some(fd) if function == FILLING => cx.system_error(errno, &format!(" @ {function} - fd:{} {path}", fd.0)),
        _ => cx.system_error(errno, &format!(" @ {function} - {path}")),
    }
}

/// The function of errors when the buffer is filled, which name the descriptor as well.
const FILLING: &str = "io_fillbuf";

fn seconds(v: Value) -> Option<f64> {
    v.as_fixnum().map(|n| n as f64).or_else(|| object::float::get(v))
}

/// Reads more bytes into the buffer; false at the end.
pub fn fill(cx: &mut Cx, io: Value) -> R<bool> {
    fill_for(cx, io, FILLING)
}

/// Like `fill`; errors name this function.
pub fn fill_for(cx: &mut Cx, io: Value, function: &str) -> R<bool> {
    // The first read is small: many programs want a few lines of a file. An empty buffer is read into directly;
    // meanwhile another thread may fill the stream's.
    let data = open_data(cx, io)?;
    let size = if data.read_buffer.capacity() == 0 { FIRST_READ_SIZE } else { READ_SIZE };
    let mut buffer = Vec::new();
    if data.waiting().is_empty() {
        buffer = std::mem::take(&mut data.read_buffer);
        data.read_at = 0;
        data.newlines.emptied();
    }
    buffer.clear();
    memory::reserve(&mut buffer, size);
    let more = read_into(cx, io, buffer, size, function)?;
    if more.is_empty() {
        return Ok(false);
    }
    let data = open_data(cx, io)?;
    if data.read_at > 0 {
        data.read_buffer.drain(..data.read_at);
        data.newlines.replaced(data.read_at, 0);
        data.read_at = 0;
    }
    if data.read_buffer.is_empty() {
        data.read_buffer = more;
    } else {
        data.read_buffer.append_slice(&more);
    }
    newlines::added(cx, io, function)?;
    Ok(true)
}

/// If the stream has a time limit, waits until it accepts bytes; returns whether it has one.
pub fn wait_by_limit(cx: &mut Cx, io: Value, fd: Fd) -> R<bool> {
    let is_limited = time_limit(cx, io)?.is_some();
    if is_limited {
        wait_in_time(cx, io, fd, Events::WRITABLE)?;
    }
    Ok(is_limited)
}

/// One write of the pieces, after a wait for room if others could run meanwhile.
fn write_once(cx: &mut Cx, io: Value, fd: Fd, pieces: &[IoSlice]) -> R<host::Result<usize>> {
    let is_limited = wait_by_scheduler(cx, io, fd, Events::WRITABLE)? || wait_by_limit(cx, io, fd)?;
    blocking_on(cx, io, || match pieces {
        // Writing more could block on the pipe's reader: the whole thread, or longer than the time limit.
        [first, ..] if is_limited => host::fs::write(fd, &first[..first.len().min(PIPE_ROOM)]),
        [only] => host::fs::write(fd, only),
        all => host::fs::write_pieces(fd, all),
    })
}

/// Writes the pieces, and removes from the list what is written.
fn write_counted(cx: &mut Cx, io: Value, pieces: &mut &mut [IoSlice], function: &str) -> R<()> {
    IoSlice::advance_slices(pieces, 0);
    while !pieces.is_empty() {
        let data = open_data(cx, io)?;
        let fd = data.writer.or(data.fd).unwrap_or(Fd(-1));
        let hooked = match &**pieces {
            [first, ..] => hooks::write(cx, io, &first[..first.len().min(HOOK_ROOM)], None)?,
            [] => None,
        };
        let written = match hooked {
            Some(outcome) => outcome,
            None => write_once(cx, io, fd, pieces)?,
        };
        match written {
            Ok(0) => wait_in_time(cx, io, fd, Events::WRITABLE)?,
            Ok(count) => IoSlice::advance_slices(pieces, count),
            Err(errno) if is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) if errno.would_block() => wait_in_time(cx, io, fd, Events::WRITABLE)?,
            Err(errno) if fd.0 == 1 && !any_data(cx, io)?.reopened && errno.name() == Some("EPIPE") => {
                return Err(broken_output(cx, errno, io, function));
            }
            Err(errno) => return Err(failed(cx, errno, io, function)),
        }
    }
    Ok(())
}

/// The reader of standard output has closed it. If the program does not rescue the error, it ends like by SIGPIPE.
fn broken_output(cx: &mut Cx, errno: Errno, io: Value, function: &str) -> Unwind {
    let unwind = failed(cx, errno, io, function);
    if let Some(exception) = cx.exception_under_way() {
        ivars::set(cx, exception, sym::MEMO_SIGNO, Value::fixnum(i64::from(host::signal::PIPE)));
    }
    unwind
}

/// Writes buffered bytes, after those that another thread is currently writing.
pub fn flush(cx: &mut Cx, io: Value) -> R<()> {
    flush_for(cx, io, "rb_sys_fail_on_write")
}

/// Like `flush`; errors name this function.
pub(super) fn flush_for(cx: &mut Cx, io: Value, function: &str) -> R<()> {
    let own = Flusher::now(cx);
    while open_data(cx, io)?.flusher.is_waited_for(cx, own) {
        match scheduler::current(cx) {
            Some(scheduler) => {
                let deadline = parking::deadline_after(Some(FLUSH_PAUSE.as_secs_f64()));
                scheduler::sleep(cx, scheduler, deadline)?;
            }
            None => blocking_on(cx, io, || std::thread::sleep(FLUSH_PAUSE))?,
        }
    }
    let data = open_data(cx, io)?;
    if data.write_buffer.is_empty() {
        return Ok(());
    }
    let bytes = std::mem::take(&mut data.write_buffer);
    // A signal handler may write to the stream that this thread is currently flushing.
    let before = std::mem::replace(&mut data.flusher, own);
    let mut pieces = &mut [IoSlice::new(&bytes)][..];
    let outcome = write_counted(cx, io, &mut pieces, function);
    any_data(cx, io)?.flusher = if before == own { own } else { Flusher::NONE };
    outcome.inspect_err(|_| buffer_again(cx, io, pieces))
}

/// The interval at which a thread checks whether another thread has finished flushing.
const FLUSH_PAUSE: Duration = Duration::from_micros(500);

/// Bytes that were not written because of an error are buffered.
#[cold]
fn buffer_again(cx: &mut Cx, io: Value, pieces: &[IoSlice]) {
    if let Ok(data) = any_data(cx, io)
        && !data.sync
    {
        data.write_buffer.splice(..0, pieces.iter().flat_map(|piece| piece.iter().copied()));
    }
}

/// A write may block: what a mask delays until then comes before the bytes, not after some of them.
fn check_pending(cx: &mut Cx) -> R<()> {
    let thread = cx.thread;
    if !thread.is_nil() && pending::is_pending(cx, thread, None) {
        pending::check_blocking(cx)?;
    }
    Ok(())
}

/// Writes bytes, through the buffer unless the stream is `sync`, or a terminal, whose user expects prompts.
///
/// # Errors
/// IOError, those of the system, and the exceptions of other threads that wait for a call that may block.
pub fn write(cx: &mut Cx, io: Value, bytes: &[u8]) -> R<()> {
    check_pending(cx)?;
    let data = writer(cx, io)?;
    let is_plain = !data.crlf && !data.cr && data.write_buffer.is_empty() && data.flusher == Flusher::NONE;
    if is_plain && bytes.len() >= DIRECT_WRITE {
        return write_directly(cx, io, &mut [IoSlice::new(bytes)]);
    }
    let data = writer(cx, io)?;
    if data.crlf {
        for &byte in bytes {
            if byte == b'\n' {
                data.write_buffer.push(b'\r');
            }
            data.write_buffer.push(byte);
        }
    } else {
        let start = data.write_buffer.len();
        memory::reserve(&mut data.write_buffer, bytes.len());
        data.write_buffer.append_slice(bytes);
        if data.cr {
            data.write_buffer[start..].iter_mut().filter(|byte| **byte == b'\n').for_each(|byte| *byte = b'\r');
        }
    }
    if data.fd.is_some_and(|fd| fd.0 > 2) {
        WRITTEN_TO.store(true, Ordering::Relaxed);
    }
    let is_due = data.sync || data.write_buffer.len() >= WRITE_BUFFER || data.is_terminal();
    if is_due { flush(cx, io) } else { Ok(()) }
}

/// From this length on, bytes are written past the empty buffer.
pub const DIRECT_WRITE: usize = 1 << 15;

/// Writes the pieces past the buffer, in one call if the system accepts them. False if the stream converts what it
/// writes, or is being flushed.
pub fn write_pieces(cx: &mut Cx, io: Value, pieces: &mut [IoSlice]) -> R<bool> {
    check_pending(cx)?;
    let data = writer(cx, io)?;
    if data.crlf || data.cr {
        return Ok(false);
    }
    flush(cx, io)?;
    if writer(cx, io)?.flusher != Flusher::NONE {
        return Ok(false);
    }
    write_directly(cx, io, pieces)?;
    Ok(true)
}

/// Writes many bytes without a copy of them. The stream counts as being flushed meanwhile.
fn write_directly(cx: &mut Cx, io: Value, mut pieces: &mut [IoSlice]) -> R<()> {
    any_data(cx, io)?.flusher = Flusher::now(cx);
    let outcome = write_counted(cx, io, &mut pieces, "rb_sys_fail_on_write");
    any_data(cx, io)?.flusher = Flusher::NONE;
    outcome.inspect_err(|_| buffer_again(cx, io, pieces))
}

/// Whether the encoding switches between sets of characters.
pub fn is_stateful(encoding: EncodingId) -> bool {
    let name = encoding.name();
    name.starts_with("ISO-2022-JP") || name.starts_with("CP5022")
}

/// UTF-8 text converted to a stateful encoding, from the state that the previously written text left; `None` if it
/// cannot be converted.
pub fn encoded_on(cx: &mut Cx, io: Value, text: &[u8], external: EncodingId) -> R<Option<Vec<u8>>> {
    let data = open_data(cx, io)?;
    let mut encoder = match data.encoder.take() {
        Some(encoder) if encoder.destination_encoding() == Some(external) => encoder,
        _ => match Converter::open(b"UTF-8", external.name().as_bytes(), &Options::default()) {
            Ok(encoder) => Box::new(encoder),
            Err(_) => return Ok(None),
        },
    };
    let (mut rest, mut converted) = (text, Vec::new());
    let limits = Limits { partial_input: true, ..Limits::default() };
    let before = encoder.clone();
    if let Outcome::Error(_) = encoder.convert(&mut rest, &mut converted, limits) {
        data.encoder = Some(before);
        return Ok(None);
    }
    data.encoder = Some(encoder);
    Ok(Some(converted))
}

/// Flushes `$stdout` and `$stderr` before a fork, so that the child does not inherit buffered output. Objects that are
/// no IO are sent `flush`.
///
/// # Errors
/// IOError for a closed stream, and what `flush` raises.
pub fn flush_standard(cx: &mut Cx) -> R<()> {
    for root in [runtime::Root::StandardOutput, runtime::Root::StandardError] {
        let stream = crate::global_variables::stream(cx, root);
        if is_io(stream) {
            flush(cx, stream)?;
        } else {
            runtime::call::send_private(cx, stream, runtime::sym::FLUSH, &[])?;
        }
    }
    Ok(())
}

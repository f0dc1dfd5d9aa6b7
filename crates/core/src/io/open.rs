//! Opening: IO.new, File.new, IO.pipe, IO.sysopen; waiting for several streams.

use heap::{Cause, Request};
use host::{Fd, io::Events};
use memory::Grow;
use object::{array::Arr, native, string::Str};
use runtime::{
    Args, Cx, R, Value, call,
    concurrency::{parking::deadline_after, scheduler, thread::blocking},
    convert, make, warning,
};
use text::EncodingId;

use crate::kernel::pause;

use super::{
    control,
    data::{self, IoData, fd_of, open_data},
    mode::{self, Mode},
    path, read,
};

/// `IO.allocate → io`: a stream without a descriptor; its methods raise IOError until `initialize`.
pub fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(IoData::new(None, false, false))))
}

fn fill(cx: &mut Cx, io: Value, fd: Fd, m: &Mode, path: Value) -> R<()> {
    let Some(data) = native::get_mut::<IoData>(cx, io) else {
        return Err(cx.raise(runtime::error::ErrorClass::IOError, "uninitialized stream"));
    };
    data.fd = Some(fd);
    data.initialized = true;
    m.apply(cx, io);
    let data = data::any_data(cx, io)?;
    data.path = path;
    data.terminal = None;
    if m.bom && m.readable() {
        read::skip_bom(cx, io)?;
    }
    Ok(())
}

/// `IO.new(fd, mode = "r", **options)`: a stream for an open descriptor. SystemCallError for a bad one, or if the mode
/// requires more access than it was opened with; ArgumentError for one of Beni's own.
pub fn initialize(cx: &mut Cx, args: Args) -> R {
    initialize_with(cx, args, args.at(0))
}

/// `initialize` for a descriptor's number.
fn initialize_with(cx: &mut Cx, args: Args, number: Value) -> R {
    warn_of_block(cx, args)?;
    // The mode is looked at before the descriptor, whose access is the mode if none is given.
    let given = match args.non_nil(1) {
        Some(mode) => Some(mode::parse(cx, mode, args.keywords(), "r")?),
        None => None,
    };
    let fd = Fd(convert::to_i32(cx, number)?);
    if host::signal::is_wake_end(fd) {
        return Err(cx.argument_error("The given fd is not accessible because RubyVM reserves it"));
    }
    let status = host::fs::status_flags(fd).map_err(|e| cx.system_error(e, ""))?;
    let access = status & host::fs::ACCESS_MODE_MASK;
    let default = match access {
        host::fs::READ_ONLY => "r",
        host::fs::WRITE_ONLY => "w",
        _ => "r+",
    };
    let m = match given {
        Some(m) => m,
        None => mode::parse(cx, Value::NIL, args.keywords(), default)?,
    };
    if (m.readable() && access == host::fs::WRITE_ONLY) || (m.writable() && access == host::fs::READ_ONLY) {
        let errno = host::Errno::INVALID_ARGUMENT;
        return Err(cx.system_error(errno, ""));
    }
    let path = m.path;
    fill(cx, args.me(), fd, &m, path)?;
    Ok(Value::NIL)
}

/// Makes a stream of the descriptor of a socket, which can be read and written and does not buffer what is written.
pub fn adopt_socket(cx: &mut Cx, io: Value, fd: Fd) -> R<()> {
    let m = mode::parse(cx, Value::NIL, None, "r+b")?;
    fill(cx, io, fd, &m, Value::NIL)?;
    open_data(cx, io)?.sync = true;
    Ok(())
}

fn warn_of_block(cx: &mut Cx, args: Args) -> R<()> {
    if args.block(cx).is_none() {
        return Ok(());
    }
    let class = runtime::error::class_name_of(cx, args.me());
    warning::warn_here(cx, &format!("{class}::new() does not take block; use {class}::open() instead"))
}

/// Opens a file by its path; the call may block (pipes).
pub fn open_path(cx: &mut Cx, path: &[u8], flags: i32, permissions: u32) -> R<Fd> {
    let encoding = cx.vm().default_external;
    open_path_in(cx, path, encoding, flags, permissions)
}

fn open_path_in(cx: &mut Cx, path: &[u8], encoding: EncodingId, flags: i32, permissions: u32) -> R<Fd> {
    loop {
        match opened(cx, || host::fs::open(path, flags, permissions)) {
            Ok(fd) => return Ok(fd),
            Err(errno) if data::is_interrupted(errno) => runtime::concurrency::pending::check_blocking(cx)?,
            Err(errno) => return Err(path::failed_in(cx, errno, "rb_sysopen", path, encoding)),
        }
    }
}

/// Opens a descriptor; if none is left, collects garbage so that unreachable streams close theirs.
pub fn opened<T>(cx: &mut Cx, mut open: impl FnMut() -> Result<T, host::Errno>) -> Result<T, host::Errno> {
    match blocking(cx, &mut open) {
        Err(errno) if matches!(errno.name(), Some("EMFILE" | "ENFILE")) => {
            cx.collect(Request { full: true, immediate_mark: true, immediate_sweep: true, cause: Cause::Method });
            blocking(cx, open)
        }
        outcome => outcome,
    }
}

/// `File.new(path, mode = "r", permissions = 0666, **options)`: opens a file, or uses a descriptor like `IO.new`.
/// SystemCallError if that fails, ArgumentError for an unknown mode.
pub fn initialize_file(cx: &mut Cx, args: Args) -> R {
    let io = args.me();
    if native::get::<IoData>(&io).is_some_and(|d| d.initialized) {
        return Err(cx.runtime_error("reinitializing File"));
    }
    if !(1..=3).contains(&args.len()) {
        return Err(cx.arity_error(args.len(), 1, Some(3)));
    }
    let first = args.at(0);
    if !object::cell::is(first, abi::Type::String) {
        let number = crate::integer::convert::to_int_or_nil(cx, first)?;
        if !number.is_nil() {
            return initialize_with(cx, args, number);
        }
    }
    warn_of_block(cx, args)?;
    let path = path::path_of(cx, first)?;
    let m = mode::parse(cx, args.opt(1).unwrap_or(Value::NIL), args.keywords(), "r")?;
    let permissions = mode::permissions(cx, args.opt(2), args.keywords())?;
    let bytes = Str::of(path).to_vector();
    let fd = open_path_in(cx, &bytes, Str::of(path).encoding(), m.flags, permissions)?;
    // A file without a directory entry (O_TMPFILE) has no path.
    let is_nameless = m.flags & host::fs::NAMELESS == host::fs::NAMELESS;
    let path = if is_nameless { Value::NIL } else { Str::of(path).frozen_dup(cx).value() };
    fill(cx, io, fd, &m, path)?;
    Ok(Value::NIL)
}

/// `IO.sysopen(path, mode = nil, permissions = nil) → integer`: opens a file and returns only the descriptor, which
/// nothing closes automatically. SystemCallError if that fails.
pub fn sysopen(cx: &mut Cx, args: Args) -> R {
    let path = path::path_bytes(cx, args.at(0))?;
    let m = mode::parse(cx, args.opt(1).unwrap_or(Value::NIL), None, "r")?;
    let permissions = mode::permissions(cx, args.opt(2), None)?;
    let fd = open_path(cx, &path, m.flags, permissions)?;
    Ok(Value::fixnum(fd.0 as i64))
}

/// An IO with a class and a descriptor.
pub fn make_io(cx: &mut Cx, class: Value, fd: Fd, readable: bool, writable: bool) -> Value {
    native::new(cx, class, Box::new(IoData::new(Some(fd), readable, writable)))
}

/// `IO.__pipe → [reader, writer]`: two streams of a new pipe; the writer does not buffer.
pub fn pipe(cx: &mut Cx, args: Args) -> R {
    let (reader, writer) = opened(cx, host::fs::pipe).map_err(|e| cx.system_error(e, ""))?;
    let r = make_io(cx, args.me(), reader, true, false);
    let w = make_io(cx, args.me(), writer, false, true);
    open_data(cx, w)?.sync = true;
    let (external, internal) = control::default_encodings(cx);
    for end in [r, w] {
        let data = open_data(cx, end)?;
        (data.external, data.internal) = (external, internal);
    }
    Ok(make::array(cx, &[r, w]))
}

/// `IO.__join(reader, writer, pid, mode, **options) → io`: one stream that reads from one pipe and writes to the other,
/// for `IO.popen`.
pub fn join(cx: &mut Cx, args: Args) -> R {
    let m = mode::parse(cx, args.at(3), args.keywords(), "r")?;
    let mut ends = Vec::new();
    for v in [args.at(0), args.at(1)] {
        if v.is_nil() {
            ends.push(None);
        } else {
            let data = open_data(cx, v)?;
            ends.push(data.fd.take());
        }
    }
    let (fd, writer) = match (ends[0], ends[1]) {
        (Some(r), w) => (r, w),
        (None, Some(w)) => (w, None),
        (None, None) => (Fd(-1), None),
    };
    let io = make_io(cx, args.me(), fd, true, true);
    m.apply(cx, io);
    let pid = convert::to_i32(cx, args.at(2))?;
    let data = open_data(cx, io)?;
    data.writer = writer;
    data.sync = true;
    data.pid = Some(pid);
    Ok(io)
}

fn streams(cx: &mut Cx, v: Option<Value>) -> R<(Value, Vec<Fd>)> {
    let list = make::array(cx, &[]);
    let mut fds = Vec::new();
    let Some(v) = v.filter(|v| !v.is_nil()) else { return Ok((list, fds)) };
    let given = convert::to_ary(cx, v)?;
    let mut i = 0;
    while let Some(element) = given.get(i) {
        let io = read::to_io(cx, element)?;
        fds.push(fd_of(cx, io)?);
        make::push(cx, list, element);
        i += 1;
    }
    Ok((list, fds))
}

/// `IO.select(read, write = nil, except = nil, timeout = nil) → array or nil`: waits until one of the streams is ready,
/// and returns the ready ones in three arrays; nil after `timeout` seconds. ArgumentError for a negative time.
pub fn select(cx: &mut Cx, args: Args) -> R {
    if let Some(scheduler) = scheduler::current(cx)
        && scheduler::has(cx, scheduler, "io_select")?
    {
        let given = [0, 1, 2, 3].map(|i| args.opt(i).unwrap_or(Value::NIL));
        return scheduler::send(cx, scheduler, "io_select", &given);
    }
    let timeout = match args.non_nil(3) {
        // Infinity is no time limit here.
        Some(v) if object::float::get(v) == Some(f64::INFINITY) => None,
        Some(v) => Some(pause::interval(cx, v)?),
        None => None,
    };
    let (readers, read_fds) = streams(cx, args.opt(0))?;
    let (writers, mut write_fds) = streams(cx, args.opt(1))?;
    let (others, except_fds) = streams(cx, args.opt(2))?;
    for (i, fd) in write_fds.iter_mut().enumerate() {
        if let Some(v) = Arr::of(writers).get(i) {
            let io = read::to_io(cx, v)?;
            *fd = open_data(cx, io)?.writer.unwrap_or(*fd);
        }
    }
    // A stream with buffered input is ready immediately.
    let mut buffered = Vec::new();
    let mut i = 0;
    while let Some(v) = Arr::of(readers).get(i) {
        let io = read::to_io(cx, v)?;
        if !open_data(cx, io)?.waiting().is_empty() {
            buffered.append_one(i);
        }
        i += 1;
    }
    let deadline = deadline_after(if buffered.is_empty() { timeout } else { Some(0.0) });
    let selected = loop {
        runtime::concurrency::pending::check_blocking(cx)?;
        let outcome = blocking(cx, || host::io::select(&read_fds, &write_fds, &except_fds, deadline, &mut || false));
        match outcome {
            Ok(selected) => break selected,
            Err(errno) if data::is_interrupted(errno) => {}
            Err(errno) => return Err(cx.system_error(errno, "")),
        }
    };
    let mut selected = match selected {
        None if buffered.is_empty() => return Ok(Value::NIL),
        selected => selected.unwrap_or_default(),
    };
    selected.readable.append_from(buffered);
    selected.readable.sort_unstable();
    selected.readable.dedup();
    let lists = [(readers, selected.readable), (writers, selected.writable), (others, selected.exceptional)];
    let out = make::array(cx, &[]);
    for (list, places) in lists {
        // A stream that was given twice is there twice, too.
        let chosen = make::array(cx, &[]);
        make::push(cx, out, chosen);
        for place in places {
            if let Some(v) = Arr::of(list).get(place) {
                make::push(cx, chosen, v);
            }
        }
    }
    Ok(out)
}

/// `__wait(events, timeout, checked = false) → integer, true or nil`: waits until one of the events occurs and returns
/// those that occurred; true if buffered bytes can be read, nil after `timeout` seconds, for nil after the stream's
/// time limit. With `checked`, IOError if the stream is not open for what is waited for.
pub fn wait(cx: &mut Cx, args: Args) -> R {
    let wanted = convert::to_i32(cx, args.at(0))? as i16;
    let seconds = match args.non_nil(1) {
        Some(v) => Some(pause::interval(cx, v)?),
        None => data::time_limit(cx, args.me())?,
    };
    let data = open_data(cx, args.me())?;
    if args.opt(2).is_some_and(Value::truthy) {
        let (is_open, which) = if wanted & 4 != 0 { (data.writable, "writing") } else { (data.readable, "reading") };
        if !is_open {
            return Err(cx.raise(runtime::error::ErrorClass::IOError, &format!("not opened for {which}")));
        }
    }
    if wanted & 1 != 0 && !data.waiting().is_empty() {
        return Ok(Value::TRUE);
    }
    let mut fd = fd_of(cx, args.me())?;
    if wanted & 1 == 0 {
        fd = open_data(cx, args.me())?.writer.unwrap_or(fd);
    }
    let ready = data::wait_on(cx, args.me(), fd, Events::from_bits(wanted), seconds)?;
    if ready.is_empty() {
        return Ok(Value::NIL);
    }
    let mut bits = ready.bits() & wanted;
    if bits == 0 {
        bits = wanted;
    }
    Ok(Value::fixnum(bits as i64))
}

/// `IO.try_convert(object) → io or nil`: the object if it is an IO, otherwise the result of its `to_io`; nil without
/// that method. TypeError if `to_io` returns another object.
pub fn try_convert(cx: &mut Cx, args: Args) -> R {
    let v = args.at(0);
    if native::get::<IoData>(&v).is_some() {
        return Ok(v);
    }
    match call::send_if_responds(cx, v, runtime::sym::TO_IO, &[])? {
        None | Some(Value::NIL) => Ok(Value::NIL),
        Some(io) if native::get::<IoData>(&io).is_some() => Ok(io),
        Some(other) => {
            let (class, got) = (runtime::error::class_name_of(cx, v), runtime::error::class_name_of(cx, other));
            Err(cx.type_error(&format!("can't convert {class} to IO ({class}#to_io gives {got})")))
        }
    }
}

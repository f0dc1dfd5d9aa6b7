//! Positions, closing, encodings, descriptors.

use host::Fd;
use host::fs::Whence;
use memory::Grow;
use object::{native, string::Str};
use runtime::{
    Args, Cx, R, Sym, Value,
    concurrency::thread::{blocking, blocking_with_bytes, state as thread_state},
    convert,
    error::ErrorClass,
    error::OrRaise,
    make,
};
use text::encoding::EncodingId;

use super::open::opened;
use super::{
    closing,
    data::{self, IoData, any_data, fd_of, open_data},
    mode::{self},
    path, read,
};

/// `close → nil`: writes buffered output and closes the descriptor; for `IO.popen` it also waits for the process and
/// sets `$?`. The second call does nothing.
pub fn close(cx: &mut Cx, args: Args) -> R {
    if native::get::<IoData>(&args.me()).is_some_and(|d| d.initialized && d.fd.is_none()) {
        return Ok(Value::NIL);
    }
    closing::close(cx, args.me())?;
    Ok(Value::NIL)
}

/// `__forget_process → nil`: in a thread that was killed, makes `close` not wait for the process of `IO.popen`.
pub fn forget_process(cx: &mut Cx, args: Args) -> R {
    let thread = cx.thread;
    if thread_state(cx, thread).killed
        && let Some(pid) = any_data(cx, args.me())?.pid.take()
    {
        crate::process::wait_if_ended(cx, pid)?;
    }
    Ok(Value::NIL)
}

/// `closed? → true or false`: whether the stream has no descriptor any more: after `close`, or after both `close_read`
/// and `close_write`.
pub fn is_closed(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(any_data(cx, args.me())?.fd.is_none()))
}

/// `close_read → nil`: closes the reading half of a pipe or socket. IOError for a stream that is not duplex, unless it
/// is read-only; then the stream is closed.
pub fn close_read(cx: &mut Cx, args: Args) -> R {
    let data = any_data(cx, args.me())?;
    if data.fd.is_none() {
        return Ok(Value::NIL);
    }
    if data.readable && data.writable {
        if let (Some(fd), Some(writer)) = (data.fd, data.writer) {
            let _ = host::fs::close(fd);
            data.fd = Some(writer);
            data.writer = None;
            data.readable = false;
            data.half_closed = true;
            return Ok(Value::NIL);
        }
        if let Some(fd) = data.fd
            && host::socket::shutdown(fd, 0).is_ok()
        {
            data.readable = false;
            data.half_closed = true;
            return Ok(Value::NIL);
        }
    } else if data.readable {
        closing::close(cx, args.me())?;
        return Ok(Value::NIL);
    }
    if any_data(cx, args.me())?.half_closed {
        return Ok(Value::NIL);
    }
    Err(cx.raise(ErrorClass::IOError, "closing non-duplex IO for reading"))
}

/// `close_write → nil`: writes buffered output and closes the writing half of a pipe or socket. IOError for a stream
/// that is not duplex, unless it is write-only; then the stream is closed.
pub fn close_write(cx: &mut Cx, args: Args) -> R {
    let data = any_data(cx, args.me())?;
    if data.fd.is_none() {
        return Ok(Value::NIL);
    }
    if data.readable && data.writable {
        data::flush(cx, args.me())?;
        let data = any_data(cx, args.me())?;
        if let Some(writer) = data.writer.take() {
            let _ = host::fs::close(writer);
            data.writable = false;
            data.half_closed = true;
            return Ok(Value::NIL);
        }
        if let Some(fd) = data.fd
            && host::socket::shutdown(fd, 1).is_ok()
        {
            data.writable = false;
            data.half_closed = true;
            return Ok(Value::NIL);
        }
    } else if data.writable {
        closing::close(cx, args.me())?;
        return Ok(Value::NIL);
    }
    if any_data(cx, args.me())?.half_closed {
        return Ok(Value::NIL);
    }
    Err(cx.raise(ErrorClass::IOError, "closing non-duplex IO for writing"))
}

/// `fileno → integer`: the number of the descriptor. IOError after closing. Alias: `to_i`.
pub fn fileno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(fd_of(cx, args.me())?.0 as i64))
}

/// `tty? → true or false`: whether the descriptor is a terminal. Alias: `isatty`.
pub fn is_terminal(cx: &mut Cx, args: Args) -> R {
    let fd = fd_of(cx, args.me())?;
    Ok(Value::bool(host::fs::is_terminal(fd)))
}

/// `pid → integer or nil`: the id of the process that `IO.popen` started; nil for other streams.
pub fn pid(cx: &mut Cx, args: Args) -> R {
    Ok(open_data(cx, args.me())?.pid.map_or(Value::NIL, |pid| Value::fixnum(pid as i64)))
}

/// `path → string or nil`: a copy of the path that was opened, also after closing; nil for streams without one. Alias:
/// `to_path`.
pub fn path_of(cx: &mut Cx, args: Args) -> R {
    match native::get::<IoData>(&args.me()) {
        Some(data) if data.initialized => {
            let path = data.path;
            Ok(match Str::from_value(path) {
                Some(s) => s.dup(cx).value(),
                None => path,
            })
        }
        _ => Err(cx.raise(ErrorClass::IOError, "uninitialized stream")),
    }
}

/// `inspect → string`: the class, the path or the number of the descriptor, and whether it is closed.
pub fn inspect(cx: &mut Cx, args: Args) -> R {
    let class = runtime::error::class_name_of(cx, args.me());
    let text = match native::get::<IoData>(&args.me()) {
        Some(data) if data.initialized => {
            let name = match Str::from_value(data.path) {
                Some(path) => {
                    let end = if data.fd.is_some() { ">" } else { " (closed)>" };
                    return Ok(super::path::with_path(cx, &format!("#<{class}:"), path, end));
                }
                None => data.fd.map_or(String::new(), |fd| format!("fd {}", fd.0)),
            };
            match data.fd {
                Some(_) => format!("#<{class}:{name}>"),
                None if name.is_empty() => format!("#<{class}:(closed)>"),
                None => format!("#<{class}:{name} (closed)>"),
            }
        }
        _ => return Ok(convert::any_to_s(cx, args.me()).value()),
    };
    Ok(make::described(cx, &text))
}

fn whence(cx: &mut Cx, v: Option<Value>) -> R<i32> {
    let Some(v) = v else { return Ok(Whence::Start.number()) };
    if let Some(name) = Sym::from_value(v) {
        return match name.bytes(cx) {
            b"SET" => Ok(Whence::Start.number()),
            b"CUR" => Ok(Whence::Current.number()),
            b"END" => Ok(Whence::End.number()),
            b"DATA" => Ok(Whence::Data.number()),
            b"HOLE" => Ok(Whence::Hole.number()),
            _ => {
                let text = name.to_text(cx);
                Err(cx.argument_error(&format!("unknown whence: {text}")))
            }
        };
    }
    convert::to_i32(cx, v)
}

fn seek_to(cx: &mut Cx, io: Value, offset: i64, whence: i32) -> R<i64> {
    data::flush(cx, io)?;
    let fd = fd_of(cx, io)?;
    let data = open_data(cx, io)?;
    data.show_bytes();
    let ahead = if whence == Whence::Current.number() { data.waiting().len() as i64 } else { 0 };
    match host::fs::seek(fd, offset - ahead, whence) {
        Ok(at) => {
            // The next read is small, as the first one: many programs want a few bytes of each place.
            data.clear_input();
            data.read_buffer = Vec::new();
            Ok(at)
        }
        Err(errno) => seek_failed(cx, io, errno),
    }
}

/// `seek(offset, whence = 0) → 0`: moves to a position in bytes, relative to the start, the current position or the
/// end, according to `whence` (a number or :SET, :CUR, :END, :DATA, :HOLE). It drops buffered input. SystemCallError
/// for a stream that cannot seek.
pub fn seek(cx: &mut Cx, args: Args) -> R {
    let offset = convert::to_i64(cx, args.at(0))?;
    let whence = whence(cx, args.opt(1))?;
    seek_to(cx, args.me(), offset, whence)?;
    Ok(Value::fixnum(0))
}

/// `sysseek(offset, whence = 0) → integer`: moves the descriptor, bypassing the buffers, and returns the new position.
/// IOError if input is buffered, a warning if output is buffered.
pub fn sysseek(cx: &mut Cx, args: Args) -> R {
    let offset = convert::to_i64(cx, args.at(0))?;
    let whence = whence(cx, args.opt(1))?;
    let data = open_data(cx, args.me())?;
    if data.readable && !data.waiting().is_empty() {
        return Err(cx.raise(ErrorClass::IOError, "sysseek for buffered IO"));
    }
    if !data.write_buffer.is_empty() {
        runtime::warning::warn_here(cx, "sysseek for buffered IO")?;
    }
    let fd = fd_of(cx, args.me())?;
    host::fs::seek(fd, offset, whence).map(Value::fixnum).or_else(|errno| seek_failed(cx, args.me(), errno))
}

/// `pos → integer`: the position of the next byte to be read or written. It drops buffered input. SystemCallError for a
/// stream that cannot seek. Alias: `tell`.
pub fn pos(cx: &mut Cx, args: Args) -> R {
    data::flush(cx, args.me())?;
    data::unread(open_data(cx, args.me())?);
    let fd = fd_of(cx, args.me())?;
    match host::fs::seek(fd, 0, Whence::Current.number()) {
        Ok(at) => Ok(Value::fixnum(at - open_data(cx, args.me())?.waiting().len() as i64)),
        Err(errno) => seek_failed(cx, args.me(), errno),
    }
}

/// The error for a stream that cannot seek.
fn seek_failed<T>(cx: &mut Cx, io: Value, errno: host::errno::Errno) -> R<T> {
    let path = data::path_text(any_data(cx, io)?.path);
    Err(cx.system_error(errno, &path))
}

/// `pos=(offset) → integer`: `seek` from the start; SystemCallError for a stream that cannot seek.
pub fn set_pos(cx: &mut Cx, args: Args) -> R {
    let offset = convert::to_i64(cx, args.at(0))?;
    Ok(Value::fixnum(seek_to(cx, args.me(), offset, 0)?))
}

/// `rewind → 0`: moves to the start and sets `lineno` to 0. SystemCallError for a stream that cannot seek.
pub fn rewind(cx: &mut Cx, args: Args) -> R {
    seek_to(cx, args.me(), 0, 0)?;
    open_data(cx, args.me())?.line = 0;
    Ok(Value::fixnum(0))
}

/// `fsync → 0`: writes buffered output and waits until the contents and the status are on the disk. SystemCallError if
/// that fails.
pub fn fsync(cx: &mut Cx, args: Args) -> R {
    data::flush(cx, args.me())?;
    let fd = fd_of(cx, args.me())?;
    match blocking(cx, || host::fs::sync(fd)) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "rb_io_fsync")),
    }
}

/// `fdatasync → 0`: like `fsync`, without status data that reading does not need.
pub fn fdatasync(cx: &mut Cx, args: Args) -> R {
    data::flush(cx, args.me())?;
    let fd = fd_of(cx, args.me())?;
    match blocking(cx, || host::fs::sync_data(fd)) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "rb_io_fdatasync")),
    }
}

/// `binmode → self`: reads and writes bytes from now on: line ends are not converted, and the encoding is BINARY.
pub fn binmode(cx: &mut Cx, args: Args) -> R {
    let data = open_data(cx, args.me())?;
    data.show_bytes();
    data.binmode = true;
    data.universal = false;
    data.crlf = false;
    data.cr = false;
    data.external = Some(EncodingId::BINARY);
    data.internal = None;
    Ok(args.me())
}

/// `binmode? → true or false`: whether the stream reads and writes bytes.
pub fn is_binmode(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(open_data(cx, args.me())?.binmode))
}

/// `external_encoding → encoding or nil`: the encoding of the bytes outside; the default for a readable stream, nil for
/// a write-only one if none is set.
pub fn external_encoding(cx: &mut Cx, args: Args) -> R {
    let data = any_data(cx, args.me())?;
    let id = match data.external {
        Some(id) => id,
        None if data.writable => return Ok(Value::NIL),
        None => cx.vm().default_external,
    };
    Ok(crate::encoding::object(cx, id))
}

/// `internal_encoding → encoding or nil`: the encoding that data is converted to while reading; nil for no conversion.
pub fn internal_encoding(cx: &mut Cx, args: Args) -> R {
    match any_data(cx, args.me())?.internal {
        Some(id) => Ok(crate::encoding::object(cx, id)),
        None => Ok(Value::NIL),
    }
}

/// The external and internal encodings of `set_encoding(nil)`: none without a default internal encoding.
pub fn default_encodings(cx: &Cx) -> (Option<EncodingId>, Option<EncodingId>) {
    let (external, internal) = (cx.vm().default_external, cx.vm().default_internal);
    match internal {
        Some(internal) if external != EncodingId::BINARY => {
            (Some(external), (internal != external).then_some(internal))
        }
        _ => (None, None),
    }
}

/// Gives the standard streams the encodings of the options `-E` and `-U`.
pub fn set_standard_encodings(cx: &mut Cx) -> R<()> {
    let (external, internal) = default_encodings(cx);
    for root in [runtime::Root::Stdin, runtime::Root::Stdout, runtime::Root::Stderr] {
        let stream = cx.root(root);
        let data = open_data(cx, stream)?;
        (data.external, data.internal) = (external, internal);
    }
    Ok(())
}

/// `set_encoding(external, internal = nil, **options) → self`: sets the encoding of the bytes, and the one they are
/// converted to while reading; one String may name both, separated by a colon. ArgumentError for an unknown one.
pub fn set_encoding(cx: &mut Cx, args: Args) -> R {
    open_data(cx, args.me())?;
    let mut m = mode::parse(cx, Value::NIL, args.keywords(), "r")?;
    let (first, second) = (args.at(0), args.opt(1));
    if let Some(second) = second.filter(|second| !second.is_nil()) {
        m.external = encoding_of(cx, first)?;
        let dash = Str::from_value(second).is_some_and(|s| s.is(b"-"));
        m.internal = if dash { None } else { encoding_of(cx, second)? };
        if m.internal == m.external || m.external == Some(EncodingId::BINARY) {
            m.internal = None;
        }
    } else if first.is_nil() {
        (m.external, m.internal) = default_encodings(cx);
    } else {
        let first = if crate::encoding::find(cx, first).ok().flatten().is_some() {
            first
        } else {
            convert::to_str(cx, first)?.value()
        };
        mode::encodings_from(cx, &mut m, first)?;
    }
    let data = open_data(cx, args.me())?;
    m.binmode |= data.binmode;
    if data.readable {
        m.check(cx)?;
    }
    let data = open_data(cx, args.me())?;
    data.show_bytes();
    data.external = m.external;
    data.internal = m.internal;
    data.universal = m.universal || data.universal;
    data.crlf |= m.crlf;
    data.cr |= m.cr;
    data.conversion = m.conversion;
    Ok(args.me())
}

/// `None`, with a warning, for a name that is not known.
fn encoding_of(cx: &mut Cx, v: Value) -> R<Option<EncodingId>> {
    if crate::encoding::find(cx, v).ok().flatten().is_some() {
        return crate::encoding::from_value(cx, v).map(Some);
    }
    let name = convert::to_str(cx, v)?;
    if !name.encoding().is_ascii_compatible() {
        return Err(cx.argument_error("invalid encoding name (non ASCII)"));
    }
    mode::named(cx, &name.to_vector())
}

/// `set_encoding_by_bom → encoding or nil`: skips a byte order mark and sets its encoding; nil if there is none.
/// ArgumentError unless the stream is in binary mode without encodings.
pub fn set_encoding_by_bom(cx: &mut Cx, args: Args) -> R {
    let data = open_data(cx, args.me())?;
    if !data.binmode {
        return Err(cx.argument_error("ASCII incompatible encoding needs binmode"));
    }
    if data.internal.is_some() {
        return Err(cx.argument_error("encoding conversion is set"));
    }
    if data.external.is_some_and(|e| e != EncodingId::BINARY) {
        let name = data.external.map_or("", EncodingId::name);
        return Err(cx.argument_error(&format!("encoding is set to {name} already")));
    }
    if !data.readable {
        return Ok(Value::NIL);
    }
    match read::skip_bom(cx, args.me())? {
        Some(id) => Ok(crate::encoding::object(cx, id)),
        None => Ok(Value::NIL),
    }
}

/// `autoclose? → true or false`: whether the descriptor is closed when the object is collected or the program ends.
pub fn is_autoclose(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(open_data(cx, args.me())?.autoclose))
}

/// `autoclose=(on) → on`: sets whether the descriptor is closed when the object is collected or the program ends.
pub fn set_autoclose(cx: &mut Cx, args: Args) -> R {
    open_data(cx, args.me())?.autoclose = args.at(0).truthy();
    Ok(args.at(0))
}

/// `close_on_exec? → true or false`: whether executed programs do not inherit the descriptor.
pub fn is_close_on_exec(cx: &mut Cx, args: Args) -> R {
    let fd = fd_of(cx, args.me())?;
    host::fs::is_close_on_exec(fd).map(Value::bool).map_err(|e| cx.system_error(e, ""))
}

/// `close_on_exec=(on) → on`: sets whether executed programs do not inherit the descriptor.
pub fn set_close_on_exec(cx: &mut Cx, args: Args) -> R {
    let fd = fd_of(cx, args.me())?;
    match host::fs::set_close_on_exec(fd, args.at(0).truthy()) {
        Ok(()) => Ok(args.at(0)),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// `fcntl(command, argument = 0) → integer`: fcntl(2) with an Integer; nil and false mean 0, true means 1.
/// SystemCallError if that fails.
pub fn fcntl(cx: &mut Cx, args: Args) -> R {
    let command = convert::to_i32(cx, args.at(0))?;
    if let Some(text) = args.opt(1).and_then(Str::from_value) {
        let fd = fd_of(cx, args.me())?;
        cx.check_frozen(text.value())?;
        // The kernel may write as many bytes as its largest structure has.
        let mut buffer = text.to_vector();
        let length = buffer.len();
        buffer.set_length(length.max(host::fs::CONTROL_BYTES), 0);
        let outcome = data::blocking_on(cx, args.me(), || host::fs::fcntl_buffer(fd, command, &mut buffer))?;
        text.set_bytes(cx, &buffer[..length]).or_raise(cx)?;
        return match outcome {
            Ok(number) => Ok(Value::fixnum(number.into())),
            Err(errno) => Err(data::failed(cx, errno, args.me(), "finish_narg")),
        };
    }
    // A duplicated descriptor is closed when another program is executed, as all descriptors that Ruby opens.
    let command = if command == host::fs::DUPLICATE { host::fs::DUPLICATE_CLOSING } else { command };
    let argument = match args.opt(1) {
        None | Some(Value::NIL) | Some(Value::FALSE) => 0,
        Some(Value::TRUE) => 1,
        Some(v) => convert::to_i64(cx, v)? as isize,
    };
    let fd = fd_of(cx, args.me())?;
    match host::fs::fcntl(fd, command, argument) {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "finish_narg")),
    }
}

/// `ioctl(request, argument = 0) → integer`: ioctl(2) with a number, or with a String that the system reads and writes.
/// SystemCallError if that fails.
pub fn ioctl(cx: &mut Cx, args: Args) -> R {
    let request = convert::to_i64(cx, args.at(0))? as u64;
    let fd = fd_of(cx, args.me())?;
    let outcome = match args.opt(1) {
        Some(v) if object::cell::is(v, abi::Type::String) => {
            cx.check_frozen(v)?;
            let mut buffer = Str::of(v).to_vector();
            let outcome = host::fs::ioctl_buffer(fd, request, &mut buffer);
            Str::of(v).set_bytes(cx, &buffer).or_raise(cx)?;
            outcome
        }
        None | Some(Value::NIL | Value::FALSE) => host::fs::ioctl(fd, request, 0),
        Some(Value::TRUE) => host::fs::ioctl(fd, request, 1),
        Some(v) => {
            let number = convert::to_i64(cx, v)? as isize;
            host::fs::ioctl(fd, request, number)
        }
    };
    outcome.map(|n| Value::fixnum(n as i64)).map_err(|errno| data::failed(cx, errno, args.me(), "finish_narg"))
}

/// `timeout → number or nil`: the number of seconds that an operation may wait before it raises IO::TimeoutError; nil
/// for no limit.
pub fn timeout(cx: &mut Cx, args: Args) -> R {
    Ok(any_data(cx, args.me())?.timeout)
}

/// `timeout=(seconds) → seconds`: sets the number of seconds that an operation may wait; nil for no limit. TypeError
/// unless it is a number, ArgumentError for a negative one.
pub fn set_timeout(cx: &mut Cx, args: Args) -> R {
    if !args.at(0).is_nil() {
        crate::kernel::pause::duration(cx, args.at(0))?;
    }
    any_data(cx, args.me())?.timeout = args.at(0);
    Ok(args.at(0))
}

/// `syswrite(object) → integer`: writes an object's `to_s` bypassing the buffer and returns the number of bytes. It
/// warns if output is buffered.
pub fn syswrite(cx: &mut Cx, args: Args) -> R {
    let s = convert::to_s(cx, args.at(0))?;
    let data = data::writer(cx, args.me())?;
    if !data.write_buffer.is_empty() {
        runtime::warning::warn_here(cx, "syswrite for buffered IO")?;
    }
    let data = data::writer(cx, args.me())?;
    let fd = data.writer.or(data.fd).unwrap_or(Fd(-1));
    loop {
        // A pipe with room for a part must not wait for its reader longer than the time limit.
        let is_limited = data::wait_by_limit(cx, args.me(), fd)?;
        let must_not_wait = is_limited && host::fs::is_nonblocking(fd).is_ok_and(|already| !already);
        if must_not_wait {
            let _ = host::fs::set_nonblocking(fd, true);
        }
        let written = blocking_with_bytes(cx, s, |bytes| host::fs::write(fd, bytes));
        if must_not_wait {
            let _ = host::fs::set_nonblocking(fd, false);
        }
        match written {
            Ok(n) => return Ok(Value::fixnum(n as i64)),
            Err(errno) if errno.would_block() => data::wait_in_time(cx, args.me(), fd, host::io::Events::WRITABLE)?,
            Err(errno) if data::is_interrupted(errno) => runtime::concurrency::pending::check_blocking(cx)?,
            Err(errno) => return Err(data::failed(cx, errno, args.me(), "rb_io_syswrite")),
        }
    }
}

/// `__write_nonblock(object) → integer or symbol`: writes as much as possible without waiting; `:wait_writable` if
/// nothing can be written.
pub fn write_nonblock(cx: &mut Cx, args: Args) -> R {
    let s = convert::to_s(cx, args.at(0))?;
    data::writer(cx, args.me())?;
    data::flush(cx, args.me())?;
    let data = open_data(cx, args.me())?;
    let fd = data.writer.or(data.fd).unwrap_or(Fd(-1));
    let _ = host::fs::set_nonblocking(fd, true);
    match host::fs::write(fd, s.bytes(cx)) {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(errno) if errno.would_block() => Ok(mode::symbol(cx, "wait_writable")),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "io_write_nonblock")),
    }
}

/// `initialize_copy(other) → self`: a second descriptor of the same open file, with a copy of the stream's settings.
/// SystemCallError if that fails.
pub fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    let other = args.at(0);
    if other == args.me() {
        return Ok(other);
    }
    crate::object::copy::initialize_copy(cx, args)?;
    data::flush(cx, other)?;
    let fd = fd_of(cx, other)?;
    let copy = opened(cx, || host::fs::duplicate(fd, 3)).map_err(|e| cx.system_error(e, ""))?;
    let from = open_data(cx, other)?;
    data::unread(from);
    let mut own = IoData::new(Some(copy), from.readable, from.writable);
    if let Some(writer) = from.writer {
        own.writer = host::fs::duplicate(writer, 3).ok();
    }
    own.append = from.append;
    own.sync = from.sync;
    own.binmode = from.binmode;
    own.universal = from.universal;
    own.crlf = from.crlf;
    own.cr = from.cr;
    own.terminal = from.terminal;
    own.pid = from.pid;
    own.path = from.path;
    own.line = from.line;
    own.timeout = from.timeout;
    own.external = from.external;
    own.internal = from.internal;
    own.conversion = from.conversion;
    match native::get_mut::<IoData>(cx, args.me()) {
        Some(data) => *data = own,
        None => return Err(cx.raise(ErrorClass::IOError, "uninitialized stream")),
    }
    Ok(args.me())
}

/// `reopen(io)`, `reopen(path, mode = "r", **options) → self`: replaces the descriptor by that of another stream, or of
/// a newly opened file. SystemCallError if that fails.
pub fn reopen(cx: &mut Cx, args: Args) -> R {
    let io = args.me();
    let first = args.at(0);
    let other = if native::get::<IoData>(&first).is_some() {
        Some(first)
    } else if object::cell::is(first, abi::Type::String) {
        None
    } else {
        match runtime::call::send_if_responds(cx, first, runtime::sym::TO_IO, &[])? {
            Some(other) if native::get::<IoData>(&other).is_some() => Some(other),
            Some(_) => return Err(cx.type_error("can't convert to IO")),
            None => None,
        }
    };
    let (source, m, name, temporary);
    if let Some(other) = other {
        source = fd_of(cx, other)?;
        data::flush(cx, other)?;
        open_data(cx, io)?;
        let from = open_data(cx, other)?;
        data::unread(from);
        m = None;
        let path = from.path;
        temporary = false;
        let (readable, writable, append, binmode) = (from.readable, from.writable, from.append, from.binmode);
        let (external, internal, sync, conversion) = (from.external, from.internal, from.sync, from.conversion);
        prepare(cx, io)?;
        let data = any_data(cx, io)?;
        // A standard stream keeps its name if the other stream has none.
        let is_standard = data.fd.is_some_and(|fd| fd.0 <= 2);
        name = if path.is_nil() && is_standard { data.path } else { path };
        data.binmode = binmode;
        data.sync |= sync;
        (data.external, data.internal, data.conversion) = (external, internal, conversion);
        data.readable = readable;
        data.writable = writable;
        data.append = append;
        data.reopened = true;
    } else {
        name = path::path_of(cx, first)?;
        let default = match native::get::<IoData>(&io) {
            Some(d) if d.readable && d.writable => "r+",
            Some(d) if d.append => "a",
            Some(d) if d.writable => "w",
            _ => "r",
        };
        let parsed = mode::parse(cx, args.opt(1).unwrap_or(Value::NIL), args.keywords(), default)?;
        prepare(cx, io)?;
        let bytes = Str::of(name).to_vector();
        let flags = parsed.flags;
        source = match opened(cx, || host::fs::open(&bytes, flags, 0o666)) {
            Ok(fd) => fd,
            Err(errno) => return Err(path::failed(cx, errno, "rb_io_reopen", &bytes)),
        };
        m = Some(parsed);
        temporary = true;
    }
    match any_data(cx, io)?.fd {
        Some(own) if own != source => {
            let outcome = host::fs::duplicate_to(source, own);
            if own.0 > 2 {
                let _ = host::fs::set_close_on_exec(own, true);
            } else {
                let _ = host::fs::set_close_on_exec(own, false);
            }
            if temporary {
                let _ = host::fs::close(source);
            }
            outcome.map_err(|e| cx.system_error(e, ""))?;
        }
        Some(_) => {}
        None if temporary => any_data(cx, io)?.fd = Some(source),
        None => {
            let copy = host::fs::duplicate(source, 3).map_err(|e| cx.system_error(e, ""))?;
            any_data(cx, io)?.fd = Some(copy);
        }
    }
    if let Some(m) = m {
        m.apply(cx, io);
    }
    let data = any_data(cx, io)?;
    data.path = name;
    data.initialized = true;
    data.line = 0;
    Ok(io)
}

fn prepare(cx: &mut Cx, io: Value) -> R<()> {
    let Some(data) = native::get_mut::<IoData>(cx, io) else { return Ok(()) };
    if data.fd.is_some() {
        data::flush(cx, io)?;
        // Moves the descriptor back to the reader's position, because another stream may share it.
        data::unread(any_data(cx, io)?);
    }
    let data = any_data(cx, io)?;
    data.clear_input();
    Ok(())
}

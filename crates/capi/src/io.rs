//! Streams and files.

use std::ffi::{c_char, c_void};

use abi::Value;
use core_classes::io::{
    data::{self, IoData},
    mode, output,
};
use object::{native, shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{Cx, R, call, convert, make};
use text::EncodingId;

use crate::{
    border::{Place, call_words, send, send_to},
    encoding::CEncoding,
    given,
};

pub fn rb_io_bufwrite(cx: &mut Cx, io: Value, bytes: *const c_void, size: usize) -> R<isize> {
    // The bytes are written as they are, whatever the stream's encoding is.
    let bytes = given::bytes(bytes.cast(), size as i64);
    let io = rb_io_get_io(cx, io)?;
    data::write(cx, io, bytes)?;
    Ok(size as isize)
}

/// The next line, which ends in a newline whatever `$/` is.
pub fn rb_io_gets(cx: &mut Cx, io: Value) -> R {
    let newline = make::string(cx, b"\n", text::EncodingId::US_ASCII);
    send(cx, io, "gets", &[newline])
}

/// These functions write with the method `write`; the stream needs no other method.
pub fn rb_io_print(cx: &mut Cx, count: i32, argv: *const Value, io: Value) -> R {
    output::print_to(cx, io, given::values(count, argv))
}

pub fn rb_io_printf(cx: &mut Cx, count: i32, argv: *const Value, io: Value) -> R {
    let text = send_to(cx, "Kernel", "format", given::values(count, argv))?;
    send(cx, io, "write", &[text])?;
    Ok(Value::NIL)
}

pub fn rb_io_puts(cx: &mut Cx, count: i32, argv: *const Value, io: Value) -> R {
    output::puts_to(cx, io, given::values(count, argv))
}

pub fn rb_io_addstr(cx: &mut Cx, io: Value, text: Value) -> R {
    send(cx, io, "write", &[text])?;
    Ok(io)
}

pub fn rb_io_fdopen(cx: &mut Cx, fd: i32, _: i32, path: *const c_char) -> R {
    let _ = path;
    send_to(cx, "IO", "for_fd", &[Value::fixnum(fd as i64)])
}

fn is_stream(v: Value) -> bool {
    native::get::<IoData>(&v).is_some()
}

pub fn rb_io_get_io(cx: &mut Cx, v: Value) -> R {
    if is_stream(v) {
        return Ok(v);
    }
    let name = intern_text(cx, "to_io");
    match call::send_conversion(cx, v, name, &[])? {
        Some(io) if is_stream(io) => Ok(io),
        _ => {
            let is = runtime::error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("no implicit conversion of {is} into IO")))
        }
    }
}

pub fn rb_io_check_io(cx: &mut Cx, v: Value) -> R {
    if is_stream(v) {
        return Ok(v);
    }
    let name = intern_text(cx, "to_io");
    Ok(call::send_conversion(cx, v, name, &[])?.unwrap_or(Value::NIL))
}

const WRITE_IO: &str = "__write_io";

/// The stream that `rb_io_set_write_io` set, or the stream itself.
pub fn rb_io_get_write_io(cx: &mut Cx, io: Value) -> R {
    let name = intern_text(cx, WRITE_IO);
    let other = ivars::get(cx, io, name);
    Ok(if other.is_undef() || other.is_nil() { io } else { other })
}

/// Sets the stream that receives what is written to a stream; nil resets this. Returns the previous one or nil.
pub fn rb_io_set_write_io(cx: &mut Cx, io: Value, other: Value) -> R {
    let name = intern_text(cx, WRITE_IO);
    let before = ivars::get(cx, io, name);
    data::flush(cx, io)?;
    let mut writer = None;
    if other.truthy() {
        let fd = data::fd_of(cx, other)?;
        // SAFETY: an open descriptor is duplicated, so that each stream closes its own.
        match unsafe { dup(fd.0) } {
            -1 => return Err(cx.system_error(host::Errno::last(), "dup")),
            own => writer = Some(host::Fd(own)),
        }
    }
    let data = data::open_data(cx, io)?;
    data.writable |= writer.is_some();
    if let Some(old) = std::mem::replace(&mut data.writer, writer) {
        // SAFETY: the descriptor belonged to this stream alone.
        unsafe { close(old.0) };
    }
    ivars::set_hidden(cx, io, name, if other.truthy() { other } else { Value::NIL });
    Ok(if before.is_undef() { Value::NIL } else { before })
}

/// The stream of a structure.
fn of_structure(structure: *mut c_void) -> Value {
    given::read(structure.cast::<Stream>()).me
}

/// Whether bytes are buffered for reading.
pub fn rb_io_read_pending(cx: &mut Cx, structure: *mut c_void) -> R<i32> {
    Ok(!data::open_data(cx, of_structure(structure))?.waiting().is_empty() as i32)
}

/// Waits for bytes unless some are buffered.
pub fn rb_io_read_check(cx: &mut Cx, structure: *mut c_void) -> R<()> {
    if rb_io_read_pending(cx, structure)? == 0 {
        let io = of_structure(structure);
        let fd = data::fd_of(cx, io)?;
        crate::thread::wait_for(cx, fd.0, 1, Value::NIL)?;
    }
    Ok(())
}

/// Closes the stream; returns whether it was open.
pub fn rb_io_fptr_finalize(cx: &mut Cx, structure: *mut c_void) -> R<i32> {
    let io = of_structure(structure);
    let was_open = data::descriptor(io).is_some();
    send(cx, io, "close", &[])?;
    Ok(was_open as i32)
}

pub fn rb_io_taint_check(cx: &mut Cx, io: Value) -> R {
    cx.check_frozen(io)?;
    Ok(io)
}

pub fn rb_io_descriptor(cx: &mut Cx, io: Value) -> R<i32> {
    let number = send(cx, io, "fileno", &[])?;
    convert::to_i32(cx, number)
}

/// The FMODE_… bits of a stream.
fn mode(io: Value) -> i32 {
    native::get::<IoData>(&io).map_or(0, |data| {
        let bits = [(data.readable, 1), (data.writable, 2), (data.binmode, 4), (data.sync, 8), (data.append, 0x40)];
        bits.iter().filter(|(is, _)| *is).map(|(_, bit)| bit).sum()
    })
}

pub fn rb_io_mode(_: &mut Cx, io: Value) -> R<i32> {
    Ok(mode(io))
}

pub fn rb_io_path(cx: &mut Cx, io: Value) -> R {
    send(cx, io, "path", &[])
}

/// Checks that a stream is open, and readable (1) or writable (2); 0x10000 makes its calls non-blocking.
pub fn beni_io_check(cx: &mut Cx, io: Value, wanted: i32) -> R<()> {
    data::open_data(cx, io)?;
    if wanted & 1 != 0 {
        data::reader(cx, io)?;
    }
    if wanted & 2 != 0 {
        data::writer(cx, io)?;
    }
    if wanted & 0x10000 != 0 {
        let fd = data::fd_of(cx, io)?;
        nonblocking(fd.0);
    }
    Ok(())
}

unsafe extern "C" {
    fn fcntl(fd: i32, command: i32, argument: i32) -> i32;
    fn fdopen(fd: i32, mode: *const c_char) -> *mut c_void;
    fn dup(fd: i32) -> i32;
    fn close(fd: i32) -> i32;
    fn fclose(stream: *mut c_void) -> i32;
}

fn nonblocking(fd: i32) {
    const GET: i32 = 3;
    const SET: i32 = 4;
    const NONBLOCK: i32 = 0o4000;
    // SAFETY: the flags of an open descriptor.
    unsafe { fcntl(fd, SET, fcntl(fd, GET, 0) | NONBLOCK) };
}

/// Waits for events; nil or false on timeout.
pub fn rb_io_wait(cx: &mut Cx, io: Value, events: Value, timeout: Value) -> R {
    let ready = send(cx, io, "wait", &[events, timeout])?;
    Ok(if ready.is_nil() || is_stream(ready) && ready != io {
        Value::FALSE
    } else if ready == io {
        events
    } else {
        ready
    })
}

const INTERRUPTED: i32 = 4;
const AGAIN: i32 = 11;

pub fn rb_io_maybe_wait(cx: &mut Cx, errno: i32, io: Value, events: Value, timeout: Value) -> R {
    data::open_data(cx, io)?;
    match errno {
        INTERRUPTED => {
            cx.safepoint()?;
            Ok(events)
        }
        AGAIN => rb_io_wait(cx, io, events, timeout),
        _ => Ok(Value::NIL),
    }
}

/// Raises the timeout error if waiting returned no events.
fn check_time(cx: &mut Cx, errno: i32, ready: Value, what: &str) -> R<()> {
    if errno != AGAIN || ready.truthy() {
        return Ok(());
    }
    let class = runtime::error::ErrorClass::IOTimeoutError;
    Err(cx.raise(class, &format!("Timed out waiting for IO to become {what}!")))
}

pub fn rb_io_maybe_wait_readable(cx: &mut Cx, errno: i32, io: Value, timeout: Value) -> R<i32> {
    let ready = rb_io_maybe_wait(cx, errno, io, Value::fixnum(1), timeout)?;
    check_time(cx, errno, ready, "readable")?;
    Ok(ready.as_fixnum().unwrap_or(0) as i32)
}

pub fn rb_io_maybe_wait_writable(cx: &mut Cx, errno: i32, io: Value, timeout: Value) -> R<i32> {
    let ready = rb_io_maybe_wait(cx, errno, io, Value::fixnum(4), timeout)?;
    check_time(cx, errno, ready, "writable")?;
    Ok(ready.as_fixnum().unwrap_or(0) as i32)
}

fn wait_again(cx: &mut Cx, fd: i32, events: i32) -> R<i32> {
    let errno = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
    match errno {
        INTERRUPTED => {
            cx.safepoint()?;
            Ok(1)
        }
        AGAIN => {
            crate::thread::wait_for(cx, fd, events, Value::NIL)?;
            Ok(1)
        }
        _ => Ok(0),
    }
}

fn check_descriptor(cx: &mut Cx, fd: i32) -> R<()> {
    if fd < 0 { Err(cx.raise(runtime::error::ErrorClass::IOError, "closed stream")) } else { Ok(()) }
}

pub fn rb_io_wait_readable(cx: &mut Cx, fd: i32) -> R<i32> {
    check_descriptor(cx, fd)?;
    wait_again(cx, fd, 1)
}

pub fn rb_io_wait_writable(cx: &mut Cx, fd: i32) -> R<i32> {
    check_descriptor(cx, fd)?;
    wait_again(cx, fd, 4)
}

/// `rb_io_t`.
#[repr(C)]
struct Stream {
    me: Value,
    file: *mut c_void,
    fd: i32,
    mode: i32,
    path: Value,
    line: i32,
    tied: Value,
    lock: Value,
}

/// The C structure of a stream; it lives as long as the stream.
pub fn beni_io_structure(cx: &mut Cx, io: Value) -> R<*mut c_void> {
    const DEFAULT_FREE: *const c_void = usize::MAX as *const c_void;
    let io = rb_io_get_io(cx, io)?;
    let name = intern_text(cx, "__native");
    let mut holder = ivars::get(cx, io, name);
    if holder.is_undef() || holder.is_nil() {
        let none = std::ptr::null();
        holder = crate::data::rb_data_object_zalloc(cx, Value::FALSE, size_of::<Stream>(), none, DEFAULT_FREE)?;
        crate::border::pin(io);
        ivars::set_hidden(cx, io, name, holder);
    }
    let structure: *mut Stream = crate::data::beni_data_untyped(cx, holder)?.cast();
    let fd = data::descriptor(io).unwrap_or(-1);
    let path = native::get::<IoData>(&io).map_or(Value::NIL, |data| data.path);
    let file = given::read(structure).file;
    let made = Stream { me: io, file, fd, mode: mode(io), path, line: 0, tied: Value::FALSE, lock: Value::NIL };
    given::write(structure, made);
    Ok(structure.cast())
}

impl Clone for Stream {
    fn clone(&self) -> Stream {
        *self
    }
}

impl Copy for Stream {}

pub fn rb_io_stdio_file(cx: &mut Cx, structure: *mut c_void) -> R<*mut c_void> {
    let structure: *mut Stream = structure.cast();
    let mut stream = given::read(structure);
    if stream.file.is_null() {
        let text = if stream.mode & 3 == 3 {
            c"r+"
        } else if stream.mode & 2 != 0 {
            c"w"
        } else {
            c"r"
        };
        // SAFETY: the C library's stream gets a descriptor of its own.
        stream.file = unsafe { fdopen(dup(stream.fd), text.as_ptr()) };
        if stream.file.is_null() {
            return Err(cx.raise(runtime::error::ErrorClass::IOError, "cannot make a stream of the C library"));
        }
        given::write(structure, stream);
        if let Some(data) = native::get_mut::<IoData>(cx, stream.me) {
            data.c_stream = Some((stream.file as usize, close_c_stream));
        }
    }
    Ok(stream.file)
}

fn close_c_stream(stream: usize) {
    // SAFETY: the stream that `rb_io_stdio_file` made; nothing uses it after the stream of Ruby is closed.
    unsafe { fclose(stream as *mut c_void) };
}

/// A File::Stat with the system's status of a file, in the order of `rb_stat_new`; for null, a File::Stat without a
/// status.
pub fn beni_stat_new(cx: &mut Cx, words: *const u64) -> R {
    let stat = <&[u64; 20]>::try_from(given::slice(20, words)).ok().map(|w| {
        let time = |at: usize| host::clock::Timespec { seconds: w[at] as i64, nanoseconds: w[at + 1] as u32 };
        host::fs::Stat {
            device: w[0],
            device_major: w[16] as u32,
            device_minor: w[17] as u32,
            inode: w[1],
            mode: w[2] as u32,
            links: w[3],
            owner: w[4] as u32,
            group: w[5] as u32,
            special_device: w[6],
            special_major: w[18] as u32,
            special_minor: w[19] as u32,
            size: w[7],
            block_size: w[8],
            blocks: w[9],
            accessed: time(10),
            modified: time(12),
            changed: time(14),
            born: None,
        }
    });
    Ok(core_classes::file::stat::with(cx, stat))
}

pub fn rb_file_open(cx: &mut Cx, path: *const c_char, mode: *const c_char) -> R {
    let path = make::string(cx, given::text(path), text::EncodingId::UTF_8);
    rb_file_open_str(cx, path, mode)
}

pub fn rb_file_open_str(cx: &mut Cx, path: Value, mode: *const c_char) -> R {
    let mode = make::string(cx, given::text(mode), text::EncodingId::UTF_8);
    send_to(cx, "File", "open", &[path, mode])
}

pub fn rb_get_path(cx: &mut Cx, v: Value) -> R {
    let v = match Str::from_value(v) {
        Some(_) => v,
        None => call::send_if_responds(cx, v, runtime::sym::TO_PATH, &[])?.unwrap_or(v),
    };
    let path = convert::to_str(cx, v)?;
    if path.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    send(cx, path.value(), "dup", &[])
}

pub fn rb_get_path_no_checksafe(cx: &mut Cx, v: Value) -> R {
    rb_get_path(cx, v)
}

pub fn rb_find_file(cx: &mut Cx, path: Value) -> R {
    let path = rb_get_path(cx, path)?;
    let list = cx.root(runtime::Root::LoadPath);
    let found = send(cx, list, "resolve_feature_path", &[path])?;
    if found.is_nil() { Ok(Value::FALSE) } else { send(cx, found, "last", &[]) }
}

/// The FMODE_… bits of a mode like "r+b".
pub fn rb_io_modestr_fmode(cx: &mut Cx, text: *const c_char) -> R<i32> {
    let text = given::text(text);
    let mut mode = match text.first() {
        Some(b'r') => 1,
        Some(b'w') => 2 | 0x800 | 0x400,
        Some(b'a') => 2 | 0x40 | 0x400,
        _ => {
            let shown = String::from_utf8_lossy(text).into_owned();
            return Err(cx.argument_error(&format!("invalid access mode {shown}")));
        }
    };
    for c in text.iter().skip(1).take_while(|c| **c != b':') {
        mode |= match c {
            b'+' => 3,
            b'b' => 4,
            b't' => 0x1000,
            _ => 0,
        };
    }
    Ok(mode)
}

pub fn rb_io_modestr_oflags(cx: &mut Cx, text: *const c_char) -> R<i32> {
    let mode = rb_io_modestr_fmode(cx, text)?;
    let access = match mode & 3 {
        1 => 0,
        2 => 1,
        _ => 2,
    };
    let more = [(0x40, 0o2000), (0x800, 0o1000), (0x400, 0o100)];
    Ok(access | more.iter().filter(|(bit, _)| mode & bit != 0).map(|(_, flag)| flag).sum::<i32>())
}

pub fn rb_eof_error(cx: &mut Cx) -> R<()> {
    Err(cx.raise(runtime::error::ErrorClass::EOFError, "end of file reached"))
}

pub fn rb_glob(cx: &mut Cx, pattern: *const c_char, function: *const c_void, data: Value) -> R<()> {
    let place = Place::now();
    let pattern = make::string(cx, given::text(pattern), text::EncodingId::UTF_8);
    let list = send_to(cx, "Dir", "glob", &[pattern])?;
    for path in object::array::Arr::of(list).iter() {
        let pointer = crate::string::pointer(cx, Str::of(path))?;
        call_words(cx, function, &[pointer as u64, data.0, 0], place, None)?;
    }
    Ok(())
}

#[repr(C)]
struct Encodings {
    external: *mut crate::encoding::CEncoding,
    internal: *mut crate::encoding::CEncoding,
    flags: i32,
    options: Value,
}

/// A stream of a class with a descriptor and FMODE_… bits.
pub fn rb_io_open_descriptor(
    cx: &mut Cx,
    class: Value,
    fd: i32,
    mode: i32,
    path: Value,
    timeout: Value,
    encodings: *mut c_void,
) -> R {
    let text = match (mode & 3, mode & 0x40 != 0) {
        (1, _) => "r",
        (2, true) => "a",
        (2, false) => "w",
        (3, true) => "a+",
        _ => "r+",
    };
    let text = if mode & 4 != 0 { format!("{text}b") } else { text.to_string() };
    let text = make::text(cx, &text);
    let keywords = object::hash::HashRef::new(cx).value();
    if !path.is_nil() {
        let name = intern_text(cx, "path").value();
        runtime::keys::store(cx, keywords, name, path)?;
    }
    let arguments = [Value::fixnum(fd as i64), text];
    let (name, none) = (runtime::sym::NEW, abi::BlockHandler::NONE);
    let io = call::send_full(cx, class, name, &arguments, Some(keywords), none, call::Scope::Function)?;
    if !timeout.is_nil() {
        send(cx, io, "timeout=", &[timeout])?;
    }
    if mode & 8 != 0 {
        send(cx, io, "sync=", &[Value::TRUE])?;
    }
    if !encodings.is_null() {
        // SAFETY: C passes a structure of this type.
        let (external, internal) = unsafe {
            let given = &*encodings.cast::<Encodings>();
            (given.external, given.internal)
        };
        // If there are two encodings, the second one is that of the stream.
        let (outer, inner) = if internal.is_null() { (external, internal) } else { (internal, external) };
        let outer = crate::encoding::rb_enc_from_encoding(cx, outer)?;
        let inner = crate::encoding::rb_enc_from_encoding(cx, inner)?;
        send(cx, io, "set_encoding", &[outer, inner])?;
    }
    Ok(io)
}

/// `rb_io_enc_t`
#[repr(C)]
pub struct StreamEncoding {
    read: *mut CEncoding,
    write: *mut CEncoding,
    flags: i32,
    options: Value,
}

/// Parses a mode and keywords: the flags of `open`, those of streams, and the encodings. The mode becomes nil if the
/// keywords have it.
pub fn rb_io_extract_modeenc(
    cx: &mut Cx,
    mode: *mut Value,
    permissions: *mut Value,
    keywords: Value,
    open_flags: *mut i32,
    stream_flags: *mut i32,
    encoding: *mut c_void,
) -> R<()> {
    const UNIVERSAL_NEWLINE: i32 = 0x100;
    let keywords = (!keywords.is_nil()).then_some(keywords);
    let parsed = mode::parse(cx, given::read(mode), keywords, "r")?;
    if !permissions.is_null() {
        let asked = mode::option(cx, keywords, "perm");
        if !asked.is_nil() && !asked.is_undef() {
            given::write(permissions, asked);
        }
    }
    let has = |flag: i32, bit: i32| if parsed.flags & flag != 0 { bit } else { 0 };
    let is = |condition: bool, bit: i32| if condition { bit } else { 0 };
    let stream = is(parsed.readable(), 1)
        | is(parsed.writable(), 2)
        | is(parsed.binmode, 4)
        | has(host::fs::APPEND, 0x40)
        | has(host::fs::CREATE | host::fs::EXCLUSIVE, 0x400)
        | has(host::fs::TRUNCATE, 0x800)
        | is(parsed.universal, 0x1000)
        | is(parsed.bom, 0x0010_0000);
    given::write(open_flags, parsed.flags);
    given::write(stream_flags, stream);
    let external = if parsed.binmode && parsed.plain { Some(EncodingId::BINARY) } else { parsed.external };
    let pointer = |id: Option<EncodingId>| id.map_or(std::ptr::null_mut(), CEncoding::of);
    // With two encodings, the first one is that of the strings that are read.
    let (read, write) = match parsed.internal {
        Some(internal) => (pointer(Some(internal)), pointer(external)),
        None => (pointer(external), std::ptr::null_mut()),
    };
    let flags = is(parsed.universal, UNIVERSAL_NEWLINE);
    given::write(encoding.cast(), StreamEncoding { read, write, flags, options: parsed.conversion });
    Ok(())
}

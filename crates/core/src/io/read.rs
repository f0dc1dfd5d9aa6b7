//! Reading bytes and characters.

use ::text::{
    encoding::EncodingId,
    transcode::{Converter, Limits, Options},
};
use host::fs::Whence;
use memory::Grow;
use object::{cell, string::Str};
use runtime::{
    Args, Cx, R, Value, call,
    concurrency::thread::{blocking, blocking_with_bytes},
    convert, error,
    error::ErrorClass,
    error::OrRaise,
    make, sym,
};

use super::{
    data::{self, IoData},
    hooks, mode, newlines, receive,
};

pub fn end_of_file(cx: &mut Cx) -> runtime::Unwind {
    cx.raise(ErrorClass::EOFError, "end of file reached")
}

/// The encoding of bytes that are read as text.
pub fn encoding_of(cx: &mut Cx, io: Value) -> R<EncodingId> {
    Ok(data::any_data(cx, io)?.external.unwrap_or(cx.vm().default_external))
}

/// A String of bytes that were read as text, converted to the internal encoding. If some bytes cannot be converted, the
/// bytes after them are put back for the next read.
pub fn text(cx: &mut Cx, io: Value, bytes: Vec<u8>) -> R {
    let encoding = encoding_of(cx, io)?;
    let s = Str::of_list(cx, bytes, encoding).or_raise(cx)?;
    converted(cx, io, s)
}

/// Like [`text`], for a String in the external encoding.
fn converted(cx: &mut Cx, io: Value, s: Str) -> R {
    let encoding = s.encoding();
    let data = data::any_data(cx, io)?;
    let (internal, conversion) = (data.internal, data.conversion);
    let has_newlines = data.universal && data.has_newlines_after_conversion();
    match internal {
        Some(internal) if internal != encoding && encoding != EncodingId::BINARY => {
            let options = conversion_options(cx, conversion)?;
            let converted = crate::string::encodings::encoded_by(cx, s, internal, conversion);
            if converted.is_err() {
                let left = left_after_error(s.bytes(cx), encoding, internal, &options);
                data::any_data(cx, io)?.put_back(&left);
            }
            let converted = converted?;
            if has_newlines {
                let lines = newlines::universal_newlines(Str::of(converted).bytes(cx), internal);
                Str::of(converted).set_bytes(cx, &lines).or_raise(cx)?;
            }
            Ok(converted)
        }
        _ => Ok(s.value()),
    }
}

/// The options of a stream's conversions.
pub fn conversion_options(cx: &mut Cx, conversion: Value) -> R<Options> {
    match conversion {
        Value::NIL => Ok(Options::default()),
        given => crate::encoding::options::from_hash(cx, given),
    }
}

/// The bytes after the first ones that cannot be converted.
fn left_after_error(bytes: &[u8], from: EncodingId, to: EncodingId, options: &Options) -> Vec<u8> {
    let mut rest = bytes;
    let Ok(mut converter) = Converter::open(from.name().as_bytes(), to.name().as_bytes(), options) else {
        return Vec::new();
    };
    converter.convert(&mut rest, &mut Vec::new(), Limits::default());
    let mut left = converter.putback(None);
    left.append_slice(rest);
    left
}

/// The function of errors of `read`.
pub const READING: &str = "io_fread";

/// From this number of buffered bytes on, the rest is read into a String, past the buffer.
const MUCH: usize = 16384;

/// Reads everything up to the end, as text that is not converted yet.
fn rest(cx: &mut Cx, io: Value) -> R<Str> {
    let encoding = encoding_of(cx, io)?;
    loop {
        let count = data::text_reader(cx, io)?.waiting().len();
        if count >= MUCH {
            return match left_in_file(cx, io)? {
                0 => listed(cx, io, encoding),
                left => gathered(cx, io, (count.saturating_add(left), usize::MAX), encoding, true),
            };
        }
        if !data::fill_for(cx, io, READING)? {
            let count = data::open_data(cx, io)?.waiting().len();
            return data::take_text(cx, io, count, count, encoding).map(Str::of);
        }
    }
}

/// The text up to the end, converted to the internal encoding.
pub fn all(cx: &mut Cx, io: Value) -> R {
    let s = rest(cx, io)?;
    converted(cx, io, s)
}

/// The number of bytes of a file behind its position; 0 if that is not known.
fn left_in_file(cx: &mut Cx, io: Value) -> R<usize> {
    let fd = data::fd_of(cx, io)?;
    let Ok(status) = host::fs::fstat(fd) else { return Ok(0) };
    if status.kind() != Some(host::fs::FileKind::File) {
        return Ok(0);
    }
    let at = host::fs::seek(fd, 0, Whence::Current.number()).unwrap_or(0);
    Ok(status.size.saturating_sub(at as u64) as usize)
}

/// Reads everything up to the end where it is not known how much that is: a list grows without a second copy.
fn listed(cx: &mut Cx, io: Value, encoding: EncodingId) -> R<Str> {
    let mut bytes = Vec::new();
    loop {
        let data = data::text_reader(cx, io)?;
        let count = bytes.len();
        if !data.waiting().is_empty() || data.universal {
            bytes.append_slice(data.waiting());
            let waiting = data.waiting().len();
            data.advance(waiting);
        } else {
            bytes = receive::read_more(cx, io, bytes, PIECE, READING)?;
        }
        if bytes.len() == count && !(data::readable(cx, io)?.universal && data::fill_for(cx, io, READING)?) {
            return Str::of_list(cx, bytes, encoding).or_raise(cx);
        }
    }
}

/// The bytes of one read into a String.
const PIECE: usize = 256 << 10;

/// Reads at most `most` bytes into a new String that has room for `room` bytes at first.
fn gathered(cx: &mut Cx, io: Value, (room, most): (usize, usize), encoding: EncodingId, as_text: bool) -> R<Str> {
    let string = Str::with_room(cx, room, encoding).or_raise(cx)?;
    let mut piece = Vec::new();
    loop {
        let kept = string.len();
        let (left, free) = (most - kept, string.capacity(cx) - kept);
        let data = if as_text { data::text_reader(cx, io)? } else { data::reader(cx, io)? };
        if left == 0 {
            return Ok(string);
        }
        if !data.waiting().is_empty() {
            let waiting = data.take(left);
            string.append(cx, &waiting).or_raise(cx)?;
        } else if as_text && data.universal {
            if !data::fill_for(cx, io, READING)? {
                return Ok(string);
            }
        } else if free > 0 {
            let size = left.min(free);
            let mut room = string.room_behind(cx, kept, size).or_raise(cx)?;
            let read = receive::receive(cx, io, &mut room, size, READING)?;
            room.end(read);
            if read == 0 {
                return Ok(string);
            }
        } else {
            piece.clear();
            piece = receive::read_more(cx, io, piece, left.min(PIECE), READING)?;
            if piece.is_empty() {
                return Ok(string);
            }
            string.append(cx, &piece).or_raise(cx)?;
        }
    }
}

/// Reads `count` bytes, fewer at the end.
pub fn exactly(cx: &mut Cx, io: Value, count: usize) -> R<Vec<u8>> {
    let data = data::reader(cx, io)?;
    // A stream without a path may be read through its descriptor by others: child processes, select, C functions.
    let bypasses = count > DIRECT || data.path.is_nil();
    if data.waiting().is_empty() && bypasses {
        return directly(cx, io, count);
    }
    while data::reader(cx, io)?.waiting().len() < count {
        if !data::fill_for(cx, io, READING)? {
            break;
        }
    }
    Ok(data::open_data(cx, io)?.take(count))
}

/// Above this length, a read of an exact number from a file bypasses the buffer.
const DIRECT: usize = 4;

/// The most bytes that are read before they are stored in a String: asking for the size of a file costs more than
/// copying so few.
const MOST: usize = 16 << 10;

fn directly(cx: &mut Cx, io: Value, count: usize) -> R<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() < count {
        let more = receive::read_once(cx, io, count - bytes.len(), READING)?;
        if more.is_empty() {
            break;
        }
        memory::reserve(&mut bytes, more.len());
        bytes.append_slice(&more);
    }
    Ok(bytes)
}

/// `read` of more than [`MOST`] bytes. The requested length may be much larger than the available data.
fn read_much(cx: &mut Cx, io: Value, count: usize, buffer: Option<Value>) -> R {
    let known = data::reader(cx, io)?.waiting().len().saturating_add(left_in_file(cx, io)?);
    if let Some(buffer) = buffer.filter(|buffer| !buffer.is_nil()) {
        let s = receive::all(cx, io, count, known, buffer)?;
        return Ok(if s.is_empty() { Value::NIL } else { s.value() });
    }
    let s = gathered(cx, io, (known.min(count), count), EncodingId::BINARY, false)?;
    Ok(if s.is_empty() { Value::NIL } else { s.value() })
}

/// A length argument: negative ones are errors.
pub fn length(cx: &mut Cx, v: Value) -> R<usize> {
    let n = convert::to_i64(cx, v)?;
    if n < 0 {
        return Err(cx.argument_error(&format!("negative length {n} given")));
    }
    Ok(n as usize)
}

/// Stores the bytes that were read in the buffer argument, or in a new binary String.
pub fn deliver(cx: &mut Cx, buffer: Option<Value>, bytes: &[u8]) -> R {
    match buffer {
        Some(buffer) if !buffer.is_nil() => {
            let buffer = convert::to_str(cx, buffer)?;
            cx.check_frozen(buffer.value())?;
            buffer.set_bytes(cx, bytes).or_raise(cx)?;
            Ok(buffer.value())
        }
        _ => Ok(make::string(cx, bytes, EncodingId::BINARY)),
    }
}

/// Like [`deliver`], for a list of bytes, which do not exist twice meanwhile.
fn deliver_list(cx: &mut Cx, buffer: Option<Value>, bytes: Vec<u8>) -> R {
    match buffer {
        Some(buffer) if !buffer.is_nil() => deliver(cx, Some(buffer), &bytes),
        _ => Ok(Str::of_list(cx, bytes, EncodingId::BINARY).or_raise(cx)?.value()),
    }
}

/// Runs `read` while the buffer argument is locked: other threads cannot change it meanwhile.
fn locking<T>(cx: &mut Cx, buffer: Option<Value>, read: impl FnOnce(&mut Cx) -> R<T>) -> R<T> {
    let Some(buffer) = buffer.and_then(Str::from_value).map(Str::value) else { return read(cx) };
    let lock = abi::Flags::FROZEN | object::string::LOCKED;
    cell::set_header(buffer, cell::header(buffer).with(lock));
    let result = read(cx);
    cell::set_header(buffer, cell::header(buffer).without(lock));
    result
}

/// FrozenError unless the buffer can receive the bytes that are about to be read.
pub fn check_buffer(cx: &mut Cx, buffer: Option<Value>) -> R<()> {
    if let Some(buffer) = buffer
        && !buffer.is_nil()
    {
        let buffer = convert::to_str(cx, buffer)?;
        cx.check_frozen(buffer.value())?;
    }
    Ok(())
}

/// `read(length = nil, buffer = nil) → string or nil`: all remaining text, converted to the internal encoding; with
/// `length` at most that number of bytes, BINARY, nil at the end. `buffer` receives the bytes. ArgumentError for a
/// negative length, IOError unless the stream is open for reading.
pub fn read(cx: &mut Cx, args: Args) -> R {
    let io = args.me();
    let buffer = args.opt(1);
    let Some(count) = args.non_nil(0) else {
        data::readable(cx, io)?;
        check_buffer(cx, buffer)?;
        let s = locking(cx, buffer, |cx| rest(cx, io))?;
        let s = converted(cx, io, s)?;
        return match buffer {
            Some(buffer) if !buffer.is_nil() => {
                let buffer = convert::to_str(cx, buffer)?;
                buffer.replace(cx, Str::of(s)).or_raise(cx)?;
                Ok(buffer.value())
            }
            _ => Ok(s),
        };
    };
    let count = length(cx, count)?;
    check_buffer(cx, buffer)?;
    data::reader(cx, io)?;
    if count > if buffer.is_some() { MUCH } else { MOST } {
        return read_much(cx, io, count, buffer);
    }
    let bytes = locking(cx, buffer, |cx| exactly(cx, io, count))?;
    if bytes.is_empty() && count > 0 {
        if buffer.is_some() {
            deliver(cx, buffer, b"")?;
        }
        return Ok(Value::NIL);
    }
    deliver(cx, buffer, &bytes)
}

/// `readpartial(length, buffer = nil) → string`: the available data, at most `length` bytes; it waits only if there is
/// none. EOFError at the end.
pub fn readpartial(cx: &mut Cx, args: Args) -> R {
    let count = length(cx, args.at(0))?;
    check_buffer(cx, args.opt(1))?;
    let data = data::reader(cx, args.me())?;
    if count == 0 {
        return deliver(cx, args.opt(1), b"");
    }
    let bytes = if data.waiting().is_empty() {
        match receive::once(cx, args.me(), count, args.opt(1), "io_getpartial")? {
            Some(s) if s.is_empty() => return Err(end_of_file(cx)),
            Some(s) => return Ok(s.value()),
            None => locking(cx, args.opt(1), |cx| receive::read_once(cx, args.me(), count, "io_getpartial"))?,
        }
    } else {
        data.take(count)
    };
    if bytes.is_empty() {
        if args.opt(1).is_some() {
            deliver(cx, args.opt(1), b"")?;
        }
        return Err(end_of_file(cx));
    }
    deliver_list(cx, args.opt(1), bytes)
}

/// `__read_nonblock(length, buffer = nil) → string, symbol or nil`: at most `length` bytes without waiting;
/// `:wait_readable` if no data is available, nil at the end.
pub fn read_nonblock(cx: &mut Cx, args: Args) -> R {
    let count = length(cx, args.at(0))?;
    check_buffer(cx, args.opt(1))?;
    let data = data::reader(cx, args.me())?;
    if count == 0 {
        return deliver(cx, args.opt(1), b"");
    }
    if !data.waiting().is_empty() {
        let bytes = data.take(count);
        return deliver(cx, args.opt(1), &bytes);
    }
    let fd = data::fd_of(cx, args.me())?;
    let _ = host::fs::set_nonblocking(fd, true);
    let mut buffer = error::zeros(cx, count)?;
    match host::fs::read(fd, &mut buffer) {
        Ok(0) => {
            if args.opt(1).is_some() {
                deliver(cx, args.opt(1), b"")?;
            }
            Ok(Value::NIL)
        }
        Ok(n) => deliver(cx, args.opt(1), &buffer[..n]),
        Err(errno) if errno.would_block() => Ok(mode::symbol(cx, "wait_readable")),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "io_read_nonblock")),
    }
}

/// The result of reading nothing: the buffer unchanged.
fn untouched(cx: &mut Cx, buffer: Option<Value>) -> R {
    match buffer {
        Some(buffer) if !buffer.is_nil() => convert::to_str(cx, buffer).map(Str::value),
        _ => Ok(make::string(cx, b"", EncodingId::BINARY)),
    }
}

/// `sysread(length, buffer = nil) → string`: the result of one read(2) of at most `length` bytes, BINARY. EOFError at
/// the end, IOError if input is buffered.
pub fn sysread(cx: &mut Cx, args: Args) -> R {
    let count = length(cx, args.at(0))?;
    check_buffer(cx, args.opt(1))?;
    let data = data::reader(cx, args.me())?;
    if count == 0 {
        return untouched(cx, args.opt(1));
    }
    if !data.waiting().is_empty() {
        return Err(cx.raise(ErrorClass::IOError, "sysread for buffered IO"));
    }
    if let Some(s) = receive::once(cx, args.me(), count, args.opt(1), "rb_io_sysread")? {
        return if s.is_empty() { Err(end_of_file(cx)) } else { Ok(s.value()) };
    }
    let bytes = locking(cx, args.opt(1), |cx| receive::read_once(cx, args.me(), count, "rb_io_sysread"))?;
    if bytes.is_empty() {
        if args.opt(1).is_some() {
            deliver(cx, args.opt(1), b"")?;
        }
        return Err(end_of_file(cx));
    }
    deliver_list(cx, args.opt(1), bytes)
}

/// `pread(length, offset, buffer = nil) → string`: at most `length` bytes from a position of the file; the stream's own
/// position and buffers are not changed. EOFError at the end.
pub fn pread(cx: &mut Cx, args: Args) -> R {
    let count = convert::to_i64(cx, args.at(0))?;
    if count < 0 {
        return Err(cx.argument_error("negative string size (or size too big)"));
    }
    let count = count as usize;
    let offset = convert::to_i64(cx, args.at(1))?;
    check_buffer(cx, args.opt(2))?;
    data::readable(cx, args.me())?;
    let fd = data::fd_of(cx, args.me())?;
    if count == 0 {
        return untouched(cx, args.opt(2));
    }
    if let Some(s) = receive::at(cx, args.me(), (count, offset), args.opt(2))? {
        return if s.is_empty() { Err(end_of_file(cx)) } else { Ok(s.value()) };
    }
    let mut bytes = memory::with_capacity(count);
    let outcome = match hooks::read(cx, args.me(), count, Some(offset))? {
        Some(outcome) => outcome.map(|read| {
            bytes = read;
            bytes.len()
        }),
        None => blocking(cx, || host::fs::pread_more(fd, &mut bytes, count, offset)),
    };
    match outcome {
        Ok(0) => {
            if args.opt(2).is_some() {
                deliver(cx, args.opt(2), b"")?;
            }
            Err(end_of_file(cx))
        }
        Ok(_) => deliver_list(cx, args.opt(2), bytes),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "rb_io_pread")),
    }
}

/// `pwrite(object, offset) → integer`: writes an object's `to_s` at a position of the file; the stream's own position
/// and buffers are not changed. Returns the number of bytes.
pub fn pwrite(cx: &mut Cx, args: Args) -> R {
    let s = convert::to_s(cx, args.at(0))?;
    let offset = convert::to_i64(cx, args.at(1))?;
    let data = data::open_data(cx, args.me())?;
    if !data.writable {
        return Err(cx.raise(ErrorClass::IOError, "not opened for writing"));
    }
    let fd = data::fd_of(cx, args.me())?;
    let outcome = match hooks::write_string(cx, args.me(), s, offset)? {
        Some(outcome) => outcome,
        None => blocking_with_bytes(cx, s, |bytes| host::fs::pwrite(fd, bytes, offset)),
    };
    match outcome {
        Ok(n) => Ok(Value::fixnum(n as i64)),
        Err(errno) => Err(data::failed(cx, errno, args.me(), "rb_io_pwrite")),
    }
}

/// `getbyte → integer or nil`: the next byte; nil at the end. IOError unless the stream is open for reading.
pub fn getbyte(cx: &mut Cx, args: Args) -> R {
    if let Some(byte) = data::reader(cx, args.me())?.take_byte() {
        return Ok(Value::fixnum(byte.into()));
    }
    let bytes = exactly(cx, args.me(), 1)?;
    Ok(bytes.first().map_or(Value::NIL, |b| Value::fixnum(*b as i64)))
}

/// `readbyte → integer`: like `getbyte`, but EOFError at the end.
pub fn readbyte(cx: &mut Cx, args: Args) -> R {
    match getbyte(cx, args)? {
        Value::NIL => Err(end_of_file(cx)),
        byte => Ok(byte),
    }
}

/// One character, or nil at the end.
pub fn char_of(cx: &mut Cx, io: Value) -> R {
    let data = data::text_reader(cx, io)?;
    if data.waiting().is_empty() && !data::fill(cx, io)? {
        return Ok(Value::NIL);
    }
    let default = cx.vm().default_external;
    let data = data::any_data(cx, io)?;
    let encoding = data.external.unwrap_or(default);
    if data.internal.is_none() && encoding.is_ascii_compatible() && data.waiting().first().is_some_and(u8::is_ascii) {
        return data::take_text(cx, io, 1, 1, encoding);
    }
    // Enough bytes for any character, if the stream has that many.
    loop {
        let waiting = data::open_data(cx, io)?.waiting();
        let ascii = waiting.first().is_some_and(|b| *b < 0x80) && encoding.is_ascii_compatible();
        if ascii
            || waiting.len() >= encoding.max_char_len()
            || !matches!(::text::encoding::char_len(encoding, waiting), ::text::encoding::CharLen::NeedMore(_))
        {
            break;
        }
        if !data::fill(cx, io)? {
            break;
        }
    }
    let data = data::open_data(cx, io)?;
    let waiting = data.waiting();
    let count = ::text::encoding::char_len_or_min(encoding, waiting).clamp(1, waiting.len());
    if data.internal.is_none() {
        return data::take_text(cx, io, count, count, encoding);
    }
    let bytes = data.take(count);
    self::text(cx, io, bytes)
}

/// `getc → string or nil`: the next character in the encoding of the stream; nil at the end. IOError unless it is open
/// for reading.
pub fn getc(cx: &mut Cx, args: Args) -> R {
    char_of(cx, args.me())
}

/// `readchar → string`: like `getc`, but EOFError at the end.
pub fn readchar(cx: &mut Cx, args: Args) -> R {
    match char_of(cx, args.me())? {
        Value::NIL => Err(end_of_file(cx)),
        c => Ok(c),
    }
}

/// `ungetc(character) → nil`: pushes back a String, or the character of a code point, to be read next; nil pushes back
/// nothing.
pub fn ungetc(cx: &mut Cx, args: Args) -> R {
    data::text_reader(cx, args.me())?;
    let v = args.at(0);
    let s = if convert::is_integer(v) {
        let encoding = encoding_of(cx, args.me())?;
        let encoding = crate::encoding::object(cx, encoding);
        let chr = object::symbol::table::intern_text(cx, "chr");
        call::send(cx, v, chr, &[encoding])?
    } else {
        v
    };
    let s = convert::to_str(cx, s)?;
    let bytes = s.held(cx);
    put_back(cx, args.me(), &bytes)
}

/// The number of bytes that may wait after pushing some back.
const MOST_PUSHED: usize = 1 << 16;

fn put_back(cx: &mut Cx, io: Value, bytes: &[u8]) -> R {
    let data = data::open_data(cx, io)?;
    let waiting = data.waiting().len();
    if waiting > 0 && waiting + bytes.len() > MOST_PUSHED {
        return Err(cx.raise(ErrorClass::IOError, "ungetbyte failed"));
    }
    data.put_back(bytes);
    Ok(Value::NIL)
}

/// `ungetbyte(byte) → nil`: pushes back bytes to be read next: the low byte of an Integer or all of a String; nil
/// pushes back nothing.
pub fn ungetbyte(cx: &mut Cx, args: Args) -> R {
    data::reader(cx, args.me())?;
    let v = args.at(0);
    if v.is_nil() {
        return Ok(Value::NIL);
    }
    if convert::is_integer(v) {
        let and = object::symbol::table::intern_text(cx, "&");
        let byte = call::send(cx, v, and, &[Value::fixnum(255)])?;
        let byte = convert::to_i64(cx, byte)? as u8;
        data::open_data(cx, args.me())?.put_back(&[byte]);
    } else {
        let s = convert::to_str(cx, v)?;
        let bytes = s.to_vector();
        return put_back(cx, args.me(), &bytes);
    }
    Ok(Value::NIL)
}

/// `eof? → true or false`: whether nothing is left to read; waits for data if necessary. IOError unless it is open for
/// reading. Alias: `eof`.
pub fn is_eof(cx: &mut Cx, args: Args) -> R {
    let data = data::readable(cx, args.me())?;
    if !data.waiting().is_empty() {
        return Ok(Value::FALSE);
    }
    Ok(Value::bool(!data::fill(cx, args.me())?))
}

/// `__each_byte → self`: `IO#each_byte` with its block: yields the remaining bytes.
pub fn each_byte(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    loop {
        match getbyte(cx, args)? {
            Value::NIL => return Ok(args.me()),
            byte => drop(call::yield_one(cx, block, byte)?),
        }
    }
}

/// `__each_char → self`: `IO#each_char` with its block: yields the remaining characters.
pub fn each_char(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    loop {
        match char_of(cx, args.me())? {
            Value::NIL => return Ok(args.me()),
            c => drop(call::yield_one(cx, block, c)?),
        }
    }
}

/// Skips a byte order mark and sets the encoding it indicates.
pub fn skip_bom(cx: &mut Cx, io: Value) -> R<Option<EncodingId>> {
    if data::reader(cx, io)?.waiting().is_empty() {
        data::fill(cx, io)?;
    }
    let data = data::open_data(cx, io)?;
    let (count, encoding) = match data.waiting() {
        [0xef, 0xbb, 0xbf, ..] => (3, EncodingId::UTF_8),
        [0xff, 0xfe, 0, 0, ..] => (4, EncodingId::UTF_32LE),
        [0xff, 0xfe, ..] => (2, EncodingId::UTF_16LE),
        [0xfe, 0xff, ..] => (2, EncodingId::UTF_16BE),
        [0, 0, 0xfe, 0xff, ..] => (4, EncodingId::UTF_32BE),
        _ => {
            if data.internal == data.external {
                data.internal = None;
            }
            return Ok(None);
        }
    };
    data.take(count);
    data.external = Some(encoding);
    if data.internal == Some(encoding) {
        data.internal = None;
    }
    Ok(Some(encoding))
}

/// The IO itself, or the result of its `to_io`. TypeError for other objects.
pub fn to_io(cx: &mut Cx, v: Value) -> R {
    if object::native::get::<IoData>(&v).is_some() {
        return Ok(v);
    }
    match call::send_if_responds(cx, v, sym::TO_IO, &[])? {
        Some(io) if object::native::get::<IoData>(&io).is_some() => Ok(io),
        Some(other) => {
            let (class, got) = (runtime::error::class_name_of(cx, v), runtime::error::class_name_of(cx, other));
            Err(cx.type_error(&format!("can't convert {class} to IO ({class}#to_io gives {got})")))
        }
        None => {
            let got = runtime::error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("no implicit conversion of {got} into IO")))
        }
    }
}

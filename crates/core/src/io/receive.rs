//! Reads from the descriptor, past the stream's buffer: into lists, and into Strings without a copy.

use std::convert::Infallible;

use host::{Fd, io::Events};
use memory::Grow;
use object::string::{Room, Str};
use runtime::{
    Cx, R, Value,
    concurrency::{pending, thread::blocking},
    convert, error,
    error::OrRaise,
};
use text::encoding::EncodingId;

use super::{data, hooks, read};

/// Reads of more bytes than this go into a String directly.
const MANY: usize = 16384;

/// The bytes that are read at once if it is not known how many there are.
const PIECE: usize = 256 << 10;

/// One read from the descriptor into fresh memory. Empty at the end.
pub fn read_once(cx: &mut Cx, io: Value, size: usize, function: &str) -> R<Vec<u8>> {
    let mut buffer = error::zeros(cx, size)?;
    buffer.clear();
    read_into(cx, io, buffer, size, function)
}

/// Like [`read_once`]; appends the bytes to a list.
pub fn read_more(cx: &mut Cx, io: Value, mut buffer: Vec<u8>, size: usize, function: &str) -> R<Vec<u8>> {
    memory::reserve(&mut buffer, size);
    read_into(cx, io, buffer, size, function)
}

/// One read of up to `size` bytes from the descriptor, appended to `buffer`, which has room for them.
pub(super) fn read_into(cx: &mut Cx, io: Value, mut buffer: Vec<u8>, size: usize, function: &str) -> R<Vec<u8>> {
    receive(cx, io, &mut buffer, size, function)?;
    Ok(buffer)
}

/// Where the system writes the bytes of a read.
pub trait Receiver {
    /// One read of up to `most` bytes, for which there is room; their number.
    fn read(&mut self, fd: Fd, most: usize) -> host::Result<usize>;

    /// Takes bytes, for which there is room, from a hook; their number.
    fn take(&mut self, bytes: &[u8]) -> usize;
}

impl Receiver for Vec<u8> {
    fn read(&mut self, fd: Fd, most: usize) -> host::Result<usize> {
        host::fs::read_more(fd, self, most)
    }

    fn take(&mut self, bytes: &[u8]) -> usize {
        self.append_slice(bytes);
        bytes.len()
    }
}

impl Receiver for Room {
    fn read(&mut self, fd: Fd, most: usize) -> host::Result<usize> {
        self.fill(|room| {
            let most = most.min(room.len());
            host::fs::read_part(fd, &mut room[..most])
        })
    }

    fn take(&mut self, bytes: &[u8]) -> usize {
        let taken = self.fill(|room| {
            let count = bytes.len().min(room.len());
            Ok::<_, Infallible>(room[..count].write_copy_of_slice(&bytes[..count]))
        });
        let Ok(count) = taken;
        count
    }
}

/// One read of up to `size` bytes from the descriptor; their number, 0 at the end.
pub fn receive(cx: &mut Cx, io: Value, receiver: &mut impl Receiver, size: usize, function: &str) -> R<usize> {
    loop {
        let fd = data::fd_of(cx, io)?;
        let outcome = match hooks::read(cx, io, size, None)? {
            Some(outcome) => outcome.map(|bytes| receiver.take(&bytes)),
            None => {
                if !data::wait_by_scheduler(cx, io, fd, Events::READABLE)? && data::time_limit(cx, io)?.is_some() {
                    data::wait_in_time(cx, io, fd, Events::READABLE)?;
                }
                data::blocking_on(cx, io, || receiver.read(fd, size))?
            }
        };
        match outcome {
            Ok(count) => return Ok(count),
            Err(errno) if data::is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) if errno.would_block() => data::wait_in_time(cx, io, fd, Events::READABLE)?,
            Err(errno) => return Err(data::failed(cx, errno, io, function)),
        }
    }
}

/// The given buffer, or a new String with room.
fn target(cx: &mut Cx, buffer: Option<Value>, count: usize) -> R<Str> {
    match buffer.filter(|buffer| !buffer.is_nil()) {
        Some(buffer) => {
            let buffer = convert::to_str(cx, buffer)?;
            cx.check_frozen(buffer.value())?;
            Ok(buffer)
        }
        None => Str::with_room(cx, count, EncodingId::BINARY).or_raise(cx),
    }
}

/// One read of up to `count` bytes into the buffer argument or a new String, which is empty at the end. `None` for a
/// few bytes, which are better copied.
pub fn once(cx: &mut Cx, io: Value, count: usize, buffer: Option<Value>, function: &str) -> R<Option<Str>> {
    if count <= MANY {
        return Ok(None);
    }
    let string = target(cx, buffer, count)?;
    let mut room = string.room_behind(cx, 0, count).or_raise(cx)?;
    let read = receive(cx, io, &mut room, count, function)?;
    room.end(read);
    if buffer.is_none_or(Value::is_nil) {
        string.fit(cx).or_raise(cx)?;
    }
    Ok(Some(string))
}

/// Like [`once`], at an offset of the file; the position stays.
pub fn at(cx: &mut Cx, io: Value, (count, offset): (usize, i64), buffer: Option<Value>) -> R<Option<Str>> {
    if count <= MANY {
        return Ok(None);
    }
    let fd = data::fd_of(cx, io)?;
    let string = target(cx, buffer, count)?;
    let mut room = string.room_behind(cx, 0, count).or_raise(cx)?;
    let outcome = match hooks::read(cx, io, count, Some(offset))? {
        Some(outcome) => outcome.map(|bytes| room.take(&bytes)),
        None => blocking(cx, || room.fill(|room| host::fs::pread_part(fd, room, offset))),
    };
    match outcome {
        Ok(read) => room.end(read),
        Err(errno) => return Err(data::failed(cx, errno, io, "rb_io_pread")),
    }
    if buffer.is_none_or(Value::is_nil) {
        string.fit(cx).or_raise(cx)?;
    }
    Ok(Some(string))
}

/// Reads `count` bytes, fewer at the end, into a buffer argument, behind those that wait. `known` is the number of
/// bytes that are probably left.
pub fn all(cx: &mut Cx, io: Value, count: usize, known: usize, buffer: Value) -> R<Str> {
    let string = target(cx, Some(buffer), 0)?;
    let waiting = data::reader(cx, io)?.take(count);
    let mut kept = waiting.len();
    if kept > 0 {
        string.set_bytes(cx, &waiting).or_raise(cx)?;
    }
    drop(waiting);
    while kept < count {
        let size = (count - kept).min(known.saturating_sub(kept).max(PIECE));
        let mut room = string.room_behind(cx, kept, size).or_raise(cx)?;
        let read = receive(cx, io, &mut room, size, read::READING)?;
        room.end(read);
        if read == 0 {
            break;
        }
        kept += read;
    }
    Ok(string)
}

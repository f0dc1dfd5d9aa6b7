//! Reading into a buffer and writing from it, bypassing the stream's own buffers.

use ::memory::ToVector;
use host::{Errno, Fd};
use runtime::{Args, Cx, Method, R, Value, convert};

use super::{
    check_range,
    memory::{self, state, with_bytes, with_bytes_mut},
    part,
};
use crate::io::{data, hooks, read::to_io};

pub const METHODS: &[Method] = &[
    Method::new("read(io, length = nil, offset = 0)", read),
    Method::new("pread(io, from, length = nil, offset = 0)", pread),
    Method::new("write(io, length = nil, offset = 0)", write),
    Method::new("pwrite(io, from, length = nil, offset = 0)", pwrite),
];

/// `read(io, length = nil, offset = 0) → integer`: reads at least `length` bytes from a stream unless it ends,
/// bypassing its buffers; with 0 the result of one read(2). Returns the number of bytes, or minus the errno.
fn read(cx: &mut Cx, args: Args) -> R {
    let (offset, length) = part(cx, args.me(), args.opt(2), args.opt(1))?;
    fill(cx, args, offset, length, None)
}

/// `pread(io, from, length = nil, offset = 0) → integer`: like `read`, but from a position of the file; the current
/// position stays.
fn pread(cx: &mut Cx, args: Args) -> R {
    let from = convert::to_i64(cx, args.at(1))?;
    let (offset, length) = part(cx, args.me(), args.opt(3), args.opt(2))?;
    fill(cx, args, offset, length, Some(from))
}

/// `write(io, length = nil, offset = 0) → integer`: writes at least `length` bytes of the part to a stream, bypassing
/// its buffers; with 0 as many as one write(2) accepts. Returns the number of bytes, or minus the errno.
fn write(cx: &mut Cx, args: Args) -> R {
    let (offset, length) = part(cx, args.me(), args.opt(2), args.opt(1))?;
    drain(cx, args, offset, length, None)
}

/// `pwrite(io, from, length = nil, offset = 0) → integer`: like `write`, but to a position of the file; the current
/// position stays.
fn pwrite(cx: &mut Cx, args: Args) -> R {
    let from = convert::to_i64(cx, args.at(1))?;
    let (offset, length) = part(cx, args.me(), args.opt(3), args.opt(2))?;
    drain(cx, args, offset, length, Some(from))
}

/// Locks the buffer, unless it is locked, while `body` runs without the global lock.
fn transfer<T>(cx: &mut Cx, args: Args, io: Value, body: impl FnOnce() -> T) -> R<T> {
    let was_locked = state(cx, args.me())?.is_locked();
    state(cx, args.me())?.flags |= memory::LOCKED;
    let result = data::blocking_on(cx, io, body);
    if !was_locked {
        state(cx, args.me())?.flags &= !memory::LOCKED;
    }
    result
}

/// The result of a transfer: the number of bytes, or minus the errno.
fn answer(result: Result<usize, Errno>) -> Value {
    Value::fixnum(match result {
        Ok(count) => count as i64,
        Err(errno) => -i64::from(errno.0),
    })
}

fn fill(cx: &mut Cx, args: Args, offset: usize, length: usize, from: Option<i64>) -> R {
    let io = to_io(cx, args.at(0))?;
    let names = ["io_read", "io_pread"];
    if let Some(result) = hooks::of_buffer(cx, names, (io, from), args.me(), [length, offset])? {
        return Ok(result);
    }
    check_range(cx, args.me(), offset, length)?;
    let fd = data::fd_of(cx, io)?;
    memory::check_writable(cx, args.me())?;
    let mut bytes = ::memory::filled(0, state(cx, args.me())?.size - offset);
    let (result, bytes) = transfer(cx, args, io, move || {
        let result = read_all(fd, &mut bytes, length, from);
        (result, bytes)
    })?;
    if let Ok(count) = result {
        with_bytes_mut(cx, args.me(), |own| own[offset..offset + count].copy_from_slice(&bytes[..count]))?;
    }
    Ok(answer(result))
}

fn read_all(fd: Fd, bytes: &mut [u8], length: usize, from: Option<i64>) -> Result<usize, Errno> {
    let mut total = 0;
    loop {
        let count = match from {
            None => host::fs::read(fd, &mut bytes[total..])?,
            Some(from) => host::fs::pread_into(fd, &mut bytes[total..], from + total as i64)?,
        };
        total += count;
        if count == 0 || total >= length {
            return Ok(total);
        }
    }
}

fn drain(cx: &mut Cx, args: Args, offset: usize, length: usize, from: Option<i64>) -> R {
    let io = to_io(cx, args.at(0))?;
    let names = ["io_write", "io_pwrite"];
    if let Some(result) = hooks::of_buffer(cx, names, (io, from), args.me(), [length, offset])? {
        return Ok(result);
    }
    check_range(cx, args.me(), offset, length)?;
    let fd = data::fd_of(cx, io)?;
    let bytes = with_bytes(cx, args.me(), |own| own[offset..].to_vector())?;
    let result = transfer(cx, args, io, move || write_all(fd, &bytes, length, from))?;
    Ok(answer(result))
}

fn write_all(fd: Fd, bytes: &[u8], length: usize, from: Option<i64>) -> Result<usize, Errno> {
    let mut total = 0;
    loop {
        let count = match from {
            None => host::fs::write(fd, &bytes[total..])?,
            Some(from) => host::fs::pwrite(fd, &bytes[total..], from + total as i64)?,
        };
        total += count;
        if count == 0 || total >= length {
            return Ok(total);
        }
    }
}

//! The hooks of a fiber scheduler that transfer bytes and close descriptors for non-blocking fibers: `io_read`,
//! `io_write`, `io_pread`, `io_pwrite` and `io_close`. A scheduler need not have them.

use ::memory::ToVector;
use host::{Errno, Fd};
use object::{string::Str, symbol::table::intern_text};
use runtime::{Cx, R, Value, call, concurrency::scheduler, convert, error};

use super::{
    buffer::{
        lifetime,
        memory::{self, BufferState, LOCKED, Memory, READONLY},
    },
    data,
};

/// What a hook reports: the number of bytes, or the system's error.
pub type Transferred = Result<usize, Errno>;

/// One read of up to `size` bytes, at a position of the file if there is one. `None` without a scheduler that has the
/// hook.
pub fn read(cx: &mut Cx, io: Value, size: usize, from: Option<i64>) -> R<Option<Result<Vec<u8>, Errno>>> {
    let Some((scheduler, hook)) = find(cx, ["io_read", "io_pread"], from)? else { return Ok(None) };
    let room = error::zeros(cx, size)?;
    let buffer =
        locked_buffer(cx, BufferState { memory: Memory::Own(room), size, flags: LOCKED, ..BufferState::none() });
    let outcome = transfer(cx, scheduler, (hook, io, from), buffer, [0, 0]);
    // The hook may have kept the buffer; its memory ends here.
    let state = memory::state(cx, buffer)?;
    let kept = std::mem::replace(&mut state.memory, Memory::None);
    state.release();
    let outcome = count(cx, outcome?)?;
    let Memory::Own(mut bytes) = kept else { return Ok(Some(Ok(Vec::new()))) };
    Ok(Some(outcome.map(|count| {
        bytes.truncate(count);
        bytes
    })))
}

/// One write of bytes, at a position of the file if there is one. `None` without a scheduler that has the hook.
pub fn write(cx: &mut Cx, io: Value, bytes: &[u8], from: Option<i64>) -> R<Option<Transferred>> {
    let Some((scheduler, hook)) = find(cx, ["io_write", "io_pwrite"], from)? else { return Ok(None) };
    let (size, flags) = (bytes.len(), LOCKED | READONLY);
    let copy = Memory::Own(bytes.to_vector());
    let buffer = locked_buffer(cx, BufferState { memory: copy, size, flags, ..BufferState::none() });
    let outcome = transfer(cx, scheduler, (hook, io, from), buffer, [0, 0]);
    memory::state(cx, buffer)?.release();
    Ok(Some(count(cx, outcome?)?.map(|count| count.min(size))))
}

/// Writes a String at a position of a file once. `None` without a scheduler that has the hook.
pub fn write_string(cx: &mut Cx, io: Value, string: Str, from: i64) -> R<Option<Transferred>> {
    if scheduler::current(cx).is_none() {
        return Ok(None);
    }
    let held = string.held(cx);
    write(cx, io, &held, Some(from))
}

/// A transfer of an IO::Buffer itself; the hook's result. `part` is the least length and the offset.
pub fn of_buffer(
    cx: &mut Cx,
    names: [&str; 2],
    (io, from): (Value, Option<i64>),
    buffer: Value,
    part: [usize; 2],
) -> R<Option<Value>> {
    let Some((scheduler, hook)) = find(cx, names, from)? else { return Ok(None) };
    transfer(cx, scheduler, (hook, io, from), buffer, part).map(Some)
}

/// Closes a descriptor; false if there is no hook, or it has not done so.
pub fn close(cx: &mut Cx, fd: Fd) -> R<bool> {
    let Some(scheduler) = scheduler::current(cx) else { return Ok(false) };
    if !scheduler::has(cx, scheduler, "io_close")? {
        return Ok(false);
    }
    let fd = Value::fixnum(fd.0.into());
    Ok(scheduler::send(cx, scheduler, "io_close", &[fd])?.truthy())
}

/// The scheduler of the running fiber and the name of its hook, the second one for a position of a file.
fn find<'a>(cx: &mut Cx, names: [&'a str; 2], from: Option<i64>) -> R<Option<(Value, &'a str)>> {
    let Some(scheduler) = scheduler::current(cx) else { return Ok(None) };
    let hook = names[from.is_some() as usize];
    Ok(scheduler::has(cx, scheduler, hook)?.then_some((scheduler, hook)))
}

fn locked_buffer(cx: &mut Cx, state: BufferState) -> Value {
    let class = cx.root(memory::CLASS);
    lifetime::instance(cx, class, state)
}

/// Calls a hook. Closing the stream meanwhile interrupts the fiber if the scheduler can do that.
fn transfer(
    cx: &mut Cx,
    scheduler: Value,
    (hook, io, from): (&str, Value, Option<i64>),
    buffer: Value,
    part: [usize; 2],
) -> R {
    let [length, offset] = part.map(|n| Value::fixnum(n as i64));
    let arguments = match from {
        Some(from) => &[io, buffer, Value::fixnum(from), length, offset][..],
        None => &[io, buffer, length, offset],
    };
    let hook = intern_text(cx, hook);
    if !scheduler::has(cx, scheduler, "fiber_interrupt")? {
        return call::send(cx, scheduler, hook, arguments);
    }
    data::while_used(cx, io, |cx| call::send(cx, scheduler, hook, arguments))
}

fn count(cx: &mut Cx, result: Value) -> R<Transferred> {
    let n = convert::to_i64(cx, result)?;
    Ok(usize::try_from(n).map_err(|_| Errno(i32::try_from(n.saturating_neg()).unwrap_or(i32::MAX))))
}

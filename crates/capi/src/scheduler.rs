//! Calling the methods of a fiber scheduler.

use abi::Value;
use object::symbol::table::intern_text;
use runtime::{Cx, R, call};

use crate::{
    border::{send, send_to},
    call::split_keywords,
    given,
    time::Timeval,
};

/// Calls an optional method of a scheduler; undef if it has none.
fn optional(cx: &mut Cx, scheduler: Value, name: &str, arguments: &[Value]) -> R {
    let method = intern_text(cx, name);
    if call::responds(cx, scheduler, method, true)? { send(cx, scheduler, name, arguments) } else { Ok(Value::UNDEF) }
}

fn number(cx: &mut Cx, n: i64) -> R {
    crate::numeric::rb_int2inum(cx, n)
}

/// The scheduler of a thread, if a non-blocking fiber is running there. For another thread than the current one the
/// result is nil.
pub fn rb_fiber_scheduler_current_for_thread(cx: &mut Cx, thread: Value) -> R {
    if thread == cx.thread { send_to(cx, "Fiber", "current_scheduler", &[]) } else { Ok(Value::NIL) }
}

/// The time as a number of seconds; nil for null.
pub fn rb_fiber_scheduler_make_timeout(cx: &mut Cx, time: *mut Timeval) -> R {
    if time.is_null() {
        return Ok(Value::NIL);
    }
    let time = given::read(time);
    Ok(object::float::new(cx, time.seconds as f64 + time.microseconds as f64 / 1e6))
}

pub fn rb_fiber_scheduler_close(cx: &mut Cx, scheduler: Value) -> R {
    let closed = optional(cx, scheduler, "scheduler_close", &[])?;
    if !closed.is_undef() {
        return Ok(closed);
    }
    let closed = optional(cx, scheduler, "close", &[])?;
    Ok(if closed.is_undef() { Value::NIL } else { closed })
}

pub fn rb_fiber_scheduler_kernel_sleepv(cx: &mut Cx, scheduler: Value, count: i32, argv: *mut Value) -> R {
    send(cx, scheduler, "kernel_sleep", given::values(count, argv))
}

/// Calls the scheduler's `yield`, or if it has none, its method for sleeping with a time of 0.
pub fn rb_fiber_scheduler_yield(cx: &mut Cx, scheduler: Value) -> R {
    let result = optional(cx, scheduler, "yield", &[])?;
    if result.is_undef() { send(cx, scheduler, "kernel_sleep", &[Value::fixnum(0)]) } else { Ok(result) }
}

pub fn rb_fiber_scheduler_timeout_after(
    cx: &mut Cx,
    scheduler: Value,
    timeout: Value,
    exception: Value,
    message: Value,
) -> R {
    let arguments = [timeout, exception, message];
    rb_fiber_scheduler_timeout_afterv(cx, scheduler, 3, arguments.as_ptr().cast_mut())
}

pub fn rb_fiber_scheduler_timeout_afterv(cx: &mut Cx, scheduler: Value, count: i32, argv: *mut Value) -> R {
    let block = crate::border::Place::now().block();
    let name = intern_text(cx, "timeout_after");
    if !call::responds(cx, scheduler, name, true)? {
        return Ok(Value::UNDEF);
    }
    call::send_with_block(cx, scheduler, name, given::values(count, argv), block)
}

pub fn rb_fiber_scheduler_supports_process_wait(cx: &mut Cx, scheduler: Value) -> R<i32> {
    let name = intern_text(cx, "process_wait");
    Ok(call::responds(cx, scheduler, name, true)? as i32)
}

pub fn rb_fiber_scheduler_process_wait(cx: &mut Cx, scheduler: Value, pid: i32, flags: i32) -> R {
    optional(cx, scheduler, "process_wait", &[Value::fixnum(pid.into()), Value::fixnum(flags.into())])
}

pub fn rb_fiber_scheduler_io_wait_readable(cx: &mut Cx, scheduler: Value, io: Value) -> R {
    wait_for(cx, scheduler, io, 1)
}

pub fn rb_fiber_scheduler_io_wait_writable(cx: &mut Cx, scheduler: Value, io: Value) -> R {
    wait_for(cx, scheduler, io, 4)
}

/// `io_wait` for one event of `IO`, as long as the object's own timeout allows.
fn wait_for(cx: &mut Cx, scheduler: Value, io: Value, event: i64) -> R {
    let timeout = send(cx, io, "timeout", &[])?;
    send(cx, scheduler, "io_wait", &[io, Value::fixnum(event), timeout])
}

pub fn rb_fiber_scheduler_io_select(
    cx: &mut Cx,
    scheduler: Value,
    readable: Value,
    writable: Value,
    exceptable: Value,
    timeout: Value,
) -> R {
    optional(cx, scheduler, "io_select", &[readable, writable, exceptable, timeout])
}

pub fn rb_fiber_scheduler_io_selectv(cx: &mut Cx, scheduler: Value, count: i32, argv: *mut Value) -> R {
    optional(cx, scheduler, "io_select", given::values(count, argv))
}

pub fn rb_fiber_scheduler_io_read(
    cx: &mut Cx,
    scheduler: Value,
    io: Value,
    buffer: Value,
    length: usize,
    offset: usize,
) -> R {
    transfer(cx, scheduler, "io_read", &[io, buffer], length, offset)
}

pub fn rb_fiber_scheduler_io_write(
    cx: &mut Cx,
    scheduler: Value,
    io: Value,
    buffer: Value,
    length: usize,
    offset: usize,
) -> R {
    transfer(cx, scheduler, "io_write", &[io, buffer], length, offset)
}

pub fn rb_fiber_scheduler_io_pread(
    cx: &mut Cx,
    scheduler: Value,
    io: Value,
    from: i64,
    buffer: Value,
    length: usize,
    offset: usize,
) -> R {
    let from = number(cx, from)?;
    transfer(cx, scheduler, "io_pread", &[io, buffer, from], length, offset)
}

pub fn rb_fiber_scheduler_io_pwrite(
    cx: &mut Cx,
    scheduler: Value,
    io: Value,
    from: i64,
    buffer: Value,
    length: usize,
    offset: usize,
) -> R {
    let from = number(cx, from)?;
    transfer(cx, scheduler, "io_pwrite", &[io, buffer, from], length, offset)
}

/// Reads into an IO::Buffer or writes from it: the last two arguments are the least length and the offset within it.
fn transfer(cx: &mut Cx, scheduler: Value, name: &str, what: &[Value], length: usize, offset: usize) -> R {
    let (length, offset) = (number(cx, length as i64)?, number(cx, offset as i64)?);
    optional(cx, scheduler, name, &[what, &[length, offset]].concat())
}

pub fn rb_fiber_scheduler_io_close(cx: &mut Cx, scheduler: Value, io: Value) -> R {
    optional(cx, scheduler, "io_close", &[io])
}

pub fn rb_fiber_scheduler_address_resolve(cx: &mut Cx, scheduler: Value, name: Value) -> R {
    optional(cx, scheduler, "address_resolve", &[name])
}

/// A new fiber of the scheduler, which runs the block of the running method.
pub fn rb_fiber_scheduler_fiber(cx: &mut Cx, scheduler: Value, count: i32, argv: *mut Value, keywords: i32) -> R {
    let block = crate::border::Place::now().block();
    let (arguments, keywords) = split_keywords(cx, given::values(count, argv), keywords)?;
    let name = intern_text(cx, "fiber");
    call::send_full(cx, scheduler, name, arguments, keywords, block, call::Scope::Function)
}

pub fn rb_fiber_scheduler_fiber_interrupt(cx: &mut Cx, scheduler: Value, fiber: Value, exception: Value) -> R {
    optional(cx, scheduler, "fiber_interrupt", &[fiber, exception])
}

//! Closing a stream: what is buffered is written, and others that use the stream are interrupted.

use memory::Grow;
use object::{array::Arr, native};
use runtime::{
    Cx, R, Value,
    concurrency::{parking, pending, scheduler, thread::ThreadState},
    error::ErrorClass,
};
use text::transcode::Limits;

use super::{
    data::{any_data, failed, flush_for},
    hooks,
};

/// Closes both descriptors after writing buffered bytes.
pub fn close(cx: &mut Cx, io: Value) -> R<()> {
    let data = any_data(cx, io)?;
    let Some(fd) = data.fd else { return Ok(()) };
    if let Some(mut encoder) = data.encoder.take() {
        let mut end = Vec::new();
        encoder.convert(&mut &b""[..], &mut end, Limits::default());
        data.write_buffer.append_slice(&end);
    }
    if !data.conversion.is_nil() && data.writable {
        let end = super::output::quote_at_end(cx, io)?;
        any_data(cx, io)?.write_buffer.append_slice(&end);
    }
    let flushed = flush_for(cx, io, "fptr_finalize_flush");
    let data = any_data(cx, io)?;
    let pid = data.pid.take();
    data.fd = None;
    let users = std::mem::replace(&mut data.users, Value::NIL);
    evict_users(cx, users)?;
    let data = any_data(cx, io)?;
    let other = data.writer.take();
    // The next file that is opened gets the memory, which is still in the processor's caches.
    data.read_buffer = Vec::new();
    data.read_at = 0;
    data.write_buffer = Vec::new();
    data.close_c_stream();
    let autoclose = data.autoclose;
    let mut outcome = Ok(());
    for fd in [Some(fd), other].into_iter().flatten() {
        // The standard descriptors stay open for other uses.
        if fd.0 > 2 && autoclose && !hooks::close(cx, fd)? {
            outcome = host::fs::close(fd);
        }
    }
    if let Some(pid) = pid {
        crate::process::wait_at_close(cx, pid)?;
    }
    flushed?;
    outcome.map_err(|errno| failed(cx, errno, io, "fptr_finalize"))
}

/// Makes other threads and fibers leave their operations on a stream that is being closed, and waits for that. Threads
/// that have ended (in a forked child: all others) are skipped.
fn evict_users(cx: &mut Cx, users: Value) -> R<()> {
    let own = scheduler::runner(cx);
    let is_other = move |user: Value| user != own && scheduler::is_alive(user);
    if users.is_nil() || !Arr::of(users).iter().any(is_other) {
        return Ok(());
    }
    let mut i = 0;
    while let Some(user) = Arr::of(users).get(i) {
        if is_other(user) {
            let unwind = cx.raise(ErrorClass::IOError, "stream closed in another thread");
            let exception = cx.take_exception(unwind)?;
            if native::get::<ThreadState>(&user).is_some() {
                pending::raise_in(cx, user, exception);
            } else {
                scheduler::interrupt(cx, user, exception)?;
            }
        }
        i += 1;
    }
    parking::wait_for_external(cx, None, |_| !Arr::of(users).iter().any(is_other))?;
    Ok(())
}

//! Handlers that record signals. A handler sets the signal's bit, writes to the wake-up descriptor, and calls the
//! notifier. The thread that takes the signal with [`take_pending`] acts on it later, at a safepoint.
//!
//! Handlers only use the statics of this module: atomics, and a descriptor that is never closed.

use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Fd, Result, fs};

/// One bit per signal, by number.
static PENDING: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// The ends of the wake-up pipe; −1 before [`initialize`].
static WAKE_READ: AtomicI32 = AtomicI32::new(-1);
static WAKE_WRITE: AtomicI32 = AtomicI32::new(-1);

/// A `fn()` to call after a signal was recorded, or null.
static NOTIFIER: AtomicPtr<()> = AtomicPtr::new(std::ptr::null_mut());

/// Opens the wake-up pipe, and makes writing to a closed pipe an error in this process, while programs that it runs get
/// `SIGPIPE`'s default action. Call it once, before other threads start; further calls do nothing.
pub fn initialize() -> Result<()> {
    static ONCE: Mutex<bool> = Mutex::new(false);
    let mut done = ONCE.lock().unwrap_or_else(PoisonError::into_inner);
    if !*done {
        let (read, write) = wake_pipe()?;
        WAKE_READ.store(read.0, Ordering::Release);
        WAKE_WRITE.store(write.0, Ordering::Release);
        // Rust ignores this signal. Ignored signals stay ignored across exec; handled ones get their default.
        super::set_disposition(libc::SIGPIPE, super::Disposition::Nothing)?;
        *done = true;
    }
    Ok(())
}

/// Both ends are non-blocking, with numbers above the low ones that programs expect to get.
fn wake_pipe() -> Result<(Fd, Fd)> {
    let (read, write) = fs::pipe()?;
    fs::set_nonblocking(read, true)?;
    fs::set_nonblocking(write, true)?;
    let out_of_the_way = |fd| match fs::duplicate(fd, 100) {
        Ok(high) => {
            let _ = fs::close(fd);
            high
        }
        // If the limit on descriptors is low, a low number must do.
        Err(_) => fd,
    };
    Ok((out_of_the_way(read), out_of_the_way(write)))
}

/// The descriptor that becomes readable when a signal was recorded or [`wake`] was called.
pub fn wake_fd() -> Option<Fd> {
    Some(Fd(WAKE_READ.load(Ordering::Acquire))).filter(|fd| fd.0 >= 0)
}

/// Whether a descriptor is an end of the wake-up pipe, which programs must leave alone.
pub fn is_wake_end(fd: Fd) -> bool {
    fd.0 >= 0 && [&WAKE_READ, &WAKE_WRITE].iter().any(|end| end.load(Ordering::Acquire) == fd.0)
}

/// Makes the wake-up descriptor readable. May be called anywhere, in signal handlers too.
pub fn wake() {
    let fd = WAKE_WRITE.load(Ordering::Acquire);
    if fd >= 0 {
        // If the pipe is full, it already wakes the reader. SAFETY: the pointer is to one byte.
        unsafe { libc::write(fd, [0_u8].as_ptr().cast(), 1) };
    }
}

/// Makes the wake-up descriptor unreadable until the next signal. Call this before looking for pending signals.
pub fn drain_wake() {
    if let Some(fd) = wake_fd() {
        let mut buffer = [0; 64];
        while fs::read(fd, &mut buffer).is_ok_and(|count| count == buffer.len()) {}
    }
}

/// Sets a function that the handler calls after each recorded signal: it may only use atomics and async-signal-safe
/// calls.
pub fn set_notifier(notifier: fn()) {
    NOTIFIER.store(notifier as *mut (), Ordering::Release);
}

/// Whether a signal is pending. Two loads.
pub fn has_pending() -> bool {
    PENDING.iter().any(|word| word.load(Ordering::Relaxed) != 0)
}

/// Takes the pending signal with the lowest number. Several arrivals of a signal since the last call count as one.
pub fn take_pending() -> Option<i32> {
    for (index, word) in PENDING.iter().enumerate() {
        let mut bits = word.load(Ordering::Acquire);
        while bits != 0 {
            let bit = bits & bits.wrapping_neg();
            if word.fetch_and(!bit, Ordering::AcqRel) & bit != 0 {
                return Some(index as i32 * 64 + bit.trailing_zeros() as i32);
            }
            bits = word.load(Ordering::Acquire);
        }
    }
    None
}

/// Records a signal as if it had arrived.
pub fn record(signal: i32) {
    if let Some(word) = usize::try_from(signal).ok().and_then(|signal| PENDING.get(signal / 64)) {
        word.fetch_or(1 << (signal % 64), Ordering::AcqRel);
        wake();
        let notifier = NOTIFIER.load(Ordering::Acquire);
        if !notifier.is_null() {
            // SAFETY: only `set_notifier` writes there, and it writes a `fn()`.
            let notifier = unsafe { std::mem::transmute::<*mut (), fn()>(notifier) };
            notifier();
        }
    }
}

/// The handler of [`Disposition::Record`](super::Disposition::Record).
pub(super) extern "C" fn recording_handler(signal: i32) {
    let saved = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);
    record(signal);
    set_errno(saved);
}

/// The handler of [`Disposition::Nothing`](super::Disposition::Nothing).
pub(super) extern "C" fn idle_handler(_signal: i32) {}

fn set_errno(errno: i32) {
    // SAFETY: the address of `errno` is always valid.
    unsafe { *crate::errno::location() = errno };
}

/// Gives a forked child its own wake-up pipe with the same numbers, and discards the parent's signals. If no pipe can
/// be created, the child shares its parent's: spurious wake-ups are harmless.
pub(crate) fn after_fork_in_child() {
    for word in &PENDING {
        word.store(0, Ordering::Release);
    }
    let (Some(old_read), old_write) = (wake_fd(), Fd(WAKE_WRITE.load(Ordering::Acquire))) else { return };
    if let Ok((read, write)) = wake_pipe() {
        let _ = fs::duplicate_to(read, old_read);
        let _ = fs::duplicate_to(write, old_write);
        let _ = fs::close(read);
        let _ = fs::close(write);
    }
}

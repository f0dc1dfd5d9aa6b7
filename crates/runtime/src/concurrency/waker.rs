//! The waker: a native thread that runs no Ruby and interrupts blocking calls of other threads.
//!
//! A signal interrupts a blocking call only if the call has begun; one that arrives just before is lost. Therefore the
//! waker repeats the signal until the thread has checked its interrupts. It also notifies parked threads of signals,
//! because a signal handler must not take a lock.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use host::{
    Fd,
    io::{Events, wait_for},
    thread::{Mutex, MutexGuard, ThreadId},
};

use crate::{Cx, cx::Interrupts, state::parking::Parking};

/// The interval between repeated signals to a thread that has not reacted yet, in nanoseconds. It doubles each time.
const AGAIN: u64 = 2_000_000;
const AT_MOST: u64 = 64_000_000;
const STACK: usize = 64 << 10;

/// The threads to wake: the context's address, and its thread.
static TARGETS: Mutex<Vec<(usize, ThreadId)>> = Mutex::new(Vec::new());
static RUNS: AtomicBool = AtomicBool::new(false);
/// The main thread's number, 0 before it exists, and its context.
static MAIN: AtomicI32 = AtomicI32::new(0);

/// The function that interrupts the C code of an extension that runs without the global lock; it takes the address of
/// the thread's context.
static UNBLOCK: OnceLock<fn(usize)> = OnceLock::new();

pub fn set_unblock(unblock: fn(usize)) {
    let _ = UNBLOCK.set(unblock);
}

pub(super) fn unblock(context: usize) {
    if let Some(unblock) = UNBLOCK.get() {
        unblock(context);
    }
}

/// Starts the waker once; a forked child needs a new one.
pub fn ensure_started(cx: &mut Cx) {
    if RUNS.swap(true, Ordering::Relaxed) {
        return;
    }
    let Some(fd) = host::signal::wake_fd() else { return };
    let main = cx.vm().main_context;
    let parking: &'static Parking = cx.parking();
    if host::thread::spawn("waker", STACK, move || run(fd, main, parking)).is_err() {
        RUNS.store(false, Ordering::Relaxed);
    }
}

/// The threads to wake, locked.
pub type Targets = MutexGuard<'static, Vec<(usize, ThreadId)>>;

/// A lock to be held while the process forks: a child whose parent's waker held it would wait for it forever.
pub fn before_fork() -> Targets {
    TARGETS.lock()
}

/// In a forked child: only this thread is left.
pub fn after_fork(mut targets: Targets) {
    RUNS.store(false, Ordering::Relaxed);
    MAIN.store(host::thread::id().0, Ordering::Relaxed);
    targets.clear();
}

/// Forgets a context whose thread is about to end: its address may soon belong to another context.
pub fn forget(context: usize) {
    TARGETS.lock().retain(|(known, _)| *known != context);
}

/// Registers the calling thread as the one that handles signals.
pub fn set_main() {
    MAIN.store(host::thread::id().0, Ordering::Relaxed);
}

/// Makes the thread of a context check its interrupts, wherever it is.
pub fn wake(cx: &mut Cx, context: usize, thread: ThreadId) {
    ensure_started(cx);
    {
        let mut targets = TARGETS.lock();
        if !targets.iter().any(|(known, _)| *known == context) {
            targets.push((context, thread));
        }
    }
    let _ = host::thread::interrupt(thread);
    host::signal::wake();
}

/// Calls `f` with a context: the main thread's, or one of the locked targets. It uses only what is atomic.
fn with_context<T>(context: usize, f: fn(&Cx) -> T) -> T {
    // SAFETY: the main thread's context is leaked; those of targets exist until `forget`, which waits for the lock of
    // the targets.
    f(unsafe { &*(context as *const Cx) })
}

fn run(fd: Fd, main: usize, parking: &Parking) {
    let _signals = host::signal::block_all();
    let mut interval = AGAIN;
    loop {
        let idle = TARGETS.lock().is_empty();
        let deadline = (!idle).then(|| host::clock::monotonic_nanoseconds() + interval);
        let ready = wait_for(fd, Events::READABLE, deadline, &mut || true);
        // Many threads that were interrupted together wait for the lock until it is their turn.
        interval = (2 * interval).min(AT_MOST);
        if ready.is_ok_and(|events| !events.is_empty()) {
            interval = AGAIN;
            host::signal::drain_wake();
            parking.wake_all();
            let number = MAIN.load(Ordering::Relaxed);
            if host::signal::has_pending() && number != 0 {
                // The handler that recorded the signal may not have notified the context yet.
                with_context(main, |cx| cx.interrupt(Interrupts::SIGNAL));
                // Under this lock, so that no fork finds the extension's locks taken.
                let mut targets = TARGETS.lock();
                unblock(main);
                if !targets.iter().any(|(known, _)| *known == main) {
                    targets.push((main, ThreadId(number)));
                }
            }
        }
        TARGETS.lock().retain(|(context, thread)| {
            let pending = with_context(*context, |cx| cx.attention.interrupts.load(Ordering::Relaxed));
            pending & (Interrupts::SIGNAL | Interrupts::ASYNC) != 0 && host::thread::interrupt(*thread).is_ok()
        });
    }
}

//! Native threads: their stacks, and interrupting blocking calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use host::clock::monotonic_nanoseconds;
use host::thread::{self, Condvar, Mutex, ThreadId};
use host::{Errno, fs};

#[test]
fn stacks_are_as_large_as_requested() {
    let thread = thread::spawn("a name longer than fifteen bytes", 1 << 20, || {
        let local = 0_u8;
        let local = (&raw const local) as usize;
        let bounds = thread::stack_bounds().unwrap();
        assert!((bounds.lowest..bounds.highest).contains(&local));
        assert!((900 << 10..1100 << 10).contains(&(bounds.highest - bounds.lowest)));
        thread::set_name(b"short").unwrap();
        let name = std::fs::read_to_string(format!("/proc/self/task/{}/comm", thread::id().0)).unwrap();
        assert_eq!(name, "short\n");
    });
    assert!(thread.unwrap().join());
}

#[test]
fn blocked_calls_are_interrupted() {
    thread::enable_interrupts().unwrap();
    let (read, write) = fs::pipe().unwrap();
    let id = Arc::new(AtomicI32::new(0));
    let done = Arc::new(AtomicBool::new(false));
    let (its_id, its_done) = (id.clone(), done.clone());
    let thread = thread::spawn("reader", 256 << 10, move || {
        its_id.store(thread::id().0, Ordering::Release);
        assert_eq!(fs::read(read, &mut [0; 1]), Err(Errno(libc::EINTR)));
        its_done.store(true, Ordering::Release);
    })
    .unwrap();
    while !done.load(Ordering::Acquire) {
        match id.load(Ordering::Acquire) {
            0 => thread::yield_now(),
            id => drop(thread::interrupt(ThreadId(id))),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let id = ThreadId(id.load(Ordering::Acquire));
    assert!(thread.join());
    // The thread's number lives on for a moment after it was joined.
    while thread::interrupt(id).is_ok() {
        thread::yield_now();
    }
    assert_eq!(thread::interrupt(id), Err(Errno(libc::ESRCH)));
    fs::close(read).unwrap();
    fs::close(write).unwrap();
}

#[test]
fn waits_end_at_the_deadline_or_on_notification() {
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let guard = shared.0.lock();
    let (guard, late) = shared.1.wait_until(guard, monotonic_nanoseconds() + 1_000_000);
    assert!(late || !*guard);
    assert!(shared.0.try_lock().is_none());
    let other = shared.clone();
    let thread = thread::spawn("notifier", 256 << 10, move || {
        *other.0.lock() = true;
        other.1.notify_all();
    });
    let mut guard = guard;
    while !*guard {
        guard = shared.1.wait(guard);
    }
    drop(guard);
    assert!(thread.unwrap().join());
}

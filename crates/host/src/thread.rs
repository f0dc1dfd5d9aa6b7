//! Native threads: starting, interrupting and locking; their stacks.

use std::cell::Cell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{self, Arc, PoisonError, TryLockError};
use std::time::Duration;

use crate::clock::monotonic_nanoseconds;
use crate::errno::check;
use crate::signal::{self, Disposition};
use crate::{Errno, Result};

/// A running thread; dropping this does not end it.
///
/// Not `std::thread`: its threads begin with an allocation of a stack for signals, which aborts the process when memory
/// is exhausted.
pub struct Thread {
    native: libc::pthread_t,
    state: Arc<AtomicU8>,
}

const RUNS: u8 = 0;
const RETURNED: u8 = 1;
const PANICKED: u8 = 2;

type Body = Box<dyn FnOnce() + Send>;

/// The data passed to a new thread.
struct Start {
    name: String,
    body: Body,
    state: Arc<AtomicU8>,
}

impl Thread {
    /// Waits for the end. `false` if the thread panicked.
    pub fn join(self) -> bool {
        let thread = ManuallyDrop::new(self);
        // SAFETY: the thread was neither joined nor detached, because both consume the handle.
        unsafe { libc::pthread_join(thread.native, std::ptr::null_mut()) };
        let is_well = thread.state.load(Ordering::Acquire) == RETURNED;
        // SAFETY: the handle is not used any more, nor dropped.
        drop(unsafe { std::ptr::read(&thread.state) });
        is_well
    }

    pub fn is_finished(&self) -> bool {
        self.state.load(Ordering::Acquire) != RUNS
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // SAFETY: as in `join`.
        unsafe { libc::pthread_detach(self.native) };
    }
}

/// Address space that a new thread must leave to all others: the C library takes half of it for the thread's own
/// allocations, and C code ends the process when it has nothing left.
const LEFT_TO_OTHERS: usize = 128 << 20;

/// The error of a thread for which the system lacks resources.
pub const NO_RESOURCES: Errno = Errno(libc::EAGAIN);

/// Whether the address space has room for the stacks of more threads, which have this many bytes together.
pub fn has_room(stack_size: usize) -> bool {
    crate::memory::address_space_leaves(stack_size.saturating_add(LEFT_TO_OTHERS))
}

/// Starts a thread with a stack of this many bytes and a guard page below it. [`NO_RESOURCES`] is the usual error.
pub fn spawn(name: &str, stack_size: usize, body: impl FnOnce() + Send + 'static) -> Result<Thread> {
    if !has_room(stack_size) {
        return Err(NO_RESOURCES);
    }
    let state = Arc::new(AtomicU8::new(RUNS));
    let start = Box::new(Start { name: name.to_owned(), body: Box::new(body), state: Arc::clone(&state) });
    let start = Box::into_raw(start);
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let mut native = MaybeUninit::<libc::pthread_t>::uninit();
    // SAFETY: the attributes are initialized before they are used, and destroyed after; the new thread takes over
    // `start`.
    let outcome = unsafe {
        match libc::pthread_attr_init(attributes.as_mut_ptr()) {
            0 => {
                libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), stack_size);
                let begin: extern "C" fn(*mut libc::c_void) -> *mut libc::c_void = begin;
                let outcome = libc::pthread_create(native.as_mut_ptr(), attributes.as_ptr(), begin, start.cast());
                libc::pthread_attr_destroy(attributes.as_mut_ptr());
                outcome
            }
            errno => errno,
        }
    };
    if outcome != 0 {
        // SAFETY: no thread received it.
        drop(unsafe { Box::from_raw(start) });
        return Err(Errno(outcome));
    }
    // SAFETY: the call succeeded.
    Ok(Thread { native: unsafe { native.assume_init() }, state })
}

/// The entry point of a thread.
extern "C" fn begin(start: *mut libc::c_void) -> *mut libc::c_void {
    // SAFETY: `spawn` passes the box that it created to this thread.
    let Start { name, body, state } = *unsafe { Box::from_raw(start.cast::<Start>()) };
    // Names are for debuggers only.
    let _ = set_name(name.as_bytes());
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    state.store(if outcome.is_ok() { RETURNED } else { PANICKED }, Ordering::Release);
    std::ptr::null_mut()
}

/// The maximum number of threads of a process: the system limits the number of mappings, and enough must remain for
/// everything else.
#[cfg(target_os = "linux")]
pub fn most() -> usize {
    static MOST: std::sync::OnceLock<usize> = std::sync::OnceLock::new();
    /// Native stack, stack for signals twice, each with its guard page, and a VM stack.
    const MAPPINGS: usize = 7;
    *MOST.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
        text.trim().parse::<usize>().map_or(usize::MAX, |mappings| mappings / 8 * 7 / MAPPINGS)
    })
}

#[cfg(not(target_os = "linux"))]
pub fn most() -> usize {
    usize::MAX
}

/// The addresses of a thread's stack: `lowest` is the first usable one, `highest` the first above the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackBounds {
    pub lowest: usize,
    pub highest: usize,
}

/// The calling thread's stack. The main thread's can grow down to `lowest`, according to the resource limit at startup.
#[cfg(target_os = "linux")]
pub fn stack_bounds() -> Result<StackBounds> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut start, mut size, mut guard) = (std::ptr::null_mut(), 0, 0);
    // SAFETY: the first call initializes the attributes if it succeeds; the others read them, and write to locals.
    unsafe {
        match libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) {
            0 => {}
            errno => return Err(Errno(errno)),
        }
        libc::pthread_attr_getstack(attributes.as_ptr(), &mut start, &mut size);
        libc::pthread_attr_getguardsize(attributes.as_ptr(), &mut guard);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
    }
    // Whether the range that libc reports includes the guard page depends on its version: it is excluded in any case.
    Ok(StackBounds { lowest: start as usize + guard, highest: start as usize + size })
}

/// The system's number for a thread.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(pub i32);

/// The calling thread's number.
#[cfg(target_os = "linux")]
pub fn id() -> ThreadId {
    // SAFETY: no pointers are involved.
    ThreadId(unsafe { libc::gettid() })
}

/// Names the calling thread for debuggers and `ps`; the system keeps the first 15 bytes.
#[cfg(target_os = "linux")]
pub fn set_name(name: &[u8]) -> Result<()> {
    let mut short = [0; 16];
    let length = name.iter().position(|byte| *byte == 0).unwrap_or(name.len()).min(15);
    short[..length].copy_from_slice(&name[..length]);
    // SAFETY: the name is terminated.
    match unsafe { libc::pthread_setname_np(libc::pthread_self(), short.as_ptr().cast()) } {
        0 => Ok(()),
        errno => Err(Errno(errno)),
    }
}

thread_local! {
    static RUN: Cell<u64> = const { Cell::new(0) };
}

/// The calling native thread begins to run another thread of Ruby, as if it had just been started with this name.
pub fn begin_another(name: &str) {
    RUN.set(RUN.get() + 1);
    // Names are for debuggers only.
    let _ = set_name(name.as_bytes());
}

/// Which of the threads of Ruby that the calling native thread runs one after the other this is: what is kept for one
/// of them is not valid for the next.
pub fn run() -> u64 {
    RUN.get()
}

/// Lets other threads run.
pub fn yield_now() {
    std::thread::yield_now();
}

/// Makes [`interrupt`] possible: call it once, at the start.
pub fn enable_interrupts() -> Result<()> {
    signal::set_disposition(signal::VIRTUAL_ALARM, Disposition::Nothing).map(|_| ())
}

/// Makes a blocking call of that thread return `EINTR`. A call that is just about to block is not interrupted: repeat
/// this until the thread has reacted. `ESRCH` if the thread has ended.
#[cfg(target_os = "linux")]
pub fn interrupt(thread: ThreadId) -> Result<()> {
    let process = crate::process::id() as libc::c_long;
    let (thread, signal) = (thread.0 as libc::c_long, signal::VIRTUAL_ALARM as libc::c_long);
    // By number rather than pthread_t: the number of an ended thread is an error, not undefined behaviour. SAFETY: no
    // pointers are involved.
    check(unsafe { libc::syscall(libc::SYS_tgkill, process, thread, signal) }).map(|_| ())
}

/// A mutex that ignores panics of earlier owners: panics become exceptions, and the data stays in use.
#[derive(Default)]
pub struct Mutex<T>(sync::Mutex<T>);

/// Holds a [`Mutex`] until dropped.
pub type MutexGuard<'a, T> = sync::MutexGuard<'a, T>;

impl<T> Mutex<T> {
    pub const fn new(value: T) -> Mutex<T> {
        Mutex(sync::Mutex::new(value))
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        match self.0.try_lock() {
            Ok(guard) => Some(guard),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A condition variable for holders of a [`Mutex`]. Spurious wake-ups are possible: check the condition again.
#[derive(Default)]
pub struct Condvar(sync::Condvar);

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar(sync::Condvar::new())
    }

    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
        self.0.wait(guard).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until [`monotonic_nanoseconds`] reaches `deadline` at the latest; returns whether it has.
    pub fn wait_until<'a, T>(&self, guard: MutexGuard<'a, T>, deadline: u64) -> (MutexGuard<'a, T>, bool) {
        let left = deadline.saturating_sub(monotonic_nanoseconds());
        if left == 0 {
            return (guard, true);
        }
        let outcome = self.0.wait_timeout(guard, Duration::from_nanos(left));
        let (guard, _) = outcome.unwrap_or_else(PoisonError::into_inner);
        (guard, monotonic_nanoseconds() >= deadline)
    }

    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

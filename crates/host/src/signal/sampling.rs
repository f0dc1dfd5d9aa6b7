//! `SIGPROF` for a sampling profiler: a handler that receives the registers of the interrupted code, and timers that
//! send the signal to one thread together with a pointer for the handler.

use std::ffi::c_void;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

use super::Disposition;
use crate::errno::check;
use crate::thread::{Mutex, ThreadId};
use crate::{Errno, Result};

/// The signal that requests a sample from a thread.
pub const SAMPLE: i32 = libc::SIGPROF;

/// The number of registers of the interrupted code that the handler receives: the general ones, one of which may hold a
/// local variable, and the program counter as the last.
#[cfg(target_arch = "aarch64")]
pub const REGISTERS: usize = 32;
#[cfg(not(target_arch = "aarch64"))]
pub const REGISTERS: usize = 17;

/// Called in the handler with the pointer of the timer, whether the timer expired more than once before the signal
/// could be delivered, and the registers. It may only use atomics and async-signal-safe calls.
pub type Sampler = unsafe fn(target: *mut (), overran: bool, registers: &[u64; REGISTERS]);

static SAMPLER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// The previous disposition of the signal, which is restored later.
static BEFORE: Mutex<Disposition> = Mutex::new(Disposition::Default);

/// Installs the handler for the process. Signals from other processes are recorded as before. `EBUSY` if the signal is
/// ignored, or handled by foreign code.
///
/// # Safety
/// `sampler` may be called in the signal's handler with the target of every [`Timer`].
pub unsafe fn install(sampler: Sampler) -> Result<()> {
    if !is_installed() {
        let before = super::disposition(SAMPLE)?;
        if matches!(before, Disposition::Ignore | Disposition::Foreign) {
            return Err(Errno(libc::EBUSY));
        }
        *BEFORE.lock() = before;
    }
    SAMPLER.store(sampler as *mut (), Ordering::Release);
    // SAFETY: all zeros is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handle as extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
    // SAFETY: the first pointer is to a local, the other may be null; the handler has the signature for SA_SIGINFO.
    check(unsafe { libc::sigaction(SAMPLE, &action, ptr::null_mut()) }).map(|_| ())
}

/// Removes the handler. Signals of timers that were not delivered yet are dropped first, because the default action
/// ends the process.
pub fn uninstall() {
    if is_installed() {
        let _ = super::set_disposition(SAMPLE, Disposition::Ignore);
        let _ = super::set_disposition(SAMPLE, *BEFORE.lock());
    }
}

fn is_installed() -> bool {
    // SAFETY: all zeros is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the last pointer is to a local, the other may be null.
    let read = unsafe { libc::sigaction(SAMPLE, ptr::null(), &mut action) };
    read == 0 && action.sa_sigaction == handle as extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void) as usize
}

/// The layout of the system's `siginfo_t` for a signal of a timer.
#[repr(C)]
struct Expired {
    signal: i32,
    errno: i32,
    code: i32,
    padding: i32,
    timer: i32,
    overrun: i32,
    value: *mut (),
    rest: [u64; 12],
}

const _: () = assert!(size_of::<Expired>() == size_of::<libc::siginfo_t>());

/// A timer of the system that sends the signal to a thread of this process. A forked child does not have it.
///
/// The signal is sent to the thread that runs, by the processor that it runs on; while it was not delivered, the timer
/// does not expire again.
#[derive(Debug)]
pub struct Timer(i32);

#[cfg(target_os = "linux")]
impl Timer {
    /// A timer that does not run yet; the handler receives `target`.
    pub fn new(thread: ThreadId, target: *mut ()) -> Result<Timer> {
        // SAFETY: all zeros is a valid `sigevent`.
        let mut event: libc::sigevent = unsafe { mem::zeroed() };
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = SAMPLE;
        event.sigev_notify_thread_id = thread.0;
        event.sigev_value = libc::sigval { sival_ptr: target.cast() };
        let mut number = 0;
        let clock = libc::CLOCK_MONOTONIC as libc::c_long;
        // SAFETY: the pointers are to locals of the types that the system expects.
        check(unsafe { libc::syscall(libc::SYS_timer_create, clock, &raw const event, &raw mut number) })?;
        Ok(Timer(number))
    }

    /// The system's number, for [`Timer::from_number`].
    pub fn into_number(self) -> i32 {
        let number = self.0;
        mem::forget(self);
        number
    }

    /// The timer that [`Timer::into_number`] gave away.
    pub fn from_number(number: i32) -> Timer {
        Timer(number)
    }

    /// Makes a timer, by its number, expire at `first` by the monotonic clock and then at each interval, in
    /// nanoseconds. May be called in a signal handler.
    pub fn start(number: i32, first: u64, interval: u64) {
        Timer::set(number, libc::itimerspec { it_value: timespec(first), it_interval: timespec(interval) });
    }

    /// Stops a timer, by its number. May be called in a signal handler.
    pub fn stop(number: i32) {
        Timer::set(number, libc::itimerspec { it_value: timespec(0), it_interval: timespec(0) });
    }

    fn set(number: i32, setting: libc::itimerspec) {
        let (number, flags) = (number as libc::c_long, libc::TIMER_ABSTIME as libc::c_long);
        let before: *mut libc::itimerspec = ptr::null_mut();
        // SAFETY: the first pointer is to a local, the other may be null.
        unsafe { libc::syscall(libc::SYS_timer_settime, number, flags, &raw const setting, before) };
    }
}

#[cfg(target_os = "linux")]
impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: no pointers are involved.
        unsafe { libc::syscall(libc::SYS_timer_delete, self.0 as libc::c_long) };
    }
}

fn timespec(nanoseconds: u64) -> libc::timespec {
    const SECOND: u64 = 1_000_000_000;
    libc::timespec { tv_sec: (nanoseconds / SECOND) as i64, tv_nsec: (nanoseconds % SECOND) as i64 }
}

extern "C" fn handle(_: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the address of `errno` is always valid.
    let errno = unsafe { *crate::errno::location() };
    // SAFETY: the system passes valid pointers; the fields of `Expired` are valid for the code that is checked before
    // each is read.
    let (info, context) = unsafe { (&*info.cast::<Expired>(), &*context.cast::<libc::ucontext_t>()) };
    if info.code == libc::SI_TIMER {
        // SAFETY: `install` wrote a `Sampler` before it set this handler.
        let sampler = unsafe { mem::transmute::<*mut (), Sampler>(SAMPLER.load(Ordering::Acquire)) };
        // SAFETY: `install` took the function for the targets of all timers.
        unsafe { sampler(info.value, info.overrun > 0, &registers(context)) };
    } else {
        super::record(SAMPLE);
    }
    // SAFETY: the address of `errno` is always valid.
    unsafe { *crate::errno::location() = errno };
}

#[cfg(target_arch = "x86_64")]
fn registers(context: &libc::ucontext_t) -> [u64; REGISTERS] {
    // The system keeps `rip` behind the general registers.
    const _: () = assert!(libc::REG_RIP as usize == REGISTERS - 1);
    std::array::from_fn(|i| context.uc_mcontext.gregs[i] as u64)
}

#[cfg(target_arch = "aarch64")]
fn registers(context: &libc::ucontext_t) -> [u64; REGISTERS] {
    std::array::from_fn(|i| *context.uc_mcontext.regs.get(i).unwrap_or(&context.uc_mcontext.pc))
}

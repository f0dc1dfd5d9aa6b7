//! `SIGPROF` for a sampling profiler: a handler that receives the registers of the interrupted code, and a function
//! that sends the signal to one thread together with a pointer for the handler.

use std::ffi::c_void;
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

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

/// Called in the handler with the pointer that was sent, and the registers. It may only use atomics and
/// async-signal-safe calls.
pub type Sampler = unsafe fn(target: *mut (), registers: &[u64; REGISTERS]);

static SAMPLER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
/// The process that installed the handler.
static PROCESS: AtomicI32 = AtomicI32::new(0);

/// The previous disposition of the signal, which is restored later.
static BEFORE: Mutex<Disposition> = Mutex::new(Disposition::Default);

/// Installs the handler for the process. Signals from other processes are recorded as before. `EBUSY` if the signal is
/// ignored, or handled by foreign code.
///
/// # Safety
/// `sampler` may be called in the signal's handler with every target that [`send`] is given.
pub unsafe fn install(sampler: Sampler) -> Result<()> {
    if !is_installed() {
        let before = super::disposition(SAMPLE)?;
        if matches!(before, Disposition::Ignore | Disposition::Foreign) {
            return Err(Errno(libc::EBUSY));
        }
        *BEFORE.lock() = before;
    }
    SAMPLER.store(sampler as *mut (), Ordering::Release);
    PROCESS.store(crate::process::id(), Ordering::Release);
    // SAFETY: all zeros is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handle as extern "C" fn(i32, *mut libc::siginfo_t, *mut c_void) as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
    // SAFETY: the first pointer is to a local, the other may be null; the handler has the signature for SA_SIGINFO.
    check(unsafe { libc::sigaction(SAMPLE, &action, ptr::null_mut()) }).map(|_| ())
}

/// Removes the handler. Signals that were sent and not delivered yet are dropped first, because the default action ends
/// the process.
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

/// The layout of the system's `siginfo_t` for a signal that a process queues.
#[repr(C)]
struct Queued {
    signal: i32,
    errno: i32,
    code: i32,
    padding: i32,
    process: i32,
    user: u32,
    value: *mut (),
    rest: [u64; 12],
}

const _: () = assert!(size_of::<Queued>() == size_of::<libc::siginfo_t>());

/// Sends the signal to a thread of this process; the handler receives `target`. `ESRCH` if the thread has ended.
#[cfg(target_os = "linux")]
pub fn send(thread: ThreadId, target: *mut ()) -> Result<()> {
    let process = crate::process::id();
    // SAFETY: no pointers are involved.
    let user = unsafe { libc::getuid() };
    let (signal, code) = (SAMPLE, libc::SI_QUEUE);
    let info = Queued { signal, errno: 0, code, padding: 0, process, user, value: target, rest: [0; 12] };
    let (process, thread) = (process as libc::c_long, thread.0 as libc::c_long);
    // SAFETY: the pointer is to a local that has the layout and size of a `siginfo_t`.
    let sent =
        unsafe { libc::syscall(libc::SYS_rt_tgsigqueueinfo, process, thread, signal as libc::c_long, &raw const info) };
    check(sent).map(|_| ())
}

extern "C" fn handle(_: i32, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the address of `errno` is always valid.
    let errno = unsafe { *crate::errno::location() };
    // SAFETY: the system passes valid pointers; the fields of `Queued` are valid for the code that is checked before
    // each is read.
    let (info, context) = unsafe { (&*info.cast::<Queued>(), &*context.cast::<libc::ucontext_t>()) };
    // The sender is this process, so the pointer is valid.
    if info.code == libc::SI_QUEUE && info.process == PROCESS.load(Ordering::Acquire) {
        // SAFETY: `install` wrote a `Sampler` before it set this handler.
        let sampler = unsafe { mem::transmute::<*mut (), Sampler>(SAMPLER.load(Ordering::Acquire)) };
        // SAFETY: `install` took the function for all targets that are sent.
        unsafe { sampler(info.value, &registers(context)) };
    } else if info.code != libc::SI_QUEUE {
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

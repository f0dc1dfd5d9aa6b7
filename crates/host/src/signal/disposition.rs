//! The disposition of signals; dying by a signal; blocking signals.

use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::ptr;

use super::pending::{idle_handler, recording_handler};
use crate::Result;
use crate::errno::check;

/// The disposition of a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// The system's default, mostly ending the process.
    Default,
    Ignore,
    /// [`take_pending`](super::take_pending) returns it; blocking calls return `EINTR`.
    Record,
    /// Blocking calls return `EINTR`, without other effects. Unlike an ignored signal, it has its default disposition
    /// in programs that this process runs.
    Nothing,
    /// A handler from elsewhere. Cannot be set.
    Foreign,
}

/// Sets a signal's disposition and returns the previous one. `EINVAL` for invalid signals, and for those that cannot be
/// changed.
pub fn set_disposition(signal: i32, wanted: Disposition) -> Result<Disposition> {
    let handler = match wanted {
        Disposition::Default => libc::SIG_DFL,
        Disposition::Ignore => libc::SIG_IGN,
        Disposition::Record => recording_handler as extern "C" fn(i32) as usize,
        Disposition::Nothing => idle_handler as extern "C" fn(i32) as usize,
        Disposition::Foreign => return Err(crate::Errno(libc::EINVAL)),
    };
    // SAFETY: all zeros is a valid `sigaction`: no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handler;
    // Not SA_RESTART: a blocking call must return for traps to run.
    action.sa_flags = libc::SA_ONSTACK;
    // SAFETY: `sigaction` is a C structure for which all zeros are valid.
    let mut old: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the pointers are to locals, and both handlers are safe in any state.
    check(unsafe { libc::sigaction(signal, &action, &mut old) })?;
    Ok(action_disposition(&old))
}

/// The present disposition of a signal.
pub fn disposition(signal: i32) -> Result<Disposition> {
    // SAFETY: all zeros is a valid `sigaction`.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the last pointer is to a local, the other may be null.
    check(unsafe { libc::sigaction(signal, ptr::null(), &mut action) })?;
    Ok(action_disposition(&action))
}

fn action_disposition(action: &libc::sigaction) -> Disposition {
    match action.sa_sigaction {
        libc::SIG_DFL => Disposition::Default,
        libc::SIG_IGN => Disposition::Ignore,
        handler if handler == recording_handler as extern "C" fn(i32) as usize => Disposition::Record,
        handler if handler == idle_handler as extern "C" fn(i32) as usize => Disposition::Nothing,
        _ => Disposition::Foreign,
    }
}

/// Resets every signal that has a handler to its default action, as exec does; to be called just before that.
pub(crate) fn reset_handlers() {
    for signal in 1..super::COUNT {
        if disposition(signal).is_ok_and(|now| !matches!(now, Disposition::Default | Disposition::Ignore)) {
            let _ = set_disposition(signal, Disposition::Default);
        }
    }
}

/// Ends the process by a signal's default action, so that its parent sees the signal. If the default action does not
/// end the process, exits with the status that a shell uses: 128 plus the number.
pub fn die_by(signal: i32) -> ! {
    let _ = set_disposition(signal, Disposition::Default);
    let mut set = empty_set();
    // SAFETY: the pointers are to a local set or null; the set is initialized.
    unsafe {
        libc::sigaddset(&mut set, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, ptr::null_mut());
        libc::raise(signal);
    }
    crate::process::exit_immediately(128 + signal)
}

/// Sends a signal to the calling thread.
pub fn raise(signal: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    match unsafe { libc::raise(signal) } {
        0 => Ok(()),
        _ => Err(crate::Errno::last()),
    }
}

/// Blocks the thread's signals until it is dropped. It must stay in its thread.
pub struct Blocked {
    before: libc::sigset_t,
    in_thread: PhantomData<*const ()>,
}

impl Blocked {
    /// The signals that were blocked before.
    pub(crate) fn before(&self) -> &libc::sigset_t {
        &self.before
    }
}

/// Blocks all signals of this thread except faults.
pub fn block_all() -> Blocked {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the call initializes the set.
    let mut set = unsafe {
        libc::sigfillset(set.as_mut_ptr());
        set.assume_init()
    };
    for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP, libc::SIGABRT] {
        // SAFETY: the set is initialized.
        unsafe { libc::sigdelset(&mut set, fault) };
    }
    block(&set)
}

fn block(set: &libc::sigset_t) -> Blocked {
    let mut before = empty_set();
    // SAFETY: the pointers are to initialized sets.
    unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, set, &mut before) };
    Blocked { before, in_thread: PhantomData }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: the first pointer is to an initialized set, the second may be null.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }
}

fn empty_set() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: the call initializes the set.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        set.assume_init()
    }
}

//! Forking, and ending a process.

use super::command::{Failure, Prepared};
use crate::errno::check;
use crate::{Result, memory, signal};

/// The process that returns from a fork.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fork {
    Parent { child: i32 },
    Child,
}

/// Creates a copy of this process with only the calling thread. Signals are blocked meanwhile, so that the child does
/// not receive signals that were meant for its parent; the child gets its own wake-up descriptor for signals.
///
/// # Safety
/// The child must not wait for locks that other threads may hold now: the caller holds every lock that the child will
/// need, or the child makes only async-signal-safe calls.
pub unsafe fn fork() -> Result<Fork> {
    let blocked = signal::block_all();
    // SAFETY: this function's contract is that of the call.
    let outcome = check(unsafe { libc::fork() });
    if outcome == Ok(0) {
        signal::after_fork_in_child();
    }
    drop(blocked);
    Ok(match outcome? {
        0 => Fork::Child,
        child => Fork::Parent { child },
    })
}

/// The data of a child that shares this process's memory, and the place for its failure.
struct Start<'a> {
    command: &'a mut Prepared,
    mask: libc::sigset_t,
    failure: Option<Failure>,
}

/// The stack of a child that shares this process's memory until it runs its program.
const CHILD_STACK_SIZE: usize = 256 * 1024;

/// Runs a command in a child. The child shares this process's memory, and the calling thread waits until exec. Unlike a
/// fork, the cost does not grow with the heap, and a failure needs no pipe.
#[cfg(target_os = "linux")]
pub(super) fn run_in_child(command: &mut Prepared) -> Result<i32, Failure> {
    let stack = memory::map(CHILD_STACK_SIZE, memory::page_size())?;
    let blocked = signal::block_all();
    let mut start = Start { command, mask: *blocked.before(), failure: None };
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    // SAFETY: the child has its own stack, and this thread does not continue while the child uses `start`. Signals are
    // blocked, so that no handler of this process runs in the child.
    let outcome = check(unsafe {
        let top = stack.add(CHILD_STACK_SIZE).as_ptr();
        libc::clone(run_command, top.cast(), flags, (&raw mut start).cast())
    });
    drop(blocked);
    // SAFETY: the child runs another program or has ended.
    let unmapped = unsafe { memory::unmap(stack, CHILD_STACK_SIZE) };
    let child = outcome?;
    match start.failure {
        None => {
            unmapped?;
            Ok(child)
        }
        Some(failure) => {
            // No other code knows of this child.
            while super::wait(child, 0) == Err(crate::Errno(libc::EINTR)) {}
            Err(failure)
        }
    }
}

/// The part of [`run_in_child`] that runs in the child.
extern "C" fn run_command(start: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `run_in_child` passes a `Start` that nothing else uses meanwhile.
    let start = unsafe { &mut *start.cast::<Start<'_>>() };
    signal::reset_handlers();
    // SAFETY: the mask is initialized; the other pointer may be null.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &start.mask, std::ptr::null_mut()) };
    start.failure = Some(start.command.run());
    exit_immediately(127)
}

/// Ends the process at once: nothing is flushed and no exit handlers run.
pub fn exit_immediately(code: i32) -> ! {
    // SAFETY: always allowed.
    unsafe { libc::_exit(code) }
}

/// Ends the process by `SIGABRT`.
pub fn abort() -> ! {
    std::process::abort()
}

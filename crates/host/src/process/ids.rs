//! Process, group, session, user and group ids.

use std::sync::{
    Once,
    atomic::{AtomicBool, AtomicI32, Ordering},
};

use crate::errno::check;
use crate::fs::Identity;
use crate::{Errno, Result};

/// This process's id once it was asked for; 0 before, and in a new child.
static OWN_ID: AtomicI32 = AtomicI32::new(0);

/// The id of this process. The system is asked once: the C library keeps no copy.
pub fn id() -> i32 {
    match OWN_ID.load(Ordering::Relaxed) {
        0 => first_id(),
        id => id,
    }
}

#[cold]
fn first_id() -> i32 {
    static FORGET_IN_CHILDREN: Once = Once::new();
    FORGET_IN_CHILDREN.call_once(|| {
        // SAFETY: the handler only writes to an atomic. Without memory for it, each call asks the system.
        let failed = unsafe { libc::pthread_atfork(None, None, Some(forget_id)) } != 0;
        KEEPS_ID.store(!failed, Ordering::Relaxed);
    });
    // SAFETY: no pointers are involved.
    let id = unsafe { libc::getpid() };
    if KEEPS_ID.load(Ordering::Relaxed) {
        OWN_ID.store(id, Ordering::Relaxed);
    }
    id
}

/// Whether children forget the id of their parent, also those of C code that forks.
static KEEPS_ID: AtomicBool = AtomicBool::new(false);

extern "C" fn forget_id() {
    OWN_ID.store(0, Ordering::Relaxed);
}

pub fn parent_id() -> i32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::getppid() }
}

/// The process group of a process (0 is this one).
pub fn group_of(pid: i32) -> Result<i32> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::getpgid(pid) })
}

/// Moves a process (0 is this one) into a process group (0 creates one with the process's id).
pub fn set_group_of(pid: i32, group: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setpgid(pid, group) }).map(|_| ())
}

/// The session of a process (0 is this one).
pub fn session_of(pid: i32) -> Result<i32> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::getsid(pid) })
}

/// Makes this process the leader of a new session, without a terminal.
pub fn new_session() -> Result<i32> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setsid() })
}

/// Sends a signal (0 only checks for permission) to a process, to a group (0 is this process's, −n the group n) or to
/// all (−1).
pub fn kill(pid: i32, signal: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::kill(pid, signal) }).map(|_| ())
}

/// Sends a signal to a process group.
pub fn kill_group(group: i32, signal: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::killpg(group, signal) }).map(|_| ())
}

pub fn real_user() -> u32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::getuid() }
}

pub fn effective_user() -> u32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::geteuid() }
}

pub fn real_group() -> u32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::getgid() }
}

pub fn effective_group() -> u32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::getegid() }
}

/// The user's real, effective and saved ids. All functions that change ids use libc's calls, because the kernel's own
/// calls change only one thread.
pub fn users() -> Result<(u32, u32, u32)> {
    let (mut real, mut effective, mut saved) = (0, 0, 0);
    // SAFETY: the pointers are to locals.
    check(unsafe { libc::getresuid(&mut real, &mut effective, &mut saved) })?;
    Ok((real, effective, saved))
}

/// `setuid(2)`: the effective id, or all three for the superuser.
pub fn set_user(id: u32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setuid(id) }).map(|_| ())
}

/// `setgid(2)`: the effective id, or all three for the superuser.
pub fn set_group(id: u32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setgid(id) }).map(|_| ())
}

/// Sets those of the real, effective and saved user id that are given.
pub fn set_users(real: Option<u32>, effective: Option<u32>, saved: Option<u32>) -> Result<()> {
    let [real, effective, saved] = [real, effective, saved].map(|id| id.unwrap_or(u32::MAX));
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setresuid(real, effective, saved) }).map(|_| ())
}

/// Sets those of the real, effective and saved group id that are given.
pub fn set_groups_of_process(real: Option<u32>, effective: Option<u32>, saved: Option<u32>) -> Result<()> {
    let [real, effective, saved] = [real, effective, saved].map(|id| id.unwrap_or(u32::MAX));
    // SAFETY: no pointers are involved.
    check(unsafe { libc::setresgid(real, effective, saved) }).map(|_| ())
}

/// The supplementary groups.
pub fn supplementary_groups() -> Result<Vec<u32>> {
    loop {
        // SAFETY: with a size of 0 the pointer is not used.
        let count = check(unsafe { libc::getgroups(0, std::ptr::null_mut()) })?;
        let mut groups = memory::filled(0, count as usize);
        // SAFETY: the vector has the stated length.
        match check(unsafe { libc::getgroups(count, groups.as_mut_ptr()) }) {
            // The number has grown in the meantime.
            Err(Errno(libc::EINVAL)) => {}
            Err(errno) => return Err(errno),
            Ok(count) => {
                groups.truncate(count as usize);
                return Ok(groups);
            }
        }
    }
}

pub fn set_supplementary_groups(groups: &[u32]) -> Result<()> {
    // SAFETY: the slice has the stated length.
    check(unsafe { libc::setgroups(groups.len(), groups.as_ptr()) }).map(|_| ())
}

/// Sets the supplementary groups to those of a user and one more.
pub fn init_groups(user: &[u8], group: u32) -> Result<()> {
    crate::c_string::with_c_string(user, |user| {
        // SAFETY: the name is terminated.
        check(unsafe { libc::initgroups(user.as_ptr(), group as _) }).map(|_| ())
    })
}

/// Whether a group is the process's own or one of its supplementary groups.
pub fn is_in_group(group: u32, identity: Identity) -> bool {
    let own = match identity {
        Identity::Effective => effective_group(),
        Identity::Real => real_group(),
    };
    own == group || supplementary_groups().is_ok_and(|groups| groups.contains(&group))
}

//! The databases of users and groups.

use memory::Grow;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::sync::Mutex;

use crate::c_string::{bytes_at, with_c_string};
use crate::{Errno, Result};

/// An entry of the user database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct User {
    pub name: Vec<u8>,
    pub password: Vec<u8>,
    pub id: u32,
    pub group: u32,
    /// Full name and the like.
    pub gecos: Vec<u8>,
    pub home: Vec<u8>,
    pub shell: Vec<u8>,
}

/// An entry of the group database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    pub name: Vec<u8>,
    pub password: Vec<u8>,
    pub id: u32,
    pub members: Vec<Vec<u8>>,
}

impl User {
    /// # Safety
    /// The entry must be one that libc just filled.
    unsafe fn from_system(entry: &libc::passwd) -> User {
        // SAFETY: the entry's strings are terminated.
        unsafe {
            User {
                name: bytes_at(entry.pw_name),
                password: bytes_at(entry.pw_passwd),
                id: entry.pw_uid,
                group: entry.pw_gid,
                gecos: bytes_at(entry.pw_gecos),
                home: bytes_at(entry.pw_dir),
                shell: bytes_at(entry.pw_shell),
            }
        }
    }
}

impl Group {
    /// # Safety
    /// The entry must be one that libc just filled.
    unsafe fn from_system(entry: &libc::group) -> Group {
        let mut members = Vec::new();
        let mut next = entry.gr_mem;
        // SAFETY: the entry's strings are terminated, and its list ends with a null pointer.
        unsafe {
            while !next.is_null() && !(*next).is_null() {
                members.push(bytes_at(*next));
                next = next.add(1);
            }
            Group { name: bytes_at(entry.gr_name), password: bytes_at(entry.gr_passwd), id: entry.gr_gid, members }
        }
    }
}

/// Calls one of libc's `…_r` functions with a buffer that grows as needed. `Ok(None)` is "no such entry".
fn look_up<E, T>(
    call: impl Fn(*mut E, *mut c_char, usize, *mut *mut E) -> i32,
    convert: impl Fn(&E) -> T,
) -> Result<Option<T>> {
    let mut buffer: Vec<c_char> = vec![0; 1024];
    loop {
        let mut entry = MaybeUninit::<E>::uninit();
        let mut found = std::ptr::null_mut();
        match call(entry.as_mut_ptr(), buffer.as_mut_ptr(), buffer.len(), &mut found) {
            0 if found.is_null() => return Ok(None),
            // SAFETY: the entry was found, so `found` points to it; it lives as long as the buffer.
            0 => return Ok(Some(convert(unsafe { &*found }))),
            libc::ERANGE if buffer.len() < 1 << 24 => buffer.set_length(buffer.len() * 4, 0),
            libc::EINTR => {}
            // These are several ways to report that there is none.
            libc::ENOENT | libc::ESRCH | libc::EBADF | libc::EPERM => return Ok(None),
            errno => return Err(Errno(errno)),
        }
    }
}

pub fn user_by_name(name: &[u8]) -> Result<Option<User>> {
    with_c_string(name, |name| {
        look_up(
            // SAFETY: the name is terminated, the other pointers are `look_up`'s.
            |entry, buffer, size, found| unsafe { libc::getpwnam_r(name.as_ptr(), entry, buffer, size, found) },
            // SAFETY: just filled.
            |entry| unsafe { User::from_system(entry) },
        )
    })
}

pub fn user_by_id(id: u32) -> Result<Option<User>> {
    look_up(
        // SAFETY: the pointers are `look_up`'s.
        |entry, buffer, size, found| unsafe { libc::getpwuid_r(id, entry, buffer, size, found) },
        // SAFETY: just filled.
        |entry| unsafe { User::from_system(entry) },
    )
}

pub fn group_by_name(name: &[u8]) -> Result<Option<Group>> {
    with_c_string(name, |name| {
        look_up(
            // SAFETY: the name is terminated, the other pointers are `look_up`'s.
            |entry, buffer, size, found| unsafe { libc::getgrnam_r(name.as_ptr(), entry, buffer, size, found) },
            // SAFETY: just filled.
            |entry| unsafe { Group::from_system(entry) },
        )
    })
}

pub fn group_by_id(id: u32) -> Result<Option<Group>> {
    look_up(
        // SAFETY: the pointers are `look_up`'s.
        |entry, buffer, size, found| unsafe { libc::getgrgid_r(id, entry, buffer, size, found) },
        // SAFETY: just filled.
        |entry| unsafe { Group::from_system(entry) },
    )
}

/// libc iterates its databases with one position for the whole process, and has one buffer for names.
static WALK: Mutex<()> = Mutex::new(());

/// All users, in the database's order.
pub fn users() -> Vec<User> {
    let _guard = WALK.lock();
    let mut users = Vec::new();
    // SAFETY: the lock excludes other iterations; an entry is copied before the next call.
    unsafe {
        libc::setpwent();
        while let Some(entry) = libc::getpwent().as_ref() {
            users.push(User::from_system(entry));
        }
        libc::endpwent();
    }
    users
}

/// All groups, in the database's order.
pub fn groups() -> Vec<Group> {
    let _guard = WALK.lock();
    let mut groups = Vec::new();
    // SAFETY: the lock excludes other iterations; an entry is copied before the next call.
    unsafe {
        libc::setgrent();
        while let Some(entry) = libc::getgrent().as_ref() {
            groups.push(Group::from_system(entry));
        }
        libc::endgrent();
    }
    groups
}

/// The user who logged in at this process's terminal.
pub fn login_name() -> Option<Vec<u8>> {
    let _guard = WALK.lock();
    // SAFETY: the result is null or terminated, and the lock prevents other uses of libc's static buffer while it is
    // copied.
    let name = unsafe { bytes_at(libc::getlogin()) };
    (!name.is_empty()).then_some(name)
}

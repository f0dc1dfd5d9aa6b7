//! Socket options, as the bytes that the system reads and writes.

use std::mem::size_of;

use crate::errno::check;
use crate::{Errno, Fd, Result};

/// An option's value, of up to `capacity` bytes.
pub fn option(fd: Fd, level: i32, name: i32, capacity: usize) -> Result<Vec<u8>> {
    let mut value = memory::zeros(capacity);
    let mut length = capacity as libc::socklen_t;
    // SAFETY: the vector has the stated length.
    check(unsafe { libc::getsockopt(fd.0, level, name, value.as_mut_ptr().cast(), &mut length) })?;
    value.truncate(length as usize);
    Ok(value)
}

pub fn set_option(fd: Fd, level: i32, name: i32, value: &[u8]) -> Result<()> {
    let length = value.len() as libc::socklen_t;
    // SAFETY: the value has the stated length.
    check(unsafe { libc::setsockopt(fd.0, level, name, value.as_ptr().cast(), length) }).map(|_| ())
}

/// An option whose value is an integer.
pub fn integer_option(fd: Fd, level: i32, name: i32) -> Result<i32> {
    let value = option(fd, level, name, size_of::<i32>())?;
    value.try_into().map(i32::from_ne_bytes).map_err(|_| Errno(libc::EINVAL))
}

pub fn set_integer_option(fd: Fd, level: i32, name: i32, value: i32) -> Result<()> {
    set_option(fd, level, name, &value.to_ne_bytes())
}

/// The type of a socket (for example `SOCK_STREAM`); `ENOTSOCK` for other descriptors.
pub fn kind(fd: Fd) -> Result<i32> {
    integer_option(fd, libc::SOL_SOCKET, libc::SO_TYPE)
}

/// The peer of a UNIX socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PeerCredentials {
    pub process: i32,
    pub user: u32,
    pub group: u32,
}

#[cfg(target_os = "linux")]
pub fn peer_credentials(fd: Fd) -> Result<PeerCredentials> {
    let mut found = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the pointer is to a local with the stated length.
    let outcome =
        unsafe { libc::getsockopt(fd.0, libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut found).cast(), &mut length) };
    check(outcome)?;
    Ok(PeerCredentials { process: found.pid, user: found.uid, group: found.gid })
}

//! Creating, binding, listening, accepting, connecting sockets. All descriptors are closed on exec and non-blocking:
//! callers wait explicitly, so that a thread does not block if another one took the connection.

use memory::ToVector;
use std::mem::size_of;

use crate::errno::check;
use crate::{Errno, Fd, Result};

/// The size of the longest address: that of UNIX sockets.
const ADDRESS_SIZE: usize = size_of::<libc::sockaddr_storage>();

/// A buffer into which the system writes an address.
pub(super) struct AddressBuffer {
    pub(super) bytes: [u8; ADDRESS_SIZE],
    pub(super) length: libc::socklen_t,
}

impl AddressBuffer {
    pub(super) fn new() -> AddressBuffer {
        AddressBuffer { bytes: [0; ADDRESS_SIZE], length: ADDRESS_SIZE as libc::socklen_t }
    }

    pub(super) fn pointer(&mut self) -> *mut libc::sockaddr {
        self.bytes.as_mut_ptr().cast()
    }

    /// The bytes written by the system; empty if it wrote no address.
    pub(super) fn into_address(self) -> Vec<u8> {
        self.bytes[..(self.length as usize).min(ADDRESS_SIZE)].to_vector()
    }
}

/// The flags of all sockets.
const FLAGS: i32 = libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;

pub fn socket(family: i32, kind: i32, protocol: i32) -> Result<Fd> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::socket(family, kind | FLAGS, protocol) }).map(Fd)
}

/// Two connected sockets.
pub fn socket_pair(family: i32, kind: i32, protocol: i32) -> Result<(Fd, Fd)> {
    let mut ends = [0; 2];
    // SAFETY: the pointer is to two integers.
    check(unsafe { libc::socketpair(family, kind | FLAGS, protocol, ends.as_mut_ptr()) })?;
    Ok((Fd(ends[0]), Fd(ends[1])))
}

pub fn bind(fd: Fd, address: &[u8]) -> Result<()> {
    // SAFETY: the address is as long as stated; the system checks its contents.
    check(unsafe { libc::bind(fd.0, address.as_ptr().cast(), address.len() as libc::socklen_t) }).map(|_| ())
}

pub fn listen(fd: Fd, backlog: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::listen(fd.0, backlog) }).map(|_| ())
}

/// Accepts the next connection; returns it with the peer's address.
pub fn accept(fd: Fd) -> Result<(Fd, Vec<u8>)> {
    let mut buffer = AddressBuffer::new();
    let pointer = buffer.pointer();
    // SAFETY: the buffer has the stated length.
    let connection = check(unsafe { libc::accept4(fd.0, pointer, &mut buffer.length, FLAGS) })?;
    Ok((Fd(connection), buffer.into_address()))
}

/// Connects, or starts connecting. After `EINPROGRESS` or `EINTR` the system continues: wait until the socket is
/// writable, then call [`connect_outcome`].
pub fn connect(fd: Fd, address: &[u8]) -> Result<()> {
    // SAFETY: the address is as long as stated; the system checks its contents.
    check(unsafe { libc::connect(fd.0, address.as_ptr().cast(), address.len() as libc::socklen_t) }).map(|_| ())
}

/// The outcome of an asynchronous connect; a failure is reported once.
pub fn connect_outcome(fd: Fd) -> Result<()> {
    match super::option::integer_option(fd, libc::SOL_SOCKET, libc::SO_ERROR)? {
        0 => Ok(()),
        errno => Err(Errno(errno)),
    }
}

/// Ends receiving (`SHUT_RD`), sending (`SHUT_WR`) or both (`SHUT_RDWR`).
pub fn shutdown(fd: Fd, how: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::shutdown(fd.0, how) }).map(|_| ())
}

/// The address of this end.
pub fn local_address(fd: Fd) -> Result<Vec<u8>> {
    let mut buffer = AddressBuffer::new();
    let pointer = buffer.pointer();
    // SAFETY: the buffer has the stated length.
    check(unsafe { libc::getsockname(fd.0, pointer, &mut buffer.length) })?;
    Ok(buffer.into_address())
}

/// The address of the other end.
pub fn peer_address(fd: Fd) -> Result<Vec<u8>> {
    let mut buffer = AddressBuffer::new();
    let pointer = buffer.pointer();
    // SAFETY: the buffer has the stated length.
    check(unsafe { libc::getpeername(fd.0, pointer, &mut buffer.length) })?;
    Ok(buffer.into_address())
}

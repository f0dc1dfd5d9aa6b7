//! Sending and receiving. Broken connections are errors (`EPIPE`), never signals; an operation that would block fails
//! with `EAGAIN`.

use memory::ToVector;
use std::mem::{self, MaybeUninit, size_of};
use std::ptr;

use super::connection::AddressBuffer;
use crate::errno::{Errno, check};
use crate::{Fd, Result};

const SENDING: i32 = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;

/// Sends as many bytes as possible without blocking, and returns their number. `EAGAIN` if it is none.
pub fn send(fd: Fd, bytes: &[u8], flags: i32) -> Result<usize> {
    // SAFETY: the bytes have the stated length.
    let count = check(unsafe { libc::send(fd.0, bytes.as_ptr().cast(), bytes.len(), flags | SENDING) })?;
    Ok(count as usize)
}

/// Like [`send`], to an address.
pub fn send_to(fd: Fd, bytes: &[u8], flags: i32, address: &[u8]) -> Result<usize> {
    let length = address.len() as libc::socklen_t;
    // SAFETY: the bytes and the address have the stated lengths.
    let count = check(unsafe {
        let flags = flags | SENDING;
        libc::sendto(fd.0, bytes.as_ptr().cast(), bytes.len(), flags, address.as_ptr().cast(), length)
    })?;
    Ok(count as usize)
}

/// Receives the available bytes, or one datagram; 0 is the end of a stream. The returned number of bytes are
/// initialized.
pub fn receive(fd: Fd, buffer: &mut [MaybeUninit<u8>], flags: i32) -> Result<usize> {
    // SAFETY: the buffer has the stated length.
    let count =
        check(unsafe { libc::recv(fd.0, buffer.as_mut_ptr().cast(), buffer.len(), flags | libc::MSG_DONTWAIT) })?;
    Ok((count as usize).min(buffer.len()))
}

/// Like [`receive`], with the sender's address: empty for a connected socket.
pub fn receive_from(fd: Fd, buffer: &mut [MaybeUninit<u8>], flags: i32) -> Result<(usize, Vec<u8>)> {
    let mut address = AddressBuffer::new();
    let pointer = address.pointer();
    // SAFETY: the buffer and the address have the stated lengths.
    let count = check(unsafe {
        libc::recvfrom(
            fd.0,
            buffer.as_mut_ptr().cast(),
            buffer.len(),
            flags | libc::MSG_DONTWAIT,
            pointer,
            &mut address.length,
        )
    })?;
    Ok(((count as usize).min(buffer.len()), address.into_address()))
}

/// Like [`receive_message`], with up to this many bytes in a new vector.
pub fn receive_message_bytes(
    fd: Fd,
    length: usize,
    flags: i32,
    control_capacity: usize,
) -> Result<(Vec<u8>, Received)> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| Errno(libc::ENOMEM))?;
    let received = receive_message(fd, &mut bytes.spare_capacity_mut()[..length], flags, control_capacity)?;
    // SAFETY: this many bytes were initialized, within the capacity.
    unsafe { bytes.set_len(received.length) };
    Ok((bytes, received))
}

/// Like [`receive_from`], with up to this many bytes in a new vector.
pub fn receive_bytes(fd: Fd, length: usize, flags: i32) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| Errno(libc::ENOMEM))?;
    let (count, address) = receive_from(fd, &mut bytes.spare_capacity_mut()[..length], flags)?;
    // SAFETY: this many bytes were initialized, within the capacity.
    unsafe { bytes.set_len(count) };
    Ok((bytes, address))
}

/// A control message: descriptors (`SOL_SOCKET`, `SCM_RIGHTS`), credentials, times of arrival.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    pub level: i32,
    pub kind: i32,
    pub data: Vec<u8>,
}

impl Control {
    /// A message that transfers descriptors.
    pub fn of_descriptors(fds: &[Fd]) -> Control {
        let data = fds.iter().flat_map(|fd| fd.0.to_ne_bytes()).collect();
        Control { level: libc::SOL_SOCKET, kind: libc::SCM_RIGHTS, data }
    }

    /// The transferred descriptors, which the receiver owns now; none for messages of other kinds.
    pub fn descriptors(&self) -> Vec<Fd> {
        if (self.level, self.kind) != (libc::SOL_SOCKET, libc::SCM_RIGHTS) {
            return Vec::new();
        }
        let numbers = self.data.chunks_exact(size_of::<i32>());
        numbers.filter_map(|number| number.try_into().ok()).map(|number| Fd(i32::from_ne_bytes(number))).collect()
    }
}

/// Like [`send`], with an address (or none) and control messages. It does not block, even if the socket would.
pub fn send_message(fd: Fd, bytes: &[u8], flags: i32, address: Option<&[u8]>, controls: &[Control]) -> Result<usize> {
    let mut vector = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let mut message = empty_message(&mut vector);
    if let Some(address) = address {
        message.msg_name = address.as_ptr().cast_mut().cast();
        message.msg_namelen = address.len() as libc::socklen_t;
    }
    let mut packed = pack_controls(controls);
    if !packed.is_empty() {
        message.msg_control = packed.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&packed[..]) as _;
    }
    // SAFETY: the message's pointers refer to objects of the stated lengths; the system only reads them.
    let count = check(unsafe { libc::sendmsg(fd.0, &message, flags | SENDING) })?;
    Ok(count as usize)
}

/// The results of [`receive_message`] besides the bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Received {
    /// How many bytes of the buffer are initialized.
    pub length: usize,
    pub address: Vec<u8>,
    /// `MSG_TRUNC` and the like.
    pub flags: i32,
    pub controls: Vec<Control>,
}

/// Like [`receive`], with the sender's address and up to `control_capacity` bytes of control messages. Transferred
/// descriptors are closed on exec.
pub fn receive_message(
    fd: Fd,
    buffer: &mut [MaybeUninit<u8>],
    flags: i32,
    control_capacity: usize,
) -> Result<Received> {
    let mut vector = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let mut message = empty_message(&mut vector);
    let mut address = AddressBuffer::new();
    message.msg_name = address.pointer().cast();
    message.msg_namelen = address.length;
    // Words, so that the headers in it are aligned.
    let mut control = memory::filled(0_u64, control_capacity.div_ceil(size_of::<u64>()));
    if control_capacity > 0 {
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(&control[..]) as _;
    }
    // SAFETY: the message's pointers refer to objects of the stated lengths, which this function owns or borrows.
    let count =
        check(unsafe { libc::recvmsg(fd.0, &mut message, flags | libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT) })?;
    address.length = message.msg_namelen;
    // SAFETY: the system filled the control buffer, which still lives.
    let controls = unsafe { unpack_controls(&message) };
    Ok(Received {
        length: (count as usize).min(buffer.len()),
        address: address.into_address(),
        flags: message.msg_flags,
        controls,
    })
}

fn empty_message(vector: &mut libc::iovec) -> libc::msghdr {
    // SAFETY: all zeros is a valid message: no address, no data, no control messages.
    let mut message: libc::msghdr = unsafe { mem::zeroed() };
    message.msg_iov = vector;
    message.msg_iovlen = 1;
    message
}

/// The messages as the system reads them, in words, so that the headers are aligned.
fn pack_controls(controls: &[Control]) -> Vec<u64> {
    // SAFETY: arithmetic.
    let space = |control: &Control| unsafe { libc::CMSG_SPACE(control.data.len() as u32) } as usize;
    let mut packed = memory::filled(0_u64, controls.iter().map(space).sum::<usize>().div_ceil(size_of::<u64>()));
    let start = packed.as_mut_ptr().cast::<u8>();
    let mut offset = 0;
    for control in controls {
        // SAFETY: the vector has room for the header, data and padding of all messages in sequence; each begins at a
        // multiple of the header's alignment.
        unsafe {
            let header = start.add(offset).cast::<libc::cmsghdr>();
            (*header).cmsg_level = control.level;
            (*header).cmsg_type = control.kind;
            (*header).cmsg_len = libc::CMSG_LEN(control.data.len() as u32) as _;
            ptr::copy_nonoverlapping(control.data.as_ptr(), libc::CMSG_DATA(header), control.data.len());
        }
        offset += space(control);
    }
    packed
}

/// # Safety
/// The message's control buffer must be one that the system filled, or there must be none.
unsafe fn unpack_controls(message: &libc::msghdr) -> Vec<Control> {
    let mut controls = Vec::new();
    // SAFETY: libc's macros walk the headers within the buffer; a header's data follows it.
    unsafe {
        let mut header = libc::CMSG_FIRSTHDR(message);
        while !header.is_null() {
            let length = ((*header).cmsg_len as usize).saturating_sub(libc::CMSG_LEN(0) as usize);
            let data = std::slice::from_raw_parts(libc::CMSG_DATA(header), length).to_vector();
            controls.push(Control { level: (*header).cmsg_level, kind: (*header).cmsg_type, data });
            header = libc::CMSG_NXTHDR(message, header);
        }
    }
    controls
}

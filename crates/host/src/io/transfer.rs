//! Reading and writing several buffers in one call; device control.

use std::io::{IoSlice, IoSliceMut};

use crate::errno::check;
use crate::{Fd, Result};

/// The maximum number of buffers per call; the rest waits for the next call.
const MOST_BUFFERS: usize = 1024;

/// Reads the available bytes into the buffers in order; 0 is the end.
pub fn read_vectored(fd: Fd, buffers: &mut [IoSliceMut<'_>]) -> Result<usize> {
    let count = buffers.len().min(MOST_BUFFERS) as i32;
    // SAFETY: std guarantees the slices' layout, and they are valid for their lengths.
    check(unsafe { libc::readv(fd.0, buffers.as_mut_ptr().cast(), count) }).map(|count| count as usize)
}

/// Writes what can be written now, and returns the number of bytes.
pub fn write_vectored(fd: Fd, buffers: &[IoSlice<'_>]) -> Result<usize> {
    let count = buffers.len().min(MOST_BUFFERS) as i32;
    // SAFETY: std guarantees the slices' layout, and they are valid for their lengths.
    check(unsafe { libc::writev(fd.0, buffers.as_ptr().cast(), count) }).map(|count| count as usize)
}

/// The number of bytes that can be read without blocking (`IO#nread`).
pub fn bytes_waiting(fd: Fd) -> Result<usize> {
    let mut count = 0_i32;
    // SAFETY: the request writes an integer.
    check(unsafe { libc::ioctl(fd.0, libc::FIONREAD, &mut count) })?;
    Ok(count.max(0) as usize)
}

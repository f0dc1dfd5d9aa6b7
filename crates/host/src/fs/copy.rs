//! Copying between descriptors inside the kernel. Each call copies what it can and returns the number of bytes; 0 means
//! the end of the source. The supported kinds of files depend on the kernel: `EINVAL`, `ENOSYS`, `EXDEV`, `EOPNOTSUPP`
//! and `EBADF` on append-mode targets mean "copy with [`read`](super::read) and [`write`](super::write) instead".

use crate::errno::check;
use crate::{Fd, Result};

/// Copies between two files. An offset of `None` uses and moves the descriptor's position.
#[cfg(target_os = "linux")]
pub fn copy_file_range(
    from: Fd,
    from_offset: Option<i64>,
    to: Fd,
    to_offset: Option<i64>,
    length: usize,
) -> Result<usize> {
    let (mut source, mut target) = (from_offset.unwrap_or(0), to_offset.unwrap_or(0));
    let source = if from_offset.is_some() { &raw mut source } else { std::ptr::null_mut() };
    let target = if to_offset.is_some() { &raw mut target } else { std::ptr::null_mut() };
    // SAFETY: the pointers are null or to locals.
    let count = check(unsafe { libc::copy_file_range(from.0, source, to.0, target, length, 0) })?;
    Ok(count as usize)
}

/// Copies from a file to a descriptor of any kind.
#[cfg(target_os = "linux")]
pub fn send_file(from: Fd, from_offset: Option<i64>, to: Fd, length: usize) -> Result<usize> {
    let mut offset = from_offset.unwrap_or(0);
    let source = if from_offset.is_some() { &raw mut offset } else { std::ptr::null_mut() };
    // SAFETY: the pointer is null or to a local.
    let count = check(unsafe { libc::sendfile(to.0, from.0, source, length) })?;
    Ok(count as usize)
}

//! Files as memory.

use std::ptr::{self, NonNull};

use super::Protection;
use crate::errno::check;
use crate::{Errno, Fd, Result};

/// Maps a part of a file, readable or also writable. Writes go to the file if the mapping is shared, and are private
/// otherwise. The offset is a multiple of the page size. Unmap it with [`unmap`](super::unmap).
///
/// Accessing a page after the file's end, or an unreadable one, raises `SIGBUS`.
pub fn map_file(fd: Fd, offset: i64, length: usize, protection: Protection, shared: bool) -> Result<NonNull<u8>> {
    let bits = match protection {
        Protection::None => libc::PROT_NONE,
        Protection::Read => libc::PROT_READ,
        Protection::ReadWrite => libc::PROT_READ | libc::PROT_WRITE,
        Protection::ReadExecute => libc::PROT_READ | libc::PROT_EXEC,
    };
    let flags = if shared { libc::MAP_SHARED } else { libc::MAP_PRIVATE };
    // SAFETY: a new mapping at an address of the system's choice overlaps nothing.
    let start = unsafe { libc::mmap(ptr::null_mut(), length, bits, flags, fd.0, offset) };
    if start == libc::MAP_FAILED {
        return Err(Errno::last());
    }
    NonNull::new(start.cast()).ok_or(Errno(libc::ENOMEM))
}

/// Waits until the changes of a shared mapping were written to the file.
///
/// # Safety
/// The range must lie in mappings that the caller owns.
pub unsafe fn sync_file(start: NonNull<u8>, length: usize) -> Result<()> {
    // SAFETY: this function's contract is that of the call.
    check(unsafe { libc::msync(start.as_ptr().cast(), length, libc::MS_SYNC) }).map(|_| ())
}

/// A mapped part of a file, or memory shared with forked processes, until it is dropped.
pub struct FileMap {
    start: NonNull<u8>,
    length: usize,
    writable: bool,
    /// The memory is not a mapping, and its owner frees it.
    is_foreign: bool,
}

impl FileMap {
    /// See [`map_file`].
    pub fn new(fd: Fd, offset: i64, length: usize, writable: bool, shared: bool) -> Result<FileMap> {
        let protection = if writable { Protection::ReadWrite } else { Protection::Read };
        let start = map_file(fd, offset, length, protection, shared)?;
        Ok(FileMap { start, length, writable, is_foreign: false })
    }

    /// Zeros that this process and its children share.
    pub fn shared(length: usize) -> Result<FileMap> {
        let (bits, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address of the system's choice overlaps nothing.
        let start = unsafe { libc::mmap(ptr::null_mut(), length, bits, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(Errno::last());
        }
        let start = NonNull::new(start.cast()).ok_or(Errno(libc::ENOMEM))?;
        Ok(FileMap { start, length, writable: true, is_foreign: false })
    }

    /// Memory that has another owner, and which is not freed.
    ///
    /// # Safety
    /// `length` bytes from `start` on are readable, and writable if this says so, as long as the result is used.
    pub unsafe fn foreign(start: NonNull<u8>, length: usize, writable: bool) -> FileMap {
        FileMap { start, length, writable, is_foreign: true }
    }

    /// The current contents: other writers to the file may change them.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping is readable and exists until this is dropped.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// The contents as mutable bytes; `None` if mapped read-only.
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        // SAFETY: the mapping is writable and exists until this is dropped.
        self.writable.then(|| unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) })
    }
}

impl Drop for FileMap {
    fn drop(&mut self) {
        if !self.is_foreign {
            // SAFETY: this object owns the mapping, and nothing refers to it any more.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.length) };
        }
    }
}

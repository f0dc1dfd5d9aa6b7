//! The names in a directory, in the system's order, `.` and `..` included.

use std::ptr::NonNull;

use super::FileKind;
use crate::c_string::{bytes_at, with_c_string};
use crate::errno::{self, check};
use crate::{Errno, Fd, Result};

/// An open directory. Closed when dropped.
#[derive(Debug)]
pub struct Directory {
    stream: NonNull<libc::DIR>,
}

// SAFETY: a directory stream is bound to no thread; `&mut self` prevents concurrent reads.
unsafe impl Send for Directory {}

/// An entry of a directory. The kind is `None` if the file system does not report it; get the status then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: Vec<u8>,
    pub inode: u64,
    pub kind: Option<FileKind>,
}

impl Directory {
    pub fn open(path: &[u8]) -> Result<Directory> {
        // SAFETY: the path is terminated.
        let stream = with_c_string(path, |path| Ok(unsafe { libc::opendir(path.as_ptr()) }))?;
        NonNull::new(stream).map(|stream| Directory { stream }).ok_or_else(Errno::last)
    }

    /// Reads the directory behind a descriptor, which the result then owns.
    pub fn from_fd(fd: Fd) -> Result<Directory> {
        // SAFETY: no pointers are involved.
        let stream = unsafe { libc::fdopendir(fd.0) };
        NonNull::new(stream).map(|stream| Directory { stream }).ok_or_else(Errno::last)
    }

    /// The next name; `None` at the end.
    pub fn read(&mut self) -> Result<Option<Entry>> {
        // SAFETY: the address of `errno` is always valid.
        unsafe { *errno::location() = 0 };
        // SAFETY: the stream is open, and `&mut self` ensures a single reader.
        let entry = unsafe { libc::readdir(self.stream.as_ptr()) };
        let Some(entry) = NonNull::new(entry) else {
            return match Errno::last() {
                Errno(0) => Ok(None),
                errno => Err(errno),
            };
        };
        // SAFETY: the entry is valid until the next call; its name is terminated but not as long as its declared type.
        let (name, inode, kind) = unsafe {
            let entry = entry.as_ptr();
            (bytes_at(&raw const (*entry).d_name as *const _), (*entry).d_ino, (*entry).d_type)
        };
        Ok(Some(Entry { name, inode, kind: FileKind::from_directory_type(kind) }))
    }

    /// A position that [`seek`](Directory::seek) accepts.
    pub fn tell(&self) -> i64 {
        // SAFETY: the stream is open.
        unsafe { libc::telldir(self.stream.as_ptr()) }
    }

    pub fn seek(&mut self, position: i64) {
        // SAFETY: the stream is open; an invalid position is harmless.
        unsafe { libc::seekdir(self.stream.as_ptr(), position) }
    }

    pub fn rewind(&mut self) {
        // SAFETY: the stream is open.
        unsafe { libc::rewinddir(self.stream.as_ptr()) }
    }

    /// The directory's descriptor, which the directory continues to own.
    pub fn fd(&self) -> Fd {
        // SAFETY: the stream is open.
        Fd(unsafe { libc::dirfd(self.stream.as_ptr()) })
    }

    /// Closes the directory and reports errors, which dropping ignores.
    pub fn close(self) -> Result<()> {
        let stream = self.stream;
        std::mem::forget(self);
        // SAFETY: the stream is open, and nothing refers to it any more.
        check(unsafe { libc::closedir(stream.as_ptr()) }).map(|_| ())
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // SAFETY: the stream is open, and nothing refers to it any more.
        unsafe { libc::closedir(self.stream.as_ptr()) };
    }
}

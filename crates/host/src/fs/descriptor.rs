//! Descriptors: opening, reading, writing, duplicating, locking, closing. A signal that interrupts a blocking call is
//! reported as `EINTR`, so that the caller can run traps and decide whether to continue.

use memory::Grow;
use std::io::IoSlice;
use std::mem::MaybeUninit;

use crate::c_string::with_c_string;
use crate::errno::{check, check_retrying};
use crate::{Errno, Fd, Result};

/// The flags of `open(2)` under their names in `File::Constants`.
#[cfg(target_os = "linux")]
pub static OPEN_FLAGS: &[(&str, i32)] = &[
    ("RDONLY", libc::O_RDONLY),
    ("WRONLY", libc::O_WRONLY),
    ("RDWR", libc::O_RDWR),
    ("APPEND", libc::O_APPEND),
    ("CREAT", libc::O_CREAT),
    ("EXCL", libc::O_EXCL),
    ("NONBLOCK", libc::O_NONBLOCK),
    ("TRUNC", libc::O_TRUNC),
    ("NOCTTY", libc::O_NOCTTY),
    ("BINARY", 0),
    ("SHARE_DELETE", 0),
    ("SYNC", libc::O_SYNC),
    ("DSYNC", libc::O_DSYNC),
    ("RSYNC", libc::O_RSYNC),
    ("NOFOLLOW", libc::O_NOFOLLOW),
    ("DIRECTORY", libc::O_DIRECTORY),
    ("TMPFILE", libc::O_TMPFILE),
    ("NOATIME", libc::O_NOATIME),
    ("DIRECT", libc::O_DIRECT),
];

/// The operations of [`flock`] under their names in `File::Constants`.
pub static LOCK_OPERATIONS: &[(&str, i32)] =
    &[("LOCK_SH", libc::LOCK_SH), ("LOCK_EX", libc::LOCK_EX), ("LOCK_NB", libc::LOCK_NB), ("LOCK_UN", libc::LOCK_UN)];

pub const ACCESS_MODE_MASK: i32 = libc::O_ACCMODE;
pub const READ_ONLY: i32 = libc::O_RDONLY;
pub const WRITE_ONLY: i32 = libc::O_WRONLY;
pub const READ_WRITE: i32 = libc::O_RDWR;
pub const APPEND: i32 = libc::O_APPEND;
pub const CREATE: i32 = libc::O_CREAT;
pub const EXCLUSIVE: i32 = libc::O_EXCL;
pub const TRUNCATE: i32 = libc::O_TRUNC;
pub const NONBLOCK: i32 = libc::O_NONBLOCK;
/// `O_TMPFILE`, of several bits.
pub const NAMELESS: i32 = libc::O_TMPFILE;

/// Opens a file, closed on exec. `mode` is the permissions of a file that is created, before the umask.
pub fn open(path: &[u8], flags: i32, mode: u32) -> Result<Fd> {
    with_c_string(path, |path| {
        // SAFETY: the path is terminated.
        check(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, mode) }).map(Fd)
    })
}

/// Reads the available bytes, up to the buffer's length. Returns their number; 0 at the end.
pub fn read(fd: Fd, buffer: &mut [u8]) -> Result<usize> {
    // SAFETY: bytes are also possibly uninitialized bytes, and the call writes only initialized ones.
    read_uninit(fd, unsafe { &mut *(buffer as *mut [u8] as *mut [MaybeUninit<u8>]) })
}

/// Like [`read`]; the returned number of bytes at the buffer's start are initialized.
pub fn read_uninit(fd: Fd, buffer: &mut [MaybeUninit<u8>]) -> Result<usize> {
    // SAFETY: the buffer is valid for its length.
    let count = check(unsafe { libc::read(fd.0, buffer.as_mut_ptr().cast(), buffer.len()) })?;
    Ok(count as usize)
}

/// Like [`read_uninit`]; returns the initialized bytes at the buffer's start.
pub fn read_part(fd: Fd, buffer: &mut [MaybeUninit<u8>]) -> Result<&mut [u8]> {
    let count = read_uninit(fd, buffer)?;
    // SAFETY: the call has initialized that many bytes.
    Ok(unsafe { buffer[..count].assume_init_mut() })
}

/// Appends the available bytes, up to `most`, for which the list has room. Returns their number; 0 at the end.
pub fn read_more(fd: Fd, list: &mut Vec<u8>, most: usize) -> Result<usize> {
    let room = list.spare_capacity_mut();
    let most = most.min(room.len());
    let count = read_uninit(fd, &mut room[..most])?;
    // SAFETY: `read_uninit` has initialized that many bytes behind the list's.
    unsafe { list.set_len(list.len() + count) };
    Ok(count)
}

/// Reads at an offset without changing the position.
pub fn pread(fd: Fd, buffer: &mut [MaybeUninit<u8>], offset: i64) -> Result<usize> {
    // SAFETY: the buffer is valid for its length.
    let count = check(unsafe { libc::pread(fd.0, buffer.as_mut_ptr().cast(), buffer.len(), offset) })?;
    Ok(count as usize)
}

/// Like [`pread`]; returns the initialized bytes at the buffer's start.
pub fn pread_part(fd: Fd, buffer: &mut [MaybeUninit<u8>], offset: i64) -> Result<&mut [u8]> {
    let count = pread(fd, buffer, offset)?;
    // SAFETY: the call has initialized that many bytes.
    Ok(unsafe { buffer[..count].assume_init_mut() })
}

/// Appends up to `most` bytes at an offset, for which the list has room, without changing the position. Returns their
/// number.
pub fn pread_more(fd: Fd, list: &mut Vec<u8>, most: usize, offset: i64) -> Result<usize> {
    let room = list.spare_capacity_mut();
    let most = most.min(room.len());
    let count = pread(fd, &mut room[..most], offset)?;
    // SAFETY: `pread` has initialized that many bytes behind the list's.
    unsafe { list.set_len(list.len() + count) };
    Ok(count)
}

/// Like [`pread`], into bytes that are initialized already.
pub fn pread_into(fd: Fd, buffer: &mut [u8], offset: i64) -> Result<usize> {
    // SAFETY: bytes are also possibly uninitialized bytes, and the call writes only initialized ones.
    pread(fd, unsafe { &mut *(buffer as *mut [u8] as *mut [MaybeUninit<u8>]) }, offset)
}

/// Writes what can be written now, and returns the number of bytes.
pub fn write(fd: Fd, bytes: &[u8]) -> Result<usize> {
    // SAFETY: the bytes are valid for their length.
    let count = check(unsafe { libc::write(fd.0, bytes.as_ptr().cast(), bytes.len()) })?;
    Ok(count as usize)
}

/// Writes what can be written now of several pieces of text, one behind the other.
pub fn write_pieces(fd: Fd, pieces: &[IoSlice]) -> Result<usize> {
    let count = pieces.len().min(MOST_PIECES) as i32;
    // SAFETY: an `IoSlice` has the layout of the system's structure, and the bytes are valid for their lengths.
    let count = check(unsafe { libc::writev(fd.0, pieces.as_ptr().cast(), count) })?;
    Ok(count as usize)
}

/// The number of pieces that a call accepts on every system.
const MOST_PIECES: usize = 16;

/// Writes at an offset without changing the position.
pub fn pwrite(fd: Fd, bytes: &[u8], offset: i64) -> Result<usize> {
    // SAFETY: the bytes are valid for their length.
    let count = check(unsafe { libc::pwrite(fd.0, bytes.as_ptr().cast(), bytes.len(), offset) })?;
    Ok(count as usize)
}

/// The origin of an offset of [`seek`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whence {
    Start,
    Current,
    End,
    /// The next byte of data at or after the offset, skipping holes.
    Data,
    /// The next hole at or after the offset.
    Hole,
}

impl Whence {
    /// The system's number, which is also the value of `IO::SEEK_SET` etc.
    pub fn number(self) -> i32 {
        match self {
            Whence::Start => libc::SEEK_SET,
            Whence::Current => libc::SEEK_CUR,
            Whence::End => libc::SEEK_END,
            Whence::Data => libc::SEEK_DATA,
            Whence::Hole => libc::SEEK_HOLE,
        }
    }
}

/// Moves the position, by a number as in [`Whence::number`]; any other is `EINVAL`. Returns the new position.
pub fn seek(fd: Fd, offset: i64, whence: i32) -> Result<i64> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::lseek(fd.0, offset, whence) })
}

/// Closes a descriptor. The number is free afterwards even if an error is reported, including `EINTR`: never repeat the
/// call.
pub fn close(fd: Fd) -> Result<()> {
    // SAFETY: no memory in this crate depends on the descriptor; mappings outlive it.
    check(unsafe { libc::close(fd.0) }).map(|_| ())
}

/// A second descriptor, closed on exec, with the lowest free number that is at least `lowest`.
pub fn duplicate(fd: Fd, lowest: i32) -> Result<Fd> {
    fcntl(fd, libc::F_DUPFD_CLOEXEC, lowest as isize).map(Fd)
}

/// Makes `target` a second descriptor for the same file, closing its previous file. Closed on exec, except for the
/// standard three.
pub fn duplicate_to(fd: Fd, target: Fd) -> Result<()> {
    if fd == target {
        return fcntl(fd, libc::F_GETFD, 0).map(|_| ());
    }
    let flags = if target <= Fd::STDERR { 0 } else { libc::O_CLOEXEC };
    check_retrying(|| {
        // SAFETY: no pointers are involved.
        unsafe { libc::dup3(fd.0, target.0, flags) }
    })?;
    Ok(())
}

/// `fcntl(2)` with an integer argument.
pub fn fcntl(fd: Fd, command: i32, argument: isize) -> Result<i32> {
    // SAFETY: for an integer argument that the request treats as an address, the system checks that address.
    check(unsafe { libc::fcntl(fd.0, command, argument) })
}

/// Duplicates a descriptor; the second command also lets it be closed by `exec`.
pub const DUPLICATE: i32 = libc::F_DUPFD;
pub const DUPLICATE_CLOSING: i32 = libc::F_DUPFD_CLOEXEC;

/// The size of a buffer for any structure of `fcntl(2)`.
pub const CONTROL_BYTES: usize = 256;

/// `fcntl(2)` with a structure in and out, in a buffer of at least [`CONTROL_BYTES`].
pub fn fcntl_buffer(fd: Fd, command: i32, buffer: &mut [u8]) -> Result<i32> {
    assert!(buffer.len() >= CONTROL_BYTES);
    // SAFETY: the buffer is larger than each of the structures.
    check(unsafe { libc::fcntl(fd.0, command, buffer.as_mut_ptr()) })
}

/// `ioctl(2)` with an integer argument.
pub fn ioctl(fd: Fd, request: u64, argument: isize) -> Result<i32> {
    // SAFETY: for an integer argument that the request treats as an address, the system checks that address.
    check(unsafe { libc::ioctl(fd.0, request as _, argument) })
}

/// `ioctl(2)` with a structure in and out, as `IO#ioctl` receives it in a string. The buffer has the size encoded in
/// the request, and is large enough for old requests that encode none.
pub fn ioctl_buffer(fd: Fd, request: u64, buffer: &mut Vec<u8>) -> Result<i32> {
    /// An upper bound for the structures of requests without an encoded size.
    const UNENCODED_SIZE: usize = 256;
    let encoded = (request >> 16 & 0x3fff) as usize;
    let size = if encoded == 0 { UNENCODED_SIZE } else { encoded };
    if buffer.len() < size {
        buffer.set_length(size, 0);
    }
    // SAFETY: the buffer is as large as the structure that the request reads and writes.
    check(unsafe { libc::ioctl(fd.0, request as _, buffer.as_mut_ptr()) })
}

/// Whether the descriptor is closed on exec.
pub fn is_close_on_exec(fd: Fd) -> Result<bool> {
    Ok(fcntl(fd, libc::F_GETFD, 0)? & libc::FD_CLOEXEC != 0)
}

pub fn set_close_on_exec(fd: Fd, wanted: bool) -> Result<()> {
    let old = fcntl(fd, libc::F_GETFD, 0)?;
    let new = if wanted { old | libc::FD_CLOEXEC } else { old & !libc::FD_CLOEXEC };
    if new != old {
        fcntl(fd, libc::F_SETFD, new as isize)?;
    }
    Ok(())
}

/// The flags that the file was opened with, access mode included.
pub fn status_flags(fd: Fd) -> Result<i32> {
    fcntl(fd, libc::F_GETFL, 0)
}

/// Changes the changeable flags (append, nonblock, direct, noatime).
pub fn set_status_flags(fd: Fd, flags: i32) -> Result<()> {
    fcntl(fd, libc::F_SETFL, flags as isize).map(|_| ())
}

pub fn is_nonblocking(fd: Fd) -> Result<bool> {
    Ok(status_flags(fd)? & libc::O_NONBLOCK != 0)
}

pub fn set_nonblocking(fd: Fd, wanted: bool) -> Result<()> {
    let old = status_flags(fd)?;
    let new = if wanted { old | libc::O_NONBLOCK } else { old & !libc::O_NONBLOCK };
    if new != old {
        set_status_flags(fd, new)?;
    }
    Ok(())
}

/// A pipe's reading and writing end, both closed on exec.
pub fn pipe() -> Result<(Fd, Fd)> {
    let mut ends = [0; 2];
    // SAFETY: the pointer is to two integers.
    check(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    Ok((Fd(ends[0]), Fd(ends[1])))
}

/// Takes or releases an advisory lock on the whole file. Blocks unless `LOCK_NB` is given.
pub fn flock(fd: Fd, operation: i32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::flock(fd.0, operation) }).map(|_| ())
}

/// Waits until data and attributes are on the device.
pub fn sync(fd: Fd) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::fsync(fd.0) }).map(|_| ())
}

/// Waits until the data is on the device.
pub fn sync_data(fd: Fd) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::fdatasync(fd.0) }).map(|_| ())
}

/// Advises the kernel how data will be used, for `IO#advise`.
#[cfg(target_os = "linux")]
pub fn advise(fd: Fd, offset: i64, length: i64, advice: &str) -> Result<()> {
    let advice = match advice {
        "normal" => libc::POSIX_FADV_NORMAL,
        "sequential" => libc::POSIX_FADV_SEQUENTIAL,
        "random" => libc::POSIX_FADV_RANDOM,
        "willneed" => libc::POSIX_FADV_WILLNEED,
        "dontneed" => libc::POSIX_FADV_DONTNEED,
        "noreuse" => libc::POSIX_FADV_NOREUSE,
        _ => return Err(Errno(libc::EINVAL)),
    };
    // SAFETY: no pointers are involved.
    match unsafe { libc::posix_fadvise(fd.0, offset, length, advice) } {
        0 => Ok(()),
        errno => Err(Errno(errno)),
    }
}

/// Whether the descriptor is a terminal.
pub fn is_terminal(fd: Fd) -> bool {
    // SAFETY: no pointers are involved.
    unsafe { libc::isatty(fd.0) == 1 }
}

/// The terminal's path, if the descriptor is one.
pub fn terminal_name(fd: Fd) -> Result<Vec<u8>> {
    let mut buffer = [0; 256];
    // SAFETY: the buffer is valid for its length.
    match unsafe { libc::ttyname_r(fd.0, buffer.as_mut_ptr(), buffer.len()) } {
        // SAFETY: the call terminated the string.
        0 => Ok(unsafe { crate::c_string::bytes_at(buffer.as_ptr()) }),
        errno => Err(Errno(errno)),
    }
}

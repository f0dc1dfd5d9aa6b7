//! Operations on files by name.

use rustix::fs::{self as sys, AtFlags, CWD, FileType, Gid, Mode, Uid};

use crate::c_string::{bytes_at, with_c_string};
use crate::clock::Timespec;
use crate::errno::{check, check_retrying};
use crate::{Errno, Fd, Result};

/// Bits of [`access`]: the requested permissions.
pub const MAY_READ: i32 = libc::R_OK;
pub const MAY_WRITE: i32 = libc::W_OK;
pub const MAY_EXECUTE: i32 = libc::X_OK;
pub const EXISTS: i32 = libc::F_OK;

/// Whether the process has these permissions, by its effective or by its real ids.
pub fn access(path: &[u8], wanted: i32, effective: bool) -> Result<()> {
    let flags = if effective { libc::AT_EACCESS } else { 0 };
    with_c_string(path, |path| {
        // SAFETY: the path is terminated.
        check(unsafe { libc::faccessat(libc::AT_FDCWD, path.as_ptr(), wanted, flags) }).map(|_| ())
    })
}

pub fn chmod(path: &[u8], mode: u32) -> Result<()> {
    Ok(sys::chmod(path, Mode::from_raw_mode(mode))?)
}

/// Changes a link's own permissions: `EOPNOTSUPP` if links have none.
pub fn lchmod(path: &[u8], mode: u32) -> Result<()> {
    with_c_string(path, |path| {
        // SAFETY: the path is terminated.
        let outcome = unsafe { libc::fchmodat(libc::AT_FDCWD, path.as_ptr(), mode, libc::AT_SYMLINK_NOFOLLOW) };
        check(outcome).map(|_| ())
    })
}

pub fn fchmod(fd: Fd, mode: u32) -> Result<()> {
    // SAFETY: no pointers are involved.
    check_retrying(|| unsafe { libc::fchmod(fd.0, mode) }).map(|_| ())
}

/// Changes owner and group; `None` leaves one as it is.
pub fn chown(path: &[u8], owner: Option<u32>, group: Option<u32>) -> Result<()> {
    chown_at(path, owner, group, AtFlags::empty())
}

/// Like [`chown`], for a link itself.
pub fn lchown(path: &[u8], owner: Option<u32>, group: Option<u32>) -> Result<()> {
    chown_at(path, owner, group, AtFlags::SYMLINK_NOFOLLOW)
}

fn chown_at(path: &[u8], owner: Option<u32>, group: Option<u32>, flags: AtFlags) -> Result<()> {
    Ok(sys::chownat(CWD, path, real(owner).map(Uid::from_raw), real(group).map(Gid::from_raw), flags)?)
}

/// −1 as an id means "unchanged".
fn real(id: Option<u32>) -> Option<u32> {
    id.filter(|id| *id != u32::MAX)
}

pub fn fchown(fd: Fd, owner: Option<u32>, group: Option<u32>) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::fchown(fd.0, owner.unwrap_or(u32::MAX), group.unwrap_or(u32::MAX)) }).map(|_| ())
}

/// A time to give to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileTime {
    Now,
    Keep,
    At(Timespec),
}

impl FileTime {
    fn to_system(self) -> libc::timespec {
        match self {
            FileTime::Now => libc::timespec { tv_sec: 0, tv_nsec: libc::UTIME_NOW },
            FileTime::Keep => libc::timespec { tv_sec: 0, tv_nsec: libc::UTIME_OMIT },
            FileTime::At(time) => time.to_system(),
        }
    }
}

/// Sets the times of last access and of last modification; of a link itself unless it is followed.
pub fn set_times(path: &[u8], accessed: FileTime, modified: FileTime, follow: bool) -> Result<()> {
    let flags = if follow { 0 } else { libc::AT_SYMLINK_NOFOLLOW };
    let times = [accessed.to_system(), modified.to_system()];
    with_c_string(path, |path| {
        // SAFETY: the path is terminated, and there are two times.
        check(unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), flags) }).map(|_| ())
    })
}

pub fn truncate(path: &[u8], length: i64) -> Result<()> {
    // SAFETY: the path is terminated.
    with_c_string(path, |path| check_retrying(|| unsafe { libc::truncate(path.as_ptr(), length) }).map(|_| ()))
}

pub fn ftruncate(fd: Fd, length: i64) -> Result<()> {
    // SAFETY: no pointers are involved.
    check_retrying(|| unsafe { libc::ftruncate(fd.0, length) }).map(|_| ())
}

pub fn rename(from: &[u8], to: &[u8]) -> Result<()> {
    Ok(sys::rename(from, to)?)
}

/// Creates another name for a file; a link is not followed.
pub fn link(target: &[u8], name: &[u8]) -> Result<()> {
    Ok(sys::link(target, name)?)
}

pub fn symlink(target: &[u8], name: &[u8]) -> Result<()> {
    Ok(sys::symlink(target, name)?)
}

/// The target of a symbolic link.
pub fn readlink(path: &[u8]) -> Result<Vec<u8>> {
    Ok(sys::readlink(path, Vec::new())?.into_bytes())
}

pub fn unlink(path: &[u8]) -> Result<()> {
    Ok(sys::unlink(path)?)
}

pub fn mkdir(path: &[u8], mode: u32) -> Result<()> {
    Ok(sys::mkdir(path, Mode::from_raw_mode(mode))?)
}

pub fn rmdir(path: &[u8]) -> Result<()> {
    Ok(sys::rmdir(path)?)
}

pub fn mkfifo(path: &[u8], mode: u32) -> Result<()> {
    Ok(sys::mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(mode), 0)?)
}

/// Creates a file of any kind; `mode` holds kind and permissions, `device` is for device files.
pub fn mknod(path: &[u8], mode: u32, device: u64) -> Result<()> {
    with_c_string(path, |path| {
        // SAFETY: the path is terminated.
        check(unsafe { libc::mknod(path.as_ptr(), mode, device as libc::dev_t) }).map(|_| ())
    })
}

/// The path without links, `.` and `..`; every part must exist.
pub fn realpath(path: &[u8]) -> Result<Vec<u8>> {
    with_c_string(path, |path| {
        // SAFETY: the path is terminated, and libc allocates the result.
        let resolved = unsafe { libc::realpath(path.as_ptr(), std::ptr::null_mut()) };
        if resolved.is_null() {
            return Err(Errno::last());
        }
        // SAFETY: the call terminated the string.
        let bytes = unsafe { bytes_at(resolved) };
        // SAFETY: libc allocated it, and nothing else refers to it.
        unsafe { libc::free(resolved.cast()) };
        Ok(bytes)
    })
}

/// The working directory.
pub fn current_directory() -> Result<Vec<u8>> {
    // `std` rather than `rustix`, because it grows its buffer.
    use std::os::unix::ffi::OsStringExt;
    Ok(std::env::current_dir()?.into_os_string().into_vec())
}

pub fn change_directory(path: &[u8]) -> Result<()> {
    // SAFETY: the path is terminated.
    with_c_string(path, |path| check(unsafe { libc::chdir(path.as_ptr()) }).map(|_| ()))
}

pub fn change_directory_to_fd(fd: Fd) -> Result<()> {
    // SAFETY: no pointers are involved.
    check(unsafe { libc::fchdir(fd.0) }).map(|_| ())
}

/// Makes a directory the root of all paths of this process (`chroot`).
pub fn change_root(path: &[u8]) -> Result<()> {
    // SAFETY: the path is terminated.
    with_c_string(path, |path| check(unsafe { libc::chroot(path.as_ptr()) }).map(|_| ()))
}

/// Sets the mask of permissions that new files do not get, and returns the old one.
pub fn set_umask(mask: u32) -> u32 {
    // SAFETY: no pointers are involved.
    unsafe { libc::umask(mask as libc::mode_t) as u32 }
}

/// The mask of permissions. On systems without a query it is read by setting it twice, which other threads can notice.
pub fn umask() -> u32 {
    let reported = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let mask = status.lines().find_map(|line| line.strip_prefix("Umask:"))?;
        u32::from_str_radix(mask.trim(), 8).ok()
    });
    reported.unwrap_or_else(|| {
        let mask = set_umask(0o077);
        set_umask(mask);
        mask
    })
}

/// A limit of a path, `pathconf(3)`; `None` is "no limit".
pub fn path_limit(path: &[u8], name: i32) -> Result<Option<i64>> {
    // SAFETY: the path is terminated.
    with_c_string(path, |path| crate::user::limit_of(|| unsafe { libc::pathconf(path.as_ptr(), name) }))
}

/// Like [`path_limit`], for an open file.
pub fn fd_limit(fd: Fd, name: i32) -> Result<Option<i64>> {
    // SAFETY: no pointers are involved.
    crate::user::limit_of(|| unsafe { libc::fpathconf(fd.0, name) })
}

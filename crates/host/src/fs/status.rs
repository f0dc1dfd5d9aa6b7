//! The status of a file.

use crate::c_string::with_c_string;
use crate::clock::Timespec;
use crate::errno::check;
use crate::{Fd, Result};

/// The type of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    File,
    Directory,
    Link,
    CharacterDevice,
    BlockDevice,
    Fifo,
    Socket,
}

impl FileKind {
    /// The kind in the bits of a mode; `None` for kinds that this system does not have.
    pub fn from_mode(mode: u32) -> Option<FileKind> {
        Some(match mode as libc::mode_t & libc::S_IFMT {
            libc::S_IFREG => FileKind::File,
            libc::S_IFDIR => FileKind::Directory,
            libc::S_IFLNK => FileKind::Link,
            libc::S_IFCHR => FileKind::CharacterDevice,
            libc::S_IFBLK => FileKind::BlockDevice,
            libc::S_IFIFO => FileKind::Fifo,
            libc::S_IFSOCK => FileKind::Socket,
            _ => return None,
        })
    }

    pub(super) fn from_directory_type(kind: u8) -> Option<FileKind> {
        Some(match kind {
            libc::DT_REG => FileKind::File,
            libc::DT_DIR => FileKind::Directory,
            libc::DT_LNK => FileKind::Link,
            libc::DT_CHR => FileKind::CharacterDevice,
            libc::DT_BLK => FileKind::BlockDevice,
            libc::DT_FIFO => FileKind::Fifo,
            libc::DT_SOCK => FileKind::Socket,
            _ => return None,
        })
    }

    /// The name in `File.ftype`.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::File => "file",
            FileKind::Directory => "directory",
            FileKind::Link => "link",
            FileKind::CharacterDevice => "characterSpecial",
            FileKind::BlockDevice => "blockSpecial",
            FileKind::Fifo => "fifo",
            FileKind::Socket => "socket",
        }
    }
}

/// A file's attributes. Sizes are in bytes, blocks in units of 512.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stat {
    pub device: u64,
    pub device_major: u32,
    pub device_minor: u32,
    pub inode: u64,
    /// Kind and permissions.
    pub mode: u32,
    pub links: u64,
    pub owner: u32,
    pub group: u32,
    /// The device that a device file represents.
    pub special_device: u64,
    pub special_major: u32,
    pub special_minor: u32,
    pub size: u64,
    pub block_size: u64,
    pub blocks: u64,
    pub accessed: Timespec,
    pub modified: Timespec,
    pub changed: Timespec,
    /// `None` if the file system does not record it.
    pub born: Option<Timespec>,
}

/// The ids that determine which bits of a mode apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Identity {
    Effective,
    Real,
}

impl Stat {
    pub fn kind(&self) -> Option<FileKind> {
        FileKind::from_mode(self.mode)
    }

    pub fn is(&self, kind: FileKind) -> bool {
        self.kind() == Some(kind)
    }

    pub fn is_setuid(&self) -> bool {
        self.mode & 0o4000 != 0
    }

    pub fn is_setgid(&self) -> bool {
        self.mode & 0o2000 != 0
    }

    pub fn is_sticky(&self) -> bool {
        self.mode & 0o1000 != 0
    }

    /// Whether the process owns the file, by its effective id.
    pub fn is_owned(&self) -> bool {
        self.owner == crate::process::effective_user()
    }

    /// Whether the file's group is one of the process's.
    pub fn is_group_owned(&self) -> bool {
        crate::process::is_in_group(self.group, Identity::Effective)
    }

    /// Whether the mode's bits allow reading (bit 4), writing (2) or executing (1). The superuser may do everything
    /// except execute a file that has no execute bit.
    pub fn allows(&self, wanted: u32, identity: Identity) -> bool {
        let user = match identity {
            Identity::Effective => crate::process::effective_user(),
            Identity::Real => crate::process::real_user(),
        };
        if user == 0 {
            return wanted != 1 || self.mode & 0o111 != 0;
        }
        if self.owner == user {
            return self.mode >> 6 & wanted != 0;
        }
        if crate::process::is_in_group(self.group, identity) {
            return self.mode >> 3 & wanted != 0;
        }
        self.mode & wanted != 0
    }
}

/// The attributes of the file that a path leads to.
pub fn stat(path: &[u8]) -> Result<Stat> {
    with_c_string(path, |path| statx(libc::AT_FDCWD, path, 0))
}

/// Like [`stat`], for a link itself.
pub fn lstat(path: &[u8]) -> Result<Stat> {
    with_c_string(path, |path| statx(libc::AT_FDCWD, path, libc::AT_SYMLINK_NOFOLLOW))
}

/// The attributes of an open file.
pub fn fstat(fd: Fd) -> Result<Stat> {
    if fd.0 < 0 {
        return Err(crate::Errno(libc::EBADF));
    }
    statx(fd.0, c"", libc::AT_EMPTY_PATH)
}

#[cfg(target_os = "linux")]
fn statx(directory: i32, path: &std::ffi::CStr, flags: i32) -> Result<Stat> {
    let mut found = std::mem::MaybeUninit::<libc::statx>::zeroed();
    let mask = libc::STATX_BASIC_STATS | libc::STATX_BTIME;
    // SAFETY: the path is terminated, and the last pointer is to a local.
    check(unsafe { libc::statx(directory, path.as_ptr(), flags, mask, found.as_mut_ptr()) })?;
    // SAFETY: the call succeeded, and all zeros would be valid too.
    let found = unsafe { found.assume_init() };
    let time = |time: libc::statx_timestamp| Timespec { seconds: time.tv_sec, nanoseconds: time.tv_nsec };
    Ok(Stat {
        device: libc::makedev(found.stx_dev_major, found.stx_dev_minor),
        device_major: found.stx_dev_major,
        device_minor: found.stx_dev_minor,
        inode: found.stx_ino,
        mode: found.stx_mode.into(),
        links: found.stx_nlink.into(),
        owner: found.stx_uid,
        group: found.stx_gid,
        special_device: libc::makedev(found.stx_rdev_major, found.stx_rdev_minor),
        special_major: found.stx_rdev_major,
        special_minor: found.stx_rdev_minor,
        size: found.stx_size,
        block_size: found.stx_blksize.into(),
        blocks: found.stx_blocks,
        accessed: time(found.stx_atime),
        modified: time(found.stx_mtime),
        changed: time(found.stx_ctime),
        born: (found.stx_mask & libc::STATX_BTIME != 0).then(|| time(found.stx_btime)),
    })
}

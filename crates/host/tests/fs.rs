//! Files: created, described, changed, listed and removed, in a directory of the test's own.

use std::mem::MaybeUninit;

use host::fs::{self, FileKind, FileTime};
use host::{Errno, Timespec};

/// A directory that is removed after the test.
struct Scratch(Vec<u8>);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = format!("{}/beni-host-{name}-{}", std::env::temp_dir().display(), std::process::id());
        fs::mkdir(path.as_bytes(), 0o755).unwrap();
        Scratch(path.into_bytes())
    }

    fn path(&self, name: &str) -> Vec<u8> {
        [self.0.as_slice(), b"/", name.as_bytes()].concat()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(String::from_utf8_lossy(&self.0).as_ref());
    }
}

#[test]
fn reading_and_writing_at_positions() {
    let scratch = Scratch::new("positions");
    let fd = fs::open(&scratch.path("file"), fs::READ_WRITE | fs::CREATE | fs::EXCLUSIVE, 0o644).unwrap();
    assert_eq!(fs::write(fd, b"hello world"), Ok(11));
    assert_eq!(fs::pwrite(fd, b"W", 6), Ok(1));
    let mut buffer = [MaybeUninit::new(0); 5];
    assert_eq!(fs::pread(fd, &mut buffer, 6), Ok(5));
    assert_eq!(fs::seek(fd, -5, fs::Whence::End.number()), Ok(6));
    let mut rest = [0; 16];
    assert_eq!(fs::read(fd, &mut rest), Ok(5));
    assert_eq!(&rest[..5], b"World");
    assert_eq!(fs::seek(fd, 0, 99), Err(Errno(libc::EINVAL)));
    fs::ftruncate(fd, 3).unwrap();
    assert_eq!(fs::fstat(fd).unwrap().size, 3);
    assert!(fs::is_close_on_exec(fd).unwrap());
    let copy = fs::duplicate(fd, 100).unwrap();
    assert!(copy.0 >= 100);
    fs::close(copy).unwrap();
    fs::flock(fd, libc::LOCK_EX | libc::LOCK_NB).unwrap();
    fs::close(fd).unwrap();
    assert_eq!(fs::open(&scratch.path("file"), fs::CREATE | fs::EXCLUSIVE, 0), Err(Errno(libc::EEXIST)));
    assert_eq!(fs::open(b"a\0b", 0, 0), Err(Errno(libc::EINVAL)));
}

#[test]
fn numbers_that_are_not_open_are_errors() {
    let bad = host::Fd(-1);
    assert_eq!(fs::fstat(bad), Err(Errno(libc::EBADF)));
    assert_eq!(fs::write(bad, b"x"), Err(Errno(libc::EBADF)));
    assert_eq!(fs::duplicate_to(bad, bad), Err(Errno(libc::EBADF)));
    assert!(!fs::is_terminal(bad));
}

#[test]
fn links_times_and_modes() {
    let scratch = Scratch::new("links");
    let (file, name, sym) = (scratch.path("file"), scratch.path("name"), scratch.path("sym"));
    fs::close(fs::open(&file, fs::CREATE | fs::WRITE_ONLY, 0o600).unwrap()).unwrap();
    fs::link(&file, &name).unwrap();
    fs::symlink(b"file", &sym).unwrap();
    assert_eq!(fs::readlink(&sym).unwrap(), b"file");
    let time = Timespec { seconds: -5, nanoseconds: 123_456_789 };
    fs::set_times(&sym, FileTime::Keep, FileTime::At(time), true).unwrap();
    fs::chmod(&name, 0o640).unwrap();
    let stat = fs::stat(&file).unwrap();
    assert_eq!((stat.links, stat.mode & 0o7777, stat.modified), (2, 0o640, time));
    assert_eq!(stat.kind(), Some(FileKind::File));
    assert!(stat.is_owned() && stat.allows(4, fs::Identity::Effective));
    assert_eq!(fs::lstat(&sym).unwrap().kind().unwrap().name(), "link");
    assert_eq!(fs::realpath(&sym).unwrap(), fs::realpath(&file).unwrap());
    fs::rename(&name, &scratch.path("moved")).unwrap();
    fs::unlink(&sym).unwrap();
    assert_eq!(fs::stat(&name), Err(Errno(libc::ENOENT)));
    assert_eq!(fs::access(&name, fs::EXISTS, true), Err(Errno(libc::ENOENT)));
    assert_eq!(fs::rmdir(&scratch.0), Err(Errno(libc::ENOTEMPTY)));
}

#[test]
fn directories_list_names_and_kinds() {
    let scratch = Scratch::new("list");
    fs::mkfifo(&scratch.path("fifo"), 0o600).unwrap();
    fs::mkdir(&scratch.path("sub"), 0o700).unwrap();
    let mut directory = fs::Directory::open(&scratch.0).unwrap();
    let mut entries = Vec::new();
    while let Some(entry) = directory.read().unwrap() {
        entries.push((String::from_utf8(entry.name).unwrap(), entry.kind));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    let kinds = [FileKind::Directory, FileKind::Directory, FileKind::Fifo, FileKind::Directory].map(Some);
    let names = [".", "..", "fifo", "sub"].map(str::to_owned);
    assert_eq!(entries, names.into_iter().zip(kinds).collect::<Vec<_>>());
    directory.rewind();
    assert!(directory.read().unwrap().is_some());
    directory.close().unwrap();
    assert_eq!(fs::Directory::open(b"/nonexistent").unwrap_err(), Errno(libc::ENOENT));
}

#[test]
fn copying_in_the_kernel() {
    let scratch = Scratch::new("copy");
    let source = fs::open(&scratch.path("a"), fs::READ_WRITE | fs::CREATE, 0o600).unwrap();
    fs::write(source, b"0123456789").unwrap();
    let (read, write) = fs::pipe().unwrap();
    assert_eq!(fs::send_file(source, Some(2), write, 4), Ok(4));
    let mut buffer = [0; 8];
    assert_eq!(fs::read(read, &mut buffer), Ok(4));
    assert_eq!(&buffer[..4], b"2345");
    for fd in [source, read, write] {
        fs::close(fd).unwrap();
    }
}

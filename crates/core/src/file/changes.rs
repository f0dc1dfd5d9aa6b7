//! Changes to files.

use host::fs::{self, FileTime};
use runtime::{Args, Cx, R, Value, call, concurrency::thread::blocking, convert};

use crate::io::{
    data::{self, fd_of, is_interrupted},
    path::{failed, path_bytes},
};

fn each(cx: &mut Cx, paths: &[Value], what: impl Fn(&[u8]) -> host::Result<()>) -> R {
    for v in paths {
        let p = path_bytes(cx, *v)?;
        if let Err(errno) = what(&p) {
            return Err(failed(cx, errno, "apply2files", &p));
        }
    }
    Ok(Value::fixnum(paths.len() as i64))
}

/// `File.delete(*paths) → integer`: removes files; of symbolic links the links themselves. Returns the number of files;
/// SystemCallError at the first failure.
pub fn delete(cx: &mut Cx, args: Args) -> R {
    each(cx, args.all(), fs::unlink)
}

/// `File.chmod(mode, *paths) → integer`: sets permission bits; for a symbolic link those of its target. Returns the
/// number of files; SystemCallError at the first failure.
pub fn chmod(cx: &mut Cx, args: Args) -> R {
    let mode = convert::to_i64(cx, args.at(0))? as u32;
    each(cx, args.from(1), |p| fs::chmod(p, mode))
}

/// `File.lchmod(mode, *paths) → integer`: like `chmod`, but for symbolic links themselves, which Linux rejects with a
/// SystemCallError.
pub fn lchmod(cx: &mut Cx, args: Args) -> R {
    let mode = convert::to_i64(cx, args.at(0))? as u32;
    each(cx, args.from(1), |p| fs::lchmod(p, mode))
}

fn id(cx: &mut Cx, v: Value) -> R<Option<u32>> {
    if v.is_nil() {
        return Ok(None);
    }
    let n = convert::to_i64(cx, v)?;
    Ok(u32::try_from(n).ok())
}

/// `File.chown(owner, group, *paths) → integer`: sets the owner and the group by number; nil or -1 leaves that id
/// unchanged. Returns the number of files; SystemCallError at the first failure.
pub fn chown(cx: &mut Cx, args: Args) -> R {
    let (owner, group) = (id(cx, args.at(0))?, id(cx, args.at(1))?);
    each(cx, args.from(2), |p| fs::chown(p, owner, group))
}

/// `File.lchown(owner, group, *paths) → integer`: like `chown`, but for symbolic links themselves.
pub fn lchown(cx: &mut Cx, args: Args) -> R {
    let (owner, group) = (id(cx, args.at(0))?, id(cx, args.at(1))?);
    each(cx, args.from(2), |p| fs::lchown(p, owner, group))
}

fn two(cx: &mut Cx, args: Args, function: &str, what: impl Fn(&[u8], &[u8]) -> host::Result<()>) -> R {
    let (from, to) = (path_bytes(cx, args.at(0))?, path_bytes(cx, args.at(1))?);
    match what(&from, &to) {
        Ok(()) => Ok(Value::fixnum(0)),
        // As in CRuby, from the function that finds that out.
        Err(errno) if errno.name() == Some("EEXIST") => Err(failed(cx, errno, "syserr_fail2_in", &to)),
        Err(errno) => {
            let both = format!("({}, {})", memory::lossy_text(&from), memory::lossy_text(&to));
            Err(failed(cx, errno, function, both.as_bytes()))
        }
    }
}

/// `File.rename(from, to) → 0`: renames a file, replacing a file with the new name. SystemCallError if that fails, for
/// instance between file systems.
pub fn rename(cx: &mut Cx, args: Args) -> R {
    two(cx, args, "rb_file_s_rename", fs::rename)
}

/// `File.link(target, name) → 0`: gives a file an additional name (a hard link). SystemCallError if the name exists.
pub fn link(cx: &mut Cx, args: Args) -> R {
    two(cx, args, "rb_file_s_link", fs::link)
}

/// `File.symlink(target, name) → 0`: creates a symbolic link; `target` is stored unchanged and need not exist.
/// SystemCallError if the name exists.
pub fn symlink(cx: &mut Cx, args: Args) -> R {
    two(cx, args, "rb_file_s_symlink", fs::symlink)
}

/// `File.truncate(path, length) → 0`: truncates a file to `length` bytes, or extends it with zero bytes.
/// SystemCallError if that fails.
pub fn truncate(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i64(cx, args.at(1))?;
    let p = path_bytes(cx, args.at(0))?;
    match fs::truncate(&p, length) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(failed(cx, errno, "rb_file_s_truncate", &p)),
    }
}

/// `File.mkfifo(path, mode = 0666) → 0`: creates a named pipe with the permissions of `mode` minus those of the umask.
/// SystemCallError if the name exists.
pub fn mkfifo(cx: &mut Cx, args: Args) -> R {
    let mode = match args.opt(1) {
        Some(v) => convert::to_i64(cx, v)? as u32,
        None => 0o666,
    };
    let p = path_bytes(cx, args.at(0))?;
    match fs::mkfifo(&p, mode) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(failed(cx, errno, "rb_file_s_mkfifo", &p)),
    }
}

fn file_time(cx: &mut Cx, v: Value) -> R<FileTime> {
    if v.is_nil() {
        return Ok(FileTime::Now);
    }
    let nsec = object::symbol::table::intern_text(cx, "nsec");
    let (seconds, nanoseconds) = if let Some(nanoseconds) = call::send_if_responds(cx, v, nsec, &[])? {
        let seconds = call::send(cx, v, runtime::sym::TO_I, &[])?;
        (convert::to_i64(cx, seconds)?, convert::to_i64(cx, nanoseconds)?)
    } else if convert::is_integer(v) {
        (convert::to_i64(cx, v)?, 0)
    } else {
        let f = convert::to_f64(cx, v)?;
        let seconds = f.floor();
        (seconds as i64, ((f - seconds) * 1e9) as i64)
    };
    Ok(FileTime::At(host::Timespec { seconds, nanoseconds: nanoseconds as u32 }))
}

fn set_times(cx: &mut Cx, args: Args, follow: bool) -> R {
    let (accessed, modified) = (file_time(cx, args.at(0))?, file_time(cx, args.at(1))?);
    each(cx, args.from(2), |p| fs::set_times(p, accessed, modified, follow))
}

/// `File.utime(accessed, modified, *paths) → integer`: sets the times of access and modification, numbers of seconds or
/// Times; nil means now. Returns the number of files; SystemCallError at the first failure.
pub fn utime(cx: &mut Cx, args: Args) -> R {
    set_times(cx, args, true)
}

/// `File.lutime(accessed, modified, *paths) → integer`: like `utime`, but for symbolic links themselves.
pub fn lutime(cx: &mut Cx, args: Args) -> R {
    set_times(cx, args, false)
}

/// `File.umask(mask = nil) → integer`: the permission bits removed from new files; with `mask` it sets them and returns
/// the previous ones.
pub fn umask(cx: &mut Cx, args: Args) -> R {
    let old = match args.opt(0) {
        Some(mask) => {
            let mask = convert::to_i32(cx, mask)? as u32;
            fs::set_umask(mask & 0o777)
        }
        None => fs::umask(),
    };
    Ok(Value::fixnum(old as i64))
}

/// `size → integer`: the length in bytes, after buffered output is written. IOError after closing.
pub fn size(cx: &mut Cx, args: Args) -> R {
    data::flush(cx, args.me())?;
    let fd = fd_of(cx, args.me())?;
    match fs::fstat(fd) {
        Ok(stat) => Ok(Value::fixnum(stat.size as i64)),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// `flock(operation) → 0 or false`: acquires or releases the lock of the whole file, according to one of the LOCK_
/// constants. It waits for the lock; with LOCK_NB it returns false instead. SystemCallError for other failures.
pub fn flock(cx: &mut Cx, args: Args) -> R {
    let operation = convert::to_i32(cx, args.at(0))?;
    data::flush(cx, args.me())?;
    let fd = fd_of(cx, args.me())?;
    loop {
        match blocking(cx, || fs::flock(fd, operation)) {
            Ok(()) => return Ok(Value::fixnum(0)),
            Err(errno) if is_interrupted(errno) => runtime::concurrency::pending::check_blocking(cx)?,
            Err(errno) if errno.would_block() && operation & 4 != 0 => return Ok(Value::FALSE),
            Err(errno) => {
                let p = data::path_text(data::open_data(cx, args.me())?.path);
                return Err(cx.system_error(errno, &p));
            }
        }
    }
}

/// `truncate(length) → 0`: truncates the open file to `length` bytes, or extends it with zero bytes. IOError unless it
/// is open for writing.
pub fn truncate_open(cx: &mut Cx, args: Args) -> R {
    let length = convert::to_i64(cx, args.at(0))?;
    // `writer` drops buffered input, which the truncation may remove from the file.
    data::writer(cx, args.me())?;
    data::flush(cx, args.me())?;
    let fd = fd_of(cx, args.me())?;
    match fs::ftruncate(fd, length) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => {
            let p = data::path_text(data::open_data(cx, args.me())?.path);
            Err(cx.system_error(errno, &p))
        }
    }
}

/// `chmod(mode) → 0`: sets the permission bits of the open file. SystemCallError if that fails.
pub fn chmod_open(cx: &mut Cx, args: Args) -> R {
    let mode = convert::to_i64(cx, args.at(0))? as u32;
    let fd = fd_of(cx, args.me())?;
    fs::fchmod(fd, mode).map(|()| Value::fixnum(0)).map_err(|e| cx.system_error(e, ""))
}

/// `chown(owner, group) → 0`: sets the owner and the group of the open file by number; nil or -1 leaves that id
/// unchanged.
pub fn chown_open(cx: &mut Cx, args: Args) -> R {
    let (owner, group) = (id(cx, args.at(0))?, id(cx, args.at(1))?);
    let fd = fd_of(cx, args.me())?;
    fs::fchown(fd, owner, group).map(|()| Value::fixnum(0)).map_err(|e| cx.system_error(e, ""))
}

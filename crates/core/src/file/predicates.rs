//! Predicates of files such as File.exist?, shared with FileTest.

use host::fs::{self, FileKind, Identity, Stat};
use object::bigint::from_u64 as bigint_u64;
use object::{native, string::Str};
use runtime::{Args, Cx, Method, R, Value};

use crate::io::{data::IoData, path};

pub const METHODS: &[Method] = &[
    Method::new("exist?(path)", exists).borrows(0),
    Method::new("file?(path)", is_file).borrows(0),
    Method::new("directory?(path)", is_directory).borrows(0),
    Method::new("symlink?(path)", is_symlink).borrows(0),
    Method::new("pipe?(path)", is_pipe).borrows(0),
    Method::new("socket?(path)", is_socket).borrows(0),
    Method::new("blockdev?(path)", is_block_device).borrows(0),
    Method::new("chardev?(path)", is_character_device).borrows(0),
    Method::new("readable?(path)", is_readable).borrows(0),
    Method::new("writable?(path)", is_writable).borrows(0),
    Method::new("executable?(path)", is_executable).borrows(0),
    Method::new("readable_real?(path)", is_really_readable).borrows(0),
    Method::new("writable_real?(path)", is_really_writable).borrows(0),
    Method::new("executable_real?(path)", is_really_executable).borrows(0),
    Method::new("world_readable?(path)", is_world_readable).borrows(0),
    Method::new("world_writable?(path)", is_world_writable).borrows(0),
    Method::new("size(path)", size).borrows(0),
    Method::new("size?(path)", has_size).borrows(0),
    Method::new("zero?(path)", is_empty).borrows(0),
    Method::new("empty?(path)", is_empty).borrows(0),
    Method::new("owned?(path)", is_owned).borrows(0),
    Method::new("grpowned?(path)", is_group_owned).borrows(0),
    Method::new("setuid?(path)", is_setuid).borrows(0),
    Method::new("setgid?(path)", is_setgid).borrows(0),
    Method::new("sticky?(path)", is_sticky).borrows(0),
    Method::new("identical?(first, second)", is_identical).borrows(0).borrows(1),
];

/// The status of a path or of an open stream.
pub fn status_of(cx: &mut Cx, v: Value) -> R<Result<Stat, (host::Errno, Vec<u8>)>> {
    if let Some(data) = native::get::<IoData>(&v) {
        if let Some(fd) = data.fd {
            return Ok(fs::fstat(fd).map_err(|e| (e, Vec::new())));
        }
        crate::io::data::open_data(cx, v)?;
    }
    if !object::cell::is(v, abi::Type::String)
        && let Some(io) = runtime::call::send_if_responds(cx, v, runtime::sym::TO_IO, &[])?
        && let Some(data) = native::get::<IoData>(&io)
        && let Some(fd) = data.fd
    {
        return Ok(fs::fstat(fd).map_err(|e| (e, Vec::new())));
    }
    let p = path::path_of(cx, v)?;
    Ok(fs::stat(Str::of(p).bytes(cx)).map_err(|e| (e, Str::of(p).to_vector())))
}

fn test(cx: &mut Cx, args: Args, question: impl FnOnce(&Stat) -> bool) -> R {
    Ok(Value::bool(status_of(cx, args.at(0))?.is_ok_and(|s| question(&s))))
}

/// `exist?(path) → true or false`: whether a file of any kind exists, following symbolic links. It takes a path or an
/// open stream; a failing lookup means false, here and in the predicates below.
fn exists(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |_| true)
}

/// `file?(path) → true or false`: whether it is a regular file, following symbolic links.
fn is_file(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.is(FileKind::File))
}

/// `directory?(path)`, `Dir.exist?(path) → true or false`: whether it is a directory, following symbolic links.
pub fn is_directory(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.is(FileKind::Directory))
}

/// `symlink?(path) → true or false`: whether the path itself is a symbolic link, also one without a target.
fn is_symlink(cx: &mut Cx, args: Args) -> R {
    let p = path::path_of(cx, args.at(0))?;
    Ok(Value::bool(fs::lstat(Str::of(p).bytes(cx)).is_ok_and(|s| s.mode & 0o170000 == 0o120000)))
}

fn kind(cx: &mut Cx, args: Args, bits: u32) -> R {
    test(cx, args, |s| s.mode & 0o170000 == bits)
}

/// `pipe?(path) → true or false`: whether it is a pipe, named or unnamed.
fn is_pipe(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o010000)
}

/// `socket?(path) → true or false`: whether it is a socket.
fn is_socket(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o140000)
}

/// `blockdev?(path) → true or false`: whether it is a block device.
fn is_block_device(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o060000)
}

/// `chardev?(path) → true or false`: whether it is a character device, such as a terminal.
fn is_character_device(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o020000)
}

fn access(cx: &mut Cx, args: Args, wanted: i32, effective: bool) -> R {
    let p = path::path_of(cx, args.at(0))?;
    Ok(Value::bool(fs::access(Str::of(p).bytes(cx), wanted, effective).is_ok()))
}

/// `readable?(path) → true or false`: whether the process may read it, by its effective user and group.
fn is_readable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_READ, true)
}

/// `writable?(path) → true or false`: whether the process may write it, by its effective user and group.
fn is_writable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_WRITE, true)
}

/// `executable?(path) → true or false`: whether the process may execute or search it, by its effective user and group.
fn is_executable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_EXECUTE, true)
}

/// `readable_real?(path) → true or false`: whether the process may read it, by its real user and group.
fn is_really_readable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_READ, false)
}

/// `writable_real?(path) → true or false`: whether the process may write it, by its real user and group.
fn is_really_writable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_WRITE, false)
}

/// `executable_real?(path) → true or false`: whether the process may execute or search it, by its real user and group.
fn is_really_executable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_EXECUTE, false)
}

fn world(cx: &mut Cx, args: Args, bit: u32) -> R {
    Ok(match status_of(cx, args.at(0))? {
        Ok(s) if s.mode & bit != 0 => Value::fixnum((s.mode & 0o777) as i64),
        _ => Value::NIL,
    })
}

/// `world_readable?(path) → integer or nil`: the permission bits if users other than the owner and the group may read
/// it, otherwise nil.
fn is_world_readable(cx: &mut Cx, args: Args) -> R {
    world(cx, args, 0o4)
}

/// `world_writable?(path) → integer or nil`: the permission bits if users other than the owner and the group may write
/// it, otherwise nil.
fn is_world_writable(cx: &mut Cx, args: Args) -> R {
    world(cx, args, 0o2)
}

/// `size(path) → integer`: the length in bytes. SystemCallError if the file does not exist.
fn size(cx: &mut Cx, args: Args) -> R {
    match status_of(cx, args.at(0))? {
        Ok(s) => Ok(bigint_u64(cx, s.size)),
        Err((errno, p)) => Err(path::failed(cx, errno, "rb_file_s_size", &p)),
    }
}

/// `size?(path) → integer or nil`: the length in bytes; nil if it is 0 or the file does not exist.
fn has_size(cx: &mut Cx, args: Args) -> R {
    Ok(match status_of(cx, args.at(0))? {
        Ok(s) if s.size > 0 => bigint_u64(cx, s.size),
        _ => Value::NIL,
    })
}

/// `zero?(path)`, `empty?(path) → true or false`: whether it exists with a length of 0.
fn is_empty(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.size == 0)
}

/// `owned?(path) → true or false`: whether the effective user of the process owns it.
fn is_owned(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_owned)
}

/// `grpowned?(path) → true or false`: whether its group is one of the process's groups.
fn is_group_owned(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_group_owned)
}

/// `setuid?(path) → true or false`: whether its set-user-ID bit is set.
fn is_setuid(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_setuid)
}

/// `setgid?(path) → true or false`: whether its set-group-ID bit is set.
fn is_setgid(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_setgid)
}

/// `sticky?(path) → true or false`: whether the sticky bit is set.
fn is_sticky(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_sticky)
}

/// `identical?(first, second) → true or false`: whether both are the same file, by device and inode; false if one does
/// not exist.
fn is_identical(cx: &mut Cx, args: Args) -> R {
    let (Ok(a), Ok(b)) = (status_of(cx, args.at(0))?, status_of(cx, args.at(1))?) else { return Ok(Value::FALSE) };
    Ok(Value::bool(a.device == b.device && a.inode == b.inode))
}

/// Whether a status grants the process the permission `wanted`, by its effective or its real ids.
pub fn allows(stat: &Stat, wanted: u32, effective: bool) -> bool {
    stat.allows(wanted, if effective { Identity::Effective } else { Identity::Real })
}

//! Questions about files: File.exist? and its like, which FileTest has too.

use host::fs::{self, FileKind, Identity, Stat};
use object::bigint::from_u64 as bigint_u64;
use object::{native, string::Str};
use runtime::{Args, Cx, Method, R, Value};

use crate::io::{data::IoData, path};

pub const METHODS: &[Method] = &[
    Method::new("exist?(path)", exists),
    Method::new("file?(path)", is_file),
    Method::new("directory?(path)", is_directory),
    Method::new("symlink?(path)", is_symlink),
    Method::new("pipe?(path)", is_pipe),
    Method::new("socket?(path)", is_socket),
    Method::new("blockdev?(path)", is_block_device),
    Method::new("chardev?(path)", is_character_device),
    Method::new("readable?(path)", is_readable),
    Method::new("writable?(path)", is_writable),
    Method::new("executable?(path)", is_executable),
    Method::new("readable_real?(path)", is_really_readable),
    Method::new("writable_real?(path)", is_really_writable),
    Method::new("executable_real?(path)", is_really_executable),
    Method::new("world_readable?(path)", is_world_readable),
    Method::new("world_writable?(path)", is_world_writable),
    Method::new("size(path)", size),
    Method::new("size?(path)", has_size),
    Method::new("zero?(path)", is_empty),
    Method::new("empty?(path)", is_empty),
    Method::new("owned?(path)", is_owned),
    Method::new("grpowned?(path)", is_group_owned),
    Method::new("setuid?(path)", is_setuid),
    Method::new("setgid?(path)", is_setgid),
    Method::new("sticky?(path)", is_sticky),
    Method::new("identical?(first, second)", is_identical),
];

/// The status of a path or of an open stream.
pub fn status_of(cx: &mut Cx, v: Value) -> R<Result<Stat, (host::Errno, Vec<u8>)>> {
    if let Some(data) = native::get::<IoData>(v) {
        if let Some(fd) = data.fd {
            return Ok(fs::fstat(fd).map_err(|e| (e, Vec::new())));
        }
        crate::io::data::open_data(cx, v)?;
    }
    if !object::cell::is(v, abi::Type::String)
        && let Some(io) = runtime::call::send_if_responds(cx, v, runtime::sym::TO_IO, &[])?
        && let Some(data) = native::get::<IoData>(io)
        && let Some(fd) = data.fd
    {
        return Ok(fs::fstat(fd).map_err(|e| (e, Vec::new())));
    }
    let p = path::path_of(cx, v)?;
    Ok(fs::stat(Str::of(p).bytes()).map_err(|e| (e, Str::of(p).bytes().to_vec())))
}

fn test(cx: &mut Cx, args: Args, question: impl FnOnce(&Stat) -> bool) -> R {
    Ok(Value::bool(status_of(cx, args.at(0))?.is_ok_and(|s| question(&s))))
}

fn exists(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |_| true)
}

fn is_file(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.is(FileKind::File))
}

pub fn is_directory(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.is(FileKind::Directory))
}

fn is_symlink(cx: &mut Cx, args: Args) -> R {
    let p = path::path_of(cx, args.at(0))?;
    Ok(Value::bool(fs::lstat(Str::of(p).bytes()).is_ok_and(|s| s.mode & 0o170000 == 0o120000)))
}

fn kind(cx: &mut Cx, args: Args, bits: u32) -> R {
    test(cx, args, |s| s.mode & 0o170000 == bits)
}

fn is_pipe(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o010000)
}

fn is_socket(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o140000)
}

fn is_block_device(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o060000)
}

fn is_character_device(cx: &mut Cx, args: Args) -> R {
    kind(cx, args, 0o020000)
}

fn access(cx: &mut Cx, args: Args, wanted: i32, effective: bool) -> R {
    let p = path::path_of(cx, args.at(0))?;
    Ok(Value::bool(fs::access(Str::of(p).bytes(), wanted, effective).is_ok()))
}

fn is_readable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_READ, true)
}

fn is_writable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_WRITE, true)
}

fn is_executable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_EXECUTE, true)
}

fn is_really_readable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_READ, false)
}

fn is_really_writable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_WRITE, false)
}

fn is_really_executable(cx: &mut Cx, args: Args) -> R {
    access(cx, args, fs::MAY_EXECUTE, false)
}

fn world(cx: &mut Cx, args: Args, bit: u32) -> R {
    Ok(match status_of(cx, args.at(0))? {
        Ok(s) if s.mode & bit != 0 => Value::fixnum((s.mode & 0o777) as i64),
        _ => Value::NIL,
    })
}

fn is_world_readable(cx: &mut Cx, args: Args) -> R {
    world(cx, args, 0o4)
}

fn is_world_writable(cx: &mut Cx, args: Args) -> R {
    world(cx, args, 0o2)
}

fn size(cx: &mut Cx, args: Args) -> R {
    match status_of(cx, args.at(0))? {
        Ok(s) => Ok(bigint_u64(cx, s.size)),
        Err((errno, p)) => Err(path::failed(cx, errno, "rb_file_s_size", &p)),
    }
}

fn has_size(cx: &mut Cx, args: Args) -> R {
    Ok(match status_of(cx, args.at(0))? {
        Ok(s) if s.size > 0 => bigint_u64(cx, s.size),
        _ => Value::NIL,
    })
}

fn is_empty(cx: &mut Cx, args: Args) -> R {
    test(cx, args, |s| s.size == 0)
}

fn is_owned(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_owned)
}

fn is_group_owned(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_group_owned)
}

fn is_setuid(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_setuid)
}

fn is_setgid(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_setgid)
}

fn is_sticky(cx: &mut Cx, args: Args) -> R {
    test(cx, args, Stat::is_sticky)
}

fn is_identical(cx: &mut Cx, args: Args) -> R {
    let (Ok(a), Ok(b)) = (status_of(cx, args.at(0))?, status_of(cx, args.at(1))?) else { return Ok(Value::FALSE) };
    Ok(Value::bool(a.device == b.device && a.inode == b.inode))
}

/// What permission a status gives, by effective or real ids.
pub fn allows(stat: &Stat, wanted: u32, effective: bool) -> bool {
    stat.allows(wanted, if effective { Identity::Effective } else { Identity::Real })
}

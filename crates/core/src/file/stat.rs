//! File::Stat, and the timestamp methods of File.

use heap::Trace;
use host::fs::{self, FileKind, Stat};
use object::{
    bigint::from_u64,
    native::{self, NativeData},
    string::Str,
    symbol::table::intern_text,
};
use runtime::{Args, Cx, Known, Method, R, Value, call, convert, define, make};

use super::predicates;
use crate::io::{
    data::{self, fd_of},
    path::{failed, path_bytes},
};

#[derive(Trace)]
pub struct StatData(#[trace(skip)] Option<Stat>);

impl NativeData for StatData {
    object::one_vtable!(StatData);
}

const METHODS: &[Method] = &[
    Method::new("initialize(path)", initialize).private(),
    Method::new("initialize_copy(other)", initialize_copy).private(),
    Method::new("__number(index)", number).private(),
    Method::new("__stored?", is_stored).private(),
    Method::new("__time(index)", time_of).private(),
    Method::new("__allows(wanted, effective)", allows).private(),
    Method::new("ftype", kind_name),
];

const SINGLETON: &[Method] = &[Method::new("allocate", allocate), Method::new("__of_descriptor(fd)", of_descriptor)];

pub fn define(cx: &mut Cx, file: Value) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, file, "Stat", object);
    cx.set_root(runtime::Root::FileStat, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
}

/// A File::Stat with a status, or without one.
pub fn with(cx: &mut Cx, stat: Option<Stat>) -> Value {
    let class = cx.root(runtime::Root::FileStat);
    native::new(cx, class, Box::new(StatData(stat)))
}

/// `File::Stat.allocate → stat`: without a status; its methods raise TypeError until `initialize`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), Box::new(StatData(None))))
}

/// `initialize(path) → nil`: reads the status of a path, following symbolic links. SystemCallError if it does not
/// exist.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    match fs::stat(&p) {
        Ok(stat) => {
            if let Some(data) = native::get_mut::<StatData>(cx, args.me()) {
                data.0 = Some(stat);
            }
            Ok(Value::NIL)
        }
        Err(errno) => Err(failed(cx, errno, "rb_stat_init", &p)),
    }
}

/// `initialize_copy(other) → self`: copies the status of another File::Stat.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    crate::object::copy::initialize_copy(cx, args)?;
    let other = native::get::<StatData>(&args.at(0)).and_then(|d| d.0.clone());
    if let Some(data) = native::get_mut::<StatData>(cx, args.me()) {
        data.0 = other;
    }
    Ok(args.me())
}

fn make_stat(cx: &mut Cx, stat: Stat) -> Value {
    let class = cx.root(runtime::Root::FileStat);
    native::new(cx, class, Box::new(StatData(Some(stat))))
}

/// `File::Stat.__of_descriptor(fd) → stat`: the status of an open descriptor, for `IO#stat`. SystemCallError for a bad
/// one.
fn of_descriptor(cx: &mut Cx, args: Args) -> R {
    let fd = host::Fd(convert::to_i32(cx, args.at(0))?);
    match fs::fstat(fd) {
        Ok(stat) => Ok(make_stat(cx, stat)),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

fn own<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a Stat> {
    match native::get::<StatData>(v).and_then(|d| d.0.as_ref()) {
        Some(stat) => Ok(stat),
        None => Err(cx.type_error("uninitialized File::Stat")),
    }
}

/// `__stored? → true or false`: whether there is a status, which `allocate` leaves out.
fn is_stored(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(native::get::<StatData>(args.me_ref()).is_some_and(|data| data.0.is_some())))
}

/// `__number(index) → integer`: the number at an index of the status (0 `dev` … 13 `blocks`); the Ruby half names them.
fn number(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    let n = match convert::to_i64(cx, args.at(0))? {
        0 => s.device,
        1 => s.device_major as u64,
        2 => s.device_minor as u64,
        3 => s.inode,
        4 => s.mode as u64,
        5 => s.links,
        6 => s.owner as u64,
        7 => s.group as u64,
        8 => s.special_device,
        9 => s.special_major as u64,
        10 => s.special_minor as u64,
        11 => s.size,
        12 => s.block_size,
        _ => s.blocks,
    };
    Ok(from_u64(cx, n))
}

/// `__time(index) → time`: 0 is the time of access, 1 of modification, 2 of change, 3 of birth. NotImplementedError if
/// the file system has no time of birth.
fn time_of(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    let t = match convert::to_i64(cx, args.at(0))? {
        0 => Some(s.accessed),
        1 => Some(s.modified),
        2 => Some(s.changed),
        _ => s.born,
    };
    match t {
        Some(t) => time(cx, t),
        None => Err(cx.not_implemented("birthtime is unimplemented on this filesystem")),
    }
}

/// `__allows(wanted, effective) → true or false`: whether the permission bits and the owner give the process the
/// permission `wanted`, by its effective or its real ids.
fn allows(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    let wanted = convert::to_i64(cx, args.at(0))? as u32;
    Ok(Value::bool(predicates::allows(s, wanted, args.at(1).truthy())))
}

/// `ftype → string`: the kind of file: `file`, `directory`, `characterSpecial`, `blockSpecial`, `fifo`, `link`,
/// `socket` or `unknown`.
fn kind_name(cx: &mut Cx, args: Args) -> R {
    let name = own(cx, args.me_ref())?.kind().map_or("unknown", FileKind::name);
    Ok(make::text(cx, name))
}

/// The Time of a system timestamp.
pub fn time(cx: &mut Cx, t: host::Timespec) -> R {
    let class = cx.class(Known::Time);
    let at = intern_text(cx, "at");
    let unit = intern_text(cx, "nsec").value();
    let seconds = object::bigint::from_i64(cx, t.seconds);
    call::send_core(cx, class, at, &[seconds, Value::fixnum(t.nanoseconds as i64), unit])
}

/// `File.stat(path) → stat`: the status of a path, following symbolic links, or of an open stream. SystemCallError if
/// it does not exist.
pub fn stat(cx: &mut Cx, args: Args) -> R {
    match predicates::status_of(cx, args.at(0))? {
        Ok(stat) => Ok(make_stat(cx, stat)),
        Err((errno, p)) => Err(failed(cx, errno, "rb_file_s_stat", &p)),
    }
}

/// `File.lstat(path) → stat`: the status of a path; for symbolic links their own. SystemCallError if it does not exist.
pub fn lstat(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    match fs::lstat(&p) {
        Ok(stat) => Ok(make_stat(cx, stat)),
        Err(errno) => Err(failed(cx, errno, "rb_file_s_lstat", &p)),
    }
}

/// `lstat → stat`: the status of the opened path; for a symbolic link its own. SystemCallError if the path no longer
/// exists.
pub fn lstat_open(cx: &mut Cx, args: Args) -> R {
    let p = data::open_data(cx, args.me())?.path;
    let found = match Str::from_value(p) {
        Some(p) => fs::lstat(p.bytes(cx)),
        None => {
            let fd = fd_of(cx, args.me())?;
            fs::fstat(fd)
        }
    };
    match found {
        Ok(stat) => Ok(make_stat(cx, stat)),
        Err(errno) => Err(cx.system_error(errno, &data::path_text(p))),
    }
}

/// `File.ftype(path) → string`: the kind of file as in `File::Stat#ftype`; symbolic links are not followed.
/// SystemCallError if it does not exist.
pub fn ftype(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    match fs::lstat(&p) {
        Ok(stat) => Ok(make::text(cx, stat.kind().map_or("unknown", FileKind::name))),
        Err(errno) => Err(failed(cx, errno, "rb_file_s_ftype", &p)),
    }
}

fn time_at(cx: &mut Cx, args: Args, function: &str, which: fn(&Stat) -> Option<host::Timespec>) -> R {
    match predicates::status_of(cx, args.at(0))? {
        Ok(stat) => match which(&stat) {
            Some(t) => time(cx, t),
            None => Err(cx.not_implemented("birthtime is unimplemented on this filesystem")),
        },
        Err((errno, p)) => Err(failed(cx, errno, function, &p)),
    }
}

/// `File.atime(path) → time`: the time of the last access. SystemCallError if the file does not exist.
pub fn atime(cx: &mut Cx, args: Args) -> R {
    time_at(cx, args, "rb_file_s_atime", |s| Some(s.accessed))
}

/// `File.mtime(path) → time`: the time of the last change of the contents. SystemCallError if the file does not exist.
pub fn mtime(cx: &mut Cx, args: Args) -> R {
    time_at(cx, args, "rb_file_s_mtime", |s| Some(s.modified))
}

/// `File.ctime(path) → time`: the time of the last change of the contents or the status. SystemCallError if the file
/// does not exist.
pub fn ctime(cx: &mut Cx, args: Args) -> R {
    time_at(cx, args, "rb_file_s_ctime", |s| Some(s.changed))
}

/// `File.birthtime(path) → time`: the time when the file was created. SystemCallError if it does not exist,
/// NotImplementedError if the file system does not record it.
pub fn birthtime(cx: &mut Cx, args: Args) -> R {
    time_at(cx, args, "rb_file_s_birthtime", |s| s.born)
}

fn open_time(cx: &mut Cx, args: Args, which: fn(&Stat) -> Option<host::Timespec>) -> R {
    let fd = fd_of(cx, args.me())?;
    let stat = fs::fstat(fd).map_err(|e| cx.system_error(e, ""))?;
    match which(&stat) {
        Some(t) => time(cx, t),
        None => Err(cx.not_implemented("birthtime is unimplemented on this filesystem")),
    }
}

/// `atime → time`: the time of the last access of the open file.
pub fn atime_open(cx: &mut Cx, args: Args) -> R {
    open_time(cx, args, |s| Some(s.accessed))
}

/// `mtime → time`: the time of the last change of the open file's contents.
pub fn mtime_open(cx: &mut Cx, args: Args) -> R {
    open_time(cx, args, |s| Some(s.modified))
}

/// `ctime → time`: the time of the last change of the open file's contents or status.
pub fn ctime_open(cx: &mut Cx, args: Args) -> R {
    open_time(cx, args, |s| Some(s.changed))
}

/// `birthtime → time`: the time when the open file was created. NotImplementedError if the file system does not record
/// it.
pub fn birthtime_open(cx: &mut Cx, args: Args) -> R {
    open_time(cx, args, |s| s.born)
}

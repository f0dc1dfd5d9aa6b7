//! Dir objects: open directories, read entry by entry.

use heap::Trace;
use host::{Fd, fs::Directory};
use object::{
    native::{self, NativeData},
    string::Str,
};
use runtime::{
    Args, Cx, Method, R, Value, call, convert, define,
    error::{self, ErrorClass},
    keys, make,
};
use text::encoding::EncodingId;

use crate::io::path::{failed_in, path_of, with_path};

/// The state of a Dir object.
#[derive(Trace)]
struct Stream {
    /// `None` once closed.
    #[trace(skip)]
    directory: Option<Directory>,
    /// The path that was opened; nil if the stream was created from a descriptor, and before `initialize`.
    path: Value,
    #[trace(skip)]
    encoding: Option<EncodingId>,
}

impl NativeData for Stream {
    object::one_vtable!(Stream);
}

const METHODS: &[Method] = &[
    Method::new("initialize(path, encoding: nil)", initialize).private(),
    Method::new("path", path),
    Method::new("fileno", fileno),
    Method::new("read", read),
    Method::new("children", children),
    Method::new("tell", tell),
    Method::new("seek(position)", seek),
    Method::new("pos=(position)", set_pos),
    Method::new("rewind", rewind),
    Method::new("close", close),
    Method::new("inspect", inspect),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("for_fd(descriptor)", for_fd),
    Method::new("__fchdir(descriptor)", fchdir).private(),
    Method::new("__names(dir)", names).private(),
];

pub fn define(cx: &mut Cx, class: Value) {
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonyms(cx, class, &[("pos", "tell"), ("to_path", "path")]);
}

/// `Dir.allocate → dir`: a closed stream, for `initialize` to open.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let empty = Stream { directory: None, path: Value::NIL, encoding: None };
    Ok(native::new(cx, args.me(), Box::new(empty)))
}

fn any(cx: &mut Cx, v: Value) -> R<&mut Stream> {
    native::get_mut_or::<Stream, _, _>(cx, v, |cx| cx.raise(ErrorClass::IOError, "uninitialized Dir"))
}

fn open(cx: &mut Cx, v: Value) -> R<&mut Directory> {
    if any(cx, v)?.directory.is_none() {
        return Err(cx.raise(ErrorClass::IOError, "closed directory"));
    }
    match &mut any(cx, v)?.directory {
        Some(directory) => Ok(directory),
        None => unreachable!("it was open"),
    }
}

fn encoding_of(cx: &mut Cx, v: Value) -> R<Option<EncodingId>> {
    if v.is_nil() || v.is_undef() { Ok(None) } else { crate::encoding::from_value(cx, v).map(Some) }
}

/// `Dir.new(path, encoding: nil)`: opens a directory; names are read in the encoding. SystemCallError if that fails.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let path = path_of(cx, args.at(0))?;
    let given = keys::get_symbol_text(cx, args.keywords(), "encoding");
    let encoding = encoding_of(cx, given)?;
    let bytes = Str::of(path).to_vector();
    let directory = Directory::open(&bytes).map_err(|errno| {
        let encoding = Str::of(path).encoding();
        failed_in(cx, errno, "dir_initialize", &bytes, encoding)
    })?;
    let path = Str::of(path).dup(cx).value();
    if let Some(stream) = native::get_mut::<Stream>(cx, args.me()) {
        *stream = Stream { directory: Some(directory), path, encoding };
    }
    Ok(Value::NIL)
}

/// `Dir.for_fd(descriptor) → dir`: a stream for an open descriptor, which it owns from then on. SystemCallError for one
/// that is not a directory.
fn for_fd(cx: &mut Cx, args: Args) -> R {
    let fd = Fd(convert::to_i32(cx, args.at(0))?);
    let directory = Directory::from_fd(fd).map_err(|errno| cx.system_error(errno, "fdopendir"))?;
    let stream = Stream { directory: Some(directory), path: Value::NIL, encoding: None };
    Ok(native::new(cx, args.me(), Box::new(stream)))
}

/// `Dir.__fchdir(descriptor) → 0`: makes the directory of an open descriptor the working directory. SystemCallError if
/// that fails.
fn fchdir(cx: &mut Cx, args: Args) -> R {
    let fd = Fd(convert::to_i32(cx, args.at(0))?);
    match host::fs::change_directory_to_fd(fd) {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(cx.system_error(errno, "fchdir")),
    }
}

/// `path → string or nil`: a copy of the path that was opened, also after closing; nil for a directory created from a
/// descriptor.
fn path(cx: &mut Cx, args: Args) -> R {
    let path = any(cx, args.me())?.path;
    Ok(match Str::from_value(path) {
        Some(path) => path.dup(cx).value(),
        None => path,
    })
}

/// `fileno → integer`: the descriptor of the stream. IOError after closing.
fn fileno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(open(cx, args.me())?.fd().0 as i64))
}

/// A name as a String in its encoding, or in `Encoding.default_internal` if that is set and can represent it.
fn name_of(cx: &mut Cx, bytes: &[u8], encoding: Option<EncodingId>) -> Value {
    let encoding = encoding.unwrap_or(cx.vm().default_external);
    let name = make::string(cx, bytes, encoding);
    let Some(internal) = cx.vm().default_internal else { return name };
    if internal == encoding {
        return name;
    }
    let (encode, wanted) = (object::symbol::table::intern_text(cx, "encode"), crate::encoding::object(cx, internal));
    match call::send(cx, name, encode, &[wanted]) {
        Ok(told) => told,
        Err(unwind) => {
            let _ = cx.take_exception(unwind);
            name
        }
    }
}

fn next(cx: &mut Cx, dir: Value) -> R<Option<Vec<u8>>> {
    match open(cx, dir)?.read() {
        Ok(entry) => Ok(entry.map(|entry| entry.name)),
        Err(errno) => Err(cx.system_error(errno, "dir_read")),
    }
}

/// `read → string or nil`: the name of the next entry, including `.` and `..`; nil at the end. IOError after closing.
fn read(cx: &mut Cx, args: Args) -> R {
    let encoding = any(cx, args.me())?.encoding;
    Ok(next(cx, args.me())?.map_or(Value::NIL, |name| name_of(cx, &name, encoding)))
}

/// `children → array`: all names without `.` and `..`, read from the start. IOError after closing.
fn children(cx: &mut Cx, args: Args) -> R {
    let list = make::array(cx, &[]);
    let encoding = any(cx, args.me())?.encoding;
    open(cx, args.me())?.rewind();
    while let Some(name) = next(cx, args.me())? {
        if name != b"." && name != b".." {
            let name = name_of(cx, &name, encoding);
            make::push(cx, list, name);
        }
    }
    Ok(list)
}

/// `Dir.__names(dir) → array`: all names in an open directory, including `.` and `..`; closes it.
fn names(cx: &mut Cx, args: Args) -> R {
    let dir = args.at(0);
    let list = make::array(cx, &[]);
    let encoding = any(cx, dir)?.encoding;
    while let Some(name) = next(cx, dir)? {
        let name = name_of(cx, &name, encoding);
        make::push(cx, list, name);
    }
    any(cx, dir)?.directory.take().map(Directory::close);
    Ok(list)
}

/// `tell → integer`: a position for `seek`, which is not a count of entries. IOError after closing.
fn tell(cx: &mut Cx, args: Args) -> R {
    let place = open(cx, args.me())?.tell();
    Ok(object::bigint::from_i64(cx, place))
}

/// `seek(position) → self`: moves to a position returned by `tell`; others are undefined. IOError after closing.
fn seek(cx: &mut Cx, args: Args) -> R {
    let position = convert::to_i64(cx, args.at(0))?;
    open(cx, args.me())?.seek(position);
    Ok(args.me())
}

/// `pos=(position) → position`: `seek` as an assignment.
fn set_pos(cx: &mut Cx, args: Args) -> R {
    seek(cx, args)?;
    Ok(args.at(0))
}

/// `rewind → self`: the next `read` returns the first entry again. IOError after closing.
fn rewind(cx: &mut Cx, args: Args) -> R {
    open(cx, args.me())?.rewind();
    Ok(args.me())
}

/// `close → nil`: closes the stream; calling it again does nothing.
fn close(cx: &mut Cx, args: Args) -> R {
    match any(cx, args.me())?.directory.take().map(Directory::close) {
        Some(Err(errno)) => Err(cx.system_error(errno, "closedir")),
        _ => Ok(Value::NIL),
    }
}

/// `inspect → string`: the class with the path, `#<Dir:path>`, or, if it was made from a descriptor, with the address.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let class = error::class_name_of(cx, args.me());
    let path = any(cx, args.me())?.path;
    match Str::from_value(path) {
        Some(path) => Ok(with_path(cx, &format!("#<{class}:"), path, ">")),
        None => Ok(make::described(cx, &format!("#<{class}:0x{:016x}>", args.me().0))),
    }
}

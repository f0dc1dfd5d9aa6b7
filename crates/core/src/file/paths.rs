//! Splitting, joining and expanding paths.

use host::Errno;
use memory::{Grow, ToVector};
use object::{array::Arr, cell, string::Str};
use runtime::{Args, Cx, R, Value, convert, make, recursion, sym};
use text::{
    EncodingId,
    path::{self, Environment, ExpandError, MatchFlags},
};

use crate::io::path::{failed, path_bytes, path_of, string};

/// `File.join(*parts) → string`: the parts with one slash between them; arrays count as their elements. ArgumentError
/// for an array that contains itself and for a zero byte.
pub fn join(cx: &mut Cx, args: Args) -> R {
    if args.is_empty() {
        return Ok(make::text(cx, ""));
    }
    let mut out = None;
    for v in args.all() {
        append(cx, *v, &mut out)?;
    }
    let (out, encoding) = out.unwrap_or((Vec::new(), EncodingId::US_ASCII));
    Ok(make::string(cx, &out, encoding))
}

/// A path and its encoding.
type Joined = (Vec<u8>, EncodingId);

fn append(cx: &mut Cx, v: Value, out: &mut Option<Joined>) -> R<()> {
    if cell::is(v, abi::Type::Array) {
        let mut inner: Option<Joined> = None;
        let done = recursion::guard(cx, sym::TO_A, v, Value::NIL, |cx| {
            let mut i = 0;
            while let Some(element) = Arr::of(v).get(i) {
                append(cx, element, &mut inner)?;
                i += 1;
            }
            Ok(())
        })?;
        if done.is_none() {
            return Err(cx.argument_error("recursive array"));
        }
        let (part, encoding) = inner.unwrap_or((Vec::new(), EncodingId::US_ASCII));
        let added = add(out, &part, encoding);
        return added.map_err(|own| crate::string::modify::incompatible(cx, own, encoding));
    }
    if let Some(given) = Str::from_value(v) {
        crate::io::path::check_encoding(cx, given)?;
        if given.contains_byte(0) {
            return Err(cx.argument_error("string contains null byte"));
        }
    }
    let part = path_of(cx, v)?;
    let encoding = Str::of(part).encoding();
    let added = add(out, Str::of(part).bytes(cx), encoding);
    added.map_err(|own| crate::string::modify::incompatible(cx, own, encoding))
}

/// The room for a path that most paths fit in.
const ROOM: usize = 120;

/// The encoding is that of the first part unless that is ASCII and a later one is not. The encoding so far is an error
/// if two parts that are not ASCII have different ones.
fn add(out: &mut Option<Joined>, part: &[u8], encoding: EncodingId) -> Result<(), EncodingId> {
    let Some((path, own)) = out else {
        let mut path = memory::with_capacity(part.len().max(ROOM));
        path.append_slice(part);
        *out = Some((path, encoding));
        return Ok(());
    };
    if *own != encoding {
        match (path.is_ascii(), part.is_ascii()) {
            (true, false) => *own = encoding,
            (false, false) => return Err(*own),
            (true, true) if *own == EncodingId::US_ASCII => *own = encoding,
            _ => {}
        }
    }
    path::join(path, part);
    Ok(())
}

/// A part of a path as a new String in the path's encoding.
fn part(cx: &mut Cx, of: Value, bytes: &[u8]) -> Value {
    let encoding = Str::of(of).encoding();
    make::string(cx, bytes, encoding)
}

/// `File.basename(path, suffix = nil) → string`: the last part of a path; `suffix` is removed from its end, `".*"`
/// removes any extension.
pub fn basename(cx: &mut Cx, args: Args) -> R {
    let suffix = match args.non_nil(1) {
        Some(v) => {
            let suffix = convert::to_str(cx, v)?;
            crate::io::path::check_encoding(cx, suffix)?;
            Some(suffix)
        }
        None => None,
    };
    let p = path_of(cx, args.at(0))?;
    let suffix = suffix.map(|s| s.to_vector());
    if suffix.as_ref().is_some_and(|suffix| suffix.contains(&0)) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let bytes = Str::of(p).held(cx);
    let (name, short) = (path::basename(&bytes, None), path::basename(&bytes, suffix.as_deref()));
    // The last bytes of a character are no suffix.
    let is_whole = text::scan::char_start(Str::of(p).encoding(), name, short.len()) == short.len();
    Ok(part(cx, p, if is_whole { short } else { name }))
}

/// `File.dirname(path, level = 1) → string`: the path without its last `level` parts; `.` if nothing is left.
/// ArgumentError for a negative level.
pub fn dirname(cx: &mut Cx, args: Args) -> R {
    let level = match args.opt(1) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 1,
    };
    if level < 0 {
        return Err(cx.argument_error(&format!("negative level: {level}")));
    }
    let p = path_of(cx, args.at(0))?;
    let bytes = Str::of(p).held(cx);
    Ok(part(cx, p, path::dirname(&bytes, level as usize)))
}

/// `File.extname(path) → string`: the extension with its dot; empty if there is none. A dot at the start of the name
/// does not begin an extension.
pub fn extname(cx: &mut Cx, args: Args) -> R {
    let p = path_of(cx, args.at(0))?;
    let bytes = Str::of(p).held(cx);
    Ok(part(cx, p, path::extname(&bytes)))
}

/// `File.split(path) → array`: `dirname` and `basename` of a path.
pub fn split(cx: &mut Cx, args: Args) -> R {
    let p = path_of(cx, args.at(0))?;
    let bytes = Str::of(p).to_vector();
    let (directory, name) = path::split(&bytes);
    let (directory, name) = (directory.to_vector(), name.to_vector());
    let (directory, name) = (part(cx, p, &directory), part(cx, p, &name));
    Ok(make::array(cx, &[directory, name]))
}

/// `File.path(path) → string`: a copy of the path as a String. TypeError unless it is a String or has `to_path` or
/// `to_str`.
pub fn path(cx: &mut Cx, args: Args) -> R {
    let p = path_of(cx, args.at(0))?;
    Ok(Str::of(p).dup(cx).value())
}

enum Failure {
    System(Errno),
    NoUser(Vec<u8>),
    NoHome,
}

struct Process;

impl Environment for Process {
    type Error = Failure;

    fn current_directory(&mut self) -> Result<Vec<u8>, Failure> {
        host::fs::current_directory().map_err(Failure::System)
    }

    fn home(&mut self, user: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
        match user {
            None => match host::environment::get(b"HOME") {
                Some(home) => Ok(home),
                None => match host::user::user_by_id(host::process::real_user()) {
                    Ok(Some(user)) => Ok(user.home),
                    _ => Err(Failure::NoHome),
                },
            },
            Some(name) => match host::user::user_by_name(name) {
                Ok(Some(user)) => Ok(user.home),
                _ => Err(Failure::NoUser(name.to_vector())),
            },
        }
    }
}

/// The bytes of the absolute path.
pub fn expand(cx: &mut Cx, p: &[u8], base: Option<&[u8]>, tilde: bool) -> R<Vec<u8>> {
    path::expand_path(p, base, tilde, &mut Process).map_err(|e| match e {
        ExpandError::NonAbsoluteHome(None) => cx.argument_error("non-absolute home"),
        ExpandError::NonAbsoluteHome(Some(user)) => {
            cx.argument_error(&format!("non-absolute home of {}", memory::lossy_text(&user)))
        }
        ExpandError::Environment(Failure::System(errno)) => cx.system_error(errno, "getcwd"),
        ExpandError::Environment(Failure::NoUser(name)) => {
            cx.argument_error(&format!("user {} doesn't exist", memory::lossy_text(&name)))
        }
        ExpandError::Environment(Failure::NoHome) => {
            cx.argument_error("couldn't find HOME environment -- expanding '~'")
        }
    })
}

fn expanded(cx: &mut Cx, args: Args, tilde: bool) -> R<(Value, Vec<u8>)> {
    let p = path_of(cx, args.at(0))?;
    let base = match args.non_nil(1) {
        Some(base) => Some(path_bytes(cx, base)?),
        None => None,
    };
    let bytes = Str::of(p).to_vector();
    Ok((p, expand(cx, &bytes, base.as_deref(), tilde)?))
}

/// `File.expand_path(path, base = nil) → string`: the absolute path, relative to `base` or the working directory,
/// without `.` and `..`; `~` and `~user` are home directories. Symbolic links are not resolved.
pub fn expand_path(cx: &mut Cx, args: Args) -> R {
    let (p, bytes) = expanded(cx, args, true)?;
    if Str::of(p).starts_with(b"~") {
        return Ok(crate::io::path::string(cx, &bytes)); // The name of a home directory is the file system's.
    }
    Ok(part(cx, p, &bytes))
}

/// `File.absolute_path(path, base = nil) → string`: like `expand_path`, but `~` has no special meaning.
pub fn absolute_path(cx: &mut Cx, args: Args) -> R {
    let (p, bytes) = expanded(cx, args, false)?;
    Ok(part(cx, p, &bytes))
}

/// `File.absolute_path?(path) → true or false`: whether the path begins with a slash; `~` does not make it absolute.
pub fn is_absolute(cx: &mut Cx, args: Args) -> R {
    let p = path_of(cx, args.at(0))?;
    Ok(Value::bool(path::is_absolute(Str::of(p).bytes(cx))))
}

/// `File.realpath(path, base = nil) → string`: the absolute path without symbolic links. SystemCallError unless all
/// parts exist.
pub fn realpath(cx: &mut Cx, args: Args) -> R {
    let (_, bytes) = expanded_unresolved(cx, args)?;
    match host::fs::realpath(&bytes) {
        Ok(found) => Ok(string(cx, &found)),
        // A link to what has no path, such as `/proc/self/fd/3` of a pipe: the path of the link.
        Err(errno) if errno.name() == Some("ENOENT") && host::fs::stat(&bytes).is_ok() => {
            let (directory, name) = path::split(&bytes);
            match host::fs::realpath(directory) {
                Ok(mut found) => {
                    path::join(&mut found, name);
                    Ok(string(cx, &found))
                }
                Err(errno) => Err(failed(cx, errno, "rb_check_realpath_internal", &bytes)),
            }
        }
        // Behind a file may come `.`, `..` or a slash.
        Err(errno) if errno.name() == Some("ENOTDIR") => match by_component(&bytes) {
            Ok(found) => Ok(string(cx, &found)),
            Err(errno) => Err(failed(cx, errno, "realpath_rec", &bytes)),
        },
        Err(errno) => Err(failed(cx, errno, "rb_check_realpath_internal", &bytes)),
    }
}

/// The path with each component resolved; `..` leaves whatever precedes it.
fn by_component(bytes: &[u8]) -> host::Result<Vec<u8>> {
    let mut found = b"/".to_vector();
    for part in bytes.split(|b| *b == b'/') {
        match part {
            b"" | b"." => {}
            b".." => found = path::split(&found).0.to_vector(),
            name => {
                path::join(&mut found, name);
                found = host::fs::realpath(&found)?;
            }
        }
    }
    Ok(found)
}

/// The path with its base prepended, keeping `..`, because it may follow a symbolic link.
fn expanded_unresolved(cx: &mut Cx, args: Args) -> R<(Value, Vec<u8>)> {
    let p = path_of(cx, args.at(0))?;
    let mut bytes = Str::of(p).to_vector();
    if let Some(base) = args.non_nil(1)
        && !path::is_absolute(&bytes)
    {
        let mut joined = path_bytes(cx, base)?;
        path::join(&mut joined, &bytes);
        bytes = joined;
    }
    Ok((p, bytes))
}

/// How many symbolic links in a row `realdirpath` follows, as many as Linux does.
const MOST_LINKS: usize = 40;

/// `File.realdirpath(path, base = nil) → string`: like `realpath`, but the last part need not exist.
pub fn realdirpath(cx: &mut Cx, args: Args) -> R {
    let (_, bytes) = expanded_unresolved(cx, args)?;
    if let Ok(found) = host::fs::realpath(&bytes) {
        return Ok(string(cx, &found));
    }
    let mut bytes = expand(cx, &bytes, None, false)?;
    for _ in 0..MOST_LINKS {
        let (directory, name) = path::split(&bytes);
        let mut found = match host::fs::realpath(directory) {
            Ok(found) => found,
            Err(errno) => return Err(failed(cx, errno, "realpath_rec", directory)),
        };
        let mut last = found.clone();
        path::join(&mut last, name);
        // For a link whose target does not exist, the result is the path of the target.
        let Ok(target) = host::fs::readlink(&last) else { return Ok(string(cx, &last)) };
        path::join(&mut found, &target);
        bytes = if path::is_absolute(&target) { target } else { found };
    }
    Err(failed(cx, Errno::TOO_MANY_LINKS, "realpath_rec", &bytes))
}

/// `File.fnmatch(pattern, path, flags = 0) → true or false`: whether a path matches a glob pattern; the file system is
/// not accessed. `flags` are those of File::Constants, FNM_EXTGLOB adds braces. Alias: `fnmatch?`.
pub fn fnmatch(cx: &mut Cx, args: Args) -> R {
    let pattern = args.str(cx, 0)?;
    if pattern.bytes(cx).contains(&0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let p = path_of(cx, args.at(1))?;
    let flags = match args.opt(2) {
        Some(v) => convert::to_i64(cx, v)?,
        None => 0,
    };
    let encoding = pattern.compatible(Str::of(p)).unwrap_or(pattern.encoding());
    let flags_bits = MatchFlags::from_bits(flags);
    if flags & 16 != 0 {
        let mut found = false;
        path::brace_expand(encoding, pattern.bytes(cx), flags & 1 == 0, |one| {
            found = path::fnmatch(encoding, one, Str::of(p).bytes(cx), flags_bits);
            !found
        });
        return Ok(Value::bool(found));
    }
    Ok(Value::bool(path::fnmatch(encoding, pattern.bytes(cx), Str::of(p).bytes(cx), flags_bits)))
}

/// `File.readlink(path) → string`: the target of a symbolic link as it is stored. SystemCallError for another file.
pub fn readlink(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    match host::fs::readlink(&p) {
        Ok(target) => Ok(string(cx, &target)),
        Err(errno) => Err(failed(cx, errno, "rb_readlink", &p)),
    }
}

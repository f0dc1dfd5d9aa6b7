//! Dir: creating and changing directories. Children: `stream` (reading open directories), `glob`.

mod glob;
mod stream;

use host::fs;
use memory::ToVector;
use runtime::{Args, Cx, Known, Method, R, Value, convert, define, internal};

use crate::io::path::{failed, path_bytes, string};

const SINGLETON: &[Method] = &[
    Method::new("mkdir(path, mode = 0777)", mkdir).borrows(0),
    Method::new("rmdir(path)", rmdir).borrows(0),
    Method::new("pwd", pwd),
    Method::new("__chdir(path)", chdir).borrows(0).private(),
    Method::new("__home(user)", home).borrows(0).private(),
    Method::new("__glob(pattern, flags, base, sort)", glob::glob).private(),
    Method::new("exist?(path)", crate::file::predicates::is_directory).borrows(0),
    Method::new("chroot(path)", chroot),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Dir);
    define::define_singleton_methods(cx, class, SINGLETON);
    stream::define(cx, class);
    let singleton = object::class::singleton_class(cx, class);
    define::synonyms(cx, singleton, &[("unlink", "rmdir"), ("delete", "rmdir"), ("getwd", "pwd")]);
}

/// The Ruby half.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("dir/dir")).expect("the Ruby half of Dir runs");
}

/// `Dir.mkdir(path, mode = 0777) → 0`: creates a directory with the permissions of `mode` minus those of the umask.
/// SystemCallError if that fails; missing parents are not created.
fn mkdir(cx: &mut Cx, args: Args) -> R {
    let mode = match args.opt(1) {
        Some(v) => convert::to_i64(cx, v)? as u32,
        None => 0o777,
    };
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::mkdir(&p, mode), "dir_s_mkdir", &p)
}

fn done(cx: &mut Cx, outcome: host::Result<()>, function: &str, path: &[u8]) -> R {
    match outcome {
        Ok(()) => Ok(Value::fixnum(0)),
        Err(errno) => Err(failed(cx, errno, function, path)),
    }
}

/// `Dir.rmdir(path) → 0`: removes an empty directory. SystemCallError if that fails. Aliases: `unlink`, `delete`.
fn rmdir(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::rmdir(&p), "dir_s_rmdir", &p)
}

/// `Dir.chroot(path) → 0`: makes a directory the root of all paths of the process. SystemCallError without the
/// privilege.
fn chroot(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::change_root(&p), "dir_s_chroot", &p)
}

/// `Dir.__chdir(path) → 0`: `Dir.chdir` without its block and its checks, which are in the Ruby half. SystemCallError
/// if that fails.
fn chdir(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::change_directory(&p), "dir_chdir0", &p)
}

/// `Dir.pwd → string`: the path of the working directory. SystemCallError if it is gone. Alias: `getwd`.
fn pwd(cx: &mut Cx, _: Args) -> R {
    match fs::current_directory() {
        Ok(p) => Ok(string(cx, &p)),
        Err(errno) => Err(cx.system_error(errno, "getcwd")),
    }
}

/// `Dir.__home(user) → string`: the home directory of a user, by default `ENV["HOME"]` or the current user's.
/// ArgumentError for an unknown user.
fn home(cx: &mut Cx, args: Args) -> R {
    let p = match args.non_nil(0) {
        None => b"~".to_vector(),
        Some(user) => [b"~".to_vector(), path_bytes(cx, user)?].concat(),
    };
    let out = crate::file::expand(cx, &p, None, true)?;
    Ok(string(cx, &out))
}

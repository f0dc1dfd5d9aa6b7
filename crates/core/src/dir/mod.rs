//! Dir: reading, making and changing directories; `glob`.

mod glob;

use host::fs;
use runtime::{Args, Cx, Known, Method, R, Value, convert, define, internal, make};

use crate::io::path::{failed, path_bytes, string};

const SINGLETON: &[Method] = &[
    Method::new("mkdir(path, mode = 0777)", mkdir),
    Method::new("rmdir(path)", rmdir),
    Method::new("pwd", pwd),
    Method::new("__chdir(path)", chdir).private(),
    Method::new("__names(path)", names).private(),
    Method::new("__home(user)", home).private(),
    Method::new("__glob(pattern, flags, base, sort)", glob::glob).private(),
    Method::new("exist?(path)", crate::file::tests::is_directory),
    Method::new("chroot(path)", chroot),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Dir);
    define::define_singleton_methods(cx, class, SINGLETON);
    let singleton = object::class::singleton_class(cx, class);
    for (new, old) in [("unlink", "rmdir"), ("delete", "rmdir"), ("getwd", "pwd")] {
        define::alias(cx, singleton, new, old);
    }
}

/// The Ruby half.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("dir/dir")).expect("the Ruby half of Dir runs");
}

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

fn rmdir(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::rmdir(&p), "dir_s_rmdir", &p)
}

fn chroot(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::change_root(&p), "dir_s_chroot", &p)
}

fn chdir(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    done(cx, fs::change_directory(&p), "dir_chdir0", &p)
}

fn pwd(cx: &mut Cx, _: Args) -> R {
    match fs::current_directory() {
        Ok(p) => Ok(string(cx, &p)),
        Err(errno) => Err(cx.system_error(errno, "getcwd")),
    }
}

/// All names in a directory, `.` and `..` included.
fn names(cx: &mut Cx, args: Args) -> R {
    let p = path_bytes(cx, args.at(0))?;
    let mut directory = fs::Directory::open(&p).map_err(|e| failed(cx, e, "dir_initialize", &p))?;
    let list = make::array(cx, &[]);
    loop {
        match directory.read() {
            Ok(Some(entry)) => {
                let name = string(cx, &entry.name);
                make::push(cx, list, name);
            }
            Ok(None) => return Ok(list),
            Err(errno) => return Err(failed(cx, errno, "dir_read", &p)),
        }
    }
}

fn home(cx: &mut Cx, args: Args) -> R {
    let p = match args.non_nil(0) {
        None => b"~".to_vec(),
        Some(user) => [b"~".to_vec(), path_bytes(cx, user)?].concat(),
    };
    let out = crate::file::expand(cx, &p, None, true)?;
    Ok(string(cx, &out))
}

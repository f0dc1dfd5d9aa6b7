//! File: paths, predicates, changes to files; File::Stat and File::Constants.

mod changes;
mod paths;
pub use paths::expand;
pub mod predicates;
pub mod stat;

use object::{class, symbol::table::intern_text};
use runtime::{Cx, Known, Method, Value, define};

use crate::io::open;

const METHODS: &[Method] = &[
    Method::new("initialize(*arguments, **options)", open::initialize_file).private(),
    Method::new("size", changes::size),
    Method::new("flock(operation)", changes::flock),
    Method::new("truncate(length)", changes::truncate_open).borrows(0),
    Method::new("chmod(mode)", changes::chmod_open),
    Method::new("chown(owner, group)", changes::chown_open),
    Method::new("lstat", stat::lstat_open),
    Method::new("atime", stat::atime_open),
    Method::new("mtime", stat::mtime_open),
    Method::new("ctime", stat::ctime_open),
    Method::new("birthtime", stat::birthtime_open),
];

const SINGLETON: &[Method] = &[
    Method::new("join(*parts)", paths::join).borrows_all(),
    Method::new("basename(path, suffix = nil)", paths::basename).borrows(0).borrows(1),
    Method::new("dirname(path, level = 1)", paths::dirname).borrows(0),
    Method::new("extname(path)", paths::extname).borrows(0),
    Method::new("split(path)", paths::split).borrows(0),
    Method::new("expand_path(path, base = nil)", paths::expand_path).borrows(0).borrows(1),
    Method::new("absolute_path(path, base = nil)", paths::absolute_path).borrows(0).borrows(1),
    Method::new("absolute_path?(path)", paths::is_absolute).borrows(0),
    Method::new("realpath(path, base = nil)", paths::realpath).borrows(0).borrows(1),
    Method::new("realdirpath(path, base = nil)", paths::realdirpath).borrows(0).borrows(1),
    Method::new("path(path)", paths::path),
    Method::new("fnmatch(pattern, path, flags = 0)", paths::fnmatch).borrows(0).borrows(1),
    Method::new("readlink(path)", paths::readlink).borrows(0),
    Method::new("delete(*paths)", changes::delete).borrows_all(),
    Method::new("rename(from, to)", changes::rename).borrows(0).borrows(1),
    Method::new("link(target, name)", changes::link).borrows(0).borrows(1),
    Method::new("symlink(target, name)", changes::symlink).borrows(0).borrows(1),
    Method::new("chmod(mode, *paths)", changes::chmod).borrows_all(),
    Method::new("lchmod(mode, *paths)", changes::lchmod).borrows_all(),
    Method::new("chown(owner, group, *paths)", changes::chown).borrows_all(),
    Method::new("lchown(owner, group, *paths)", changes::lchown).borrows_all(),
    Method::new("truncate(path, length)", changes::truncate).borrows(0),
    Method::new("mkfifo(path, mode = 0666)", changes::mkfifo).borrows(0),
    Method::new("utime(accessed, modified, *paths)", changes::utime),
    Method::new("lutime(accessed, modified, *paths)", changes::lutime),
    Method::new("umask(mask = nil)", changes::umask),
    Method::new("stat(path)", stat::stat).borrows(0),
    Method::new("lstat(path)", stat::lstat).borrows(0),
    Method::new("atime(path)", stat::atime).borrows(0),
    Method::new("mtime(path)", stat::mtime).borrows(0),
    Method::new("ctime(path)", stat::ctime).borrows(0),
    Method::new("birthtime(path)", stat::birthtime).borrows(0),
    Method::new("ftype(path)", stat::ftype).borrows(0),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::File);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::define_singleton_methods(cx, class, predicates::METHODS);
    let singleton = class::singleton_class(cx, class);
    define::synonym(cx, singleton, "unlink", "delete");
    define::synonym(cx, singleton, "fnmatch?", "fnmatch");
    let constants = define::define_module(cx, class, "Constants");
    let mut rows: Vec<(&str, i64)> = Vec::new();
    rows.extend(host::fs::OPEN_FLAGS.iter().map(|(n, v)| (*n, *v as i64)));
    rows.extend(host::fs::LOCK_OPERATIONS.iter().map(|(n, v)| (*n, *v as i64)));
    rows.extend([
        ("FNM_NOESCAPE", 1),
        ("FNM_PATHNAME", 2),
        ("FNM_DOTMATCH", 4),
        ("FNM_CASEFOLD", 8),
        ("FNM_EXTGLOB", 16),
        ("FNM_SYSCASE", 0),
        ("FNM_SHORTNAME", 0),
    ]);
    for (name, number) in rows {
        let name = intern_text(cx, name);
        define::set_constant(cx, constants, name, Value::fixnum(number));
    }
    for (scope, name, text) in [
        (constants, "NULL", "/dev/null"),
        (class, "SEPARATOR", "/"),
        (class, "Separator", "/"),
        (class, "PATH_SEPARATOR", ":"),
    ] {
        let name = intern_text(cx, name);
        let text = runtime::make::interned(cx, text);
        define::set_constant(cx, scope, name, text);
    }
    let name = intern_text(cx, "ALT_SEPARATOR");
    define::set_constant(cx, class, name, Value::NIL);
    stat::define(cx, class);
    let io = cx.class(Known::Io);
    let _ = object::class::ancestors::include(cx, io, constants);
}

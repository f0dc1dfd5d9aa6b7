//! Etc: users, groups and information about the system.

use abi::Type;
use host::user::{
    CONFIGURATION_NAMES,
    database::{self, Group, User},
    machine,
};
use object::{Known, cell, hash::HashRef, string::Str, symbol::table::intern_text};
use runtime::{Args, Cx, Method, R, Value, convert, define, internal, keys, library, make};
use text::EncodingId;

const SINGLETON: &[Method] = &[
    Method::new("getlogin", getlogin),
    Method::new("nprocessors", nprocessors),
    Method::new("uname", uname),
    Method::new("sysconf(name)", system_configuration),
    Method::new("confstr(name)", configuration_string),
    Method::new("__user(key)", user).private(),
    Method::new("__group(key)", group).private(),
    Method::new("__users", users).private(),
    Method::new("__groups", groups).private(),
];

/// The module functions.
const SHARED: &[&str] = &[
    "confstr", "endgrent", "endpwent", "getgrent", "getgrgid", "getgrnam", "getlogin", "getpwent", "getpwnam",
    "getpwuid", "group", "nprocessors", "passwd", "setgrent", "setpwent", "sysconf", "sysconfdir", "systmpdir",
    "uname",
];

const IO: &[Method] = &[Method::new("pathconf(name)", path_configuration)];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let module = library::module(cx, object, "Etc")?;
    define::define_singleton_methods(cx, module, SINGLETON);
    for (name, number) in CONFIGURATION_NAMES {
        let name = intern_text(cx, name);
        define::set_constant(cx, module, name, Value::fixnum((*number).into()));
    }
    let io = cx.class(Known::Io);
    define::define_methods(cx, io, IO);
    internal::load(cx, runtime::ruby_half!("etc/etc"))?;
    define::share_module_functions(cx, module, SHARED);
    Ok(())
}

/// A number, or nil for "no limit".
fn limit(cx: &mut Cx, found: host::Result<Option<i64>>, function: &str) -> R {
    match found {
        Ok(found) => Ok(found.map_or(Value::NIL, Value::fixnum)),
        Err(errno) => Err(cx.system_error(errno, function)),
    }
}

/// `Etc.sysconf(name) → integer or nil`: sysconf(3) of one of the SC_ constants; nil if there is no limit.
/// SystemCallError for an unknown one.
fn system_configuration(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_i32(cx, args.at(0))?;
    limit(cx, machine::system_configuration(name), "sysconf")
}

/// `Etc.confstr(name) → string or nil`: confstr(3) of one of the CS_ constants; nil if it has no value. SystemCallError
/// for an unknown one.
fn configuration_string(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_i32(cx, args.at(0))?;
    match machine::configuration_string(name) {
        Ok(found) => Ok(found.map_or(Value::NIL, |bytes| text(cx, &bytes))),
        Err(errno) => Err(cx.system_error(errno, "confstr")),
    }
}

/// `pathconf(name) → integer or nil`: fpathconf(3) of one of the PC_ constants; nil if there is no limit.
/// SystemCallError for an unknown one.
fn path_configuration(cx: &mut Cx, args: Args) -> R {
    let name = convert::to_i32(cx, args.at(0))?;
    let fd = core_classes::io::data::fd_of(cx, args.me())?;
    limit(cx, host::fs::fd_limit(fd, name), "fpathconf")
}

fn text(cx: &mut Cx, bytes: &[u8]) -> Value {
    make::string(cx, bytes, EncodingId::UTF_8)
}

fn user_row(cx: &mut Cx, user: &User) -> Value {
    let row = make::array(cx, &[]);
    for bytes in [&user.name, &user.password] {
        let v = text(cx, bytes);
        make::push(cx, row, v);
    }
    make::push(cx, row, Value::fixnum(user.id as i64));
    make::push(cx, row, Value::fixnum(user.group as i64));
    for bytes in [&user.gecos, &user.home, &user.shell] {
        let v = text(cx, bytes);
        make::push(cx, row, v);
    }
    row
}

fn group_row(cx: &mut Cx, group: &Group) -> Value {
    let row = make::array(cx, &[]);
    for bytes in [&group.name, &group.password] {
        let v = text(cx, bytes);
        make::push(cx, row, v);
    }
    make::push(cx, row, Value::fixnum(group.id as i64));
    let members = make::array(cx, &[]);
    make::push(cx, row, members);
    for member in &group.members {
        let v = text(cx, member);
        make::push(cx, members, v);
    }
    row
}

/// `__user(key) → array or nil`: the fields of a user by name or number; the Ruby half makes an Etc::Passwd of them.
fn user(cx: &mut Cx, args: Args) -> R {
    let key = args.at(0);
    let found = if cell::is(key, Type::String) {
        database::user_by_name(Str::of(key).bytes(cx))
    } else {
        database::user_by_id(convert::to_i64(cx, key)? as u32)
    };
    match found {
        Ok(found) => Ok(found.map_or(Value::NIL, |user| user_row(cx, &user))),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// `__group(key) → array or nil`: the fields of a group by name or number; the Ruby half makes an Etc::Group of them.
/// SystemCallError if the database cannot be read.
fn group(cx: &mut Cx, args: Args) -> R {
    let key = args.at(0);
    let found = if cell::is(key, Type::String) {
        database::group_by_name(Str::of(key).bytes(cx))
    } else {
        database::group_by_id(convert::to_i64(cx, key)? as u32)
    };
    match found {
        Ok(found) => Ok(found.map_or(Value::NIL, |group| group_row(cx, &group))),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// `__users → array`: the fields of all users of the database.
fn users(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    for user in database::users() {
        let row = user_row(cx, &user);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `__groups → array`: the fields of all groups of the database.
fn groups(cx: &mut Cx, _: Args) -> R {
    let list = make::array(cx, &[]);
    for group in database::groups() {
        let row = group_row(cx, &group);
        make::push(cx, list, row);
    }
    Ok(list)
}

/// `Etc.getlogin → string or nil`: the name under which the user logged in at the terminal, or `ENV["USER"]`.
fn getlogin(cx: &mut Cx, _: Args) -> R {
    let name = database::login_name().or_else(|| std::env::var("USER").ok().map(String::into_bytes));
    Ok(name.map_or(Value::NIL, |name| text(cx, &name)))
}

/// `Etc.nprocessors → integer`: the number of processors that this process may run on.
fn nprocessors(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(machine::processors() as i64))
}

/// `Etc.uname → hash`: the result of uname(2), with the keys `:sysname`, `:nodename`, `:release`, `:version` and
/// `:machine`.
fn uname(cx: &mut Cx, _: Args) -> R {
    let name = machine::system_name();
    let table = HashRef::new(cx).value();
    let rows = [
        ("sysname", &name.system),
        ("nodename", &name.node),
        ("release", &name.release),
        ("version", &name.version),
        ("machine", &name.machine),
    ];
    for (key, bytes) in rows {
        let key = intern_text(cx, key);
        let v = text(cx, bytes);
        keys::store(cx, table, key.value(), v)?;
    }
    Ok(table)
}

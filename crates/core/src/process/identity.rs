//! The identity of a process: users, groups. Process::UID, GID and Sys are in the Ruby half.

use host::process;
use runtime::{Args, Cx, Method, R, Value, convert, make};

pub const METHODS: &[Method] = &[
    Method::new("uid", uid),
    Method::new("euid", euid),
    Method::new("gid", gid),
    Method::new("egid", egid),
    Method::new("groups", groups),
    Method::new("groups=(list)", set_groups),
    Method::new("initgroups(user, group)", init_groups),
    Method::new("__set_users(real, effective, saved)", set_users).private(),
    Method::new("__set_groups(real, effective, saved)", set_groups_of_process).private(),
    Method::new("__set_user(id)", set_user).private(),
    Method::new("__set_group(id)", set_group).private(),
    Method::new("__user(id)", user).private(),
    Method::new("__group(id)", group).private(),
];

/// `Process.uid → integer`: the real user id.
fn uid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::real_user() as i64))
}

/// `Process.euid → integer`: the effective user id, by which permissions are checked.
fn euid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::effective_user() as i64))
}

/// `Process.gid → integer`: the real group id.
fn gid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::real_group() as i64))
}

/// `Process.egid → integer`: the effective group id, by which permissions are checked.
fn egid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::effective_group() as i64))
}

fn list(cx: &mut Cx, ids: &[u32]) -> Value {
    let list = make::array(cx, &[]);
    for id in ids {
        make::push(cx, list, Value::fixnum(*id as i64));
    }
    list
}

/// `Process.groups → array`: the ids of the supplementary groups.
fn groups(cx: &mut Cx, _: Args) -> R {
    let ids = process::supplementary_groups().map_err(|e| cx.system_error(e, ""))?;
    Ok(list(cx, &ids))
}

/// `Process.groups = list`: sets the supplementary groups by id or name. SystemCallError without the privilege.
fn set_groups(cx: &mut Cx, args: Args) -> R {
    let given = args.arr(cx, 0)?;
    let mut ids = Vec::new();
    let mut i = 0;
    while let Some(v) = given.get(i) {
        ids.push(group_id(cx, v)?);
        i += 1;
    }
    /// The kernel's limit, `Process.maxgroups`.
    const MOST_GROUPS: usize = 65_536;
    if ids.len() > MOST_GROUPS {
        return Err(cx.argument_error(&format!("too many groups, {MOST_GROUPS} max")));
    }
    done(cx, process::set_supplementary_groups(&ids))
}

/// `Process.initgroups(user, group) → array`: sets the supplementary groups to those of a user and an additional one,
/// and returns them. SystemCallError without the privilege.
fn init_groups(cx: &mut Cx, args: Args) -> R {
    let user = args.str(cx, 0)?;
    if user.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let group = group_id(cx, args.at(1))?;
    process::init_groups(user.bytes(cx), group).map_err(|e| cx.system_error(e, ""))?;
    groups(cx, args)
}

fn done(cx: &mut Cx, outcome: host::Result<()>) -> R {
    outcome.map(|()| Value::fixnum(0)).map_err(|e| cx.system_error(e, ""))
}

/// The number of a user or group, given as a number or as a name for `find` to look up.
fn id_of(cx: &mut Cx, v: Value, what: &str, find: fn(&[u8]) -> Option<u32>) -> R<u32> {
    let Some(name) = convert::try_str(cx, v)? else { return Ok(convert::to_i64(cx, v)? as u32) };
    match find(name.bytes(cx)) {
        Some(id) => Ok(id),
        None => {
            let text = name.to_text();
            Err(cx.argument_error(&format!("can't find {what} for {text}")))
        }
    }
}

fn user_id(cx: &mut Cx, v: Value) -> R<u32> {
    id_of(cx, v, "user", |name| Some(host::user::user_by_name(name).ok()??.id))
}

fn group_id(cx: &mut Cx, v: Value) -> R<u32> {
    id_of(cx, v, "group", |name| Some(host::user::group_by_name(name).ok()??.id))
}

/// `__user(id) → integer`: the id of a user given by id or name. ArgumentError for an unknown name.
fn user(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(user_id(cx, args.at(0))? as i64))
}

/// `__group(id) → integer`: the id of a group given by id or name. ArgumentError for an unknown name.
fn group(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(group_id(cx, args.at(0))? as i64))
}

/// -1 leaves an id unchanged.
fn optional(cx: &mut Cx, v: Value) -> R<Option<u32>> {
    let id = convert::to_i64(cx, v)?;
    Ok((id != -1).then_some(id as u32))
}

/// `__set_users(real, effective, saved) → 0`: sets the real, effective and saved user id; nil leaves that id unchanged.
/// SystemCallError without the privilege.
fn set_users(cx: &mut Cx, args: Args) -> R {
    let (real, effective, saved) = (optional(cx, args.at(0))?, optional(cx, args.at(1))?, optional(cx, args.at(2))?);
    done(cx, process::set_users(real, effective, saved))
}

/// `__set_groups(real, effective, saved) → 0`: sets the real, effective and saved group id; nil leaves that id
/// unchanged. SystemCallError without the privilege.
fn set_groups_of_process(cx: &mut Cx, args: Args) -> R {
    let (real, effective, saved) = (optional(cx, args.at(0))?, optional(cx, args.at(1))?, optional(cx, args.at(2))?);
    done(cx, process::set_groups_of_process(real, effective, saved))
}

/// `__set_user(id) → 0`: setuid(2): with the privilege all three user ids, otherwise the effective one. SystemCallError
/// if it is not permitted.
fn set_user(cx: &mut Cx, args: Args) -> R {
    let id = user_id(cx, args.at(0))?;
    done(cx, process::set_user(id))
}

/// `__set_group(id) → 0`: setgid(2): with the privilege all three group ids, otherwise the effective one.
/// SystemCallError if it is not permitted.
fn set_group(cx: &mut Cx, args: Args) -> R {
    let id = group_id(cx, args.at(0))?;
    done(cx, process::set_group(id))
}

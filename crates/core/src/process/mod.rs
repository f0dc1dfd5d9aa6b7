//! Process: starting and waiting for processes, clocks, ids, limits; Process::Status.

mod identity;
pub mod run;
pub mod status;

use host::{clock::Clock, process};
use object::{Sym, bigint, symbol::table::intern_text};
use runtime::{Args, Cx, Known, Method, R, Value, convert, define, internal, make};

pub use status::{last_status, wait_at_close, wait_if_ended};

const METHODS: &[Method] = &[
    Method::new("pid", pid),
    Method::new("ppid", ppid),
    Method::new("clock_gettime(clock, unit = :float_second)", clock_gettime),
    Method::new("clock_getres(clock, unit = :float_second)", clock_getres),
    Method::new("__spawn(environment, arguments, redirects, options)", run::spawn),
    Method::new("__exec(environment, arguments, redirects, options)", run::exec),
    Method::new("__wait(pid, flags)", status::wait),
    Method::new("__forget_status", status::forget),
    Method::new("__kill(pid, signal)", kill),
    Method::new("getpgid(pid)", getpgid),
    Method::new("getpgrp", getpgrp),
    Method::new("setpgid(pid, group)", setpgid),
    Method::new("getsid(pid = 0)", getsid),
    Method::new("setsid", setsid),
    Method::new("__times", times),
    Method::new("__getrlimit(resource)", getrlimit),
    Method::new("__setrlimit(resource, soft, hard)", setrlimit),
    Method::new("getpriority(kind, id)", getpriority),
    Method::new("setpriority(kind, id, priority)", setpriority),
    Method::new("setproctitle(title)", setproctitle),
    Method::new("argv0", argv0),
    Method::new("warmup", warmup),
];

/// The methods of the Ruby half that are module functions.
const SHARED: &[&str] = &[
    "daemon", "detach", "egid=", "euid=", "getrlimit", "gid=", "kill", "maxgroups", "maxgroups=", "setpgrp",
    "setrlimit", "times", "uid=", "wait", "wait2", "waitall", "waitpid", "waitpid2",
];

/// Those of Process::Sys.
const SHARED_BY_SYS: &[&str] = &[
    "getegid", "geteuid", "getgid", "getuid", "issetugid", "setegid", "seteuid", "setgid", "setregid", "setresgid",
    "setresuid", "setreuid", "setrgid", "setruid", "setuid",
];

/// Methods of Process alone.
const SINGLETON: &[Method] = &[
    Method::new("fork { }", run::fork),
    Method::new("exit(status = true)", crate::kernel::control::exit),
    Method::new("abort(message = nil)", crate::kernel::control::abort),
    Method::new("_fork", run::fork_only),
    Method::new("last_status", status::last),
    Method::new("exit!(status = false)", crate::kernel::control::exit_now),
];

pub fn define(cx: &mut Cx) {
    let module = define::class_or_module_named(cx, "Process");
    cx.set_root(runtime::Root::Process, module);
    define::define_module_functions(cx, module, METHODS);
    define::define_singleton_methods(cx, module, SINGLETON);
    define::define_module_functions(cx, module, identity::METHODS);
    let mut rows: Vec<(String, i64)> = Vec::new();
    rows.extend(host::clock::CLOCKS.iter().map(|(n, v)| ((*n).to_string(), *v as i64)));
    rows.extend(process::RESOURCES.iter().map(|(n, v)| (format!("RLIMIT_{n}"), *v as i64)));
    rows.extend(
        [("WNOHANG", 1), ("WUNTRACED", 2), ("PRIO_PROCESS", 0), ("PRIO_PGRP", 1), ("PRIO_USER", 2)]
            .map(|(n, v)| (n.to_string(), v)),
    );
    for (name, number) in rows {
        let name = intern_text(cx, &name);
        define::set_constant(cx, module, name, Value::fixnum(number));
    }
    for name in ["RLIM_INFINITY", "RLIM_SAVED_MAX", "RLIM_SAVED_CUR"] {
        let name = intern_text(cx, name);
        let value = bigint::from_u64(cx, process::UNLIMITED);
        define::set_constant(cx, module, name, value);
    }
    status::define(cx, module);
}

/// Loads the Ruby halves of this class and of those that depend on it.
pub fn load(cx: &mut Cx) {
    internal::load(cx, runtime::ruby_half!("process/process")).expect("the Ruby half of Process runs");
    internal::load(cx, runtime::ruby_half!("process/identity")).expect("the Ruby half of Process runs");
    let module = define::class_or_module_named(cx, "Process");
    define::share_module_functions(cx, module, SHARED);
    let ids = ["change_privilege", "eid", "from_name", "grant_privilege", "re_exchange", "re_exchangeable?", "rid"];
    for name in ["UID", "GID"] {
        let inner = define::define_module(cx, module, name);
        define::share_module_functions(cx, inner, &ids);
        define::share_module_functions(cx, inner, &["sid_available?", "switch"]);
    }
    let system = define::define_module(cx, module, "Sys");
    define::share_module_functions(cx, system, SHARED_BY_SYS);
}

/// `Process.pid → integer`: the id of this process. `$$` is the same.
fn pid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::id() as i64))
}

/// `Process.ppid → integer`: the id of the parent, or of the adopting process if the parent has ended.
fn ppid(_: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(process::parent_id() as i64))
}

fn number(cx: &mut Cx, outcome: host::Result<i32>) -> R {
    outcome.map(|n| Value::fixnum(n as i64)).map_err(|e| cx.system_error(e, ""))
}

fn nothing(cx: &mut Cx, outcome: host::Result<()>) -> R {
    outcome.map(|()| Value::fixnum(0)).map_err(|e| cx.system_error(e, ""))
}

/// `Process.getpgid(pid) → integer`: the process group of a process; 0 means this one. SystemCallError if there is no
/// such process.
fn getpgid(cx: &mut Cx, args: Args) -> R {
    let pid = convert::to_i32(cx, args.at(0))?;
    number(cx, process::group_of(pid))
}

/// `Process.getpgrp → integer`: the process group of this process.
fn getpgrp(cx: &mut Cx, _: Args) -> R {
    number(cx, process::group_of(0))
}

/// `Process.setpgid(pid, group) → 0`: moves a process to a process group; 0 means this process, or a group with its id.
/// SystemCallError if it is not permitted.
fn setpgid(cx: &mut Cx, args: Args) -> R {
    let (pid, group) = (convert::to_i32(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    nothing(cx, process::set_group_of(pid, group))
}

/// `Process.getsid(pid = 0) → integer`: the session of a process; 0 means this one. SystemCallError if there is no such
/// process.
fn getsid(cx: &mut Cx, args: Args) -> R {
    let pid = match args.opt(0) {
        Some(v) => convert::to_i32(cx, v)?,
        None => 0,
    };
    number(cx, process::session_of(pid))
}

/// `Process.setsid → integer`: creates a session and a process group without a terminal, led by this process; returns
/// their id. SystemCallError for the leader of a group.
fn setsid(cx: &mut Cx, _: Args) -> R {
    number(cx, process::new_session())
}

/// `Process.getpriority(kind, id) → integer`: the priority of a process, a group or a user, according to `kind`
/// (PRIO_PROCESS …); a lower number is more urgent.
fn getpriority(cx: &mut Cx, args: Args) -> R {
    let (kind, id) = (convert::to_i32(cx, args.at(0))? as u32, convert::to_i32(cx, args.at(1))? as u32);
    number(cx, process::priority(kind, id))
}

/// `Process.setpriority(kind, id, priority) → 0`: sets the priority of a process, a group or a user. SystemCallError if
/// it is not permitted, such as a lower number without the privilege.
fn setpriority(cx: &mut Cx, args: Args) -> R {
    let (kind, id) = (convert::to_i32(cx, args.at(0))? as u32, convert::to_i32(cx, args.at(1))? as u32);
    let priority = convert::to_i32(cx, args.at(2))?;
    nothing(cx, process::set_priority(kind, id, priority))
}

/// `__getrlimit(resource) → array`: the soft and the hard limit of a resource by its number; names are resolved in the
/// Ruby half. SystemCallError for an unknown one.
fn getrlimit(cx: &mut Cx, args: Args) -> R {
    let resource = convert::to_i32(cx, args.at(0))? as u32;
    let limits = process::limits(resource).map_err(|e| cx.system_error(e, "getrlimit"))?;
    let (soft, hard) = (bigint::from_u64(cx, limits.soft), bigint::from_u64(cx, limits.hard));
    Ok(make::array(cx, &[soft, hard]))
}

fn limit(cx: &mut Cx, v: Value) -> R<u64> {
    let n = convert::to_integer(cx, v)?;
    Ok(bigint::operand(&n).map_or(0, numeric::big::low_u64))
}

/// `__setrlimit(resource, soft, hard) → nil`: sets the soft and the hard limit of a resource by its number.
/// SystemCallError if it is not permitted.
fn setrlimit(cx: &mut Cx, args: Args) -> R {
    let resource = convert::to_i32(cx, args.at(0))? as u32;
    let limits = process::Limits { soft: limit(cx, args.at(1))?, hard: limit(cx, args.at(2))? };
    match process::set_limits(resource, limits) {
        Ok(()) => Ok(Value::NIL),
        Err(errno) => Err(cx.system_error(errno, "setrlimit")),
    }
}

/// `__times → array`: the seconds of user and system time of the process, then of its waited-for children.
fn times(cx: &mut Cx, _: Args) -> R {
    let t = host::clock::processor_times();
    let list = make::array(cx, &[]);
    for time in [t.user, t.system, t.children_user, t.children_system] {
        let seconds = object::float::new(cx, time.as_seconds());
        make::push(cx, list, seconds);
    }
    Ok(list)
}

/// `Process.setproctitle(title) → title`: sets the title shown by `ps`, truncated to the available space; `$0` is not
/// changed.
fn setproctitle(cx: &mut Cx, args: Args) -> R {
    let title = args.str(cx, 0)?;
    if title.contains_byte(0) {
        return Err(cx.argument_error("string contains null byte"));
    }
    let _ = process::set_title(title.bytes(cx));
    Ok(args.at(0))
}

/// `Process.warmup → true`: collects, compacts and releases free memory, for a program that has finished starting.
fn warmup(cx: &mut Cx, _: Args) -> R {
    cx.mem().release_all();
    Ok(Value::TRUE)
}

/// `Process.argv0 → string`: the initial value of `$0`, frozen.
fn argv0(cx: &mut Cx, _: Args) -> R {
    let known = cx.root(runtime::Root::ProcessArgv0);
    if !known.is_nil() {
        return Ok(known);
    }
    let name = cx.root(runtime::Root::ProgramName);
    let Some(name) = object::string::Str::from_value(name) else { return Ok(name) };
    let frozen = name.frozen_dup(cx).value();
    cx.set_root(runtime::Root::ProcessArgv0, frozen);
    Ok(frozen)
}
/// `__kill(pid, signal) → 0`: sends a signal by its number to a process; with a negative number to the process group.
/// SystemCallError if it is not permitted.
fn kill(cx: &mut Cx, args: Args) -> R {
    let (pid, signal) = (convert::to_i32(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    if signal < 0 {
        return nothing(cx, process::kill_group(pid, -signal));
    }
    crate::signal::send(cx, pid, signal)?;
    Ok(Value::fixnum(0))
}

fn clock(cx: &mut Cx, v: Value) -> R<Clock> {
    if let Some(name) = Sym::from_value(v) {
        let text = name.to_text(cx);
        return match Clock::from_symbol(&text) {
            Some(clock) => Ok(clock),
            None => {
                let errno = host::Errno::INVALID_ARGUMENT;
                Err(cx.system_error(errno, &format!("clock_gettime(:{text})")))
            }
        };
    }
    Ok(Clock::System(convert::to_i32(cx, v)?))
}

fn in_unit(cx: &mut Cx, t: host::Timespec, unit: Option<Value>) -> R {
    let nanoseconds = t.seconds as i128 * 1_000_000_000 + t.nanoseconds as i128;
    let unit = match unit {
        None | Some(Value::NIL) => return Ok(object::float::new(cx, t.as_seconds())),
        Some(unit) => unit,
    };
    let whole = |cx: &mut Cx, length: i64| match i64::try_from(nanoseconds) {
        Ok(near) => bigint::from_i64(cx, near.div_euclid(length)),
        Err(_) => bigint::from_i128(cx, nanoseconds.div_euclid(length.into())),
    };
    Ok(match Sym::from_value(unit).map(|name| name.bytes(cx)) {
        Some(b"float_second") => object::float::new(cx, t.as_seconds()),
        Some(b"float_millisecond") => object::float::new(cx, nanoseconds as f64 / 1e6),
        Some(b"float_microsecond") => object::float::new(cx, nanoseconds as f64 / 1e3),
        Some(b"second") => bigint::from_i64(cx, t.seconds),
        Some(b"millisecond") => whole(cx, 1_000_000),
        Some(b"microsecond") => whole(cx, 1_000),
        Some(b"nanosecond") => whole(cx, 1),
        _ => {
            let shown = runtime::call::inspect_text(cx, unit)?;
            return Err(cx.argument_error(&format!("unexpected unit: {}", shown.trim_start_matches(':'))));
        }
    })
}

/// `Process.clock_gettime(clock, unit = :float_second) → number`: the time of a clock, a CLOCK_ constant or a symbol
/// for an emulated one, in a unit such as `:millisecond` or `:float_second`. SystemCallError for an unknown clock,
/// ArgumentError for an unknown unit.
fn clock_gettime(cx: &mut Cx, args: Args) -> R {
    let clock = clock(cx, args.at(0))?;
    match clock.now() {
        Ok(t) => in_unit(cx, t, args.opt(1)),
        Err(errno) => Err(cx.system_error(errno, "clock_gettime")),
    }
}

/// `Process.clock_getres(clock, unit = :float_second) → number`: the resolution of a clock, in the units of
/// `clock_gettime` and in `:hertz`.
fn clock_getres(cx: &mut Cx, args: Args) -> R {
    let clock = clock(cx, args.at(0))?;
    let hertz = object::symbol::table::intern_text(cx, "hertz");
    match clock.resolution() {
        Ok(t) if args.opt(1) == Some(hertz.value()) => Ok(object::float::new(cx, 1.0 / t.as_seconds())),
        Ok(t) => in_unit(cx, t, args.opt(1)),
        Err(errno) => Err(cx.system_error(errno, "clock_getres")),
    }
}

/// The class Object, which contains Process.
pub fn scope(cx: &Cx) -> Value {
    cx.class(Known::Object)
}

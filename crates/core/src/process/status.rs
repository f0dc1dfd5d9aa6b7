//! Waiting, and Process::Status.

use heap::Trace;
use host::{
    Errno,
    process::{self, Status},
};
use object::native::{self, NativeData};
use runtime::{
    Args, Cx, Known, Method, R, Value, call,
    concurrency::{
        pending, scheduler,
        thread::{blocking, state},
    },
    convert, define, make,
};

use crate::io::data::is_interrupted;

#[derive(Trace)]
#[repr(C)]
struct StatusData {
    /// The address of `pid`, which extensions in C read as the address of CRuby's structure.
    for_c: usize,
    type_for_c: usize,
    /// The first field of CRuby's structure (`pid`, `status`, `error`), which extensions fill.
    pid: i32,
    #[trace(skip)]
    status: Status,
    error: i32,
}

impl StatusData {
    fn boxed(pid: i32, status: Status) -> Box<StatusData> {
        let mut data = Box::new(StatusData { for_c: 0, type_for_c: 0, pid, status, error: 0 });
        data.for_c = std::ptr::from_ref(&data.pid) as usize;
        data
    }
}

impl NativeData for StatusData {
    object::one_vtable!(StatusData);
}

/// The address of the part of a Process::Status that extensions in C access. `None` for other objects.
pub fn structure_for_c(v: &Value) -> Option<usize> {
    native::get::<StatusData>(v).map(|data| std::ptr::from_ref(data) as usize)
}

const METHODS: &[Method] = &[
    Method::new("pid", pid),
    Method::new("to_i", to_i),
    Method::new("exitstatus", exitstatus),
    Method::new("exited?", is_exited),
    Method::new("success?", is_success),
    Method::new("signaled?", is_signaled),
    Method::new("termsig", termsig),
    Method::new("stopped?", is_stopped),
    Method::new("stopsig", stopsig),
    Method::new("coredump?", dumped_core),
    Method::new("to_s", to_s),
    Method::new("inspect", inspect),
    Method::new("==(other)", equal).borrows(0),
];

const SINGLETON: &[Method] =
    &[Method::new("allocate", allocate), Method::new("wait(pid = -1, flags = 0)", status_wait)];

pub fn define(cx: &mut Cx, module: Value) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, module, "Status", object);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
    cx.set_root(runtime::Root::ProcessStatus, class);
}

/// `allocate → status`: one without a process, for `dup` and Marshal.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(native::new(cx, args.me(), StatusData::boxed(0, Status(0))))
}

/// Encoded status and pid, for Marshal; nil for both if there is no process. `None` for other objects.
pub fn parts(v: Value) -> Option<(Value, Value)> {
    let data = native::get::<StatusData>(&v)?;
    Some(match data.pid {
        0 => (Value::NIL, Value::NIL),
        pid => (Value::fixnum(data.status.0.into()), Value::fixnum(pid.into())),
    })
}

/// Sets the state of an object created by `allocate`, for Marshal.
pub fn set_parts(cx: &mut Cx, v: Value, status: i32, pid: i32) {
    if let Some(data) = native::get_mut::<StatusData>(cx, v) {
        (data.status, data.pid) = (Status(status), pid);
    }
}

/// Sets `$?`.
pub fn set_last(cx: &mut Cx, pid: i32, status: Status) {
    let class = cx.root(runtime::Root::ProcessStatus);
    let v = native::new(cx, class, StatusData::boxed(pid, status));
    set_last_status(cx, v);
}

/// Sets `$?` to a status as encoded by wait(2).
pub fn set_last_raw(cx: &mut Cx, pid: i32, status: i32) {
    set_last(cx, pid, Status(status));
}

/// A Process::Status for a status as encoded by wait(2).
pub fn new_raw(cx: &mut Cx, pid: i32, status: i32) -> Value {
    let class = cx.root(runtime::Root::ProcessStatus);
    native::new(cx, class, StatusData::boxed(pid, Status(status)))
}

/// `$?`, which is thread-local.
pub fn last_status(cx: &mut Cx) -> Value {
    let thread = cx.thread;
    state(cx, thread).last_status
}

fn set_last_status(cx: &mut Cx, v: Value) {
    let thread = cx.thread;
    state(cx, thread).last_status = v;
}

/// Waits for a child and sets `$?`; returns its pid, or `None` if no child has changed its state yet.
pub fn wait_for(cx: &mut Cx, pid: i32, flags: i32) -> R<Option<i32>> {
    match attend(cx, pid, flags)? {
        Ok(waited) => Ok(waited),
        Err(errno) => Err(cx.system_error(errno, "")),
    }
}

/// Waits for the child process of a pipe that is closed, unless the program has already waited for it.
pub fn wait_at_close(cx: &mut Cx, pid: i32) -> R<()> {
    let _ = attend(cx, pid, 0)?;
    Ok(())
}

/// Collects the status of a child process if it has ended, without waiting for it.
pub fn wait_if_ended(cx: &mut Cx, pid: i32) -> R<()> {
    let _ = attend(cx, pid, NO_HANG)?;
    Ok(())
}

/// WNOHANG
const NO_HANG: i32 = 1;

/// The scheduler's hook returns a Process::Status, which becomes `$?`.
fn wait_by_scheduler(cx: &mut Cx, scheduler: Value, pid: i32, flags: i32) -> R<Result<Option<i32>, Errno>> {
    let arguments = [Value::fixnum(pid.into()), Value::fixnum(flags.into())];
    let status = scheduler::send(cx, scheduler, "process_wait", &arguments)?;
    if !status.is_nil() && native::get::<StatusData>(&status).is_none() {
        let got = runtime::error::describe_for_conversion(cx, status);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Process::Status)")));
    }
    set_last_status(cx, status);
    if status.is_nil() {
        return Ok(Ok(None));
    }
    let pid = object::symbol::table::intern_text(cx, "pid");
    let pid = call::send(cx, status, pid, &[])?;
    Ok(Ok(Some(convert::to_i32(cx, pid)?)))
}

fn attend(cx: &mut Cx, pid: i32, flags: i32) -> R<Result<Option<i32>, Errno>> {
    pending::check_blocking(cx)?;
    if flags & NO_HANG == 0
        && let Some(scheduler) = scheduler::current(cx)
        && scheduler::has(cx, scheduler, "process_wait")?
    {
        return wait_by_scheduler(cx, scheduler, pid, flags);
    }
    loop {
        match blocking(cx, || process::wait(pid, flags)) {
            Ok(Some(waited)) => {
                // ^C goes to the child as well: what ends the wait may have interrupted it too.
                pending::check_blocking(cx)?;
                set_last(cx, waited.pid, waited.status);
                return Ok(Ok(Some(waited.pid)));
            }
            Err(errno) if is_interrupted(errno) => pending::check_blocking(cx)?,
            Err(errno) => return Ok(Err(errno)),
            Ok(None) => {
                set_last_status(cx, Value::NIL);
                return Ok(Ok(None));
            }
        }
    }
}

/// `Process::Status.wait(pid = -1, flags = 0) → status or nil`: waits for a child process without setting `$?`; nil
/// with WNOHANG if none has ended. Without children the status has a pid of -1.
fn status_wait(cx: &mut Cx, args: Args) -> R {
    let pid = args.opt(0).map_or(Ok(-1), |v| convert::to_i32(cx, v))?;
    let flags = args.opt(1).map_or(Ok(0), |v| convert::to_i32(cx, v))?;
    let class = cx.root(runtime::Root::ProcessStatus);
    loop {
        pending::check_blocking(cx)?;
        match blocking(cx, || process::wait(pid, flags)) {
            Ok(Some(waited)) => {
                pending::check_blocking(cx)?;
                let data = StatusData::boxed(waited.pid, waited.status);
                return Ok(native::new(cx, class, data));
            }
            Ok(None) => return Ok(Value::NIL),
            Err(errno) if is_interrupted(errno) => {}
            Err(_) => {
                return Ok(native::new(cx, class, StatusData::boxed(-1, Status(0))));
            }
        }
    }
}

/// `__wait(pid, flags) → integer or nil`: waits for a child process and sets `$?`; returns its id, or nil with WNOHANG
/// if none has ended. SystemCallError if there is no such child.
pub fn wait(cx: &mut Cx, args: Args) -> R {
    let (pid, flags) = (convert::to_i32(cx, args.at(0))?, convert::to_i32(cx, args.at(1))?);
    Ok(wait_for(cx, pid, flags)?.map_or(Value::NIL, |pid| Value::fixnum(pid as i64)))
}

/// `Process.__forget_status → nil`: `$?` is nil.
pub fn forget(cx: &mut Cx, _: Args) -> R {
    set_last_status(cx, Value::NIL);
    Ok(Value::NIL)
}

/// `Process.last_status → status or nil`: the status of the child that this thread waited for last, like `$?`.
pub fn last(cx: &mut Cx, _: Args) -> R {
    Ok(last_status(cx))
}

fn own<'a>(cx: &mut Cx, v: &'a Value) -> R<&'a StatusData> {
    native::get::<StatusData>(v).ok_or_else(|| cx.type_error("uninitialized Process::Status"))
}

fn optional(n: Option<i32>) -> R {
    Ok(n.map_or(Value::NIL, |n| Value::fixnum(n as i64)))
}

/// `pid → integer`: the id of the child process.
fn pid(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(own(cx, args.me_ref())?.pid as i64))
}

/// `to_i → integer`: the status as encoded by wait(2).
fn to_i(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(own(cx, args.me_ref())?.status.0 as i64))
}

/// `exitstatus → integer or nil`: the exit code; nil if a signal ended or stopped the process.
fn exitstatus(cx: &mut Cx, args: Args) -> R {
    optional(own(cx, args.me_ref())?.status.exit_code())
}

/// `exited? → true or false`: whether the process ended by itself, with any code.
fn is_exited(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(own(cx, args.me_ref())?.status.is_exited()))
}

/// `success? → true, false or nil`: whether the exit code is 0; nil if a signal ended or stopped the process.
fn is_success(cx: &mut Cx, args: Args) -> R {
    Ok(own(cx, args.me_ref())?.status.exit_code().map_or(Value::NIL, |code| Value::bool(code == 0)))
}

/// `signaled? → true or false`: whether a signal ended the process.
fn is_signaled(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(own(cx, args.me_ref())?.status.is_signaled()))
}

/// `termsig → integer or nil`: the signal that ended the process.
fn termsig(cx: &mut Cx, args: Args) -> R {
    optional(own(cx, args.me_ref())?.status.termination_signal())
}

/// `stopped? → true or false`: whether the process is stopped, which only a wait with WUNTRACED reports.
fn is_stopped(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(own(cx, args.me_ref())?.status.is_stopped()))
}

/// `stopsig → integer or nil`: the signal that stopped the process.
fn stopsig(cx: &mut Cx, args: Args) -> R {
    optional(own(cx, args.me_ref())?.status.stop_signal())
}

/// `coredump? → true or false`: whether the process left a core dump.
fn dumped_core(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(own(cx, args.me_ref())?.status.dumped_core()))
}

/// `to_s → string`: `pid 123 exit 0`, or with the signal instead of the code.
fn to_s(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    let text = format!("pid {} {}", s.pid, s.status.description());
    Ok(make::described(cx, &text))
}

/// `inspect → string`: `to_s` with the name of the class.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    let text = match s.pid {
        0 if s.status == Status(0) => "#<Process::Status: uninitialized>".into(),
        pid => format!("#<Process::Status: pid {pid} {}>", s.status.description()),
    };
    Ok(make::described(cx, &text))
}

/// `==(other) → true or false`: whether both have the same encoded status; the process is ignored. An Integer is
/// compared with `to_i`.
fn equal(cx: &mut Cx, args: Args) -> R {
    let s = own(cx, args.me_ref())?;
    Ok(match native::get::<StatusData>(&args.at(0)) {
        Some(other) => Value::bool(s.status == other.status),
        None => Value::bool(args.at(0).as_fixnum() == Some(s.status.0 as i64)),
    })
}

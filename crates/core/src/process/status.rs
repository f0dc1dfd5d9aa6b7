//! Process::Status: how a child ended.

use heap::Marker;
use host::process::Status;
use object::native::{self, NativeData};
use runtime::{Args, Cx, Known, Method, R, Value, define, error, make};

pub struct StatusData {
    pub pid: i32,
    pub status: Status,
}

impl NativeData for StatusData {
    fn trace(&mut self, _: &mut Marker) {}
}

const METHODS: &[Method] = &[
    Method::new("pid", pid),
    Method::new("to_i", to_i),
    Method::new("exitstatus", exitstatus),
    Method::new("success?", success),
    Method::new("exited?", exited),
    Method::new("signaled?", signaled),
    Method::new("termsig", termsig),
    Method::new("stopped?", stopped),
    Method::new("stopsig", stopsig),
    Method::new("coredump?", coredump),
    Method::new("==(other)", equal),
    Method::new("to_s", to_s),
    Method::new("inspect", inspect),
];

pub fn define(cx: &mut Cx, module: Value) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, module, "Status", object);
    define::define_methods(cx, class, METHODS);
    let singleton = object::class::singleton_class(cx, class);
    define::undefine(cx, singleton, "new");
    cx.set_root("Process::Status", class);
}

pub fn new(cx: &mut Cx, pid: i32, status: Status) -> Value {
    let class = cx.root("Process::Status");
    native::new(cx, class, Box::new(StatusData { pid, status }))
}

fn data(args: Args) -> &'static StatusData {
    native::get::<StatusData>(args.me()).expect("made by wait alone")
}

fn optional(n: Option<i32>) -> R {
    Ok(n.map_or(Value::NIL, |n| Value::fixnum(n as i64)))
}

fn pid(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(data(args).pid as i64))
}

fn to_i(_: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(data(args).status.0 as i64))
}

fn exitstatus(_: &mut Cx, args: Args) -> R {
    optional(data(args).status.exit_code())
}

fn success(_: &mut Cx, args: Args) -> R {
    Ok(data(args).status.exit_code().map_or(Value::NIL, |code| Value::bool(code == 0)))
}

fn exited(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(args).status.is_exited()))
}

fn signaled(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(args).status.is_signaled()))
}

fn termsig(_: &mut Cx, args: Args) -> R {
    optional(data(args).status.termination_signal())
}

fn stopped(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(args).status.is_stopped()))
}

fn stopsig(_: &mut Cx, args: Args) -> R {
    optional(data(args).status.stop_signal())
}

fn coredump(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(args).status.dumped_core()))
}

fn equal(cx: &mut Cx, args: Args) -> R {
    let other = match native::get::<StatusData>(args.at(0)) {
        Some(other) => Value::fixnum(other.status.0 as i64),
        None => args.at(0),
    };
    Ok(Value::bool(runtime::call::equal(cx, Value::fixnum(data(args).status.0 as i64), other)?))
}

fn to_s(cx: &mut Cx, args: Args) -> R {
    let d = data(args);
    Ok(make::text(cx, &format!("pid {} {}", d.pid, d.status.description())))
}

fn inspect(cx: &mut Cx, args: Args) -> R {
    let d = data(args);
    let class = error::class_name_of(cx, args.me());
    Ok(make::text(cx, &format!("#<{class}: pid {} {}>", d.pid, d.status.description())))
}

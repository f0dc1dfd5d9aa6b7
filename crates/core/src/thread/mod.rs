//! Thread: native threads that take turns.

mod locals;

use object::{class, hash::HashRef, native};
use runtime::{
    Args, Cx, Known, Method, R, Value, call,
    concurrency::{
        parking,
        thread::{self, ThreadState, ThreadStatus, state},
    },
    convert, define,
    error::{self, ErrorClass},
    make, sym,
};

const METHODS: &[Method] = &[
    Method::new("initialize(*arguments)", initialize).private(),
    Method::new("join(limit = nil)", join),
    Method::new("value", value),
    Method::new("alive?", alive),
    Method::new("status", status),
    Method::new("stop?", is_stopped),
    Method::new("name", name),
    Method::new("name=(name)", set_name),
    Method::new("kill", kill),
    Method::new("raise(*arguments)", raise),
    Method::new("wakeup", wakeup),
    Method::new("run", run),
    Method::new("priority", priority),
    Method::new("priority=(level)", set_priority),
    Method::new("group", group),
    Method::new("report_on_exception", report_on_exception),
    Method::new("report_on_exception=(on)", set_report_on_exception),
    Method::new("abort_on_exception", abort_on_exception),
    Method::new("abort_on_exception=(on)", set_abort_on_exception),
    Method::new("pending_interrupt?(error = nil)", has_pending),
    Method::new("native_thread_id", native_id),
    Method::new("inspect", inspect),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("start(*arguments)", start),
    Method::new("fork(*arguments)", start),
    Method::new("current", current),
    Method::new("main", main),
    Method::new("list", list),
    Method::new("pass", pass),
    Method::new("stop", stop),
    Method::new("exit", exit),
    Method::new("kill(thread)", kill_other),
    Method::new("report_on_exception", class_report_on_exception),
    Method::new("report_on_exception=(on)", set_class_report_on_exception),
    Method::new("abort_on_exception", class_abort_on_exception),
    Method::new("abort_on_exception=(on)", set_class_abort_on_exception),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Thread);
    define::define_methods(cx, class, METHODS);
    define::define_methods(cx, class, locals::METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    for (new, old) in [("to_s", "inspect"), ("terminate", "kill"), ("exit", "kill")] {
        define::alias(cx, class, new, old);
    }
    cx.set_root("Thread.report_on_exception", Value::TRUE);
    cx.set_root("Thread.abort_on_exception", Value::FALSE);
    let object = cx.class(Known::Object);
    let group_class = define::define_class(cx, object, "ThreadGroup", object);
    let root = class::class_data(group_class).root_shape;
    let default = object::shape::ivars::new_object(cx, abi::Type::Object, root);
    let symbol = object::symbol::table::intern_text(cx, "Default");
    define::set_constant(cx, group_class, symbol, default);
    cx.set_root("ThreadGroup::Default", default);
    let main = cx.thread;
    state(cx, main).group = default;
}

fn allocate(cx: &mut Cx, args: Args) -> R {
    let mut own = ThreadState::new(0);
    own.report_on_exception = cx.root("Thread.report_on_exception").truthy();
    own.group = cx.root("ThreadGroup::Default");
    Ok(native::new(cx, args.me(), Box::new(own)))
}

/// `Thread.new(*arguments) { |*arguments| … }`
fn initialize(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.raise(ErrorClass::ThreadError, "must be called with a block"));
    }
    if !state(cx, args.me()).place.is_empty() {
        return Err(cx.raise(ErrorClass::ThreadError, "already initialized thread"));
    }
    begin(cx, args.me(), block, args.all())?;
    Ok(Value::NIL)
}

fn begin(cx: &mut Cx, new: Value, block: Value, arguments: &[Value]) -> R<()> {
    let place = runtime::backtrace::caller_position(cx).map_or("?".into(), |(path, line)| format!("{path}:{line}"));
    let group = {
        let own = cx.thread;
        state(cx, own).group
    };
    let s = state(cx, new);
    s.place = place;
    s.group = group;
    let threads = threads(cx);
    make::push(cx, threads, new);
    let arguments = make::array(cx, arguments);
    thread::start(cx, new, block, arguments)
}

/// Every thread that was started, an Array that `list` cleans.
fn threads(cx: &mut Cx) -> Value {
    let list = cx.root("threads");
    if !list.is_nil() {
        return list;
    }
    let main = cx.root("main thread");
    let list = make::array(cx, &[main]);
    cx.set_root("threads", list);
    list
}

/// `Thread.start`: as new, without initialize of a subclass.
fn start(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    let new = allocate(cx, args)?;
    begin(cx, new, block, args.all())?;
    Ok(new)
}

fn wait_for_end(cx: &mut Cx, target: Value, limit: Option<f64>) -> R<bool> {
    if target == cx.thread {
        return Err(cx.raise(ErrorClass::ThreadError, "Target thread must not be current thread"));
    }
    if target == cx.root("main thread") {
        return Err(cx.raise(ErrorClass::ThreadError, "Target thread must not be main thread"));
    }
    parking::wait_until(cx, parking::deadline_after(limit), |cx| !state(cx, target).is_alive())
}

/// The exception that ended it goes on here.
fn reraise(cx: &mut Cx, target: Value) -> R<()> {
    let s = state(cx, target);
    if s.status == ThreadStatus::Failed { Err(cx.raise_object(s.value)) } else { Ok(()) }
}

/// `join(limit = nil)`: waits for its end; nil when the limit came first.
fn join(cx: &mut Cx, args: Args) -> R {
    let limit = match args.non_nil(0) {
        Some(v) => Some(convert::to_f64(cx, v)?),
        None => None,
    };
    if !wait_for_end(cx, args.me(), limit)? {
        return Ok(Value::NIL);
    }
    reraise(cx, args.me())?;
    Ok(args.me())
}

fn value(cx: &mut Cx, args: Args) -> R {
    wait_for_end(cx, args.me(), None)?;
    reraise(cx, args.me())?;
    Ok(state(cx, args.me()).value)
}

fn alive(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).is_alive()))
}

/// "run", "sleep", "aborting", false after a normal end, nil after an exception.
fn status(cx: &mut Cx, args: Args) -> R {
    Ok(match state(cx, args.me()).status {
        ThreadStatus::Runnable => make::text(cx, "run"),
        ThreadStatus::Sleeping => make::text(cx, "sleep"),
        ThreadStatus::Dead => Value::FALSE,
        ThreadStatus::Failed => Value::NIL,
    })
}

fn is_stopped(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).status != ThreadStatus::Runnable))
}

fn name(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me()).name)
}

fn set_name(cx: &mut Cx, args: Args) -> R {
    let name = if args.at(0).is_nil() { Value::NIL } else { convert::to_str(cx, args.at(0))? };
    state(cx, args.me()).name = name;
    Ok(args.at(0))
}

fn kill(cx: &mut Cx, args: Args) -> R {
    kill_thread(cx, args.me())
}

fn kill_thread(cx: &mut Cx, target: Value) -> R {
    if !state(cx, target).is_alive() {
        return Ok(target);
    }
    if target == cx.root("main thread") {
        let class = cx.error_class(ErrorClass::SystemExit);
        let exception = call::send(cx, class, sym::NEW, &[])?;
        if target == cx.thread {
            return Err(error::raise_exception(cx, exception));
        }
        thread::raise_in(cx, target, exception);
        return Ok(target);
    }
    if target == cx.thread {
        return Err(cx.unwind(runtime::unwind::Reason::Kill, Value::NIL, Value::NIL, std::ptr::null_mut()));
    }
    thread::raise_in(cx, target, Value::NIL);
    Ok(target)
}

fn kill_other(cx: &mut Cx, args: Args) -> R {
    if native::get::<ThreadState>(args.at(0)).is_none() {
        let got = error::class_name_of(cx, args.at(0));
        return Err(cx.type_error(&format!("wrong argument type {got} (expected VM/thread)")));
    }
    kill_thread(cx, args.at(0))
}

fn exit(cx: &mut Cx, _: Args) -> R {
    let own = cx.thread;
    kill_thread(cx, own)
}

fn raise(cx: &mut Cx, args: Args) -> R {
    if !state(cx, args.me()).is_alive() {
        return Ok(Value::NIL);
    }
    let exception = super::fiber::make_exception(cx, args.all())?;
    if args.me() == cx.thread {
        return Err(error::raise_exception(cx, exception));
    }
    thread::raise_in(cx, args.me(), exception);
    Ok(Value::NIL)
}

fn wakeup(cx: &mut Cx, args: Args) -> R {
    if !state(cx, args.me()).is_alive() {
        return Err(cx.raise(ErrorClass::ThreadError, "killed thread"));
    }
    state(cx, args.me()).wakeup = true;
    parking::notify(cx);
    Ok(args.me())
}

fn run(cx: &mut Cx, args: Args) -> R {
    wakeup(cx, args)?;
    thread::pass(cx);
    Ok(args.me())
}

/// Sleeps until the deadline (false) or Thread#wakeup (true).
pub fn sleep_until(cx: &mut Cx, deadline: Option<u64>) -> R<bool> {
    let own = cx.thread;
    state(cx, own).wakeup = false;
    parking::wait_until(cx, deadline, |cx| std::mem::take(&mut state(cx, own).wakeup))
}

fn stop(cx: &mut Cx, _: Args) -> R {
    sleep_until(cx, None)?;
    Ok(Value::NIL)
}

fn priority(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(state(cx, args.me()).priority))
}

fn set_priority(cx: &mut Cx, args: Args) -> R {
    let level = convert::to_i64(cx, args.at(0))?;
    state(cx, args.me()).priority = level.clamp(-3, 3);
    Ok(args.at(0))
}

fn group(cx: &mut Cx, args: Args) -> R {
    let s = state(cx, args.me());
    Ok(if s.is_alive() { s.group } else { Value::NIL })
}

fn report_on_exception(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).report_on_exception))
}

fn set_report_on_exception(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me()).report_on_exception = args.at(0).truthy();
    Ok(args.at(0))
}

fn abort_on_exception(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).abort_on_exception))
}

fn set_abort_on_exception(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me()).abort_on_exception = args.at(0).truthy();
    Ok(args.at(0))
}

fn class_report_on_exception(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root("Thread.report_on_exception"))
}

fn set_class_report_on_exception(cx: &mut Cx, args: Args) -> R {
    cx.set_root("Thread.report_on_exception", Value::bool(args.at(0).truthy()));
    Ok(args.at(0))
}

fn class_abort_on_exception(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root("Thread.abort_on_exception"))
}

fn set_class_abort_on_exception(cx: &mut Cx, args: Args) -> R {
    cx.set_root("Thread.abort_on_exception", Value::bool(args.at(0).truthy()));
    Ok(args.at(0))
}

fn has_pending(cx: &mut Cx, args: Args) -> R {
    let pending = state(cx, args.me()).pending;
    Ok(Value::bool(!pending.is_nil() && !object::array::Arr(pending).is_empty()))
}

fn native_id(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me()).native.map_or(Value::NIL, |id| Value::fixnum(id.0 as i64)))
}

fn current(cx: &mut Cx, _: Args) -> R {
    Ok(cx.thread)
}

fn main(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root("main thread"))
}

/// All threads that live.
fn list(cx: &mut Cx, _: Args) -> R {
    let all = threads(cx);
    let living = make::array(cx, &[]);
    let mut i = 0;
    while let Some(t) = object::array::Arr(all).get(i) {
        if state(cx, t).is_alive() {
            make::push(cx, living, t);
        }
        i += 1;
    }
    if let Ok(copy) = object::array::Arr(living).dup(cx) {
        cx.set_root("threads", copy.0);
    }
    Ok(living)
}

fn pass(cx: &mut Cx, _: Args) -> R {
    thread::pass(cx);
    Ok(Value::NIL)
}

/// `#<Thread:0x… file:line status>`
fn inspect(cx: &mut Cx, args: Args) -> R {
    let s = state(cx, args.me());
    let status = match s.status {
        ThreadStatus::Runnable => "run",
        ThreadStatus::Sleeping => "sleep",
        ThreadStatus::Dead | ThreadStatus::Failed => "dead",
    };
    let (name, place) = (s.name, s.place.clone());
    let mut text = format!("#<{}:0x{:016x}", error::class_name_of(cx, args.me()), args.me().0);
    if let Some(name) = object::string::Str::from_value(name) {
        text.push_str(&format!("@{}", String::from_utf8_lossy(name.bytes())));
    }
    if !place.is_empty() {
        text.push_str(&format!(" {place}"));
    }
    text.push_str(&format!(" {status}>"));
    Ok(make::text(cx, &text))
}

/// A table of locals, made when it is first needed.
fn table(cx: &mut Cx, slot: Value) -> Value {
    if slot.is_nil() { HashRef::new(cx).0 } else { slot }
}

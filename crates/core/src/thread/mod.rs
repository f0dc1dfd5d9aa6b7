//! Thread: native threads that share the global lock.
//!
//! - `interrupts`: raise, kill, wakeup, handle_interrupt; `locals`: fiber-locals and thread variables; `backtrace`:
//!   backtraces; `ending`: exceptions that end a thread, termination of all threads at exit; `group`: ThreadGroup.

pub(crate) mod backtrace;
mod ending;
mod group;
mod interrupts;
pub mod locals;

pub use ending::{failed, terminate_all};
pub use interrupts::sleep_until;

use object::{array::Arr, hash::HashRef, native, string::Str};
use runtime::{
    Args, Cx, Known, Method, R, Value, call,
    concurrency::{
        parking, ractor,
        thread::{self, ThreadState, ThreadStatus, state},
    },
    convert, define,
    error::OrRaise,
    error::{self, ErrorClass},
    make, sym,
};

const METHODS: &[Method] = &[
    Method::new("initialize(*arguments, **keywords)", initialize).private(),
    Method::new("join(limit = nil)", join),
    Method::new("value", value),
    Method::new("alive?", alive),
    Method::new("status", status),
    Method::new("stop?", is_stopped),
    Method::new("name", name),
    Method::new("name=(name)", set_name),
    Method::new("priority", priority),
    Method::new("priority=(level)", set_priority),
    Method::new("group", group),
    Method::new("report_on_exception", report_on_exception),
    Method::new("report_on_exception=(on)", set_report_on_exception),
    Method::new("abort_on_exception", abort_on_exception),
    Method::new("abort_on_exception=(on)", set_abort_on_exception),
    Method::new("native_thread_id", native_id),
    Method::new("inspect", inspect),
];

const SINGLETON: &[Method] = &[
    Method::new("new(*arguments, **keywords)", new),
    Method::new("start(*arguments, **keywords)", start),
    Method::new("fork(*arguments, **keywords)", start),
    Method::new("current", current).leaf().frameless(0),
    Method::new("main", main).leaf().frameless(0),
    Method::new("list", list),
    Method::new("pass", pass),
    Method::new("report_on_exception", class_report_on_exception),
    Method::new("report_on_exception=(on)", set_class_report_on_exception),
    Method::new("abort_on_exception", class_abort_on_exception),
    Method::new("abort_on_exception=(on)", set_class_abort_on_exception),
    Method::new("ignore_deadlock", ignores_deadlock),
    Method::new("ignore_deadlock=(on)", set_ignores_deadlock),
];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Thread);
    define::define_methods(cx, class, METHODS);
    for methods in [locals::METHODS, interrupts::METHODS, backtrace::METHODS] {
        define::define_methods(cx, class, methods);
    }
    for methods in [SINGLETON, interrupts::SINGLETON, backtrace::SINGLETON] {
        define::define_singleton_methods(cx, class, methods);
    }
    object::class::class_data_mut(cx, class).flags.no_allocator = true;
    define::synonyms(cx, class, &[("terminate", "kill"), ("exit", "kill")]);
    define::synonym(cx, class, "to_s", "inspect");
    cx.set_root(runtime::Root::ThreadReportOnException, Value::TRUE);
    cx.set_root(runtime::Root::ThreadAbortOnException, Value::FALSE);
    cx.set_root(runtime::Root::ThreadIgnoreDeadlock, Value::FALSE);
    group::define(cx);
}

/// A Thread that is not started yet.
fn unborn(cx: &mut Cx, class: Value) -> Value {
    let mut own = ThreadState::new(0);
    own.report_on_exception = cx.root(runtime::Root::ThreadReportOnException).truthy();
    native::new(cx, class, Box::new(own))
}

/// `Thread.new(*arguments, **keywords) → thread`: allocates a thread and calls `initialize`, which must start it.
/// ThreadError if a subclass does not call `super`.
fn new(cx: &mut Cx, args: Args) -> R {
    let thread = unborn(cx, args.me());
    let block = args.block(cx);
    call::send_full(cx, thread, sym::INITIALIZE, args.all(), args.keywords(), block, call::Scope::Function)?;
    if state(cx, thread).place.is_empty() {
        let class = error::class_name_of(cx, thread);
        let message = format!("uninitialized thread - check '{class}#initialize'");
        return Err(cx.raise(ErrorClass::ThreadError, &message));
    }
    Ok(thread)
}

/// Raises TypeError unless it is a Thread.
fn check_thread(cx: &mut Cx, v: Value) -> R<()> {
    if native::get::<ThreadState>(&v).is_some() {
        return Ok(());
    }
    let got = error::describe_for_conversion(cx, v);
    Err(cx.type_error(&format!("wrong argument type {got} (expected VM/thread)")))
}

/// `Thread.new(*arguments) { |*arguments| … }`: starts a thread that calls the block with the arguments. ThreadError
/// without a block, and if it was already started.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.raise(ErrorClass::ThreadError, "must be called with a block"));
    }
    let place = state(cx, args.me()).place.clone();
    if !place.is_empty() || args.me() == cx.root(runtime::Root::MainThread) {
        let at = if place.is_empty() { String::new() } else { format!(" - {place}") };
        return Err(cx.raise(ErrorClass::ThreadError, &format!("already initialized thread{at}")));
    }
    begin(cx, args.me(), block, args)?;
    Ok(Value::NIL)
}

fn begin(cx: &mut Cx, new: Value, block: Value, given: Args) -> R<()> {
    let place = runtime::backtrace::caller_position(cx).map_or("?".into(), |(path, line)| format!("{path}:{line}"));
    let group = {
        let own = cx.thread;
        state(cx, own).group
    };
    let fiber = runtime::concurrency::fiber::current(cx);
    let storage = runtime::concurrency::fiber::state(cx, fiber).storage;
    let storage = if storage.is_nil() { Value::NIL } else { runtime::keys::dup(cx, storage) };
    if !group.is_nil() && object::cell::header(group).has(abi::Flags::FROZEN) {
        return Err(cx.raise(ErrorClass::ThreadError, "can't start a new thread (frozen ThreadGroup)"));
    }
    // A new thread inherits the interrupt masks of its creator.
    let own = cx.thread;
    let masks = state(cx, own).masks;
    let masks = if masks.is_nil() { Value::NIL } else { Arr::of(masks).dup(cx).or_raise(cx)?.value() };
    let ractor = cx.ractor;
    let s = state(cx, new);
    s.masks = masks;
    s.place = place;
    s.group = group;
    s.ractor = ractor;
    s.storage = storage;
    let threads = threads(cx);
    make::push(cx, threads, new);
    let arguments = call::block::put_aside(cx, given.all(), given.keywords());
    thread::start(cx, new, block, arguments)
}

/// Starts a Ractor's main thread; `ractor` is new, `block` is isolated from its outer variables.
pub fn start_ractor(cx: &mut Cx, ractor: Value, block: Value, arguments: Value) -> R<()> {
    let class = cx.class(Known::Thread);
    let new = unborn(cx, class);
    let group = group::new(cx);
    let s = state(cx, new);
    s.group = group;
    s.ractor = ractor;
    ractor::state(cx, ractor).main_thread = new;
    let threads = threads(cx);
    make::push(cx, threads, new);
    thread::start(cx, new, block, arguments)
}

/// An Array of all started threads; `list` removes those that ended.
fn threads(cx: &mut Cx) -> Value {
    let list = cx.root(runtime::Root::Threads);
    if !list.is_nil() {
        return list;
    }
    let main = cx.root(runtime::Root::MainThread);
    let list = make::array(cx, &[main]);
    cx.set_root(runtime::Root::Threads, list);
    list
}

/// `Thread.start(*arguments)`, `Thread.fork(*arguments) → thread`: like `new`, without the `initialize` of a subclass.
/// ArgumentError without a block.
fn start(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    let new = unborn(cx, args.me());
    begin(cx, new, block, args)?;
    Ok(new)
}

fn wait_for_end(cx: &mut Cx, target: Value, limit: Option<f64>) -> R<bool> {
    if target == cx.thread {
        return Err(cx.raise(ErrorClass::ThreadError, "Target thread must not be current thread"));
    }
    if target == cx.root(runtime::Root::MainThread) {
        return Err(cx.raise(ErrorClass::ThreadError, "Target thread must not be main thread"));
    }
    parking::wait_until(cx, target, parking::deadline_after(limit), |cx| !state(cx, target).is_alive())
}

/// Re-raises the exception that ended the thread.
fn reraise(cx: &mut Cx, target: Value) -> R<()> {
    let s = state(cx, target);
    let (failed, exception) = (s.status == ThreadStatus::Failed, s.value);
    if failed { Err(error::raise_again(cx, exception)) } else { Ok(()) }
}

/// A time limit: a number, or an object converted by `to_f`.
fn limit_in_seconds(cx: &mut Cx, v: Value) -> R<f64> {
    let to_f = object::symbol::table::intern_text(cx, "to_f");
    let is_text = object::cell::is(v, abi::Type::String);
    match call::send_if_responds(cx, v, to_f, &[])? {
        Some(number) if !is_text => convert::to_f64(cx, number),
        _ => convert::to_f64(cx, v),
    }
}

/// `join(limit = nil) → self or nil`: waits for the end of the thread; nil after `limit` seconds. It raises the
/// exception that ended the thread.
fn join(cx: &mut Cx, args: Args) -> R {
    let limit = match args.non_nil(0) {
        Some(v) => Some(limit_in_seconds(cx, v)?),
        None => None,
    };
    if !wait_for_end(cx, args.me(), limit)? {
        return Ok(Value::NIL);
    }
    reraise(cx, args.me())?;
    Ok(args.me())
}

/// `value → object`: waits for the end of the thread and returns the result of its block. It raises the exception that
/// ended the thread.
fn value(cx: &mut Cx, args: Args) -> R {
    wait_for_end(cx, args.me(), None)?;
    reraise(cx, args.me())?;
    Ok(state(cx, args.me()).value)
}

/// `alive? → true or false`: whether the thread has not ended yet.
fn alive(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).is_alive()))
}

/// `status → string, false or nil`: "run", "sleep" or "aborting"; false after a normal end, nil after an exception.
fn status(cx: &mut Cx, args: Args) -> R {
    let own = state(cx, args.me());
    let (status, killed) = (own.status, own.killed);
    Ok(match status {
        ThreadStatus::Runnable if killed => make::text(cx, "aborting"),
        ThreadStatus::Runnable => make::text(cx, "run"),
        ThreadStatus::Sleeping => make::text(cx, "sleep"),
        ThreadStatus::Dead => Value::FALSE,
        ThreadStatus::Failed => Value::NIL,
    })
}

/// `stop? → true or false`: whether the thread sleeps or has ended.
fn is_stopped(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).status != ThreadStatus::Runnable))
}

/// `name → string or nil`: the name that was set.
fn name(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me()).name)
}

/// `name=(name) → name`: names the thread, for `inspect` and, if called by the thread itself, for the operating system;
/// nil removes the name. ArgumentError for a zero byte or an encoding that does not extend ASCII.
fn set_name(cx: &mut Cx, args: Args) -> R {
    let name = if args.at(0).is_nil() { Value::NIL } else { args.str(cx, 0)?.value() };
    if let Some(given) = Str::from_value(name) {
        if !given.encoding().is_ascii_compatible() {
            let encoding = given.encoding().name();
            return Err(cx.argument_error(&format!("ASCII-compatible encoding required ({encoding})")));
        }
        if given.contains_byte(0) {
            return Err(cx.argument_error("string contains null byte"));
        }
        // The name of the main native thread is that of the process.
        if args.me() == cx.thread && args.me() != ractor::main_thread(cx) {
            let _ = host::thread::set_name(given.bytes(cx));
        }
    }
    state(cx, args.me()).name = name;
    Ok(args.at(0))
}

/// `priority → integer`: a number from -3 to 3; 0 by default, or the priority of the creating thread.
fn priority(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(state(cx, args.me()).priority))
}

/// `priority=(level) → level`: sets the priority, limited to -3 … 3.
fn set_priority(cx: &mut Cx, args: Args) -> R {
    let level = convert::to_i64(cx, args.at(0))?;
    state(cx, args.me()).priority = level.clamp(-3, 3);
    Ok(args.at(0))
}

/// `group → thread_group`: the group that the thread belongs to.
fn group(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me()).group)
}

/// `report_on_exception → true or false`: whether an exception that ends the thread is written to the standard error
/// output.
fn report_on_exception(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).report_on_exception))
}

/// `report_on_exception=(on) → on`: sets whether an exception that ends the thread is written to the standard error
/// output.
fn set_report_on_exception(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me()).report_on_exception = args.at(0).truthy();
    Ok(args.at(0))
}

/// `abort_on_exception → true or false`: whether an exception that ends the thread is raised in the main thread.
fn abort_on_exception(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me()).abort_on_exception))
}

/// `abort_on_exception=(on) → on`: sets whether an exception that ends the thread is raised in the main thread.
fn set_abort_on_exception(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me()).abort_on_exception = args.at(0).truthy();
    Ok(args.at(0))
}

/// `Thread.report_on_exception → true or false`: the initial `report_on_exception` of new threads; true by default.
fn class_report_on_exception(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root(runtime::Root::ThreadReportOnException))
}

/// `Thread.report_on_exception=(on) → on`: sets the initial `report_on_exception` of new threads.
fn set_class_report_on_exception(cx: &mut Cx, args: Args) -> R {
    cx.set_root(runtime::Root::ThreadReportOnException, Value::bool(args.at(0).truthy()));
    Ok(args.at(0))
}

/// `Thread.abort_on_exception → true or false`: whether an exception that ends any thread is raised in the main thread;
/// false by default.
fn class_abort_on_exception(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root(runtime::Root::ThreadAbortOnException))
}

/// `Thread.abort_on_exception=(on) → on`: sets whether an exception that ends any thread is raised in the main thread.
fn set_class_abort_on_exception(cx: &mut Cx, args: Args) -> R {
    cx.set_root(runtime::Root::ThreadAbortOnException, Value::bool(args.at(0).truthy()));
    Ok(args.at(0))
}

/// `Thread.ignore_deadlock → true or false`: whether threads that all wait for each other are ignored; by default
/// false, so that `fatal` is raised.
fn ignores_deadlock(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root(runtime::Root::ThreadIgnoreDeadlock))
}

/// `Thread.ignore_deadlock=(on) → on`: sets whether threads that all wait for each other are ignored.
fn set_ignores_deadlock(cx: &mut Cx, args: Args) -> R {
    cx.set_root(runtime::Root::ThreadIgnoreDeadlock, Value::bool(args.at(0).truthy()));
    Ok(args.at(0))
}

/// `native_thread_id → integer or nil`: the operating system's number of the thread; nil if it has none yet or has
/// ended.
fn native_id(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me()).native.map_or(Value::NIL, |id| Value::fixnum(id.0 as i64)))
}

/// `Thread.current → thread`: the running thread.
fn current(cx: &mut Cx, _: Args) -> R {
    Ok(cx.thread)
}

/// `Thread.main → thread`: the first thread of the running Ractor.
fn main(cx: &mut Cx, _: Args) -> R {
    Ok(ractor::main_thread(cx))
}

/// `Thread.list → array`: the threads of the running Ractor that have not ended.
fn list(cx: &mut Cx, _: Args) -> R {
    let (all, own) = (threads(cx), cx.ractor);
    let mine = make::array(cx, &[]);
    let (mut i, mut has_dead) = (0, false);
    while let Some(thread) = object::array::Arr::of(all).get(i) {
        let state = state(cx, thread);
        has_dead |= !state.is_alive();
        if state.is_alive() && state.ractor == own {
            make::push(cx, mine, thread);
        }
        i += 1;
    }
    if has_dead {
        living(cx);
    }
    Ok(mine)
}

/// A new Array of the live threads.
fn living(cx: &mut Cx) -> Value {
    let all = threads(cx);
    let living = make::array(cx, &[]);
    let mut i = 0;
    while let Some(t) = object::array::Arr::of(all).get(i) {
        if state(cx, t).is_alive() {
            make::push(cx, living, t);
        }
        i += 1;
    }
    if let Ok(copy) = object::array::Arr::of(living).dup(cx) {
        cx.set_root(runtime::Root::Threads, copy.value());
    }
    living
}

/// `Thread.pass → nil`: lets other threads run; the running one stays ready.
fn pass(cx: &mut Cx, _: Args) -> R {
    thread::pass(cx);
    Ok(Value::NIL)
}

/// `inspect → string`: the class, the address, the name, the location of the block and the status.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let s = state(cx, args.me());
    let status = match s.status {
        ThreadStatus::Runnable if s.killed => "aborting",
        ThreadStatus::Runnable => "run",
        ThreadStatus::Sleeping if s.waits_for_others => "sleep_forever",
        ThreadStatus::Sleeping => "sleep",
        ThreadStatus::Dead | ThreadStatus::Failed => "dead",
    };
    let (name, place) = (s.name, s.place.clone());
    let mut text = format!("#<{}:0x{:016x}", error::class_name_of(cx, args.me()), args.me().0);
    if let Some(name) = object::string::Str::from_value(name) {
        text.push_str(&format!("@{}", memory::lossy_text(name.bytes(cx))));
    }
    if !place.is_empty() && !place.starts_with("<internal:") {
        text.push_str(&format!(" {place}"));
    }
    text.push_str(&format!(" {status}>"));
    Ok(make::described(cx, &text))
}

/// A table of locals, created on first use.
fn table(cx: &mut Cx, slot: Value) -> Value {
    if slot.is_nil() { HashRef::new(cx).value() } else { slot }
}

//! Thread::Mutex and Thread::ConditionVariable. `Mutex#synchronize` is in `mutex.rb`.

use heap::Trace;
use object::{
    array::Arr,
    native::{self, NativeData},
};
use runtime::{
    Args, Cx, Known, Method, R, Value, call,
    concurrency::{FiberState, fiber, parking, scheduler},
    define,
    error::ErrorClass,
    internal, make,
    method_table::InLine,
};

use crate::kernel::pause;

/// The owner of the Mutex: a fiber, or nil.
#[derive(Trace)]
pub struct MutexState {
    pub owner: Value,
    pub thread: Value,
    /// The number of threads and fibers that wait until they can lock it.
    #[trace(skip)]
    pub waiting: usize,
}

impl NativeData for MutexState {
    object::one_vtable!(MutexState);
}

/// The waiting Threads in order.
#[derive(Trace)]
pub struct ConditionState {
    waiting: Value,
}

impl NativeData for ConditionState {
    object::one_vtable!(ConditionState);
}

const METHODS: &[Method] = &[
    Method::new("initialize", crate::basic_object::nothing).private().leaf().in_line(InLine::Nothing),
    Method::new("lock", lock),
    Method::new("try_lock", try_lock),
    Method::new("unlock", unlock),
    Method::new("locked?", locked),
    Method::new("owned?", owned),
    Method::new("__lock", lock).private(),
    Method::new("__unlock", unlock).private(),
    Method::new("sleep(timeout = nil)", sleep),
];

const CONDITION: &[Method] = &[
    Method::new("wait(mutex, timeout = nil)", wait),
    Method::new("signal", signal),
    Method::new("marshal_dump", crate::marshal::refuse_dump),
    Method::new("broadcast", broadcast),
];

const ALLOCATE: &[Method] = &[Method::new("allocate", allocate)];
const ALLOCATE_CONDITION: &[Method] = &[Method::new("allocate", allocate_condition)];

pub fn define(cx: &mut Cx) {
    let thread = cx.class(Known::Thread);
    let object = cx.class(Known::Object);
    let mutex = cx.class(Known::Mutex);
    define::define_methods(cx, mutex, METHODS);
    define::define_singleton_methods(cx, mutex, ALLOCATE);
    for (scope, name) in [(thread, "Mutex"), (object, "Mutex")] {
        let symbol = object::symbol::table::intern_text(cx, name);
        define::set_constant(cx, scope, symbol, mutex);
    }
    internal::load(cx, runtime::ruby_half!("mutex/mutex")).expect("the Ruby half of Mutex runs");
    let condition = define::define_class(cx, thread, "ConditionVariable", object);
    define::define_methods(cx, condition, CONDITION);
    define::define_singleton_methods(cx, condition, ALLOCATE_CONDITION);
    define::undefine(cx, condition, "initialize_copy");
    let symbol = object::symbol::table::intern_text(cx, "ConditionVariable");
    define::set_constant(cx, object, symbol, condition);
}

/// `Thread::Mutex.allocate → mutex`: an unlocked mutex.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(unlocked(cx, args.me()))
}

fn unlocked(cx: &mut Cx, class: Value) -> Value {
    native::embed(cx, class, MutexState { owner: Value::NIL, thread: Value::NIL, waiting: 0 })
}

/// A new Thread::Mutex.
pub fn new(cx: &mut Cx) -> Value {
    let class = cx.class(Known::Mutex);
    unlocked(cx, class)
}

/// `Thread::ConditionVariable.allocate → condition`: a condition without waiting threads.
fn allocate_condition(cx: &mut Cx, args: Args) -> R {
    let waiting = make::array(cx, &[]);
    Ok(native::embed(cx, args.me(), ConditionState { waiting }))
}

fn state(cx: &mut Cx, v: Value) -> R<&mut MutexState> {
    native::get_mut_or::<MutexState, _, _>(cx, v, |cx| cx.type_error("wrong argument type (expected Thread::Mutex)"))
}

fn thread_error(cx: &mut Cx, message: &str) -> runtime::Unwind {
    cx.raise(ErrorClass::ThreadError, message)
}

/// Whether the owner exists and is alive.
fn is_held(m: &MutexState) -> bool {
    !m.owner.is_nil() && (m.thread.is_nil() || runtime::concurrency::thread::is_alive(m.thread))
}

/// Locks the mutex if it is unlocked; otherwise false.
pub fn take(cx: &mut Cx, mutex: Value) -> R<bool> {
    let (own, thread) = (fiber::current(cx), cx.thread);
    let m = state(cx, mutex)?;
    if is_held(m) {
        return Ok(false);
    }
    m.owner = own;
    m.thread = thread;
    runtime::concurrency::thread::state(cx, thread).mutexes += 1;
    Ok(true)
}

pub fn lock_mutex(cx: &mut Cx, mutex: Value) -> R<()> {
    let thread = cx.thread;
    if runtime::concurrency::thread::state(cx, thread).in_trap {
        return Err(thread_error(cx, "can't be called from trap context"));
    }
    if take(cx, mutex)? {
        return Ok(());
    }
    let own = fiber::current(cx);
    if state(cx, mutex)?.owner == own {
        return Err(thread_error(cx, "deadlock; recursive locking"));
    }
    if state(cx, mutex)?.thread == thread && scheduler::current(cx).is_none() {
        let text = "deadlock; lock already owned by another fiber belonging to the same thread";
        return Err(thread_error(cx, text));
    }
    state(cx, mutex)?.waiting += 1;
    let waited = parking::wait_until(cx, mutex, None, |cx| take(cx, mutex).unwrap_or(true));
    state(cx, mutex)?.waiting -= 1;
    if waited.is_err() {
        parking::notify_one(cx, mutex)?; // An unlock may have woken this thread, which no longer waits.
    }
    waited.map(|_| ())
}

/// Locks a temporarily released mutex again, before exceptions from other threads are handled. The unwinding in
/// progress is preserved.
fn lock_again(cx: &mut Cx, mutex: Value) -> R<()> {
    let kept = std::mem::replace(&mut cx.unwinding, runtime::unwind::Unwinding::none());
    state(cx, mutex)?.waiting += 1;
    let waited = parking::wait_uninterrupted(cx, mutex, |cx| take(cx, mutex).unwrap_or(true));
    state(cx, mutex)?.waiting -= 1;
    waited?;
    cx.unwinding = kept;
    Ok(())
}

pub fn unlock_mutex(cx: &mut Cx, mutex: Value) -> R<()> {
    let own = fiber::current(cx);
    let m = state(cx, mutex)?;
    if m.owner.is_nil() {
        return Err(thread_error(cx, "Attempt to unlock a mutex which is not locked"));
    }
    if m.owner != own {
        return Err(thread_error(cx, "Attempt to unlock a mutex which is locked by another thread/fiber"));
    }
    let holder = std::mem::replace(&mut m.thread, Value::NIL);
    m.owner = Value::NIL;
    let is_awaited = m.waiting > 0;
    let holder = runtime::concurrency::thread::state(cx, holder);
    holder.mutexes = holder.mutexes.saturating_sub(1);
    if is_awaited {
        parking::notify_one(cx, mutex)?;
    }
    Ok(())
}

/// `lock → self`: waits until the mutex is unlocked and locks it. ThreadError in a trap handler, and if the running
/// fiber has locked it, or another fiber of this thread without a scheduler.
fn lock(cx: &mut Cx, args: Args) -> R {
    lock_mutex(cx, args.me())?;
    Ok(args.me())
}

/// `try_lock → true or false`: locks the mutex if it is unlocked; otherwise returns false immediately.
fn try_lock(cx: &mut Cx, args: Args) -> R {
    take(cx, args.me()).map(Value::bool)
}

/// `unlock → self`: unlocks the mutex and wakes one waiting thread. ThreadError unless the running fiber has locked it.
fn unlock(cx: &mut Cx, args: Args) -> R {
    unlock_mutex(cx, args.me())?;
    Ok(args.me())
}

/// `locked? → true or false`: whether any fiber has locked it.
fn locked(cx: &mut Cx, args: Args) -> R {
    is_locked(cx, args.me()).map(Value::bool)
}

/// Whether any fiber has locked the mutex.
pub fn is_locked(cx: &mut Cx, mutex: Value) -> R<bool> {
    Ok(is_held(state(cx, mutex)?))
}

/// `owned? → true or false`: whether the running fiber has locked it.
fn owned(cx: &mut Cx, args: Args) -> R {
    let own = fiber::current(cx);
    Ok(Value::bool(state(cx, args.me())?.owner == own))
}

/// A timeout argument in seconds; `None` for nil.
pub fn timeout(cx: &mut Cx, v: Option<Value>) -> R<Option<f64>> {
    match v {
        None | Some(Value::NIL) => Ok(None),
        Some(v) => pause::interval(cx, v).map(Some),
    }
}

/// `sleep(timeout = nil) → integer or nil`: unlocks the mutex, sleeps until woken or for `timeout` seconds, and locks
/// it again; returns the elapsed seconds, nil on timeout.
fn sleep(cx: &mut Cx, args: Args) -> R {
    let seconds = timeout(cx, args.opt(0))?;
    let begun = host::clock::monotonic_nanoseconds();
    unlock_mutex(cx, args.me())?;
    let woken = super::thread::sleep_until(cx, parking::deadline_after(seconds));
    lock_again(cx, args.me())?;
    let woken = woken?;
    runtime::concurrency::pending::check_blocking(cx)?;
    if !woken && seconds.is_some() {
        return Ok(Value::NIL);
    }
    Ok(Value::fixnum(((host::clock::monotonic_nanoseconds() - begun) as f64 / 1e9).round() as i64))
}

fn condition(cx: &mut Cx, v: Value) -> R<&mut ConditionState> {
    native::get_mut_or::<ConditionState, _, _>(cx, v, |cx| {
        cx.type_error("wrong argument type (expected Thread::ConditionVariable)")
    })
}

/// `wait(mutex, timeout = nil) → object`: calls `sleep` of the mutex, which unlocks it, until `signal` or `broadcast`
/// wakes the thread; nil or false on timeout.
fn wait(cx: &mut Cx, args: Args) -> R {
    // A fiber that waits in a scheduler is listed as a fiber.
    let thread = if scheduler::current(cx).is_some() { fiber::current(cx) } else { cx.thread };
    let own = args.me();
    let waiting = condition(cx, own)?.waiting;
    make::push(cx, waiting, thread);
    let sleep = object::symbol::table::intern_text(cx, "sleep");
    let slept = call::send(cx, args.at(0), sleep, &[args.opt(1).unwrap_or(Value::NIL)]);
    if let Some(at) = Arr::of(waiting).index_of(thread) {
        let _ = Arr::of(waiting).delete_at(cx, at);
    }
    Ok(if slept?.truthy() { own } else { Value::NIL })
}

/// Wakes the thread that has waited longest. False if there is none.
fn wake_first(cx: &mut Cx, condition: Value) -> R<bool> {
    let waiting = self::condition(cx, condition)?.waiting;
    while let Some(thread) = Arr::of(waiting).shift(cx) {
        if native::get::<FiberState>(&thread).is_some() {
            if wake_fiber(cx, condition, thread)? {
                return Ok(true);
            }
            continue;
        }
        let state = runtime::concurrency::thread::state(cx, thread);
        if state.is_alive() {
            state.wakeup = true;
            parking::notify_about(cx, thread)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Wakes a fiber that waits in a scheduler; false if the fiber has ended.
fn wake_fiber(cx: &mut Cx, condition: Value, waiting: Value) -> R<bool> {
    let own = fiber::state(cx, waiting);
    let (thread, ended) = (own.thread, own.status == runtime::concurrency::FiberStatus::Terminated);
    let scheduler = runtime::concurrency::thread::state(cx, thread).scheduler;
    if ended || scheduler.is_nil() {
        return Ok(false);
    }
    scheduler::unblock(cx, scheduler, condition, waiting)?;
    Ok(true)
}

/// `signal → self`: wakes the thread or fiber that has waited longest, if any.
fn signal(cx: &mut Cx, args: Args) -> R {
    wake_first(cx, args.me())?;
    Ok(args.me())
}

/// `broadcast → self`: wakes all waiting threads and fibers.
fn broadcast(cx: &mut Cx, args: Args) -> R {
    while wake_first(cx, args.me())? {}
    Ok(args.me())
}

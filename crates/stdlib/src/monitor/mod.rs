//! Monitor, a Thread::Mutex that its owner may enter again, and MonitorMixin, which is in Ruby.

use core_classes::mutex;
use heap::Trace;
use object::{
    Known,
    native::{self, NativeData},
};
use runtime::{Args, Cx, Method, R, Value, concurrency::fiber, convert, define, error::ErrorClass, internal, library};

/// The state of a Monitor.
#[derive(Clone, Copy, Trace)]
struct Monitor {
    mutex: Value,
    /// The fiber that entered it, or nil.
    owner: Value,
    /// How often the owner entered it.
    #[trace(skip)]
    count: i64,
}

impl NativeData for Monitor {
    object::one_vtable!(Monitor);
}

const METHODS: &[Method] = &[
    Method::new("try_enter", try_enter),
    Method::new("enter", enter),
    Method::new("exit", exit),
    Method::new("mon_locked?", is_locked),
    Method::new("mon_owned?", is_owned),
    Method::new("mon_check_owner", check_owner),
    // What `synchronize` calls, even if a subclass has another `enter` or `exit`.
    Method::new("__enter", enter).private(),
    Method::new("__exit", exit).private(),
    Method::new("__mutex", mutex_of).private(),
    Method::new("__give_up", give_up).private(),
    Method::new("__regain(count)", regain).borrows(0).private(),
];

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx) -> R<()> {
    let object = cx.class(Known::Object);
    let class = library::class(cx, object, "Monitor", object)?;
    core_classes::marshal::refuse(cx, class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    internal::load(cx, runtime::ruby_half!("monitor/monitor"))
}

/// `Monitor.allocate → monitor`: one that nobody has entered.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let mutex = mutex::new(cx);
    Ok(native::embed(cx, args.me(), Monitor { mutex, owner: Value::NIL, count: 0 }))
}

fn state(cx: &mut Cx, v: Value) -> R<&mut Monitor> {
    native::get_mut_or::<Monitor, _, _>(cx, v, |cx| cx.type_error("wrong argument type (expected monitor)"))
}

/// The state if the running fiber has entered the monitor, otherwise ThreadError.
fn owned(cx: &mut Cx, v: Value) -> R<&mut Monitor> {
    let own = fiber::current(cx);
    // Reading does not record a change for the collector.
    if native::get::<Monitor>(&v).is_some_and(|monitor| monitor.owner != own) {
        return Err(cx.raise(ErrorClass::ThreadError, "current fiber not owner"));
    }
    state(cx, v)
}

/// Counts one more entry if the running fiber is the owner already; otherwise the mutex to lock.
fn enter_again(cx: &mut Cx, v: Value) -> R<Option<Value>> {
    let own = fiber::current(cx);
    if let Some(monitor) = native::get::<Monitor>(&v)
        && monitor.owner != own
    {
        return Ok(Some(monitor.mutex));
    }
    state(cx, v)?.count += 1;
    Ok(None)
}

/// Records the running fiber, which has locked the mutex, as the owner.
fn own(cx: &mut Cx, v: Value, count: i64) -> R<()> {
    let own = fiber::current(cx);
    let monitor = state(cx, v)?;
    (monitor.owner, monitor.count) = (own, count);
    Ok(())
}

/// `try_enter → true or false`: enters the monitor unless another fiber is in it. Aliases: `try_mon_enter`,
/// `mon_try_enter`.
fn try_enter(cx: &mut Cx, args: Args) -> R {
    if let Some(mutex) = enter_again(cx, args.me())? {
        if !mutex::take(cx, mutex)? {
            return Ok(Value::FALSE);
        }
        own(cx, args.me(), 1)?;
    }
    Ok(Value::TRUE)
}

/// `enter`, `__enter → nil`: waits until no other fiber is in the monitor and enters it. Alias: `mon_enter`.
fn enter(cx: &mut Cx, args: Args) -> R {
    if let Some(mutex) = enter_again(cx, args.me())? {
        mutex::lock_mutex(cx, mutex)?;
        own(cx, args.me(), 1)?;
    }
    Ok(Value::NIL)
}

/// `exit`, `__exit → nil`: leaves the monitor; the last time, others can enter it. ThreadError unless the running fiber
/// is in it. Alias: `mon_exit`.
fn exit(cx: &mut Cx, args: Args) -> R {
    let monitor = owned(cx, args.me())?;
    monitor.count -= 1;
    if monitor.count == 0 {
        monitor.owner = Value::NIL;
        let mutex = monitor.mutex;
        mutex::unlock_mutex(cx, mutex)?;
    }
    Ok(Value::NIL)
}

/// `mon_locked? → true or false`: whether any fiber is in the monitor.
fn is_locked(cx: &mut Cx, args: Args) -> R {
    let mutex = state(cx, args.me())?.mutex;
    mutex::is_locked(cx, mutex).map(Value::bool)
}

/// `mon_owned? → true or false`: whether the running fiber is in the monitor.
fn is_owned(cx: &mut Cx, args: Args) -> R {
    let Monitor { mutex, owner, .. } = *state(cx, args.me())?;
    Ok(Value::bool(mutex::is_locked(cx, mutex)? && owner == fiber::current(cx)))
}

/// `mon_check_owner → nil`: ThreadError unless the running fiber is in the monitor.
fn check_owner(cx: &mut Cx, args: Args) -> R {
    owned(cx, args.me())?;
    Ok(Value::NIL)
}

/// `__mutex → mutex`: the Thread::Mutex that is locked while a fiber is in the monitor.
fn mutex_of(cx: &mut Cx, args: Args) -> R {
    Ok(state(cx, args.me())?.mutex)
}

/// `__give_up → integer`: before the mutex is unlocked for a while: nobody owns the monitor; how often it was entered.
fn give_up(cx: &mut Cx, args: Args) -> R {
    let monitor = state(cx, args.me())?;
    monitor.owner = Value::NIL;
    Ok(Value::fixnum(std::mem::take(&mut monitor.count)))
}

/// `__regain(count) → nil`: the running fiber, which has locked the mutex again, has entered the monitor so often.
fn regain(cx: &mut Cx, args: Args) -> R {
    let count = convert::to_i64(cx, args.at(0))?;
    own(cx, args.me(), count)?;
    Ok(Value::NIL)
}

//! Thread::Queue and Thread::SizedQueue.

use heap::Trace;
use object::{
    array::Arr,
    native::{self, NativeData},
};
use runtime::{
    Args, Cx, Known, Method, R, Value, call, concurrency::parking, convert, define, error::ErrorClass, error::OrRaise,
    internal, make, method_table::flag, sym,
};

#[derive(Trace)]
pub struct QueueState {
    /// An Array; nil until `initialize`.
    items: Value,
    closed: bool,
    waiting: usize,
    /// The process in which waiting threads were counted: a forked child has none of them.
    counted_in: u32,
    /// The maximum number of items of a SizedQueue.
    limit: Option<usize>,
}

impl NativeData for QueueState {
    object::one_vtable!(QueueState);
}

const METHODS: &[Method] = &[
    Method::new("initialize(items = nil)", initialize).private(),
    Method::new("push(item)", push),
    Method::new("__pop(non_block = false, timeout = nil)", pop).private(),
    Method::new("close", close),
    Method::new("closed?", is_closed),
    Method::new("empty?", is_empty),
    Method::new("clear", clear),
    Method::new("length", length),
    Method::new("num_waiting", num_waiting),
    Method::new("freeze", freeze),
    Method::new("marshal_dump", crate::marshal::refuse_dump),
];

const SIZED: &[Method] = &[
    Method::new("initialize(max)", initialize_sized).private(),
    Method::new("__push(item, non_block = false, timeout = nil)", push_sized).private(),
    Method::new("max", max),
    Method::new("max=(n)", set_max),
];

const ALLOCATE: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx) {
    let (thread, object) = (cx.class(Known::Thread), cx.class(Known::Object));
    let queue = define::define_class(cx, thread, "Queue", object);
    define::define_methods(cx, queue, METHODS);
    define::define_singleton_methods(cx, queue, ALLOCATE);
    define::undefine(cx, queue, "initialize_copy");
    let sized = define::define_class(cx, thread, "SizedQueue", queue);
    define::define_methods(cx, sized, SIZED);
    internal::load(cx, runtime::ruby_half!("queue/queue")).expect("the Ruby half of Queue runs");
    for (class, name) in [(queue, "Queue"), (sized, "SizedQueue")] {
        define::aliases(cx, class, &[("<<", "push"), ("enq", "push")]);
        let symbol = object::symbol::table::intern_text(cx, name);
        define::set_constant(cx, object, symbol, class);
    }
    define::aliases(cx, queue, &[("shift", "pop"), ("deq", "pop"), ("size", "length")]);
}

/// `Thread::Queue.allocate → queue`: a queue for `initialize`; until then its methods raise TypeError.
fn allocate(cx: &mut Cx, args: Args) -> R {
    let counted_in = cx.vm().forks;
    let state = QueueState { items: Value::NIL, closed: false, waiting: 0, counted_in, limit: None };
    Ok(native::embed(cx, args.me(), state))
}

fn state(cx: &mut Cx, v: Value) -> R<&mut QueueState> {
    let forks = cx.vm().forks;
    if native::get::<QueueState>(&v).is_some_and(|state| state.items.is_nil()) {
        let shown = define::any_to_text(cx, v);
        return Err(cx.type_error(&format!("{shown} not initialized")));
    }
    let state = native::get_mut_or::<QueueState, _, _>(cx, v, |cx| cx.type_error("uninitialized queue"))?;
    if std::mem::replace(&mut state.counted_in, forks) != forks {
        state.waiting = 0;
    }
    Ok(state)
}

/// Sets the items of a queue.
fn fill(cx: &mut Cx, queue: Value, items: Value, limit: Option<usize>) {
    if let Some(state) = native::get_mut::<QueueState>(cx, queue) {
        state.items = items;
        state.limit = limit;
    }
}

/// `initialize(items = nil) → nil`: starts with a copy of the items. TypeError unless they have a `to_a` that returns
/// an Array.
fn initialize(cx: &mut Cx, args: Args) -> R {
    if let Some(given) = args.opt(0) {
        let Some(list) = runtime::call::send_if_responds(cx, given, sym::TO_A, &[])? else {
            let class = runtime::error::class_name_of(cx, given);
            return Err(cx.type_error(&format!("can't convert {class} into Array")));
        };
        if !object::cell::is(list, abi::Type::Array) {
            let (class, got) = (runtime::error::class_name_of(cx, given), runtime::error::class_name_of(cx, list));
            return Err(cx.type_error(&format!("can't convert {class} to Array ({class}#to_a gives {got})")));
        }
        let items = Arr::of(list).dup(cx).or_raise(cx)?;
        fill(cx, args.me(), items.value(), None);
        return Ok(Value::NIL);
    }
    let items = make::array(cx, &[]);
    fill(cx, args.me(), items, None);
    Ok(Value::NIL)
}

fn limit_argument(cx: &mut Cx, v: Value) -> R<usize> {
    let n = convert::to_i64(cx, v)?;
    if n <= 0 { Err(cx.argument_error("queue size must be positive")) } else { Ok(n as usize) }
}

/// `initialize(max) → nil`: an empty queue for at most `max` items. ArgumentError unless `max` is positive.
fn initialize_sized(cx: &mut Cx, args: Args) -> R {
    let limit = limit_argument(cx, args.at(0))?;
    let items = make::array(cx, &[]);
    fill(cx, args.me(), items, Some(limit));
    Ok(Value::NIL)
}

/// The `timeout:` of an operation in seconds; `None` for nil.
fn timeout(cx: &mut Cx, v: Option<Value>) -> R<Option<f64>> {
    let Some(v) = v.filter(|v| !v.is_nil()) else { return Ok(None) };
    if let Some(seconds) = v.as_fixnum() {
        return Ok(Some(seconds as f64));
    }
    let unfit = match v {
        Value::TRUE => Some("true"),
        Value::FALSE => Some("false"),
        v if object::cell::is(v, abi::Type::String) => Some("string"),
        _ => None,
    };
    match unfit {
        Some(kind) => Err(cx.type_error(&format!("no implicit conversion to float from {kind}"))),
        None if object::class::is_known(cx, v, Known::Numeric) => convert::to_f64(cx, v).map(Some),
        None => match call::send_if_responds(cx, v, sym::TO_F, &[])? {
            Some(seconds) => convert::float_of(cx, v, seconds).map(Some),
            None => convert::to_f64(cx, v).map(Some),
        },
    }
}

fn closed_error(cx: &mut Cx) -> runtime::Unwind {
    cx.raise(ErrorClass::ClosedQueueError, "queue closed")
}

/// `push(item) → self`: adds an item and wakes a thread waiting for one. ClosedQueueError after `close`. Aliases: `<<`,
/// `enq`.
fn push(cx: &mut Cx, args: Args) -> R {
    let q = state(cx, args.me())?;
    if q.closed {
        return Err(closed_error(cx));
    }
    let (is_sized, items) = (q.limit.is_some(), q.items);
    make::push(cx, items, args.at(0));
    notify(cx, args.me(), is_sized)?;
    Ok(args.me())
}

/// Called after adding an item. If only receivers are waiting, one of them is woken.
fn notify(cx: &mut Cx, queue: Value, is_sized: bool) -> R<()> {
    if is_sized { parking::notify_about(cx, queue) } else { parking::notify_one(cx, queue) }
}

/// Whether an operation does not wait. ArgumentError if it has a timeout too.
fn is_non_block(cx: &mut Cx, non_block: Value, timeout: Value) -> R<bool> {
    if flag(non_block) && flag(timeout) {
        return Err(cx.argument_error("can't set a timeout if non_block is enabled"));
    }
    Ok(flag(non_block))
}

/// `push(item, non_block = false, timeout: nil) → self or nil`: adds an item, waiting while the queue is full; nil
/// after `timeout` seconds. ThreadError instead of waiting with `non_block`, ClosedQueueError after `close`.
fn push_sized(cx: &mut Cx, args: Args) -> R {
    let own = args.me();
    let non_block = is_non_block(cx, args.get(1), args.get(2))?;
    let has_room = move |cx: &mut Cx| {
        state(cx, own).is_ok_and(|q| q.closed || Arr::of(q.items).len() < q.limit.unwrap_or(usize::MAX))
    };
    let queue = state(cx, own)?;
    let is_full = Arr::of(queue.items).len() >= queue.limit.unwrap_or(usize::MAX);
    if is_full && non_block {
        return Err(cx.raise(ErrorClass::ThreadError, "queue full"));
    }
    let seconds = timeout(cx, args.opt(2))?;
    if is_full && seconds == Some(0.0) {
        return Ok(Value::NIL);
    }
    if !has_room(cx) {
        state(cx, own)?.waiting += 1;
        let waited = parking::wait_until(cx, own, parking::deadline_after(seconds), has_room);
        state(cx, own)?.waiting -= 1;
        if !waited? {
            return Ok(Value::NIL);
        }
    }
    push(cx, args)
}

/// `pop(non_block = false, timeout: nil) → object or nil`: removes the oldest item, waiting while there is none; nil
/// after `timeout` seconds, and when the queue is closed and empty. ThreadError instead of waiting with `non_block`.
fn pop(cx: &mut Cx, args: Args) -> R {
    let own = args.me();
    let non_block = is_non_block(cx, args.get(0), args.get(1))?;
    let items = state(cx, own)?.items;
    if non_block && Arr::of(items).is_empty() {
        return Err(cx.raise(ErrorClass::ThreadError, "queue empty"));
    }
    let seconds = timeout(cx, args.opt(1))?;
    if Arr::of(items).is_empty() {
        if seconds == Some(0.0) {
            return Ok(Value::NIL);
        }
        state(cx, own)?.waiting += 1;
        let waited = parking::wait_until(cx, own, parking::deadline_after(seconds), |cx| {
            state(cx, own).is_ok_and(|q| q.closed || !Arr::of(q.items).is_empty())
        });
        let q = state(cx, own)?;
        q.waiting -= 1;
        if waited.is_err() && !Arr::of(q.items).is_empty() {
            // A push may have woken this thread, which no longer waits.
            parking::notify_about(cx, own)?;
        }
        waited?;
    }
    let items = state(cx, own)?.items;
    let first = Arr::of(items).shift(cx).unwrap_or(Value::NIL);
    if state(cx, own)?.limit.is_some() {
        parking::notify_about(cx, own)?;
    }
    Ok(first)
}

/// `close → self`: nothing can be added any more; threads waiting for an item get nil once the queue is empty.
fn close(cx: &mut Cx, args: Args) -> R {
    state(cx, args.me())?.closed = true;
    parking::notify_about(cx, args.me())?;
    Ok(args.me())
}

/// `closed? → true or false`: whether the queue was closed.
fn is_closed(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(state(cx, args.me())?.closed))
}

/// `empty? → true or false`: whether there are no items.
fn is_empty(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(Arr::of(state(cx, args.me())?.items).is_empty()))
}

/// `clear → self`: removes all items, and wakes threads waiting for space.
fn clear(cx: &mut Cx, args: Args) -> R {
    let items = state(cx, args.me())?.items;
    Arr::of(items).clear(cx);
    parking::notify_about(cx, args.me())?;
    Ok(args.me())
}

/// `length → integer`: the number of items. Alias: `size`.
fn length(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(Arr::of(state(cx, args.me())?.items).len() as i64))
}

/// `num_waiting → integer`: the number of threads waiting for an item, or for space in a SizedQueue.
fn num_waiting(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(state(cx, args.me())?.waiting as i64))
}

/// `freeze`: raises TypeError, because a frozen queue could not be used.
fn freeze(cx: &mut Cx, args: Args) -> R {
    let shown = runtime::define::any_to_text(cx, args.me());
    Err(cx.type_error(&format!("cannot freeze {shown}")))
}

/// `max → integer`: the maximum number of items.
fn max(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(state(cx, args.me())?.limit.unwrap_or(0) as i64))
}

/// `max=(n) → number`: sets the maximum number of items; items beyond it remain, threads waiting for space are woken.
/// ArgumentError unless it is positive.
fn set_max(cx: &mut Cx, args: Args) -> R {
    let limit = limit_argument(cx, args.at(0))?;
    state(cx, args.me())?.limit = Some(limit);
    parking::notify_about(cx, args.me())?;
    Ok(args.at(0))
}

//! Fiber: code that can be suspended and resumed.

use object::{class, hash::HashRef, native};
use runtime::{
    Args, Cx, Known, Method, R, Root, Value, call,
    concurrency::{
        fiber::{self, FiberState, FiberStatus},
        offload, scheduler,
    },
    convert, define,
    error::{self, ErrorClass},
    keys, make,
};

const METHODS: &[Method] = &[
    Method::new("initialize(*ignored, blocking: false, pool: nil, storage: true)", initialize).private(),
    Method::new("resume(*values, **keywords)", resume),
    Method::new("transfer(*values, **keywords)", transfer),
    Method::new("raise(*arguments, **options)", raise),
    Method::new("kill", kill),
    Method::new("alive?", alive),
    Method::new("blocking?", is_blocking),
    Method::new("storage", storage),
    Method::new("storage=(hash)", set_storage),
    Method::new("inspect", inspect),
];

const SINGLETON: &[Method] = &[
    Method::new("allocate", allocate),
    Method::new("yield(*values)", yield_values),
    Method::new("current", current),
    Method::new("blocking?", is_current_blocking),
    Method::new("scheduler", of_thread),
    Method::new("current_scheduler", current_scheduler),
    Method::new("schedule(*arguments, **keywords) { }", schedule),
    Method::new("set_scheduler(scheduler)", set_scheduler),
    Method::new("blocking { |fiber| }", blocking),
    Method::new("[](key)", storage_get),
    Method::new("[]=(key, value)", storage_set),
];

const OPERATION: &[Method] = &[Method::new("call", call_operation)];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Fiber);
    define::define_methods(cx, class, METHODS);
    define::define_methods(cx, class, crate::thread::backtrace::METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::synonym(cx, class, "to_s", "inspect");
    define_operation(cx);
}

/// The class of what `blocking_operation_wait` gets, which has no name.
fn define_operation(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let class = class::new_class(cx, object);
    define::define_methods(cx, class, OPERATION);
    cx.set_root(Root::BlockingOperation, class);
}

/// `call → nil`: does the work, in any thread. RuntimeError for the second call.
fn call_operation(cx: &mut Cx, args: Args) -> R {
    offload::call(cx, args.me())?;
    Ok(Value::NIL)
}

/// `Fiber.allocate → fiber`: a fiber without a block, which `initialize` sets.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(fiber::new(cx, args.me(), Value::NIL))
}

/// `Fiber.new(*ignored, blocking: false, pool: nil, storage: true) { |*values| … }`: the first `resume` calls the block
/// with its arguments; ArgumentError without one. `storage` is a Hash, nil, or true to inherit a copy; `pool` has no
/// effect.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let block = args.block_proc(cx)?;
    if block.is_nil() {
        return Err(cx.argument_error("tried to create Proc object without a block"));
    }
    let known = ["blocking", "pool", "storage"].map(|name| object::symbol::table::intern_text(cx, name));
    keys::only_keywords(cx, args.keywords(), &known)?;
    let blocking = keys::get_symbol_text(cx, args.keywords(), "blocking");
    let given = keys::get_symbol_text(cx, args.keywords(), "storage");
    fiber::initialize(cx, args.me(), block);
    let inherited = current_storage(cx);
    let own = match given {
        Value::TRUE | Value::UNDEF if inherited.is_nil() => Value::NIL,
        Value::TRUE | Value::UNDEF => keys::dup(cx, inherited),
        Value::NIL => Value::NIL,
        hash => {
            check_storage(cx, hash)?;
            keys::dup(cx, hash)
        }
    };
    let place = crate::proc::describe::place_text(block);
    let state = fiber::state(cx, args.me());
    state.blocking = runtime::method_table::flag(blocking);
    state.place = place;
    state.storage = own;
    Ok(Value::NIL)
}

fn check_storage(cx: &mut Cx, hash: Value) -> R<()> {
    let Some(table) = HashRef::from_value(hash) else {
        return Err(cx.type_error("wrong argument type (expected Hash)"));
    };
    if object::cell::frozen(hash) {
        return Err(cx.raise(ErrorClass::FrozenError, "storage must not be frozen"));
    }
    for (key, _) in table.entries() {
        check_key(cx, key)?;
    }
    Ok(())
}

fn check_key(cx: &mut Cx, key: Value) -> R<()> {
    if runtime::Sym::from_value(key).is_none() {
        let got = error::class_name_of(cx, key);
        return Err(cx.type_error(&format!("wrong argument type {got} (expected Symbol)")));
    }
    Ok(())
}

/// Passes the values of a call to a fiber by `switch`.
fn pass(cx: &mut Cx, args: Args, switch: fn(&mut Cx, Value, &[Value]) -> R) -> R {
    // The frequent case needs no Array.
    if args.keywords().is_none() && !begins(args.me_ref()) {
        return switch(cx, args.me(), args.all());
    }
    let values = passed(cx, args);
    runtime::args::spread(cx, object::array::Arr::of(values), |cx, values| switch(cx, args.me(), values))
}

fn begins(fiber: &Value) -> bool {
    native::get::<FiberState>(fiber).is_some_and(|f| f.status == FiberStatus::Created)
}

/// The values passed to a fiber: keywords remain keywords only for its block, otherwise they become a last Hash.
fn passed(cx: &mut Cx, args: Args) -> Value {
    if begins(args.me_ref()) {
        return runtime::call::block::put_aside(cx, args.all(), args.keywords());
    }
    let values = make::array(cx, args.all());
    if let Some(keywords) = args.keywords() {
        make::push(cx, values, keywords);
    }
    values
}

/// `resume(*values, **keywords) → object`: continues the fiber until it yields or ends; its block, or the `Fiber.yield`
/// where it is suspended, receives the values. FiberError for a fiber that is running, has ended, was transferred or
/// belongs to another thread.
fn resume(cx: &mut Cx, args: Args) -> R {
    pass(cx, args, fiber::resume)
}

/// `transfer(*values, **keywords) → object`: like `resume`, but the fiber does not return here by itself: it transfers
/// on, or its end continues the main fiber. FiberError for a fiber that yielded.
fn transfer(cx: &mut Cx, args: Args) -> R {
    pass(cx, args, fiber::transfer)
}

/// `raise(*arguments, **options) → object`: resumes the fiber, which raises the exception where it is suspended.
/// FiberError for one that has not begun or has ended.
fn raise(cx: &mut Cx, args: Args) -> R {
    let exception = make_exception(cx, args)?;
    fiber::raise_in(cx, args.me(), exception)
}

/// The exception specified by the arguments of Fiber#raise or Thread#raise: as for Kernel#raise, but without using
/// `$!`.
pub fn make_exception(cx: &mut Cx, args: Args) -> R {
    let under_way = std::mem::replace(&mut cx.error_info, Value::NIL);
    let made = if args.is_empty() && args.keywords().is_none() {
        let class = cx.error_class(ErrorClass::RuntimeError);
        let message = make::text(cx, "");
        Ok(error::new_exception(cx, class, message))
    } else {
        crate::kernel::control::exception_of(cx, args)
    };
    cx.error_info = under_way;
    made
}

/// `kill → self or false`: ends the fiber: one that has not begun is terminated, any other unwinds through its `ensure`
/// clauses. False if it was killed before.
fn kill(cx: &mut Cx, args: Args) -> R {
    if fiber::state(cx, args.me()).killed {
        return Ok(Value::FALSE);
    }
    fiber::kill(cx, args.me())?;
    Ok(args.me())
}

/// `alive? → true or false`: whether the block has not ended yet.
fn alive(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(native::get::<FiberState>(args.me_ref()).is_some_and(|f| f.status != FiberStatus::Terminated)))
}

/// `blocking? → true or false`: whether operations of the fiber block the thread instead of calling the scheduler. True
/// for a thread's first fiber.
fn is_blocking(_: &mut Cx, args: Args) -> R {
    Ok(Value::bool(native::get::<FiberState>(args.me_ref()).is_some_and(|f| f.blocking || f.is_root())))
}

/// `Fiber.yield(*values) → object`: returns control to the caller of `resume`, which returns the values; returns the
/// values that the next `resume` passes. FiberError outside of a resumed fiber.
fn yield_values(cx: &mut Cx, args: Args) -> R {
    fiber::suspend(cx, args.all())
}

/// `Fiber.current → fiber`: the running fiber; by default the thread's first fiber.
fn current(cx: &mut Cx, _: Args) -> R {
    Ok(fiber::current(cx))
}

/// `Fiber.scheduler → scheduler or nil`: the scheduler set for this thread.
fn of_thread(cx: &mut Cx, _: Args) -> R {
    Ok(scheduler::of_thread(cx))
}

/// `Fiber.current_scheduler → scheduler or nil`: the scheduler of the thread, unless the running fiber is blocking.
fn current_scheduler(cx: &mut Cx, _: Args) -> R {
    Ok(scheduler::current(cx).unwrap_or(Value::NIL))
}

/// `Fiber.set_scheduler(scheduler) → scheduler or nil`: sets the scheduler in which non-blocking fibers of this thread
/// wait, and closes the previous one. ArgumentError if a method is missing.
fn set_scheduler(cx: &mut Cx, args: Args) -> R {
    scheduler::set(cx, args.at(0))
}

/// `Fiber.schedule(*arguments, **keywords) { } → fiber`: calls the scheduler's `fiber` hook with the block.
/// RuntimeError without a scheduler.
fn schedule(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    scheduler::schedule(cx, args.all(), args.keywords(), block)
}

/// `Fiber.blocking? → false or 1`: whether the running fiber blocks the thread instead of calling the scheduler.
fn is_current_blocking(cx: &mut Cx, _: Args) -> R {
    let own = fiber::current(cx);
    let state = fiber::state(cx, own);
    Ok(if state.blocking || state.is_root() { Value::fixnum(1) } else { Value::FALSE })
}

/// `Fiber.blocking { |fiber| } → object`: calls the block, during which the running fiber is blocking.
fn blocking(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(call::block::no_block(cx));
    }
    let own = fiber::current(cx);
    let before = std::mem::replace(&mut fiber::state(cx, own).blocking, true);
    let result = call::yield_one(cx, block, own);
    fiber::state(cx, own).blocking = before;
    result
}

fn current_storage(cx: &mut Cx) -> Value {
    let own = fiber::current(cx);
    fiber::state(cx, own).storage
}

/// `storage → hash or nil`: a copy of the values that new fibers inherit. ArgumentError unless the receiver is the
/// running fiber.
fn storage(cx: &mut Cx, args: Args) -> R {
    own_only(cx, args.me())?;
    let storage = fiber::state(cx, args.me()).storage;
    Ok(if storage.is_nil() { Value::NIL } else { keys::dup(cx, storage) })
}

fn own_only(cx: &mut Cx, fiber: Value) -> R<()> {
    if fiber::current(cx) == fiber {
        Ok(())
    } else {
        Err(cx.argument_error("Fiber storage can only be accessed from the Fiber it belongs to"))
    }
}

/// `storage=(hash) → hash`: sets a copy of a Hash with symbols as keys, or nil. ArgumentError unless the receiver is
/// the running fiber.
fn set_storage(cx: &mut Cx, args: Args) -> R {
    own_only(cx, args.me())?;
    if !args.at(0).is_nil() {
        check_storage(cx, args.at(0))?;
    }
    let own = if args.at(0).is_nil() { Value::NIL } else { keys::dup(cx, args.at(0)) };
    fiber::state(cx, args.me()).storage = own;
    Ok(args.at(0))
}

/// `Fiber[key] → object or nil`: a value of the running fiber, which new fibers inherit. TypeError unless the key is a
/// Symbol or String.
fn storage_get(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let storage = current_storage(cx);
    if storage.is_nil() {
        return Ok(Value::NIL);
    }
    Ok(keys::get(cx, storage, key.value())?.unwrap_or(Value::NIL))
}

/// `Fiber[key] = value`: sets a value of the running fiber, which fibers created later inherit; nil removes it.
fn storage_set(cx: &mut Cx, args: Args) -> R {
    let key = convert::to_symbol(cx, args.at(0))?;
    let own = fiber::current(cx);
    if fiber::state(cx, own).storage.is_nil() {
        if args.at(1).is_nil() {
            return Ok(Value::NIL);
        }
        let table = HashRef::new(cx).value();
        fiber::state(cx, own).storage = table;
    }
    let storage = fiber::state(cx, own).storage;
    if args.at(1).is_nil() {
        keys::delete(cx, storage, key.value())?;
    } else {
        keys::store(cx, storage, key.value(), args.at(1))?;
    }
    Ok(args.at(1))
}

/// `inspect → string`: the class, the location of the block and the status: created, resumed, suspended or terminated.
/// Alias: `to_s`.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let (status, place) =
        native::get::<FiberState>(args.me_ref()).map_or(("terminated", ""), |f| (f.status.name(), f.place.as_str()));
    let place = if place.is_empty() { String::new() } else { format!(" {place}") };
    let class = error::class_name_of(cx, args.me());
    Ok(make::described(cx, &format!("#<{class}:0x{:016x}{place} ({status})>", args.me().0)))
}

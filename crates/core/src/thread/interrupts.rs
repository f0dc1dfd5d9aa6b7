//! Interrupts between threads: raise, kill, wakeup; and their masks (handle_interrupt).

use abi::Type;
use object::{cell, class, hash::HashRef};
use runtime::{
    Args, Cx, Method, R, Value, call,
    concurrency::{
        parking,
        pending::{self, Moment},
        scheduler,
        thread::{self, state},
    },
    error::{self, ErrorClass},
    unwind::Unwinding,
};

pub const METHODS: &[Method] = &[
    Method::new("kill", kill),
    Method::new("raise(*arguments, **options)", raise),
    Method::new("wakeup", wakeup),
    Method::new("run", run),
    Method::new("pending_interrupt?(error = nil)", is_pending),
];

pub const SINGLETON: &[Method] = &[
    Method::new("stop", stop),
    Method::new("exit", exit),
    Method::new("kill(thread)", kill_other),
    Method::new("handle_interrupt(masks) { }", handle_interrupt),
    Method::new("pending_interrupt?(error = nil)", is_pending_here),
];

/// `kill → self`: the thread ends at its next safepoint that allows it, after its `ensure` clauses. The main thread
/// ends the program. Aliases: `terminate`, `exit`.
fn kill(cx: &mut Cx, args: Args) -> R {
    kill_thread(cx, args.me())
}

fn kill_thread(cx: &mut Cx, target: Value) -> R {
    let thread = state(cx, target);
    if !thread.is_alive() || thread.killed {
        return Ok(target);
    }
    if target == cx.thread {
        return Err(pending::die(cx));
    }
    pending::raise_in(cx, target, Value::NIL);
    Ok(target)
}

/// `Thread.kill(thread) → thread`: `kill` of a thread. TypeError for another object.
fn kill_other(cx: &mut Cx, args: Args) -> R {
    super::check_thread(cx, args.at(0))?;
    kill_thread(cx, args.at(0))
}

/// `Thread.exit → thread`: ends the running thread after its `ensure` clauses; the main thread ends the program.
fn exit(cx: &mut Cx, _: Args) -> R {
    let own = cx.thread;
    kill_thread(cx, own)
}

/// `raise(*arguments, **options) → nil`: the thread raises an exception at its next safepoint that allows it, by
/// default a RuntimeError; nothing happens if it has ended.
fn raise(cx: &mut Cx, args: Args) -> R {
    if !state(cx, args.me()).is_alive() {
        return Ok(Value::NIL);
    }
    let exception = crate::fiber::make_exception(cx, args)?;
    let own = cx.thread;
    if args.me() == own && state(cx, own).masks.is_nil() {
        return Err(error::raise_exception(cx, exception));
    }
    // The cause is the exception that the caller is handling, not one that the other thread is handling.
    error::keep_cause(cx, exception);
    pending::raise_in(cx, args.me(), exception);
    if args.me() == own {
        pending::handle(cx, Moment::Anywhere)?;
    }
    Ok(Value::NIL)
}

/// `wakeup → self`: makes a sleeping thread ready to run. ThreadError if it has ended.
fn wakeup(cx: &mut Cx, args: Args) -> R {
    wake(cx, args.me())?;
    Ok(args.me())
}

/// Ends the sleep of a thread.
fn wake(cx: &mut Cx, target: Value) -> R<()> {
    if !state(cx, target).is_alive() {
        return Err(cx.raise(ErrorClass::ThreadError, "killed thread"));
    }
    state(cx, target).wakeup = true;
    parking::note_woken(cx, target);
    pending::interrupt(cx, target);
    Ok(())
}

/// `run → self`: `wakeup`, then lets other threads run immediately. ThreadError if it has ended.
fn run(cx: &mut Cx, args: Args) -> R {
    wake(cx, args.me())?;
    thread::pass(cx);
    Ok(args.me())
}

/// Sleeps until the deadline (false) or Thread#wakeup (true).
pub fn sleep_until(cx: &mut Cx, deadline: Option<u64>) -> R<bool> {
    if let Some(scheduler) = scheduler::current(cx) {
        scheduler::sleep(cx, scheduler, deadline)?;
        return Ok(true);
    }
    let own = cx.thread;
    state(cx, own).wakeup = false;
    parking::wait_until(cx, own, deadline, |cx| std::mem::take(&mut state(cx, own).wakeup))
}

/// `Thread.stop → nil`: sleeps until another thread wakes this one. ThreadError for the only thread.
fn stop(cx: &mut Cx, _: Args) -> R {
    if !thread::has_others(cx) && object::array::Arr::of(super::living(cx)).len() < 2 {
        let text = "stopping only thread\n\tnote: use sleep to stop forever";
        return Err(cx.raise(ErrorClass::ThreadError, text));
    }
    sleep_until(cx, None)?;
    Ok(Value::NIL)
}

/// `handle_interrupt(class => timing, …) { … } → object`: calls the block, in which exceptions from other threads are
/// raised `:immediate`ly, `:on_blocking` or `:never`. ArgumentError for another timing and without a block.
fn handle_interrupt(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.argument_error("block is needed."));
    }
    let given = args.hash(cx, 0)?;
    let masks = runtime::keys::dup(cx, given.value());
    for (class, timing) in HashRef::of(masks).entries() {
        if !pending::is_timing(cx, timing) {
            return Err(cx.argument_error("unknown mask signature"));
        }
        if !class::is_module(class) {
            return Err(cx.argument_error("unknown mask signature"));
        }
    }
    pending::push_masks(cx, masks);
    let result = match pending::handle(cx, Moment::Anywhere) {
        Ok(()) => call::yield_values(cx, block, &[]),
        Err(unwind) => Err(unwind),
    };
    pending::pop_masks(cx);
    let kept = std::mem::replace(&mut cx.unwinding, Unwinding::none());
    // Delayed exceptions take precedence over the block's own.
    pending::handle(cx, Moment::Anywhere)?;
    cx.unwinding = kept;
    result
}

fn check_class(cx: &mut Cx, v: Option<Value>) -> R<()> {
    match v {
        Some(v) if !cell::is(v, Type::Class) && !cell::is(v, Type::Module) => {
            Err(cx.type_error("class or module required for rescue clause"))
        }
        _ => Ok(()),
    }
}

/// `pending_interrupt?(error = nil) → true or false`: whether exceptions from other threads are waiting to be raised in
/// the thread, of a class if one is given. TypeError unless that is a class.
fn is_pending(cx: &mut Cx, args: Args) -> R {
    check_class(cx, args.opt(0))?;
    Ok(Value::bool(pending::is_pending(cx, args.me(), args.opt(0))))
}

/// `Thread.pending_interrupt?(error = nil) → true or false`: `pending_interrupt?` of the running thread.
fn is_pending_here(cx: &mut Cx, args: Args) -> R {
    check_class(cx, args.opt(0))?;
    let own = cx.thread;
    Ok(Value::bool(pending::is_pending(cx, own, args.opt(0))))
}

//! Backtraces of threads: backtrace, backtrace_locations, each_caller_location.

use object::native;
use runtime::{
    Args, Cx, Method, R, Value,
    backtrace::{self, Backtrace},
    call,
    concurrency::{
        fiber::{self, FiberState},
        thread::state,
    },
    error::ErrorClass,
};

use crate::{exception::location, kernel::context};

pub const METHODS: &[Method] = &[
    Method::new("backtrace(start = 0, length = nil)", lines),
    Method::new("backtrace_locations(start = 0, length = nil)", locations),
];

pub const SINGLETON: &[Method] =
    &[Method::new("each_caller_location(start = 1, length = nil) { |location| }", each_caller_location)];

/// The frames of a fiber, or of a thread's running fiber, from `start` on; `None` past the outermost and for a dead
/// thread.
fn captured(cx: &mut Cx, thread: Value, args: Args) -> R<Option<Value>> {
    if !is_alive(cx, thread) {
        return Ok(None);
    }
    let count = |cx: &mut Cx| {
        let all = capture(cx, thread, 0, usize::MAX);
        native::get::<Backtrace>(&all).map_or(0, |b| b.len())
    };
    let Some((start, length)) = context::span(cx, args, 0, count)? else { return Ok(None) };
    if start > 0 && start > count(cx) {
        return Ok(None);
    }
    Ok(Some(capture(cx, thread, start, length)))
}

/// Whether a thread is alive. A fiber counts as alive even after its end, when it has no frames.
fn is_alive(cx: &mut Cx, who: Value) -> bool {
    native::get::<FiberState>(&who).is_some() || state(cx, who).is_alive()
}

fn capture(cx: &mut Cx, thread: Value, start: usize, length: usize) -> Value {
    if native::get::<FiberState>(&thread).is_some() {
        let current = fiber::current(cx);
        return match thread == current {
            true => backtrace::capture(cx, start, length),
            false => backtrace::capture_of(cx, start, length, |cx| fiber::frames_of_waiting(cx, thread)),
        };
    }
    backtrace::capture_of(cx, start, length, |cx| runtime::concurrency::thread::frames(cx, thread))
}

/// `backtrace(start = 0, length = nil)`, `backtrace(range) → array or nil`: the thread's current frames as strings; nil
/// if it has ended.
fn lines(cx: &mut Cx, args: Args) -> R {
    Ok(match captured(cx, args.me(), args)? {
        Some(trace) => backtrace::to_array(cx, trace),
        None => Value::NIL,
    })
}

/// `backtrace_locations(start = 0, length = nil)`, `backtrace_locations(range) → array or nil`: the thread's current
/// frames as Thread::Backtrace::Location; nil if it has ended.
fn locations(cx: &mut Cx, args: Args) -> R {
    Ok(match captured(cx, args.me(), args)? {
        Some(trace) => location::to_array(cx, trace),
        None => Value::NIL,
    })
}

/// `Thread.each_caller_location(start = 1, length = nil) { |location| } → nil`: yields the locations that
/// `caller_locations` returns, without creating an array. LocalJumpError without a block.
fn each_caller_location(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.raise(ErrorClass::LocalJumpError, "no block given"));
    }
    if args.all().last().is_some_and(|last| object::cell::is(*last, abi::Type::Hash)) {
        return Err(cx.arity_error(args.len(), 0, Some(2)));
    }
    context::each_caller(cx, args, |cx, place| call::yield_one(cx, block, place))?;
    Ok(Value::NIL)
}

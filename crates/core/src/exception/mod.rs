//! Exception and its subclasses.
//!
//! - `message`: message, detailed_message, full_message, inspect; `snippet`: the source line with `^^^^`;
//!   `suggestions`: "Did you mean?"; `syntax_hints`: hints of the library syntax_suggest;
//! - `backtraces`, `location`: where the exception was raised; `report`: the output for an uncaught exception;
//! - `names`, `exits`, `system_calls`, `others`: classes with further attributes.

pub mod backtraces;
pub mod exits;
pub mod location;
pub mod message;
pub mod names;
pub mod others;
pub mod report;
pub mod snippet;
pub mod suggestions;
mod syntax_hints;
pub mod system_calls;

use abi::{BlockHandler, Value};
use object::{Known, cell, class, shape::ivars};
use runtime::{Args, Cx, Method, R, call, define, error::ErrorClass, sym};

use crate::object::copy;

pub const METHODS: &[Method] = &[
    Method::new("initialize(message = nil)", initialize).private(),
    Method::new("exception(message = nil)", exception),
    Method::new("to_s", message::to_s),
    Method::new("message", message::message),
    Method::new("detailed_message(highlight: false, **options)", message::detailed_message),
    Method::new("full_message(highlight: false, order: :top, **options)", message::full_message),
    Method::new("inspect", message::inspect),
    Method::new("backtrace", backtraces::backtrace),
    Method::new("backtrace_locations", backtraces::backtrace_locations),
    Method::new("set_backtrace(backtrace)", backtraces::set_backtrace),
    Method::new("cause", cause).leaf(),
    Method::new("==(other)", equal).borrows(0),
];

pub const SINGLETON: &[Method] =
    &[Method::new("exception(*arguments, **options, &block)", new), Method::new("to_tty?", message::to_tty)];

pub fn define(cx: &mut Cx) {
    let class = cx.class(Known::Exception);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    names::define(cx);
    exits::define(cx);
    system_calls::define(cx);
    others::define(cx);
    location::define(cx);
}

/// Defines methods in the class of an error, for the tables of the children.
pub fn methods(cx: &mut Cx, class: ErrorClass, methods: &'static [Method]) -> Value {
    let class = cx.error_class(class);
    define::define_methods(cx, class, methods);
    class
}

/// A hidden variable of an exception; nil if it is not set.
pub fn field(cx: &mut Cx, exception: Value, name: object::Sym) -> Value {
    ivars::get(cx, exception, name).or(Value::NIL)
}

/// `initialize(message = nil) → self`: sets the message, any object; by default the message is the name of the class.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let message = args.opt(0).unwrap_or(Value::NIL);
    ivars::set_hidden(cx, args.me(), sym::MEMO_MESSAGE, message);
    Ok(args.me())
}

/// `Class.exception(…) → exception`: calls `new` with the arguments, for `raise`.
fn new(cx: &mut Cx, args: Args) -> R {
    let block: BlockHandler = args.block(cx);
    call::send_full(cx, args.me(), sym::NEW, args.all(), args.keywords(), block, call::Scope::Function)
}

/// `exception(message = nil) → exception`: the receiver without an argument, otherwise a copy with that message.
fn exception(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    match args.opt(0) {
        None => Ok(me),
        Some(message) if message == me => Ok(me),
        Some(message) => {
            let copy = copy::clone_object(cx, me, Value::FALSE)?;
            ivars::set_hidden(cx, copy, sym::MEMO_MESSAGE, message);
            Ok(copy)
        }
    }
}

/// `cause → exception or nil`: the value of `$!` when this one was raised, or the `cause:` of `raise`.
fn cause(cx: &mut Cx, args: Args) -> R {
    Ok(field(cx, args.me(), sym::MEMO_CAUSE))
}

/// `==(other) → true or false`: whether both have the same class, message and backtrace. Redefined `message` and
/// `backtrace` are not called.
fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    if class::real_class(cx, me) != class::real_class(cx, other) || !cell::is(other, abi::Type::Exception) {
        return Ok(Value::FALSE);
    }
    let (a, b) = (field(cx, me, sym::MEMO_MESSAGE), field(cx, other, sym::MEMO_MESSAGE));
    if !call::equal(cx, a, b)? {
        return Ok(Value::FALSE);
    }
    let (a, b) = (backtraces::of(cx, me)?, backtraces::of(cx, other)?);
    Ok(Value::bool(call::equal(cx, a, b)?))
}

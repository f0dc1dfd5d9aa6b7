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

use abi::Value;
use object::{Known, class, shape::ivars};
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
    // Copies, so that a method that Object redefines is not called while its own error is raised.
    Method::new("method_missing(*arguments, **options)", crate::basic_object::method_missing).private(),
    Method::new("respond_to_missing?(name, include_all)", crate::object::no).private().leaf(),
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

/// `Class.exception(…) → exception`: a new instance, for `raise`; a redefined `new` is not called.
fn new(cx: &mut Cx, args: Args) -> R {
    let system_call_error = cx.error_class(ErrorClass::SystemCallError);
    if class::ancestors::inherits(args.me(), system_call_error) {
        return system_calls::new(cx, args);
    }
    crate::class::new(cx, args)
}

/// `exception(message = nil) → exception`: the receiver without an argument, otherwise a copy with that message.
fn exception(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    match args.opt(0) {
        None => Ok(me),
        Some(message) if message == me => Ok(me),
        Some(message) => {
            cx.check_frozen(me)?;
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

/// `==(other) → true or false`: whether both have the same class, message and backtrace. Another kind of object is
/// replaced by the result of its method `exception`, whose `message` and `backtrace` are called; of an exception of the
/// same class they are not. What `exception` raises means no.
fn equal(cx: &mut Cx, args: Args) -> R {
    let (me, other) = (args.me(), args.at(0));
    if me == other {
        return Ok(Value::TRUE);
    }
    let class = class::real_class(cx, me);
    let (message, backtrace) = if class == class::real_class(cx, other) {
        (field(cx, other, sym::MEMO_MESSAGE), backtraces::of(cx, other)?)
    } else {
        let converted = match call::send_conversion(cx, other, sym::EXCEPTION, &[]) {
            Ok(converted) => converted,
            Err(unwind) => {
                cx.take_exception(unwind)?;
                None
            }
        };
        let Some(other) = converted.filter(|converted| class == class::real_class(cx, *converted)) else {
            return Ok(Value::FALSE);
        };
        let Some(message) = call::send_conversion(cx, other, sym::MESSAGE, &[])? else { return Ok(Value::FALSE) };
        let Some(backtrace) = call::send_conversion(cx, other, sym::BACKTRACE, &[])? else { return Ok(Value::FALSE) };
        (message, backtrace)
    };
    let own = field(cx, me, sym::MEMO_MESSAGE);
    if !call::equal(cx, own, message)? {
        return Ok(Value::FALSE);
    }
    let own = backtraces::of(cx, me)?;
    Ok(Value::bool(call::equal(cx, own, backtrace)?))
}

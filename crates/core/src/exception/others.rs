//! StopIteration, UncaughtThrowError, LocalJumpError, SyntaxError, LoadError.

use abi::Value;
use object::{Sym, shape::ivars};
use runtime::{Args, Cx, Method, R, error::ErrorClass, sym};

use super::{field, methods};

const STOP_ITERATION: &[Method] = &[Method::new("result", result).leaf()];

const UNCAUGHT_THROW: &[Method] = &[
    Method::new("initialize(*arguments)", initialize_throw).private(),
    Method::new("tag", tag).leaf(),
    Method::new("value", value).leaf(),
    Method::new("to_s", throw_to_s),
];

const LOCAL_JUMP: &[Method] = &[Method::new("reason", reason).leaf(), Method::new("exit_value", exit_value).leaf()];

const WITH_PATH: &[Method] = &[Method::new("path", path).leaf()];

pub fn define(cx: &mut Cx) {
    methods(cx, ErrorClass::StopIteration, STOP_ITERATION);
    methods(cx, ErrorClass::UncaughtThrowError, UNCAUGHT_THROW);
    methods(cx, ErrorClass::LocalJumpError, LOCAL_JUMP);
    methods(cx, ErrorClass::SyntaxError, WITH_PATH);
    methods(cx, ErrorClass::LoadError, WITH_PATH);
}

fn get(cx: &mut Cx, args: Args, name: Sym) -> R {
    Ok(field(cx, args.me(), name))
}

/// `result → object`: the result of the iteration that ended; `loop` returns it.
fn result(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::MEMO_RESULT)
}

/// `initialize(tag, value, message = nil) → nil`: of UncaughtThrowError; sets the uncaught tag and the thrown value.
fn initialize_throw(cx: &mut Cx, args: Args) -> R {
    match args.len() {
        0 | 1 => return Err(cx.arity_error(args.len(), 2, None)),
        2 | 3 => {}
        // The rest are the arguments of Exception.
        given => return Err(cx.arity_error(given - 2, 0, Some(1))),
    }
    let fields = [sym::MEMO_TAG, sym::MEMO_VALUE, sym::MEMO_MESSAGE];
    for (i, name) in fields.into_iter().enumerate() {
        let v = args.opt(i).unwrap_or(Value::NIL);
        ivars::set_hidden(cx, args.me(), name, v);
    }
    Ok(Value::NIL)
}

/// `to_s → string`: the message, with the tag inserted for `%p`.
fn throw_to_s(cx: &mut Cx, args: Args) -> R {
    let message = field(cx, args.me(), sym::MEMO_MESSAGE);
    let message = runtime::convert::to_str(cx, message)?;
    let tag = field(cx, args.me(), sym::MEMO_TAG);
    crate::string::format::format_arguments(cx, &[message.value(), tag])
}

/// `tag → object`: the uncaught tag.
fn tag(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::MEMO_TAG)
}

/// `value → object`: the thrown value.
fn value(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::MEMO_VALUE)
}

/// `exit_value → object`: the value of the `break` or `return`. Like the reason, and the path of other errors, it is
/// an instance variable that programs see and Marshal dumps.
fn exit_value(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::IVAR_EXIT_VALUE)
}

/// `reason → symbol`: how the block tried to exit: `:break`, `:return`, `:noreason` …
fn reason(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::IVAR_REASON)
}

/// `path → string or nil`: the path that could not be loaded, or the path of the source that could not be parsed.
fn path(cx: &mut Cx, args: Args) -> R {
    get(cx, args, sym::IVAR_PATH)
}

//! SystemCallError and the classes of Errno.

use abi::{Type, Value};
use memory::{Grow, ToVector};
use object::{
    cell,
    class::{self, constants},
    shape::ivars,
    symbol,
};
use runtime::{
    Args, Cx, Method, R, convert, define,
    error::{ErrorClass, classes},
    make, sym,
};

use super::{field, methods};

const METHODS: &[Method] =
    &[Method::new("initialize(*arguments)", initialize).private(), Method::new("errno", errno).leaf()];

const SINGLETON: &[Method] = &[Method::new("new(*arguments)", new), Method::new("===(exception)", case_equal)];

/// Alternative names of numbers that have a class.
const ALIASES: &[(&str, &str)] = &[("EWOULDBLOCK", "EAGAIN"), ("EDEADLOCK", "EDEADLK"), ("EOPNOTSUPP", "ENOTSUP")];

/// Names of numbers that other systems have: `Errno::NOERROR`.
const ELSEWHERE: &[&str] = &[
    "EAUTH", "EBADARCH", "EBADEXEC", "EBADMACHO", "EBADRPC", "ECAPMODE", "EDEVERR", "EDOOFUS", "EFTYPE", "EIPSEC",
    "ELAST", "ENEEDAUTH", "ENOATTR", "ENOPOLICY", "ENOTCAPABLE", "EPROCLIM", "EPROCUNAVAIL", "EPROGMISMATCH",
    "EPROGUNAVAIL", "EPWROFF", "EQFULL", "ERPCMISMATCH", "ESHLIBVERS",
];

pub fn define(cx: &mut Cx) {
    let class = methods(cx, ErrorClass::SystemCallError, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    let errno = cx.root(runtime::Root::Errno);
    let none = define::define_class(cx, errno, "NOERROR", class);
    set_number(cx, none, 0);
    for number in 1..=133 {
        classes::errno_class(cx, host::Errno(number));
    }
    for name in ELSEWHERE {
        let name = symbol::table::intern_text(cx, name);
        if constants::own(errno, name).is_none() {
            constants::set(cx, errno, name, constants::Constant::new(none));
        }
    }
    for (alias, name) in ALIASES {
        let (alias, name) = (symbol::table::intern_text(cx, alias), symbol::table::intern_text(cx, name));
        if let Some(constant) = constants::own(errno, name)
            && constants::own(errno, alias).is_none()
        {
            constants::set(cx, errno, alias, constant);
        }
    }
}

fn set_number(cx: &mut Cx, class: Value, number: i64) {
    let name = symbol::table::intern_text(cx, "Errno");
    constants::set(cx, class, name, constants::Constant::new(Value::fixnum(number)));
}

/// The number of an Errno class (its constant Errno, possibly inherited); nil for SystemCallError.
fn number_of(cx: &mut Cx, class: Value) -> Value {
    let name = symbol::table::intern_text(cx, "Errno");
    match constants::find(class, name) {
        Some((_, constant)) if constant.value.is_fixnum() => constant.value,
        _ => Value::NIL,
    }
}

/// `SystemCallError.new(message = nil, number = nil, function = nil) → exception`: an instance of the Errno class of
/// that number, if there is one.
pub fn new(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let base = cx.error_class(ErrorClass::SystemCallError);
    let mut class = me;
    if me == base {
        let number = match (args.opt(0), args.opt(1)) {
            (Some(n), None) if n.is_fixnum() => Some(n),
            (_, Some(n)) if !n.is_nil() => Some(n),
            _ => None,
        };
        if let Some(number) = number {
            let number = convert::to_i32(cx, number)?;
            class = classes::errno_class(cx, host::Errno(number));
        }
    }
    let exception = runtime::error::new_exception(cx, class, Value::NIL);
    if class != me {
        // The class determines the number: the remaining arguments are the message and the function.
        let alone = args.len() == 1 && args.at(0).is_fixnum();
        let arguments = [args.opt(0).unwrap_or(Value::NIL), args.opt(2).unwrap_or(Value::NIL)];
        let count = if alone { 0 } else { args.len().clamp(2, 3) - 1 };
        runtime::call::send_private(cx, exception, sym::INITIALIZE, &arguments[..count])?;
    } else {
        runtime::call::send_private(cx, exception, sym::INITIALIZE, args.all())?;
    }
    Ok(exception)
}

/// `initialize(message = nil, number = nil, function = nil)`, of an Errno class
/// `initialize(message = nil, function = nil)`: the message begins with the system's text for the number.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let class = class::real_class(cx, me);
    let own = number_of(cx, class);
    let (message, number, function) = if own.is_nil() {
        let most = 3;
        if args.is_empty() || args.len() > most {
            return Err(cx.arity_error(args.len(), 1, Some(most)));
        }
        match (args.at(0), args.opt(1)) {
            (n, None) if n.is_fixnum() => (Value::NIL, n, args.opt(2)),
            (message, number) => (message, number.unwrap_or(Value::NIL), args.opt(2)),
        }
    } else {
        if args.len() > 2 {
            return Err(cx.arity_error(args.len(), 0, Some(2)));
        }
        (args.opt(0).unwrap_or(Value::NIL), own, args.opt(1))
    };
    let mut text: Vec<u8> = if number.is_fixnum() {
        let errno = host::Errno(number.fixnum_value() as i32);
        if number.fixnum_value() == 0 { b"Success".to_vector() } else { errno.message().to_string().into_bytes() }
    } else {
        b"unknown error".to_vector()
    };
    if let Some(function) = function
        && !function.is_nil()
    {
        let function = convert::to_s(cx, function)?;
        text.append_slice(b" @ ");
        text.append_slice(function.bytes(cx));
    }
    let mut encoding = text::encoding::EncodingId::UTF_8;
    if !message.is_nil() {
        let message = convert::to_str(cx, message)?;
        if cell::is(message.value(), Type::String) {
            text.append_slice(b" - ");
            text.append_slice(message.bytes(cx));
            encoding = message.encoding();
        }
    }
    let message = make::string(cx, &text, encoding);
    ivars::set_hidden(cx, me, sym::MEMO_MESSAGE, message);
    ivars::set_hidden(cx, me, sym::MEMO_ERRNO, number);
    Ok(Value::NIL)
}

/// `errno → integer or nil`: the error number of the operating system; nil for a SystemCallError without one.
fn errno(cx: &mut Cx, args: Args) -> R {
    Ok(field(cx, args.me(), sym::MEMO_ERRNO))
}

/// `===(exception) → true or false`: whether the exception is an instance of the class, or a SystemCallError of the
/// same number.
fn case_equal(cx: &mut Cx, args: Args) -> R {
    let (me, exception) = (args.me(), args.at(0));
    if class::is_a(cx, exception, me) {
        return Ok(Value::TRUE);
    }
    let base = cx.error_class(ErrorClass::SystemCallError);
    if !class::is_a(cx, exception, base) {
        return Ok(Value::FALSE);
    }
    let own = number_of(cx, me);
    Ok(Value::bool(!own.is_nil() && field(cx, exception, sym::MEMO_ERRNO) == own))
}

//! Calls that find no method: method_missing and NoMethodError.

use abi::{BlockHandler, Value};
use object::{
    Sym, array, class,
    method_entry::{self, Kind, Visibility},
    shape::ivars,
};

use super::{Scope, invoke};
use crate::{
    Cx, R, Unwind,
    error::{self, ErrorClass},
    sym,
};

/// Calls the object's method_missing; raises at once where that is BasicObject's. `entry`: a method that may not be called here, or undef.
#[allow(clippy::too_many_arguments)]
pub fn call_method_missing(
    cx: &mut Cx,
    receiver: Value,
    name: Sym,
    arguments: &[Value],
    keywords: Option<Value>,
    block: BlockHandler,
    scope: Scope,
    entry: Value,
) -> R {
    let class = class::class_of(cx, receiver);
    let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
    if !is_own(cx, missing) || name == sym::METHOD_MISSING {
        return Err(no_method(cx, receiver, name, arguments, scope, entry));
    }
    let all = crate::make::array(cx, &[name.value()]);
    for v in arguments {
        crate::make::push(cx, all, *v);
    }
    invoke::call_entry(cx, missing, receiver, array::elements(&all), keywords, block)
}

/// Is the method_missing that was found (or undef) another than BasicObject's?
pub fn is_own(cx: &Cx, missing: Value) -> bool {
    let is_basic = |entry| {
        method_entry::kind(entry) == Kind::Native && method_entry::owner(entry) == cx.class(object::Known::BasicObject)
    };
    !missing.is_undef() && !is_basic(missing)
}

/// NoMethodError or NameError, as the call was written.
#[cold]
pub fn no_method(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value], scope: Scope, entry: Value) -> Unwind {
    let described = error::describe_receiver(cx, receiver);
    let text = name.to_text(cx);
    let what = if entry.is_undef() {
        if scope == Scope::Variable {
            let message = format!("undefined local variable or method '{text}' for {described}");
            return cx.name_error(ErrorClass::NameError, &message, name, receiver);
        }
        "undefined"
    } else if method_entry::visibility(entry) == Visibility::Protected {
        "protected"
    } else {
        "private"
    };
    let called = if entry.is_undef() { "" } else { " called" };
    let message = format!("{what} method '{text}'{called} for {described}");
    no_method_error(cx, &message, receiver, name, arguments, scope != Scope::Public)
}

/// `super` found nothing.
pub fn no_super(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value], keywords: Option<Value>) -> R {
    let class = class::class_of(cx, receiver);
    let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
    if is_own(cx, missing) {
        return call_method_missing(
            cx,
            receiver,
            name,
            arguments,
            keywords,
            BlockHandler::NONE,
            Scope::Function,
            Value::UNDEF,
        );
    }
    let described = error::describe_receiver(cx, receiver);
    let message = format!("super: no superclass method '{}' for {described}", name.to_text(cx));
    Err(no_method_error(cx, &message, receiver, name, arguments, true))
}

fn no_method_error(
    cx: &mut Cx,
    message: &str,
    receiver: Value,
    name: Sym,
    arguments: &[Value],
    private: bool,
) -> Unwind {
    let class = cx.error_class(ErrorClass::NoMethodError);
    let message = crate::make::text(cx, message);
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_NAME, name.value());
    ivars::set_hidden(cx, exception, sym::MEMO_RECEIVER, receiver);
    let arguments = crate::make::array(cx, arguments);
    ivars::set_hidden(cx, exception, sym::MEMO_ARGS, arguments);
    ivars::set_hidden(cx, exception, sym::MEMO_PRIVATE, Value::bool(private));
    error::raise_exception(cx, exception)
}

//! Calls that find no method: method_missing and NoMethodError.

use abi::{BlockHandler, Value};
use object::{
    Sym, class,
    method_entry::{self, Kind, Visibility},
    shape::ivars,
};

use super::{
    Window,
    description::{Action, Call, Scope},
};
use crate::{
    Cx, R, Unwind,
    error::{self, ErrorClass},
    literal_arguments, sym,
    trace::calls_are_traced,
};

/// From this number of words on, the name of a missing method counts as a part of the stack.
const LONG_NAME: usize = 32;

/// Calls the receiver's method_missing with the name before the arguments; raises at once if that is BasicObject's.
/// `entry`: a method that may not be called here, or undef.
pub fn dispatch(cx: &mut Cx, name: Sym, entry: Value, scope: Scope, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    let class = class::class_of(cx, receiver);
    let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
    if name == sym::METHOD_MISSING && entry.is_undef() {
        return Err(call.keeping_window(cx, |cx| undefined_missing(cx, call)));
    }
    // BasicObject's is called only for its events.
    let is_traced = entry.is_undef() && !missing.is_undef() && calls_are_traced(cx);
    if !is_traced && !is_own(cx, missing) {
        // The message may call the program's own `inspect`.
        return Err(call.keeping_window(cx, |cx| no_method(cx, receiver, name, call.arguments(), scope, entry)));
    }
    cx.missed_scope = scope;
    // The name goes before the arguments, so one more word is needed: copy them above all words in use.
    let words = call.words();
    let above = cx.stack_top().max(call.window.from(words + 1).base());
    // A long name takes as much of the stack as of the heap: a recursion that makes ever longer names would need memory
    // that is quadratic in the depth of the stack.
    let length = name.bytes(cx).len() / size_of::<Value>();
    let padding = if length < LONG_NAME { 0 } else { length };
    cx.check_stack(above, padding + words + 3)?;
    // SAFETY: room for the padding, receiver, name and arguments was checked.
    let window = unsafe { Window::new(above) };
    for i in 0..padding {
        window.set(i, Value::NIL);
    }
    let window = window.from(padding);
    window.set(0, receiver);
    window.set(1, name.value());
    window.copy_from(2, call.window.slice(1, words));
    super::dispatch(cx, missing, &Call { window, count: call.count + 1, ..*call })
}

/// A call of `method_missing` by its name where it is undefined reports the missing method that it names.
#[cold]
fn undefined_missing(cx: &mut Cx, call: &Call) -> Unwind {
    let receiver = call.window.receiver();
    match call.arguments() {
        [] => cx.argument_error("no method name given"),
        [given, rest @ ..] => {
            let name = Sym::from_value(*given).unwrap_or(sym::METHOD_MISSING);
            no_method(cx, receiver, name, rest, Scope::Public, Value::UNDEF)
        }
    }
}

/// A call for which there is no method.
#[derive(Clone, Copy)]
pub struct Missed {
    pub name: Sym,
    /// How the call was written.
    pub scope: Scope,
    /// The entry that was found and is not visible, or undef.
    pub entry: Value,
}

/// Calls method_missing for a call from Rust.
pub fn call_method_missing(
    cx: &mut Cx,
    receiver: Value,
    missed: Missed,
    arguments: &[Value],
    keywords: Option<Value>,
    block: BlockHandler,
) -> R {
    let call = Call::from_rust(cx, receiver, arguments, keywords, block)?;
    literal_arguments::own_window(cx, call.window, 1 + call.count);
    dispatch(cx, missed.name, missed.entry, missed.scope, &call)?.finish(cx)
}

/// Whether the method_missing that was found (or undef) is neither BasicObject's nor its copy in Exception.
pub fn is_own(cx: &Cx, missing: Value) -> bool {
    let is_basic = |entry| {
        let owners = [object::Known::BasicObject, object::Known::Exception].map(|known| cx.class(known));
        method_entry::kind(entry) == Kind::Native && owners.contains(&method_entry::owner(entry))
    };
    !missing.is_undef() && !is_basic(missing)
}

/// NoMethodError or NameError, depending on how the call was written.
#[cold]
pub fn no_method(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value], scope: Scope, entry: Value) -> Unwind {
    let described = error::describe_receiver(cx, receiver);
    let text = name.to_text(cx);
    let what = if entry.is_undef() {
        if scope == Scope::Variable {
            let message = format!("undefined local variable or method '{text}' for {described}");
            return cx.name_error(ErrorClass::NameError, &message, name, receiver);
        }
        if scope == Scope::Super { "super: no superclass" } else { "undefined" }
    } else if method_entry::visibility(entry) == Visibility::Protected {
        "protected"
    } else {
        "private"
    };
    let called = if entry.is_undef() { "" } else { " called" };
    let message = format!("{what} method '{text}'{called} for {described}");
    no_method_error(cx, &message, receiver, name, arguments, scope != Scope::Public)
}

/// `super` found no method of that name.
#[cold]
pub fn no_super(cx: &mut Cx, name: Sym, call: &Call) -> R<Action> {
    let receiver = call.window.receiver();
    let class = class::class_of(cx, receiver);
    let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
    if is_own(cx, missing) {
        return dispatch(cx, name, Value::UNDEF, Scope::Super, call);
    }
    Err(call.keeping_window(cx, |cx| no_method(cx, receiver, name, call.arguments(), Scope::Super, Value::UNDEF)))
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
    let message = crate::make::named(cx, message);
    let exception = error::new_exception(cx, class, message);
    ivars::set_hidden(cx, exception, sym::MEMO_NAME, name.value());
    ivars::set_hidden(cx, exception, sym::MEMO_RECEIVER, receiver);
    let arguments = crate::make::array(cx, arguments);
    ivars::set_hidden(cx, exception, sym::MEMO_ARGS, arguments);
    ivars::set_hidden(cx, exception, sym::MEMO_PRIVATE, Value::bool(private));
    error::raise_exception(cx, exception)
}

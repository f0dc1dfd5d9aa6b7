//! NameError, NoMethodError, KeyError, FrozenError, NoMatchingPatternKeyError: errors with a name, key or receiver.

use abi::Value;
use object::{Sym, array::Arr, native, shape::ivars, symbol};
use runtime::{
    Args, Cx, Method, R,
    backtrace::Backtrace,
    error::{ErrorClass, OrRaise},
    keys, reflect, sym,
};

use super::methods;

const NAME_ERROR: &[Method] = &[
    Method::new("initialize(message = nil, name = nil, receiver: nil)", initialize_name).private(),
    Method::new("name", name).leaf(),
    Method::new("receiver", receiver),
    Method::new("local_variables", local_variables),
];

const NO_METHOD_ERROR: &[Method] = &[
    Method::new("initialize(message = nil, name = nil, args = [], priv = false, receiver: nil)", initialize_method)
        .private(),
    Method::new("args", arguments).leaf(),
    Method::new("private_call?", private_call).leaf(),
];

const KEY_ERROR: &[Method] = &[
    Method::new("initialize(message = nil, receiver: nil, key: nil)", initialize_key).private(),
    Method::new("receiver", receiver),
    Method::new("key", key),
];

const FROZEN_ERROR: &[Method] = &[
    Method::new("initialize(message = nil, receiver: nil)", initialize_frozen).private(),
    Method::new("receiver", receiver),
];

const PATTERN_KEY_ERROR: &[Method] = &[
    Method::new("initialize(message = nil, matchee: nil, key: nil)", initialize_pattern_key).private(),
    Method::new("matchee", matchee),
    Method::new("key", key),
];

pub fn define(cx: &mut Cx) {
    methods(cx, ErrorClass::NameError, NAME_ERROR);
    methods(cx, ErrorClass::NoMethodError, NO_METHOD_ERROR);
    methods(cx, ErrorClass::KeyError, KEY_ERROR);
    methods(cx, ErrorClass::FrozenError, FROZEN_ERROR);
    methods(cx, ErrorClass::NoMatchingPatternKeyError, PATTERN_KEY_ERROR);
}

fn set(cx: &mut Cx, args: Args, name: Sym, v: Option<Value>) {
    if let Some(v) = v {
        ivars::set_hidden(cx, args.me(), name, v);
    }
}

fn set_message(cx: &mut Cx, args: Args) {
    set(cx, args, sym::MEMO_MESSAGE, Some(args.opt(0).unwrap_or(Value::NIL)));
}

/// `initialize(message = nil, name = nil, receiver: nil) → nil`: of NameError; sets the name that was not found and the
/// receiver of the lookup.
fn initialize_name(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::RECEIVER])?;
    set_message(cx, args);
    set(cx, args, sym::MEMO_NAME, Some(args.opt(1).unwrap_or(Value::NIL)));
    let receiver = keys::keyword(cx, args.keywords(), sym::RECEIVER).given();
    set(cx, args, sym::MEMO_RECEIVER, receiver);
    let names = runtime::make::array(cx, &[]);
    for name in reflect::visible_locals(cx) {
        runtime::make::push(cx, names, name.value());
    }
    set(cx, args, sym::MEMO_LOCALS, Some(names));
    Ok(Value::NIL)
}

/// `initialize(message = nil, name = nil, args = [], priv = false, receiver: nil) → nil`: of NoMethodError; like
/// NameError, and sets the arguments of the call and whether it could call private methods.
fn initialize_method(cx: &mut Cx, args: Args) -> R {
    initialize_name(cx, args)?;
    set(cx, args, sym::MEMO_ARGS, Some(args.opt(2).unwrap_or(Value::NIL)));
    set(cx, args, sym::MEMO_PRIVATE, Some(Value::bool(args.opt(3).is_some_and(Value::truthy))));
    Ok(Value::NIL)
}

/// `initialize(message = nil, receiver: nil, key: nil) → nil`: of KeyError; sets the receiver of the lookup and the key
/// that was not found.
fn initialize_key(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::RECEIVER, sym::KEY])?;
    set_message(cx, args);
    for (keyword, field) in [(sym::RECEIVER, sym::MEMO_RECEIVER), (sym::KEY, sym::MEMO_KEY)] {
        let v = keys::keyword(cx, args.keywords(), keyword).given();
        set(cx, args, field, v);
    }
    Ok(Value::NIL)
}

/// `initialize(message = nil, receiver: nil) → nil`: of FrozenError; sets the object that could not be changed.
fn initialize_frozen(cx: &mut Cx, args: Args) -> R {
    keys::only_keywords(cx, args.keywords(), &[sym::RECEIVER])?;
    set_message(cx, args);
    let receiver = keys::keyword(cx, args.keywords(), sym::RECEIVER).given();
    set(cx, args, sym::MEMO_RECEIVER, receiver);
    Ok(Value::NIL)
}

/// `initialize(message = nil, matchee: nil, key: nil) → nil`: of NoMatchingPatternKeyError; sets the hash that did not
/// match and the key that was missing.
fn initialize_pattern_key(cx: &mut Cx, args: Args) -> R {
    let matchee = symbol::table::intern_text(cx, "matchee");
    keys::only_keywords(cx, args.keywords(), &[matchee, sym::KEY])?;
    set_message(cx, args);
    for (keyword, field) in [(matchee, sym::MEMO_RECEIVER), (sym::KEY, sym::MEMO_KEY)] {
        let v = keys::keyword(cx, args.keywords(), keyword).given();
        set(cx, args, field, v);
    }
    Ok(Value::NIL)
}

/// `name → symbol or nil`: the name that was not found.
fn name(cx: &mut Cx, args: Args) -> R {
    Ok(super::field(cx, args.me(), sym::MEMO_NAME))
}

/// A field that must have been set: ArgumentError "no receiver is available".
fn required(cx: &mut Cx, args: Args, name: Sym, what: &str) -> R {
    let v = ivars::get(cx, args.me(), name);
    if v.is_undef() { Err(cx.argument_error(&format!("no {what} is available"))) } else { Ok(v) }
}

/// `receiver → object`: the receiver of the lookup, or the object that could not be changed. ArgumentError if the
/// exception was created without one.
fn receiver(cx: &mut Cx, args: Args) -> R {
    required(cx, args, sym::MEMO_RECEIVER, "receiver")
}

/// `matchee → object`: the hash that did not match. ArgumentError if the exception was created without one.
fn matchee(cx: &mut Cx, args: Args) -> R {
    required(cx, args, sym::MEMO_RECEIVER, "matchee")
}

/// `key → object`: the missing key. ArgumentError if the exception was created without one.
fn key(cx: &mut Cx, args: Args) -> R {
    required(cx, args, sym::MEMO_KEY, "key")
}

/// `args → array or nil`: the arguments of the call that found no method.
fn arguments(cx: &mut Cx, args: Args) -> R {
    Ok(super::field(cx, args.me(), sym::MEMO_ARGS))
}

/// `private_call? → true or false`: whether the call had no explicit receiver, so that it could call private methods.
fn private_call(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(super::field(cx, args.me(), sym::MEMO_PRIVATE).truthy()))
}

/// `local_variables → array`: the names that were visible where the error was made, for `did_you_mean`. Few programs
/// ask for those of the interpreter's errors, so they are found from the backtrace.
fn local_variables(cx: &mut Cx, args: Args) -> R {
    let made_by_program = ivars::get(cx, args.me(), sym::MEMO_LOCALS);
    if !made_by_program.is_undef() {
        return Ok(Arr::of(made_by_program).dup(cx).or_raise(cx)?.value());
    }
    let locations = ivars::get(cx, args.me(), sym::MEMO_LOCATIONS);
    let innermost = native::get::<Backtrace>(&locations).and_then(|backtrace| backtrace.get(0));
    let names = innermost.map_or_else(Vec::new, |location| reflect::locals_visible_in(location.code));
    let list = runtime::make::array(cx, &[]);
    for name in names {
        runtime::make::push(cx, list, name.value());
    }
    Ok(list)
}

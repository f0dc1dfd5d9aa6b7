//! Ractor: threads that share only immutable objects and send each other messages.
//!
//! - `lifetime`: new, join, value, monitor; `port`: Ractor::Port; `locals`: `[]`, `store_if_absent`; `shareable`:
//!   shareable?, make_shareable and shareable blocks; `copy`, `moving`: messages that are not shareable; `moved`:
//!   Ractor::MovedObject; `requires`: `require` of rubygems in Ractors.

mod copy;
mod lifetime;
mod locals;
mod moved;
mod moving;
mod port;
mod requires;
mod shareable;

pub use copy::deep_copy;

use object::{class, symbol::table::intern_text};
use runtime::{
    Args, Cx, Known, Method, R, Value,
    concurrency::{ractor, sharing},
    define,
    error::ErrorClass,
    make,
};

const METHODS: &[Method] = &[
    Method::new("name", name),
    Method::new("inspect", inspect),
    Method::new("default_port", default_port),
    Method::new("receive", receive).private(),
    Method::new("send(*, **, &)", send),
    Method::new("close", close),
];

const SINGLETON: &[Method] = &[
    Method::new("current", current),
    Method::new("main", main),
    Method::new("main?", is_main),
    Method::new("count", count),
    Method::new("receive", receive_here),
    Method::new("_require(feature)", require),
];

const REMOTE_ERROR: &[Method] = &[Method::new("ractor", ractor_of_error)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "Ractor", object);
    let port = port::define(cx, class);
    cx.vm_mut().ractor_port_class.0 = port;
    for methods in [METHODS, lifetime::METHODS, locals::METHODS] {
        define::define_methods(cx, class, methods);
    }
    for methods in [SINGLETON, lifetime::SINGLETON, locals::SINGLETON, shareable::SINGLETON] {
        define::define_singleton_methods(cx, class, methods);
    }
    class::class_data_mut(cx, class).flags.no_allocator = true;
    define::aliases(cx, class, &[("to_s", "inspect"), ("recv", "receive"), ("<<", "send")]);
    let singleton = class::singleton_class(cx, class);
    define::alias(cx, singleton, "recv", "receive");
    let error = cx.error_class(ErrorClass::RactorRemoteError);
    define::define_methods(cx, error, REMOTE_ERROR);
    moved::define(cx, class);
    let enumerator = define::define_class(cx, object, "Enumerator", object);
    let never = make::array(cx, &[enumerator]);
    cx.set_root(sharing::NEVER_SHARED, never);
    ractor::make_main(cx, class);
}

/// `name → string or nil`: the name passed to `new`.
fn name(cx: &mut Cx, args: Args) -> R {
    Ok(ractor::state(cx, args.me()).name)
}

/// `inspect → string`: the number, the name, the location of the block and the status.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let status = ractor::status(cx, args.me());
    let own = ractor::state(cx, args.me());
    let mut text = format!("#<Ractor:#{}", own.id);
    if let Some(name) = object::string::Str::from_value(own.name) {
        text.push_str(&format!(" {}", name.to_text()));
    }
    if !own.place.is_empty() {
        text.push_str(&format!(" {}", own.place));
    }
    text.push_str(&format!(" {status}>"));
    Ok(make::described(cx, &text))
}

/// `default_port → port`: the port that `send` and `receive` use.
fn default_port(cx: &mut Cx, args: Args) -> R {
    Ok(ractor::state(cx, args.me()).default_port)
}

/// `receive → object`: waits for a message at the default port. Ractor::ClosedError if it is closed and empty.
fn receive(cx: &mut Cx, args: Args) -> R {
    let port = ractor::state(cx, args.me()).default_port;
    ractor::port::receive(cx, port)
}

/// `Ractor.receive → object`: waits for a message at the default port of the running Ractor.
fn receive_here(cx: &mut Cx, _: Args) -> R {
    let own = cx.ractor;
    let port = ractor::state(cx, own).default_port;
    ractor::port::receive(cx, port)
}

/// `send(message, move: false) → self`: sends a copy of the message to the default port, or with `move` the object
/// itself. Ractor::ClosedError after `close`.
fn send(cx: &mut Cx, args: Args) -> R {
    if args.len() != 1 {
        return Err(cx.arity_error(args.len(), 1, Some(1)));
    }
    let port = ractor::state(cx, args.me()).default_port;
    port::send_to(cx, port, args)?;
    Ok(args.me())
}

/// `close → port`: the default port accepts no more messages; pending ones can still be received. Ractor::Error in
/// another Ractor.
fn close(cx: &mut Cx, args: Args) -> R {
    let port = ractor::state(cx, args.me()).default_port;
    ractor::port::close(cx, port)?;
    Ok(port)
}

/// `Ractor.current → ractor`: the running Ractor.
fn current(cx: &mut Cx, _: Args) -> R {
    Ok(cx.ractor)
}

/// `Ractor.main → ractor`: the Ractor in which the program began.
fn main(cx: &mut Cx, _: Args) -> R {
    Ok(ractor::main(cx))
}

/// `Ractor.main? → true or false`: whether the running Ractor is the main one.
fn is_main(cx: &mut Cx, _: Args) -> R {
    Ok(Value::bool(cx.ractor == ractor::main(cx)))
}

/// `Ractor.count → integer`: the number of Ractors that have not ended.
fn count(cx: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(ractor::count(cx) as i64))
}

/// `Ractor._require(feature) → true or false`: `require` called by a Ractor other than the main one, which loads the
/// feature.
fn require(cx: &mut Cx, args: Args) -> R {
    crate::features::require_path(cx, args.at(0)).map(Value::bool)
}

/// `ractor → ractor or nil`: of Ractor::RemoteError: the Ractor ended by the exception.
fn ractor_of_error(cx: &mut Cx, args: Args) -> R {
    let name = intern_text(cx, "@ractor");
    Ok(object::shape::ivars::get(cx, args.me(), name).or(Value::NIL))
}

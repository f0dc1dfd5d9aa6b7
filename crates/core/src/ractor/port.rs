//! Ractor::Port: a queue of messages for the Ractor that created it.

use object::symbol::table::intern_text;
use runtime::{Args, Cx, Known, Method, R, Value, concurrency::ractor::port, define, keys};

const METHODS: &[Method] = &[
    Method::new("initialize", initialize).private(),
    Method::new("initialize_copy(original)", initialize_copy).private(),
    Method::new("receive", receive),
    Method::new("send(obj, move: false)", send),
    Method::new("close", close),
    Method::new("closed?", is_closed),
    Method::new("inspect", inspect),
];

const SINGLETON: &[Method] = &[Method::new("allocate", allocate)];

pub fn define(cx: &mut Cx, ractor: Value) -> Value {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, ractor, "Port", object);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
    define::alias(cx, class, "<<", "send");
    class
}

/// `Ractor::Port.allocate → port`: a port without an owner, for `initialize`.
fn allocate(cx: &mut Cx, args: Args) -> R {
    Ok(port::allocate(cx, args.me()))
}

/// `initialize → self`: the running Ractor becomes the owner, which alone may receive from the port and close it.
fn initialize(cx: &mut Cx, args: Args) -> R {
    let own = cx.ractor;
    port::initialize(cx, args.me(), own);
    Ok(args.me())
}

/// `initialize_copy(original) → self`: TypeError if the original has no owner yet; otherwise like that of Object,
/// which refuses a port because ports are frozen.
fn initialize_copy(cx: &mut Cx, args: Args) -> R {
    port::state(cx, args.at(0))?;
    crate::object::copy::initialize_copy(cx, args)
}

/// `receive → object`: waits for a message. Ractor::Error unless called by the owner, Ractor::ClosedError if the port
/// is closed and empty.
fn receive(cx: &mut Cx, args: Args) -> R {
    port::receive(cx, args.me())
}

/// `send(obj, move: false) → self`: adds a message to the port: a copy unless the object is shareable, or with `move`
/// the object itself. Ractor::ClosedError after `close`.
fn send(cx: &mut Cx, args: Args) -> R {
    send_to(cx, args.me(), args)?;
    Ok(args.me())
}

/// Sends the first argument, moving it if the keyword is true.
pub fn send_to(cx: &mut Cx, to: Value, args: Args) -> R<()> {
    let name = intern_text(cx, "move");
    keys::only_keywords(cx, args.keywords(), &[name])?;
    let moves = keys::keyword(cx, args.keywords(), name).or(Value::NIL).truthy();
    if port::state(cx, to)?.is_closed() {
        return Err(port::closed_error(cx));
    }
    let message = if moves { super::moving::take(cx, args.at(0))? } else { super::deep_copy(cx, args.at(0))? };
    port::post(cx, to, message)
}

/// `close → self`: the port accepts no more messages; pending ones can still be received. Ractor::Error unless called
/// by the owner.
fn close(cx: &mut Cx, args: Args) -> R {
    port::close(cx, args.me())?;
    Ok(args.me())
}

/// `closed? → true or false`: whether the port accepts no more messages.
fn is_closed(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(port::state(cx, args.me())?.is_closed()))
}

/// `inspect → string`: the number of the owner and that of the port.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let own = port::state(cx, args.me())?;
    let (id, owner) = (own.id, own.owner());
    let to = runtime::concurrency::ractor::state(cx, owner).id;
    Ok(runtime::make::described(cx, &format!("#<Ractor::Port to:#{to} id:{id}>")))
}

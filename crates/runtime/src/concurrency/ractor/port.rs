//! Ports: queues of messages. Only the Ractor that created a port receives from it.

use abi::{Flags, Value};
use heap::Trace;
use object::{
    array::Arr,
    cell,
    native::{self, NativeData, Sharing},
};

use crate::{
    Cx, R,
    concurrency::parking,
    error::ErrorClass,
    make,
    state::ractor::{get as ractor_of, state as ractor_state},
};

#[derive(Trace)]
pub struct PortState {
    /// Its owner; nil if `allocate` created it.
    ractor: Value,
    pub id: u64,
    /// The messages that were not received yet, an Array; they already belong to the receiving Ractor.
    messages: Value,
    closed: bool,
}

impl NativeData for PortState {
    object::one_vtable!(PortState);

    fn type_name(&self) -> &'static str {
        "ractor/port"
    }

    fn sharing(&self) -> Sharing {
        Sharing::WhenFrozen
    }
}

/// A port without an owner.
pub fn allocate(cx: &mut Cx, class: Value) -> Value {
    let own = PortState { ractor: Value::NIL, id: 0, messages: Value::NIL, closed: true };
    let port = native::new(cx, class, Box::new(own));
    cell::set_header(port, cell::header(port).with(Flags::FROZEN | Flags::SHAREABLE));
    port
}

/// A port of a Ractor.
pub fn new(cx: &mut Cx, class: Value, ractor: Value) -> Value {
    let port = allocate(cx, class);
    initialize(cx, port, ractor);
    port
}

/// Gives an allocated port its owner.
pub fn initialize(cx: &mut Cx, port: Value, ractor: Value) {
    let owner = ractor_state(cx, ractor);
    let id = owner.next_port;
    owner.next_port += 1;
    let messages = make::array(cx, &[]);
    if let Some(own) = native::get_mut::<PortState>(cx, port) {
        *own = PortState { ractor, id, messages, closed: false };
    }
}

/// The state of a port that has an owner; TypeError for anything else.
pub fn state(cx: &mut Cx, v: Value) -> R<&mut PortState> {
    if native::get::<PortState>(&v).is_some_and(|own| own.ractor.is_nil()) {
        let class = crate::error::class_name_of(cx, v);
        return Err(cx.type_error(&format!("uninitialized {class}")));
    }
    native::get_mut_or::<PortState, _, _>(cx, v, |cx| {
        let got = crate::error::describe_for_conversion(cx, v);
        cx.type_error(&format!("wrong argument type {got} (expected Ractor::Port)"))
    })
}

impl PortState {
    pub fn owner(&self) -> Value {
        self.ractor
    }

    /// Whether its owner closed it or has ended.
    pub fn is_closed(&self) -> bool {
        self.closed || ractor_of(&self.ractor).is_none_or(|owner| owner.outcome.is_some())
    }

    fn is_ready(&self) -> bool {
        self.is_closed() || !Arr::of(self.messages).is_empty()
    }
}

pub fn closed_error(cx: &mut Cx) -> crate::Unwind {
    cx.raise(ErrorClass::RactorClosedError, "The port was already closed")
}

/// Appends a message that is unshared or shareable to the queue.
pub fn post(cx: &mut Cx, port: Value, message: Value) -> R<()> {
    let own = state(cx, port)?;
    if own.is_closed() {
        return Err(closed_error(cx));
    }
    let messages = own.messages;
    make::push(cx, messages, message);
    parking::notify_about(cx, port)
}

/// Ractor::Error unless the port is the running Ractor's.
fn check_own(cx: &mut Cx, port: Value, message: &str) -> R<()> {
    let (owner, own) = (state(cx, port)?.ractor, cx.ractor);
    if owner == own { Ok(()) } else { Err(cx.raise(ErrorClass::RactorError, message)) }
}

const NOT_THE_CREATOR: &str = "only allowed from the creator Ractor of this port";

/// Receives a message; waits for one if necessary.
pub fn receive(cx: &mut Cx, port: Value) -> R {
    check_own(cx, port, NOT_THE_CREATOR)?;
    parking::wait_for_external_about(cx, port, |cx| state(cx, port).is_ok_and(|own| own.is_ready()))?;
    take(cx, port)
}

/// The first message of a port that is ready.
fn take(cx: &mut Cx, port: Value) -> R {
    let messages = Arr::of(state(cx, port)?.messages);
    match messages.shift(cx) {
        Some(message) => Ok(message),
        None => Err(closed_error(cx)),
    }
}

/// Waits until one of the ports (an Array) has a message; returns the port and the message.
pub fn select(cx: &mut Cx, ports: Value) -> R<(Value, Value)> {
    let mut i = 0;
    while let Some(port) = Arr::of(ports).get(i) {
        check_own(cx, port, NOT_THE_CREATOR)?;
        i += 1;
    }
    let mut found = 0;
    parking::wait_for_external(cx, None, |cx| {
        let place = Arr::of(ports).iter().position(|port| state(cx, port).is_ok_and(|own| own.is_ready()));
        found = place.unwrap_or(0);
        place.is_some()
    })?;
    let port = Arr::of(ports).get(found).unwrap_or(Value::NIL);
    Ok((port, take(cx, port)?))
}

/// Closes a port: it accepts no more messages, but those in the queue can still be received.
pub fn close(cx: &mut Cx, port: Value) -> R<()> {
    check_own(cx, port, "closing port by other ractors is not allowed")?;
    state(cx, port)?.closed = true;
    parking::notify_about(cx, port)
}

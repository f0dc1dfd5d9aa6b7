//! Putting trace instructions into code and taking them out.

use abi::{Type, Value};
use bytecode::{Kind, sequence::Events};
use object::{array::Arr, cell, native};
use runtime::{
    Cx,
    code::{Code, code},
    trace::{C_CALL, C_RETURN},
};

use crate::point::{Point, State};

/// The events that a word with `events` of `code` may stand for.
pub fn offered(code: &Code, events: u16) -> u32 {
    if code.internal {
        // The Ruby half of a core class counts as native.
        let whole = code.kind == Kind::Method;
        let call = if whole && events & Events::CALL != 0 { C_CALL } else { 0 };
        let ret = if whole && events & Events::RETURN != 0 { C_RETURN } else { 0 };
        return call | ret;
    }
    (events & !Events::AT_END) as u32
}

/// What of that `point` waits for.
pub fn wanted(point: &Point, code: &Code, word: u32, events: u16) -> u32 {
    match point.state {
        State::Off => 0,
        State::Global => offered(code, events) & point.events,
        State::Targeted => {
            let own = code.own.get();
            if !point.codes.contains(&own) {
                return 0;
            }
            let bits = offered(code, events) & point.events;
            if point.line == 0 {
                bits
            } else if bits & Events::LINE as u32 != 0 && code.line(word as usize) == point.line {
                Events::LINE as u32
            } else {
                0
            }
        }
    }
}

/// A block that is a method's body has the method's events too.
fn with_methods_of_blocks(code: &Code, events: u16) -> u16 {
    let mut events = events;
    if matches!(code.kind, Kind::Block | Kind::Lambda) && !code.internal {
        if events & Events::B_CALL != 0 {
            events |= Events::CALL;
        }
        if events & Events::B_RETURN != 0 {
            events |= Events::RETURN;
        }
    }
    events
}

/// Patches the words of `code` that `point` waits for; gives how many there are.
pub fn apply(point: &Point, code: &Code) -> usize {
    let mut count = 0;
    for (word, events) in &code.events {
        if wanted(point, code, *word, with_methods_of_blocks(code, events.0)) != 0 {
            code.patch(*word as usize);
            count += 1;
        }
    }
    count
}

/// Restores the words of `code` that no enabled trace point waits for any more.
pub fn clean(cx: &Cx, code: &Code) {
    if !code.is_traced() {
        return;
    }
    let list = cx.vm().trace_points;
    for (word, events) in &code.events {
        let events = with_methods_of_blocks(code, events.0);
        let needed = !list.is_nil()
            && Arr(list)
                .elements()
                .iter()
                .any(|p| native::get::<Point>(*p).is_some_and(|p| wanted(p, code, *word, events) != 0));
        if !needed {
            code.restore(*word as usize);
        }
    }
}

/// Every linked sequence as an Array.
pub fn all_codes(cx: &mut Cx) -> Value {
    let found = runtime::make::array(cx, &[]);
    let is_code = &mut |v: Value| cell::header(v).ty() == Type::InstructionSequence;
    let Ok((buffer, count)) = cx.snapshot_objects(is_code) else { return found };
    for i in 0..count {
        let v = object::payload::value_in(buffer, i);
        if native::get::<Code>(v).is_some() {
            runtime::make::push(cx, found, v);
        }
    }
    found
}

/// Code was linked: what trace points without a target wait for is patched in it and all that it contains.
pub fn linked(cx: &mut Cx, cell: Value) {
    let list = cx.vm().trace_points;
    if list.is_nil() {
        return;
    }
    let own = code(cell);
    for p in Arr(list).elements() {
        if let Some(point) = native::get::<Point>(*p)
            && matches!(point.state, State::Global)
        {
            apply(point, own);
        }
    }
    for child in &own.children {
        linked(cx, child.get());
    }
}

/// `cell` and the code nested in it.
pub fn nested(cell: Value, into: &mut dyn FnMut(Value)) {
    into(cell);
    for child in &code(cell).children {
        nested(child.get(), into);
    }
}

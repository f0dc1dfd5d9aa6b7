//! Inserting trace instructions into code and removing them.

use abi::Value;
use bytecode::{Kind, Opcode, sequence::Events};
use object::{array::Arr, native};
use runtime::{
    Cx,
    code::{Code, TracedWord, code},
    trace::{C_CALL, C_RETURN, S_CALL, S_RETURN},
    unlinked,
};

use crate::point::{Point, State};

/// The events that words of code can carry.
pub const CODE_EVENTS: u32 = 0x431f | C_CALL | C_RETURN | SITES;
const SITES: u32 = S_CALL | S_RETURN;

/// The events that a word with `events` of `code` can carry.
fn offered(code: &Code, events: u16) -> u32 {
    if code.internal {
        // The Ruby half of a core class counts as native, unless CRuby's method is in Ruby, too: the entry tells.
        let whole = code.kind == Kind::Method && !code.name.starts_with("__");
        let call = if whole && events & Events::CALL != 0 { C_CALL | Events::CALL as u32 } else { 0 };
        let ret = if whole && events & Events::RETURN != 0 { C_RETURN | Events::RETURN as u32 } else { 0 };
        return call | ret;
    }
    (events & !Events::AT_END) as u32
}

/// The method events that a block has in addition if it is a method's body.
pub fn as_method(events: u32) -> u32 {
    let call = if events & Events::B_CALL as u32 != 0 { Events::CALL as u32 } else { 0 };
    let ret = if events & Events::B_RETURN as u32 != 0 { Events::RETURN as u32 } else { 0 };
    call | ret
}

/// Whether the instruction calls a method by name (operators with a fast path report their calls themselves).
pub fn is_call(op: Opcode) -> bool {
    matches!(op, Opcode::Call | Opcode::CallBlock | Opcode::CallComplex | Opcode::Super)
}

/// The first word of the call that returns to `word`, if there is one.
pub fn call_before(own: &Code, word: usize) -> Option<usize> {
    let op = |word: usize| own.instruction(word).meant();
    let before = word.checked_sub(1)?;
    if is_call(op(before)) {
        return Some(before);
    }
    let first = before.checked_sub(1)?;
    (op(before) == Opcode::Extension && op(first) != Opcode::Expand).then_some(first)
}

/// Calls `f` with every word of `code` that can carry an event of `interest`, and all its possible events.
fn spots(code: &Code, interest: u32, f: &mut dyn FnMut(usize, u32)) {
    if interest & SITES == 0 || code.internal {
        for (word, events) in &code.events {
            f(*word as usize, offered(code, events.0));
        }
        return;
    }
    let mut events = code.events.iter().peekable();
    for word in 0..code.instructions.len() {
        let own = events.next_if(|(w, _)| *w as usize == word).map_or(0, |(_, e)| offered(code, e.0));
        let op = code.instruction(word).meant();
        let call = if is_call(op) { S_CALL } else { 0 };
        let ret = if op != Opcode::Extension && call_before(code, word).is_some() { S_RETURN } else { 0 };
        if own | call | ret != 0 {
            f(word, own | call | ret);
        }
    }
}

/// The events of a word that `point` listens to; `events` includes those of a method if the block is one's body.
#[inline]
pub fn wanted(point: &Point, code: &Code, line: i32, events: u32) -> u32 {
    match point.state {
        State::Off => 0,
        State::Global if point.listens_to(code) => events & point.events,
        State::Global => 0,
        State::Targeted if !point.is_set_on(code) => 0,
        State::Targeted if point.line == 0 => events & point.events,
        State::Targeted if line == point.line => events & point.events & Events::LINE as u32,
        State::Targeted => 0,
    }
}

/// Patches the words of `code` for `point`; returns their number. `method`: the code is the body of a method defined by
/// a block.
pub fn apply(point: &Point, code: &Code, method: bool) -> usize {
    apply_where(code, point.events, method, &|word, events| {
        wanted(point, code, if point.line == 0 { 0 } else { code.line(word) }, events) != 0
    })
}

/// Patches the words of `code` with one of some events for which `is_wanted` is true; returns their number.
fn apply_where(code: &Code, of: u32, method: bool, is_wanted: &dyn Fn(usize, u32) -> bool) -> usize {
    let mut words = memory::with_capacity(code.events.len());
    spots(code, of, &mut |word, events| {
        let all = if method { events | as_method(events) } else { events };
        if all & of != 0 && is_wanted(word, all) {
            words.push((word as u32, events));
        }
    });
    code.patch_all(&words);
    words.len()
}

/// Whether the block may be the body of a method. A global point assumes it of every block.
fn may_be_method(code: &Code) -> bool {
    matches!(code.kind, Kind::Block | Kind::Lambda) && !code.internal
}

/// Like `apply`, for a global trace point.
pub fn apply_everywhere(point: &Point, code: &Code) {
    if point.listens_to(code) {
        apply(point, code, may_be_method(code));
    }
}

/// Restores the words of `code` that no enabled trace point needs.
pub fn clean(cx: &Cx, code: &Code) {
    if !code.is_traced() {
        return;
    }
    let (list, resting) = (cx.vm().trace_points, cx.vm().trace_resting);
    let method = may_be_method(code);
    code.restore_unless(&mut |row: &TracedWord| {
        let events = if method { row.events | as_method(row.events) } else { row.events };
        events & resting != 0
            || !list.is_nil()
                && Arr::of(list)
                    .elements(cx)
                    .iter()
                    .any(|p| native::get::<Point>(p).is_some_and(|p| wanted(p, code, row.line, events) != 0))
    });
    code.tier.refresh(code.is_traced(), cx.vm().all_redefinitions());
}

/// The events whose trace instructions may rest: no calls of native methods, for which operators are compiled
/// differently, and no call sites.
const MAY_REST: u32 = CODE_EVENTS & !(C_CALL | C_RETURN | SITES);
/// How many trace instructions may be executed for nothing, for each code object, until all are removed: about what
/// removing and inserting them costs.
const REST: usize = 8;

/// Whether the trace instructions of a point that is removed stay for a while.
pub fn may_rest(point: &Point) -> bool {
    point.filter.is_nil() && point.events & CODE_EVENTS & !MAY_REST == 0
}

/// Leaves the trace instructions for some events in all code for a while.
pub fn rest(cx: &mut Cx, events: u32) {
    let rest = REST.saturating_mul(cx.vm().codes.count()).min(u32::MAX as usize) as u32;
    let vm = cx.vm_mut();
    (vm.trace_resting, vm.trace_rest) = (vm.trace_resting | events, rest);
}

/// A trace instruction is executed while some rest: removes these if it is time.
#[cold]
pub fn count_rest(cx: &mut Cx) {
    let vm = cx.vm_mut();
    vm.trace_rest = vm.trace_rest.saturating_sub(1);
    if vm.trace_rest == 0 {
        vm.trace_resting = 0;
        clean_all(cx);
    }
}

/// Restores the words of all code that no enabled trace point needs.
pub fn clean_all(cx: &Cx) {
    cx.vm().codes.each(&mut |own| clean(cx, own));
    cx.vm().refresh_compiled();
}

/// Called when code was linked: patches it and all nested code for trace points without a target.
pub fn linked(cx: &mut Cx, cell: Value) {
    let resting = cx.vm().trace_resting;
    if resting != 0 {
        nested(cell, &mut |v| {
            let own = code(&v);
            apply_where(own, resting, may_be_method(own), &|_, events| events & resting != 0);
        });
    }
    let list = cx.vm().trace_points;
    if list.is_nil() {
        return;
    }
    crate::path::learn_source(cx, code(&cell));
    nested(cell, &mut |v| {
        for p in Arr::of(list).iter() {
            if let Some(point) = native::get::<Point>(&p)
                && matches!(point.state, State::Global)
            {
                apply_everywhere(point, code(&v));
            }
        }
    });
}

/// `cell` and the linked code nested in it.
pub fn nested(cell: Value, into: &mut dyn FnMut(Value)) {
    runtime::link::each_nested(cell, |cell| {
        let is_linked = unlinked::is_linked(cell);
        if is_linked {
            into(cell);
        }
        is_linked
    });
}

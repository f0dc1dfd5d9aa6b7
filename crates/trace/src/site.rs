//! Calls on the caller's side: the method, the arguments, and the result.
//!
//! A call whose start was reported is recorded in [`Cx::open_calls`] until it returns: frame and word, receiver, entry
//! and name. A frame has at most one such call; records of frames that no longer exist are dropped when the next one is
//! added.

use abi::Value;
use bytecode::{CallFlags, Opcode};
use object::{array::Arr, cell, class, hash::HashRef, method_entry};
use runtime::{
    Cx,
    code::{CallSite, Code},
    frame::FrameId,
    keys, make, reflect,
    trace::{Happening, S_CALL, S_RETURN},
};

use crate::patch;

/// The number of values of a record.
const WIDTH: usize = 5;

/// The event at a word where a call begins or has returned.
pub fn happening(cx: &mut Cx, own: &Code, frame: FrameId, word: usize, event: u32) -> Option<Happening> {
    if event == S_RETURN {
        return returned(cx, own, frame, word);
    }
    let i = own.instruction(word);
    let site = own.call_at(word);
    let is_super = i.meant() == Opcode::Super;
    begun(cx, own, frame, site, i.b as usize, word, is_super)
}

/// The call made by an operator, with its operands in the window.
pub fn operator(cx: &mut Cx, own: &Code, frame: FrameId, window: Value, call: Value, word: usize) -> Option<Happening> {
    let site = &own.calls[call.fixnum_value() as usize];
    begun(cx, own, frame, site, window.fixnum_value() as usize, word, false)
}

fn begun(
    cx: &mut Cx,
    own: &Code,
    id: FrameId,
    site: &CallSite,
    window: usize,
    word: usize,
    is_super: bool,
) -> Option<Happening> {
    let frame = cx.frame_at(id)?;
    let current = reflect::home(frame).entry;
    let mut now = Happening::new(S_CALL, Value::NIL, Some(frame), own.own.get());
    now.word = word as u32;
    now.receiver = reflect::frame_register(frame, window);
    (now.entry, now.name) = if is_super {
        let above = if current.is_nil() {
            Value::UNDEF
        } else {
            let (found_in, owner) = (method_entry::found_in(current), method_entry::owner(current));
            class::lookup::find_super(cx, found_in, owner, method_entry::name(current))
        };
        let name = if current.is_nil() { Value::NIL } else { method_entry::name(current).value() };
        (above, name)
    } else {
        let class = class::class_of(cx, now.receiver);
        (class::lookup::find_method(cx, class, site.name), site.name.value())
    };
    now.entry = now.entry.or(Value::NIL);
    now.extra = Value::fixnum(window as i64);
    note(cx, id, word, &now);
    Some(now)
}

fn address(frame: FrameId) -> Value {
    Value(frame.address() as u64 | 1)
}

/// Records the start of the call.
fn note(cx: &mut Cx, frame: FrameId, word: usize, now: &Happening) {
    if cx.open_calls.is_nil() {
        cx.open_calls = make::array(cx, &[]);
    }
    let list = Arr::of(cx.open_calls);
    // Deeper frames are at lower addresses; their calls, and an earlier call of this frame, have ended.
    while let Some(last) = list.len().checked_sub(WIDTH).and_then(|at| list.get(at)) {
        if last.0 > address(frame).0 {
            break;
        }
        for _ in 0..WIDTH {
            let _ = list.pop(cx);
        }
    }
    for v in [address(frame), Value::fixnum(word as i64), now.receiver, now.entry, now.name] {
        make::push(cx, list.value(), v);
    }
}

/// Control is at the word after a call: returns the record of that call, if there is one.
fn returned(cx: &mut Cx, own: &Code, id: FrameId, word: usize) -> Option<Happening> {
    let call = patch::call_before(own, word)?;
    let list = Arr::of(cx.open_calls);
    if cx.open_calls.is_nil() {
        return None;
    }
    let mut at = list.len();
    while at >= WIDTH {
        at -= WIDTH;
        let noted = list.get(at)?;
        if noted.0 > address(id).0 {
            return None;
        }
        if noted == address(id) {
            break;
        }
    }
    if list.get(at) != Some(address(id)) || list.get(at + 1) != Some(Value::fixnum(call as i64)) {
        return None;
    }
    let i = own.instruction(call);
    let fused = !is_jump(i.op());
    let frame = cx.frame_at(id)?;
    let result = if fused { i.a } else { own.instruction(call + 1).a };
    let mut now = Happening::new(S_RETURN, reflect::frame_register(frame, result as usize), Some(frame), own.own.get());
    now.word = call as u32;
    (now.receiver, now.entry, now.name) = (list.get(at + 2)?, list.get(at + 3)?, list.get(at + 4)?);
    while list.len() > at {
        let _ = list.pop(cx);
    }
    Some(now)
}

/// A comparison fused with a jump has its result in the window.
fn is_jump(op: Opcode) -> bool {
    (Opcode::JumpLess as u16..=Opcode::JumpNotEqualInt as u16).contains(&(op as u16))
}

/// The arguments of the beginning call: positional ones, then a Hash of keywords if there are any.
pub fn arguments(cx: &mut Cx, own: &Code, frame: FrameId, now: &Happening) -> Value {
    let list = make::array(cx, &[]);
    let site = own.call_at(now.word as usize);
    let mut at = now.extra.fixnum_value() as usize + 1;
    let mut next = |cx: &Cx| {
        at += 1;
        cx.frame_at(frame).map_or(Value::NIL, |frame| reflect::frame_register(frame, at - 1))
    };
    for n in 0..site.arguments {
        let v = next(cx);
        if site.flags.has(CallFlags::SPLAT) && n == site.arguments - 1 {
            let mut j = 0;
            while cell::is(v, abi::Type::Array)
                && let Some(one) = Arr::of(v).get(j)
            {
                make::push(cx, list, one);
                j += 1;
            }
        } else {
            // A literal's register may hold the interned string that the call copies.
            let v = if site.literal_arguments >> n & 1 != 0 { literal_copy(cx, v) } else { v };
            make::push(cx, list, v);
        }
    }
    if site.flags.has(CallFlags::KEYWORDS) {
        let hash = HashRef::new(cx).value();
        for name in site.keywords() {
            let v = next(cx);
            let _ = keys::store(cx, hash, name.value(), v);
        }
        make::push(cx, list, hash);
    } else if site.flags.has(CallFlags::KEYWORD_SPLAT) {
        let v = next(cx);
        if cell::is(v, abi::Type::Hash) && !HashRef::of(v).is_empty() {
            make::push(cx, list, v);
        }
    }
    list
}

fn literal_copy(cx: &mut Cx, v: Value) -> Value {
    let s = object::string::Str::of(v);
    let bytes = s.held(cx);
    make::string(cx, &bytes, s.encoding())
}

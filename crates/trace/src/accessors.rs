//! The accessors of TracePoint for its block: location, event, and values.

use abi::{Frame, FrameFlags, Value};
use bytecode::sequence::Events;
use object::{hash::HashRef, method_entry, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, binding, call,
    code::code,
    frame::FrameId,
    keys, make, method_object, reflect,
    trace::{
        C_CALL, C_RETURN, FIBER_SWITCH, Happening, METHOD_ADDED, METHOD_REMOVED, METHOD_UNDEFINED, RAISE, S_CALL,
        S_RETURN, SCRIPT_COMPILED, THREAD_BEGIN, THREAD_END,
    },
};

use crate::{
    point::{self, CALLS, RETURNS, State},
    site,
};

const B_EVENTS: u32 = Events::B_CALL as u32 | Events::B_RETURN as u32;
const CHANGES: u32 = METHOD_ADDED | METHOD_REMOVED | METHOD_UNDEFINED;

pub const METHODS: &[Method] = &[
    Method::new("inspect", inspect),
    Method::new("event", event),
    Method::new("lineno", lineno),
    Method::new("path", path),
    Method::new("parameters", parameters),
    Method::new("arguments", arguments),
    Method::new("method_id", method_id),
    Method::new("callee_id", callee_id),
    Method::new("defined_class", defined_class),
    Method::new("previous_method", previous_method),
    Method::new("binding", binding_),
    Method::new("self", self_),
    Method::new("return_value", return_value),
    Method::new("raised_exception", raised_exception),
    Method::new("eval_script", eval_script),
    Method::new("instruction_sequence", instruction_sequence),
];

/// The current event in this fiber.
fn current(cx: &mut Cx, v: Value) -> R<Happening> {
    point::data(cx, v)?;
    match cx.happening() {
        Some(now) => Ok(now),
        None => Err(cx.runtime_error("access from outside")),
    }
}

fn only(cx: &mut Cx, v: Value, events: u32) -> R<Happening> {
    let now = current(cx, v)?;
    if now.event & events == 0 { Err(cx.runtime_error("not supported by this event")) } else { Ok(now) }
}

pub(crate) fn path_text(now: &Happening) -> String {
    match now.file {
        Some(file) => file.to_string(),
        None if now.code.is_nil() => String::new(),
        None => code(&now.code).source.path.clone(),
    }
}

/// `inspect → string`: during an event, the event with its position; otherwise whether the point is enabled.
fn inspect(cx: &mut Cx, args: Args) -> R {
    let enabled = point::data(cx, args.me())?.state != State::Off;
    let Some(now) = cx.happening() else {
        return Ok(make::described(cx, if enabled { "#<TracePoint:enabled>" } else { "#<TracePoint:disabled>" }));
    };
    let (name, path, line) = (point::name_of(now.event), path_text(&now), now.line());
    let entry = entry_of(cx, &now);
    let method = if entry.is_nil() { String::new() } else { method_entry::original_name(entry).to_text(cx) };
    let calls = Events::CALL as u32 | Events::RETURN as u32 | C_CALL | C_RETURN | S_CALL | S_RETURN | CHANGES;
    let text = if now.event & calls != 0 {
        format!("#<TracePoint:{name} '{method}' {path}:{line}>")
    } else if now.event == Events::LINE as u32 && !entry.is_nil() {
        format!("#<TracePoint:{name} {path}:{line} in '{method}'>")
    } else if now.event & (THREAD_BEGIN | THREAD_END) != 0 {
        let thread = cx.thread;
        format!("#<TracePoint:{name} {}>", call::inspect_text(cx, thread)?)
    } else {
        format!("#<TracePoint:{name} {path}:{line}>")
    };
    Ok(make::described(cx, &text))
}

/// `event → symbol`: the event. Like all methods below it raises RuntimeError outside of the block, and for events that
/// do not have the value.
fn event(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    Ok(intern_text(cx, point::name_of(now.event)).value())
}

/// `lineno → integer`: the line of the event.
fn lineno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(current(cx, args.me())?.line() as i64))
}

/// `path → string or nil`: the path of the code in which the event happened; nil for native code without one.
fn path(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    if now.code.is_nil() && now.file.is_none() {
        return Ok(Value::NIL);
    }
    Ok(make::interned(cx, &path_text(&now)))
}

/// The entry of the method that the event is about: the running, the called or the changed one.
pub fn entry_of(cx: &Cx, now: &Happening) -> Value {
    if !now.entry.is_undef() {
        return now.entry;
    }
    let Some(frame) = frame_of(cx, now) else { return Value::NIL };
    let own = frame.scope.entry;
    if frame.scope.code.is_nil() || !own.is_nil() { own } else { reflect::home(frame).entry }
}

/// The frame of the event; none after it was left.
fn frame_of<'a>(cx: &'a Cx, now: &Happening) -> Option<&'a Frame> {
    cx.frame_at(now.frame?)
}

/// `parameters → array`: the parameters of the method or block that is called or returns, as `Method#parameters` gives
/// them.
fn parameters(cx: &mut Cx, args: Args) -> R {
    let now = only(cx, args.me(), CALLS | RETURNS | S_CALL | S_RETURN | METHOD_ADDED)?;
    let Some(frame) = frame_of(cx, &now) else { return Ok(Value::NIL) };
    if now.event & B_EVENTS != 0 {
        let body = frame.scope.code;
        let strict = frame.flags & (FrameFlags::LAMBDA | FrameFlags::BMETHOD) != 0;
        return Ok(core_classes::proc::describe::of_code(cx, code(&body), strict));
    }
    let entry = entry_of(cx, &now);
    if entry.is_nil() {
        return Ok(make::array(cx, &[]));
    }
    let method = unbound(cx, entry);
    match method_object::get(&method) {
        Some(m) => core_classes::method::parameters_of(cx, m),
        None => Ok(Value::NIL),
    }
}

/// The UnboundMethod of an entry.
fn unbound(cx: &mut Cx, entry: Value) -> Value {
    let data = method_object::MethodData {
        receiver: Value::UNDEF,
        entry,
        name: method_entry::name(entry),
        class: method_entry::owner(entry),
        missing: false,
    };
    method_object::new(cx, data)
}

/// `arguments → array`: the values of a call's arguments, positional ones first, those by keyword as one Hash at the
/// end; without the block. For call, b_call, c_call and s_call.
fn arguments(cx: &mut Cx, args: Args) -> R {
    let now = only(cx, args.me(), CALLS | S_CALL)?;
    let list = make::array(cx, &[]);
    let Some(frame) = frame_of(cx, &now) else { return Ok(list) };
    let (id, body, registers) = (FrameId::of(frame), frame.scope.code, frame.registers as usize);
    if now.event == S_CALL {
        return Ok(site::arguments(cx, code(&now.code), id, &now));
    }
    let given = |cx: &Cx, i: usize| cx.frame_at(id).map_or(Value::UNDEF, |frame| reflect::frame_register(frame, i));
    if body.is_nil() {
        for i in 1..registers {
            let v = given(cx, i);
            make::push(cx, list, v);
        }
        return Ok(list);
    }
    let own = code(&body);
    let p = &own.parameters;
    let positional = (p.required + p.optional) as usize;
    let push_given = |cx: &mut Cx, i: usize| {
        let v = given(cx, i);
        if !v.is_undef() {
            make::push(cx, list, v);
        }
    };
    (1..=positional).for_each(|i| push_given(cx, i));
    let mut next = positional + 1;
    if let Some(rest) = p.rest {
        let rest_values = given(cx, rest as usize);
        let mut i = 0;
        while object::cell::is(rest_values, abi::Type::Array)
            && let Some(v) = object::array::Arr::of(rest_values).get(i)
        {
            make::push(cx, list, v);
            i += 1;
        }
        next = rest as usize + 1;
    }
    (next..next + p.post as usize).for_each(|i| push_given(cx, i));
    let hash = HashRef::new(cx).value();
    for (i, (name, _)) in own.keyword_names().iter().enumerate() {
        let v = given(cx, p.first_keyword as usize + i);
        if !v.is_undef() {
            keys::store(cx, hash, name.value(), v)?;
        }
    }
    if let Some(rest) = p.keyword_rest {
        let rest = given(cx, rest as usize);
        if object::cell::is(rest, abi::Type::Hash) {
            let update = intern_text(cx, "update");
            call::send(cx, hash, update, &[rest])?;
        }
    }
    if !HashRef::of(hash).is_empty() {
        make::push(cx, list, hash);
    }
    Ok(list)
}

/// `method_id → symbol or nil`: the name under which the method was defined; nil outside of methods.
fn method_id(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    let entry = entry_of(cx, &now);
    Ok(if entry.is_nil() { now.name } else { method_entry::original_name(entry).value() })
}

/// `callee_id → symbol or nil`: the name under which the method was called, which may be an alias.
fn callee_id(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    let entry = entry_of(cx, &now);
    Ok(if !now.name.is_nil() || entry.is_nil() { now.name } else { method_entry::name(entry).value() })
}

/// `defined_class → module or nil`: the module that defines the method; nil outside of methods.
fn defined_class(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    let entry = entry_of(cx, &now);
    if now.event == METHOD_UNDEFINED {
        return Ok(now.extra);
    }
    Ok(if entry.is_nil() { Value::NIL } else { method_entry::owner(entry) })
}

/// `previous_method → unbound_method or nil`: for method_added the previous method of that name in the class; for
/// method_removed and method_undefined the removed method.
fn previous_method(cx: &mut Cx, args: Args) -> R {
    let now = only(cx, args.me(), CHANGES)?;
    let entry = if now.event == METHOD_ADDED { now.extra } else { now.value };
    Ok(if entry.is_nil() { Value::NIL } else { unbound(cx, entry) })
}

/// `binding → binding or nil`: the variables where the event happened; nil for native methods.
fn binding_(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    match now.frame {
        Some(frame) if now.event & (C_CALL | C_RETURN) == 0 && now.file.is_none() => {
            Ok(binding::of_frame(cx, frame, now.line()).unwrap_or(Value::NIL))
        }
        _ => Ok(Value::NIL),
    }
}

/// `self → object`: the receiver where the event happened; the thread for its beginning and end.
fn self_(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    if !now.receiver.is_undef() {
        return Ok(now.receiver);
    }
    if now.event & (THREAD_BEGIN | THREAD_END | FIBER_SWITCH) != 0 {
        return Ok(cx.thread);
    }
    Ok(frame_of(cx, &now).map_or(cx.vm().main_object, reflect::frame_self))
}

/// `return_value → object`: the value that the method or block returns; only for return events.
fn return_value(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), RETURNS | S_RETURN)?.value)
}

/// `raised_exception → exception`: only for `:raise` and `:rescue`.
fn raised_exception(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), RAISE | Events::RESCUE as u32)?.value)
}

/// `eval_script → string or nil`: the source passed to `eval`; nil for a file. Only for `:script_compiled`.
fn eval_script(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), SCRIPT_COMPILED)?.extra)
}

/// `instruction_sequence → sequence`: the code that was compiled. Only for `:script_compiled`.
fn instruction_sequence(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), SCRIPT_COMPILED)?.value)
}

//! TracePoint.

use abi::{Frame, Value};
use bytecode::sequence::Events;
use heap::Marker;
use object::{
    Known, Sym,
    array::Arr,
    method_entry,
    native::{self, NativeData, Visit},
    symbol::table::intern_text,
};
use runtime::{
    Args, Cx, Method, R, binding, call,
    code::code,
    convert, define, keys, make, method_object, reflect,
    trace::{C_CALL, C_RETURN, FIBER_SWITCH, RAISE, SCRIPT_COMPILED, THREAD_BEGIN, THREAD_END},
};

use crate::{patch, sequence};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Off,
    Global,
    Targeted,
}

/// What is happening while a trace point's block runs.
#[derive(Clone, Copy)]
pub struct Current {
    pub thread: Value,
    pub event: u32,
    /// The result, the exception or the code that was compiled.
    pub value: Value,
    /// The source of an eval.
    pub extra: Value,
    /// The frame that it happens in; of the method for calls of native ones.
    pub frame: Option<&'static Frame>,
    /// The code whose path is told, or nil.
    pub code: Value,
    pub line: i32,
}

pub struct Point {
    pub events: u32,
    pub block: Value,
    pub state: State,
    /// The line that it is narrowed to, or 0.
    pub line: i32,
    /// The code that it is set on.
    pub codes: Vec<Value>,
    /// The thread that it listens to, nil for all.
    pub thread: Value,
    pub current: Vec<Current>,
}

impl NativeData for Point {
    fn trace(&mut self, marker: &mut Marker) {
        marker.visit(&mut self.block);
        marker.visit(&mut self.thread);
        for v in &mut self.codes {
            marker.visit(v);
        }
        for c in &mut self.current {
            for v in [&mut c.thread, &mut c.value, &mut c.extra, &mut c.code] {
                marker.visit(v);
            }
        }
    }
}

const NAMES: [(u32, &str); 15] = [
    (Events::LINE as u32, "line"),
    (Events::CLASS as u32, "class"),
    (Events::END as u32, "end"),
    (Events::CALL as u32, "call"),
    (Events::RETURN as u32, "return"),
    (C_CALL, "c_call"),
    (C_RETURN, "c_return"),
    (RAISE, "raise"),
    (Events::B_CALL as u32, "b_call"),
    (Events::B_RETURN as u32, "b_return"),
    (THREAD_BEGIN, "thread_begin"),
    (THREAD_END, "thread_end"),
    (FIBER_SWITCH, "fiber_switch"),
    (SCRIPT_COMPILED, "script_compiled"),
    (Events::RESCUE as u32, "rescue"),
];

const CALLS: u32 = Events::CALL as u32 | Events::B_CALL as u32 | C_CALL;
const RETURNS: u32 = Events::RETURN as u32 | Events::B_RETURN as u32 | C_RETURN;

pub const METHODS: &[Method] = &[
    Method::new("enable(target: nil, target_line: nil, target_thread: nil)", enable),
    Method::new("disable", disable),
    Method::new("enabled?", is_enabled),
    Method::new("inspect", inspect),
    Method::new("event", event),
    Method::new("lineno", lineno),
    Method::new("path", path),
    Method::new("parameters", parameters),
    Method::new("method_id", method_id),
    Method::new("callee_id", callee_id),
    Method::new("defined_class", defined_class),
    Method::new("binding", binding_),
    Method::new("self", self_),
    Method::new("return_value", return_value),
    Method::new("raised_exception", raised_exception),
    Method::new("eval_script", eval_script),
    Method::new("instruction_sequence", instruction_sequence),
];

const SINGLETON: &[Method] = &[
    Method::new("new(*events)", new),
    Method::new("trace(*events)", trace),
    Method::new("stat", stat),
    Method::new("allow_reentry", allow_reentry),
];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let class = define::define_class(cx, object, "TracePoint", object);
    cx.set_root("TracePoint", class);
    define::define_methods(cx, class, METHODS);
    define::define_singleton_methods(cx, class, SINGLETON);
}

fn bit_of(name: &str) -> Option<u32> {
    match name {
        "a_call" => Some(CALLS),
        "a_return" => Some(RETURNS),
        _ => NAMES.iter().find(|(_, n)| *n == name).map(|(bit, _)| *bit),
    }
}

pub fn name_of(bit: u32) -> &'static str {
    NAMES.iter().find(|(b, _)| *b == bit).map_or("unknown", |(_, n)| n)
}

fn new(cx: &mut Cx, args: Args) -> R {
    let mut events = 0;
    for v in args.all() {
        let name = convert::to_symbol(cx, *v)?.to_text(cx);
        match bit_of(&name) {
            Some(bit) => events |= bit,
            None => return Err(cx.argument_error(&format!("unknown event: {name}"))),
        }
    }
    if args.is_empty() {
        events = NAMES.iter().fold(0, |all, (bit, _)| all | bit);
    }
    if args.block(cx).is_none() {
        return Err(cx.argument_error("must be called with a block"));
    }
    let block = args.block_proc(cx)?;
    let point =
        Point { events, block, state: State::Off, line: 0, codes: Vec::new(), thread: Value::NIL, current: Vec::new() };
    Ok(native::new(cx, args.me(), Box::new(point)))
}

fn trace(cx: &mut Cx, args: Args) -> R {
    let point = new(cx, args)?;
    enable_everywhere(cx, point, Value::NIL);
    Ok(point)
}

fn stat(cx: &mut Cx, _: Args) -> R {
    Ok(object::hash::HashRef::new(cx).0)
}

fn allow_reentry(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.argument_error("no block given"));
    }
    if !cx.in_trace {
        return Err(cx.runtime_error("No need to allow reentrance."));
    }
    cx.in_trace = false;
    let result = call::yield_values(cx, block, &[]);
    cx.in_trace = true;
    result
}

fn data(cx: &mut Cx, v: Value) -> R<&'static mut Point> {
    match native::get_mut::<Point>(cx, v) {
        Some(p) => Ok(p),
        None => Err(cx.type_error("wrong argument type (expected tracepoint)")),
    }
}

/// Replaces the list of enabled trace points and what it listens to everywhere.
fn set_list(cx: &mut Cx, list: Value) {
    let events = Arr(list)
        .elements()
        .iter()
        .filter_map(|p| native::get::<Point>(*p))
        .filter(|p| p.state == State::Global)
        .fold(0, |all, p| all | p.events);
    let vm = cx.vm_mut();
    vm.trace_points = list;
    vm.trace_events = events;
}

fn add(cx: &mut Cx, me: Value) {
    let old = cx.vm().trace_points;
    let list = make::array(cx, &[]);
    let mut i = 0;
    while !old.is_nil()
        && let Some(p) = Arr(old).get(i)
    {
        i += 1;
        make::push(cx, list, p);
    }
    make::push(cx, list, me);
    set_list(cx, list);
}

fn remove(cx: &mut Cx, me: Value) {
    let old = cx.vm().trace_points;
    let list = make::array(cx, &[]);
    if !old.is_nil() {
        let mut i = 0;
        while let Some(p) = Arr(old).get(i) {
            i += 1;
            if p != me {
                make::push(cx, list, p);
            }
        }
    }
    set_list(cx, list);
}

const CODE_EVENTS: u32 = 0x431f | C_CALL | C_RETURN;

fn enable_everywhere(cx: &mut Cx, me: Value, thread: Value) {
    let Some(point) = native::get_mut::<Point>(cx, me) else { return };
    (point.state, point.thread, point.line) = (State::Global, thread, 0);
    add(cx, me);
    if point.events & CODE_EVENTS != 0 {
        let codes = patch::all_codes(cx);
        for v in Arr(codes).elements() {
            patch::apply(point, code(*v));
        }
    }
}

fn turn_off(cx: &mut Cx, me: Value) {
    let Some(point) = native::get_mut::<Point>(cx, me) else { return };
    let was = std::mem::replace(&mut point.state, State::Off);
    remove(cx, me);
    match was {
        State::Off => {}
        State::Targeted => {
            for v in std::mem::take(&mut point.codes) {
                patch::clean(cx, code(v));
            }
        }
        State::Global if point.events & CODE_EVENTS == 0 => {}
        State::Global => {
            let codes = patch::all_codes(cx);
            for v in Arr(codes).elements() {
                patch::clean(cx, code(*v));
            }
        }
    }
    (point.line, point.thread) = (0, Value::NIL);
}

fn enable(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let block = args.block(cx);
    let names = ["target", "target_line", "target_thread"].map(|n| intern_text(cx, n));
    keys::only_keywords(cx, args.keywords(), &names)?;
    let [target, line, thread] = names.map(|n| keys::keyword(cx, args.keywords(), n));
    let (target, line) = (target.or(Value::NIL), line.or(Value::NIL));
    let plain = target.is_nil() && line.is_nil();
    let thread = if thread.is_undef() || thread.is_nil() {
        if plain && !block.is_none() && thread.is_undef() { cx.thread } else { Value::NIL }
    } else {
        thread
    };
    let point = data(cx, me)?;
    let was = point.state != State::Off;
    if plain {
        if was && !thread.is_nil() && !point.thread.is_nil() && thread != point.thread {
            return Err(cx.argument_error("can not override target_thread filter"));
        }
        if !was {
            enable_everywhere(cx, me, thread);
        }
    } else {
        enable_at(cx, me, target, line, thread)?;
    }
    if block.is_none() {
        return Ok(Value::bool(was));
    }
    let result = call::yield_values(cx, block, &[]);
    if !was {
        turn_off(cx, me);
    }
    result
}

fn enable_at(cx: &mut Cx, me: Value, target: Value, line: Value, thread: Value) -> R<()> {
    let point = data(cx, me)?;
    if point.state != State::Off {
        return Err(cx.argument_error("can't nest-enable a targeting TracePoint"));
    }
    if !line.is_nil() && point.events & Events::LINE as u32 == 0 {
        return Err(cx.argument_error("target_line is specified, but line event is not specified"));
    }
    if target.is_nil() {
        return Err(cx.argument_error("only target_line is specified"));
    }
    let line = if line.is_nil() { 0 } else { convert::to_i64(cx, line)? as i32 };
    let Some(body) = sequence::code_of(target) else {
        return Err(cx.argument_error("specified target is not supported"));
    };
    let point = data(cx, me)?;
    point.codes.clear();
    patch::nested(body, &mut |v| point.codes.push(v));
    (point.state, point.line, point.thread) = (State::Targeted, line, thread);
    let mut count = 0;
    for v in &point.codes {
        count += patch::apply(point, code(*v));
    }
    if count == 0 {
        point.state = State::Off;
        point.codes.clear();
        return Err(cx.argument_error("can not enable any hooks"));
    }
    add(cx, me);
    Ok(())
}

fn disable(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let block = args.block(cx);
    let point = data(cx, me)?;
    let (was, thread) = (point.state, point.thread);
    if block.is_none() {
        turn_off(cx, me);
        return Ok(Value::bool(was != State::Off));
    }
    if was == State::Targeted {
        return Err(cx.argument_error("can't disable a targeting TracePoint in a block"));
    }
    turn_off(cx, me);
    let result = call::yield_values(cx, block, &[]);
    if was == State::Global {
        enable_everywhere(cx, me, thread);
    }
    result
}

fn is_enabled(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(cx, args.me())?.state != State::Off))
}

/// What is happening in this thread.
fn current(cx: &mut Cx, v: Value) -> R<Current> {
    let thread = cx.thread;
    match data(cx, v)?.current.iter().rev().find(|c| c.thread == thread) {
        Some(c) => Ok(*c),
        None => Err(cx.runtime_error("access from outside")),
    }
}

fn only(cx: &mut Cx, v: Value, events: u32) -> R<Current> {
    let now = current(cx, v)?;
    if now.event & events == 0 { Err(cx.runtime_error("not supported by this event")) } else { Ok(now) }
}

fn path_text(now: &Current) -> String {
    if now.code.is_nil() { String::new() } else { code(now.code).source.path.clone() }
}

fn inspect(cx: &mut Cx, args: Args) -> R {
    let point = data(cx, args.me())?;
    let enabled = point.state != State::Off;
    let thread = cx.thread;
    let Some(now) = point.current.iter().rev().find(|c| c.thread == thread).copied() else {
        return Ok(make::text(cx, if enabled { "#<TracePoint:enabled>" } else { "#<TracePoint:disabled>" }));
    };
    let (name, path, line) = (name_of(now.event), path_text(&now), now.line);
    let entry = entry_of(&now);
    let method = if entry.is_nil() { String::new() } else { method_entry::original_name(entry).to_text(cx) };
    let calls = Events::CALL as u32 | Events::RETURN as u32 | C_CALL | C_RETURN;
    let text = if now.event & calls != 0 {
        format!("#<TracePoint:{name} '{method}' {path}:{line}>")
    } else if now.event == Events::LINE as u32 && !entry.is_nil() {
        format!("#<TracePoint:{name} {path}:{line} in '{method}'>")
    } else if now.event & (THREAD_BEGIN | THREAD_END) != 0 {
        format!("#<TracePoint:{name} {}>", call::inspect_text(cx, thread)?)
    } else {
        format!("#<TracePoint:{name} {path}:{line}>")
    };
    Ok(make::text(cx, &text))
}

fn event(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    Ok(intern_text(cx, name_of(now.event)).0)
}

fn lineno(cx: &mut Cx, args: Args) -> R {
    Ok(Value::fixnum(current(cx, args.me())?.line as i64))
}

fn path(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    if now.code.is_nil() {
        return Ok(Value::NIL);
    }
    Ok(make::text(cx, &path_text(&now)))
}

/// The entry of the method that it happens in.
fn entry_of(now: &Current) -> Value {
    let Some(frame) = now.frame else { return Value::NIL };
    let own = frame.scope.entry;
    if frame.scope.code.is_nil() || !own.is_nil() { own } else { reflect::home(frame).entry }
}

fn parameters(cx: &mut Cx, args: Args) -> R {
    let now = only(cx, args.me(), CALLS | RETURNS)?;
    let Some(frame) = now.frame else { return Ok(Value::NIL) };
    if now.event & (Events::B_CALL as u32 | Events::B_RETURN as u32) != 0 {
        let own = code(frame.scope.code);
        let strict = frame.flags & (abi::FrameFlags::LAMBDA | abi::FrameFlags::BMETHOD) != 0;
        return Ok(core_classes::proc::describe::of_code(cx, own, strict));
    }
    let entry = entry_of(&now);
    if entry.is_nil() {
        return Ok(make::array(cx, &[]));
    }
    let data = method_object::MethodData {
        receiver: Value::UNDEF,
        entry,
        name: method_entry::name(entry),
        class: method_entry::owner(entry),
        missing: false,
    };
    let method = method_object::new(cx, data);
    match method_object::get(method) {
        Some(m) => core_classes::method::parameters_of(cx, m),
        None => Ok(Value::NIL),
    }
}

fn method_id(cx: &mut Cx, args: Args) -> R {
    let entry = entry_of(&current(cx, args.me())?);
    Ok(if entry.is_nil() { Value::NIL } else { method_entry::original_name(entry).0 })
}

fn callee_id(cx: &mut Cx, args: Args) -> R {
    let entry = entry_of(&current(cx, args.me())?);
    let name: Sym = if entry.is_nil() { return Ok(Value::NIL) } else { method_entry::name(entry) };
    Ok(name.0)
}

fn defined_class(cx: &mut Cx, args: Args) -> R {
    let entry = entry_of(&current(cx, args.me())?);
    Ok(if entry.is_nil() { Value::NIL } else { method_entry::owner(entry) })
}

fn binding_(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    match now.frame {
        Some(frame) if now.event & (C_CALL | C_RETURN) == 0 && !frame.scope.code.is_nil() => {
            Ok(binding::of_scope(cx, &raw const frame.scope, now.line))
        }
        _ => Ok(Value::NIL),
    }
}

fn self_(cx: &mut Cx, args: Args) -> R {
    let now = current(cx, args.me())?;
    Ok(now.frame.map_or(cx.vm().main_object, reflect::frame_self))
}

fn return_value(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), RETURNS)?.value)
}

fn raised_exception(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), RAISE | Events::RESCUE as u32)?.value)
}

fn eval_script(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), SCRIPT_COMPILED)?.extra)
}

fn instruction_sequence(cx: &mut Cx, args: Args) -> R {
    Ok(only(cx, args.me(), SCRIPT_COMPILED)?.value)
}

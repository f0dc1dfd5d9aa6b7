//! TracePoint: creating, enabling and disabling. Its accessors for events are in [`crate::accessors`].

use memory::Grow;
use std::cell::RefCell;

use abi::Value;
use bytecode::sequence::Events;
use heap::Trace;
use object::{
    Known,
    array::Arr,
    method_entry,
    native::{self, NativeData},
    symbol::table::intern_text,
};
use runtime::{
    Args, Cx, Method, R, basic_ops, call,
    code::{Code, code},
    concurrency::scheduler,
    convert, define, keys, make, method_object, sym,
    trace::{
        C_CALL, C_RETURN, FIBER_SWITCH, METHOD_ADDED, METHOD_REMOVED, METHOD_UNDEFINED, RAISE, S_CALL, S_RETURN,
        SCRIPT_COMPILED, THREAD_BEGIN, THREAD_END,
    },
};

use crate::{accessors, patch, path, ruby_methods, sequence, vm};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Off,
    Global,
    Targeted,
}

#[derive(Trace)]
pub struct Point {
    pub events: u32,
    pub block: Value,
    #[trace(skip)]
    pub state: State,
    /// The line that the point is limited to, or 0.
    pub line: i32,
    /// The code that the point is set on.
    pub codes: Vec<Value>,
    /// The addresses of `codes`, ascending.
    addresses: Vec<usize>,
    /// The thread that the point is limited to, nil for all.
    pub thread: Value,
    /// The Ractor that has made the point, whose events it hears.
    pub ractor: Value,
    /// The entry of the method that the point is limited to if a block is its body, otherwise nil.
    pub method: Value,
    /// The filter of files: an Array made by [`path::prepare`], nil for all.
    pub filter: Value,
    /// The result of the filter for each source, by its number.
    answers: RefCell<Vec<Option<bool>>>,
}

impl NativeData for Point {
    object::one_vtable!(Point);
}

impl Point {
    /// Whether it is set on this code.
    #[inline]
    pub fn is_set_on(&self, own: &Code) -> bool {
        self.addresses.binary_search(&(own as *const Code as usize)).is_ok()
    }

    /// Whether its filter accepts the code's file.
    #[inline]
    pub fn listens_to(&self, own: &Code) -> bool {
        self.filter.is_nil() || self.answer(own.source.id) == Some(true)
    }

    /// The result of the filter for a source, if it was applied.
    pub fn answer(&self, source: u32) -> Option<bool> {
        self.answers.borrow().get(source as usize).copied().flatten()
    }

    pub fn note(&self, source: u32, answer: bool) {
        let mut answers = self.answers.borrow_mut();
        let length = answers.len().max(source as usize + 1);
        answers.set_length(length, None);
        answers[source as usize] = Some(answer);
    }

    fn set_on(&mut self, codes: Vec<Value>) {
        self.addresses = codes.iter().map(|v| code(v) as *const Code as usize).collect();
        self.addresses.sort_unstable();
        self.codes = codes;
    }
}

/// Names of events; the first fifteen are those of `TracePoint.new` without arguments.
const NAMES: [(u32, &str); 20] = [
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
    (S_CALL, "s_call"),
    (S_RETURN, "s_return"),
    (METHOD_ADDED, "method_added"),
    (METHOD_REMOVED, "method_removed"),
    (METHOD_UNDEFINED, "method_undefined"),
];
const USUAL: usize = 15;

pub const CALLS: u32 = Events::CALL as u32 | Events::B_CALL as u32 | C_CALL;
pub const RETURNS: u32 = Events::RETURN as u32 | Events::B_RETURN as u32 | C_RETURN;

const METHODS: &[Method] = &[
    Method::new("enable(target: nil, target_line: nil, target_thread: nil, path: nil)", enable),
    Method::new("disable", disable),
    Method::new("enabled?", is_enabled),
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
    cx.set_root(runtime::Root::TracePoint, class);
    define::define_methods(cx, class, METHODS);
    define::define_methods(cx, class, accessors::METHODS);
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

/// The name of an event: a Symbol, or the result of `to_sym`.
fn event_name(cx: &mut Cx, v: Value) -> R<String> {
    if let Some(name) = object::Sym::from_value(v) {
        return Ok(name.to_text(cx));
    }
    let class = runtime::error::class_name_of(cx, v);
    let to_sym = intern_text(cx, "to_sym");
    match call::send_if_responds(cx, v, to_sym, &[])? {
        None => Err(cx.type_error(&format!("wrong argument type {class} (expected symbol)"))),
        Some(name) => match object::Sym::from_value(name) {
            Some(name) => Ok(name.to_text(cx)),
            None => {
                let got = runtime::error::class_name_of(cx, name);
                Err(cx.type_error(&format!("can't convert {class} to Symbol ({class}#to_sym gives {got})")))
            }
        },
    }
}

/// `TracePoint.new(*events) → trace_point`: a disabled one for these events, by default all but the rare ones.
/// ArgumentError without a block and for an unknown event.
fn new(cx: &mut Cx, args: Args) -> R {
    let mut events = 0;
    for v in args.all() {
        let name = event_name(cx, *v)?;
        match bit_of(&name) {
            Some(bit) => events |= bit,
            None => return Err(cx.argument_error(&format!("unknown event: {name}"))),
        }
    }
    if args.is_empty() {
        events = NAMES[..USUAL].iter().fold(0, |all, (bit, _)| all | bit);
    }
    if args.block(cx).is_none() {
        return Err(cx.argument_error("must be called with a block"));
    }
    let block = args.block_proc(cx)?;
    Ok(new_of(cx, args.me(), events, block))
}

/// The events that trace functions receive.
pub const TRACE_FUNCTION_EVENTS: u32 = 0xff;

/// A TracePoint that is not enabled yet.
pub fn make(cx: &mut Cx, events: u32, block: Value) -> Value {
    let class = cx.root(runtime::Root::TracePoint);
    new_of(cx, class, events, block)
}

fn new_of(cx: &mut Cx, class: Value, events: u32, block: Value) -> Value {
    let point = Point {
        events,
        block,
        state: State::Off,
        line: 0,
        codes: Vec::new(),
        addresses: Vec::new(),
        thread: Value::NIL,
        ractor: cx.ractor,
        method: Value::NIL,
        filter: Value::NIL,
        answers: RefCell::default(),
    };
    native::new(cx, class, Box::new(point))
}

/// `TracePoint.trace(*events) → trace_point`: `new` and `enable` in one.
fn trace(cx: &mut Cx, args: Args) -> R {
    let point = new(cx, args)?;
    enable_everywhere(cx, point, Value::NIL);
    Ok(point)
}

/// A trace point of a thread that has ended.
fn of_ended_thread(cx: &mut Cx) -> Option<Value> {
    let list = Arr::from_value(cx.vm().trace_points)?;
    list.iter().find(|p| {
        native::get::<Point>(p)
            .is_some_and(|p| p.state == State::Global && !p.thread.is_nil() && !scheduler::is_alive(p.thread))
    })
}

/// `TracePoint.stat → {vm => [active, deleted]}`: the number of global hooks. A deleted hook leaves nothing behind, so
/// the second number is 0.
fn stat(cx: &mut Cx, _: Args) -> R {
    while let Some(ended) = of_ended_thread(cx) {
        turn_off(cx, ended);
    }
    let list = cx.vm().trace_points;
    let active = if list.is_nil() {
        0
    } else {
        let list = Arr::of(list);
        let points = list.elements(cx).iter().filter_map(|p| native::get::<Point>(p));
        points.filter(|p| p.state == State::Global).count()
    };
    let vm = vm::object(cx);
    let counts = make::array(cx, &[Value::fixnum(active as i64), Value::fixnum(0)]);
    let hash = object::hash::HashRef::new(cx).value();
    keys::store(cx, hash, vm, counts)?;
    Ok(hash)
}

/// `TracePoint.allow_reentry → object`: calls the block, whose events are reported although a hook is running.
/// RuntimeError outside of a hook.
fn allow_reentry(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.argument_error("no block given"));
    }
    if !cx.in_trace() {
        return Err(cx.runtime_error("No need to allow reentrance."));
    }
    cx.with_happening(None, |cx| call::yield_values(cx, block, &[]))
}

/// The data of the trace point `v`.
pub fn data(cx: &mut Cx, v: Value) -> R<&mut Point> {
    native::get_mut_or::<Point, _, _>(cx, v, |cx| cx.type_error("wrong argument type (expected tracepoint)"))
}

/// Replaces the list of enabled trace points, and the set of global events.
fn set_list(cx: &mut Cx, list: Value) {
    let events = Arr::of(list)
        .elements(cx)
        .iter()
        .filter_map(|p| native::get::<Point>(p))
        .filter(|p| p.state == State::Global)
        .fold(0, |all, p| all | p.events);
    // Core methods that are traced like methods in Ruby may be native.
    let as_native = |events: u32| {
        let call = if events & Events::CALL as u32 != 0 { C_CALL } else { 0 };
        call | if events & Events::RETURN as u32 != 0 { C_RETURN } else { 0 }
    };
    if events & (ruby_methods::EVENTS | C_CALL | C_RETURN) != 0 {
        ruby_methods::mark(cx);
    }
    let points = Arr::of(list);
    let interest = points.elements(cx).iter().filter_map(|p| native::get::<Point>(p)).fold(0, |all, p| all | p.events);
    let vm = cx.vm_mut();
    vm.trace_interest = interest;
    vm.trace_points = if Arr::of(list).is_empty() { Value::NIL } else { list };
    vm.trace_events = events | as_native(events) | vm.trace_events & runtime::trace::VERIFY_FACTS;
    basic_ops::trace_calls(cx, events & (C_CALL | C_RETURN) != 0);
}

/// Rebuilds the list without `me`, then adds it according to `state`: global ones first, the newest of each kind first.
fn relist(cx: &mut Cx, me: Value, state: State) {
    let old = cx.vm().trace_points;
    let list = make::array(cx, &[]);
    let mut entered = state == State::Off;
    let mut i = 0;
    while !old.is_nil()
        && let Some(p) = Arr::of(old).get(i)
    {
        i += 1;
        let targeted = native::get::<Point>(&p).is_some_and(|p| p.state == State::Targeted);
        if !entered && (state == State::Global || targeted) {
            make::push(cx, list, me);
            entered = true;
        }
        if p != me {
            make::push(cx, list, p);
        }
    }
    if !entered {
        make::push(cx, list, me);
    }
    set_list(cx, list);
}

/// Sets the point on all present and future code, for `thread` or, if nil, all threads.
pub fn enable_everywhere(cx: &mut Cx, me: Value, thread: Value) {
    let resting = cx.vm().trace_resting;
    let Some(point) = native::get_mut::<Point>(cx, me) else { return };
    (point.state, point.thread, point.line) = (State::Global, thread, 0);
    let before = if point.filter.is_nil() { unfiltered_events(cx) | resting } else { 0 };
    relist(cx, me, State::Global);
    let Some(point) = native::get::<Point>(&me) else { return };
    if point.filter.is_nil() {
        cx.vm_mut().trace_resting &= !point.events;
    }
    // Events for which another point without a filter is set are already patched everywhere.
    if point.events & patch::CODE_EVENTS & !before != 0 {
        cx.vm().codes.each(&mut |own| patch::apply_everywhere(point, own));
        cx.vm().refresh_compiled();
    }
}

/// The events of trace points without target and filter.
fn unfiltered_events(cx: &Cx) -> u32 {
    let list = cx.vm().trace_points;
    if list.is_nil() {
        return 0;
    }
    let list = Arr::of(list);
    let points = list.elements(cx).iter().filter_map(|p| native::get::<Point>(p));
    points.filter(|p| p.state == State::Global && p.filter.is_nil()).fold(0, |all, p| all | p.events)
}

/// Removes the point from all code.
pub fn turn_off(cx: &mut Cx, me: Value) {
    let Some(point) = native::get_mut::<Point>(cx, me) else { return };
    let was = std::mem::replace(&mut point.state, State::Off);
    if was == State::Off {
        return;
    }
    relist(cx, me, State::Off);
    if let Some(point) = native::get_mut::<Point>(cx, me) {
        point.addresses.clear();
    }
    let Some(point) = native::get::<Point>(&me) else { return };
    if was == State::Targeted {
        for v in &point.codes {
            patch::clean(cx, code(v));
        }
        refresh_targets(cx, point);
    } else {
        let unneeded = point.events & patch::CODE_EVENTS & !unfiltered_events(cx);
        match unneeded {
            0 => cx.vm().refresh_compiled(),
            _ if patch::may_rest(point) => patch::rest(cx, unneeded),
            _ => patch::clean_all(cx),
        }
    }
    let Some(point) = native::get_mut::<Point>(cx, me) else { return };
    point.codes.clear();
    (point.line, point.thread, point.filter) = (0, Value::NIL, Value::NIL);
    point.answers.take();
}

/// The arguments of `enable`.
struct Request {
    target: Value,
    line: Value,
    thread: Value,
    path: Value,
}

fn request(cx: &mut Cx, args: Args) -> R<Request> {
    let names = [sym::TARGET, sym::TARGET_LINE, sym::TARGET_THREAD, sym::PATH];
    keys::only_keywords(cx, args.keywords(), &names)?;
    let [target, line, thread, path] = names.map(|n| keys::keyword(cx, args.keywords(), n));
    let (target, line, path) = (target.or(Value::NIL), line.or(Value::NIL), path.or(Value::NIL));
    let default = thread.is_undef() || object::Sym::from_value(thread) == Some(sym::DEFAULT);
    let own = !args.block(cx).is_none() && target.is_nil() && line.is_nil();
    let thread = match default {
        true if own => cx.thread,
        true => Value::NIL,
        false => thread,
    };
    Ok(Request { target, line, thread, path })
}

/// `enable(target: nil, target_line: nil, target_thread: :default, path: nil) { … }`; `path:` is Beni's own, see
/// [`path`].
fn enable(cx: &mut Cx, args: Args) -> R {
    let (me, block) = (args.me(), args.block(cx));
    let request = request(cx, args)?;
    let point = data(cx, me)?;
    let was = point.state != State::Off;
    if request.thread.truthy() && !point.thread.is_nil() {
        return Err(cx.argument_error("can not override target_thread filter"));
    }
    if !request.target.is_nil() {
        enable_at(cx, me, &request)?;
    } else if !request.line.is_nil() {
        return Err(cx.argument_error("only target_line is specified"));
    } else if point.state == State::Targeted {
        return Err(cx.argument_error("can't nest-enable a targeting TracePoint"));
    } else if !was {
        if !request.path.is_nil() {
            let filter = path::prepare(cx, request.path)?;
            data(cx, me)?.filter = filter;
            path::learn_all(cx, me)?;
        }
        enable_everywhere(cx, me, request.thread);
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

/// Whether the target is a method defined by a block, which has the events of a method too.
fn is_block_method(target: Value) -> bool {
    method_object::get(&target).is_some_and(|m| {
        let entry = method_entry::resolve_alias(m.entry);
        method_entry::kind(entry) == method_entry::Kind::Block
    })
}

fn enable_at(cx: &mut Cx, me: Value, request: &Request) -> R<()> {
    let Some(body) = sequence::code_of(cx, request.target) else {
        return Err(cx.argument_error("specified target is not supported"));
    };
    let point = data(cx, me)?;
    if point.state != State::Off {
        return Err(cx.argument_error("can't nest-enable a targeting TracePoint"));
    }
    if !request.path.is_nil() {
        return Err(cx.argument_error("path is for a TracePoint without a target"));
    }
    let mut line = 0;
    if !request.line.is_nil() {
        if point.events & Events::LINE as u32 == 0 {
            return Err(cx.argument_error("target_line is specified, but line event is not specified"));
        }
        line = convert::to_i64(cx, request.line)? as i32;
        if line <= 0 {
            return Err(cx.argument_error("can not enable any hooks"));
        }
    }
    let mut codes = Vec::new();
    patch::nested(body, &mut |v| codes.push(v));
    let method = is_block_method(request.target);
    let of = match method_object::get(&request.target) {
        Some(target) if method => target.entry,
        _ => Value::NIL,
    };
    let point = data(cx, me)?;
    point.set_on(codes);
    (point.state, point.line, point.thread, point.method) = (State::Targeted, line, request.thread, of);
    let mut count = 0;
    for v in &point.codes {
        count += patch::apply(point, code(v), method && *v == body);
    }
    if count == 0 {
        point.state = State::Off;
        point.set_on(Vec::new());
        return Err(cx.argument_error("can not enable any hooks"));
    }
    relist(cx, me, State::Targeted);
    if let Some(point) = native::get::<Point>(&me) {
        refresh_targets(cx, point);
    }
    Ok(())
}

/// Disables or enables machine code after the words of a targeted point were patched or restored. If the code is
/// inlined in other units, these are concerned as well.
fn refresh_targets(cx: &Cx, point: &Point) {
    if point.codes.iter().any(|own| code(own).tier.is_inlined()) {
        return cx.vm().refresh_compiled();
    }
    for own in &point.codes {
        code(own).tier.refresh(code(own).is_traced(), cx.vm().all_redefinitions());
    }
}

/// `disable → object`: disables the trace point and returns whether it was enabled. With a block, disables it only
/// while the block runs, and returns the block's result. ArgumentError for a targeted one with a block.
fn disable(cx: &mut Cx, args: Args) -> R {
    let (me, block) = (args.me(), args.block(cx));
    let point = data(cx, me)?;
    let (was, thread, filter) = (point.state, point.thread, point.filter);
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
        data(cx, me)?.filter = filter;
        path::learn_all(cx, me)?;
        enable_everywhere(cx, me, thread);
    }
    result
}

/// `enabled? → true or false`: whether events call the block.
fn is_enabled(cx: &mut Cx, args: Args) -> R {
    Ok(Value::bool(data(cx, args.me())?.state != State::Off))
}

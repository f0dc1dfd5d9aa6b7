//! Listeners in C: hooks for events of the program, and trace points for internal events (those of the collector and of
//! single objects).

use std::ffi::c_void;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use abi::{BlockHandler, Header, Type, Value};
use heap::Event;
use object::{
    Known,
    array::Arr,
    cell,
    native::{self, NativeData},
    symbol::table::intern_text,
};
use runtime::{
    Cx, R, backtrace, call,
    call::block::{self, NativeBlock},
    error::ErrorClass,
    make,
    unwind::Unwinding,
};

use crate::{
    border::{Place, call_words, perform},
    debug, gc, symbol,
};

const MADE: u32 = 0x10_0000;
const FREED: u32 = 0x20_0000;
const START: u32 = 0x40_0000;
const END_MARK: u32 = 0x80_0000;
const END_SWEEP: u32 = 0x100_0000;
const ENTER: u32 = 0x200_0000;
const EXIT: u32 = 0x400_0000;
/// The internal events.
pub const INTERNAL: u32 = MADE | FREED | START | END_MARK | END_SWEEP | ENTER | EXIT;

static COLLECTING: AtomicBool = AtomicBool::new(false);

/// Whether the collector is working.
pub fn is_collecting() -> bool {
    COLLECTING.load(Ordering::Relaxed)
}

/// A trace point for internal events.
#[derive(heap::Trace)]
pub struct Point {
    #[trace(skip)]
    events: u32,
    #[trace(skip)]
    function: *const c_void,
    #[trace(skip)]
    data: u64,
    #[trace(skip)]
    style: Style,
    is_enabled: bool,
    /// The event for which its function is being called, or 0, and the object's word. The object may not be initialized
    /// yet, or be dead.
    now: u32,
    object: u64,
}

impl NativeData for Point {
    object::one_vtable!(Point);
}

/// What a listener's function is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The trace point and the data.
    Point,
    /// The event, the data, and the object, the identifier and the class of a method, which internal events lack.
    Hook,
    /// The data and the trace point.
    RawHook,
}

/// The events that any enabled point wants.
static WANTED: AtomicU32 = AtomicU32::new(0);
/// A function is being called for an event. Events that the function causes itself are not reported.
static NOTIFYING: AtomicBool = AtomicBool::new(false);

pub fn point(cx: &mut Cx, events: u32, function: *const c_void, data: u64, style: Style) -> R {
    let class = cx.class(Known::Internal);
    let made = Point { events, function, data, style, is_enabled: false, now: 0, object: 0 };
    let v = native::new(cx, class, Box::new(made));
    // C has its address, and events refer to it, so it must stay alive.
    gc::rb_gc_register_mark_object(cx, v)?;
    known().push(v.0);
    let list = points(cx);
    make::push(cx, list, v);
    Ok(v)
}

/// A hidden Array that lives as long as the process.
fn hidden_list(cx: &mut Cx, number: usize) -> Value {
    const NUMBER: usize = 2;
    let object = cx.class(Known::Object);
    let name = intern_text(cx, "__native_listeners");
    let mut lists = object::shape::ivars::get(cx, object, name);
    if !lists.is_heap() {
        lists = make::array(cx, &[]);
        for _ in 0..NUMBER {
            let list = make::array(cx, &[]);
            make::push(cx, lists, list);
        }
        object::shape::ivars::set_hidden(cx, object, name, lists);
    }
    Arr::of(lists).get(number).unwrap_or(Value::NIL)
}

fn points(cx: &mut Cx) -> Value {
    hidden_list(cx, 0)
}

/// The addresses of all trace points for internal events. They live as long as the process.
fn known() -> MutexGuard<'static, Vec<u64>> {
    static KNOWN: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a value that may refer to a dead object is a trace point for internal events.
pub fn is_known(v: Value) -> bool {
    known().contains(&v.0)
}

pub fn is_point(v: Value) -> bool {
    native::get::<Point>(&v).is_some()
}

pub fn is_enabled(v: Value) -> bool {
    native::get::<Point>(&v).is_some_and(|point| point.is_enabled)
}

pub fn enable(cx: &mut Cx, v: Value, enabled: bool) {
    if let Some(point) = native::get_mut::<Point>(cx, v) {
        point.is_enabled = enabled;
    }
    let list = points(cx);
    let wanted = Arr::of(list)
        .iter()
        .filter_map(|v| native::get::<Point>(&v).filter(|point| point.is_enabled).map(|point| point.events));
    let wanted = wanted.fold(0, |all, events| all | events);
    WANTED.store(wanted, Ordering::Relaxed);
    let extensions = &mut cx.vm_mut().extensions;
    extensions.made = (wanted & MADE != 0).then_some(made as fn(&mut Cx, Value));
    extensions.freed = (wanted & FREED != 0).then_some(freed as fn(Value));
    cx.listen_to_collector();
}

/// Calls the functions of all points that listen to an event. The collector does not run meanwhile, so the functions
/// may ask for paths and names, which are new Strings.
fn notify(cx: &mut Cx, event: u32, object: Value) {
    if WANTED.load(Ordering::Relaxed) & event == 0 || NOTIFYING.swap(true, Ordering::Relaxed) {
        return;
    }
    let was_disabled = cx.vm().heap.set_disabled(true);
    let list = points(cx);
    for v in Arr::of(list).iter() {
        let Some(point) = native::get_mut::<Point>(cx, v) else { continue };
        if !point.is_enabled || point.events & event == 0 || debug::is_disabled(v) {
            continue;
        }
        (point.now, point.object) = (event, object.0);
        let (function, data) = (point.function, point.data);
        let words = match point.style {
            Style::Point => [v.0, data, 0, 0, 0],
            Style::RawHook => [data, v.0, 0, 0, 0],
            Style::Hook => [event.into(), data, 0, 0, 0],
        };
        if call_words(cx, function, &words, Place::NONE, None).is_err() {
            // A function for internal events must not raise. CRuby ends the process in this case; here the exception is
            // dropped.
            cx.unwinding = Unwinding::none();
        }
        if let Some(point) = native::get_mut::<Point>(cx, v) {
            (point.now, point.object) = (0, 0);
        }
    }
    cx.vm().heap.set_disabled(was_disabled);
    NOTIFYING.store(false, Ordering::Relaxed);
}

/// The new object has no class yet.
fn made(cx: &mut Cx, object: Value) {
    cell::set_header(object, Header::new(Type::None, Known::Internal.root_shape(), 0));
    notify(cx, MADE, object);
}

fn freed(object: Value) {
    with_own_context(|cx| notify(cx, FREED, object));
}

fn with_own_context(f: impl FnOnce(&mut Cx)) {
    // SAFETY: the context of this thread, which collects: it waits in this call, and only the heap is borrowed.
    if let Some(cx) = unsafe { Cx::of_this_thread().cast_mut().as_mut() } {
        f(cx);
    }
}

/// An event of a collection.
pub fn collector(event: Event) {
    let event = match event {
        Event::Start => START,
        Event::EndMark => END_MARK,
        Event::EndSweep => END_SWEEP,
        Event::Enter => ENTER,
        Event::Exit => EXIT,
    };
    if event == ENTER {
        COLLECTING.store(true, Ordering::Relaxed);
    }
    if WANTED.load(Ordering::Relaxed) & event != 0 {
        with_own_context(|cx| notify(cx, event, Value::NIL));
    }
    if event == EXIT {
        if crate::unmarked::is_active() {
            with_own_context(crate::unmarked::report);
        }
        COLLECTING.store(false, Ordering::Relaxed);
    }
}

/// The internal event for which the function of this point is being called.
pub fn event_of(v: Value) -> u32 {
    native::get::<Point>(&v).map_or(0, |point| point.now)
}

pub fn object_of(cx: &mut Cx, v: Value) -> R {
    match native::get::<Point>(&v) {
        Some(point) if point.now & (MADE | FREED) != 0 => Ok(Value(point.object)),
        _ => Err(cx.raise(ErrorClass::RuntimeError, "not supported by this event")),
    }
}

/// An attribute of an internal event, which is that of the running frame.
pub fn attribute(cx: &mut Cx, name: &str) -> R {
    let position = backtrace::caller_position(cx);
    let frame = cx.frames().find(|frame| frame.scope.entry.is_heap());
    let entry = frame.map_or(Value::NIL, |frame| frame.scope.entry);
    Ok(match name {
        "path" => position.map_or(Value::NIL, |(path, _)| make::text(cx, &path)),
        "lineno" => Value::fixnum(position.map_or(0, |(_, line)| line).into()),
        "method_id" if entry.is_heap() => object::method_entry::original_name(entry).value(),
        "callee_id" if entry.is_heap() => object::method_entry::name(entry).value(),
        "defined_class" if entry.is_heap() => object::method_entry::owner(entry),
        _ => Value::NIL,
    })
}

/// A hook: a function that is called for events of the program.
struct Hook {
    function: *const c_void,
    data: Value,
    /// Its trace point, nil after the hook was removed, and the thread it is limited to, or nil.
    point: Value,
    thread: Value,
}

impl heap::Trace for Hook {
    fn trace(&mut self, marker: &mut heap::Marker) {
        crate::block::trace_word(self.data, marker);
        marker.value(self.point);
        marker.value(self.thread);
    }
}

impl NativeData for Hook {
    object::one_vtable!(Hook);
}

/// The block of a hook's trace point.
struct HookBlock {
    function: *const c_void,
    data: Value,
    style: Style,
}

impl heap::Trace for HookBlock {
    fn trace(&mut self, marker: &mut heap::Marker) {
        crate::block::trace_word(self.data, marker);
    }
}

impl NativeData for HookBlock {
    object::one_vtable!(HookBlock);
}

impl NativeBlock for HookBlock {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        let point = arguments.first().copied().unwrap_or(Value::NIL);
        if self.style == Style::RawHook {
            call_words(cx, self.function, &[self.data.0, point.0], Place::NONE, None)?;
            return Ok(Value::NIL);
        }
        let event = debug::rb_tracearg_event_flag(cx, point.0 as *mut c_void)?;
        let [me, name, class] = {
            let me = perform(cx, point, "self", &[])?;
            let name = perform(cx, point, "method_id", &[])?;
            [me, name, perform(cx, point, "defined_class", &[])?]
        };
        let id = if name.is_nil() { 0 } else { symbol::rb_sym2id(cx, name)? };
        let class = if class.is_nil() { Value::FALSE } else { class };
        let words = [u64::from(event), self.data.0, me.0, id, class.0];
        call_words(cx, self.function, &words, Place::NONE, None)?;
        Ok(Value::NIL)
    }
}

pub fn rb_add_event_hook(cx: &mut Cx, function: *const c_void, events: u32, data: Value) -> R<()> {
    rb_thread_add_event_hook(cx, Value::NIL, function, events, data)
}

pub fn rb_thread_add_event_hook(
    cx: &mut Cx,
    thread: Value,
    function: *const c_void,
    events: u32,
    data: Value,
) -> R<()> {
    rb_thread_add_event_hook2(cx, thread, function, events, data, 0)
}

/// RUBY_EVENT_HOOK_FLAG_RAW_ARG
const RAW: i32 = 4;

pub fn rb_add_event_hook2(cx: &mut Cx, function: *const c_void, events: u32, data: Value, flags: i32) -> R<()> {
    rb_thread_add_event_hook2(cx, Value::NIL, function, events, data, flags)
}

pub fn rb_thread_add_event_hook2(
    cx: &mut Cx,
    thread: Value,
    function: *const c_void,
    events: u32,
    data: Value,
    flags: i32,
) -> R<()> {
    let style = if flags & RAW != 0 { Style::RawHook } else { Style::Hook };
    let (internal, events) = (events & INTERNAL, events & !INTERNAL);
    if internal != 0 {
        let point = point(cx, internal, function, data.0, style)?;
        add_hook(cx, Hook { function, data, point, thread });
        enable(cx, point, true);
        if events == 0 {
            return Ok(());
        }
    }
    let names = debug::event_names(cx, events)?;
    let block = block::native_proc(cx, Box::new(HookBlock { function, data, style }), false);
    let class = crate::border::constant(cx, "TracePoint")?;
    let point = debug::new_point(cx, class, names, block)?;
    add_hook(cx, Hook { function, data, point, thread });
    if thread.is_nil() {
        return perform(cx, point, "enable", &[]).map(drop);
    }
    let keywords = object::hash::HashRef::new(cx).value();
    let name = intern_text(cx, "target_thread").value();
    runtime::keys::store(cx, keywords, name, thread)?;
    let name = intern_text(cx, "enable");
    call::send_full(cx, point, name, &[], Some(keywords), BlockHandler::NONE, call::Scope::Function).map(drop)
}

fn add_hook(cx: &mut Cx, hook: Hook) {
    let internal = cx.class(Known::Internal);
    let hook = native::new(cx, internal, Box::new(hook));
    let list = hidden_list(cx, 1);
    make::push(cx, list, hook);
}

/// Removes the hooks that `wanted` accepts; returns their number.
fn remove(cx: &mut Cx, wanted: impl Fn(&Hook) -> bool) -> R<i32> {
    let list = hidden_list(cx, 1);
    let mut removed = 0;
    for v in Arr::of(list).iter() {
        let point = match native::get_mut::<Hook>(cx, v) {
            Some(hook) if !hook.point.is_nil() && wanted(hook) => std::mem::replace(&mut hook.point, Value::NIL),
            _ => continue,
        };
        debug::beni_tracepoint_disable(cx, point)?;
        removed += 1;
    }
    let left: Vec<usize> = (0..Arr::of(list).len())
        .filter(|at| {
            let hook = Arr::of(list).get(*at).unwrap_or(Value::NIL);
            native::get::<Hook>(&hook).is_some_and(|hook| hook.point.is_nil())
        })
        .collect();
    for at in left.into_iter().rev() {
        perform(cx, list, "delete_at", &[Value::fixnum(at as i64)])?;
    }
    Ok(removed)
}

pub fn rb_remove_event_hook(cx: &mut Cx, function: *const c_void) -> R<i32> {
    remove(cx, |hook| hook.function == function && hook.thread.is_nil())
}

pub fn rb_remove_event_hook_with_data(cx: &mut Cx, function: *const c_void, data: Value) -> R<i32> {
    remove(cx, |hook| hook.function == function && hook.thread.is_nil() && hook.data == data)
}

pub fn rb_thread_remove_event_hook(cx: &mut Cx, thread: Value, function: *const c_void) -> R<i32> {
    remove(cx, |hook| hook.function == function && hook.thread == thread)
}

pub fn rb_thread_remove_event_hook_with_data(
    cx: &mut Cx,
    thread: Value,
    function: *const c_void,
    data: Value,
) -> R<i32> {
    remove(cx, |hook| hook.function == function && hook.thread == thread && hook.data == data)
}

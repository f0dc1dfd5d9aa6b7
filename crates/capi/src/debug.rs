//! Trace points.

use std::ffi::c_void;
use std::sync::{Mutex, MutexGuard, PoisonError};

use abi::{BlockHandler, Value};
use object::{array::Arr, symbol::table::intern_text};
use runtime::{
    Cx, R, args, call,
    call::block::{self, NativeBlock},
    make,
};

use crate::{
    border::{Place, call_words, perform},
    events, gc,
};

/// Events with their names in Ruby.
const EVENTS: &[(u32, &str)] = &[
    (0x0001, "line"),
    (0x0002, "class"),
    (0x0004, "end"),
    (0x0008, "call"),
    (0x0010, "return"),
    (0x0020, "c_call"),
    (0x0040, "c_return"),
    (0x0080, "raise"),
    (0x0100, "b_call"),
    (0x0200, "b_return"),
    (0x0400, "thread_begin"),
    (0x0800, "thread_end"),
    (0x1000, "fiber_switch"),
    (0x2000, "script_compiled"),
    (0x4000, "rescue"),
];

/// The block of a trace point: a C function that receives the trace point.
#[derive(heap::Trace)]
struct Listener {
    #[trace(skip)]
    function: *const c_void,
    #[trace(skip)]
    data: u64,
}

impl object::native::NativeData for Listener {
    object::one_vtable!(Listener);
}

impl NativeBlock for Listener {
    fn call(&self, cx: &mut Cx, arguments: &[Value]) -> R {
        let point = arguments.first().copied().unwrap_or(Value::NIL);
        if is_disabled(point) {
            return Ok(Value::NIL);
        }
        call_words(cx, self.function, &[point.0, self.data], Place::NONE, None)?;
        Ok(Value::NIL)
    }
}

/// The names of events, as an Array.
pub fn event_names(cx: &mut Cx, events: u32) -> R {
    let known: u32 = EVENTS.iter().map(|(bit, _)| bit).sum();
    if events & !known != 0 {
        return Err(cx.argument_error("unknown event"));
    }
    let names = make::array(cx, &[]);
    for (_, name) in EVENTS.iter().filter(|(bit, _)| events & bit != 0) {
        let name = intern_text(cx, name).value();
        make::push(cx, names, name);
    }
    Ok(names)
}

pub fn rb_tracepoint_new(cx: &mut Cx, _: Value, events: u32, function: *const c_void, data: *mut c_void) -> R {
    if events & events::INTERNAL != 0 {
        if events & !events::INTERNAL != 0 {
            return Err(cx.type_error("Can not specify normal event and internal event simultaneously."));
        }
        return events::point(cx, events, function, data as u64, events::Style::Point);
    }
    let names = event_names(cx, events)?;
    let block = block::native_proc(cx, Box::new(Listener { function, data: data as u64 }), false);
    let class = crate::border::constant(cx, "TracePoint")?;
    new_point(cx, class, names, block)
}

/// A trace point for the events with these names, which calls the block.
pub fn new_point(cx: &mut Cx, class: Value, names: Value, block: Value) -> R {
    args::spread(cx, Arr::of(names), |cx, names| {
        call::send_with_block(cx, class, runtime::sym::NEW, names, BlockHandler(block))
    })
}

pub fn rb_tracearg_from_tracepoint(_: &mut Cx, point: Value) -> *mut c_void {
    point.0 as *mut c_void
}

pub fn rb_tracepoint_enable(cx: &mut Cx, point: Value) -> R {
    if !events::is_point(point) {
        return perform(cx, point, "enable", &[]);
    }
    events::enable(cx, point, true);
    Ok(Value::UNDEF)
}

pub fn beni_tracepoint_disable(cx: &mut Cx, point: Value) -> R {
    let result = if events::is_point(point) {
        events::enable(cx, point, false);
        Ok(Value::UNDEF)
    } else {
        perform(cx, point, "disable", &[])
    };
    // Not earlier: the call of the method is an event itself.
    disabled().retain(|word| *word != point.0);
    result
}

/// The addresses of trace points that a `dfree` function has disabled during a collection. Each is enabled, and
/// therefore alive, until the next safepoint. Its function is not called any more: it would use what was freed.
fn disabled() -> MutexGuard<'static, Vec<u64>> {
    static DISABLED: Mutex<Vec<u64>> = Mutex::new(Vec::new());
    DISABLED.lock().unwrap_or_else(PoisonError::into_inner)
}

pub fn is_disabled(point: Value) -> bool {
    disabled().contains(&point.0)
}

unsafe extern "C" {
    fn rb_tracepoint_disable(point: Value) -> Value;
}

/// During a collection, has the trace point disabled at the next safepoint. Returns whether a collection is running.
pub fn beni_tracepoint_disable_later(point: Value) -> i32 {
    if !gc::is_collecting() {
        return 0;
    }
    // SAFETY: the context of this thread, which collects: it waits in this call.
    let Some(cx) = (unsafe { Cx::of_this_thread().as_ref() }) else { return 1 };
    let enabled = cx.vm().trace_points;
    let is_enabled = !enabled.is_nil() && Arr::of(enabled).iter().any(|v| v == point);
    if (is_enabled || events::is_known(point)) && !is_disabled(point) {
        disabled().push(point.0);
        gc::free_later(rb_tracepoint_disable as *const c_void, point.0 as *mut c_void);
    }
    1
}

pub fn rb_tracepoint_enabled_p(cx: &mut Cx, point: Value) -> R {
    if events::is_point(point) {
        return Ok(Value::bool(events::is_enabled(point)));
    }
    perform(cx, point, "enabled?", &[])
}

fn event_attribute(cx: &mut Cx, argument: *mut c_void, name: &str) -> R {
    if events::is_point(Value(argument as u64)) {
        return events::attribute(cx, name);
    }
    perform(cx, Value(argument as u64), name, &[])
}

pub fn rb_tracearg_event(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "event")
}

pub fn rb_tracearg_event_flag(cx: &mut Cx, argument: *mut c_void) -> R<u32> {
    if events::is_point(Value(argument as u64)) {
        return Ok(events::event_of(Value(argument as u64)));
    }
    let event = event_attribute(cx, argument, "event")?;
    let name = object::Sym::from_value(event).map_or(String::new(), |name| name.to_text(cx));
    Ok(EVENTS.iter().find(|(_, known)| *known == name).map_or(0, |(bit, _)| *bit))
}

pub fn rb_tracearg_lineno(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "lineno")
}

pub fn rb_tracearg_path(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "path")
}

pub fn rb_tracearg_method_id(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "method_id")
}

pub fn rb_tracearg_callee_id(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "callee_id")
}

pub fn rb_tracearg_defined_class(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "defined_class")
}

pub fn rb_tracearg_binding(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "binding")
}

pub fn rb_tracearg_self(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "self")
}

pub fn rb_tracearg_return_value(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "return_value")
}

pub fn rb_tracearg_raised_exception(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "raised_exception")
}

pub fn rb_tracearg_parameters(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "parameters")
}

pub fn rb_tracearg_eval_script(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "eval_script")
}

pub fn rb_tracearg_instruction_sequence(cx: &mut Cx, argument: *mut c_void) -> R {
    event_attribute(cx, argument, "instruction_sequence")
}

/// The object that was allocated or is about to be freed.
pub fn rb_tracearg_object(cx: &mut Cx, argument: *mut c_void) -> R {
    events::object_of(cx, Value(argument as u64))
}

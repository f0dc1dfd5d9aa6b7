//! `set_trace_func`, Thread#set_trace_func and add_trace_func: the older interface, on trace points.

use abi::{Type, Value};
use heap::Trace;
use object::{Known, array::Arr, cell, method_entry, native::NativeData, shape::ivars, symbol::table::intern_text};
use runtime::{
    Args, Cx, Method, R, binding,
    call::block::{self, NativeBlock},
    define, make,
    trace::{C_CALL, C_RETURN},
};

use crate::{accessors, point};

const KERNEL: &[Method] = &[Method::new("set_trace_func(handler)", set_everywhere).module_function()];
const THREAD: &[Method] =
    &[Method::new("set_trace_func(handler)", set_in_thread), Method::new("add_trace_func(handler)", add_in_thread)];

pub fn define(cx: &mut Cx) {
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, KERNEL);
    let thread = cx.class(Known::Thread);
    define::define_methods(cx, thread, THREAD);
}

/// The block of the trace point that implements a trace function.
#[derive(Trace)]
struct TraceFunction {
    handler: Value,
}

impl NativeData for TraceFunction {
    object::one_vtable!(TraceFunction);
}

impl NativeBlock for TraceFunction {
    /// Calls the handler with event, file, line, method, binding and class.
    fn call(&self, cx: &mut Cx, _: &[Value]) -> R {
        let Some(now) = cx.happening() else { return Ok(Value::NIL) };
        let handler = self.handler;
        let name = match now.event {
            C_CALL => "c-call",
            C_RETURN => "c-return",
            event => point::name_of(event),
        };
        let name = make::text(cx, name);
        let is_nowhere = now.code.is_nil() && now.file.is_none();
        let path = if is_nowhere { Value::NIL } else { make::text(cx, &accessors::path_text(&now)) };
        let entry = accessors::entry_of(cx, &now);
        let (id, class) = if entry.is_nil() {
            (Value::NIL, Value::NIL)
        } else {
            // The object itself for its singleton methods.
            let owner = method_entry::owner(entry);
            let is_singleton = object::class::flags(owner).singleton;
            let of = if is_singleton { object::class::data::attached(owner) } else { owner };
            (method_entry::original_name(entry).value(), of)
        };
        let line = now.line();
        let binding = match now.frame {
            Some(frame) if now.event & (C_CALL | C_RETURN) == 0 && now.file.is_none() => {
                binding::of_frame(cx, frame, line).unwrap_or(Value::NIL)
            }
            _ => Value::NIL,
        };
        block::call_proc(cx, handler, &[name, path, Value::fixnum(line as i64), id, binding, class])
    }
}

/// An enabled trace point that calls `handler`, limited to `thread` unless that is nil.
fn listen(cx: &mut Cx, handler: Value, thread: Value) -> R {
    if !cell::is(handler, Type::Proc) {
        return Err(cx.type_error("trace_func needs to be Proc"));
    }
    let block = block::native_proc(cx, Box::new(TraceFunction { handler }), false);
    let made = point::make(cx, point::TRACE_FUNCTION_EVENTS, block);
    let known = cx.vm().trace_events & C_RETURN != 0;
    point::enable_everywhere(cx, made, thread);
    if !known {
        // Enabling happens within a call whose start was not traced.
        cx.event(C_RETURN, handler, Value::NIL)?;
    }
    Ok(made)
}

/// `set_trace_func(handler) → handler`: calls a Proc for each event of all threads with its name, position, method,
/// binding and class; nil removes it. TypeError for anything else.
fn set_everywhere(cx: &mut Cx, args: Args) -> R {
    let former = cx.root(runtime::Root::TraceFunction);
    if !former.is_nil() {
        point::turn_off(cx, former);
        cx.set_root(runtime::Root::TraceFunction, Value::NIL);
    }
    if !args.at(0).is_nil() {
        let made = listen(cx, args.at(0), Value::NIL)?;
        cx.set_root(runtime::Root::TraceFunction, made);
    }
    Ok(args.at(0))
}

/// `thread.set_trace_func(proc or nil)`: calls a Proc for each event of the thread, replacing those that were set; nil
/// removes them.
fn set_in_thread(cx: &mut Cx, args: Args) -> R {
    let thread = args.me();
    let name = intern_text(cx, "__trace_functions");
    let list = ivars::get(cx, thread, name);
    if cell::is(list, Type::Array) {
        while let Some(point) = Arr::of(list).pop(cx) {
            point::turn_off(cx, point);
        }
    }
    if args.at(0).is_nil() { Ok(Value::NIL) } else { add_in_thread(cx, args) }
}

/// `thread.add_trace_func(proc)`: calls a Proc for each event of the thread, in addition to those that were set.
fn add_in_thread(cx: &mut Cx, args: Args) -> R {
    let thread = args.me();
    let made = listen(cx, args.at(0), thread)?;
    let name = intern_text(cx, "__trace_functions");
    let mut list = ivars::get(cx, thread, name);
    if !cell::is(list, Type::Array) {
        list = make::array(cx, &[]);
        ivars::set_hidden(cx, thread, name, list);
    }
    make::push(cx, list, made);
    Ok(args.at(0))
}

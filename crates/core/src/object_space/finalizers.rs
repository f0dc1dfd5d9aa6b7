//! Finalizers: procs called after an object was collected, or at exit.

use abi::{Flags, Type};
use object::{array::Arr, attachment, cell};
use runtime::{Args, Cx, R, Value, call, cx::Interrupts, error, error::ErrorClass, make};

/// `define_finalizer(object, callable = nil) { |id| } → [0, callable]`: calls the Proc or the block with the object's
/// id after the object was collected. ArgumentError for an object that cannot have finalizers, and for a callable
/// without `call`, FrozenError.
pub fn define_finalizer(cx: &mut Cx, args: Args) -> R {
    let object = args.at(0);
    let mut callable = match args.opt(1) {
        Some(v) => v,
        None => args.block_proc(cx)?,
    };
    if !call::responds(cx, callable, runtime::sym::CALL, true)? {
        let class = runtime::error::class_name_of(cx, callable);
        return Err(cx.argument_error(&format!("wrong type argument {class} (should be callable)")));
    }
    if !object.is_heap() || is_symbol(object) {
        let class = runtime::error::class_name_of(cx, object);
        return Err(cx.argument_error(&format!("cannot define finalizer for {class}")));
    }
    cx.check_frozen(object)?;
    if refers_to(callable, object) {
        runtime::warning::warn_here(cx, "finalizer references object to be finalized")?;
    }
    let there = attachment::finalizers(cx, object);
    if there.is_nil() {
        let list = make::array(cx, &[callable]);
        attachment::set_finalizers(cx, object, list);
        if cx.register_finalizable(object).is_err() {
            return Err(cx.no_memory());
        }
    } else if let Some(same) = held(cx, there, callable)? {
        callable = same;
    } else {
        make::push(cx, there, callable);
    }
    let pair = make::array(cx, &[Value::fixnum(0), callable]);
    cell::set_header(pair, cell::header(pair).with(Flags::FROZEN));
    Ok(pair)
}

/// Whether the finalizer's self is the object, so that it cannot run before the program ends.
fn refers_to(callable: Value, object: Value) -> bool {
    if let Some(method) = object::native::get::<runtime::method_object::MethodData>(&callable) {
        return method.receiver == object;
    }
    if !cell::is(callable, Type::Proc) {
        return false;
    }
    let around = object::proc::environment(callable);
    !around.is_nil() && runtime::reflect::environment_slot(around, 0) == object
}

fn is_symbol(v: Value) -> bool {
    matches!(cell::header(v).ty(), Type::Symbol)
}

/// An equal finalizer that is already registered: each one is stored once.
fn held(cx: &mut Cx, list: Value, callable: Value) -> R<Option<Value>> {
    let mut i = 0;
    while let Some(there) = Arr::of(list).get(i) {
        if call::equal(cx, there, callable)? {
            return Ok(Some(there));
        }
        i += 1;
    }
    Ok(None)
}

/// `ObjectSpace.undefine_finalizer(object) → object`: removes all finalizers of the object.
pub fn undefine_finalizer(cx: &mut Cx, args: Args) -> R {
    let object = args.at(0);
    cx.check_frozen(object)?;
    if object.is_heap() && !attachment::finalizers(cx, object).is_nil() {
        attachment::set_finalizers(cx, object, Value::NIL);
        cx.unregister_finalizable(object);
    }
    Ok(object)
}

/// Runs the finalizers of objects that died. The exception of a signal that arrives meanwhile stops this; the remaining
/// ones run at a later safepoint.
pub fn run_finalizers(cx: &mut Cx) -> R<()> {
    while let Some(object) = cx.take_finalizable() {
        if let Err(unwind) = run_for(cx, object) {
            if cx.has_finalizable() {
                cx.interrupt(Interrupts::FINALIZERS);
            }
            return Err(unwind);
        }
    }
    Ok(())
}

/// Runs every finalizer, at the end of the program.
pub fn run_every_finalizer(cx: &mut Cx) -> R<()> {
    while let Some(object) = cx.take_every_finalizable() {
        run_for(cx, object)?;
    }
    Ok(())
}

/// Runs the finalizers of one object. An exception ends only the finalizer that raised it, with a warning. The
/// exception of a signal is meant for the program: it is raised again after the object's last finalizer.
fn run_for(cx: &mut Cx, object: Value) -> R<()> {
    let list = attachment::finalizers(cx, object);
    if list.is_nil() {
        return Ok(());
    }
    attachment::set_finalizers(cx, object, Value::NIL);
    let id = crate::object::identity::id_of(cx, object);
    let error_info = cx.error_info;
    let mut of_signal = None;
    let mut i = 0;
    while let Some(callable) = Arr::of(list).get(i) {
        if let Err(unwind) = call::send(cx, callable, runtime::sym::CALL, &[id]) {
            let exception = cx.take_exception(unwind)?;
            if error::is_error(cx, exception, ErrorClass::SignalException) {
                of_signal = Some(exception);
            } else if let Err(unwind) = report(cx, callable, exception) {
                // The warning calls methods of the program, which may raise too.
                cx.take_exception(unwind)?;
            }
        }
        i += 1;
    }
    cx.error_info = error_info;
    match of_signal {
        Some(exception) => Err(cx.raise_object(exception)),
        None => Ok(()),
    }
}

fn report(cx: &mut Cx, callable: Value, exception: Value) -> R<()> {
    let shown = call::inspect_text(cx, callable)?;
    let full_message = object::symbol::table::intern_text(cx, "full_message");
    let message = call::send(cx, exception, full_message, &[])?;
    let message = runtime::convert::to_s(cx, message)?;
    let message = message.to_text();
    runtime::warning::warn_here(cx, &format!("Exception in finalizer {shown}\n{}", message.trim_end_matches('\n')))
}

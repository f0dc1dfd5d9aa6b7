//! Allocation sites: `trace_object_allocations` and the recorded data.

use object::{class, method_entry};
use runtime::{Args, Cx, R, Value, call, code::code, collector::sites::Origin, convert, keys, make};

/// `ObjectSpace.trace_object_allocations(sample: 1) { } → object`: records allocation sites while the block runs, for
/// one in `sample` objects (an option of Beni).
pub fn trace(cx: &mut Cx, args: Args) -> R {
    let block = args.block(cx);
    if block.is_none() {
        return Err(cx.raise(runtime::error::ErrorClass::LocalJumpError, "no block given"));
    }
    start(cx, args)?;
    let result = call::yield_one(cx, block, Value::NIL);
    stop_here(cx);
    result
}

/// `trace_object_allocations_start(sample: 1)`, `trace_object_allocations_debug_start → nil`: starts recording
/// allocation sites, for one in `sample` objects. ArgumentError unless that is positive.
pub fn start(cx: &mut Cx, args: Args) -> R {
    let sample = keys::get_symbol_text(cx, args.keywords(), "sample");
    let sample = if sample.is_undef() { 1 } else { convert::to_i64(cx, sample)? };
    let Ok(sample @ 1..) = u32::try_from(sample) else {
        return Err(cx.argument_error("sample must be positive"));
    };
    cx.vm_mut().collector.sites.start(sample);
    cx.listen_to_collector();
    Ok(Value::NIL)
}

fn stop_here(cx: &mut Cx) {
    cx.vm_mut().collector.sites.stop();
    cx.listen_to_collector();
}

/// `trace_object_allocations_stop → nil`: stops recording allocation sites; existing records stay.
pub fn stop(cx: &mut Cx, _: Args) -> R {
    stop_here(cx);
    Ok(Value::NIL)
}

/// `trace_object_allocations_clear → nil`: discards all recorded allocation sites.
pub fn clear(cx: &mut Cx, _: Args) -> R {
    cx.clear_origins();
    Ok(Value::NIL)
}

/// The file and the line of an allocation site.
pub fn place(origin: &Origin) -> Option<(String, i32)> {
    let site = origin.site;
    if site.code.is_nil() {
        return None;
    }
    let code = code(&site.code);
    Some((code.source.path.clone(), code.line(site.word as usize)))
}

/// The name of the method that allocated, or nil.
pub fn method_name(origin: &Origin) -> Value {
    let entry = origin.site.entry;
    if entry.is_nil() { Value::NIL } else { method_entry::name(entry).value() }
}

fn of<T>(cx: &mut Cx, args: Args, f: impl FnOnce(&mut Cx, Origin) -> Option<T>) -> Option<T> {
    let object = super::wrapper::unwrapped(args.at(0));
    let origin = cx.origin(object)?;
    f(cx, origin)
}

/// `allocation_sourcefile(object) → string or nil`: the path of the code that allocated the object; nil if that was not
/// recorded.
pub fn sourcefile(cx: &mut Cx, args: Args) -> R {
    let path = of(cx, args, |_, origin| place(&origin));
    Ok(path.map_or(Value::NIL, |(path, _)| make::text(cx, &path)))
}

/// `allocation_sourceline(object) → integer or nil`: the line that allocated the object; nil if that was not recorded.
pub fn sourceline(cx: &mut Cx, args: Args) -> R {
    let line = of(cx, args, |_, origin| place(&origin));
    Ok(line.map_or(Value::NIL, |(_, line)| Value::fixnum(i64::from(line))))
}

/// `allocation_class_path(object) → string or nil`: the name of the class whose method allocated the object; nil
/// outside of methods, and for classes without a name.
pub fn class_path(cx: &mut Cx, args: Args) -> R {
    let owner = of(cx, args, |_, origin| {
        let entry = origin.site.entry;
        (!entry.is_nil()).then(|| method_entry::owner(entry))
    });
    let Some(owner) = owner else { return Ok(Value::NIL) };
    if !class::is_module(owner) || class::flags(owner).singleton {
        return Ok(Value::NIL);
    }
    Ok(class::name(owner))
}

/// `allocation_method_id(object) → symbol or nil`: the method that allocated the object; nil if that was not recorded.
pub fn method_id(cx: &mut Cx, args: Args) -> R {
    let name = of(cx, args, |_, origin| Some(method_name(&origin)));

    Ok(name.unwrap_or(Value::NIL))
}

/// `allocation_generation(object) → integer or nil`: the number of collections before the object was allocated; nil if
/// that was not recorded.
pub fn generation(cx: &mut Cx, args: Args) -> R {
    let generation = of(cx, args, |_, origin| Some(origin.generation));
    Ok(generation.map_or(Value::NIL, |n| Value::fixnum(n as i64)))
}

//! GC: control and statistics of the collector.

mod config;
mod profiler;
pub mod stat;
pub mod summary;

use heap::{Cause, Request};
use runtime::{Args, Cx, Known, Method, R, Value, convert, define, keys, make};

pub use stat::CountersHash;

const SINGLETON: &[Method] = &[
    Method::new("start(full_mark: true, immediate_mark: true, immediate_sweep: true)", start),
    Method::new("enable", enable),
    Method::new("disable", disable),
    Method::new("stress", stress),
    Method::new("stress=(level)", set_stress),
    Method::new("count", count),
    Method::new("stat(key_or_hash = nil)", stat::stat),
    Method::new("stat_heap(heap = nil, key_or_hash = nil)", stat::stat_heap),
    Method::new("latest_gc_info(key_or_hash = nil)", stat::latest_gc_info),
    Method::new("config(settings = nil)", config::config),
    Method::new("measure_total_time", config::measure_total_time),
    Method::new("measure_total_time=(on)", config::set_measure_total_time),
    Method::new("total_time", config::total_time),
    Method::new("compact", compact),
    Method::new("auto_compact", auto_compact),
    Method::new("auto_compact=(on)", set_auto_compact),
    Method::new("latest_compact_info", stat::latest_compact_info),
    Method::new("verify_internal_consistency", verify),
    Method::new("verify_compaction_references(toward: nil, double_heap: false, expand_heap: false)", compact),
    Method::new("longest_pauses", stat::pauses),
    Method::new("thread_stat(thread = nil, key_or_hash = nil)", stat::thread_stat),
];

const METHODS: &[Method] =
    &[Method::new("garbage_collect(full_mark: true, immediate_mark: true, immediate_sweep: true)", start)];

pub fn define(cx: &mut Cx) {
    let object = cx.class(Known::Object);
    let module = define::define_module(cx, object, "GC");
    define::define_methods(cx, module, METHODS);
    define::define_singleton_methods(cx, module, SINGLETON);
    config::define_constants(cx, module);
    profiler::define(cx, module);
    cx.set_root(runtime::Root::GcMeasureTotalTime, Value::TRUE);
    cx.set_root(runtime::Root::GcAutoCompact, Value::FALSE);
}

/// `GC.start`, `GC.garbage_collect(full_mark: true, immediate_mark: true, immediate_sweep: true) → nil`: collects at
/// once, without `full_mark` only young objects, and runs finalizers. With the other flags off, marking or sweeping may
/// end later. A complete collection returns free memory to the system. `ObjectSpace.garbage_collect` is the same.
pub fn start(cx: &mut Cx, args: Args) -> R {
    let known = ["full_mark", "immediate_mark", "immediate_sweep"];
    let known = known.map(|name| object::symbol::table::intern_text(cx, name));
    keys::only_keywords(cx, args.keywords(), &known)?;
    let mut flag = |name: &str| {
        let v = keys::get_symbol_text(cx, args.keywords(), name);
        v.is_undef() || v.truthy()
    };
    let request = Request {
        full: flag("full_mark"),
        immediate_mark: flag("immediate_mark"),
        immediate_sweep: flag("immediate_sweep"),
        cause: Cause::Method,
    };
    let is_complete = request.full && request.immediate_sweep;
    cx.collect(request);
    super::object_space::run_finalizers(cx)?;
    if is_complete {
        host::memory::return_free_memory();
    }
    Ok(Value::NIL)
}

/// `GC.enable → true or false`: lets allocations start collections again. Returns whether this was disabled.
fn enable(cx: &mut Cx, _: Args) -> R {
    Ok(Value::bool(cx.vm().heap.set_disabled(false)))
}

/// `GC.disable → true or false`: allocations start no collections from now on; `GC.start` still does. Returns whether
/// this was already disabled.
fn disable(cx: &mut Cx, _: Args) -> R {
    Ok(Value::bool(cx.vm().heap.set_disabled(true)))
}

/// `GC.stress → true, false or integer`: whether each allocation collects, or the flags that were set.
fn stress(cx: &mut Cx, _: Args) -> R {
    let (interval, flags) = cx.vm().heap.stress();
    Ok(match (interval, flags) {
        (0, _) => Value::FALSE,
        (_, 0) => Value::TRUE,
        (_, flags) => Value::fixnum(flags as i64),
    })
}

/// `GC.stress = level`: whether each allocation collects: true, false, or bits (1 without full collections, 2 without
/// immediate sweeps, 4 with a full one after large buffers).
fn set_stress(cx: &mut Cx, args: Args) -> R {
    let level = args.at(0);
    let (interval, flags) =
        if level.is_fixnum() { (1, convert::to_i32(cx, level)? as u32) } else { (level.truthy() as u32, 0) };
    cx.vm().heap.set_stress(interval, flags);
    Ok(level)
}

/// `GC.count → integer`: the number of minor and major collections so far.
fn count(cx: &mut Cx, _: Args) -> R {
    Ok(Value::fixnum(cx.vm().heap.collections() as i64))
}

/// `compact`, `verify_compaction_references(toward: nil, double_heap: false, expand_heap: false) → hash`: for
/// `GC.compact` and `GC.verify_compaction_references`; moves objects together and returns the result of
/// `latest_compact_info`.
fn compact(cx: &mut Cx, args: Args) -> R {
    cx.mem().compact();
    stat::latest_compact_info(cx, args)
}

/// `GC.auto_compact → true or false`: whether major collections compact as well.
fn auto_compact(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root(runtime::Root::GcAutoCompact))
}

/// `GC.auto_compact=(on) → on`: sets whether major collections compact as well.
fn set_auto_compact(cx: &mut Cx, args: Args) -> R {
    let on = args.at(0).truthy();
    cx.vm().heap.set_auto_compact(on);
    cx.set_root(runtime::Root::GcAutoCompact, Value::bool(on));
    Ok(args.at(0))
}

/// `GC.verify_internal_consistency → nil`: marks everything again and compares the results; aborts the process if the
/// collector has missed an object.
fn verify(cx: &mut Cx, _: Args) -> R {
    cx.vm().heap.set_verify(true);
    cx.collect(Request::minor(Cause::Method));
    cx.vm().heap.set_verify(false);
    Ok(Value::NIL)
}

/// An Array with two elements, for histograms.
fn pair(cx: &mut Cx, a: Value, b: Value) -> Value {
    make::array(cx, &[a, b])
}

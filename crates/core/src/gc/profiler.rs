//! GC::Profiler: the durations of collections, one record for each.

use heap::LatestCollection;
use object::{float, hash::HashRef, symbol::table::intern_text};
use runtime::collector::profiler::Record;
use runtime::{Args, Cx, Method, R, Value, call, convert, define, keys, make};

use super::stat;

const SINGLETON: &[Method] = &[
    Method::new("enabled?", is_enabled),
    Method::new("enable", enable),
    Method::new("disable", disable),
    Method::new("clear", clear),
    Method::new("raw_data(limit: nil, since: nil)", raw_data),
    Method::new("result", result),
    Method::new("report(out = $stdout)", report),
    Method::new("total_time", total_time),
    Method::new("configure(max_records: 4096)", configure),
];

pub fn define(cx: &mut Cx, gc: Value) {
    let module = define::define_module(cx, gc, "Profiler");
    define::define_singleton_methods(cx, module, SINGLETON);
}

/// `GC::Profiler.enabled? → true or false`: whether collections are recorded.
fn is_enabled(cx: &mut Cx, _: Args) -> R {
    Ok(Value::bool(cx.vm().collector.profiler.enabled))
}

/// `GC::Profiler.enable → nil`: records each collection from now on.
fn enable(cx: &mut Cx, _: Args) -> R {
    let heap = cx.vm().heap;
    cx.vm_mut().collector.profiler.enable(heap);
    Ok(Value::NIL)
}

/// `GC::Profiler.disable → nil`: stops recording; existing records remain.
fn disable(cx: &mut Cx, _: Args) -> R {
    cx.vm_mut().collector.profiler.enabled = false;
    Ok(Value::NIL)
}

/// `GC::Profiler.clear → nil`: removes the records.
fn clear(cx: &mut Cx, _: Args) -> R {
    cx.vm_mut().collector.profiler.records.clear();
    Ok(Value::NIL)
}

/// A keyword argument that is nil or a nonnegative number.
fn bound(cx: &mut Cx, args: Args, name: &str) -> R<Option<u64>> {
    let v = keys::get_symbol_text(cx, args.keywords(), name);
    if v.is_undef() || v.is_nil() {
        return Ok(None);
    }
    let n = convert::to_i64(cx, v)?;
    u64::try_from(n).map(Some).map_err(|_| cx.argument_error(&format!("{name} must be non-negative")))
}

/// `GC::Profiler.raw_data(limit: nil, since: nil) → array or nil`: the last `limit` records after collection number
/// `since`, each a Hash; nil while profiling is off.
fn raw_data(cx: &mut Cx, args: Args) -> R {
    let (limit, since) = (bound(cx, args, "limit")?, bound(cx, args, "since")?);
    if !cx.vm().collector.profiler.enabled {
        return Ok(Value::NIL);
    }
    let list = make::array(cx, &[]);
    let first = limit.map_or(0, |limit| records(cx).len().saturating_sub(limit as usize));
    let mut at = first;
    // Building the rows may collect, and add or drop records: the existing ones are identified by their number.
    let end = records(cx).back().map_or(0, |r| r.sequence);
    while at < records(cx).len() && records(cx)[at].sequence <= end {
        if since.is_none_or(|since| records(cx)[at].sequence > since) {
            let row = row(cx, at)?;
            make::push(cx, list, row);
        }
        at += 1;
    }
    Ok(list)
}

fn records(cx: &Cx) -> &std::collections::VecDeque<Record> {
    &cx.vm().collector.profiler.records
}

fn row(cx: &mut Cx, at: usize) -> R {
    let table = HashRef::new(cx).value();
    let r = &records(cx)[at];
    let seconds = |d: std::time::Duration| d.as_secs_f64();
    let wall = seconds(r.wall_time);
    let floats = [
        ("GC_TIME", r.time),
        ("GC_INVOKE_TIME", r.invoke_time),
        ("GC_WALL_TIME", wall),
        ("GC_INVOKE_WALL_TIME", seconds(r.invoke_wall_time)),
        ("GC_PAUSE_TIME", wall),
        // The collecting thread holds the global lock: it waits for no other thread.
        ("GC_STOP_TIME", 0.0),
        ("GC_STW_TIME", wall),
        ("GC_MARK_WALL_TIME", seconds(r.mark_time)),
        ("GC_SWEEP_WALL_TIME", seconds(r.sweep_time)),
        ("GC_COMPACT_WALL_TIME", seconds(r.compact_time)),
    ];
    let integers = [
        ("HEAP_USE_SIZE", r.use_size as i64),
        ("HEAP_TOTAL_SIZE", r.total_size as i64),
        ("HEAP_TOTAL_OBJECTS", r.total_objects as i64),
        ("MOVED_OBJECTS", r.moved as i64),
        ("GC_SEQUENCE", r.sequence as i64),
    ];
    let info: LatestCollection = r.flags;
    let flags = flags(cx, &info)?;
    set(cx, table, "GC_FLAGS", flags)?;
    for (name, f) in &floats[..2] {
        let f = float::new(cx, *f);
        set(cx, table, name, f)?;
    }
    for (name, n) in &integers[..4] {
        set(cx, table, name, Value::fixnum(*n))?;
    }
    set(cx, table, "GC_IS_MARKED", Value::TRUE)?;
    set(cx, table, integers[4].0, Value::fixnum(integers[4].1))?;
    for (name, f) in &floats[2..] {
        let f = float::new(cx, *f);
        set(cx, table, name, f)?;
    }
    Ok(table)
}

fn set(cx: &mut Cx, table: Value, name: &str, v: Value) -> R<()> {
    let key = intern_text(cx, name);
    keys::store(cx, table, key.value(), v)
}

/// The part of GC.latest_gc_info that a record contains.
fn flags(cx: &mut Cx, info: &LatestCollection) -> R {
    let table = HashRef::new(cx).value();
    for (name, v) in stat::collection_rows(cx, info) {
        if !matches!(name, "need_major_by" | "state") {
            set(cx, table, name, v)?;
        }
    }
    Ok(table)
}

/// The table of `result` and `report`, as text.
fn text(cx: &Cx) -> String {
    let list = records(cx);
    if list.is_empty() {
        return String::new();
    }
    let mut text = format!("GC {} invokes.\n", cx.vm().heap.collections());
    text.push_str(
        "Index    Invoke Time(sec)       Use Size(byte)     Total Size(byte)         \
        Total Object                    GC Time(ms)\n",
    );
    for (i, r) in list.iter().enumerate() {
        text.push_str(&format!(
            "{:5} {:19.3} {:20} {:20} {:20} {:30.20}\n",
            i + 1,
            r.invoke_time,
            r.use_size,
            r.total_size,
            r.total_objects,
            r.time * 1000.0
        ));
    }
    text
}

/// `GC::Profiler.result → string`: the records as a table, empty without records.
fn result(cx: &mut Cx, _: Args) -> R {
    let text = text(cx);
    Ok(make::text(cx, &text))
}

/// `GC::Profiler.report(out = $stdout) → nil`: writes `result` to a stream; nothing if there are no records.
fn report(cx: &mut Cx, args: Args) -> R {
    let text = text(cx);
    if text.is_empty() {
        return Ok(Value::NIL);
    }
    let stdout = intern_text(cx, "$stdout");
    let out = match args.opt(0) {
        Some(out) => out,
        None => cx.global_get(stdout)?,
    };
    let text = make::text(cx, &text);
    call::send(cx, out, runtime::sym::WRITE, &[text])?;
    Ok(Value::NIL)
}

/// `GC::Profiler.total_time → float`: the seconds of all records together.
fn total_time(cx: &mut Cx, _: Args) -> R {
    let total: f64 = records(cx).iter().map(|r| r.time).sum();
    Ok(float::new(cx, total))
}

/// `GC::Profiler.configure(max_records: 4096) → nil`: sets the maximum number of records; nil for all.
fn configure(cx: &mut Cx, args: Args) -> R {
    let v = keys::get_symbol_text(cx, args.keywords(), "max_records");
    let limit = if v.is_undef() {
        Some(runtime::collector::profiler::MAX_RECORDS)
    } else if v.is_nil() {
        None
    } else {
        match usize::try_from(convert::to_i64(cx, v)?) {
            Ok(n) if n > 0 => Some(n),
            _ => return Err(cx.argument_error("max_records must be positive or nil")),
        }
    };
    let profiler = &mut cx.vm_mut().collector.profiler;
    profiler.max_records = limit;
    while profiler.records.len() > limit.unwrap_or(usize::MAX) {
        profiler.records.pop_front();
    }
    Ok(Value::NIL)
}

//! GC.stat, GC.stat_heap, GC.latest_gc_info, GC.latest_compact_info.

use std::time::Duration;

use abi::Type;
use heap::{Cause, Heap, LatestCollection, Statistics};
use object::{array::Arr, bigint, cell, hash::HashRef};
use runtime::{Args, Cx, R, Root, Sym, Value, convert, keys, make};

/// Named counters, collected in a Hash.
pub struct CountersHash(pub Vec<(&'static str, u64)>);

/// The counters of GC.stat that require a walk over the blocks.
const WALKED: &[&str] = &[
    "heap_allocated_pages", "heap_available_slots", "heap_live_slots", "heap_free_slots", "heap_marked_slots",
    "heap_eden_pages", "total_freed_objects", "total_freed_buffers", "old_objects", "old_objects_limit",
];

fn milliseconds(d: Duration) -> u64 {
    d.as_millis() as u64
}

/// All counters of GC.stat. Those without a meaning here are 0; docs/gc.md lists them.
pub fn counters(heap: &Heap) -> CountersHash {
    named(heap, heap.statistics())
}

fn named(heap: &Heap, s: Statistics) -> CountersHash {
    let pauses = heap.pauses();
    CountersHash(vec![
        ("count", heap.collections()),
        ("time", milliseconds(s.time)),
        ("marking_time", milliseconds(s.mark_time)),
        ("sweeping_time", milliseconds(s.sweep_time)),
        ("heap_allocated_pages", (s.used_blocks + s.empty_blocks) as u64),
        ("heap_empty_pages", s.empty_blocks as u64),
        ("heap_allocatable_slots", 0),
        ("heap_allocatable_bytes", (s.young_bytes_limit.saturating_sub(s.young_bytes)) as u64),
        ("heap_available_slots", s.object_cells as u64),
        ("heap_live_slots", s.live_objects as u64),
        ("heap_free_slots", (s.object_cells - s.live_objects) as u64),
        ("heap_final_slots", s.finalizable as u64),
        ("heap_marked_slots", s.old_objects as u64),
        ("heap_eden_pages", s.object_blocks as u64),
        ("total_allocated_pages", s.total_blocks),
        ("total_freed_pages", s.freed_blocks),
        ("total_allocated_objects", s.allocated_objects),
        ("total_freed_objects", s.freed_objects),
        ("total_allocated_buffers", s.allocated_buffers),
        ("total_freed_buffers", s.freed_buffers),
        ("total_malloc_bytes", s.large_allocated_bytes),
        ("total_free_bytes", s.large_freed_bytes),
        ("malloc_increase_bytes", s.young_large_bytes as u64),
        ("malloc_increase_bytes_limit", s.young_large_bytes_limit as u64),
        ("minor_gc_count", s.minor_collections),
        ("major_gc_count", s.full_collections),
        ("compact_count", s.compactions),
        ("read_barrier_faults", 0),
        ("total_moved_objects", s.moved_objects),
        ("remembered_wb_unprotected_objects", 0),
        ("remembered_wb_unprotected_objects_limit", 0),
        ("old_objects", s.old_objects as u64),
        ("old_objects_limit", objects_in(s.old_bytes_limit, &s)),
        ("oldmalloc_increase_bytes", s.large_bytes as u64),
        ("oldmalloc_increase_bytes_limit", s.old_bytes_limit as u64),
        ("old_bytes", s.old_bytes as u64),
        ("old_bytes_limit", s.old_bytes_limit as u64),
        ("promoted_objects", s.promoted_cells),
        ("cached_bytes", s.cached_bytes as u64),
        ("longest_pause", pauses.longest.as_nanos() as u64),
    ])
}

/// Converts bytes to a number of old objects of the current average size, payloads included: the limit is in bytes.
fn objects_in(bytes: usize, s: &heap::Statistics) -> u64 {
    (bytes as u128 * s.old_objects as u128 / (s.old_bytes as u128).max(1)) as u64
}

/// `GC.thread_stat(thread = nil, key_or_hash = nil) → hash or integer`: a thread's allocations, and its wall time in
/// collections in nanoseconds; all in a Hash, or the named one.
pub fn thread_stat(cx: &mut Cx, args: Args) -> R {
    let thread = args.non_nil(0).unwrap_or(cx.thread);
    let Some(s) = runtime::concurrency::thread::statistics(cx, thread) else {
        let class = runtime::error::class_name_of(cx, thread);
        return Err(cx.type_error(&format!("wrong argument type {class} (expected VM/thread)")));
    };
    let counters = CountersHash(vec![
        ("allocated_objects", s.allocated_objects),
        ("allocated_bytes", s.allocated_bytes),
        ("gc_wall_time", s.collection_time.as_nanos() as u64),
    ]);
    answer(cx, counters, args.opt(1))
}

/// The result for `key_or_hash`: one counter, the given Hash filled, or a new Hash.
fn answer(cx: &mut Cx, counters: CountersHash, wanted: Option<Value>) -> R {
    let table = match wanted {
        None | Some(Value::NIL) => HashRef::new(cx).value(),
        Some(h) if cell::is(h, Type::Hash) => h,
        Some(v) => {
            let Some(name) = Sym::from_value(v) else { return Err(cx.type_error("non-hash or symbol given")) };
            let text = name.to_text(cx);
            return match counters.0.iter().find(|(n, _)| *n == text) {
                Some((_, n)) => Ok(bigint::from_u64(cx, *n)),
                None => Err(cx.argument_error(&format!("unknown key: {text}"))),
            };
        }
    };
    for (name, n) in counters.0 {
        let (key, n) = (object::symbol::table::intern_text(cx, name).value(), bigint::from_u64(cx, n));
        keys::store(cx, table, key, n)?;
    }
    Ok(table)
}

/// `stat(key_or_hash = nil) → hash or integer`: counters of the heap, all in a Hash, or the named one. ArgumentError
/// for an unknown name, TypeError unless it is a Symbol or Hash.
pub fn stat(cx: &mut Cx, args: Args) -> R {
    let heap = cx.vm().heap;
    let one = args.opt(0).and_then(Sym::from_value);
    let statistics = match one.map(|name| name.bytes(cx)) {
        // Frequently requested counters.
        Some(b"count") => return Ok(bigint::from_u64(cx, heap.collections())),
        Some(b"total_allocated_objects") => return Ok(bigint::from_u64(cx, heap.allocated_objects())),
        Some(name) if !WALKED.iter().any(|walked| walked.as_bytes() == name) => heap.counters(),
        _ => heap.statistics(),
    };
    let counters = named(heap, statistics);
    if args.non_nil(0).is_some() { answer(cx, counters, args.opt(0)) } else { table_of_all(cx, counters) }
}

/// A new Hash of all counters. The Symbols of their names are kept.
fn table_of_all(cx: &mut Cx, counters: CountersHash) -> R {
    let mut names = cx.root(Root::GcStatKeys);
    if names.is_nil() {
        names = make::array(cx, &[]);
        for (name, _) in &counters.0 {
            let key = symbol(cx, name);
            make::push(cx, names, key);
        }
        cx.set_root(Root::GcStatKeys, names);
    }
    let table = HashRef::with_capacity(cx, counters.0.len()).unwrap_or_else(|_| HashRef::new(cx)).value();
    for (at, (_, n)) in counters.0.into_iter().enumerate() {
        let n = bigint::from_u64(cx, n);
        let key = Arr::of(names).get(at).unwrap_or(Value::NIL);
        keys::store(cx, table, key, n)?;
    }
    Ok(table)
}

/// `GC.stat_heap(heap = nil, key_or_hash = nil) → hash or integer`: counters for each size class of cells, or for the
/// given one. ArgumentError for an unknown one.
pub fn stat_heap(cx: &mut Cx, args: Args) -> R {
    let sizes = cx.vm().heap.size_statistics();
    let of = |s: &heap::SizeStatistics| {
        CountersHash(vec![
            ("slot_size", s.cell_size as u64),
            ("heap_live_slots", s.live as u64),
            ("heap_free_slots", s.free as u64),
            ("heap_final_slots", s.finalizable as u64),
            ("heap_eden_pages", s.blocks as u64),
            ("heap_eden_slots", s.cells as u64),
            ("heap_allocatable_slots", 0),
            ("total_allocated_pages", s.total_blocks),
            ("force_major_gc_count", 0),
            ("force_incremental_marking_finish_count", 0),
            ("total_allocated_objects", s.allocated),
            ("total_freed_objects", s.freed),
        ])
    };
    match args.non_nil(0) {
        None => {
            if let Some(v) = args.non_nil(1)
                && !cell::is(v, Type::Hash)
            {
                return Err(cx.type_error("non-hash given"));
            }
            let all = match args.non_nil(1) {
                Some(h) => h,
                None => HashRef::new(cx).value(),
            };
            for (i, size) in sizes.iter().enumerate() {
                let row = answer(cx, of(size), None)?;
                keys::store(cx, all, Value::fixnum(i as i64), row)?;
            }
            Ok(all)
        }
        Some(v) if convert::is_integer(v) => {
            let i = convert::to_i64(cx, v)?;
            match usize::try_from(i).ok().and_then(|i| sizes.get(i)) {
                Some(size) => answer(cx, of(size), args.opt(1)),
                None => Err(cx.argument_error("size pool index out of range")),
            }
        }
        Some(_) => Err(cx.type_error("heap_name must be nil or an Integer")),
    }
}

fn symbol(cx: &mut Cx, name: &str) -> Value {
    object::symbol::table::intern_text(cx, name).value()
}

pub fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::Allocation | Cause::Exhausted => "newobj",
        Cause::LargeAllocation => "malloc",
        Cause::Method | Cause::Compaction => "method",
        Cause::Stress => "stress",
        Cause::OldBytes => "newobj",
    }
}

pub fn full_cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::Method | Cause::Compaction | Cause::Stress => "force",
        Cause::LargeAllocation => "oldmalloc",
        Cause::Exhausted => "nofree",
        Cause::Allocation | Cause::OldBytes => "oldgen",
    }
}

/// The data about a collection.
pub fn collection_rows(cx: &mut Cx, info: &LatestCollection) -> [(&'static str, Value); 8] {
    let optional = |cx: &mut Cx, cause: Option<Cause>| cause.map_or(Value::NIL, |c| symbol(cx, full_cause_name(c)));
    let state = if info.sweeping {
        "sweeping"
    } else if info.phase == heap::Phase::Idle {
        "none"
    } else {
        "marking"
    };
    [
        ("major_by", optional(cx, info.full_by)),
        ("need_major_by", optional(cx, info.need_full_by)),
        ("gc_by", symbol(cx, cause_name(info.request.cause))),
        ("have_finalizer", Value::bool(info.has_finalizable)),
        ("immediate_sweep", Value::bool(info.request.immediate_sweep)),
        ("state", symbol(cx, state)),
        ("weak_references_count", Value::fixnum(info.weak_references as i64)),
        ("retained_weak_references_count", Value::fixnum(info.retained_weak_references as i64)),
    ]
}

/// `latest_gc_info(key_or_hash = nil) → hash or object`: data about the last collection, all in a Hash, or the named
/// entry. ArgumentError for an unknown name, TypeError unless it is a Symbol or Hash.
pub fn latest_gc_info(cx: &mut Cx, args: Args) -> R {
    let info = cx.vm().heap.latest_collection();
    let rows = collection_rows(cx, &info);
    if let Some(key) = args.non_nil(0).and_then(Sym::from_value) {
        let text = key.to_text(cx);
        return match rows.iter().find(|(n, _)| *n == text) {
            Some((_, v)) => Ok(*v),
            None => Err(cx.argument_error(&format!("unknown key: {text}"))),
        };
    }
    let table = match args.non_nil(0) {
        None => HashRef::new(cx).value(),
        Some(h) if cell::is(h, Type::Hash) => h,
        Some(_) => return Err(cx.type_error("non-hash or symbol given")),
    };
    for (name, v) in rows {
        let key = symbol(cx, name);
        keys::store(cx, table, key, v)?;
    }
    Ok(table)
}

/// `GC.latest_compact_info → hash`: the numbers of cells that the last compaction considered and moved, by type.
pub fn latest_compact_info(cx: &mut Cx, _: Args) -> R {
    let info = cx.mem().latest_compaction();
    let table = HashRef::new(cx).value();
    for (name, counts) in [("considered", &info.considered), ("moved", &info.moved)] {
        let row = HashRef::new(cx).value();
        for (ty, n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            let key = symbol(cx, super::super::object_space::type_name(ty));
            keys::store(cx, row, key, Value::fixnum(*n as i64))?;
        }
        let key = symbol(cx, name);
        keys::store(cx, table, key, row)?;
    }
    for name in ["moved_up", "moved_down"] {
        let (key, none) = (symbol(cx, name), HashRef::new(cx).value());
        keys::store(cx, table, key, none)?;
    }
    Ok(table)
}

/// `GC.longest_pauses → {longest:, total:, histogram:}`: pauses of the collector in nanoseconds; rows of the histogram
/// have an upper bound in microseconds and a count.
pub fn pauses(cx: &mut Cx, _: Args) -> R {
    let pauses = cx.vm().heap.pauses();
    let table = HashRef::new(cx).value();
    let rows = make::array(cx, &[]);
    for (i, n) in pauses.histogram.iter().enumerate().filter(|(_, n)| **n > 0) {
        let row = super::pair(cx, Value::fixnum(1 << i), Value::fixnum(*n as i64));
        make::push(cx, rows, row);
    }
    let (longest, total) =
        (bigint::from_u64(cx, pauses.longest.as_nanos() as u64), bigint::from_u64(cx, pauses.total.as_nanos() as u64));
    for (name, v) in [("longest", longest), ("total", total), ("histogram", rows)] {
        let key = symbol(cx, name);
        keys::store(cx, table, key, v)?;
    }
    Ok(table)
}

//! GC.config, GC.measure_total_time, the module's constants.

use abi::Type;
use object::{bigint, cell, hash::HashRef, symbol::table::intern_text};
use runtime::{Args, Cx, R, Value, define, keys, make};

/// `GC.config(settings = nil) → hash`: the settings, after applying the given ones; unknown ones are ignored.
pub fn config(cx: &mut Cx, args: Args) -> R {
    if let Some(settings) = args.non_nil(0) {
        if !cell::is(settings, Type::Hash) {
            return Err(cx.raise(runtime::error::ErrorClass::ArgumentError, "ArgumentError"));
        }
        if !keys::get_symbol_text(cx, Some(settings), "implementation").is_undef() {
            return Err(cx.argument_error("Attempting to set read-only key \"Implementation\""));
        }
        let allow = keys::get_symbol_text(cx, Some(settings), "rgengc_allow_full_mark");
        if !allow.is_undef() {
            cx.vm().heap.set_allow_full(allow.truthy());
        }
    }
    let table = HashRef::new(cx).value();
    let allow = Value::bool(cx.vm().heap.options().allow_full);
    let name = make::text(cx, "beni");
    for (key, v) in [("rgengc_allow_full_mark", allow), ("implementation", name)] {
        let key = intern_text(cx, key).value();
        keys::store(cx, table, key, v)?;
    }
    Ok(table)
}

/// `GC.measure_total_time → true or false`: whether `GC.total_time` adds up the durations of collections.
pub fn measure_total_time(cx: &mut Cx, _: Args) -> R {
    Ok(cx.root(runtime::Root::GcMeasureTotalTime))
}

/// `GC.measure_total_time=(on) → on`: sets whether `GC.total_time` adds up the durations of collections.
pub fn set_measure_total_time(cx: &mut Cx, args: Args) -> R {
    cx.set_root(runtime::Root::GcMeasureTotalTime, Value::bool(args.at(0).truthy()));
    cx.vm().heap.set_measure_time(args.at(0).truthy());
    Ok(args.at(0))
}

/// `GC.total_time → integer`: the total nanoseconds of collections while `measure_total_time` was on.
pub fn total_time(cx: &mut Cx, _: Args) -> R {
    let total = cx.vm().heap.pauses().total.as_nanos() as u64;
    Ok(bigint::from_u64(cx, total))
}

/// INTERNAL_CONSTANTS and OPTS.
pub fn define_constants(cx: &mut Cx, module: Value) {
    let rows = [
        ("DEBUG", Value::FALSE),
        ("RVALUE_SIZE", Value::fixnum(16)),
        ("RBASIC_SIZE", Value::fixnum(8)),
        ("RVALUE_OVERHEAD", Value::fixnum(0)),
        ("HEAP_PAGE_BITMAP_SIZE", Value::fixnum(512)),
        ("HEAP_PAGE_SIZE", Value::fixnum(65536)),
        ("HEAP_COUNT", Value::fixnum(heap::Heap::cell_sizes().filter(|s| *s <= heap::MAX_CELL).count() as i64)),
        ("RVARGC_MAX_ALLOCATE_SIZE", Value::fixnum(heap::MAX_CELL as i64)),
        ("RVALUE_OLD_AGE", Value::fixnum(1)),
    ];
    let table = HashRef::new(cx).value();
    for (name, v) in rows {
        let key = intern_text(cx, name).value();
        if let Err(unwind) = keys::store(cx, table, key, v) {
            let _ = cx.take_exception(unwind);
        }
    }
    cell::set_header(table, cell::header(table).with(abi::Flags::FROZEN));
    let name = intern_text(cx, "INTERNAL_CONSTANTS");
    define::set_constant(cx, module, name, table);
    let options = make::array(cx, &[]);
    cell::set_header(options, cell::header(options).with(abi::Flags::FROZEN));
    let name = intern_text(cx, "OPTS");
    define::set_constant(cx, module, name, options);
}

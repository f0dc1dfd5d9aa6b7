//! Loading: require, require_relative, load, `$LOAD_PATH`, `$LOADED_FEATURES`, and what the command asks of the core.

mod bundled;
mod constants;
mod find;
mod index;
mod load;
mod path;
mod resolve;

pub use bundled::{Bundled, define_bundled};
pub use find::expand;
pub use load::require_path;
pub use path::{set_up, standard_library};

use abi::Value;
use object::shape::ivars;
use runtime::concurrency::{pending as interrupts, thread};
use runtime::cx::Interrupts;
use runtime::{Cx, Method, R, code::Code, define, error::ErrorClass, sym};

pub const METHODS: &[Method] = &[
    Method::new("require(feature)", load::require).module_function(),
    Method::new("require_relative(feature)", load::require_relative).module_function(),
    Method::new("load(file, wrap = false)", load::load).module_function(),
];

/// Adds the methods to Kernel and makes the variables.
pub fn define(cx: &mut Cx) {
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, METHODS);
    constants::define(cx);
    path::define(cx);
}

/// Takes up what is pending at a safepoint.
pub fn handle_interrupts(cx: &mut Cx, pending: u32) -> R<()> {
    if pending & Interrupts::SWITCH != 0 {
        thread::pass(cx);
    }
    if pending & Interrupts::SIGNAL != 0 {
        crate::signal::run_handlers(cx)?;
    }
    if pending & Interrupts::FINALIZERS != 0 {
        crate::object_space::run_finalizers(cx)?;
    }
    interrupts::handle(cx, interrupts::Moment::Anywhere)
}

/// A thread ended by an exception: `exit` in it ends the program, all else is reported and goes on in the main thread where
/// that is wanted.
pub fn thread_failed(cx: &mut Cx, thread: Value, exception: Value) {
    crate::thread::failed(cx, thread, exception);
}

/// No trace point is set.
pub fn no_trace(_: &mut Cx, _: &Code, _: usize) -> R<()> {
    Ok(())
}

/// The signal that an uncaught SignalException ends the process by.
pub fn signal_of(cx: &mut Cx, exception: Value) -> Option<i32> {
    if !runtime::error::is_error(cx, exception, ErrorClass::SignalException) {
        return None;
    }
    ivars::get(cx, exception, sym::MEMO_SIGNO).as_fixnum().map(|n| n as i32)
}

/// What `--stats` prints: what is alive, what was made, what collecting it took.
pub fn statistics(cx: &mut Cx) -> String {
    let of = cx.vm().heap.statistics();
    let milliseconds = |time: std::time::Duration| format!("{:.3} ms", time.as_secs_f64() * 1000.0);
    let mut rows = vec![
        ("objects made", of.allocated_objects.to_string()),
        ("objects freed", of.freed_objects.to_string()),
        ("objects alive", of.live_objects.to_string()),
        ("of them old", of.old_objects.to_string()),
        ("buffers made", of.allocated_buffers.to_string()),
        ("buffers alive", of.live_buffers.to_string()),
        ("large buffers alive", format!("{} ({} bytes)", of.large_objects, of.large_bytes)),
        ("memory in use", format!("{} bytes", of.region_bytes_used)),
        ("minor collections", of.minor_collections.to_string()),
        ("full collections", of.full_collections.to_string()),
        ("compactions", of.compactions.to_string()),
        ("time collecting", milliseconds(of.time)),
        ("shapes", cx.world().shapes.len().to_string()),
    ];
    let mut counts = std::collections::BTreeMap::new();
    cx.each_object(&mut |v| {
        *counts.entry(crate::object_space::type_name(object::cell::header(v).ty() as usize)).or_insert(0u64) += 1;
    });
    let mut by_type: Vec<(&str, u64)> = counts.into_iter().collect();
    by_type.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    rows.extend(by_type.into_iter().map(|(name, count)| (name, count.to_string())));
    rows.iter().map(|(name, value)| format!("{name:<24}{value}\n")).collect()
}

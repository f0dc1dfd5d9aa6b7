//! Loading: require, require_relative, load, `$LOAD_PATH`, `$LOADED_FEATURES`, and the interface for the command.

mod bundled;
mod constants;
mod find;
mod index;
pub mod load;
mod path;
mod real_path;
mod resolve;
mod rubygems;

pub use bundled::{Bundled, define_bundled, is_stand_in};
pub use constants::{COPYRIGHT, description, platform};
pub use find::expand;
pub use load::{is_provided, require_path};
pub use path::{missing_library, set_up, standard_library};

use abi::Value;
use object::shape::ivars;
use runtime::concurrency::{pending as interrupts, thread};
use runtime::cx::Interrupts;
use runtime::{Cx, Method, R, define, error::ErrorClass, sym};

pub const METHODS: &[Method] = &[
    Method::new("require(feature)", load::require).borrows(0).module_function(),
    Method::new("require_relative(feature)", load::require_relative).module_function(),
    Method::new("load(file, wrap = false)", load::load).borrows(0).module_function(),
];

/// Adds the methods to Kernel and defines the variables.
pub fn define(cx: &mut Cx) {
    let kernel = define::class_or_module_named(cx, "Kernel");
    define::define_methods(cx, kernel, METHODS);
    constants::define(cx);
    path::define(cx);
}

/// Handles pending interrupts at a safepoint.
pub fn handle_interrupts(cx: &mut Cx, pending: u32) -> R<()> {
    if pending & Interrupts::SAMPLE != 0 {
        runtime::sampling::take(cx);
        if pending == Interrupts::SAMPLE {
            return Ok(());
        }
    }
    if pending & Interrupts::RECURSION != 0 {
        let rest = pending & !Interrupts::RECURSION;
        runtime::error::check_deep_recursion(cx).inspect_err(|_| cx.interrupt(rest))?;
    }
    if pending & Interrupts::EXHAUSTED != 0 {
        cx.interrupt(pending & !Interrupts::EXHAUSTED);
        return Err(cx.no_memory());
    }
    if pending & Interrupts::SWITCH != 0 {
        thread::pass(cx);
    }
    if pending & Interrupts::SIGNAL != 0 {
        crate::signal::run_handlers(cx)?;
    }
    if pending & Interrupts::JOBS != 0
        && let Some(run_jobs) = cx.vm().extensions.run_jobs
    {
        run_jobs(cx);
    }
    if pending & Interrupts::FINALIZERS != 0 {
        if let Some(run_freed) = cx.vm().extensions.run_freed {
            run_freed(cx);
        }
        crate::object_space::run_finalizers(cx)?;
    }
    interrupts::handle(cx, interrupts::Moment::Anywhere)
}

/// Handles an exception that ended a thread: `exit` ends the program, others are reported, and re-raised in the main
/// thread if requested.
pub fn thread_failed(cx: &mut Cx, thread: Value, exception: Value) {
    crate::thread::failed(cx, thread, exception);
}

/// The signal that ends the process because of an uncaught SignalException, or of an error that stands for SIGPIPE.
pub fn signal_of(cx: &mut Cx, exception: Value) -> Option<i32> {
    let classes = [ErrorClass::SignalException, ErrorClass::SystemCallError];
    if !classes.into_iter().any(|class| runtime::error::is_error(cx, exception, class)) {
        return None;
    }
    ivars::get(cx, exception, sym::MEMO_SIGNO).as_fixnum().map(|n| n as i32)
}

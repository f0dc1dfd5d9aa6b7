//! The boundary where a panic of Rust code becomes a Ruby exception.

use std::panic::{AssertUnwindSafe, catch_unwind};

use runtime::{Cx, R, Unwind, error::ErrorClass};

/// Runs `body`; a panic in it is raised as an exception: NoMemoryError for exhausted memory, otherwise a `fatal`-like
/// error with a hint where to report it.
pub fn catch(cx: &mut Cx, body: fn(&mut Cx) -> R) -> Result<R, Unwind> {
    match catch_unwind(AssertUnwindSafe(|| body(cx))) {
        Ok(result) => Ok(result),
        Err(payload) => Err(raise(cx, payload)),
    }
}

/// The message of the big-integer library's panic if memory is exhausted.
const OF_BIG_INTEGERS: &str = "out of memory";

#[cold]
fn raise(cx: &mut Cx, payload: Box<dyn std::any::Any + Send>) -> Unwind {
    if payload.is::<heap::OutOfMemory>() {
        return cx.no_memory();
    }
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("unknown reason")
        .to_string();
    if text == OF_BIG_INTEGERS {
        return cx.no_memory();
    }
    cx.raise(
        ErrorClass::Exception,
        &format!("[BUG] Beni failed inside of itself: {text}. Please report it with the program that led here."),
    )
}

//! The boundary where a panic of Rust code becomes a Ruby exception.

use std::panic::{AssertUnwindSafe, catch_unwind};

use runtime::{Cx, R, Unwind};

/// Runs `body`. A panic in it is raised as an exception: NoMemoryError for exhausted memory, otherwise a `fatal`-like
/// error with a hint where to report it.
pub fn catch(cx: &mut Cx, body: fn(&mut Cx) -> R) -> Result<R, Unwind> {
    match catch_unwind(AssertUnwindSafe(|| body(cx))) {
        Ok(result) => Ok(result),
        Err(payload) => Err(runtime::panics::raise(cx, payload)),
    }
}

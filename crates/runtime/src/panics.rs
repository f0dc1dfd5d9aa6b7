//! Panics of libraries on unexpected input: the caller raises a Ruby exception instead.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{Cx, Root, Unwind, error::ErrorClass};

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a library's code, which must not run Ruby; `None` if it panicked (nothing is printed). The data it worked on
/// must not be used afterwards.
pub fn contained<T>(code: impl FnOnce() -> T) -> Option<T> {
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(code));
    EXPECTED.set(false);
    result.ok()
}

/// Whether the current panic is in `contained` code; for the panic hook.
pub fn is_expected() -> bool {
    EXPECTED.get()
}

/// Whether a library's panic says that memory is exhausted: that for big integers, and the one that gives the parser a
/// larger stack.
pub fn says_exhausted(message: &str) -> bool {
    message == "out of memory" || message.contains("mmap failed to allocate stack")
}

/// Raises NoMemoryError, if need be the one that was made at startup, which has no backtrace.
fn no_memory(cx: &mut Cx) -> Unwind {
    match catch_unwind(AssertUnwindSafe(|| cx.no_memory())) {
        Ok(unwind) => unwind,
        Err(_) => {
            let exception = cx.root(Root::NoMemory);
            cx.raise_object(exception)
        }
    }
}

/// Raises the exception for a panic: NoMemoryError if memory was exhausted, otherwise one that says where to report the
/// bug.
#[cold]
pub fn raise(cx: &mut Cx, payload: Box<dyn std::any::Any + Send>) -> Unwind {
    if payload.is::<heap::OutOfMemory>() || payload.is::<memory::Exhausted>() {
        return no_memory(cx);
    }
    let text = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("unknown reason")
        .to_string();
    if says_exhausted(&text) {
        return no_memory(cx);
    }
    cx.raise(
        ErrorClass::Exception,
        &format!("[BUG] Internal error in Beni: {text}. Please report it with the program that caused it."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_inside_is_none() {
        assert_eq!(contained(|| 1), Some(1));
        let silent = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| assert!(is_expected())));
        let result = contained(|| -> i32 { panic!("what is expected here?") });
        std::panic::set_hook(silent);
        assert_eq!((result, is_expected()), (None, false));
    }
}

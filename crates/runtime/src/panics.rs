//! Panics of libraries on input that they did not foresee: the caller raises a Ruby exception instead.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Runs a library's code; `None` if it panicked, silently. The data it worked on must not be used afterwards. It runs
/// no Ruby.
pub fn contained<T>(code: impl FnOnce() -> T) -> Option<T> {
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(code));
    EXPECTED.set(false);
    result.ok()
}

/// Whether the current panic is in `contained` code. For the panic hook.
pub fn is_expected() -> bool {
    EXPECTED.get()
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

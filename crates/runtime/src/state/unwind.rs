//! Unwinding: exceptions, break, return, throw.
//!
//! A function that fails returns `Err(Unwind)`, an empty token; `Cx::unwinding` has the data.

use abi::{Frame, Value};
use heap::Trace;

/// Proof that `Cx::unwinding` is set.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwind(pub(super) ());

/// The result of a function that may run Ruby.
pub type R<T = Value> = Result<T, Unwind>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    None,
    /// `value` is the exception.
    Raise,
    /// Leaves the call in progress in `target` with `value`.
    Break,
    /// Leaves the frame `target` with `value`.
    Return,
    /// `throw`: `tag` is the catch's tag.
    Throw,
    /// The thread ends.
    Kill,
    /// A fiber's native frames are abandoned.
    Abandon,
}

#[derive(Trace)]
pub struct Unwinding {
    #[trace(skip)]
    pub reason: Reason,
    pub value: Value,
    pub tag: Value,
    pub target: *mut Frame,
}

impl Unwinding {
    pub const fn none() -> Unwinding {
        Unwinding { reason: Reason::None, value: Value::NIL, tag: Value::NIL, target: std::ptr::null_mut() }
    }
}

//! How a call is written, which decides what it may see.

/// Which methods a call may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    Public,
    /// A call without a receiver: private and protected methods are visible, too.
    Function,
    /// A call by a bare identifier. It sees the same methods as `Function`; only the error message differs.
    Variable,
    /// `super`. It sees the same methods as `Function` where it calls method_missing; the error message differs.
    Super,
}

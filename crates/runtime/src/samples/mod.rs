//! The memory into which a thread's samples are written, and the clock that requests them. Children: `slot`, `clock`.

pub(crate) mod clock;
pub(crate) mod slot;

//! The memory into which a thread's samples are written, and the timer that requests them.
//!
//! Timers on the processor time of threads were rejected: the kernel checks them only at its own tick, 250 times a
//! second on common kernels, however short their interval is. Children: `slot`, `slots`.

pub(crate) mod slot;
pub(crate) mod slots;

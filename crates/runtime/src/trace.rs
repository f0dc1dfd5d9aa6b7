//! Events that no word of code stands for: calls of native methods, exceptions, threads, fibers, compiled code.
//!
//! The bits of events of code are [`bytecode::sequence::Events`]'; these go on from there.

use abi::Value;

use crate::{Cx, R};

pub const C_CALL: u32 = 0x0020;
pub const C_RETURN: u32 = 0x0040;
pub const RAISE: u32 = 0x0080;
pub const THREAD_BEGIN: u32 = 0x0400;
pub const THREAD_END: u32 = 0x0800;
pub const FIBER_SWITCH: u32 = 0x1000;
pub const SCRIPT_COMPILED: u32 = 0x2000;
/// A frame of traced code is left by unwinding: with the result of the method, and whether an exception is under way.
pub const LEAVING: u32 = 0x10000;

impl Cx {
    /// Fires `event` with what belongs to it (a result, an exception, code) if anything may listen.
    #[inline(always)]
    pub fn event(&mut self, event: u32, value: Value, extra: Value) -> R<()> {
        if self.vm().trace_events & event == 0 { Ok(()) } else { self.fire_event(event, value, extra) }
    }

    #[cold]
    #[inline(never)]
    fn fire_event(&mut self, event: u32, value: Value, extra: Value) -> R<()> {
        let fire = self.vm().hooks.event;
        fire(self, event, value, extra)
    }
}

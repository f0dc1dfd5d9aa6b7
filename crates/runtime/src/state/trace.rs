//! Trace events and their data.
//!
//! The bits extend those of [`bytecode::sequence::Events`]. Calls of native methods, exceptions, threads, fibers,
//! compiled code and changes of methods are not tied to a word of code; they fire through [`Cx::event`].

use abi::Value;

pub use super::happening::Happening;
use super::{cx::Cx, unwind::R};

pub const C_CALL: u32 = 0x0020;
pub const C_RETURN: u32 = 0x0040;
pub const RAISE: u32 = 0x0080;
pub const THREAD_BEGIN: u32 = 0x0400;
pub const THREAD_END: u32 = 0x0800;
pub const FIBER_SWITCH: u32 = 0x1000;
pub const SCRIPT_COMPILED: u32 = 0x2000;
/// Not an event: the facts of native methods are checked at their calls (`--verify-facts`).
pub const VERIFY_FACTS: u32 = 0x40_0000;
/// A frame of traced code is popped by unwinding. The data: its result (nil for an exception), and whether a break
/// caused the unwinding.
pub const LEAVING: u32 = 0x1_0000;
/// Calls of any method, on the caller's side.
pub const S_CALL: u32 = 0x2_0000;
pub const S_RETURN: u32 = 0x4_0000;
/// A method was added. The data: the new entry, and the entry that it replaces in its class or nil.
pub const METHOD_ADDED: u32 = 0x8_0000;
/// A method was removed. The data: its entry.
pub const METHOD_REMOVED: u32 = 0x10_0000;
/// A method was undefined. The data: the entry that is hidden now.
pub const METHOD_UNDEFINED: u32 = 0x20_0000;

/// Whether a trace point is set for calls of native methods.
#[inline(always)]
pub fn calls_are_traced(cx: &Cx) -> bool {
    cx.vm().trace_events & (C_CALL | C_RETURN) != 0
}

/// Whether the facts of native methods are checked at their calls.
pub fn facts_are_verified(cx: &Cx) -> bool {
    cx.vm().trace_events & VERIFY_FACTS != 0
}

impl super::vm::Vm {
    /// Whether trace instructions are inserted into code that is linked.
    pub fn patches_linked_code(&self) -> bool {
        self.trace_events & !VERIFY_FACTS != 0 || self.trace_resting != 0
    }
}

impl Cx {
    /// Fires `event` with its data (a result, an exception, code) if anything may listen.
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

    /// Fires an event during unwinding; an exception of a trace point replaces the one in flight.
    #[cold]
    #[inline(never)]
    pub fn event_while_unwinding(&mut self, event: u32, value: Value, extra: Value) -> R<()> {
        let state = self.pack_unwinding();
        let fire = self.vm().hooks.event;
        fire(self, event, value, extra)?;
        let _ = self.unpack_unwinding(state);
        Ok(())
    }

    /// Whether a trace point's block is running in this fiber.
    #[inline(always)]
    pub fn in_trace(&self) -> bool {
        !self.happening.is_null()
    }

    /// The event of the trace point block that is running in this fiber.
    pub fn happening(&self) -> Option<Happening> {
        // SAFETY: `with_happening` sets it while `now` is on the stack below.
        if self.happening.is_null() { None } else { Some(unsafe { *self.happening }) }
    }

    /// Runs `body`, a trace point's block, with `now` as the current event; with `None`, as if no trace point's block
    /// were running.
    #[inline]
    pub fn with_happening<T>(&mut self, now: Option<&Happening>, body: impl FnOnce(&mut Cx) -> T) -> T {
        let outer = self.happening;
        self.happening = now.map_or(std::ptr::null(), |now| now as *const Happening);
        let result = body(self);
        self.happening = outer;
        result
    }
}

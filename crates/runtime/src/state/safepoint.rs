//! Safepoints, at which a thread handles events that wait for it.

use std::sync::atomic::Ordering;

use abi::Frame;

use super::{
    attention::{Interrupts, Stress},
    cx::Cx,
    unwind::R,
};
use crate::code::code;

impl Cx {
    /// Handles pending events: signals, finalizers, thread switches.
    #[inline(always)]
    pub fn safepoint(&mut self) -> R<()> {
        if self.attention.interrupts.load(Ordering::Relaxed) == 0 { Ok(()) } else { self.handle_interrupts() }
    }

    /// The safepoint of a call, whose frame has just been pushed and is popped if this raises. Recursion without loops
    /// has no other one. It is one for compiled code as well, see [`Attention::native_limit`].
    #[inline(always)]
    pub fn safepoint_of_call(&mut self) -> R<()> {
        if self.attention.is_requested() { self.attend() } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn attend(&mut self) -> R<()> {
        // The Ruby half must not be interrupted between its calls, nor a thread before it has begun.
        let is_outermost = self.frame.wrapping_add(1) == self.stack.high.cast::<Frame>();
        if is_outermost || code(&self.frame().scope.code).internal {
            return Ok(());
        }
        // Backtraces show the instruction before `pc`: while the handlers run, that must be the first one.
        let start = self.frame().pc;
        self.frame_mut().pc = start.cast::<bytecode::Instruction>().wrapping_add(1).cast();
        match self.handle_interrupts() {
            // If the body is deferred, a call by a handler or by another thread has replaced its instructions.
            Ok(()) => self.frame_mut().pc = code(&self.frame().scope.code).start(),
            Err(unwind) => {
                self.pop_frame();
                return Err(unwind);
            }
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn handle_interrupts(&mut self) -> R<()> {
        let pending = self.attention.take(self.native_bound);
        let handler = self.vm().hooks.interrupts;
        if pending & Interrupts::STRESS != 0 {
            return self.handle_stressed(pending, handler);
        }
        handler(self, pending)
    }

    /// What handles events is not disturbed itself: with a signal at each safepoint its handler would never end.
    #[cold]
    fn handle_stressed(&mut self, pending: u32, handler: fn(&mut Cx, u32) -> R<()>) -> R<()> {
        let stress = self.vm().options.stress;
        if self.handles_stress {
            self.attention.stressed(Stress::default(), 0);
            return handler(self, pending);
        }
        self.safepoints = self.safepoints.wrapping_add(1);
        let events = self.attention.stressed(stress, self.safepoints);
        self.handles_stress = true;
        let result = handler(self, pending | events);
        self.handles_stress = false;
        result
    }
}

//! Who is writing out the buffer of a stream.

use heap::Trace;
use runtime::{Cx, Value, concurrency::scheduler};

/// A thread, or a fiber that a scheduler runs, and the number of forks when it began.
#[derive(Trace, Clone, Copy, PartialEq)]
pub struct Flusher {
    runner: Value,
    forks: u32,
}

impl Flusher {
    pub const NONE: Flusher = Flusher { runner: Value::NIL, forks: 0 };

    /// The running thread or fiber.
    pub fn now(cx: &Cx) -> Flusher {
        Flusher { runner: scheduler::runner(cx), forks: cx.vm().forks }
    }

    /// Whether `own` waits until this one has finished. A fiber waits for another of its thread only if a scheduler
    /// can run that one meanwhile.
    pub fn is_waited_for(self, cx: &mut Cx, own: Flusher) -> bool {
        let is_other = !self.runner.is_nil() && self.runner != own.runner && self.forks == own.forks;
        is_other
            && scheduler::is_alive(self.runner)
            && (scheduler::thread_of(self.runner) != cx.thread || scheduler::current(cx).is_some())
    }
}

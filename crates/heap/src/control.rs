//! The switches of a running heap: `GC.enable`, `GC.stress=`, `GC.config`, hooks, `Process.warmup`.

use crate::heap::Heap;
use crate::hooks::Hooks;
use crate::mutator::Mutator;
use crate::request::{Cause, Request};

impl Heap {
    /// `GC.disable` and `GC.enable`; returns the previous state. While disabled, only an emergency collects.
    pub fn set_disabled(&self, disabled: bool) -> bool {
        std::mem::replace(&mut self.state().disabled, disabled)
    }

    /// Requests a collection at every `interval`th allocation, 0 for none; `flags` are those of `GC.stress=`.
    pub fn set_stress(&self, interval: u32, flags: u32) {
        let state = self.state();
        state.options.stress_interval = interval;
        state.options.stress_flags = flags;
        state.allocations_until_stress = interval;
        // Runs that already exist would hide allocations.
        state.retire_all();
        state.update_mutators();
    }

    /// The interval and the flags of [`Heap::set_stress`].
    pub fn stress(&self) -> (u32, u32) {
        (self.state().options.stress_interval, self.state().options.stress_flags)
    }

    /// `--verify-heap`: whether the heap is verified after each collection.
    pub fn set_verify(&self, verify: bool) {
        self.state().options.verify = verify;
    }

    pub fn verifies(&self) -> bool {
        self.state().options.verify
    }

    /// `GC.config(rgengc_allow_full_mark:)`: whether full collections may begin by themselves.
    pub fn set_allow_full(&self, allow: bool) {
        self.state().options.allow_full = allow;
    }

    /// `GC.auto_compact=`: full collections compact the objects, and then run in one stop.
    pub fn set_auto_compact(&self, compact: bool) {
        self.state().options.auto_compact = compact;
    }

    /// # Safety
    /// The hooks may be called with their data from now on.
    pub unsafe fn set_hooks(&self, hooks: Hooks) {
        self.state().hooks = hooks;
    }
}

impl Mutator {
    /// `Process.warmup`: collects, compacts, and returns all unused memory.
    pub fn release_all(&mut self) {
        self.compact();
        self.collect_now(Request::full(Cause::Compaction));
        self.state().release_all();
    }
}

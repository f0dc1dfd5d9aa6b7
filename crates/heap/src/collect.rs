//! The entry to collections: from allocation, on request, in an emergency.

use std::time::Instant;

use crate::extents::CACHE_AGE;
use crate::heap::{Phase, State};
use crate::hooks::Event;
use crate::layout::SPACES;
use crate::mutator::{Mutator, Run};
use crate::request::{Cause, Request};

impl Mutator {
    /// Collects as requested, even while collections are disabled.
    pub fn collect(&mut self, request: Request) {
        self.collect_now(request);
    }

    /// Whether the next safepoint should run a collection. Programs that write much and allocate nothing need one too.
    #[inline]
    pub fn wants_collection(&self) -> bool {
        self.state().due
    }

    /// Runs a collection if one is due.
    pub fn safepoint(&mut self) {
        if self.state().due {
            self.collect_for_allocation();
        }
    }

    /// Decides what to do when the young space is used up.
    pub(crate) fn collect_for_allocation(&mut self) {
        let state = self.state();
        if state.collecting || (state.disabled && !state.region.is_low()) {
            return;
        }
        let request = if state.stressed() {
            state.stress_request()
        } else if state.young_large_bytes >= state.large_limit {
            Request::minor(Cause::LargeAllocation)
        } else {
            Request::minor(Cause::Allocation)
        };
        self.collect_now(request);
    }

    #[inline(never)]
    pub(crate) fn collect_now(&mut self, request: Request) {
        let base = self.stack_base;
        let started = Instant::now();
        let state = self.state;
        crate::roots::with_registers_on_stack(|top| {
            // SAFETY: the heap outlives its mutators, and threads take turns.
            unsafe { (*state.as_ptr()).stop(request, (top, base)) };
        });
        let elapsed = started.elapsed();
        self.collection_nanoseconds += elapsed.as_nanos() as u64;
        self.state().counters.pause(elapsed);
    }
}

impl State {
    #[inline]
    pub fn must_collect(&self) -> bool {
        self.young_span >= self.young_limit || self.due || self.young_large_bytes >= self.large_limit
    }

    /// Whether mutators must call the collector in every slow path.
    pub fn needs_attention(&self) -> bool {
        self.due || self.stressed() || self.sampling.interval > 0
    }

    /// Whether mutators need not call the collector before their block is full.
    pub fn is_only_sampled(&self) -> bool {
        !self.due && !self.stressed()
    }

    /// Stops the program and collects.
    fn stop(&mut self, mut request: Request, stack: (*const u8, *const u8)) {
        if self.collecting {
            return;
        }
        if self.options.auto_compact && self.wants_full(request) {
            request = Request { immediate_mark: true, full: true, ..request };
        }
        self.collecting = true;
        let started = Instant::now();
        let marked = self.counters.mark_time + self.counters.compact_time;
        self.hooks.run(Event::Enter);
        self.hooks.run(Event::Start);
        self.retire_all();
        self.abandoned.clear();
        for at in 0..self.mutators.len() {
            for space in 0..SPACES {
                // SAFETY: attached mutators stay in place; threads take turns.
                unsafe { (*self.mutators[at]).runs[space] = Run::NONE };
            }
        }
        self.counters.began(request);
        if request.full && request.immediate_mark {
            self.collect_in_one_stop(request, stack);
        } else {
            let begins = self.begins_marking(request);
            if begins {
                self.begin_marking();
            }
            let filled = self.young_large_bytes;
            self.collect_young(stack, begins);
            let budget = self.finish_budget(filled);
            if self.try_finish(budget) {
                self.clear_step(budget.max(crate::sweep::CLEAR_BUDGET));
            }
            self.hooks.run(Event::EndMark);
            let is_wasteful = !self.region.waste.allows_more(host::clock::process_cpu_nanoseconds());
            self.large.extents.is_wasteful = is_wasteful;
            if !is_wasteful {
                self.large.extents.give_back(self.counters.collections(), CACHE_AGE);
            }
        }
        let marked = self.counters.mark_time + self.counters.compact_time - marked;
        self.counters.sweep_time += started.elapsed().saturating_sub(marked);
        if !self.region.is_low() {
            self.region.reserve_open = false;
        }
        for space in self.spaces.iter_mut() {
            space.young = 0;
        }
        if self.options.verify {
            self.verify_or_panic(stack);
        }
        self.hooks.run(Event::EndSweep);
        self.hooks.run(Event::Exit);
        self.collecting = false;
        self.update_mutators();
    }

    /// A full collection in one stop, with a compaction if one is wanted.
    fn collect_in_one_stop(&mut self, request: Request, stack: (*const u8, *const u8)) {
        let compacts = self.options.auto_compact | std::mem::take(&mut self.compaction_wanted);
        self.collect_everything(stack, compacts);
        self.hooks.run(Event::EndMark);
        self.young_bytes = 0;
        self.young_span = 0;
        self.young_large_bytes = 0;
        self.due = false;
        if compacts {
            self.sweep_all();
            let started = Instant::now();
            self.compact();
            self.counters.compact_time += started.elapsed();
        }
        if request.immediate_sweep {
            self.sweep_all();
            while !self.clear_other_table(usize::MAX) {}
            self.give_back();
        }
    }

    fn wants_full(&self, request: Request) -> bool {
        request.full
            || self.another_wanted_by.is_some()
            || self.options.allow_full && !self.disabled && self.has_grown()
    }

    /// Whether this minor collection should begin a full marking.
    fn begins_marking(&mut self, request: Request) -> bool {
        if self.phase == Phase::Marking {
            if request.full {
                self.another_wanted_by = Some(request.cause);
            }
            return false;
        }
        if !self.wants_full(request) {
            return false;
        }
        if self.phase == Phase::Clearing || self.cleared_arenas < self.region.arenas() {
            // The last full collection is not finished: it continues in steps, unless the program allocates faster than
            // it proceeds.
            let growth = self.full_limit.saturating_sub(self.survived_bytes);
            if !request.full && self.old_bytes < self.full_limit + growth / 2 {
                return false;
            }
            self.finish_clearing();
            while !self.clear_other_table(usize::MAX) {}
        }
        let asked_by = self.another_wanted_by.take();
        self.counters.full_by = Some(if request.full { request.cause } else { asked_by.unwrap_or(Cause::OldBytes) });
        true
    }

    /// Counts down to the next collection under stress, where each run is one cell, so that every allocation comes
    /// here.
    #[inline]
    pub fn stress_is_due(&mut self) -> bool {
        if !self.stressed() {
            return false;
        }
        self.allocations_until_stress = self.allocations_until_stress.saturating_sub(1);
        self.allocations_until_stress == 0
    }

    /// Mostly minor collections with steps of a full marking in between, which test barriers; sometimes a full one in
    /// one stop.
    fn stress_request(&mut self) -> Request {
        self.allocations_until_stress = self.options.stress_interval;
        let turn = self.counters.minor;
        if self.options.stress_flags & 1 != 0 {
            Request::minor(Cause::Stress)
        } else if turn % 64 == 63 {
            self.counters.minor += 1;
            Request { immediate_sweep: self.options.stress_flags & 2 == 0, ..Request::full(Cause::Stress) }
        } else {
            self.debt += crate::allocate::STEP_BYTES;
            Request {
                full: turn.is_multiple_of(8),
                immediate_mark: false,
                immediate_sweep: false,
                cause: Cause::Stress,
            }
        }
    }
}

//! Full collections, in one stop or incrementally.
//!
//! The marks of a full collection are built in the unused table. Minor collections continue meanwhile: what they
//! promote is marked in both tables, and old cells to which their roots refer become grey. The last step is a minor
//! collection after which nothing is grey; then the tables are swapped. No stop is longer than a minor collection and a
//! bounded step.

use std::time::{Duration, Instant};

use crate::allocate::STEP_BYTES;
use crate::bits;
use crate::heap::{Phase, State};
use crate::marker::{Marker, Purpose};

/// The number of words that the last stop of a full marking may still examine.
const LAST_WORK: usize = 32 * 1024;
/// Steps are tiny under stress, so that the program runs much between them.
const STRESS_WORK: usize = 64;
/// The number of words examined per allocated word, during a full marking.
const PACE: usize = 4;
/// Arenas whose unused mark table is cleared in one step.
const CLEAR_ARENAS: usize = 8;

/// Bytes of large buffers for each word that the stop after them may examine.
const FILLED_PER_WORD: usize = 128;

/// How far a small heap may grow beyond its limit before a marking in progress is completed in one stop.
const OUTRUN_BYTES: usize = 32 << 20;

/// What full collections cost, and when the last one ended. A small part of the program's time is spent on them, so
/// that a program that rarely makes objects old needs less memory than one whose heap doubles between them.
#[derive(Clone, Copy, Default)]
pub struct Pace {
    /// The time that the marking in progress has taken so far.
    taken: Duration,
    /// The time that the last one took.
    last: Duration,
    /// The processor time of the process when it ended, in nanoseconds; 0 before the first one.
    ended: u64,
}

impl Pace {
    /// Full collections that begin before the heap has doubled may take this part of the time: one of so many.
    const PART: u32 = 32;

    fn note(&mut self, taken: Duration) {
        self.taken += taken;
    }

    fn end(&mut self) {
        *self = Pace { taken: Duration::ZERO, last: self.taken, ended: host::clock::process_cpu_nanoseconds().max(1) };
    }

    /// Whether another full collection would take a small part of the time since the last one.
    fn allows_another(&self) -> bool {
        let since = || host::clock::process_cpu_nanoseconds().saturating_sub(self.ended);
        self.ended > 0 && u128::from(since()) >= (self.last * Pace::PART).as_nanos()
    }
}

impl State {
    /// Whether there are enough old bytes for a full collection: they have doubled since the last one, or have grown by
    /// a quarter of that and it costs little.
    pub fn has_grown(&self) -> bool {
        let early = self.survived_bytes + self.full_limit.saturating_sub(self.survived_bytes) / 4;
        self.old_bytes >= self.full_limit
            || self.old_bytes >= early.max(self.options.tuning.first_full_limit()) && self.pace.allows_another()
    }

    /// Begins a full marking; a minor collection follows immediately, whose roots are also those of the full marking.
    pub fn begin_marking(&mut self) {
        debug_assert!(self.phase == Phase::Idle && self.cleared_arenas >= self.region.arenas());
        self.phase = Phase::Marking;
        self.building_bytes = 0;
        self.promoted_while_marking = 0;
        self.grey.clear();
        self.update_mutators();
    }

    /// Collects everything in this stop.
    pub fn collect_everything(&mut self, stack: (*const u8, *const u8), pinning: bool) {
        self.finish_clearing();
        if self.phase == Phase::Marking {
            // A marking in progress is abandoned, because it would keep cells that died since it began.
            self.grey.clear();
            self.phase = Phase::Idle;
            self.cleared_arenas = 0;
        }
        self.another_wanted_by = None;
        while !self.clear_other_table(usize::MAX) {}
        let started = Instant::now();
        let mut marker = self.full_marker();
        marker.pinning = pinning;
        // SAFETY: the collecting thread's own stack.
        unsafe { marker.conservative(stack.0, stack.1) };
        self.visit_roots(&mut marker);
        marker.drain(usize::MAX);
        while marker.stack.overflowed {
            marker.stack.clear();
            self.trace_all_marked(&mut marker);
        }
        self.building_bytes = marker.marked_bytes as usize;
        self.promoted_while_marking = 0;
        self.phase = Phase::Marking;
        self.end_marking(marker);
        self.counters.mark_time += started.elapsed();
        self.pace.note(started.elapsed());
        self.forget_remembered();
        self.adopt_young();
        self.swap_tables();
        self.finish_clearing();
    }

    fn full_marker(&mut self) -> Marker {
        let mut marker = self.marker(Purpose::Full);
        marker.table = self.other_table();
        marker.live_index = 1 - self.current;
        marker
    }

    /// After a full collection in one stop no cell is young.
    fn adopt_young(&mut self) {
        for index in std::mem::take(&mut self.large.young) {
            self.large.get(index).young = false;
        }
        for object in &mut self.large.objects {
            object.cards.fill(0);
            object.listed = false;
        }
        self.large.written.clear();
        let (young, old) = (&mut self.natives.young, &mut self.natives.old);
        old.append(young);
        let (young, old) = (&mut self.finalizables.young, &mut self.finalizables.old);
        old.append(young);
        self.adopt_young_sides();
        self.report_young();
        self.clear_young_bits();
    }

    /// Examines `budget` words for the full marking. True if nothing is grey any more.
    pub fn mark_step(&mut self, budget: usize) -> bool {
        let mut marker = self.full_marker();
        marker.require = self.current_table();
        std::mem::swap(&mut marker.stack, &mut marker.grey);
        let mut done = marker.drain(budget);
        if marker.stack.overflowed {
            marker.stack.clear();
            self.trace_all_marked(&mut marker);
            done = marker.stack.is_empty();
        }
        self.building_bytes += marker.marked_bytes as usize;
        std::mem::swap(&mut marker.stack, &mut marker.grey);
        self.end_marking(marker);
        done
    }

    /// Called at the end of a minor collection: swaps the tables if little enough is left to mark.
    pub fn try_finish(&mut self, budget: usize) -> bool {
        if self.phase != Phase::Marking {
            return false;
        }
        let started = Instant::now();
        let done = self.mark_step(budget);
        self.counters.mark_time += started.elapsed();
        self.pace.note(started.elapsed());
        if !done {
            return false;
        }
        self.swap_tables();
        true
    }

    /// The number of words that a stop may examine to finish a full marking; `filled` bytes of large buffers were
    /// allocated before it. Filling those took much longer than examining as many words as this adds, and meanwhile all
    /// that dies keeps its memory.
    pub fn finish_budget(&self, filled: usize) -> usize {
        match () {
            () if self.stressed() => STRESS_WORK,
            () if self.is_outrun() => usize::MAX,
            () => LAST_WORK.min(self.options.step_words).max(filled / FILLED_PER_WORD),
        }
    }

    /// Whether the program makes objects old faster than the incremental marking proceeds. Large arrays that grow and
    /// are dropped pay only for their own steps.
    fn is_outrun(&self) -> bool {
        let growth = self.full_limit.saturating_sub(self.survived_bytes);
        self.old_bytes >= self.full_limit + growth.max(OUTRUN_BYTES)
    }

    /// Traces every cell again that is marked in the table being built, because entries of the work list were lost.
    pub fn trace_all_marked(&mut self, marker: &mut Marker) {
        let table = marker.table;
        let index = marker.live_index;
        self.region.each_block(|block| {
            if block.kind as u8 > crate::layout::Kind::Values as u8 || block.live[index] == 0 {
                return;
            }
            let tag = if block.kind == crate::layout::Kind::Values { crate::marker::TAG_VALUES } else { 0 };
            // SAFETY: the block's words, and below, its marked cells.
            unsafe {
                let mut at = bits::next_set(block.bits(table), 0, block.cells as usize);
                while at < block.cells as usize {
                    marker.trace_entry(block.cell(at) as u64 | tag);
                    marker.drain(usize::MAX);
                    at = bits::next_set(block.bits(table), at + 1, block.cells as usize);
                }
            }
        });
        for at in 0..self.large.objects.len() {
            if self.large.objects[at].marked[index] && self.large.objects[at].values {
                marker.stack.push_pair(0, (at as u64) << 3 | crate::marker::TAG_LARGE);
                marker.drain(usize::MAX);
            }
        }
    }

    /// Makes the built marks the current ones: unmarked cells are dead.
    pub fn swap_tables(&mut self) {
        self.report_freed_old();
        self.current = 1 - self.current;
        self.phase = Phase::Clearing;
        self.clearing = crate::clear::Clearing::default();
        self.cleared_arenas = 0;
        self.old_bytes = self.building_bytes;
        self.survived_bytes = self.building_bytes;
        for space in self.spaces.iter_mut() {
            let (mut partial, mut full) = (space.partial, space.full);
            space.unswept.append(&self.region, &mut partial);
            space.unswept.append(&self.region, &mut full);
            space.partial = crate::lists::List::EMPTY;
            space.full = crate::lists::List::EMPTY;
        }
        self.all_swept = false;
        // Objects promoted during the marking were not examined. If they were multiplied as well, a program that makes
        // many objects old and drops them soon would have an ever larger heap.
        let promoted = self.promoted_while_marking;
        let unscanned = self.large.unscanned_bytes(self.current);
        self.full_limit =
            self.options.tuning.full_limit(self.survived_bytes.saturating_sub(promoted), unscanned) + promoted;
        self.counters.full += 1;
        self.pace.end();
        self.update_mutators();
    }

    /// Runs a step of the current phase for this many bytes of allocation.
    pub fn pay_debt(&mut self) {
        if self.debt < STEP_BYTES || self.collecting {
            return;
        }
        self.large.extents.discard_step();
        // A pause leaves a debt as large as the young space; it is paid in several steps.
        let paid = self.debt.min(STEP_BYTES + STEP_BYTES / 2);
        self.debt -= paid;
        let words = paid / 8;
        match self.phase {
            Phase::Marking => {
                self.hooks.run(crate::hooks::Event::Enter);
                let started = Instant::now();
                let most = if self.stressed() { STRESS_WORK } else { self.options.step_words };
                self.mark_step((words * PACE).min(most));
                self.counters.step(started.elapsed());
                self.pace.note(started.elapsed());
                self.hooks.run(crate::hooks::Event::Exit);
            }
            Phase::Clearing => {
                self.clear_step(crate::sweep::CLEAR_BUDGET);
            }
            Phase::Idle => {
                if self.sweep_some(crate::sweep::SWEEP_BLOCKS) && self.clear_other_table(CLEAR_ARENAS) {
                    self.give_back_some();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_collection_must_be_cheap_compared_with_the_time_since_the_last_one() {
        let mut pace = Pace::default();
        assert!(!pace.allows_another(), "nothing is known of the first one");
        pace.end();
        assert!(pace.allows_another());
        pace.note(Duration::from_secs(3600));
        pace.end();
        assert!(!pace.allows_another());
    }
}

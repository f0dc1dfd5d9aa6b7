//! Minor collections: reachable young cells are marked, which makes them old. Nothing moves, and the only old cells
//! visited are roots, remembered cells and written cards.

use std::time::Instant;

use crate::heap::{Phase, State};
use crate::layout::{Place, Table};
use crate::marker::{Purpose, TAG_CARDS, TAG_MASK};

/// The young space may take one byte for this many old bytes, within its bounds.
const OLD_BYTES_PER_YOUNG: usize = 4;

/// The collections after which the pages of constants are given up that the process has read before: ever more seldom.
fn is_power_of_four(count: u64) -> bool {
    count.is_power_of_two() && count.trailing_zeros().is_multiple_of(2)
}

impl State {
    /// Collects the young space. `whole_roots`: a full marking begins with this collection.
    pub fn collect_young(&mut self, stack: (*const u8, *const u8), whole_roots: bool) {
        let started = Instant::now();
        let building = self.phase == Phase::Marking;
        let mut marker = self.marker(Purpose::Minor);
        marker.scans_unchanged = whole_roots;
        if building {
            marker.second = self.other_table();
        }
        // SAFETY: the collecting thread's own stack.
        unsafe { marker.conservative(stack.0, stack.1) };
        self.visit_roots(&mut marker);
        self.visit_remembered(&mut marker);
        marker.drain(usize::MAX);
        if self.remembered.overflowed {
            self.remembered.overflowed = false;
            marker.stack.overflowed = true;
        }
        while marker.stack.overflowed {
            marker.stack.clear();
            self.trace_all_marked(&mut marker);
        }
        self.clear_young_weak(&mut marker);
        let (promoted, grey) = (marker.marked_bytes as usize, marker.grey_bytes as usize);
        self.counters.promoted(marker.marked_cells, marker.marked_bytes);
        self.end_marking(marker);
        self.counters.mark_time += started.elapsed();
        self.old_bytes += promoted;
        if building {
            self.building_bytes += promoted + grey;
            self.promoted_while_marking += promoted;
        }
        let large_before = self.large.live_bytes;
        self.promote_or_free_large();
        self.adapt_large_limit(large_before - self.large.live_bytes);
        self.report_young();
        self.sweep_touched();
        self.young_bytes = 0;
        self.young_span = 0;
        self.young_large_bytes = 0;
        self.due = false;
        self.adapt_young_limit(promoted);
        if is_power_of_four(self.counters.collections()) {
            host::memory::forget_constants();
        }
    }

    /// Visits old cells and cards that were written to.
    fn visit_remembered(&mut self, marker: &mut crate::marker::Marker) {
        for at in 0..self.remembered.len() {
            let entry = self.remembered.at(at);
            // SAFETY: remembered entries are cells of arenas.
            unsafe { Place::of((entry & !TAG_MASK) as usize) }.clear(Table::REMEMBERED);
            marker.trace_entry(entry);
        }
        self.remembered.clear_keeping_overflow();
        self.remembered_bytes = 0;
        for at in 0..self.large.written.len() {
            let index = self.large.written[at];
            let current = self.current;
            let object = self.large.get(index);
            object.listed = false;
            if object.marked[current] {
                marker.stack.push_pair(0, (index as u64) << 3 | TAG_CARDS);
            }
        }
        self.large.written.clear();
    }

    /// Clears the remembered set: a full collection in one stop has visited everything.
    pub fn forget_remembered(&mut self) {
        for at in 0..self.remembered.len() {
            let entry = self.remembered.at(at);
            // SAFETY: remembered entries are cells of arenas.
            unsafe { Place::of((entry & !TAG_MASK) as usize) }.clear(Table::REMEMBERED);
        }
        self.remembered.clear();
        self.remembered_bytes = 0;
    }

    /// Makes young large objects old, or frees them.
    fn promote_or_free_large(&mut self) {
        let (current, now) = (self.current, self.counters.collections());
        let young = std::mem::take(&mut self.large.young);
        for &index in &young {
            let object = self.large.get(index);
            if object.marked[current] {
                object.young = false;
            } else {
                self.large.free(index, now);
            }
        }
        self.large.young = young;
        self.large.young.clear();
    }

    /// Raises the limit for large buffers if a collection that they caused has freed little.
    fn adapt_large_limit(&mut self, freed: usize) {
        if self.young_large_bytes < self.large_limit {
            return;
        }
        let tuning = &self.options.tuning;
        self.large_limit = if freed < self.young_large_bytes / 2 {
            ((self.large_limit as f64 * tuning.large_growth_factor) as usize).min(tuning.large_limit_max)
        } else {
            (self.large_limit - self.large_limit / 64).max(tuning.large_limit)
        };
        self.large_limit = self.large_limit.max(tuning.large_limit);
    }

    /// Adapts the limit of the young space to what survives: a fraction of the old bytes, so that a small heap stays
    /// small, and less if much survives, so that the pause of the next collection is not longer.
    fn adapt_young_limit(&mut self, promoted: usize) {
        let most = self.options.young_bytes;
        let fitting = (self.old_bytes / OLD_BYTES_PER_YOUNG).max(self.options.first_young_limit()).min(most);
        let least = (most / 8).max(256 << 10).min(most);
        // Marking a megabyte takes about half a millisecond.
        if promoted > 1 << 20 {
            self.young_limit = (self.young_limit / 2).max(least);
        } else if promoted <= 512 << 10 {
            self.young_limit = (self.young_limit * 2).min(fitting);
        }
    }
}

//! Clearing after a swap of the mark tables: weak tables drop dead entries, finalizers and native data are processed,
//! large objects are freed, and the unused table is cleared. It runs in steps; no cell is reused before the lists were
//! processed.

use std::ptr::NonNull;

use host::memory;

use crate::bits;
use crate::heap::{Phase, State};
use crate::layout::{ARENA_BYTES, MARK_TABLE_BYTES, MARK_TABLE_START, Table};
use crate::marker::Purpose;
use crate::weak::is_alive;

/// The tables of so many arenas keep their memory while they are unused: 32 KB of 4 MB.
const CLEARED_BY_HAND: usize = 32;

/// The progress of the clearing after a swap, by stage.
#[derive(Default, Clone, Copy)]
pub(crate) struct Clearing {
    pub weak: usize,
    pub finalizables: usize,
    pub resurrected: bool,
    pub natives: usize,
    pub large: usize,
}

impl State {
    /// Continues clearing; true if it is done.
    pub fn clear_step(&mut self, mut budget: usize) -> bool {
        if self.phase != Phase::Clearing {
            return true;
        }
        if self.clearing.weak == 0 {
            self.counters.weak_references = self.count_weak();
        }
        if !self.clear_weak(self.preceding_weak, &mut budget)
            || !self.sort_finalizables(&mut budget)
            || !self.clear_weak(self.weak.len(), &mut budget)
        {
            return false;
        }
        self.counters.retained_weak_references = self.count_weak();
        if !self.clear_sides(&mut budget) || !self.drop_dead_natives(&mut budget) || !self.free_dead_large(&mut budget)
        {
            return false;
        }
        self.phase = Phase::Idle;
        true
    }

    /// Clears the weak tables up to this one; true if it has reached it.
    fn clear_weak(&mut self, end: usize, budget: &mut usize) -> bool {
        let current = self.current_table();
        let alive = |v: abi::Value| !v.is_heap() || is_alive(v, current);
        while self.clearing.weak < end {
            if *budget == 0 {
                return false;
            }
            // SAFETY: registered tables stay in place.
            if !unsafe { self.weak[self.clearing.weak].as_mut() }.retain_step(&alive, *budget) {
                return false;
            }
            self.clearing.weak += 1;
            *budget = budget.saturating_sub(256);
        }
        true
    }

    fn drop_dead_natives(&mut self, budget: &mut usize) -> bool {
        let current = self.current_table();
        while self.clearing.natives < self.natives.old.len() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            let value = self.natives.old[self.clearing.natives];
            if is_alive(value, current) {
                self.clearing.natives += 1;
            } else {
                self.natives.old.swap_remove(self.clearing.natives);
                self.drop_native(value);
            }
        }
        true
    }

    fn free_dead_large(&mut self, budget: &mut usize) -> bool {
        while self.clearing.large < self.large.objects.len() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            let index = self.clearing.large as u32;
            let at = self.current;
            let now = self.counters.collections();
            let object = self.large.get(index);
            if object.start != 0 && !object.marked[at] && !object.young {
                self.large.free(index, now);
            }
            self.clearing.large += 1;
        }
        true
    }

    /// Moves dead objects with finalizers to the queue and marks them again, with everything that they refer to.
    fn sort_finalizables(&mut self, budget: &mut usize) -> bool {
        let current = self.current_table();
        let lists = &mut self.finalizables;
        while self.clearing.finalizables < lists.old.len() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            if is_alive(lists.old[self.clearing.finalizables], current) {
                self.clearing.finalizables += 1;
            } else {
                lists.queue.push_back(lists.old.swap_remove(self.clearing.finalizables));
                self.clearing.resurrected = true;
            }
        }
        if std::mem::take(&mut self.clearing.resurrected) {
            let mut marker = self.marker(Purpose::Full);
            self.mark_queue(&mut marker);
            self.old_bytes += marker.marked_bytes as usize;
            self.end_marking(marker);
        }
        true
    }

    pub fn finish_clearing(&mut self) {
        while !self.clear_step(usize::MAX) {}
    }

    /// Clears the unused mark table of some arenas; true when all are clear.
    pub fn clear_other_table(&mut self, limit: usize) -> bool {
        let other = 1 - self.current;
        if self.cleared_arenas == 0 {
            for object in &mut self.large.objects {
                object.marked[other] = false;
            }
        }
        let mut left = limit;
        while self.cleared_arenas < self.region.arenas() && left > 0 {
            let arena = self.region.arena(self.cleared_arenas);
            // Clearing words costs less than page faults for memory that was returned. The pages of many arenas are
            // returned, because they are not needed until the next full collection; those that a forked process shares
            // with its parent, because writing to them copies them.
            let few = if self.is_forked { 2 } else { CLEARED_BY_HAND };
            let by_hand = self.region.bytes < 64 * ARENA_BYTES || self.region.arenas() <= few || {
                let start = NonNull::new((arena + MARK_TABLE_START[other]) as *mut u8);
                // SAFETY: whole pages of a committed arena that hold only the unused table.
                start.is_none_or(|start| unsafe { memory::decommit(start, MARK_TABLE_BYTES).is_err() })
            };
            self.region.each_block_of(self.cleared_arenas, |block| {
                if block.live[other] != 0 {
                    if by_hand {
                        // SAFETY: the block's own words.
                        unsafe { bits::zero_words(block.bits(Table::MARKS[other]), block.words()) };
                    }
                    block.live[other] = 0;
                }
            });
            self.cleared_arenas += 1;
            left -= 1;
        }
        self.cleared_arenas >= self.region.arenas()
    }
}

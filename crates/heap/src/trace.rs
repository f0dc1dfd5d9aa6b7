//! The marking loop: pops entries off the mark stack and visits the references in their cells.
//!
//! A cell is visited a few entries after it was popped, so that its cache line can be prefetched. The cost of marking
//! is about that of the remaining cache misses.

use abi::Value;

use crate::large::CARD_BYTES;
use crate::layout::block_at;
use crate::marker::{Marker, Purpose, TAG_CARDS, TAG_LARGE, TAG_MASK, TAG_OBJECT, TAG_VALUES};

/// The number of entries between the stack and the tracing.
const AHEAD: usize = 8;
/// Words of a large buffer that are visited in one go.
const PIECE_WORDS: usize = 4096;
const CARD_WORDS: usize = CARD_BYTES / 8;
/// The cost of an entry in addition to its words, for pacing.
const ENTRY_WORK: usize = 4;

#[inline(always)]
fn prefetch(address: u64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch((address & !TAG_MASK) as *const i8, _MM_HINT_T0)
    };
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

impl Marker {
    /// Traces until the stack is empty, or until about `budget` words were visited. True if the stack is empty.
    pub(crate) fn drain(&mut self, budget: usize) -> bool {
        let mut ring = [0u64; AHEAD];
        let mut at = 0;
        let end = self.work.saturating_add(budget);
        loop {
            let Some(entry) = self.stack.pop() else {
                let mut rest = false;
                for i in 0..AHEAD {
                    let entry = std::mem::take(&mut ring[(at + i) % AHEAD]);
                    if entry != 0 {
                        rest = true;
                        self.trace_entry(entry);
                    }
                }
                if rest {
                    continue;
                }
                return true;
            };
            if entry & TAG_MASK >= TAG_CARDS {
                self.trace_large(entry);
            } else {
                prefetch(entry);
                let before = std::mem::replace(&mut ring[at], entry);
                at = (at + 1) % AHEAD;
                if before != 0 {
                    self.trace_entry(before);
                }
            }
            if self.work >= end {
                for entry in ring.into_iter().filter(|e| *e != 0) {
                    self.stack.push(entry);
                }
                return self.stack.is_empty();
            }
        }
    }

    #[inline(always)]
    pub(crate) fn trace_entry(&mut self, entry: u64) {
        self.work += ENTRY_WORK;
        let cell = (entry & !TAG_MASK) as *mut u64;
        if entry & TAG_MASK == TAG_OBJECT {
            // SAFETY: entries are marked cells, which are live and filled.
            unsafe { self.trace_object(cell) }
        } else {
            debug_assert!(entry & TAG_MASK == TAG_VALUES);
            // SAFETY: the entry is a live buffer of values, in a described block.
            unsafe {
                let words = (*block_at(cell as usize)).cell_size as usize / 8;
                self.work += words;
                self.slots(cell.cast::<Value>(), words);
            }
        }
    }

    /// Visits a part of a large buffer and pushes the rest.
    fn trace_large(&mut self, entry: u64) {
        let Some(from) = self.stack.pop() else { return };
        let index = (entry >> 3) as u32;
        if entry & TAG_MASK == TAG_LARGE {
            // SAFETY: the large space outlives the marker; no other reference to it exists.
            let object = unsafe { (*self.large).get(index) };
            let (first, words) = (object.start as *mut Value, object.bytes / 8);
            let count = PIECE_WORDS.min(words.saturating_sub(from as usize));
            if from as usize + count < words {
                self.stack.push_pair(from + count as u64, entry);
            }
            self.work += count;
            // SAFETY: the words are inside the live buffer.
            unsafe { self.slots(first.add(from as usize), count) };
        } else {
            self.trace_cards(index, from as usize, entry);
        }
    }

    /// Visits set cards and clears them; `from` is the index of the first word of cards.
    fn trace_cards(&mut self, index: u32, from: usize, entry: u64) {
        let mut visited = 0;
        let mut word = from;
        loop {
            // SAFETY: the large space outlives the marker, and no other reference to it exists: this borrow ends before
            // anything is visited.
            let object = unsafe { (*self.large).get(index) };
            if word >= object.cards.len() {
                return;
            }
            if visited >= PIECE_WORDS {
                self.stack.push_pair(word as u64, entry);
                return;
            }
            let (start, words) = (object.start as *mut Value, object.bytes / 8);
            let mut cards = if self.purpose == Purpose::Minor {
                std::mem::take(&mut object.cards[word])
            } else {
                object.cards[word]
            };
            while cards != 0 {
                let card = word * 64 + cards.trailing_zeros() as usize;
                cards &= cards - 1;
                let first = card * CARD_WORDS;
                let count = CARD_WORDS.min(words.saturating_sub(first));
                visited += count;
                self.work += count;
                // SAFETY: the words are inside the live buffer.
                unsafe { self.slots(start.add(first), count) };
            }
            word += 1;
        }
    }
}

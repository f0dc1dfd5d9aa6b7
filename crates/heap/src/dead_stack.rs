//! Clears the part of the native stack that no frame uses.
//!
//! A frame does not initialize all of its words, so it contains what earlier frames left at its place. A collection
//! examines all words of the native stack, and such a word may refer to an object that died long ago. The objects that
//! this one refers to are kept as well: with a tree whose nodes know their parents, the whole tree.
//!
//! The slow path of allocation therefore notes how deep the stack is. When it finds less in use than before, it clears
//! what was in use in between. H.-J. Boehm describes this in "Space Efficient Conservative Garbage Collection" (1993).

use std::hint::black_box;

use crate::mutator::Mutator;

/// Less than this is not worth a call.
const LEAST_CLEARED: usize = 1024;

/// More bytes are not cleared at once.
const MOST_CLEARED: usize = 256 * 1024;

impl Mutator {
    /// Clears the native stack below the caller's frame, as far as it was in use at earlier calls.
    #[inline]
    pub(crate) fn clear_dead_stack(&mut self) {
        let word = 0u64;
        let here = black_box(&raw const word) as usize;
        if here <= self.deepest_stack {
            self.deepest_stack = here;
        } else if here - self.deepest_stack > LEAST_CLEARED {
            let end = self.deepest_stack.max(here - MOST_CLEARED);
            clear_down_to(end);
            clear_from_lower(end);
            self.deepest_stack = here;
        }
    }
}

/// Clears the stack by frames of its own that lie there.
#[inline(never)]
fn clear_down_to(address: usize) {
    let mut words = [0u64; 512];
    if black_box(&mut words).as_ptr() as usize > address {
        clear_down_to(address);
    }
    // The frame is in use until here, so that the call above cannot replace it.
    black_box(&mut words);
}

/// Clears the words between those frames as well: in the second pass the frames lie elsewhere.
#[inline(never)]
fn clear_from_lower(address: usize) {
    let mut words = [0u64; 64];
    black_box(&mut words);
    clear_down_to(address);
    black_box(&mut words);
}

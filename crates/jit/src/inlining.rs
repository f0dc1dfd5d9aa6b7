//! How large a method may be to be inlined: the less, the more machine code there is.
//!
//! What is inlined at ten places is there ten times. In a program that spends its time in a few methods this is always
//! a gain; in one that goes through thousands of warm methods the code no longer fits the processor's caches, and the
//! call that was saved costs less than the misses. Code is compiled in the order in which it gets hot, so the hottest
//! methods of a large program get the most.

/// So many instructions each may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// A unit with all that it inlines.
    pub unit: usize,
    /// The only method that a site calls,
    pub only: usize,
    /// one of two,
    pub of_two: usize,
    /// one of more,
    pub of_many: usize,
    /// one that gets a literal block, and the block.
    pub with_block: usize,
}

/// So many bytes of machine code are little, and so many are much.
const LITTLE: usize = 1 << 18;
const MUCH: usize = 1 << 19;

impl Limits {
    /// The limits where so many bytes of machine code are `in_use`, which together with the retired ones have
    /// `occupied` so many of the budget. `None`: there is hardly room for any unit.
    pub fn new(in_use: usize, occupied: usize, budget: usize) -> Option<Limits> {
        let unit = match occupied * 16 / budget.max(1) {
            0..4 => 400,
            4..8 => 100,
            8..12 => 40,
            12..15 => 0,
            _ => return None,
        };
        let (only, of_two, of_many) = match in_use {
            0..LITTLE => (80, 50, 12),
            LITTLE..MUCH => (40, 20, 8),
            _ => (12, 8, 4),
        };
        Some(Limits { unit, only, of_two, of_many, with_block: 120 })
    }

    /// For one of so many methods that a site calls.
    pub fn of(&self, all: usize) -> usize {
        match all {
            1 => self.only,
            2 => self.of_two,
            _ => self.of_many,
        }
    }
}

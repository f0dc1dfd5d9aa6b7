//! Which blocks of instructions of a large code run: the others are not compiled.

use super::Tier;

impl Tier {
    /// The block of instructions at a word runs.
    pub fn visit(&self, word: usize) {
        self.record(|record| record.visited.insert(word as u32));
    }

    /// Did the block at a word run, as far as was seen?
    pub fn has_visited(&self, word: usize) -> bool {
        self.recorded(|record| record.visited.contains(&(word as u32))) == Some(true)
    }

    /// Is the code compiled again for blocks that were left out?
    pub fn learns_visits(&self) -> bool {
        self.for_visits.get() < Tier::MOST_FOR_VISITS
    }

    /// Compiled code left at a block that was not compiled, since it had not run.
    pub fn learn_visit(&self, word: usize) {
        self.visit(word);
        let times = self.for_visits.get();
        if self.learns_visits() && self.count_exit_of(times, Tier::EXITS << times) {
            self.for_visits.set(times + 1);
        }
    }
}

//! Records which blocks of instructions run. The other blocks are not compiled.

use super::Tier;

impl Tier {
    /// The block of instructions at a word runs.
    pub fn visit(&self, word: usize) {
        self.record(|record| record.visited.insert(word as u32));
    }

    /// Whether the block at a word has run, as far as was recorded.
    pub fn has_visited(&self, word: usize) -> bool {
        self.recorded(|record| record.visited.contains(&(word as u32))) == Some(true)
    }

    /// Whether it is known of any block that it has run.
    pub fn has_visits(&self) -> bool {
        self.recorded(|record| !record.visited.is_empty()) == Some(true)
    }

    /// The number of compilations for blocks that had been left out.
    pub fn compilations_for_visits(&self) -> u8 {
        self.for_visits.get()
    }

    /// Whether the code is compiled again when blocks run that were left out.
    pub fn learns_visits(&self) -> bool {
        self.for_visits.get() < Tier::MOST_FOR_VISITS
    }

    /// Compiled code exited at a block, of its own or of an inlined body, that was not compiled because it had not run.
    pub fn learn_visit(&self) {
        let times = self.for_visits.get();
        if self.learns_visits() && self.count_exit_of(times, self.enough_exits().max(Tier::EXITS << times)) {
            self.for_visits.set(times + 1);
        }
    }
}

//! Which blocks of instructions of a large code run: the others are not compiled.

use super::Tier;

impl Tier {
    /// From now on it is watched which blocks of instructions run.
    pub fn watch_blocks(&self) {
        self.record(|record| record.are_blocks_watched = true);
    }

    /// The block of instructions at a place runs.
    pub fn visit(&self, place: u64) {
        self.record(|record| record.visited.insert(place));
    }

    /// Did the block at a place run, as far as was seen?
    pub fn has_visited(&self, place: u64) -> bool {
        self.recorded(|record| record.visited.contains(&place)) == Some(true)
    }

    /// Was it watched which blocks run?
    pub fn are_blocks_watched(&self) -> bool {
        self.recorded(|record| record.are_blocks_watched) == Some(true)
    }

    /// Is the code compiled again for blocks that were left out?
    pub fn learns_visits(&self) -> bool {
        self.are_blocks_watched() && self.for_visits.get() < Tier::MOST_FOR_VISITS
    }

    /// Compiled code left at a block that was not compiled, since it had not run.
    pub fn learn_visit(&self, place: u64) {
        self.visit(place);
        let times = self.for_visits.get();
        if self.learns_visits() && self.count_exit_of(times, Tier::EXITS << times) {
            self.for_visits.set(times + 1);
        }
    }
}

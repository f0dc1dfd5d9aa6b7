//! What a source's counters counted while coverage ran. Code increments its counters even while coverage is suspended.

use std::sync::Arc;

use memory::ToVector;
use runtime::counters::Counters;

pub struct Tally {
    pub counters: Arc<Counters>,
    /// The part of each counter that is subtracted: counts from before the latest `clear`, and from suspensions since
    /// then.
    deducted: Vec<u64>,
    /// The counters when coverage was suspended; `None` while it runs.
    suspended_at: Option<Vec<u64>>,
}

impl Tally {
    /// A tally of counters that are all 0.
    pub fn new(counters: Arc<Counters>, is_running: bool) -> Tally {
        let zeros = memory::filled(0, counters.counted.counters);
        Tally { counters, suspended_at: (!is_running).then(|| zeros.to_vector()), deducted: zeros }
    }

    fn read(&self) -> Vec<u64> {
        (0..self.deducted.len()).map(|counter| self.counters.get(counter)).collect()
    }

    pub fn get(&self, counter: usize) -> u64 {
        let count = match &self.suspended_at {
            Some(counts) => counts.get(counter).copied().unwrap_or(0),
            None => self.counters.get(counter),
        };
        count.saturating_sub(self.deducted.get(counter).copied().unwrap_or(0))
    }

    pub fn run(&mut self, is_running: bool) {
        let now = self.read();
        match self.suspended_at.take() {
            None if !is_running => self.suspended_at = Some(now),
            Some(counts) if is_running => {
                let meanwhile = now.iter().zip(&counts).map(|(now, then)| now - then);
                self.deducted.iter_mut().zip(meanwhile).for_each(|(deducted, more)| *deducted += more);
            }
            same => self.suspended_at = same,
        }
    }

    pub fn clear(&mut self) {
        self.deducted = self.suspended_at.as_ref().map_or_else(|| self.read(), |counts| counts.to_vector());
    }
}

//! What it cost to return memory that was soon needed again.

/// Nanoseconds that the system took for such memory, less a part of the processor time since then. Memory is returned
/// only while the rest is small: a program whose heap grows and shrinks all the time keeps its memory, and one that has
/// passed a peak returns it.
#[derive(Default)]
pub struct Waste {
    owed: u64,
    /// The processor time of the process, in nanoseconds, up to which `owed` has been reduced.
    settled: u64,
}

impl Waste {
    /// Returning 64 KiB and getting them again: 1 to 3 microseconds for each page.
    const PER_BLOCK: u64 = 40_000;
    /// One of so many parts of the processor time may be wasted.
    const PART: u64 = 64;
    /// Up to here more memory is returned.
    const LIMIT: u64 = 10_000_000;

    /// Notes that so many blocks' memory was needed again.
    pub fn note(&mut self, blocks: usize) {
        self.owed += blocks as u64 * Waste::PER_BLOCK;
    }

    /// Whether more memory may be returned, at this processor time of the process.
    pub fn allows_more(&mut self, now: u64) -> bool {
        self.owed = self.owed.saturating_sub(now.saturating_sub(self.settled) / Waste::PART);
        self.settled = now;
        self.owed < Waste::LIMIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_needed_again_is_kept_for_a_time() {
        const SECOND: u64 = 1_000_000_000;
        let mut waste = Waste::default();
        assert!(waste.allows_more(SECOND));
        waste.note(1000);
        assert!(!waste.allows_more(SECOND), "40 milliseconds were wasted");
        assert!(!waste.allows_more(2 * SECOND));
        assert!(waste.allows_more(3 * SECOND));
    }
}

//! Pauses of the program caused by the collector.

use std::fmt;
use std::time::Duration;

use crate::heap::Heap;

/// Number of entries of [`Pauses::histogram`].
pub const PAUSE_BUCKETS: usize = 24;

/// Pauses of the program: collections and the steps between them, by the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pauses {
    pub longest: Duration,
    pub last: Duration,
    pub total: Duration,
    /// Entry `i`: the number of pauses that were shorter than 2^i microseconds, and no shorter than half of that.
    pub histogram: [u64; PAUSE_BUCKETS],
}

impl fmt::Display for Pauses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |d: Duration| d.as_secs_f64() * 1e3;
        write!(f, "pauses: longest {:.3} ms, total {:.1} ms;", milliseconds(self.longest), milliseconds(self.total))?;
        for (bucket, count) in self.histogram.iter().enumerate().filter(|(_, count)| **count > 0) {
            write!(f, " <{}us: {count}", 1u64 << bucket)?;
        }
        Ok(())
    }
}

impl Heap {
    pub fn pauses(&self) -> Pauses {
        let counters = &self.state().counters;
        Pauses {
            longest: counters.longest_pause,
            last: counters.last_pause,
            total: counters.time,
            histogram: counters.pauses,
        }
    }
}

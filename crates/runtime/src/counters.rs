//! Counters of lines, calls and branches: the library coverage requests them before files are compiled.
//!
//! They belong to the source, so that machine code can contain their addresses. Code also counts while coverage is
//! suspended; the library subtracts these counts.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use bytecode::sequence::Counted;
use compiler::{Counts, Options, SourceKind};

/// The request of the library coverage.
#[derive(Default)]
pub struct Counting {
    /// Files, and with `evals` evals, are compiled with counters for this.
    pub counts: Counts,
    pub evals: bool,
    /// Whether first runs of lines are recorded, and calls of methods that share their code.
    pub running: bool,
    /// The lines whose first run was recorded: source number and line, in that order.
    pub first_runs: Vec<(u32, i32)>,
}

impl Counting {
    /// What a source is compiled with.
    pub fn wanted(&self, options: &Options) -> Counts {
        let is_wanted = self.evals || !matches!(options.kind, SourceKind::Eval { .. });
        if is_wanted { self.counts } else { Counts::default() }
    }
}

/// The counters of a source.
pub struct Counters {
    pub counted: Counted,
    counts: Box<[AtomicU64]>,
}

impl Counters {
    /// `None` if nothing is counted.
    pub fn new(counted: Counted) -> Option<Arc<Counters>> {
        let count = counted.counters;
        (count > 0).then(|| Arc::new(Counters { counted, counts: (0..count).map(|_| AtomicU64::new(0)).collect() }))
    }

    pub fn get(&self, counter: usize) -> u64 {
        self.counts.get(counter).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    pub fn set(&self, counter: usize, count: u64) {
        if let Some(place) = self.counts.get(counter) {
            place.store(count, Ordering::Relaxed);
        }
    }

    /// Increments a counter, under the global lock.
    #[inline(always)]
    pub fn increment(&self, counter: usize) {
        if let Some(count) = self.counts.get(counter) {
            count.store(count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        }
    }

    /// The address of a counter, for machine code.
    pub fn address(&self, counter: usize) -> Option<usize> {
        self.counts.get(counter).map(|count| count.as_ptr() as usize)
    }
}

//! The options of a heap.

use crate::tuning::Tuning;

/// The young space of a heap in which little is old. A minor collection of such a heap takes some ten microseconds, and
/// half a megabyte is allocated in some four hundred.
const SMALL_YOUNG_BYTES: usize = 512 << 10;

pub struct Options {
    /// Address space to reserve at most.
    pub region_bytes: usize,
    /// The bytes that may be allocated between two minor collections. They should fit the second-level cache: with a
    /// cache of two megabytes, cells of 160 bytes cost 3.3 ns with 2 MiB, 5.0 with 3, 6.8 with 4, and 4.2 with 1.
    pub young_bytes: usize,
    /// `--stress-gc`: a collection at every n-th allocation; 0 for none.
    pub stress_interval: u32,
    /// `GC.stress = n`: bits 1 no full collection, 2 no immediate sweep, 4 full collection after large buffers.
    pub stress_flags: u32,
    /// The maximum number of words examined by a step of a full marking, for tests and stress: a small number prolongs
    /// markings.
    pub step_words: usize,
    /// `--verify-heap`: mark everything again after each collection and report what was missed.
    pub verify: bool,
    /// `GC.config(rgengc_allow_full_mark:)`.
    pub allow_full: bool,
    /// `GC.auto_compact`.
    pub auto_compact: bool,
    /// `RUBY_GC_*`.
    pub tuning: Tuning,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            region_bytes: 1 << 40,
            young_bytes: 2 << 20,
            stress_interval: 0,
            stress_flags: 0,
            step_words: usize::MAX,
            verify: false,
            allow_full: true,
            auto_compact: false,
            tuning: Tuning::default(),
        }
    }
}

impl Options {
    /// The limit of the young space while little is old.
    pub(crate) fn first_young_limit(&self) -> usize {
        self.young_bytes.min(SMALL_YOUNG_BYTES)
    }
}

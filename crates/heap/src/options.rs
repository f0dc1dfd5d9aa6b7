//! What a heap is made with.

use crate::tuning::Tuning;

pub struct Options {
    /// Address space to reserve at most.
    pub region_bytes: usize,
    /// What may be allocated between two minor collections. It should fit the second-level cache: measured with two
    /// megabytes of it, cells of 160 bytes cost 3.3 ns with 2 MiB, 5.0 with 3, 6.8 with 4, and 4.2 with 1.
    pub young_bytes: usize,
    /// `--stress-gc`: a collection at every so many allocations; 0 for none.
    pub stress_interval: u32,
    /// `GC.stress = n`: bits 1 no full collection, 2 no immediate sweep, 4 full collection after large buffers.
    pub stress_flags: u32,
    /// Words that a step of a full marking looks at at most, for tests and stress: a small number keeps markings under
    /// way for long.
    pub step_words: usize,
    /// `--verify-heap`: mark everything again after each collection and report what it missed.
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

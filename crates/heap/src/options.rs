//! What a heap is made with.

use crate::tuning::Tuning;

pub struct Options {
    /// Address space to reserve at most.
    pub region_bytes: usize,
    /// What may be allocated between two minor collections.
    pub young_bytes: usize,
    /// `--stress-gc`: a collection at every so many allocations; 0 for none.
    pub stress_interval: u32,
    /// `GC.stress = n`: bits 1 no full collection, 2 no immediate sweep, 4 full collection after large buffers.
    pub stress_flags: u32,
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
            young_bytes: 4 << 20,
            stress_interval: 0,
            stress_flags: 0,
            verify: false,
            allow_full: true,
            auto_compact: false,
            tuning: Tuning::default(),
        }
    }
}

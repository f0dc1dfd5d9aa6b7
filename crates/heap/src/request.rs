//! Why and how a collection is asked for.

/// What asked for a collection: `GC.latest_gc_info[:gc_by]` and `[:major_by]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The young space is used up.
    Allocation,
    /// Young large buffers reached their limit.
    LargeAllocation,
    /// The program asked (`GC.start`).
    Method,
    Stress,
    /// No memory is left.
    Exhausted,
    /// Old bytes passed their limit.
    OldBytes,
    /// `GC.compact` or `Process.warmup`.
    Compaction,
}

/// A collection that somebody asks for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Everything, not only what is young.
    pub full: bool,
    /// Marks to the end before it returns. Otherwise a full marking is begun and goes on beside the program.
    pub immediate_mark: bool,
    /// Sweeps, and gives memory back, before it returns.
    pub immediate_sweep: bool,
    pub cause: Cause,
}

impl Request {
    /// `GC.start` with its defaults.
    pub fn full(cause: Cause) -> Request {
        Request { full: true, immediate_mark: true, immediate_sweep: true, cause }
    }

    pub fn minor(cause: Cause) -> Request {
        Request { full: false, immediate_mark: true, immediate_sweep: false, cause }
    }
}

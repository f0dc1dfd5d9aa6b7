//! Requests for a collection.

/// The cause of a collection: `GC.latest_gc_info[:gc_by]` and `[:major_by]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The young space is used up.
    Allocation,
    /// Young large buffers reached their limit.
    LargeAllocation,
    /// A call of the program (`GC.start`).
    Method,
    Stress,
    /// Memory is exhausted.
    Exhausted,
    /// Old bytes passed their limit.
    OldBytes,
    /// `GC.compact` or `Process.warmup`.
    Compaction,
}

/// A requested collection.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// Collect old objects too.
    pub full: bool,
    /// Complete the marking before returning. Otherwise an incremental full marking is started.
    pub immediate_mark: bool,
    /// Finish sweeping, and return unused memory, before returning.
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

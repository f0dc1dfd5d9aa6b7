//! The hooks that extensions in C have in the collector.

use abi::Value;
use heap::Event;

use super::cx::Cx;

/// The hooks that extensions in C need in the collector; unset until the first one is loaded.
#[derive(Default)]
pub struct Extensions {
    /// Visits the references in C's variables.
    pub trace: Option<fn(&mut heap::Marker)>,
    /// Remembers the objects whose references C changes without a write barrier.
    pub before_collection: Option<fn(&mut Cx)>,
    /// Whether structures of dead objects wait to be freed, and the function that frees them.
    pub has_freed: Option<fn() -> bool>,
    pub run_freed: Option<fn(&mut Cx)>,
    /// Frees the structures of all objects when the process ends.
    pub free_all: Option<fn(&mut Cx)>,
    /// Runs the jobs that were requested by [`crate::concurrency::signals::request_jobs`].
    pub run_jobs: Option<fn(&mut Cx)>,
    /// Called at each event of a collection.
    pub event: Option<fn(Event)>,
    /// Called with each object that is made, whose cell is not filled yet, in the context that makes it.
    pub made: Option<fn(&mut Cx, Value)>,
    /// Called with each object that is about to be freed.
    pub freed: Option<fn(Value)>,
}

/// The references in C's variables.
pub(super) fn trace_extensions(extensions: &mut Extensions, marker: &mut heap::Marker) {
    if let Some(trace) = extensions.trace {
        trace(marker);
    }
}

//! Callbacks of the collector. They run inside a stop and must not allocate.

use abi::Value;

/// The events of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Start,
    EndMark,
    EndSweep,
    /// The collector starts working: a collection, or a step between allocations.
    Enter,
    Exit,
}

/// Callbacks for listeners.
pub struct Hooks {
    /// Called at each event with `data`.
    pub event: Option<unsafe fn(data: *mut (), event: Event)>,
    /// Called with each object that is about to be freed. Its cell is still readable, but objects that it refers to may
    /// not be. While this is set, collections walk dead objects.
    pub freed: Option<unsafe fn(data: *mut (), object: Value)>,
    /// Called with each young object that survives, which makes it old. While this is set, collections walk the
    /// survivors.
    pub promoted: Option<unsafe fn(data: *mut (), object: Value)>,
    pub data: *mut (),
}

impl Hooks {
    pub(crate) fn run(&self, event: Event) {
        if let Some(hook) = self.event {
            // SAFETY: `set_hooks` took both.
            unsafe { hook(self.data, event) };
        }
    }
}

impl Default for Hooks {
    fn default() -> Hooks {
        Hooks { event: None, freed: None, promoted: None, data: std::ptr::null_mut() }
    }
}

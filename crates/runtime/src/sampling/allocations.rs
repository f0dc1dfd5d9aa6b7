//! Reports allocations, with the frames that made them, to a listener.
//!
//! The listener runs inside an allocation or a collection, so it may use only native memory.

use rustc_hash::FxHashSet;

pub use crate::state::sampling::{Listener, Rate};
use crate::{Cx, state::sampling::Listening};

/// Starts reporting allocations to a listener; false if there already is one, or if allocation sites are being traced.
pub fn start(cx: &mut Cx, rate: Rate, listener: Box<dyn Listener>) -> bool {
    if cx.vm().sampling.allocations.is_some() || cx.vm().collector.sites.is_on() {
        return false;
    }
    cx.vm_mut().sampling.allocations = Some(Listening { rate, listener: Some(listener) });
    cx.listen_to_collector();
    true
}

/// Stops reporting, and passes the listener to `finish`; the objects that it has seen stay alive until that returns.
/// `None` if there is no listener.
pub fn stop<T>(cx: &mut Cx, finish: impl FnOnce(&mut Cx, Box<dyn Listener>) -> T) -> Option<T> {
    let listener = cx.vm_mut().sampling.allocations.take()?.listener?;
    cx.listen_to_collector();
    cx.vm_mut().sampling.ending = listener.kept().clone();
    let result = finish(cx, listener);
    cx.vm_mut().sampling.ending = FxHashSet::default();
    Some(result)
}

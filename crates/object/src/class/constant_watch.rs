//! Invalidation of the inline caches of constants. Each name that a constant site has looked up has a version. It is
//! incremented whenever a constant of that name is added, removed or changed anywhere, or enters the ancestors of a
//! module.
//!
//! A definition thus costs one table lookup, and invalidates only the sites of its own name. The sites of class
//! variables (see `class_variables`) are invalidated in the same way.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustc_hash::FxHashMap;

use crate::{Mem, Sym};

/// The version of sites that have not looked up anything; no watch has it.
pub const NEVER: u32 = 0;

/// The version of a name. Lives as long as the process: names of constants are pinned, and their number is bounded by
/// the program's text.
pub struct Watch {
    version: AtomicU32,
    /// Whether compiled code relies on the version.
    is_relied_on: AtomicBool,
}

static UNWATCHED: Watch = Watch::new();

impl Watch {
    pub(super) const fn new() -> Watch {
        Watch { version: AtomicU32::new(1), is_relied_on: AtomicBool::new(false) }
    }

    /// The watch of sites that have not looked up anything.
    pub fn unwatched() -> &'static Watch {
        &UNWATCHED
    }

    #[inline(always)]
    pub fn version(&self) -> u32 {
        self.version.load(Ordering::Relaxed)
    }

    /// Records that compiled code relies on the version.
    pub fn rely(&self) {
        self.is_relied_on.store(true, Ordering::Relaxed);
    }

    /// Increments the version. Returns whether compiled code relied on it.
    pub(super) fn raise(&self) -> bool {
        let next = self.version().wrapping_add(1);
        self.version.store(if next == NEVER { 1 } else { next }, Ordering::Relaxed);
        self.is_relied_on.swap(false, Ordering::Relaxed)
    }
}

/// The watches of all names that sites have looked up.
#[derive(Default)]
pub struct Watches {
    by_name: FxHashMap<Sym, &'static Watch>,
    /// The number of changes of names that were looked up, for RubyVM.stat.
    pub invalidations: u64,
}

impl Watches {
    /// The watch of a name, created at its first lookup.
    pub fn watch(&mut self, name: Sym) -> &'static Watch {
        self.by_name.entry(name).or_insert_with(|| Box::leak(Box::new(Watch::new())))
    }
}

/// Called when a constant of that name was added, removed or changed.
pub fn changed(cx: &mut Mem, name: Sym) {
    let watches = &mut cx.world_mut().constant_watches;
    let Some(watch) = watches.by_name.get(&name) else { return };
    watches.invalidations += 1;
    if watch.raise() {
        cx.world().reliance.notify();
    }
}

/// Invalidates all sites: from now on not every Ractor may access every value.
pub fn all_changed(cx: &mut Mem) {
    let watches = &mut cx.world_mut().constant_watches;
    watches.invalidations += 1;
    if watches.by_name.values().filter(|watch| watch.raise()).count() > 0 {
        cx.world().reliance.notify();
    }
}

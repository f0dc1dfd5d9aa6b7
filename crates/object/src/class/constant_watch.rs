//! Invalidation of the inline caches of constants. Each name that a constant site has looked up has a version. It is
//! incremented whenever a constant of that name is added, removed or changed anywhere, or enters the ancestors of a
//! module.
//!
//! A definition thus costs one table lookup, and invalidates only the sites of its own name.

use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;

use crate::Sym;

/// The version of sites that have not looked up anything; no watch has it.
pub const NEVER: u32 = 0;

/// The version of a name. Lives as long as the process: names of constants are pinned, and their number is bounded by
/// the program's text.
#[repr(transparent)]
pub struct Watch(AtomicU32);

static UNWATCHED: Watch = Watch(AtomicU32::new(1));

impl Watch {
    /// The watch of sites that have not looked up anything.
    pub fn unwatched() -> &'static Watch {
        &UNWATCHED
    }

    #[inline(always)]
    pub fn version(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    fn raise(&self) {
        let next = self.version().wrapping_add(1);
        self.0.store(if next == NEVER { 1 } else { next }, Ordering::Relaxed);
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
        self.by_name.entry(name).or_insert_with(|| Box::leak(Box::new(Watch(AtomicU32::new(1)))))
    }

    /// Called when a constant of that name was added, removed or changed.
    pub fn changed(&mut self, name: Sym) {
        if let Some(watch) = self.by_name.get(&name) {
            watch.raise();
            self.invalidations += 1;
        }
    }

    /// Invalidates all sites: from now on not every Ractor may access every value.
    pub fn all_changed(&mut self) {
        self.by_name.values().for_each(|watch| watch.raise());
        self.invalidations += 1;
    }
}

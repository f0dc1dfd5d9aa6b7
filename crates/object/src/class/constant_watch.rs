//! What inline caches of constants rely on: each name that a site has looked up has a version, raised whenever a
//! constant of that name comes, goes or changes anywhere, or comes into the ancestors of a module.
//!
//! A definition thus costs one table look-up, and invalidates the sites of its own name alone.

use std::sync::atomic::{AtomicU32, Ordering};

use rustc_hash::FxHashMap;

use crate::Sym;

/// The version of sites that have looked nothing up; no watch has it.
pub const NEVER: u32 = 0;

/// The version of a name. Lives as long as the process: names of constants are pinned, and their number is bounded by
/// the program's text.
#[repr(transparent)]
pub struct Watch(AtomicU32);

static UNWATCHED: Watch = Watch(AtomicU32::new(1));

impl Watch {
    /// What sites refer to that have looked nothing up.
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
    /// How often a name that was looked up changed, for RubyVM.stat.
    pub invalidations: u64,
}

impl Watches {
    /// The watch of a name, made at its first look-up.
    pub fn watch(&mut self, name: Sym) -> &'static Watch {
        self.by_name.entry(name).or_insert_with(|| Box::leak(Box::new(Watch(AtomicU32::new(1)))))
    }

    /// A constant of that name came, went or changed.
    pub fn changed(&mut self, name: Sym) {
        if let Some(watch) = self.by_name.get(&name) {
            watch.raise();
            self.invalidations += 1;
        }
    }

    /// Every site is to look again: from now on some values are not for everyone.
    pub fn all_changed(&mut self) {
        self.by_name.values().for_each(|watch| watch.raise());
        self.invalidations += 1;
    }
}

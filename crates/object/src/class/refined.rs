//! Inline caches' entries of refined methods. A refined method is found for the class of the receiver and the list of
//! the refinements that are active in the calling code. The lookup is kept with those of `super` in the class, with the
//! list in place of the module behind which `super` searches, so that the same changes invalidate it.
//!
//! Call sites do not keep these entries, because the same code can run in several lexical scopes. They look in a table
//! of the most recently used entries ([`RecentEntries`](super::recent::RecentEntries)).

use abi::Value;
use rustc_hash::FxHashSet;

use super::{
    call_cache::{self, Lookup, NewCache},
    class_data_mut,
    constant_watch::Watch,
    data::SuperLookup,
    lookup,
};
use crate::{Mem, Sym};

/// The names of all methods that a refinement has, or had. Calls of other names are not changed by any refinement.
#[derive(Default)]
pub struct RefinedNames(FxHashSet<Sym>);

/// Changes with each name that is new among those of refinements.
static NAMES: Watch = Watch::new();

impl RefinedNames {
    pub fn contains(&self, name: Sym) -> bool {
        self.0.contains(&name)
    }

    /// The watch on which compiled code relies that takes a name for one that no refinement has.
    pub fn watch() -> &'static Watch {
        &NAMES
    }
}

/// Called when a refinement gets a method of that name.
pub fn note_name(cx: &mut Mem, name: Sym) {
    if cx.world_mut().refined_names.0.insert(name) && NAMES.raise() {
        cx.world().reliance.notify();
    }
}

/// The most lookups of a name that a class keeps: they are searched in a row.
const MOST_LISTS: usize = 64;

/// Keeps the entry for instances of `class` for which a refined method was found.
pub fn keep(cx: &mut Mem, class: Value, list: Value, name: Sym, made: &NewCache) {
    if lookup::known_super(class, list, name) != Some(made.entry) {
        let found = SuperLookup { owner: list, lookup: Lookup::new(made.entry) };
        let known = class_data_mut(cx, class).supers.get_or_insert_default().entry(name).or_default();
        if known.len() >= MOST_LISTS {
            return;
        }
        known.push(found);
        cx.world_mut().looked_up.insert(name);
    }
    let known = lookup::cached_super(class, list, name, made.shape);
    if let Some(cache) = known.or_else(|| call_cache::add_super(cx, class, list, name, made)) {
        cx.world_mut().recent_refined.set(list, name, made.shape, cache);
    }
}

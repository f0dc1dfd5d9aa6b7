//! A table of the entries of inline caches that were used most recently, where the call site and the receiver's shape
//! do not say what is called.
//!
//! For `super` the key is the running method's entry: the same code can be the body of several methods, which `super`
//! leaves for different ones. For refined methods it is the list of the active refinements and the name.

use abi::Value;

use super::call_cache::CacheRef;
use crate::Sym;

/// The references are weak: a collection clears the table.
#[derive(Default)]
pub struct RecentEntries {
    places: Option<Box<[Place; PLACES]>>,
}

const PLACES: usize = 512;

#[derive(Clone, Copy)]
struct Place {
    by: Value,
    name: Sym,
    cache: CacheRef,
}

const UNUSED: Place = Place { by: Value::NIL, name: Sym::NONE, cache: CacheRef::EMPTY };

impl RecentEntries {
    #[inline]
    fn place_of(by: Value, name: Sym, shape: u32) -> usize {
        let (by, name) = (by.0, name.value().0);
        (by >> 3 ^ by >> 12 ^ name >> 4 ^ name >> 8 ^ u64::from(shape)) as usize % PLACES
    }

    /// The entry for receivers of a shape.
    #[inline]
    pub fn get(&self, by: Value, name: Sym, shape: u32) -> Option<CacheRef> {
        let known = self.places.as_ref()?[Self::place_of(by, name, shape)];
        (known.by == by && known.name == name && known.cache.matches(shape)).then_some(known.cache)
    }

    pub fn set(&mut self, by: Value, name: Sym, shape: u32, cache: CacheRef) {
        let places = self.places.get_or_insert_with(|| Box::new([UNUSED; PLACES]));
        places[Self::place_of(by, name, shape)] = Place { by, name, cache };
    }

    /// Drops what the collection that begins may free.
    pub fn begin_collection(&mut self) {
        if let Some(places) = &mut self.places {
            places.fill(UNUSED);
        }
    }
}

//! The entries of inline caches that calls of `super` have used most recently, by the running method's entry and the
//! receiver's shape. The call's own cache does not suffice: the same code can be the body of several methods, which
//! `super` leaves for different ones.

use abi::Value;

use super::call_cache::CacheRef;

/// The references are weak: a collection clears the table.
#[derive(Default)]
pub struct RecentSupers {
    places: Option<Box<[Place; PLACES]>>,
}

const PLACES: usize = 512;

#[derive(Clone, Copy)]
struct Place {
    entry: Value,
    cache: CacheRef,
}

const UNUSED: Place = Place { entry: Value::NIL, cache: CacheRef::EMPTY };

impl RecentSupers {
    #[inline]
    fn place_of(entry: Value, shape: u32) -> usize {
        (entry.0 >> 3 ^ entry.0 >> 12 ^ u64::from(shape)) as usize % PLACES
    }

    /// The entry for a `super` in the method `entry` on receivers of a shape.
    #[inline]
    pub fn get(&self, entry: Value, shape: u32) -> Option<CacheRef> {
        let known = self.places.as_ref()?[Self::place_of(entry, shape)];
        (known.entry == entry && known.cache.matches(shape)).then_some(known.cache)
    }

    pub fn set(&mut self, entry: Value, shape: u32, cache: CacheRef) {
        let places = self.places.get_or_insert_with(|| Box::new([UNUSED; PLACES]));
        places[Self::place_of(entry, shape)] = Place { entry, cache };
    }

    /// Drops what the collection that begins may free.
    pub fn begin_collection(&mut self) {
        if let Some(places) = &mut self.places {
            places.fill(UNUSED);
        }
    }
}

//! Where instance variables were found most recently, by shape and name: for places in the code that meet more shapes
//! than their inline cache holds. Compiled code reads the table itself.

use abi::ShapeId;

use crate::Sym;

/// The numbers of dead shapes are used again, so each collection clears the table.
pub struct RecentPlaces([RecentPlace; PLACES]);

/// A variable that objects of a shape have, or get, in their own cell.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct RecentPlace {
    /// See [`RecentPlaces::key`]; 0 for an empty place.
    pub key: u64,
    /// The word of the cell.
    pub word: u32,
    /// The shape once the variable is set: the same one if the objects have the variable already.
    pub after: u32,
}

const PLACES: usize = 1024;

impl RecentPlaces {
    /// The offset in bytes of the place for a shape and a name is
    /// `(shape * MULTIPLIER >> SHIFT ^ offset_of_name(name)) & OFFSETS`.
    pub const MULTIPLIER: u64 = 0x9e37_79b1;
    pub const SHIFT: u64 = 3;
    pub const OFFSETS: u64 = ((PLACES - 1) * size_of::<RecentPlace>()) as u64;

    /// What identifies a shape and a name; `None` for names that are objects.
    pub fn key(shape: ShapeId, name: Sym) -> Option<u64> {
        Some(u64::from(shape.0) | RecentPlaces::key_of_name(name)?)
    }

    /// The part of a key that identifies the name.
    pub fn key_of_name(name: Sym) -> Option<u64> {
        let number = name.value().0 >> 8;
        (name.value().is_static_symbol() && number <= u64::from(u32::MAX)).then_some(number << 32)
    }

    /// What the name contributes to the offset of its place.
    pub fn offset_of_name(name: Sym) -> u64 {
        (name.value().0 >> 8) * size_of::<RecentPlace>() as u64
    }

    pub fn clear(&mut self) {
        self.0.fill(RecentPlace::default());
    }

    #[inline(always)]
    pub fn get(&self, shape: ShapeId, name: Sym) -> Option<RecentPlace> {
        let place = self.0[RecentPlaces::place(shape, name)];
        (RecentPlaces::key(shape, name) == Some(place.key)).then_some(place)
    }

    pub fn set(&mut self, shape: ShapeId, name: Sym, word: usize, after: ShapeId) {
        if let Some(key) = RecentPlaces::key(shape, name) {
            self.0[RecentPlaces::place(shape, name)] = RecentPlace { key, word: word as u32, after: after.0 };
        }
    }

    #[inline(always)]
    fn place(shape: ShapeId, name: Sym) -> usize {
        let mixed = (u64::from(shape.0) * RecentPlaces::MULTIPLIER) >> RecentPlaces::SHIFT;
        let offset = (mixed ^ RecentPlaces::offset_of_name(name)) & RecentPlaces::OFFSETS;
        offset as usize / size_of::<RecentPlace>()
    }
}

impl Default for RecentPlaces {
    fn default() -> RecentPlaces {
        RecentPlaces([RecentPlace::default(); PLACES])
    }
}

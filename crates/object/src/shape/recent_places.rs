//! Where instance variables were found most recently, by shape and name: for places in the code that meet more shapes
//! than their inline cache holds. Compiled code reads the table itself.

use abi::ShapeId;

use super::by_name::ByShapeAndName;
use crate::Sym;

/// The numbers of dead shapes are used again, so the shape table clears this one before.
pub struct RecentPlaces(pub Box<PlacesByName>);

pub type PlacesByName = ByShapeAndName<RecentPlace, 4096>;

/// A variable that objects of a shape have, or get, in their own cell.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct RecentPlace {
    /// The shape, and [`RecentPlaces::key_of_name`]; 0 for an empty place.
    pub key: u64,
    /// The word of the cell.
    pub word: u32,
    /// The shape once the variable is set: the same one if the objects have the variable already.
    pub after: u32,
}

/// The name's part of a key for names that are objects: no place has it.
const NO_NAME: u64 = 0xffff_ffff << 32;

impl RecentPlaces {
    /// The part of a key that identifies the name; the lower half is the shape.
    pub fn key_of_name(name: Sym) -> u64 {
        let number = name.value().0 >> 8;
        if name.value().is_static_symbol() && number < NO_NAME >> 32 { number << 32 } else { NO_NAME }
    }

    pub fn clear(&mut self) {
        self.0.fill(RecentPlace::default());
    }

    pub fn set(&mut self, shape: ShapeId, name: Sym, word: usize, after: ShapeId) {
        let of_name = RecentPlaces::key_of_name(name);
        if of_name != NO_NAME {
            let key = of_name | u64::from(shape.0);
            self.0.set(shape.0, name, RecentPlace { key, word: word as u32, after: after.0 });
        }
    }
}

impl Default for RecentPlaces {
    fn default() -> RecentPlaces {
        // SAFETY: all zeros are an empty place.
        RecentPlaces(unsafe { PlacesByName::zeroed() })
    }
}

//! Instance variables of objects of many shapes: compiled code finds the place in the table of recent places
//! (`object::shape::recent_places`).

use object::{
    Sym,
    shape::recent_places::{RecentPlace, RecentPlaces},
};
use std::mem::offset_of;

use crate::{
    ir::{Binary, Condition},
    ivars::SHAPE,
    seam::{Block, Ssa},
    translate::Translator,
};

/// The address of the place for a shape and a name; goes to `missing` if the table does not have it.
fn find(t: &mut Translator, shape: Ssa, name: Sym, missing: Block) -> Ssa {
    let mixed = t.e.binary_constant(Binary::Multiply, shape, RecentPlaces::MULTIPLIER);
    let mixed = t.e.binary_constant(Binary::ShiftRightUnsigned, mixed, RecentPlaces::SHIFT);
    let of_name = RecentPlaces::offset_of_name(name) & RecentPlaces::OFFSETS;
    let mixed = t.e.binary_constant(Binary::Xor, mixed, of_name);
    let offset = t.e.and_constant(mixed, RecentPlaces::OFFSETS);
    let table = t.e.constant(&raw const t.cx.world().recent_places as u64);
    let place = t.e.add(table, offset);
    // A name without a key is in no place.
    let key = t.e.or_constant(shape, RecentPlaces::key_of_name(name).unwrap_or_default());
    let known = t.e.load(place, offset_of!(RecentPlace, key));
    let fits = t.e.compare(Condition::Equal, known, key);
    t.e.require(fits, missing);
    place
}

/// The variable of an object of a shape; goes to `missing` if it is not in the object's cell.
pub fn get(t: &mut Translator, of: Ssa, shape: Ssa, name: Sym, missing: Block) -> Ssa {
    let place = find(t, shape, name, missing);
    let after = t.e.load32(place, offset_of!(RecentPlace, after));
    let has_it = t.e.compare(Condition::Equal, after, shape);
    t.e.require(has_it, missing);
    let word = t.e.load32(place, offset_of!(RecentPlace, word));
    t.e.load_indexed(of, word)
}

/// Sets the variable of an object of a shape, which is not frozen; goes to `missing` if it gets no place in the
/// object's cell. The barrier is left to the caller.
pub fn set(t: &mut Translator, of: Ssa, shape: Ssa, name: Sym, value: Ssa, missing: Block) {
    let place = find(t, shape, name, missing);
    let word = t.e.load32(place, offset_of!(RecentPlace, word));
    t.e.store_indexed(value, of, word);
    let after = t.e.load32(place, offset_of!(RecentPlace, after));
    t.e.store32(after, of, SHAPE);
}

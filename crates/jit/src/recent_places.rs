//! Instance variables of objects of many shapes: compiled code finds the place in the table of recent places
//! (`object::shape::recent_places`).

use object::{
    Sym,
    shape::recent_places::{RecentPlace, RecentPlaces},
};
use std::mem::offset_of;

use crate::{
    ir::Condition,
    ivars::SHAPE,
    recent_caches::{self, Name},
    seam::{Block, Ssa},
    translate::Translator,
};

/// The address of the place for a shape and a name; goes to `missing` if the table does not have it.
fn find(t: &mut Translator, shape: Ssa, name: Sym, missing: Block) -> Ssa {
    let place = recent_caches::place(t, &t.cx.world().shapes.recent_places.0, shape, Name::Known(name));
    let key = t.e.or_constant(shape, RecentPlaces::key_of_name(name));
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

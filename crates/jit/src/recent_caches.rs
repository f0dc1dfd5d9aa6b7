//! Call sites that see more shapes than their inline cache holds: compiled code finds the entry for the receiver's
//! shape in the table of recently used entries (`object::class::lookup::RecentCaches`), and compares methods instead of
//! shapes.

use object::{
    Sym,
    class::{
        call_cache::{ATTRIBUTES_OFFSET, CacheRef, ENTRY_OFFSET, READ_WORD, SHAPE_OFFSET, WORD_SHIFT},
        lookup::RecentCache,
    },
    shape::by_name::ByShapeAndName,
};
use std::mem::offset_of;

use crate::{
    ir::{Binary, Condition},
    ivars,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// A block for receivers that have a method; emits jumps to it for receivers of known shapes. A receiver that is not a
/// cell goes to `not_a_cell`; `None` if it is known to be one.
pub fn body_for_known(t: &mut Translator, receiver: Ssa, known: &[CacheRef], not_a_cell: Option<Block>) -> Block {
    if let Some(not_a_cell) = not_a_cell {
        t.require_cell(receiver, not_a_cell);
    }
    let body = t.e.block();
    let found = t.e.load32(receiver, ivars::SHAPE);
    for cache in known {
        let Some(shape) = cache.shape() else { continue };
        t.keep_cache(*cache);
        t.compares_shape(shape);
        let fits = if t.tier.may_rely() {
            cache.rely();
            t.e.compare_constant(Condition::Equal, found, u64::from(shape))
        } else {
            // The shape of an invalid entry is one that no object has.
            let cache_at = t.e.constant(cache.value().0);
            let valid = t.e.load32(cache_at, SHAPE_OFFSET);
            t.e.compare(Condition::Equal, valid, found)
        };
        let other = t.e.block();
        t.e.branch(fits, body, other);
        t.e.at(other);
    }
    body
}

/// The name that a call gives.
#[derive(Clone, Copy)]
pub enum Name {
    Known(Sym),
    /// A value, which may not be a Symbol.
    Found(Ssa),
}

/// The address of the entry for a name and the receiver, which must be a cell; goes to `not_found` if the table has
/// none.
pub fn find(t: &mut Translator, receiver: Ssa, name: Name, not_found: Block) -> Ssa {
    let shape = t.e.load32(receiver, ivars::SHAPE);
    let place = place(t, &t.cx.world().recent_caches.places, shape, name);
    let known = t.e.load(place, offset_of!(RecentCache, name));
    let name = match name {
        Name::Known(name) => t.e.constant(name.value().0),
        Name::Found(v) => {
            // A place that is not used has zero for a name, which is also the word of false.
            t.e.require(v, not_found);
            v
        }
    };
    let is_of_name = t.e.compare(Condition::Equal, known, name);
    t.e.require(is_of_name, not_found);
    let found = t.e.load(place, offset_of!(RecentCache, cache));
    let of = t.e.load32(found, SHAPE_OFFSET);
    let is_of_shape = t.e.compare(Condition::Equal, of, shape);
    t.e.require(is_of_shape, not_found);
    found
}

/// The address of the place for a shape and a name in a table.
pub fn place<T: Copy, const PLACES: usize>(
    t: &mut Translator,
    table: &ByShapeAndName<T, PLACES>,
    shape: Ssa,
    name: Name,
) -> Ssa {
    let offsets = ByShapeAndName::<T, PLACES>::OFFSETS;
    let of_name = match name {
        Name::Known(name) => t.e.constant(ByShapeAndName::<T, PLACES>::offset_of_name(name) & offsets),
        Name::Found(v) => {
            let bits = t.e.binary_constant(Binary::ShiftRightUnsigned, v, ByShapeAndName::<T, PLACES>::NAME_SHIFT);
            t.e.binary_constant(Binary::Multiply, bits, size_of::<T>() as u64)
        }
    };
    let mixed = t.e.binary_constant(Binary::Multiply, shape, ByShapeAndName::<T, PLACES>::MULTIPLIER);
    let mixed = t.e.binary_constant(Binary::ShiftRightUnsigned, mixed, ByShapeAndName::<T, PLACES>::SHIFT);
    let mixed = t.e.binary(Binary::Xor, mixed, of_name);
    let offset = t.e.and_constant(mixed, offsets);
    let table = t.e.constant(&raw const *table as u64);
    t.e.add(table, offset)
}

/// Goes to `otherwise` unless the entry that was found has the same method as the entry `same`. When `same` becomes
/// invalid, the code is compiled again.
pub fn require_method(t: &mut Translator, found: Ssa, same: CacheRef, otherwise: Block) {
    t.keep_cache(same);
    if t.tier.may_rely() {
        same.rely();
    }
    let entry = t.e.load(found, ENTRY_OFFSET);
    let is_same = t.e.compare_constant(Condition::Equal, entry, same.entry().0);
    t.e.require(is_same, otherwise);
}

/// The attribute of the receiver that the entry names; goes to `otherwise` if it is not in a word of the cell.
pub fn read(t: &mut Translator, call: Site, receiver: Ssa, found: Ssa, otherwise: Block) {
    let attributes = t.e.load32(found, ATTRIBUTES_OFFSET);
    let is_word = t.e.and_constant(attributes, u64::from(READ_WORD));
    t.e.require(is_word, otherwise);
    read_word(t, call, receiver, attributes);
}

/// The word of the receiver that the attributes of an entry name.
pub fn read_word(t: &mut Translator, call: Site, receiver: Ssa, attributes: Ssa) {
    let word = t.e.binary_constant(Binary::ShiftRightUnsigned, attributes, u64::from(WORD_SHIFT));
    let word = t.e.and_constant(word, u64::from(u16::MAX));
    let v = t.e.load_indexed(receiver, word);
    t.write(call.destination, v, Kind::Any);
}

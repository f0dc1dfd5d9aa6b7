//! Method lookup, with a cache in each class.

use abi::Value;
use heap::Marker;
use memory::Grow;

use super::{
    call_cache::{CacheRef, Lookup},
    class_data, class_data_mut,
    data::{Ancestor, ClassData, MethodSlot, SuperLookup, live_data},
    is_module,
};
use crate::{Known, Mem, Sym, cell, method_entry, shape::by_name::ByShapeAndName, symbol::well_known as sym};

/// The entry that a call of `name` on an instance of `class` runs, or undef. Undefined methods count as missing.
#[inline]
pub fn find_method(cx: &mut Mem, class: Value, name: Sym) -> Value {
    let slot = RecentMethods::slot(class, name);
    let RecentMethods { places, stamp } = &cx.world().recent_methods;
    let recent = places[slot];
    if recent.class == class.0 | stamp && recent.name == name.value().0 {
        return Value(recent.entry);
    }
    let entry = find_method_in_class(cx, class, name);
    let recent_methods = &mut cx.world_mut().recent_methods;
    let class = class.0 | recent_methods.stamp;
    recent_methods.places[slot] = Recent { class, name: name.value().0, entry: entry.0 };
    entry
}

/// The results of the most recent lookups in any class. The words are weak references: the next change of a method
/// clears them, and a collection those to objects that it may free.
pub struct RecentMethods {
    places: Box<[Recent; RECENT]>,
    /// The stamp of valid places, in the bits that no address has: definitions of methods follow each other quickly,
    /// and a new stamp clears the table at once.
    stamp: u64,
}

/// The lowest bit of stamps.
const STAMP: u64 = 1 << 48;

const RECENT: usize = 1024;

/// The entries of inline caches that call sites with too many shapes have used most recently, by shape and name. These
/// are weak references, too: a collection clears those that it may free. An entry that becomes invalid has another
/// shape. Compiled code reads the table itself.
pub struct RecentCaches {
    pub places: Box<CachesByName>,
    /// The places that were set since the last collection, and their number; more than fit if it is too great. The
    /// entries in other places are old.
    young: [u16; MOST_YOUNG],
    young_count: usize,
    /// The parts of the table in which places were set, one bit each.
    touched: u64,
}

/// Large programs use some thousands of entries in turn: rubocop 13,000, and with 2,048 places a seventh of its time
/// was lookups in classes.
pub type CachesByName = ByShapeAndName<RecentCache, { PARTS * PER_PART }>;

/// The parts of the table, of two pages each: as many as `RecentCaches::touched` has bits.
const PARTS: usize = 64;
const PER_PART: usize = 2 * 4096 / size_of::<RecentCache>();

/// The number of places set since the last collection from which on all places are examined.
const MOST_YOUNG: usize = 256;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct RecentCache {
    pub name: Value,
    pub cache: CacheRef,
}

impl RecentCache {
    #[inline(always)]
    fn is_for(&self, shape: u32, name: Sym) -> bool {
        self.name == name.value() && self.cache.matches(shape)
    }
}

/// The word in place of the name of a place that is not used: no name is zero.
const NO_NAME: Value = Value(0);
const UNUSED_PLACE: RecentCache = RecentCache { name: NO_NAME, cache: CacheRef::EMPTY };

impl RecentCaches {
    pub fn new() -> RecentCaches {
        // SAFETY: all zeros are a place that is not used: no name, and a reference that is not read.
        let places = unsafe { ByShapeAndName::zeroed() };
        RecentCaches { places, young: [0; MOST_YOUNG], young_count: 0, touched: 0 }
    }

    #[inline(always)]
    pub fn get(&self, shape: u32, name: Sym) -> Option<CacheRef> {
        let known = self.places.at(shape, name);
        let known = if known.is_for(shape, name) { known } else { self.places.beside(shape, name) };
        known.is_for(shape, name).then_some(known.cache)
    }

    /// Stores an entry; the one that was in its place moves to the place beside it, where compiled code does not look.
    pub fn set(&mut self, shape: u32, name: Sym, cache: CacheRef) {
        let former = *self.places.at(shape, name);
        let place = self.places.set(shape, name, RecentCache { name: name.value(), cache });
        self.note_young(place);
        if former.name != NO_NAME && !former.is_for(shape, name) {
            let beside = self.places.set_beside(shape, name, former);
            self.note_young(beside);
        }
        self.touched |= 1 << (place / PER_PART);
    }

    fn note_young(&mut self, place: usize) {
        if let Some(young) = self.young.get_mut(self.young_count) {
            *young = place as u16;
        }
        self.young_count += 1;
    }

    /// Drops what the collection that begins may free.
    pub fn begin_collection(&mut self, marker: &Marker) {
        let count = std::mem::take(&mut self.young_count);
        match self.young.get(..count) {
            Some(young) if marker.keeps_old() => {
                for place in young {
                    self.places.retain(usize::from(*place), |known| is_kept(known, marker), UNUSED_PLACE);
                }
            }
            _ => self.examine_all(marker),
        }
    }

    fn examine_all(&mut self, marker: &Marker) {
        for part in (0..PARTS).filter(|part| self.touched & 1 << part != 0) {
            for place in part * PER_PART..(part + 1) * PER_PART {
                self.places.retain(place, |known| is_kept(known, marker), UNUSED_PLACE);
            }
        }
        if !marker.keeps_old() {
            self.touched = 0;
        }
    }
}

fn is_kept(known: &RecentCache, marker: &Marker) -> bool {
    known.name != NO_NAME && marker.keeps(known.cache.value())
}

impl Default for RecentCaches {
    fn default() -> RecentCaches {
        RecentCaches::new()
    }
}

#[derive(Clone, Copy)]
struct Recent {
    /// The address of the class, and the stamp.
    class: u64,
    name: u64,
    entry: u64,
}

const UNUSED: Recent = Recent { class: 0, name: 0, entry: 0 };

impl RecentMethods {
    pub fn new() -> RecentMethods {
        // SAFETY: all zeros are places that are not used.
        let places = unsafe { Box::new_zeroed().assume_init() };
        RecentMethods { places, stamp: 0 }
    }

    pub fn clear(&mut self) {
        match self.stamp.checked_add(STAMP) {
            Some(stamp) => self.stamp = stamp,
            None => *self = RecentMethods::new(),
        }
    }

    /// Drops what the collection that begins may free.
    pub fn begin_collection(&mut self, marker: &Marker) {
        for recent in self.places.iter_mut() {
            // Above STAMP where the place has another stamp.
            let class = recent.class ^ self.stamp;
            if class >= STAMP || ![class, recent.entry].into_iter().all(|word| marker.keeps(Value(word))) {
                *recent = UNUSED;
            }
        }
    }

    #[inline(always)]
    fn slot(class: Value, name: Sym) -> usize {
        // The upper bits of the product depend on all bits: classes and names have numbers close to each other.
        let mixed = (class.0 ^ name.value().0.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize % RECENT
    }
}

impl Default for RecentMethods {
    fn default() -> RecentMethods {
        RecentMethods::new()
    }
}

fn find_method_in_class(cx: &mut Mem, class: Value, name: Sym) -> Value {
    if let Some(lookup) = class_data(cx, class).cache.get(&name) {
        return lookup.entry;
    }
    let found = search(cx, class, 0, name);
    let found = if !found.is_undef() && method_entry::is_undefined(found) { Value::UNDEF } else { found };
    class_data_mut(cx, class).cache.insert(name, Lookup::new(found));
    cx.world_mut().looked_up.insert(name);
    found
}

/// The number of lookups in an object's singleton class that are made before results are cached.
const UNCACHED_LOOKUPS: u8 = 16;

/// Looks a method up like [`find_method`], but does not cache the result. Only for the first few calls on an object
/// that was extended with modules: most such objects are called a few times only, so caching would cost more than it
/// saves. `None` in all other cases.
pub fn find_uncached(cx: &mut Mem, class: Value, name: Sym) -> Option<Value> {
    let data = class_data(cx, class);
    let (flags, attached, superclass) = (data.flags, data.attached, data.superclass);
    let has_own = !flags.singleton || is_module(attached) || !data.methods().is_empty();
    if has_own || flags.uncached_lookups >= UNCACHED_LOOKUPS {
        return None;
    }
    class_data_mut(cx, class).flags.uncached_lookups += 1;
    match search_segment(cx, class, 0, name) {
        Some(found) if method_entry::is_undefined(found) => Some(Value::UNDEF),
        None if !superclass.is_nil() => Some(find_method(cx, superclass, name)),
        found => found,
    }
}

/// The method of a module's instances: as [`find_method`] gives it, but a refinement is followed by the class it
/// refines.
pub fn find_instance_method(cx: &mut Mem, module: Value, name: Sym) -> Value {
    let found = find_method(cx, module, name);
    let refined = super::refined(module);
    let goes_on = found.is_undef() && super::flags(module).refinement && refined.is_heap();
    if goes_on { find_method(cx, refined, name) } else { found }
}

/// The result of a lookup that was made before and is still valid, as [`find_method`] gives it.
pub fn known(class: Value, name: Sym) -> Option<Value> {
    of_class(class, name).map(|lookup| lookup.entry)
}

/// Records that compiled code relies on a lookup that is [`known`].
pub fn rely(class: Value, name: Sym) {
    if let Some(lookup) = of_class(class, name) {
        lookup.rely();
    }
}

fn of_class<'a>(class: Value, name: Sym) -> Option<&'a Lookup> {
    if !is_module(class) {
        return None;
    }
    // SAFETY: it is a class; the reference ends in the two functions above, which change nothing.
    unsafe { live_data(class) }.cache.get(&name)
}

/// The next entry after the one that was found in module `owner` of the segment of `segment_class`.
pub fn find_super(cx: &mut Mem, segment_class: Value, owner: Value, name: Sym) -> Value {
    if let Some(lookup) = super_of_class(segment_class, owner, name) {
        return lookup.entry;
    }
    let data = class_data(cx, segment_class);
    let at = data.segment.iter().position(|a| a.0 == owner).map_or(0, |i| i + 1);
    let (flags, refined) = (data.flags, data.rare().refined);
    let found = search(cx, segment_class, at, name);
    // A refinement is followed by the class it refines.
    if found.is_undef() && flags.refinement && refined.is_heap() {
        return find_method(cx, refined, name);
    }
    let found = if !found.is_undef() && method_entry::is_undefined(found) { Value::UNDEF } else { found };
    if flags.refinement {
        return found;
    }
    let made = SuperLookup { owner, lookup: Lookup::new(found) };
    class_data_mut(cx, segment_class).supers.get_or_insert_default().entry(name).or_default().push(made);
    cx.world_mut().looked_up.insert(name);
    found
}

/// The result of a lookup by [`find_super`] that was made before and is still valid.
pub fn known_super(segment_class: Value, owner: Value, name: Sym) -> Option<Value> {
    super_of_class(segment_class, owner, name).map(|lookup| lookup.entry)
}

/// The inline cache's entry for a `super` on receivers of a shape, if one was made.
pub fn cached_super(segment_class: Value, owner: Value, name: Sym, shape: u32) -> Option<CacheRef> {
    super_of_class(segment_class, owner, name)?.cached(shape)
}

fn super_of_class<'a>(class: Value, owner: Value, name: Sym) -> Option<&'a Lookup> {
    if !is_module(class) {
        return None;
    }
    // SAFETY: it is a class; the reference ends in the functions above, before anything changes.
    let supers = unsafe { live_data(class) }.supers.as_ref()?.get(&name)?;
    supers.iter().find(|known| known.owner == owner).map(|known| &known.lookup)
}

/// The entry in this class or module itself, including undefined ones.
pub fn own_method(class: Value, name: Sym) -> Value {
    assert!(is_module(class), "{class:?} is no class");
    // SAFETY: it is a class; the reference ends here.
    unsafe { live_data(class) }.methods().get(&name).map_or(Value::UNDEF, |slot| slot.0)
}

/// Searches the segments, beginning with index `from` of `class`'s own.
fn search(cx: &mut Mem, class: Value, from: usize, name: Sym) -> Value {
    let mut at = class;
    let mut from = from;
    while !at.is_nil() {
        if let Some(found) = search_segment(cx, at, from, name) {
            return found;
        }
        at = class_data(cx, at).superclass;
        from = 0;
    }
    Value::UNDEF
}

fn search_segment(cx: &mut Mem, class: Value, from: usize, name: Sym) -> Option<Value> {
    let data = class_data(cx, class);
    for (place, ancestor) in data.segment.iter().enumerate().skip(from) {
        // If a module is also before the class, only that position counts: from its second position `super` would
        // continue after the first.
        if from > 0 && data.segment[..place].contains(ancestor) {
            continue;
        }
        if let Some(slot) = class_data(cx, ancestor.0).methods().get(&name) {
            return Some(if ancestor.0 == class { slot.0 } else { complement(cx, class, name, slot.0) });
        }
    }
    None
}

/// The entry of a module as found in the segment of `class`: a copy that records the segment, so that `super` continues
/// from there.
fn complement(cx: &mut Mem, class: Value, name: Sym, entry: Value) -> Value {
    if let Some(copy) = class_data(cx, class).complements.as_ref().and_then(|known| known.get(name, entry)) {
        return copy;
    }
    let copy = method_entry::complement(cx, entry, class);
    class_data_mut(cx, class).complements.get_or_insert_default().insert(name, entry, copy);
    copy
}

/// Adds a method to the table of `class` and invalidates affected caches.
pub fn add_method(cx: &mut Mem, class: Value, name: Sym, entry: Value) {
    class_data_mut(cx, class).methods_mut().insert(name, MethodSlot(entry));
    if super::flags(class).refinement {
        super::refined::note_name(cx, name);
    }
    invalidate(cx, class, name);
}

/// Removes a method from the table of `class`; returns the previous entry or undef.
pub fn remove_method(cx: &mut Mem, class: Value, name: Sym) -> Value {
    let removed = class_data_mut(cx, class).methods_mut().shift_remove(&name);
    invalidate(cx, class, name);
    removed.map_or(Value::UNDEF, |slot| slot.0)
}

/// The inline cache's entry for a call of `name` on instances of `class` that have `shape`, if one was made.
pub fn cached(class: Value, name: Sym, shape: u32) -> Option<CacheRef> {
    assert!(is_module(class), "{class:?} is no class");
    // SAFETY: it is a class; the reference ends here.
    unsafe { live_data(class) }.cache.get(&name)?.cached(shape)
}

/// Drops lookups of `name` in `class`, its subclasses and the class that it refines, and invalidates what relies on
/// them.
pub fn invalidate(cx: &mut Mem, class: Value, name: Sym) {
    if !cx.world().looked_up.contains(&name) {
        return;
    }
    let mut is_relied_on = false;
    forget(cx, class, &mut |data| {
        if let Some(complements) = &mut data.complements {
            complements.remove(name);
        }
        for of in data.supers.as_mut().and_then(|supers| supers.remove(&name)).unwrap_or_default() {
            is_relied_on |= of.lookup.invalidate();
        }
        if let Some(lookup) = data.cache.remove(&name) {
            is_relied_on |= lookup.invalidate();
        }
        if name == sym::INITIALIZE {
            data.initializer = MethodSlot(Value::UNDEF);
        }
        if name == sym::HASH || name == sym::EQL {
            data.flags.are_keys_by_identity = None;
        }
    });
    if is_relied_on {
        cx.world().reliance.notify();
    }
    let refined = super::refined(class);
    if super::flags(class).refinement && refined.is_heap() {
        invalidate(cx, refined, name);
    }
}

/// Called when a refinement is activated: calls of the methods that it has must check for it.
pub fn invalidate_refined(cx: &mut Mem, refinement: Value) {
    let names: Vec<Sym> = super::ancestors::each(refinement)
        .take_while(|place| *place != super::refined(refinement))
        .flat_map(|place| class_data(cx, place).methods().keys().copied().collect::<Vec<_>>())
        .collect();
    for name in names {
        super::refined::note_name(cx, name);
        invalidate(cx, refinement, name);
    }
}

/// Drops all lookups in `class` and its subclasses, because its ancestors changed.
pub fn invalidate_class(cx: &mut Mem, class: Value) {
    let mut is_relied_on = false;
    forget(cx, class, &mut |data| {
        data.complements = None;
        let supers = data.supers.iter_mut().flat_map(|supers| supers.drain()).flat_map(|(_, all)| all);
        supers.for_each(|of| is_relied_on |= of.lookup.invalidate());
        data.cache.drain().for_each(|(_, lookup)| is_relied_on |= lookup.invalidate());
        data.initializer = MethodSlot(Value::UNDEF);
        data.flags.are_keys_by_identity = None;
    });
    if is_relied_on {
        cx.world().reliance.notify();
    }
}

/// Drops all lookups, because tracing of calls begins or ends.
pub fn invalidate_all(cx: &mut Mem) {
    let root = cx.class(Known::BasicObject);
    invalidate_class(cx, root);
}

fn forget(cx: &mut Mem, class: Value, drop_from: &mut dyn FnMut(&mut ClassData)) {
    cx.world_mut().recent_methods.clear();
    // A list instead of recursion: a chain of subclasses may be longer than the native stack is deep.
    let mut pending = vec![Ancestor(class)];
    while let Some(Ancestor(class)) = pending.pop() {
        drop_from(class_data_mut(cx, class));
        pending.append_slice(class_data(cx, class).subclasses());
        if cell::is(class, abi::Type::Module) {
            pending.append_slice(&class_data(cx, class).rare().includers);
        }
    }
}

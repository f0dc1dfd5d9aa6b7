//! Instance variables of self, through the inline caches of their sites.

use crate::{
    Cx, R,
    code::{IvarPlace, IvarSite},
    isolation::access,
};
use abi::{Flags, ShapeId, Type, Value};
use object::{
    Sym, attachment, cell, class,
    shape::ivars::{self, MOST_FIELDS, Place, has_own_fields, place},
};

// Words of a Fields cell fit the upper byte of an `IvarPlace`, with one to spare.
const _: () = assert!(MOST_FIELDS + 1 < MISSING.word());

/// The place of a variable that objects of a shape do not have, in the caches of sites that read it.
const MISSING: IvarPlace = IvarPlace::beside(0xff);

/// `@name` with a cached location; `None`: `get` must do it.
#[inline(always)]
pub fn get_fast(me: Value, site: &IvarSite) -> Option<Value> {
    if me.is_heap() {
        let shape = cell::header(me).0 >> 32;
        let cached = site.known.get();
        if cached >> 16 == shape {
            let place = IvarPlace(cached as u16);
            if place.word() == 0 {
                // SAFETY: the shape implies that the cell has this word.
                return Some(unsafe { cell::word(me, place.holder()) });
            }
            if place.holder() != 0 {
                // SAFETY: the shape implies that the cell has this word, and that the Fields cell it refers to has the
                // other.
                return Some(unsafe { cell::word(cell::word(me, place.holder()), place.word()) });
            }
        }
    }
    None
}

/// `@name`, nil if it is not set; fills the cache.
#[inline(never)]
pub fn get(cx: &mut Cx, me: Value, site: &IvarSite) -> R {
    if me.is_heap() && !cx.isolated {
        let shape = cell::header(me).0 >> 32;
        if u64::from(site.add_from.get()) == shape {
            // The second cached shape matches: swap the two, so that a run of equal shapes hits the first.
            let (known, place) = (site.known.get(), site.add_place.get());
            site.known.set((shape << 16) | place.0 as u64);
            site.add_from.set((known >> 16) as u32);
            site.add_place.set(IvarPlace(known as u16));
            if let Some(v) = get_fast(me, site) {
                return Ok(v);
            }
        }
        if site.known.get() >> 16 == shape {
            let place = IvarPlace(site.known.get() as u16);
            if place == MISSING {
                return Ok(Value::NIL);
            }
            if let Some(fields) = attachment::variables(cx, me) {
                // SAFETY: the shape implies that the Fields cell beside the object has this word.
                return Ok(unsafe { cell::word(fields, place.word()) });
            }
        }
    }
    get_uncached(cx, me, site)
}

#[cold]
fn get_uncached(cx: &mut Cx, me: Value, site: &IvarSite) -> R {
    if let Some(place) = place_of(cx, me, site.name).or_else(|| missing_in(cx, me, site.name)) {
        let (shape, known) = (cell::header(me).0 >> 32, site.known.get());
        if known != u64::MAX {
            site.add_from.set((known >> 16) as u32);
            site.add_place.set(IvarPlace(known as u16));
        }
        site.known.set((shape << 16) | place.0 as u64);
    }
    let value = ivars::get(cx, me, site.name);
    access::check_read(cx, me, site.name, value)?;
    Ok(value.or(Value::NIL))
}

/// The place `MISSING` if objects with the shape of `me` do not have the variable.
fn missing_in(cx: &mut Cx, me: Value, name: Sym) -> Option<IvarPlace> {
    if !me.is_heap() {
        return None;
    }
    let id = cell::header(me).shape();
    let is_missing = cx.world_mut().shapes.find(id, name).is_none() && !cx.world().shapes.get(id).complex;
    is_missing.then_some(MISSING)
}

/// The place of the variable in objects with the shape of `me`; `None` if they have it in a table or not at all.
fn place_of(cx: &mut Cx, me: Value, name: Sym) -> Option<IvarPlace> {
    if !me.is_heap() {
        return None;
    }
    let id = cell::header(me).shape();
    let index = cx.world_mut().shapes.find(id, name)?;
    let shape = cx.world().shapes.get(id);
    if shape.complex {
        return None;
    }
    if !has_own_fields(cell::header(me).ty()) {
        return Some(IvarPlace::beside(index + 1));
    }
    packed(place(index, shape.count, shape.capacity))
}

/// The form of a place that caches keep; `None` for the few words that are too far from the start of the cell.
fn packed(place: Place) -> Option<IvarPlace> {
    match place {
        Place::Inline(word) if word <= 0xff => Some(IvarPlace::inline(word)),
        Place::Overflow(holder, word) if holder <= 0xff => Some(IvarPlace::overflow(holder, word)),
        _ => None,
    }
}

/// The value in an object of any shape; `None`: `get` must find it, or it is not set.
pub fn get_by_shape(cx: &mut Cx, me: Value, site: &IvarSite) -> Option<Value> {
    if cx.isolated || !me.is_heap() {
        return get_fast(me, site);
    }
    let (shape, known) = (cell::header(me).shape(), site.known.get());
    let place = match known >> 16 == u64::from(shape.0) {
        true if IvarPlace(known as u16) == MISSING => return Some(Value::NIL),
        true => IvarPlace(known as u16),
        false => place_of(cx, me, site.name)?,
    };
    if place.holder() != 0 && place.word() == 0 {
        // Compiled code, which calls this, looks there.
        cx.world_mut().shapes.recent_places.set(shape, site.name, place.holder(), shape);
    }
    let beside = if place.holder() == 0 { Some(attachment::variables(cx, me)?) } else { None };
    // SAFETY: the shape implies that the cell has this word, and that the Fields cell it refers to, or that beside the
    // object, has the other.
    unsafe {
        Some(match (beside, place.word()) {
            (Some(fields), word) => cell::word(fields, word),
            (None, 0) => cell::word(me, place.holder()),
            (None, word) => cell::word(cell::word(me, place.holder()), word),
        })
    }
}

/// Where objects of a shape have a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InShape {
    At(IvarPlace),
    /// The objects are classes or modules, which have it at this word of the Fields cell in their tables.
    OfClass(u16),
    /// The objects do not have it, and the place that it would get is not known.
    Missing,
    /// The objects do not have it. Setting it stores it at this place in the object's own cell, and gives the object
    /// this shape.
    Added(IvarPlace, ShapeId),
}

/// Where objects of a shape have a variable; `None` if the shape does not determine it.
pub fn in_shape(cx: &Cx, id: ShapeId, name: Sym) -> Option<InShape> {
    let shapes = &cx.world().shapes;
    let shape = shapes.get(id);
    if shape.complex {
        return None;
    }
    if shape.beside {
        return match shapes.index_of(id, name) {
            Some(index) => are_modules(shapes.class(id)).then_some(InShape::OfClass(index + 1)),
            None => Some(InShape::Missing),
        };
    }
    if let Some(index) = shapes.index_of(id, name) {
        return packed(place(index, shape.count, shape.capacity)).map(InShape::At);
    }
    Some(added_to(cx, id, name).map_or(InShape::Missing, |(added, next)| InShape::Added(added, next)))
}

/// Where objects of a shape without a variable get it, and their shape then; `None` if that is not known, or not in
/// their own cell.
fn added_to(cx: &Cx, id: ShapeId, name: Sym) -> Option<(IvarPlace, ShapeId)> {
    let shapes = &cx.world().shapes;
    let next = shapes.known_transition(id, name)?;
    let after = shapes.get(next);
    let is_in_cell = !after.beside && after.count <= after.capacity && after.capacity == shapes.get(id).capacity;
    let added = packed(place(after.count - 1, after.count, after.capacity)).filter(|_| is_in_cell)?;
    Some((added, next))
}

/// Whether the instances of a class are modules. The classes of some shapes no longer exist.
fn are_modules(of: Value) -> bool {
    class::is_module(of) && matches!(class::instances(of), Type::Class | Type::Module)
}

/// Sets the variable at a cached location; false: `set` must do it.
#[inline(always)]
pub fn set_fast(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> bool {
    if !me.is_heap() {
        return false;
    }
    let header = cell::header(me);
    if header.has(Flags::FROZEN) {
        return false;
    }
    let shape = header.0 >> 32;
    let cached = site.known.get();
    if cached >> 16 == shape {
        let place = IvarPlace(cached as u16);
        if place.word() == 0 {
            // SAFETY: the shape implies that the cell has this word.
            unsafe { cell::store(cx, me, place.holder(), to) };
            return true;
        }
        if place.holder() != 0 {
            // SAFETY: the shape implies that the cell has this word, and that the Fields cell it refers to has the
            // other.
            unsafe { cell::store(cx, cell::word(me, place.holder()), place.word(), to) };
            return true;
        }
        return false;
    }
    if u64::from(site.add_from.get()) == shape {
        return add_fast(cx, me, site, to);
    }
    false
}

/// Sets the variable beside an object of the shape that the site knows; false: `set` must do it.
pub fn set_beside(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> bool {
    let known = site.known.get();
    if !me.is_heap()
        || known >> 16 != u64::from(cell::header(me).shape().0)
        || IvarPlace(known as u16).holder() != 0
        || cell::frozen(me)
        || cx.isolated
    {
        return false;
    }
    let Some(fields) = attachment::variables(cx, me) else { return false };
    // SAFETY: the shape implies that the Fields cell beside the object has this word.
    unsafe { cell::store(cx, fields, IvarPlace(known as u16).word(), to) };
    true
}

/// Sets the variable of an object of any shape, without Ruby code, if that is simple; false: `set` must do it.
pub fn set_by_shape(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> bool {
    if !me.is_heap() || cell::frozen(me) {
        return false;
    }
    if cx.isolated || !has_own_fields(cell::header(me).ty()) {
        return set_fast(cx, me, site, to) || set_beside(cx, me, site, to);
    }
    let shape = cell::header(me).shape();
    let (object, word) = match place_of(cx, me, site.name) {
        Some(place) if place.word() == 0 => {
            cx.world_mut().shapes.recent_places.set(shape, site.name, place.holder(), shape);
            (me, place.holder())
        }
        // SAFETY: the shape implies that the object has the word, which refers to a Fields cell.
        Some(place) => (unsafe { cell::word(me, place.holder()) }, place.word()),
        None => match added_to(cx, shape, site.name) {
            Some((place, after)) if place.word() == 0 => {
                cx.world_mut().shapes.recent_places.set(shape, site.name, place.holder(), after);
                cell::set_header(me, cell::header(me).with_shape(after));
                (me, place.holder())
            }
            _ => return set_fast(cx, me, site, to),
        },
    };
    // SAFETY: the shape implies that the cell has the word.
    unsafe { cell::store(cx, object, word, to) };
    true
}

/// Adds the variable to an object with the shape that the site has seen before; false if there is no room for it.
#[inline(always)]
fn add_fast(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> bool {
    let place = site.add_place.get();
    if place.word() == 0 {
        // SAFETY: the new shape's variable has this word in the object.
        unsafe { cell::store(cx, me, place.holder(), to) };
    } else {
        // SAFETY: objects of the shape before have a Fields cell there already.
        let fields = unsafe { cell::word(me, place.holder()) };
        if place.word() >= heap::Mutator::cell_size(fields) / 8 {
            return false;
        }
        // SAFETY: the cell has the word.
        unsafe { cell::store(cx, fields, place.word(), to) };
    }
    cell::set_header(me, cell::header(me).with_shape(abi::ShapeId(site.add_to.get())));
    true
}

/// Sets the variable and fills the cache.
pub fn set(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> R<()> {
    cx.check_frozen(me)?;
    access::check_write(cx, me)?;
    if set_beside(cx, me, site, to) {
        return Ok(());
    }
    let before = cell::header(me).shape();
    ivars::set(cx, me, site.name, to);
    let after = cell::header(me).shape();
    let Some(place) = place_of(cx, me, site.name) else { return Ok(()) };
    if before == after {
        site.known.set(((after.0 as u64) << 16) | place.0 as u64);
        return Ok(());
    }
    let (old, new) = (cx.world().shapes.get(before), cx.world().shapes.get(after));
    // The first variable of a Fields cell is created together with the cell, and another variable is moved to it.
    let has_holder = place.word() == 0 || (place.holder() != 0 && old.count > old.capacity);
    if new.parent == before && new.capacity == old.capacity && has_holder {
        site.add_to.set(after.0);
        site.add_place.set(place);
        site.add_from.set(before.0);
    }
    Ok(())
}

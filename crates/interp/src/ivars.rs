//! Instance variables of self, through the sites' caches.

use abi::{Flags, Value};
use object::{
    Sym, cell,
    shape::ivars::{self, Place, has_own_fields, place},
};
use runtime::{Cx, R, code::IvarSite, concurrency::ractor::access};

/// `@name` with a cached location; `None`: `get` must do it.
#[inline(always)]
pub fn get_fast(me: Value, site: &IvarSite) -> Option<Value> {
    if me.is_heap() {
        let shape = cell::header(me).0 >> 32;
        let cached = site.get.get();
        if cached >> 16 == shape {
            // SAFETY: the shape implies that the cell has this word.
            return Some(unsafe { cell::word(me, (cached & 0xffff) as usize) });
        }
    }
    None
}

/// `@name`, nil if it is not set; fills the cache.
#[cold]
#[inline(never)]
pub fn get(cx: &mut Cx, me: Value, site: &IvarSite) -> R {
    if let Some(word) = inline_word(cx, me, site.name) {
        let shape = cell::header(me).0 >> 32;
        site.get.set((shape << 16) | word as u64);
    }
    let value = ivars::get(cx, me, site.name);
    access::check_read(cx, me, site.name, value)?;
    Ok(value.or(Value::NIL))
}

/// The word of `me` that holds the variable, if it is in the object itself.
pub fn inline_word(cx: &mut Cx, me: Value, name: Sym) -> Option<u16> {
    if !me.is_heap() || !has_own_fields(cell::header(me).ty()) {
        return None;
    }
    let id = cell::header(me).shape();
    let index = cx.world_mut().shapes.find(id, name)?;
    let shape = cx.world().shapes.get(id);
    if shape.complex {
        return None;
    }
    match place(index, shape.count, shape.capacity) {
        Place::Inline(word) => Some(word),
        Place::Overflow(..) => None,
    }
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
    let cached = site.set.get();
    if cached >> 16 == shape {
        // SAFETY: the shape implies that the cell has this word.
        unsafe { cell::store(cx, me, (cached & 0xffff) as usize, to) };
        return true;
    }
    if site.add_from.get() == shape {
        // SAFETY: the new shape's variable has this word in the object.
        unsafe { cell::store(cx, me, site.add_word.get() as usize, to) };
        cell::set_header(me, header.with_shape(abi::ShapeId(site.add_to.get())));
        return true;
    }
    false
}

/// Sets the variable and fills the cache.
pub fn set(cx: &mut Cx, me: Value, site: &IvarSite, to: Value) -> R<()> {
    cx.check_frozen(me)?;
    access::check_write(cx, me)?;
    let before = cell::header(me).shape();
    ivars::set(cx, me, site.name, to);
    let after = cell::header(me).shape();
    if let Some(word) = inline_word(cx, me, site.name) {
        if before == after {
            site.set.set(((after.0 as u64) << 16) | word as u64);
        } else if cx.world().shapes.get(after).parent == before
            && cx.world().shapes.get(after).capacity == cx.world().shapes.get(before).capacity
        {
            site.add_to.set(after.0);
            site.add_word.set(word);
            site.add_from.set(before.0 as u64);
        }
    }
    Ok(())
}

//! Finding the method of a call.

use abi::Value;
use object::{
    Sym, class,
    class::call_cache::{self, CacheRef, Kind as Cached, NewCache},
    method_entry::{self, Kind, Visibility},
    shape::ivars::{self, Place},
    structure,
};

use super::{description::Scope, native};
use crate::{
    Cx,
    code::{Code, sites::shape_key},
    method_table::{Method, Special, row},
    unlinked,
};

/// The entry of a name that `send` was given, for a receiver of the class; undef if there is none. The class keeps the
/// entry for the next such call, and for the compiler.
pub fn look_up_name(cx: &mut Cx, class: Value, name: Sym, receiver: Value) -> Value {
    let shape = shape_key(receiver);
    if let Some(cache) = cx.world().recent_caches.get(shape, name) {
        return cache.entry();
    }
    if let Some(entry) = class::lookup::find_uncached(cx, class, name) {
        return entry;
    }
    let known = class::lookup::cached(class, name, shape);
    let cache = match known {
        Some(cache) => cache,
        None => {
            let entry = class::lookup::find_method(cx, class, name);
            if entry.is_undef() {
                return entry;
            }
            new_cache(cx, class, name, receiver, entry)
        }
    };
    cx.world_mut().recent_caches.set(shape, name, cache);
    cache.entry()
}

/// Stores in the class the entry found for a name, for receivers of the shape of this one.
pub(super) fn new_cache(cx: &mut Cx, class: Value, name: Sym, receiver: Value, entry: Value) -> CacheRef {
    let made = describe(cx, receiver, shape_key(receiver), entry);
    call_cache::add(cx, class, name, &made)
}

/// The cache entry for a call of `entry` on receivers of this shape.
pub(super) fn describe(cx: &mut Cx, receiver: Value, shape: u32, entry: Value) -> NewCache {
    let mut made = NewCache { shape, entry, kind: Cached::Other, word: 0, target: std::ptr::null() };
    match method_entry::kind(entry) {
        // While calls are traced, accessors are ordinary calls.
        Kind::AttributeReader | Kind::AttributeWriter | Kind::StructReader | Kind::StructWriter
            if cx.vm().redefined_before_tracing.is_some() => {}
        kind @ (Kind::AttributeReader | Kind::AttributeWriter | Kind::StructReader | Kind::StructWriter) => {
            let body = method_entry::body(entry);
            let word = match kind {
                Kind::StructReader | Kind::StructWriter => structure::word_of(receiver, body.fixnum_value() as usize),
                _ => match ivars::place_in(cx, receiver, Sym::of(body)) {
                    Some(Place::Inline(word)) => Some(word),
                    _ => None,
                },
            };
            if let Some(word) = word {
                let reads = matches!(kind, Kind::AttributeReader | Kind::StructReader);
                made.word = word;
                made.kind = if reads { Cached::ReadWord } else { Cached::WriteWord };
            }
        }
        Kind::Sequence => {
            let body = method_entry::body(entry);
            if unlinked::is_internal(&body)
                && let Some(row) = native::shortcut(cx, entry)
            {
                made.kind = Cached::Shortcut;
                made.target = (row as *const Method).cast();
            } else {
                let callee = unlinked::linked(cx, &body);
                made.kind = if callee.simple { Cached::Simple } else { Cached::Sequence };
                made.target = (callee as *const Code).cast();
            }
        }
        Kind::Native => {
            let row = row(entry);
            made.kind = if row.special == Special::None { Cached::Native } else { Cached::Special };
            made.target = (row as *const Method).cast();
        }
        _ => {}
    }
    made
}

/// Whether a call of this scope may run the entry.
pub fn visible(cx: &mut Cx, entry: Value, receiver: Value, scope: Scope) -> bool {
    match method_entry::visibility(entry) {
        Visibility::Public => true,
        _ if scope != Scope::Public => true,
        Visibility::Private => false,
        Visibility::Protected => {
            let me = cx.ruby_frame().map_or(Value::NIL, |f| {
                // SAFETY: register 0 of a live frame.
                unsafe { *f.scope.slots }
            });
            let _ = receiver;
            let owner = method_entry::owner(entry);
            let data = class::class_data(cx, owner);
            let owner = if data.flags.refinement { data.rare().refined } else { owner };
            class::is_a(cx, me, owner)
        }
    }
}

/// The entry that `super` calls in a method, as far as it was looked up before.
pub fn known_next_of(entry: Value) -> Option<Value> {
    let name = method_entry::original_name(entry);
    let next = class::lookup::known_super(method_entry::found_in(entry), method_entry::owner(entry), name)?;
    (!next.is_undef()).then_some(next)
}

/// The entry that `super` calls in a method.
pub(super) fn next_of(cx: &mut Cx, entry: Value) -> Option<Value> {
    let name = method_entry::original_name(entry);
    let next = class::lookup::find_super(cx, method_entry::found_in(entry), method_entry::owner(entry), name);
    (!next.is_undef()).then_some(next)
}

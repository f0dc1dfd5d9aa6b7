//! The entries of ObjectSpace::WeakMap and ObjectSpace::WeakKeyMap.
//!
//! They are in native memory in insertion order; a dead entry leaves a hole. The collector knows all maps through one
//! weak table ([`WeakMaps`]), which drops dead maps. A minor collection examines only entries stored since the last
//! one.

use std::cell::RefCell;
use std::rc::Rc;

use abi::Value;
use heap::{Marker, Purpose, Trace, WeakTable};
use rustc_hash::FxHashMap;

use crate::native::{self, NativeData};
use crate::{Mem, cell};

/// Which references keep an entry alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    /// Key and value must be alive; keys are compared by identity (WeakMap).
    Both,
    /// The key must be alive, and the map keeps the value; keys are compared as a Hash does (WeakKeyMap).
    Key,
}

struct Slot {
    /// The key; UNDEF in a hole.
    key: Value,
    value: Value,
    hash: u64,
    /// The next position with the same hash, or NONE.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// One map.
pub struct Entries {
    strength: Strength,
    slots: Vec<Slot>,
    /// The first position of each hash value.
    first: FxHashMap<u64, u32>,
    live: usize,
    /// Positions written since the last collection.
    recent: Vec<u32>,
    /// While an iteration is active, positions do not change.
    iterating: u32,
    /// The progress of a pass after a full collection.
    cleared: usize,
}

impl Entries {
    fn new(strength: Strength) -> Entries {
        Entries {
            strength,
            slots: Vec::new(),
            first: FxHashMap::default(),
            live: 0,
            recent: Vec::new(),
            iterating: 0,
            cleared: 0,
        }
    }

    /// The first position after `after` whose key has this hash value; the caller tries positions until it finds its
    /// key.
    pub fn candidate(&self, hash: u64, after: Option<usize>) -> Option<usize> {
        let at = match after {
            None => self.first.get(&hash).copied().unwrap_or(NONE),
            Some(at) => self.slots.get(at).map_or(NONE, |slot| slot.next),
        };
        if at == NONE { None } else { Some(at as usize) }
    }

    /// Key and value at a position, unless it is a hole or one of them is dead.
    pub fn entry(&self, cx: &Mem, at: usize) -> Option<(Value, Value)> {
        let slot = self.slots.get(at)?;
        let there = !slot.key.is_undef()
            && cx.is_alive(slot.key)
            && (self.strength == Strength::Key || cx.is_alive(slot.value));
        there.then_some((slot.key, slot.value))
    }

    /// The number of positions, including holes.
    pub fn positions(&self) -> usize {
        self.slots.len()
    }

    /// The number of entries, including those whose death is not known yet.
    pub fn len(&self) -> usize {
        self.live
    }

    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Replaces an entry; the newer of two equal keys stays.
    fn replace(&mut self, at: usize, key: Value, value: Value) {
        self.slots[at].key = key;
        self.slots[at].value = value;
        self.recent.push(at as u32);
    }

    fn insert(&mut self, hash: u64, key: Value, value: Value) {
        if self.iterating == 0 && self.slots.len() > 2 * self.live + 8 {
            self.rebuild();
        }
        let at = self.slots.len() as u32;
        let next = self.first.insert(hash, at).unwrap_or(NONE);
        self.slots.push(Slot { key, value, hash, next });
        self.live += 1;
        self.recent.push(at);
    }

    /// Removes an entry.
    pub fn remove(&mut self, at: usize) {
        let (hash, next) = (self.slots[at].hash, self.slots[at].next);
        if self.slots[at].key.is_undef() {
            return;
        }
        let first = self.first.get(&hash).copied().unwrap_or(NONE);
        if first == at as u32 {
            if next == NONE {
                self.first.remove(&hash);
            } else {
                self.first.insert(hash, next);
            }
        } else {
            let mut before = first;
            while before != NONE && self.slots[before as usize].next != at as u32 {
                before = self.slots[before as usize].next;
            }
            if before != NONE {
                self.slots[before as usize].next = next;
            }
        }
        // The link stays, for a search that has reached this position.
        self.slots[at].key = Value::UNDEF;
        self.slots[at].value = Value::NIL;
        self.live -= 1;
    }

    pub fn clear(&mut self) {
        for at in 0..self.slots.len() {
            self.remove(at);
        }
    }

    /// Removes the holes.
    fn rebuild(&mut self) {
        self.slots.retain(|slot| !slot.key.is_undef());
        self.first.clear();
        self.link_all();
        // The positions have changed: treat all entries as recently written.
        self.recent = (0..self.slots.len() as u32).collect();
        self.cleared = 0;
    }

    fn link_all(&mut self) {
        for at in 0..self.slots.len() {
            if !self.slots[at].key.is_undef() {
                let hash = self.slots[at].hash;
                self.slots[at].next = self.first.insert(hash, at as u32).unwrap_or(NONE);
            }
        }
    }

    fn check(&mut self, at: usize, alive: &dyn Fn(Value) -> bool) {
        let Some(slot) = self.slots.get(at) else { return };
        let dead = !slot.key.is_undef() && !(alive(slot.key) && (self.strength == Strength::Key || alive(slot.value)));
        if dead {
            self.remove(at);
        }
    }

    fn retain_recent(&mut self, alive: &dyn Fn(Value) -> bool) {
        let recent = std::mem::take(&mut self.recent);
        for at in &recent {
            self.check(*at as usize, alive);
        }
        self.recent = recent;
        self.recent.clear();
    }

    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: &mut usize) -> bool {
        while self.cleared < self.slots.len() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.check(self.cleared, alive);
            self.cleared += 1;
        }
        self.cleared = 0;
        true
    }

    /// Visits the values that the map keeps alive; in a minor collection only those stored since the last one.
    fn trace_values(&mut self, marker: &mut Marker) {
        if marker.purpose() == Purpose::Minor {
            for at in &self.recent {
                if let Some(slot) = self.slots.get_mut(*at as usize) {
                    slot.value.trace(marker);
                }
            }
        } else {
            for slot in &mut self.slots {
                slot.value.trace(marker);
            }
        }
    }

    fn update(&mut self, marker: &mut Marker) {
        for slot in self.slots.iter_mut().filter(|slot| !slot.key.is_undef()) {
            slot.key.trace(marker);
            if self.strength == Strength::Both {
                slot.value.trace(marker);
                slot.hash = slot.key.0;
            }
        }
        if self.strength == Strength::Both {
            self.first.clear();
            self.link_all();
        }
    }
}

/// All maps of a VM.
#[derive(Default)]
pub struct WeakMaps {
    maps: Vec<Rc<RefCell<Entries>>>,
    /// The progress of a pass after a full collection.
    at: usize,
}

impl WeakMaps {
    fn forget_dead(&mut self) {
        self.maps.retain(|map| Rc::strong_count(map) > 1);
    }
}

impl WeakTable for WeakMaps {
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool) {
        if self.at == 0 {
            self.forget_dead();
        }
        for map in &self.maps {
            let mut map = map.borrow_mut();
            if young_only {
                map.retain_recent(alive);
            } else {
                map.retain_step(alive, &mut usize::MAX.clone());
            }
        }
    }

    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        let mut budget = budget;
        if self.at == 0 {
            self.forget_dead();
        }
        while let Some(map) = self.maps.get(self.at) {
            if !map.borrow_mut().retain_step(alive, &mut budget) {
                return false;
            }
            self.at += 1;
        }
        self.at = 0;
        true
    }

    fn precedes_finalizers(&self) -> bool {
        true
    }

    fn count(&self) -> usize {
        let references = |map: &Rc<RefCell<Entries>>| {
            let map = map.borrow();
            if map.strength == Strength::Both { map.live * 2 } else { map.live }
        };
        self.maps.iter().map(references).sum()
    }

    fn update(&mut self, marker: &mut Marker) {
        for map in &self.maps {
            map.borrow_mut().update(marker);
        }
    }
}

/// The native side of a map object.
struct Holder(Rc<RefCell<Entries>>);

/// Written by hand, because the map determines which references are strong.
impl Trace for Holder {
    fn trace(&mut self, marker: &mut Marker) {
        let mut entries = self.0.borrow_mut();
        if entries.strength == Strength::Key {
            entries.trace_values(marker);
        }
    }
}

impl NativeData for Holder {
    crate::one_vtable!(Holder);

    fn memsize(&self) -> usize {
        let entries = self.0.borrow();
        entries.slots.capacity() * size_of::<Slot>() + entries.first.capacity() * 16
    }

    fn type_name(&self) -> &'static str {
        if self.0.borrow().strength == Strength::Both { "weakmap" } else { "weakkeymap" }
    }
}

/// An empty map of this class.
pub fn new(cx: &mut Mem, class: Value, strength: Strength) -> Value {
    let entries = Rc::new(RefCell::new(Entries::new(strength)));
    cx.world_mut().weak_maps.maps.push(entries.clone());
    native::new(cx, class, Box::new(Holder(entries)))
}

/// Calls `f` with the entries of a map, if `v` is one. `f` must not run Ruby.
pub fn with<T>(v: Value, f: impl FnOnce(&mut Entries) -> T) -> Option<T> {
    // SAFETY: the box lives as long as the map; the reference ends with the clone.
    let entries = unsafe { (*native::data_of::<Holder>(v)?).0.clone() };
    Some(f(&mut entries.borrow_mut()))
}

/// Replaces key and value of an existing entry.
pub fn replace(cx: &mut Mem, v: Value, at: usize, key: Value, value: Value) {
    with(v, |entries| entries.replace(at, key, value));
    cx.remember(v);
}

/// Adds an entry.
pub fn insert(cx: &mut Mem, v: Value, hash: u64, key: Value, value: Value) {
    debug_assert!(!cell::is(v, abi::Type::None));
    with(v, |entries| entries.insert(hash, key, value));
    cx.remember(v);
}

/// Changes the number of active iterations; positions do not change while it is positive.
pub fn iterating(v: Value, change: i32) {
    with(v, |entries| entries.iterating = entries.iterating.saturating_add_signed(change));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minor_collection_forgets_maps_that_died() {
        let mut all = WeakMaps::default();
        let kept = Rc::new(RefCell::new(Entries::new(Strength::Both)));
        all.maps.push(kept.clone());
        all.maps.push(Rc::new(RefCell::new(Entries::new(Strength::Key))));
        all.retain(&|_| true, true);
        assert_eq!((all.maps.len(), Rc::strong_count(&kept)), (1, 2));
    }
}

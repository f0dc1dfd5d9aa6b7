//! Side tables for data that few objects have: object ids, instance variables of strings and arrays, finalizers,
//! allocation sites.
//!
//! A side table maps the address of an owner to a word or two. It does not keep owners alive: the collection that finds
//! an owner dead removes its entry before the cell is reused, and a compaction moves entries. Owners added since the
//! last collection are in a separate list, so that a minor collection examines only those.
//!
//! The values in the table of *attachments* live as long as their owner: they are traced with it (its header has a
//! flag), so that an attachment which refers to its owner does not keep it alive.

use abi::{Flags, Value};
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::buffer::OutOfMemory;
use crate::heap::State;
use crate::layout::Table;
use crate::marker::Marker;
use crate::mutator::Mutator;
use crate::weak::is_alive;

/// A hash of addresses that keeps neighbours together: the owners in a kilobyte of the heap have their entries in
/// neighbouring places of the table, in their order, so that a pass over objects touches each part of the table once.
/// Which part of the table belongs to which kilobyte is random.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are addresses");
    }

    #[inline]
    fn write_usize(&mut self, address: usize) {
        const ODD: u64 = 0xf135_7aea_2e62_a9c5;
        /// The bits that tell entries of neighbouring places apart.
        const TAG: u64 = !(u64::MAX >> 7);
        let address = address as u64;
        let place = (address >> 10).wrapping_mul(ODD).rotate_left(26) << 6 | address >> 4 & 63;
        self.0 = address.wrapping_mul(ODD) & TAG | place & !TAG;
    }
}

/// Words by the address of their owner.
pub(crate) struct SideTable<T> {
    entries: HashMap<usize, T, BuildHasherDefault<AddressHasher>>,
    /// Entries that were found last, each at a place that its owner's address determines.
    recent: [Cell<Option<(usize, T)>>; RECENT],
    /// Owners added since the last collection.
    young: Vec<usize>,
    old: Vec<usize>,
    /// The progress of a pass over `old`.
    cleared: usize,
}

/// The number of entries that are found without a search.
const RECENT: usize = 8;

fn recent_place(owner: usize) -> usize {
    (owner >> 5) % RECENT
}

impl<T> Default for SideTable<T> {
    fn default() -> Self {
        SideTable {
            entries: HashMap::default(),
            recent: [const { Cell::new(None) }; RECENT],
            young: Vec::new(),
            old: Vec::new(),
            cleared: 0,
        }
    }
}

impl<T: Copy> SideTable<T> {
    #[inline]
    pub fn get(&self, owner: Value) -> Option<T> {
        let owner = owner.0 as usize;
        match self.recent[recent_place(owner)].get() {
            Some((of, entry)) if of == owner => Some(entry),
            _ => self.look_up(owner),
        }
    }

    fn look_up(&self, owner: usize) -> Option<T> {
        let entry = self.entries.get(&owner).copied()?;
        self.recent[recent_place(owner)].set(Some((owner, entry)));
        Some(entry)
    }

    /// Before entries are changed or removed.
    fn forget_recent(&self) {
        self.recent.iter().for_each(|place| place.set(None));
    }

    fn set(&mut self, owner: Value, entry: T) -> Result<(), OutOfMemory> {
        self.entries.try_reserve(1).map_err(|_| OutOfMemory)?;
        // A collection moves the young ones to the old list without reserving space.
        self.old.try_reserve(self.young.len() + 1).map_err(|_| OutOfMemory)?;
        self.young.try_reserve(1).map_err(|_| OutOfMemory)?;
        self.recent[recent_place(owner.0 as usize)].set(None);
        if self.entries.insert(owner.0 as usize, entry).is_none() {
            self.young.push(owner.0 as usize);
        }
        Ok(())
    }

    pub fn slot(&mut self, owner: usize) -> Option<&mut T> {
        self.recent[recent_place(owner)].set(None);
        self.entries.get_mut(&owner)
    }

    /// After a minor collection: removes the entries of unmarked young owners, which are dead.
    pub fn clear_young(&mut self, current: Table) {
        self.forget_recent();
        for owner in self.young.drain(..) {
            if is_marked(owner, current) {
                self.old.push(owner);
            } else {
                self.entries.remove(&owner);
            }
        }
    }

    /// Makes all owners old, after a full collection in one stop.
    pub fn adopt_young(&mut self) {
        let (young, old) = (&mut self.young, &mut self.old);
        old.append(young);
    }

    /// One step of the pass after a full collection; true when the pass is complete.
    pub fn clear_step(&mut self, current: Table, budget: &mut usize) -> bool {
        self.forget_recent();
        while self.cleared < self.old.len() {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            let owner = self.old[self.cleared];
            if is_alive(Value(owner as u64), current) {
                self.cleared += 1;
            } else {
                self.old.swap_remove(self.cleared);
                self.entries.remove(&owner);
            }
        }
        self.cleared = 0;
        if self.entries.len() * 8 < self.entries.capacity() {
            self.entries.shrink_to(self.entries.len() * 2);
        }
        true
    }

    /// Passes each owner to `forward`, which returns its new address.
    fn move_owners(&mut self, forward: &mut dyn FnMut(usize) -> usize) {
        self.forget_recent();
        for list in [&mut self.young, &mut self.old] {
            for owner in list {
                *owner = forward(*owner);
            }
        }
        let moved: Vec<(usize, usize)> = self
            .entries
            .keys()
            .filter_map(|owner| {
                let to = forward(*owner);
                (to != *owner).then_some((*owner, to))
            })
            .collect();
        // An owner may have moved to the former address of another one, so all entries are removed first.
        let entries: Vec<_> = moved.iter().filter_map(|(from, to)| Some((*to, self.entries.remove(from)?))).collect();
        self.entries.extend(entries);
    }
}

fn is_marked(owner: usize, current: Table) -> bool {
    // SAFETY: owners are cells of arenas.
    unsafe { crate::layout::Place::of(owner) }.test(current)
}

impl Mutator {
    /// The attachment of the object.
    #[inline]
    pub fn attachment(&self, owner: Value) -> Option<Value> {
        // SAFETY: a heap value refers to a live object, whose first word is its header.
        if !owner.is_heap() || unsafe { *owner.cell() } & Flags::ATTACHED as u64 == 0 {
            return None;
        }
        self.state().attachments.get(owner)
    }

    /// Attaches a value to the object; it lives as long as the object does.
    pub fn attach_to(&mut self, owner: Value, value: Value) -> Result<(), OutOfMemory> {
        assert!(owner.is_heap());
        self.state().attachments.set(owner, value)?;
        // SAFETY: a heap value refers to a live object; a flag of the header is no reference.
        unsafe { *owner.cell() |= Flags::ATTACHED as u64 };
        self.barrier(owner, value);
        Ok(())
    }

    /// Calls `f` for every live object with an attachment. `f` must not allocate.
    pub fn each_attachment(&self, f: &mut dyn FnMut(Value, Value)) {
        for (owner, value) in &self.state().attachments.entries {
            let owner = Value(*owner as u64);
            if self.is_alive(owner) {
                f(owner, *value);
            }
        }
    }

    /// Records an allocation site as a number that only the caller interprets.
    pub fn note_site(&mut self, owner: Value, site: u64) -> Result<(), OutOfMemory> {
        self.state().sites.set(owner, site)
    }

    /// The recorded allocation site of the object.
    pub fn site(&self, owner: Value) -> Option<u64> {
        self.state().sites.get(owner)
    }

    /// Forgets all allocation sites.
    pub fn clear_sites(&mut self) {
        self.state().sites = SideTable::default();
    }
}

impl Marker {
    /// Visits the attachment of a cell whose header has the flag.
    #[cold]
    #[inline(never)]
    pub(crate) fn trace_attachment(&mut self, cell: usize) {
        // SAFETY: the table outlives the marker, and nothing else uses it during a collection.
        let attachments = unsafe { &mut *self.attachments };
        if let Some(value) = attachments.slot(cell) {
            let slot: *mut Value = value;
            // SAFETY: the slot is in the table, which is the value's actual location.
            unsafe { self.slot(slot) };
        }
    }
}

impl State {
    pub fn clear_young_sides(&mut self) {
        let current = self.current_table();
        self.attachments.clear_young(current);
        self.sites.clear_young(current);
    }

    pub fn adopt_young_sides(&mut self) {
        self.attachments.adopt_young();
        self.sites.adopt_young();
    }

    pub fn clear_sides(&mut self, budget: &mut usize) -> bool {
        let current = self.current_table();
        self.attachments.clear_step(current, budget) && self.sites.clear_step(current, budget)
    }

    /// Moves the entries after a compaction has moved cells.
    pub fn move_sides(&mut self, forward: &mut dyn FnMut(usize) -> usize) {
        self.attachments.move_owners(forward);
        self.sites.move_owners(forward);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hash::BuildHasher;

    #[test]
    fn neighbours_have_neighbouring_places_and_kilobytes_differ() {
        let hash = |address: usize| BuildHasherDefault::<AddressHasher>::default().hash_one(address);
        let place = |address: usize| hash(address) & 0xffff;
        assert!((0..64).all(|i| place(0x7f12_3456_7400 + 16 * i) == place(0x7f12_3456_7400) + i as u64));
        let mut first: Vec<_> = (0..256).map(|i| place(0x7f12_3456_0000 + 1024 * i)).collect();
        first.sort_unstable();
        first.dedup();
        assert!(first.len() > 200, "{}", first.len());
    }

    #[test]
    fn entries_that_were_found_may_change() {
        let mut table = SideTable::default();
        let owners = [64, 64 + 32 * RECENT as u64].map(Value);
        owners.iter().for_each(|owner| assert!(table.set(*owner, 'a').is_ok()));
        assert_eq!(owners.map(|owner| table.get(owner)), [Some('a'); 2]);
        assert!(table.set(owners[1], 'b').is_ok());
        assert_eq!(owners.map(|owner| table.get(owner)), [Some('a'), Some('b')]);
        *table.slot(64).unwrap() = 'c';
        assert_eq!(owners.map(|owner| table.get(owner)), [Some('c'), Some('b')]);
    }

    #[test]
    fn owners_may_move_to_places_that_others_leave() {
        let mut table = SideTable::default();
        for (owner, entry) in [(16, 'a'), (32, 'b'), (48, 'c')] {
            assert!(table.set(Value(owner), entry).is_ok());
        }
        assert!(table.set(Value(32), 'B').is_ok());
        table.adopt_young();
        assert!(table.set(Value(64), 'd').is_ok());
        table.move_owners(&mut |owner| match owner {
            16 => 32,
            32 => 16,
            64 => 80,
            other => other,
        });
        assert_eq!(
            [16, 32, 48, 64, 80].map(|owner| table.get(Value(owner))),
            [Some('B'), Some('a'), Some('c'), None, Some('d')]
        );
        assert_eq!((table.old, table.young), (vec![32, 16, 48], vec![80]));
    }
}

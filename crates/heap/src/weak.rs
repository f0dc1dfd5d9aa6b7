//! References that do not keep cells alive: weak tables, finalizable objects, cells with native data to drop.
//!
//! They are in side lists, with the young ones separate, so that a minor collection examines only those registered
//! since the last one and never visits an ordinary dead cell.

use std::collections::VecDeque;
use std::ptr::NonNull;

use abi::Value;

use crate::buffer::OutOfMemory;
use crate::heap::{Heap, Phase, State};
use crate::layout::{Kind, Place, Table, block_at};
use crate::marker::Marker;
use crate::mutator::Mutator;

/// A table outside of the heap with weak references.
pub trait WeakTable {
    /// Drops the entries for which `alive` is false for something they refer to. After a minor collection
    /// (`young_only`) only values allocated since the last call can be dead: a table that tracks its new entries need
    /// only examine those. It must not allocate in the heap.
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool);

    /// Continues a pass over all entries with about `budget` of them; true when the pass is complete. No list of new
    /// entries may contain dead ones then: a full collection in one stop has no minor collection before it. Large
    /// tables should implement it, so that pauses do not grow with them. Between two steps a lookup checks
    /// `Mutator::is_alive` before it returns an entry.
    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        let _ = budget;
        self.retain(alive, false);
        true
    }

    /// Whether it is cleared before dead objects with finalizers are kept for one more collection. True for references
    /// that are weak in the program's view: they are cleared when a finalizer runs. Tables that objects depend on, like
    /// their class, are cleared afterwards.
    fn precedes_finalizers(&self) -> bool {
        false
    }

    /// The number of references that it holds, for `GC.latest_gc_info`.
    fn count(&self) -> usize;

    /// Passes every slot to `marker.slot`, after a compaction has moved cells, or for a verification. A table that
    /// hashes addresses must be rebuilt before its next use.
    fn update(&mut self, marker: &mut Marker);
}

/// Cells with a `TypeInfo::drop`.
#[derive(Default)]
pub(crate) struct Natives {
    pub young: Vec<Value>,
    pub old: Vec<Value>,
    /// The number of cells registered since memory was last probed.
    unprobed: usize,
}

impl Natives {
    /// The number of cells that may be registered between two probes.
    const PROBED: usize = 1024;
    /// A probe checks that this many bytes could be allocated: more than all boxes between two probes need. Boxes are
    /// too small to report a failed allocation each.
    const ROOM: usize = 8 << 20;

    fn probe(&mut self) -> Result<(), OutOfMemory> {
        self.unprobed += 1;
        if self.unprobed >= Self::PROBED {
            self.unprobed = 0;
            Vec::<u8>::new().try_reserve_exact(Self::ROOM).map_err(|_| OutOfMemory)?;
        }
        Ok(())
    }
}

/// Objects with a finalizer.
#[derive(Default)]
pub(crate) struct Finalizables {
    pub young: Vec<Value>,
    pub old: Vec<Value>,
    /// Dead objects, kept alive until they are taken.
    pub queue: VecDeque<Value>,
}

impl Heap {
    /// Registers a weak table.
    ///
    /// # Safety
    /// It stays at its address until `remove_weak_table`.
    pub unsafe fn add_weak_table(&self, table: NonNull<dyn WeakTable>) {
        // SAFETY: by this function's contract the table is alive.
        let first = unsafe { table.as_ref() }.precedes_finalizers();
        let state = self.state();
        let at = if first { state.preceding_weak } else { state.weak.len() };
        state.preceding_weak += usize::from(first);
        state.weak.insert(at, table);
    }

    pub fn remove_weak_table(&self, table: NonNull<dyn WeakTable>) {
        let state = self.state();
        // A pass in progress must not skip the table that takes its index.
        if state.phase == Phase::Clearing {
            state.finish_clearing();
        }
        let Some(at) = state.weak.iter().position(|t| std::ptr::addr_eq(t.as_ptr(), table.as_ptr())) else { return };
        state.weak.remove(at);
        state.preceding_weak -= usize::from(at < state.preceding_weak);
    }
}

impl Mutator {
    /// Registers a cell whose type's `drop` must be called when it dies.
    pub fn register_native(&mut self, cell: Value) -> Result<(), OutOfMemory> {
        self.state().natives.probe()?;
        self.register_embedded(cell)
    }

    /// Registers a cell whose type's `drop` must be called when it dies, and which has no box outside of the heap.
    pub fn register_embedded(&mut self, cell: Value) -> Result<(), OutOfMemory> {
        let natives = &mut self.state().natives;
        // The old list must have space for all young ones, because it cannot grow inside a collection.
        natives.old.try_reserve(natives.young.len() + 1).map_err(|_| OutOfMemory)?;
        State::reserve_list(&mut natives.young)?;
        natives.young.push(cell);
        Ok(())
    }

    /// A living cell that was registered by `register_native`; `None` if `index` is not below the number of such cells.
    pub fn native(&self, index: usize) -> Option<Value> {
        let natives = &self.state().natives;
        let old = natives.old.len();
        if index < old { natives.old.get(index).copied() } else { natives.young.get(index - old).copied() }
    }

    /// Whether the address is that of the cell of an object that is dead. Valid only at the end of a collection.
    pub fn is_dead_object(&self, address: usize) -> bool {
        self.state().is_dead_object(address)
    }

    /// Registers an object that is kept for one more collection when it dies, and then returned by `take_finalizable`.
    pub fn register_finalizable(&mut self, object: Value) -> Result<(), OutOfMemory> {
        let lists = &mut self.state().finalizables;
        let all = lists.young.len() + lists.old.len() + 1;
        lists.old.try_reserve(lists.young.len() + 1).map_err(|_| OutOfMemory)?;
        lists.queue.try_reserve(all).map_err(|_| OutOfMemory)?;
        State::reserve_list(&mut lists.young)?;
        lists.young.push(object);
        Ok(())
    }

    /// Removes an object whose finalizers were undefined.
    pub fn unregister_finalizable(&mut self, object: Value) {
        let lists = &mut self.state().finalizables;
        lists.young.retain(|v| *v != object);
        lists.old.retain(|v| *v != object);
    }

    /// A dead object with finalizers, which is still intact. The safepoint runs its finalizers.
    pub fn take_finalizable(&mut self) -> Option<Value> {
        self.state().finalizables.queue.pop_front()
    }

    /// Any object with finalizers, dead or alive, for the end of the process.
    pub fn take_every_finalizable(&mut self) -> Option<Value> {
        let lists = &mut self.state().finalizables;
        lists.queue.pop_front().or_else(|| lists.old.pop()).or_else(|| lists.young.pop())
    }

    pub fn has_finalizable(&self) -> bool {
        !self.state().finalizables.queue.is_empty()
    }

    /// Keeps a cell alive and at its address until `unpin` was called as many times.
    pub fn pin(&mut self, value: Value) -> Result<(), OutOfMemory> {
        if value.is_heap() {
            let pins = &mut self.state().pins;
            State::reserve_list(pins)?;
            pins.push(value);
        }
        Ok(())
    }

    pub fn unpin(&mut self, value: Value) {
        let pins = &mut self.state().pins;
        if let Some(at) = pins.iter().rposition(|v| *v == value) {
            pins.swap_remove(at);
        }
    }

    /// Whether a value of a weak table is alive. A table that was not cleared yet after a full collection may contain
    /// dead cells: a lookup must treat those as absent.
    #[inline]
    pub fn is_alive(&self, value: Value) -> bool {
        !value.is_heap() || is_alive(value, self.marks)
    }
}

pub(crate) fn is_alive(value: Value, current: Table) -> bool {
    // SAFETY: values of the heap point to cells of arenas.
    let place = unsafe { Place::of(value.0 as usize) };
    place.test(current) || place.test(Table::YOUNG)
}

impl State {
    fn is_dead_object(&self, address: usize) -> bool {
        if !address.is_multiple_of(16) || address < self.region.base || address >= self.region.arenas_end {
            return false;
        }
        // SAFETY: the address is in a committed arena, whose descriptions are mapped; blocks of tables and unused ones
        // have no cells.
        let block = unsafe { &*block_at(address) };
        block.cells > 0
            && block.kind == Kind::Objects
            && block.index_of(address) < block.cells as usize
            && block.cell(block.index_of(address)) == address
            && !is_alive(Value(address as u64), self.current_table())
    }

    /// After the marking of a minor collection: removes unmarked young cells, which are dead.
    pub fn clear_young_weak(&mut self, marker: &mut Marker) {
        let current = self.current_table();
        let marked = |v: Value| {
            // SAFETY: values of the heap point to cells of arenas.
            !v.is_heap() || unsafe { Place::of(v.0 as usize) }.test(current)
        };
        for table in &mut self.weak[..self.preceding_weak] {
            // SAFETY: registered tables stay in place.
            unsafe { table.as_mut() }.retain(&marked, true);
        }
        let lists = &mut self.finalizables;
        let mut resurrected = false;
        for value in lists.young.drain(..) {
            if marked(value) {
                lists.old.push(value);
            } else {
                lists.queue.push_back(value);
                resurrected = true;
            }
        }
        if resurrected {
            self.mark_queue(marker);
        }
        for table in &mut self.weak[self.preceding_weak..] {
            // SAFETY: registered tables stay in place.
            unsafe { table.as_mut() }.retain(&marked, true);
        }
        self.clear_young_sides();
        let natives = std::mem::take(&mut self.natives.young);
        let mut kept_outside = 0;
        for value in &natives {
            if marked(*value) {
                self.natives.old.push(*value);
                kept_outside += self.held_outside(*value);
            } else {
                self.drop_native(*value);
            }
        }
        self.old_bytes += kept_outside;
        if self.phase == Phase::Marking {
            self.building_bytes += kept_outside;
            self.promoted_while_marking += kept_outside;
        }
        self.natives.young = natives;
        self.natives.young.clear();
    }

    /// Keeps dead objects with finalizers, and everything that they refer to.
    pub fn mark_queue(&mut self, marker: &mut Marker) {
        for value in self.finalizables.queue.iter_mut() {
            // SAFETY: the dead objects are still intact.
            unsafe { marker.slot(value) };
        }
        marker.drain(usize::MAX);
        while marker.stack.overflowed {
            marker.stack.clear();
            self.trace_all_marked(marker);
        }
    }

    pub fn count_weak(&self) -> usize {
        // SAFETY: registered tables stay in place.
        self.weak.iter().map(|table| unsafe { table.as_ref() }.count()).sum()
    }

    fn held_outside(&self, value: Value) -> usize {
        // SAFETY: registered cells are still intact: no cell is reused before the lists were processed.
        unsafe {
            let kind = (*value.cell() & abi::Flags::TYPE_MASK as u64) as usize;
            self.types[kind].outside.map_or(0, |outside| outside(value.cell()))
        }
    }

    pub fn drop_native(&self, value: Value) {
        // SAFETY: registered cells are still intact: no cell is reused before the lists were processed.
        unsafe {
            let kind = (*value.cell() & abi::Flags::TYPE_MASK as u64) as usize;
            if let Some(drop) = self.types[kind].drop {
                drop(value.cell());
            }
        }
    }
}

//! What refers to cells without keeping them: weak tables, finalizable objects, cells with something native to drop.
//!
//! They are in side lists, young ones apart, so that a minor collection looks only at what was registered since the
//! last one and an ordinary dead cell is never visited.

use std::collections::VecDeque;
use std::ptr::NonNull;

use abi::Value;

use crate::buffer::OutOfMemory;
use crate::heap::{Heap, Phase, State};
use crate::layout::{Place, Table};
use crate::marker::Marker;
use crate::mutator::Mutator;

/// A table outside of the heap whose entries do not keep what they refer to.
pub trait WeakTable {
    /// Drops the entries for which `alive` is false for something they refer to. After a minor collection
    /// (`young_only`) only values that were made since the last call can be dead: a table that remembers which of its
    /// entries are new looks at those alone. It must not allocate in the heap.
    fn retain(&mut self, alive: &dyn Fn(Value) -> bool, young_only: bool);

    /// Goes on with a pass over all entries, about `budget` of them; true when the pass has come to its end. A large
    /// table should implement it, so that no stop grows with it. Between two steps a look-up asks `Mutator::is_alive`
    /// before it returns what it found.
    fn retain_step(&mut self, alive: &dyn Fn(Value) -> bool, budget: usize) -> bool {
        let _ = budget;
        self.retain(alive, false);
        true
    }

    /// Is it gone through before the objects that died with finalizers are kept once more? So it is with references
    /// that a program sees as weak: they are gone when a finalizer runs. What an object itself stands on, as its class,
    /// is gone through afterwards.
    fn precedes_finalizers(&self) -> bool {
        false
    }

    /// How many references it holds, for `GC.latest_gc_info`.
    fn count(&self) -> usize;

    /// Gives every slot to `marker.slot`: a compaction moved cells. A table that hashes addresses must be rebuilt
    /// before its next use.
    fn update(&mut self, marker: &mut Marker);
}

/// Cells with a `TypeInfo::drop`.
#[derive(Default)]
pub(crate) struct Natives {
    pub young: Vec<Value>,
    pub old: Vec<Value>,
}

/// Objects with a finalizer.
#[derive(Default)]
pub(crate) struct Finalizables {
    pub young: Vec<Value>,
    pub old: Vec<Value>,
    /// Died since; kept alive until they were taken.
    pub queue: VecDeque<Value>,
}

impl Heap {
    /// Registers a weak table.
    ///
    /// # Safety
    /// It stays where it is until `remove_weak_table`.
    pub unsafe fn add_weak_table(&self, table: NonNull<dyn WeakTable>) {
        // SAFETY: the caller's promise.
        let first = unsafe { table.as_ref() }.precedes_finalizers();
        let state = self.state();
        let at = if first { state.preceding_weak } else { state.weak.len() };
        state.preceding_weak += usize::from(first);
        state.weak.insert(at, table);
    }

    pub fn remove_weak_table(&self, table: NonNull<dyn WeakTable>) {
        let state = self.state();
        // A pass that is under way must not skip the one that takes its place.
        if state.phase == Phase::Clearing {
            state.finish_clearing();
        }
        let Some(at) = state.weak.iter().position(|t| std::ptr::addr_eq(t.as_ptr(), table.as_ptr())) else { return };
        state.weak.remove(at);
        state.preceding_weak -= usize::from(at < state.preceding_weak);
    }
}

impl Mutator {
    /// Its type's `drop` is to be called when the cell dies.
    pub fn register_native(&mut self, cell: Value) -> Result<(), OutOfMemory> {
        let natives = &mut self.state().natives;
        // The old list must have room for all young ones without growing inside a collection.
        natives.old.try_reserve(natives.young.len() + 1).map_err(|_| OutOfMemory)?;
        State::reserve_list(&mut natives.young)?;
        natives.young.push(cell);
        Ok(())
    }

    /// When the object dies it is kept once more and handed out by `take_finalizable`.
    pub fn register_finalizable(&mut self, object: Value) -> Result<(), OutOfMemory> {
        let lists = &mut self.state().finalizables;
        let all = lists.young.len() + lists.old.len() + 1;
        lists.old.try_reserve(lists.young.len() + 1).map_err(|_| OutOfMemory)?;
        lists.queue.try_reserve(all).map_err(|_| OutOfMemory)?;
        State::reserve_list(&mut lists.young)?;
        lists.young.push(object);
        Ok(())
    }

    /// Its finalizers were undefined.
    pub fn unregister_finalizable(&mut self, object: Value) {
        let lists = &mut self.state().finalizables;
        lists.young.retain(|v| *v != object);
        lists.old.retain(|v| *v != object);
    }

    /// An object that died with a finalizer registered, whole for the last time. For the safepoint to run its
    /// finalizers.
    pub fn take_finalizable(&mut self) -> Option<Value> {
        self.state().finalizables.queue.pop_front()
    }

    /// All objects with finalizers, dead or not, for the end of the process.
    pub fn take_every_finalizable(&mut self) -> Option<Value> {
        let lists = &mut self.state().finalizables;
        lists.queue.pop_front().or_else(|| lists.old.pop()).or_else(|| lists.young.pop())
    }

    pub fn has_finalizable(&self) -> bool {
        !self.state().finalizables.queue.is_empty()
    }

    /// Keeps a cell where it is and alive, until `unpin` was called as often.
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

    /// Is the value of a weak table still there? A table that was not gone through yet after a full collection may hold
    /// cells that are dead: a look-up must take those for absent.
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
    /// After a minor collection's marking: what is young and unmarked is dead.
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
        for value in &natives {
            if marked(*value) {
                self.natives.old.push(*value);
            } else {
                self.drop_native(*value);
            }
        }
        self.natives.young = natives;
        self.natives.young.clear();
    }

    /// Keeps what died with finalizers, with all that it refers to.
    pub fn mark_queue(&mut self, marker: &mut Marker) {
        for value in self.finalizables.queue.iter_mut() {
            // SAFETY: the dead are still whole.
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

    pub fn drop_native(&self, value: Value) {
        // SAFETY: registered cells are still whole: nothing is reused before the lists were gone through.
        unsafe {
            let kind = (*value.cell() & abi::Flags::TYPE_MASK as u64) as usize;
            if let Some(drop) = self.types[kind].drop {
                drop(value.cell());
            }
        }
    }
}

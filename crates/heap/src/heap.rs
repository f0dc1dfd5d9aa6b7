//! `Heap`: everything that is shared by the mutators.

use std::ptr::NonNull;

use abi::Value;

use crate::buffer::OutOfMemory;
use crate::compact::Compaction;
use crate::counters::Counters;
use crate::full::Pace;
use crate::hooks::Hooks;
use crate::large::LargeSpace;
use crate::layout::{BlockId, SPACES, Table};
use crate::lists::Space;
use crate::marker::{Marker, Purpose, ShapeClasses};
use crate::mutator::{Mutator, Run};
use crate::options::Options;
use crate::region::Region;
use crate::request::Cause;
use crate::sampling::Sampling;
use crate::sides::SideTable;
use crate::stack::Stack;
use crate::types::Types;
use crate::weak::{Finalizables, Natives, WeakTable};

/// Visits the roots: VM stacks, symbol tables, classes, the native stacks of other threads and of fibers.
pub type Roots = unsafe fn(data: *mut (), marker: &mut Marker);

/// The collected heap. One VM has one.
pub struct Heap {
    pub(crate) state: NonNull<State>,
}

/// The phase of the collector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Idle,
    /// A full marking is building the other table.
    Marking,
    /// The tables were swapped; weak tables, finalizers, native data and large objects are being processed. No block is
    /// swept before that is done.
    Clearing,
}

pub(crate) struct State {
    pub types: &'static Types,
    pub region: Region,
    pub large: Box<LargeSpace>,
    pub spaces: [Space; SPACES],
    pub mutators: Vec<*mut Mutator>,
    /// Runs of detached mutators, with their space: the next mutator that needs a block of the space takes them over.
    /// Emptied by each collection.
    pub abandoned: Vec<(usize, Run)>,
    /// The index of the current mark table.
    pub current: usize,
    pub phase: Phase,
    /// Blocks from which cursors took cells since the last collection.
    pub touched: Vec<BlockId>,
    /// Old cells that were written to.
    pub remembered: Stack,
    pub remembered_bytes: usize,
    /// Work list of collections inside one stop.
    pub stack: Stack,
    /// Work list of the full marking.
    pub grey: Stack,
    pub roots: Option<(Roots, *mut ())>,
    pub shape_classes: *const ShapeClasses,
    pub natives: Natives,
    pub finalizables: Finalizables,
    pub weak: Vec<NonNull<dyn WeakTable>>,
    /// The number of weak tables, from the first, that are processed before finalizable objects are kept.
    pub preceding_weak: usize,
    pub attachments: Box<SideTable<Value>>,
    /// The allocation sites of objects, while they are traced.
    pub sites: SideTable<u64>,
    pub sampling: Sampling,
    pub pins: Vec<Value>,
    pub options: Options,
    pub hooks: Hooks,
    /// Bytes that cursors took since the last collection, up to their last retirement.
    pub young_bytes: usize,
    /// Like `young_bytes`, including the old cells between those that were taken. It is compared with the limit,
    /// because the whole extent must stay in the cache.
    pub young_span: usize,
    pub young_limit: usize,
    pub young_large_bytes: usize,
    /// The young large bytes at which a collection is due.
    pub large_limit: usize,
    /// A collection is due at the next allocation, however much was allocated.
    pub due: bool,
    /// `GC.disable`: only an emergency collects.
    pub disabled: bool,
    pub collecting: bool,
    /// Bytes allocated since the last step of the collector.
    pub debt: usize,
    /// Bytes of cells marked in the current table, and of old large objects.
    pub old_bytes: usize,
    /// Bytes of cells marked in the table that is being built, and of marked large objects.
    pub building_bytes: usize,
    /// Those of them that were promoted during the marking: much of that may be dead already.
    pub promoted_while_marking: usize,
    /// The old bytes at which the next full marking begins.
    pub full_limit: usize,
    /// Old bytes that the last full collection left.
    pub survived_bytes: usize,
    pub pace: Pace,
    /// Who asked for a full collection while a marking was in progress, which keeps what died since it began.
    pub another_wanted_by: Option<Cause>,
    /// Arenas whose unused mark table is known to be clear.
    pub cleared_arenas: usize,
    /// This is a forked process, which shares pages with its parent until it writes to them.
    pub is_forked: bool,
    /// No block is waiting to be swept.
    pub all_swept: bool,
    /// The progress of clearing.
    pub clearing: crate::clear::Clearing,
    pub allocations_until_stress: u32,
    pub compaction_wanted: bool,
    pub last_compaction: Compaction,
    pub counters: Counters,
}

impl Heap {
    /// A heap for cells of these types. Fails if the system has no address space.
    pub fn new(types: &'static Types, options: Options) -> host::Result<Heap> {
        let region = Region::new(options.region_bytes)?;
        let work = region.bytes / 128;
        let large = Box::new(LargeSpace::new(&region)?);
        let state = State {
            types,
            large,
            spaces: [Space::EMPTY; SPACES],
            mutators: Vec::new(),
            abandoned: Vec::new(),
            current: 0,
            phase: Phase::Idle,
            touched: Vec::new(),
            remembered: Stack::new(work)?,
            remembered_bytes: 0,
            stack: Stack::new(work)?,
            grey: Stack::new(work)?,
            roots: None,
            shape_classes: &ShapeClasses::NONE,
            natives: Natives::default(),
            finalizables: Finalizables::default(),
            weak: Vec::new(),
            preceding_weak: 0,
            attachments: Box::default(),
            sites: SideTable::default(),
            sampling: Sampling::default(),
            pins: Vec::new(),
            hooks: Hooks::default(),
            young_bytes: 0,
            young_span: 0,
            young_limit: options.first_young_limit(),
            young_large_bytes: 0,
            large_limit: options.tuning.large_limit,
            due: false,
            disabled: false,
            collecting: false,
            debt: 0,
            old_bytes: 0,
            building_bytes: 0,
            promoted_while_marking: 0,
            full_limit: options.tuning.first_full_limit(),
            survived_bytes: 0,
            pace: Pace::default(),
            another_wanted_by: None,
            cleared_arenas: 0,
            is_forked: false,
            all_swept: true,
            clearing: crate::clear::Clearing::default(),
            allocations_until_stress: options.stress_interval,
            compaction_wanted: false,
            last_compaction: Compaction::NONE,
            counters: Counters::new(),
            region,
            options,
        };
        Ok(Heap { state: NonNull::from(Box::leak(Box::new(state))) })
    }

    #[allow(clippy::mut_from_ref)]
    pub(crate) fn state(&self) -> &mut State {
        // SAFETY: the state lives as long as the heap, and threads take turns.
        unsafe { &mut *self.state.as_ptr() }
    }

    /// Sets the callback that visits the roots. `data` is passed to `roots` in every collection.
    ///
    /// # Safety
    /// `roots` may be called with `data` at any allocation from now on.
    pub unsafe fn set_roots(&self, roots: Roots, data: *mut ()) {
        self.state().roots = Some((roots, data));
    }

    /// Sets the table of the classes of shapes, so that objects keep their classes alive.
    ///
    /// # Safety
    /// `classes` stays at its address, and the table that it points to has a class for every shape of a live object.
    pub unsafe fn set_shape_classes(&self, classes: *const ShapeClasses) {
        self.state().shape_classes = classes;
    }

    pub fn options(&self) -> &Options {
        &self.state().options
    }

    /// Drops the mutators of threads that do not exist in a forked child. Must be called in the child, with the mutator
    /// that remains.
    pub fn after_fork(&self, remaining: &mut Mutator) {
        let state = self.state();
        let pointer: *mut Mutator = remaining;
        for other in std::mem::take(&mut state.mutators) {
            if other != pointer {
                // SAFETY: attached mutators stay in place; the child's copy of the others' memory is intact.
                unsafe { (*other).detach_here() };
            }
        }
        state.mutators.push(pointer);
        state.is_forked = true;
    }
}

impl Drop for Heap {
    fn drop(&mut self) {
        for mutator in &self.state().mutators {
            // SAFETY: attached mutators stay at their address. One that outlives its heap must not access it when it is
            // dropped.
            unsafe { (**mutator).attached = false };
        }
        // SAFETY: made by `Box::leak`, freed here once.
        unsafe { drop(Box::from_raw(self.state.as_ptr())) };
    }
}

impl State {
    #[inline(always)]
    pub fn current_table(&self) -> Table {
        Table::MARKS[self.current]
    }

    #[inline(always)]
    pub fn other_table(&self) -> Table {
        Table::MARKS[1 - self.current]
    }

    #[inline(always)]
    pub fn stressed(&self) -> bool {
        self.options.stress_interval > 0
    }

    pub fn attach(&mut self, mutator: *mut Mutator) {
        self.mutators.push(mutator);
        self.update_mutators();
    }

    /// # Safety
    /// The mutator is attached and alive.
    pub unsafe fn detach(&mut self, mutator: *mut Mutator) {
        // SAFETY: by this function's contract it is alive.
        unsafe { (*mutator).detach_here() };
        self.mutators.retain(|m| *m != mutator);
    }

    /// Copies the data of the fast paths into every mutator.
    pub fn update_mutators(&mut self) {
        let building = if self.phase == Phase::Marking { self.other_table() } else { Table::NONE };
        for mutator in &self.mutators {
            // SAFETY: attached mutators stay in place; threads take turns.
            unsafe {
                (**mutator).marks = self.current_table();
                (**mutator).building = building;
                (**mutator).arenas_end = self.region.arenas_end;
                (**mutator).attention = self.needs_attention();
            }
        }
    }

    /// A marker with the work list of this stop. It must be returned to `end_marking`.
    pub fn marker(&mut self, purpose: Purpose) -> Marker {
        Marker {
            table: self.current_table(),
            second: Table::NONE,
            require: Table::NONE,
            current: self.current_table(),
            live_index: self.current,
            special: matches!(purpose, Purpose::Update | Purpose::Visit),
            pinning: false,
            scans_unchanged: true,
            purpose,
            stack: std::mem::replace(&mut self.stack, Stack::empty()),
            grey: std::mem::replace(&mut self.grey, Stack::empty()),
            types: self.types,
            // SAFETY: the table stays at its address, by the contract of `set_shape_classes`.
            first_shape: unsafe { (*self.shape_classes).first },
            // SAFETY: the table stays at its address, by the contract of `set_shape_classes`.
            shape_classes: unsafe { (*self.shape_classes).classes },
            large: &mut *self.large,
            attachments: &mut *self.attachments,
            base: self.region.base,
            arenas_end: self.region.arenas_end,
            region_end: self.region.end(),
            marked_cells: 0,
            marked_bytes: 0,
            grey_bytes: 0,
            work: 0,
            forward: None,
            visit: None,
        }
    }

    pub fn end_marking(&mut self, marker: Marker) {
        self.stack = marker.stack;
        self.grey = marker.grey;
    }

    /// Visits every root except the native stacks of running threads.
    pub fn visit_roots(&mut self, marker: &mut Marker) {
        if let Some((roots, data)) = self.roots {
            // SAFETY: `set_roots` took both.
            unsafe { roots(data, marker) };
        }
        for value in &self.pins {
            marker.pinned(*value);
        }
        for value in self.finalizables.queue.iter_mut() {
            // SAFETY: an entry of the queue is a slot of a live object.
            unsafe { marker.slot(value) };
        }
    }

    /// Reserves space for one more entry, or returns an error.
    pub fn reserve_list<T>(list: &mut Vec<T>) -> Result<(), OutOfMemory> {
        list.try_reserve(1).map_err(|_| OutOfMemory)
    }
}

impl Mutator {
    /// Returns the runs and blocks of the mutator. The blocks stay on the list of touched ones until the next
    /// collection.
    pub(crate) fn detach_here(&mut self) {
        for space in 0..SPACES {
            self.retire_run(space);
            let run = std::mem::replace(&mut self.runs[space], Run::NONE);
            // Without memory for the list, the run's free cells stay unused until the next collection.
            let abandoned = &mut self.state().abandoned;
            if !run.block.is_null() && abandoned.try_reserve(1).is_ok() {
                abandoned.push((space, run));
            }
        }
    }
}

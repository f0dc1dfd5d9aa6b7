//! Statistics of the heap. Counters are updated where that costs nothing, and everything else is computed on request.

use std::time::Duration;

use crate::classes;
use crate::heap::{Heap, Phase, State};
use crate::layout::{Kind, SPACES, space_index};
use crate::mutator::Mutator;
use crate::request::{Cause, Request};

/// Statistics of the whole heap. Objects are cells with a header; payload buffers are counted separately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub minor_collections: u64,
    /// Completed full collections.
    pub full_collections: u64,
    pub compactions: u64,
    pub time: Duration,
    pub mark_time: Duration,
    pub sweep_time: Duration,
    pub compact_time: Duration,
    /// Blocks with cells of objects or buffers.
    pub used_blocks: usize,
    pub object_blocks: usize,
    /// Empty blocks with memory.
    pub empty_blocks: usize,
    /// Empty blocks whose memory was returned.
    pub cold_blocks: usize,
    pub total_blocks: u64,
    /// How often the memory of a block was returned.
    pub freed_blocks: u64,
    /// Cells of all object blocks.
    pub object_cells: usize,
    pub live_objects: usize,
    /// Bytes of all those cells, and of the live ones.
    pub object_bytes: usize,
    pub live_object_bytes: usize,
    /// Objects that survived a collection.
    pub old_objects: usize,
    pub allocated_objects: u64,
    pub freed_objects: u64,
    pub live_buffers: usize,
    pub allocated_buffers: u64,
    pub freed_buffers: u64,
    pub promoted_cells: u64,
    pub moved_objects: u64,
    /// Dead objects whose finalizers have not run yet.
    pub finalizable: usize,
    pub remembered: usize,
    pub old_bytes: usize,
    /// The old bytes at which the next full collection begins.
    pub old_bytes_limit: usize,
    pub young_bytes: usize,
    pub young_bytes_limit: usize,
    pub young_large_bytes: usize,
    pub young_large_bytes_limit: usize,
    pub large_objects: usize,
    pub large_bytes: usize,
    pub large_allocated_bytes: u64,
    pub large_freed_bytes: u64,
    /// Dead large buffers that keep their memory for reuse.
    pub cached_bytes: usize,
    /// Committed address space of blocks and large objects.
    pub region_bytes_used: usize,
}

/// The object cells of one size.
#[derive(Clone, Copy, Debug, Default)]
pub struct SizeStatistics {
    pub cell_size: usize,
    pub live: usize,
    pub free: usize,
    pub finalizable: usize,
    pub blocks: usize,
    pub cells: usize,
    pub total_blocks: u64,
    pub allocated: u64,
    pub freed: u64,
}

/// `GC.latest_gc_info`.
#[derive(Clone, Copy, Debug)]
pub struct LatestCollection {
    pub request: Request,
    /// Why the last collection was, or began, a full one.
    pub full_by: Option<Cause>,
    /// A full collection is due at the next minor one.
    pub need_full_by: Option<Cause>,
    pub phase: Phase,
    pub sweeping: bool,
    pub has_finalizable: bool,
    pub weak_references: usize,
    pub retained_weak_references: usize,
}

/// Wall-clock time of collections, by activity.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub mark: Duration,
    pub sweep: Duration,
    pub compact: Duration,
}

/// Statistics of one thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct ThreadStatistics {
    pub allocated_objects: u64,
    pub allocated_bytes: u64,
    /// Wall time that it spent in collections.
    pub collection_time: Duration,
}

impl Heap {
    /// The number of collections: `GC.count`.
    pub fn collections(&self) -> u64 {
        self.state().counters.collections()
    }

    /// The bytes of old objects and of old large buffers, some of which may be dead until the next full collection.
    pub fn old_bytes(&self) -> usize {
        self.state().old_bytes
    }

    pub fn statistics(&self) -> Statistics {
        let mut all = self.counters();
        self.state().count_cells(&mut all);
        all
    }

    /// The statistics without the counters that need a walk over the blocks: live, free and old objects, and blocks.
    pub fn counters(&self) -> Statistics {
        let state = self.state();
        state.retire_all();
        let counters = &state.counters;
        let mut all = Statistics {
            minor_collections: counters.minor,
            full_collections: counters.full,
            compactions: counters.compactions,
            time: counters.time,
            mark_time: counters.mark_time,
            sweep_time: counters.sweep_time,
            compact_time: counters.compact_time,
            empty_blocks: state.region.pool.len(),
            cold_blocks: state.region.cold.len(),
            total_blocks: state.region.total_blocks,
            freed_blocks: state.region.freed_blocks,
            promoted_cells: counters.promoted_cells,
            moved_objects: counters.moved,
            finalizable: state.finalizables.queue.len(),
            remembered: state.remembered.len(),
            old_bytes: state.old_bytes,
            old_bytes_limit: state.full_limit,
            young_bytes: state.young_bytes,
            young_bytes_limit: state.young_limit,
            young_large_bytes: state.young_large_bytes,
            young_large_bytes_limit: state.large_limit,
            large_objects: state.large.live_count,
            large_bytes: state.large.live_bytes,
            large_allocated_bytes: state.large.allocated_bytes,
            large_freed_bytes: state.large.allocated_bytes - state.large.live_bytes as u64,
            cached_bytes: state.large.extents.cached_bytes(),
            region_bytes_used: state.region.arenas_end - state.region.base + state.region.end()
                - state.region.large_start,
            ..Statistics::default()
        };
        for (index, space) in state.spaces.iter().enumerate() {
            if index < classes::COUNT {
                all.allocated_objects += space.allocated;
            } else {
                all.allocated_buffers += space.allocated;
            }
        }
        all.allocated_buffers += state.large.allocated;
        all
    }

    /// The number of objects allocated so far. The cursors of the mutators do not change.
    pub fn allocated_objects(&self) -> u64 {
        let state = self.state();
        let counted: u64 = state.spaces[..classes::COUNT].iter().map(|space| space.allocated).sum();
        // SAFETY: attached mutators stay in place; threads take turns.
        let uncounted = state.mutators.iter().map(|mutator| unsafe { (**mutator).uncounted_objects() });
        counted + uncounted.sum::<u64>()
    }

    /// Cell sizes in ascending order.
    pub fn cell_sizes() -> impl Iterator<Item = usize> {
        classes::SIZES.iter().map(|size| *size as usize)
    }

    /// The object cells of each size, in ascending order.
    pub fn size_statistics(&self) -> Vec<SizeStatistics> {
        let state = self.state();
        state.retire_all();
        let mut sizes: Vec<SizeStatistics> = (0..classes::COUNT)
            .map(|class| {
                let space = &state.spaces[space_index(Kind::Objects, class)];
                SizeStatistics {
                    cell_size: classes::SIZES[class] as usize,
                    live: space.young as usize,
                    blocks: space.blocks as usize,
                    total_blocks: space.total_blocks,
                    allocated: space.allocated,
                    ..SizeStatistics::default()
                }
            })
            .collect();
        let current = state.current;
        state.region.each_block(|block| {
            if block.kind == Kind::Objects {
                let size = &mut sizes[block.class as usize];
                size.live += block.live[current] as usize;
                size.cells += block.cells as usize;
            }
        });
        for value in &state.finalizables.queue {
            let size = Mutator::cell_size(*value);
            sizes[classes::class_of(size)].finalizable += 1;
        }
        for size in &mut sizes {
            size.free = size.cells - size.live;
            size.freed = size.allocated - size.live as u64;
        }
        sizes
    }

    pub fn latest_collection(&self) -> LatestCollection {
        let state = self.state();
        let due = state.phase == Phase::Idle && state.old_bytes >= state.full_limit;
        LatestCollection {
            request: state.counters.last,
            full_by: state.counters.full_by,
            need_full_by: state.another_wanted_by.or(due.then_some(Cause::OldBytes)),
            phase: state.phase,
            sweeping: !state.all_swept,
            has_finalizable: !state.finalizables.queue.is_empty(),
            weak_references: state.counters.weak_references,
            retained_weak_references: state.counters.retained_weak_references,
        }
    }

    /// The durations of collections.
    pub fn times(&self) -> Times {
        let counters = &self.state().counters;
        Times { mark: counters.mark_time, sweep: counters.sweep_time, compact: counters.compact_time }
    }

    /// Whether dead objects wait for their finalizers.
    pub fn has_finalizable(&self) -> bool {
        !self.state().finalizables.queue.is_empty()
    }

    /// `GC.measure_total_time=`: whether the time of collections is added up.
    pub fn set_measure_time(&self, measure: bool) {
        self.state().counters.measure = measure;
    }
}

impl Mutator {
    pub fn statistics(&mut self) -> ThreadStatistics {
        for space in 0..SPACES {
            self.retire_run(space);
        }
        ThreadStatistics {
            allocated_objects: self.allocated_objects,
            allocated_bytes: self.allocated_bytes,
            collection_time: Duration::from_nanos(self.collection_nanoseconds),
        }
    }
}

impl State {
    /// Adds the counts of blocks and spaces.
    fn count_cells(&self, all: &mut Statistics) {
        let current = self.current;
        self.region.each_block(|block| match block.kind {
            Kind::Objects => {
                all.object_blocks += 1;
                all.object_cells += block.cells as usize;
                all.object_bytes += block.cells as usize * block.cell_size as usize;
                all.live_object_bytes += block.live[current] as usize * block.cell_size as usize;
                all.old_objects += block.live[current] as usize;
            }
            Kind::Values | Kind::Bytes => {
                all.used_blocks += 1;
                all.live_buffers += block.live[current] as usize;
            }
            Kind::Free | Kind::Cold => {}
        });
        all.used_blocks += all.object_blocks;
        all.live_objects = all.old_objects;
        for (index, space) in self.spaces.iter().enumerate() {
            if index < classes::COUNT {
                all.live_objects += space.young as usize;
                all.live_object_bytes += space.young as usize * classes::SIZES[index] as usize;
            } else {
                all.live_buffers += space.young as usize;
            }
        }
        all.live_buffers += all.large_objects;
        all.freed_objects = all.allocated_objects - all.live_objects as u64;
        all.freed_buffers = all.allocated_buffers - all.live_buffers as u64;
    }

    /// Counts the cells that cursors took and ends their runs, so that the tables are exact.
    pub fn retire_all(&mut self) {
        for at in 0..self.mutators.len() {
            for space in 0..SPACES {
                // SAFETY: attached mutators stay in place; threads take turns.
                unsafe { (*self.mutators[at]).retire_run(space) };
            }
        }
    }
}

//! Compaction: objects move from the emptiest blocks of their size into the fullest, and every reference to them is
//! rewritten.
//!
//! A full collection comes first; it pins whatever native stacks and `Marker::value` refer to. A moved cell's old place
//! holds its new address until all references were visited, and has its scratch bit set. Buffers never move. Tables
//! that hash addresses must be rebuilt afterwards: `Mutator::compactions` counts compactions, and the type table's
//! `trace` is called with `Purpose::Update`.

use abi::{Flags, Type};

use crate::bits;
use crate::heap::State;
use crate::layout::{Block, BlockId, Kind, Place, Table, space_index};
use crate::lists::List;
use crate::marker::Purpose;
use crate::mutator::Mutator;
use crate::request::{Cause, Request};
use crate::{classes, walk};

/// `GC.latest_compact_info`: objects by type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compaction {
    pub considered: [u64; Type::COUNT],
    pub moved: [u64; Type::COUNT],
}

impl Compaction {
    pub(crate) const NONE: Compaction = Compaction { considered: [0; Type::COUNT], moved: [0; Type::COUNT] };

    pub fn total_moved(&self) -> u64 {
        self.moved.iter().sum()
    }
}

impl Mutator {
    /// Collects everything and compacts the objects. Addresses that the caller has computed become invalid, except
    /// those of objects to which its native stack refers.
    pub fn compact(&mut self) -> Compaction {
        self.state().compaction_wanted = true;
        self.collect_now(Request::full(Cause::Compaction));
        self.state().last_compaction
    }

    /// The results of the last compaction.
    pub fn latest_compaction(&self) -> Compaction {
        self.state().last_compaction
    }

    /// The number of compactions: tables that hash addresses are outdated when it changes.
    #[inline]
    pub fn compactions(&self) -> u64 {
        self.state().counters.compactions
    }
}

impl State {
    /// Compacts after a full collection that has pinned, when everything is swept.
    pub fn compact(&mut self) {
        let mut info = Compaction::NONE;
        for class in 0..classes::COUNT {
            self.compact_space(space_index(Kind::Objects, class), &mut info);
        }
        if info.total_moved() > 0 {
            self.update_references();
        }
        self.region.each_block(|block| {
            if block.cells > 0 && block.kind == Kind::Objects {
                // SAFETY: the block's own words.
                unsafe {
                    bits::zero_words(block.bits(Table::PINNED), block.words());
                    bits::zero_words(block.bits(Table::SCRATCH), block.words());
                }
            }
        });
        for space in 0..classes::COUNT {
            let mut list = std::mem::replace(&mut self.spaces[space].full, List::EMPTY);
            while let Some(block) = list.pop_front(&self.region) {
                // SAFETY: lists hold described blocks only.
                self.sweep_block(unsafe { &mut *block });
            }
        }
        self.counters.compactions += 1;
        self.counters.moved += info.total_moved();
        self.last_compaction = info;
    }

    /// Moves cells of one size class; leaves all of its blocks in the list of full ones, to be swept.
    fn compact_space(&mut self, space: usize, info: &mut Compaction) {
        let mut blocks: Vec<BlockId> = Vec::new();
        let count = (self.spaces[space].partial.length + self.spaces[space].full.length) as usize;
        if count == 0 || blocks.try_reserve_exact(count).is_err() {
            return;
        }
        for list in [self.spaces[space].partial, self.spaces[space].full] {
            let mut list = list;
            while let Some(block) = list.pop_front(&self.region) {
                // SAFETY: lists hold described blocks only.
                blocks.push(unsafe { (*block).id });
            }
        }
        self.spaces[space].partial = List::EMPTY;
        self.spaces[space].full = List::EMPTY;
        let (current, table) = (self.current, self.current_table());
        for id in &blocks {
            // SAFETY: listed blocks have initialized descriptors.
            let block = unsafe { &*self.region.block(*id) };
            walk::each_live(block, table, &mut |cell| {
                // SAFETY: a live object has a header.
                let header = unsafe { *(cell as *const u64) };
                info.considered[(header & Flags::TYPE_MASK as u64) as usize] += 1;
            });
        }
        // SAFETY: listed blocks have initialized descriptors.
        blocks.sort_unstable_by_key(|id| (u16::MAX - unsafe { (*self.region.block(*id)).live[current] }, id.0));
        let (mut low, mut high) = (0, blocks.len());
        let mut at = 0;
        while low < high {
            high -= 1;
            // SAFETY: listed blocks have initialized descriptors; `low` and `high` are different blocks where both are
            // used.
            let source = unsafe { &mut *self.region.block(blocks[high]) };
            self.evacuate(source, &blocks, &mut low, high, &mut at, info);
        }
        for id in blocks {
            // SAFETY: listed blocks have initialized descriptors.
            self.spaces[space].full.push_front(unsafe { &mut *self.region.block(id) });
        }
    }

    /// Moves the movable cells of `source` into free cells of the blocks from `low` up to `high`.
    fn evacuate(
        &mut self,
        source: &mut Block,
        blocks: &[BlockId],
        low: &mut usize,
        high: usize,
        at: &mut usize,
        info: &mut Compaction,
    ) {
        let (table, current) = (self.current_table(), self.current);
        let size = source.cell_size as usize;
        for index in 0..source.cells as usize {
            let cell = source.cell(index);
            // SAFETY: a cell of the block.
            let place = unsafe { Place::of(cell) };
            if !place.test(table) {
                continue;
            }
            // SAFETY: a live object has a header.
            let kind = unsafe { *(cell as *const u64) & Flags::TYPE_MASK as u64 } as usize;
            // SAFETY: a live object has a header.
            let taken = unsafe { *(cell as *const u64) } & Flags::ADDRESS_TAKEN as u64 != 0;
            // Scopes in running frames point into environments, and environments point into each other and themselves.
            let pointed_into = kind == Type::Environment as usize;
            if taken || pointed_into || place.test(Table::PINNED) {
                continue;
            }
            let target = loop {
                if *low >= high {
                    break None;
                }
                // SAFETY: listed blocks have initialized descriptors; `low < high`, so it is not `source`.
                let block = unsafe { &mut *self.region.block(blocks[*low]) };
                // SAFETY: the block's own words.
                let free = unsafe { bits::next_clear(block.bits(table), *at, block.cells as usize) };
                if free < block.cells as usize {
                    *at = free + 1;
                    block.live[current] += 1;
                    break Some(block.cell(free));
                }
                *low += 1;
                *at = 0;
            };
            let Some(target) = target else { continue };
            // SAFETY: both are cells of this size; the target is free.
            unsafe {
                std::ptr::copy_nonoverlapping(cell as *const u8, target as *mut u8, size);
                Place::of(target).set(table);
                *(cell as *mut usize) = target;
            }
            place.clear(table);
            place.set(Table::SCRATCH);
            source.live[current] -= 1;
            info.moved[kind] += 1;
        }
    }

    /// Visits every slot and rewrites those that refer to moved cells.
    fn update_references(&mut self) {
        let forward = |address: usize| {
            // SAFETY: a reference to an object points into an arena.
            let moved = unsafe { Place::of(address) }.test(Table::SCRATCH);
            // SAFETY: a moved cell's first word is its new address.
            moved.then(|| unsafe { *(address as *const usize) })
        };
        let mut marker = self.marker(Purpose::Update);
        // SAFETY: the marker is given back before the closure ends.
        unsafe { marker.set_forward(&forward) };
        // This must come first, because attachments are looked up by the new address.
        self.move_sides(&mut |address| forward(address).unwrap_or(address));
        self.visit_roots(&mut marker);
        let table = self.current_table();
        self.region.each_block(|block| {
            let words = block.cell_size as usize / 8;
            match block.kind {
                Kind::Objects => walk::each_live(block, table, &mut |cell| {
                    // SAFETY: a live object.
                    unsafe { marker.trace_object(cell as *mut u64) }
                }),
                Kind::Values => walk::each_live(block, table, &mut |cell| {
                    // SAFETY: a live buffer of values is slots to its end.
                    unsafe { marker.slots(cell as *mut abi::Value, words) }
                }),
                _ => {}
            }
        });
        for object in self.large.objects.iter().filter(|o| o.start != 0 && o.values) {
            // SAFETY: a large object of values is slots to its end.
            unsafe { marker.slots(object.start as *mut abi::Value, object.bytes / 8) };
        }
        let lists =
            [&mut self.natives.old, &mut self.natives.young, &mut self.finalizables.old, &mut self.finalizables.young];
        for list in lists {
            for value in list {
                // SAFETY: an entry of a side list is a slot.
                unsafe { marker.slot(value) };
            }
        }
        for at in 0..self.weak.len() {
            // SAFETY: registered tables stay in place.
            unsafe { self.weak[at].as_mut() }.update(&mut marker);
        }
        self.end_marking(marker);
    }
}

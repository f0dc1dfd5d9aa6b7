//! The address space of large objects: the owner of each granule, free ranges, and a cache of dead objects with their
//! pages.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr::NonNull;

use host::memory::{self, Exchange};

use crate::layout::{BLOCK_BYTES, BLOCK_SHIFT};
use crate::moving::move_range;
use crate::region::Region;
use crate::stack::Stack;

pub(crate) const GRANULE: usize = BLOCK_BYTES;
/// Address space is committed in steps of this many granules.
const COMMIT_GRANULES: usize = 64;
/// The maximum number of bytes of dead buffers in the cache.
const CACHE_LIMIT: usize = 32 << 20;
/// The same while memory was returned that was soon needed again.
const WASTEFUL_CACHE_LIMIT: usize = 2 * CACHE_LIMIT;
/// The maximum number of bytes whose pages wait to be returned in steps. Steps run with small allocations; a program
/// that allocates only large buffers takes none.
const DOOMED_LIMIT: usize = 32 << 20;
/// A growing buffer is placed where this multiple of its size is free after it.
const ROOM: usize = 8;
/// Buffers of at most so many granules take a cached range without room to grow: getting pages from the system costs
/// more than copying them once more.
const COPIED: usize = 16;
/// The number of granules returned in one step.
const STEP_GRANULES: usize = 16;
/// The system has a limit of mappings (65,530 on Linux): at so many seams pages are not moved any more.
const MOST_SEAMS: usize = 4096;
/// The number of collections that a range stays in the cache for.
pub(crate) const CACHE_AGE: u64 = 8;

/// A dead range that still has its pages.
struct Cached {
    start: usize,
    granules: usize,
    since: u64,
}

/// Free ranges have no pages and read as zeros.
pub(crate) struct Extents {
    top: usize,
    region_start: usize,
    /// For each granule, counted from the top down: 1 + the index of the object it belongs to.
    owners: Stack,
    free_by_start: BTreeMap<usize, usize>,
    free_by_size: BTreeSet<(usize, usize)>,
    cache: Vec<Cached>,
    cached_bytes: usize,
    /// Ranges leave the cache only when it is full, because memory was returned that was soon needed again.
    pub is_wasteful: bool,
    /// The number of granules that left the cache without a request for it, and were not needed again yet.
    returned: usize,
    /// Dead ranges whose pages are being returned to the system.
    doomed: Vec<(usize, usize)>,
    doomed_bytes: usize,
    /// Addresses at which the system may have divided the space into several mappings, because pages were moved there.
    seams: BTreeSet<usize>,
}

impl Extents {
    pub fn new(region: &Region) -> host::Result<Extents> {
        Ok(Extents {
            top: region.end(),
            region_start: region.base,
            owners: Stack::new(region.bytes / GRANULE * 8)?,
            free_by_start: BTreeMap::new(),
            free_by_size: BTreeSet::new(),
            cache: Vec::new(),
            cached_bytes: 0,
            is_wasteful: false,
            returned: 0,
            doomed: Vec::new(),
            doomed_bytes: 0,
            seams: BTreeSet::new(),
        })
    }

    /// The index of the object that contains `address`, if there is one.
    #[inline]
    pub fn find(&self, address: usize) -> Option<u32> {
        if address >= self.top || address < self.region_start {
            return None;
        }
        let granule = (self.top - 1 - address) >> BLOCK_SHIFT;
        if granule >= self.owners.len() {
            return None;
        }
        (self.owners.at(granule) as u32).checked_sub(1)
    }

    /// The index of the object that starts at `address`.
    #[inline(always)]
    pub fn index_of(&self, address: usize) -> u32 {
        self.owners.at((self.top - 1 - address) >> BLOCK_SHIFT) as u32 - 1
    }

    pub fn own(&mut self, start: usize, granules: usize, owner: u32) {
        let last = (self.top - 1 - start) >> BLOCK_SHIFT;
        for granule in last + 1 - granules..=last {
            self.owners.set(granule, owner as u64);
        }
    }

    /// An address range of this many granules, and the length of its prefix whose bytes may differ from zero.
    pub fn take_range(&mut self, region: &mut Region, granules: usize, now: u64) -> Option<(usize, usize)> {
        let fits = |c: &Cached| c.granules >= granules && c.granules <= granules + granules / 4;
        if let Some(at) = self.cache.iter().rposition(fits) {
            let cached = self.cache.remove(at);
            self.cached_bytes -= cached.granules * GRANULE;
            if cached.granules > granules {
                self.keep(cached.start + granules * GRANULE, cached.granules - granules, now);
            }
            return Some((cached.start, granules * GRANULE));
        }
        // Part of a longer one has its pages, too.
        let longer = self.cache.iter().enumerate().filter(|(_, cached)| cached.granules >= granules);
        if let Some(at) = longer.min_by_key(|(_, cached)| cached.granules).map(|(at, _)| at) {
            return Some((self.take_cached(at, granules), granules * GRANULE));
        }
        let start = self.take_without_memory(region, granules).or_else(|| {
            self.give_back(u64::MAX, 0);
            self.take_without_memory(region, granules)
        })?;
        self.note_waste(region, granules);
        Some((start, 0))
    }

    /// A range without memory.
    fn take_without_memory(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
        self.take_free(granules).or_else(|| self.extend(region, granules))
    }

    /// The lower end of a range that is several times as large, and the length of its prefix whose bytes may differ
    /// from zero. The range is a cached one with its pages, if one is at least twice as large, or for smaller buffers
    /// just large enough; otherwise a free one.
    pub fn take_roomy(&mut self, region: &mut Region, granules: usize) -> Option<(usize, usize)> {
        let with = |granules: usize| self.cache.iter().rposition(|cached| cached.granules >= granules);
        if let Some(at) = with(2 * granules).or_else(|| if granules <= COPIED { with(granules) } else { None }) {
            return Some((self.take_cached(at, granules), granules * GRANULE));
        }
        let start = self.take_roomy_free(region, granules)?;
        self.note_waste(region, granules);
        Some((start, 0))
    }

    /// Notes that as many granules get their pages from the system, as far as others were returned before.
    fn note_waste(&mut self, region: &mut Region, granules: usize) {
        let again = self.returned.min(granules);
        self.returned -= again;
        region.waste.note(again);
    }

    /// The lower end of a range without memory, in which a moved object can grow further if there is room.
    pub fn take_for_moving(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
        self.take_roomy_free(region, granules).or_else(|| self.take_without_memory(region, granules))
    }

    /// Moves the first `length` bytes at `from` to a range that was taken for them. `false` if they are where they
    /// were; then the range does not belong to this space any more.
    pub fn move_pages(&mut self, region: &mut Region, from: usize, length: usize, to: usize) -> bool {
        let seams: Vec<usize> = self.seams.range(from + 1..from + length).copied().collect();
        let may_divide = self.seams.len() < MOST_SEAMS;
        // SAFETY: both ranges belong to one object, are committed and distinct, and the object's only owner is growing
        // it.
        let outcome = unsafe { move_range(from, to, length, &seams, may_divide) };
        if may_divide {
            self.seams.extend([to, to + length]);
            self.seams.extend(seams.iter().map(|seam| seam - from + to));
        }
        region.lost_part |= outcome == Exchange::Lost;
        outcome == Exchange::Moved
    }

    /// The first granules of a cached range; the others stay in the cache.
    fn take_cached(&mut self, at: usize, granules: usize) -> usize {
        let cached = &mut self.cache[at];
        let start = cached.start;
        cached.start += granules * GRANULE;
        cached.granules -= granules;
        if cached.granules == 0 {
            self.cache.remove(at);
        }
        self.cached_bytes -= granules * GRANULE;
        start
    }

    fn take_roomy_free(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
        let room = granules.saturating_mul(ROOM).min(region.bytes / GRANULE / 64);
        if room <= granules {
            return None;
        }
        if self.free_by_size.range((room, 0)..).next().is_none() {
            let start = self.extend(region, room)?;
            self.free_range(start, room);
        }
        let &(length, start) = self.free_by_size.range((room, 0)..).next()?;
        self.remove_free(start, length);
        self.insert_free(start + granules * GRANULE, length - granules);
        Some(start)
    }

    /// The smallest free range that is large enough.
    fn take_free(&mut self, granules: usize) -> Option<usize> {
        let &(length, start) = self.free_by_size.range((granules, 0)..).next()?;
        self.remove_free(start, length);
        if length > granules {
            // The upper end is used, because the arenas may grow up to the lower one.
            self.insert_free(start, length - granules);
        }
        Some(start + (length - granules) * GRANULE)
    }

    fn insert_free(&mut self, start: usize, granules: usize) {
        self.free_by_start.insert(start, granules);
        self.free_by_size.insert((granules, start));
    }

    fn remove_free(&mut self, start: usize, granules: usize) {
        self.free_by_start.remove(&start);
        self.free_by_size.remove(&(granules, start));
    }

    /// Lowers the bound of the space to get a range of this many granules.
    fn extend(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
        // A free range at the very bottom becomes part of the new one.
        let bottom =
            self.free_by_start.first_key_value().map(|(s, l)| (*s, *l)).filter(|(s, _)| *s == region.large_start);
        let missing = granules - bottom.map_or(0, |(_, length)| length.min(granules));
        let room = (region.large_start - region.arenas_end) / GRANULE;
        let step = missing.next_multiple_of(COMMIT_GRANULES).min(room);
        if step < missing {
            return None;
        }
        let start = region.large_start - step * GRANULE;
        // SAFETY: the range lies in the region between the arenas and the large objects.
        unsafe { memory::commit(NonNull::new(start as *mut u8)?, step * GRANULE).ok()? };
        for _ in 0..step {
            self.owners.push(0);
        }
        if self.owners.overflowed {
            self.owners.overflowed = false;
            return None;
        }
        region.large_start = start;
        self.free_range(start, step);
        self.take_free(granules)
    }

    /// Adds a range without memory to the free ones, merging it with its neighbours; returns the whole.
    fn free_range(&mut self, mut start: usize, mut granules: usize) -> (usize, usize) {
        if let Some((&before, &length)) = self.free_by_start.range(..start).next_back()
            && before + length * GRANULE == start
        {
            self.remove_free(before, length);
            start = before;
            granules += length;
        }
        if let Some(&length) = self.free_by_start.get(&(start + granules * GRANULE)) {
            self.remove_free(start + granules * GRANULE, length);
            granules += length;
        }
        self.insert_free(start, granules);
        (start, granules)
    }

    pub fn keep(&mut self, start: usize, granules: usize, now: u64) {
        if granules * GRANULE > CACHE_LIMIT / 2 || self.cache.try_reserve(1).is_err() {
            return self.discard(start, granules);
        }
        self.cached_bytes += granules * GRANULE;
        self.cache.push(Cached { start, granules, since: now });
        let limit = if self.is_wasteful { WASTEFUL_CACHE_LIMIT } else { CACHE_LIMIT };
        while self.cached_bytes > limit {
            self.discard_cached(0);
        }
    }

    /// Returns the pages of a dead range, in later steps unless too much is pending.
    fn discard(&mut self, start: usize, granules: usize) {
        let waiting = self.doomed_bytes + granules * GRANULE;
        if waiting <= DOOMED_LIMIT && self.doomed.try_reserve(1).is_ok() {
            self.doomed.push((start, granules));
            self.doomed_bytes = waiting;
        } else {
            self.discard_now(start, granules);
        }
    }

    /// Returns some pages of doomed ranges; true if none are left.
    pub fn discard_step(&mut self) -> bool {
        if let Some((start, granules)) = self.doomed.last_mut() {
            let step = STEP_GRANULES.min(*granules);
            *granules -= step;
            self.doomed_bytes -= step * GRANULE;
            let at = *start + *granules * GRANULE;
            if *granules == 0 {
                self.doomed.pop();
            }
            self.discard_now(at, step);
        }
        self.doomed.is_empty()
    }

    pub fn discard_now(&mut self, start: usize, granules: usize) {
        if let Some(address) = NonNull::new(start as *mut u8) {
            // SAFETY: the range belongs to no object.
            if unsafe { memory::decommit(address, granules * GRANULE) }.is_err() {
                // SAFETY: the range is a dead one of this space, committed and unused. If its pages cannot be returned,
                // it is at least zeroed, as free ranges must be.
                unsafe { std::ptr::write_bytes(start as *mut u8, 0, granules * GRANULE) };
            }
        }
        let (start, granules) = self.free_range(start, granules);
        let end = start + granules * GRANULE;
        if self.seams.range(start..end).next().is_some()
            && let Some(address) = NonNull::new(start as *mut u8)
            // SAFETY: the range is free: it has no memory, and nothing refers to it.
            && unsafe { memory::renew(address, granules * GRANULE) }.is_ok()
        {
            self.seams.retain(|seam| !(start + 1..end).contains(seam));
        }
    }

    /// Returns the pages of ranges that have been in the cache for `age` collections; for an age of at most one, also
    /// those of all doomed ranges.
    pub fn give_back(&mut self, now: u64, age: u64) {
        let mut at = 0;
        while at < self.cache.len() {
            if now.saturating_sub(self.cache[at].since) >= age {
                self.discard_cached(at);
            } else {
                at += 1;
            }
        }
        if age <= 1 {
            while !self.discard_step() {}
            self.returned = 0;
        }
    }

    fn discard_cached(&mut self, at: usize) {
        let cached = self.cache.remove(at);
        self.cached_bytes -= cached.granules * GRANULE;
        self.returned += cached.granules;
        self.discard(cached.start, cached.granules);
    }

    pub fn cached_bytes(&self) -> usize {
        self.cached_bytes
    }

    /// Takes `missing` granules after a range, if they are free or in the cache. Returns whether their bytes may differ
    /// from zero.
    pub fn take_behind(&mut self, after: usize, missing: usize) -> Option<bool> {
        let Some(at) = self.cache.iter().position(|cached| cached.start == after) else {
            return self.take_free_at(after, missing).then_some(false);
        };
        let cached = self.cache[at].granules.min(missing);
        if cached < missing && !self.take_free_at(after + cached * GRANULE, missing - cached) {
            return None;
        }
        self.take_cached(at, cached);
        Some(true)
    }

    fn take_free_at(&mut self, start: usize, granules: usize) -> bool {
        match self.free_by_start.get(&start) {
            Some(&length) if length >= granules => {
                self.remove_free(start, length);
                if length > granules {
                    self.insert_free(start + granules * GRANULE, length - granules);
                }
                true
            }
            _ => false,
        }
    }
}

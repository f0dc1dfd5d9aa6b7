//! The large-object space: buffers above the largest cell, on pages of their own at the top of the region.
//!
//! A large object takes whole granules of 64 KiB of address space and only as many pages as it needs. What is freed stays in a cache
//! with its pages for a few collections, because the next one of its size usually comes soon; then the pages go back.
//!
//! Cards: each 512 bytes of a buffer of values have a bit, set when a reference to a young cell is stored there. That holds for young
//! buffers too, so that a minor collection never scans more of a large buffer than was written since the last one.

use std::collections::{BTreeMap, BTreeSet};
use std::ptr::NonNull;

use host::memory;

use crate::layout::{BLOCK_BYTES, BLOCK_SHIFT, Kind};
use crate::region::Region;
use crate::stack::Stack;

const GRANULE: usize = BLOCK_BYTES;
pub const CARD_BYTES: usize = 512;
/// Address space is committed in steps of so many granules.
const COMMIT_GRANULES: usize = 64;
/// Bytes of dead buffers that the cache keeps at most.
const CACHE_LIMIT: usize = 32 << 20;
/// How many times its size a growing buffer finds free behind it.
const ROOM: usize = 8;
/// Collections that a range stays in the cache for.
pub(crate) const CACHE_AGE: u64 = 32;

#[derive(Default)]
pub struct LargeObject {
    /// Address of the first byte, 0 while the description is unused.
    pub start: usize,
    granules: usize,
    /// Usable bytes, in whole pages.
    pub bytes: usize,
    /// Bytes from the start that may not be zero though nobody wrote them yet.
    dirty: usize,
    pub values: bool,
    pub marked: [bool; 2],
    pub young: bool,
    /// It is in the list of those that have a card set.
    pub listed: bool,
    pub cards: Vec<u64>,
}

impl LargeObject {
    #[inline(always)]
    pub fn set_card(&mut self, address: usize) {
        let card = (address - self.start) / CARD_BYTES;
        self.cards[card >> 6] |= 1 << (card & 63);
    }
}

struct Cached {
    start: usize,
    granules: usize,
    since: u64,
}

pub struct LargeSpace {
    top: usize,
    region_start: usize,
    pub objects: Vec<LargeObject>,
    unused: Vec<u32>,
    /// For each granule, counted from the top down: 1 + the index of the object it belongs to.
    owners: Stack,
    free_by_start: BTreeMap<usize, usize>,
    free_by_size: BTreeSet<(usize, usize)>,
    cache: Vec<Cached>,
    cached_bytes: usize,
    /// Objects made since the last collection.
    pub young: Vec<u32>,
    /// Objects with a card set.
    pub written: Vec<u32>,
    pub live_bytes: usize,
    pub live_count: usize,
    pub allocated: u64,
    pub allocated_bytes: u64,
    pub freed: u64,
    /// No single object is larger.
    limit: usize,
}

impl LargeSpace {
    pub fn new(region: &Region) -> host::Result<LargeSpace> {
        let physical = memory::available_to_process();
        Ok(LargeSpace {
            top: region.end(),
            region_start: region.base,
            objects: Vec::new(),
            unused: Vec::new(),
            owners: Stack::new(region.bytes / GRANULE * 8)?,
            free_by_start: BTreeMap::new(),
            free_by_size: BTreeSet::new(),
            cache: Vec::new(),
            cached_bytes: 0,
            young: Vec::new(),
            written: Vec::new(),
            live_bytes: 0,
            live_count: 0,
            allocated: 0,
            allocated_bytes: 0,
            freed: 0,
            limit: if physical == 0 { region.bytes } else { physical.min(region.bytes) },
        })
    }

    /// The index of the object that `address` lies in, if it lies in one.
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

    pub fn get(&mut self, index: u32) -> &mut LargeObject {
        &mut self.objects[index as usize]
    }

    /// A young buffer of at least `bytes` bytes; `None` if there is no room. A buffer of values is zeroed. One that `grows` is put where
    /// there is address space behind it, so that it can do so in place: then a byte is copied a seventh time at most on the average.
    pub fn allocate(&mut self, region: &mut Region, bytes: usize, kind: Kind, grows: bool, now: u64) -> Option<u32> {
        if bytes > self.limit {
            return None;
        }
        let bytes = memory::round_to_pages(bytes);
        let granules = bytes.div_ceil(GRANULE);
        let values = kind == Kind::Values;
        let mut cards = Vec::new();
        if values {
            cards = zeroed_cards(bytes)?;
        }
        self.objects.try_reserve(1).ok()?;
        self.unused.try_reserve(self.objects.len() + 1).ok()?;
        self.young.try_reserve(1).ok()?;
        self.written.try_reserve(self.objects.len() + 1).ok()?;
        let roomy = if grows { self.take_roomy(region, granules) } else { None };
        let (start, dirty) = match roomy {
            Some(start) => (start, 0),
            None => self.take_range(region, granules, now)?,
        };
        if values && dirty > 0 {
            // SAFETY: the range was just taken for this object.
            unsafe { std::ptr::write_bytes(start as *mut u8, 0, bytes) };
        }
        let object =
            LargeObject { start, granules, bytes, dirty, values, cards, young: true, ..LargeObject::default() };
        let index = match self.unused.pop() {
            Some(index) => {
                self.objects[index as usize] = object;
                index
            }
            None => {
                self.objects.push(object);
                self.objects.len() as u32 - 1
            }
        };
        self.own(start, granules, index + 1);
        self.young.push(index);
        self.live_bytes += bytes;
        self.live_count += 1;
        self.allocated += 1;
        self.allocated_bytes += bytes as u64;
        Some(index)
    }

    fn own(&mut self, start: usize, granules: usize, owner: u32) {
        let last = (self.top - 1 - start) >> BLOCK_SHIFT;
        for granule in last + 1 - granules..=last {
            self.owners.set(granule, owner as u64);
        }
    }

    /// An address range of so many granules, and the bytes of it that may not be zero.
    fn take_range(&mut self, region: &mut Region, granules: usize, now: u64) -> Option<(usize, usize)> {
        let fits = |c: &Cached| c.granules >= granules && c.granules <= granules + granules / 4;
        if let Some(at) = self.cache.iter().rposition(fits) {
            let cached = self.cache.remove(at);
            self.cached_bytes -= cached.granules * GRANULE;
            if cached.granules > granules {
                self.keep(cached.start + granules * GRANULE, cached.granules - granules, now);
            }
            return Some((cached.start, granules * GRANULE));
        }
        if let Some(start) = self.take_free(granules) {
            return Some((start, 0));
        }
        if let Some(start) = self.extend(region, granules) {
            return Some((start, 0));
        }
        self.give_back(u64::MAX, 0);
        let start = self.take_free(granules).or_else(|| self.extend(region, granules))?;
        Some((start, 0))
    }

    /// The lower end of a free range that is several times as large.
    fn take_roomy(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
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
            // The upper end is used: the lower one may meet the arenas' growth.
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

    /// Moves the lower bound of the space down for a range of so many granules.
    fn extend(&mut self, region: &mut Region, granules: usize) -> Option<usize> {
        // A free range at the very bottom is part of what is taken.
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

    /// Adds a range without memory behind it to the free ones, joined with its neighbours.
    fn free_range(&mut self, mut start: usize, mut granules: usize) {
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
    }

    fn keep(&mut self, start: usize, granules: usize, now: u64) {
        self.cached_bytes += granules * GRANULE;
        if self.cache.try_reserve(1).is_err() {
            self.cached_bytes -= granules * GRANULE;
            return self.discard(start, granules);
        }
        self.cache.push(Cached { start, granules, since: now });
        while self.cached_bytes > CACHE_LIMIT {
            let oldest = self.cache.remove(0);
            self.cached_bytes -= oldest.granules * GRANULE;
            self.discard(oldest.start, oldest.granules);
        }
    }

    /// Gives the pages of a dead range back.
    fn discard(&mut self, start: usize, granules: usize) {
        if let Some(address) = NonNull::new(start as *mut u8) {
            // SAFETY: the range belongs to no object.
            if unsafe { memory::decommit(address, granules * GRANULE) }.is_err() {
                // SAFETY: as above; what cannot be given back is at least zero, as free ranges must be.
                unsafe { std::ptr::write_bytes(start as *mut u8, 0, granules * GRANULE) };
            }
        }
        self.free_range(start, granules);
    }

    /// Gives back what has been in the cache for `age` collections.
    pub fn give_back(&mut self, now: u64, age: u64) {
        let mut at = 0;
        while at < self.cache.len() {
            if now.saturating_sub(self.cache[at].since) >= age {
                let cached = self.cache.remove(at);
                self.cached_bytes -= cached.granules * GRANULE;
                self.discard(cached.start, cached.granules);
            } else {
                at += 1;
            }
        }
    }

    /// Frees an object that nothing refers to.
    pub fn free(&mut self, index: u32, now: u64) {
        let object = std::mem::take(&mut self.objects[index as usize]);
        self.own(object.start, object.granules, 0);
        self.live_bytes -= object.bytes;
        self.live_count -= 1;
        self.freed += 1;
        self.unused.push(index);
        self.keep(object.start, object.granules, now);
    }

    /// Makes an object larger where it stands; `false` if something is in the way.
    pub fn grow_in_place(&mut self, index: u32, bytes: usize) -> bool {
        if bytes > self.limit {
            return false;
        }
        let bytes = memory::round_to_pages(bytes);
        let granules = bytes.div_ceil(GRANULE);
        let (start, has, old_bytes, dirty) = {
            let object = &self.objects[index as usize];
            (object.start, object.granules, object.bytes, object.dirty)
        };
        let Some(mut cards) = zeroed_cards(if self.objects[index as usize].values { bytes } else { 0 }) else {
            return false;
        };
        if granules > has {
            let after = start + has * GRANULE;
            let missing = granules - has;
            match self.free_by_start.get(&after) {
                Some(&length) if length >= missing => {
                    self.remove_free(after, length);
                    if length > missing {
                        self.insert_free(after + missing * GRANULE, length - missing);
                    }
                }
                _ => return false,
            }
            self.own(after, missing, index + 1);
        }
        let object = &mut self.objects[index as usize];
        if object.values && dirty > old_bytes {
            // SAFETY: both ends lie inside the object's granules.
            unsafe {
                std::ptr::write_bytes((start + old_bytes) as *mut u8, 0, dirty.min(bytes) - old_bytes.min(bytes))
            };
        }
        cards[..object.cards.len()].copy_from_slice(&object.cards);
        object.cards = cards;
        object.granules = object.granules.max(granules);
        object.bytes = bytes;
        self.live_bytes += bytes - old_bytes;
        self.allocated_bytes += (bytes - old_bytes) as u64;
        true
    }

    pub fn cached_bytes(&self) -> usize {
        self.cached_bytes
    }
}

fn zeroed_cards(bytes: usize) -> Option<Vec<u64>> {
    let words = bytes.div_ceil(CARD_BYTES * 64);
    let mut cards = Vec::new();
    cards.try_reserve_exact(words).ok()?;
    cards.resize(words, 0);
    Some(cards)
}

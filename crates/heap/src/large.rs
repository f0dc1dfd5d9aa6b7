//! The large-object space: buffers above the largest cell, on pages of their own at the top of the region.
//!
//! A large object takes whole granules of 64 KiB of address space and only as many pages as it needs. A freed object
//! stays in a cache with its pages for a few collections, because one of the same size is usually allocated soon; then
//! the pages are returned.
//!
//! Cards: each 512 bytes of a buffer of values have a bit, set when a reference to a young cell is stored there. That
//! holds for young buffers too, so that a minor collection never scans more of a large buffer than was written since
//! the last one.

use host::memory;

use crate::extents::{Extents, GRANULE};
use crate::layout::Kind;
use crate::region::Region;

pub const CARD_BYTES: usize = 512;
#[derive(Default)]
pub struct LargeObject {
    /// Address of the first byte, 0 while the description is unused.
    pub start: usize,
    pub(crate) granules: usize,
    /// Usable bytes, in whole pages.
    pub bytes: usize,
    /// The length of the prefix whose bytes may differ from zero although nothing was written yet.
    pub(crate) dirty: usize,
    pub values: bool,
    pub marked: [bool; 2],
    pub young: bool,
    /// It is in the list of objects with a set card.
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

pub struct LargeSpace {
    pub extents: Extents,
    pub objects: Vec<LargeObject>,
    unused: Vec<u32>,
    /// Objects made since the last collection.
    pub young: Vec<u32>,
    /// Objects with a card set.
    pub written: Vec<u32>,
    pub live_bytes: usize,
    pub live_count: usize,
    pub allocated: u64,
    pub allocated_bytes: u64,
    pub freed: u64,
    /// The maximum size of an object.
    pub(crate) limit: usize,
}

impl LargeSpace {
    pub fn new(region: &Region) -> host::Result<LargeSpace> {
        let physical = memory::available_to_process();
        Ok(LargeSpace {
            extents: Extents::new(region)?,
            objects: Vec::new(),
            unused: Vec::new(),
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

    pub fn get(&mut self, index: u32) -> &mut LargeObject {
        &mut self.objects[index as usize]
    }

    /// A young buffer of at least `bytes` bytes; `None` if there is no room. A buffer of values is zeroed. If it
    /// `grows`, it is placed where free address space follows, so that it can grow in place: on average each byte is
    /// then copied at most 1/7 times. Smaller ones reuse the pages of dead ones instead.
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
        let roomy = if grows { self.extents.take_roomy(region, granules) } else { None };
        let (start, dirty) = match roomy {
            Some(taken) => taken,
            None => self.extents.take_range(region, granules, now)?,
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
        self.extents.own(start, granules, index + 1);
        self.young.push(index);
        self.live_bytes += bytes;
        self.live_count += 1;
        self.allocated += 1;
        self.allocated_bytes += bytes as u64;
        Some(index)
    }

    /// The bytes of buffers that are marked in a table and never scanned.
    pub fn unscanned_bytes(&self, table: usize) -> usize {
        self.objects.iter().filter(|object| object.marked[table] && !object.values).map(|object| object.bytes).sum()
    }

    /// Frees an object that nothing refers to.
    pub fn free(&mut self, index: u32, now: u64) {
        let object = std::mem::take(&mut self.objects[index as usize]);
        self.extents.own(object.start, object.granules, 0);
        self.live_bytes -= object.bytes;
        self.live_count -= 1;
        self.freed += 1;
        self.unused.push(index);
        self.extents.keep(object.start, object.granules, now);
    }

    /// Grows an object in place; `false` if the address space after it is in use.
    pub fn grow_in_place(&mut self, index: u32, bytes: usize) -> bool {
        if bytes > self.limit {
            return false;
        }
        let bytes = memory::round_to_pages(bytes);
        let granules = bytes.div_ceil(GRANULE);
        let (start, has, old_bytes, mut dirty) = {
            let object = &self.objects[index as usize];
            (object.start, object.granules, object.bytes, object.dirty)
        };
        let Some(mut cards) = zeroed_cards(if self.objects[index as usize].values { bytes } else { 0 }) else {
            return false;
        };
        if granules > has {
            let after = start + has * GRANULE;
            let missing = granules - has;
            match self.extents.take_behind(after, missing) {
                None => return false,
                Some(true) => dirty = granules * GRANULE,
                Some(false) => {}
            }
            self.extents.own(after, missing, index + 1);
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
        object.dirty = dirty;
        object.bytes = bytes;
        self.live_bytes += bytes - old_bytes;
        self.allocated_bytes += (bytes - old_bytes) as u64;
        true
    }
}

pub(crate) fn zeroed_cards(bytes: usize) -> Option<Vec<u64>> {
    let words = bytes.div_ceil(CARD_BYTES * 64);
    let mut cards = Vec::new();
    cards.try_reserve_exact(words).ok()?;
    cards.resize(words, 0);
    Some(cards)
}

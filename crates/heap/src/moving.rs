//! Large objects that change their size without a copy: growth by moving pages, and shrinking.

use std::ptr::NonNull;

use host::memory::{self, Exchange};

use crate::extents::GRANULE;
use crate::large::{LargeSpace, zeroed_cards};
use crate::region::Region;

/// Smaller objects are copied: that takes no system call, and the copy may get the pages of a dead one.
pub(crate) const MOVED_FROM: usize = 1 << 20;
/// What cannot be moved is copied in pieces of this size, and each piece is returned to the system at once.
const PIECE: usize = 2 << 20;

impl LargeSpace {
    /// Grows an object by moving its pages to where more room is; its index stays. `false` if it was left as it is.
    pub fn grow_by_moving(&mut self, region: &mut Region, index: u32, bytes: usize) -> bool {
        let (old, granules_before, used) = {
            let object = &self.objects[index as usize];
            (object.start, object.granules, object.bytes)
        };
        if bytes > self.limit {
            return false;
        }
        let bytes = memory::round_to_pages(bytes);
        let granules = bytes.div_ceil(GRANULE);
        let Some(mut cards) = zeroed_cards(if self.objects[index as usize].values { bytes } else { 0 }) else {
            return false;
        };
        let Some(start) = self.extents.take_for_moving(region, granules) else { return false };
        if !self.extents.move_pages(region, old, used, start) {
            // The range is not returned: it may have got another owner.
            return false;
        }
        self.extents.own(old, granules_before, 0);
        self.extents.discard_now(old, granules_before);
        self.extents.own(start, granules, index + 1);
        let object = &mut self.objects[index as usize];
        cards[..object.cards.len()].copy_from_slice(&object.cards);
        object.cards = cards;
        object.start = start;
        object.granules = granules;
        object.bytes = bytes;
        object.dirty = 0;
        self.live_bytes += bytes - used;
        self.allocated_bytes += (bytes - used) as u64;
        true
    }

    /// Returns the pages of an object of bytes behind the first `bytes` to the system.
    pub fn shrink(&mut self, index: u32, bytes: usize) {
        let bytes = memory::round_to_pages(bytes.max(1));
        let kept = bytes.div_ceil(GRANULE);
        let object = &mut self.objects[index as usize];
        if object.values || bytes >= object.bytes {
            return;
        }
        let (start, granules) = (object.start, object.granules);
        self.live_bytes -= object.bytes - bytes;
        object.granules = kept;
        object.bytes = bytes;
        object.dirty = object.dirty.min(bytes);
        if granules > kept {
            self.extents.own(start + kept * GRANULE, granules - kept, 0);
            self.extents.discard_now(start + kept * GRANULE, granules - kept);
        }
        if let Some(rest) = NonNull::new((start + bytes) as *mut u8).filter(|_| bytes < kept * GRANULE) {
            // SAFETY: the pages belong to the object, which does not use them any more. A failure keeps them, which is
            // harmless.
            let _ = unsafe { memory::decommit(rest, kept * GRANULE - bytes) };
        }
    }
}

/// Moves the first `length` bytes at `from` to `to`, a range without memory; returns what became of them. If they were
/// moved, the old range has no memory afterwards.
///
/// # Safety
/// Both ranges are committed and whole pages, do not overlap, and nothing refers to them. `seams` are all addresses in
/// the first range, in ascending order, at which the system may have divided it. The bytes are copied unless
/// `may_divide`.
pub(crate) unsafe fn move_range(from: usize, to: usize, length: usize, seams: &[usize], may_divide: bool) -> Exchange {
    let mut done = 0;
    let ends = seams.iter().map(|seam| seam - from).chain([length]);
    for end in ends {
        // SAFETY: the part lies in both ranges.
        let moved = unsafe { move_part(from + done, to + done, end - done, may_divide) };
        if moved == Exchange::Lost {
            // SAFETY: the parts before this one have been moved, and both ranges are still there.
            unsafe { std::ptr::copy_nonoverlapping(to as *const u8, from as *mut u8, done) };
            return Exchange::Lost;
        }
        done = end;
    }
    Exchange::Moved
}

/// # Safety
/// As for `move_range`, and the first range is in one mapping.
unsafe fn move_part(from: usize, to: usize, length: usize, may_divide: bool) -> Exchange {
    let (Some(start), Some(target)) = (NonNull::new(from as *mut u8), NonNull::new(to as *mut u8)) else {
        return Exchange::Moved;
    };
    if may_divide {
        // SAFETY: by this function's contract.
        match unsafe { memory::exchange(start, length, target) } {
            Exchange::Refused => {}
            outcome => return outcome,
        }
    }
    for at in (0..length).step_by(PIECE) {
        let count = PIECE.min(length - at);
        // SAFETY: the piece lies in both ranges; its old place is not used any more.
        unsafe {
            std::ptr::copy_nonoverlapping(start.as_ptr().add(at), target.as_ptr().add(at), count);
            // A failure keeps the memory until the range is returned.
            let _ = memory::decommit(start.add(at), count);
        }
    }
    Exchange::Moved
}

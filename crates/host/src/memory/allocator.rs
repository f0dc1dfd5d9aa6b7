//! The allocator of native memory: the C library's, with a reserve for small allocations when that has nothing left.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Rust ends the process when an allocation fails whose failure is not handled. Allocations whose size comes from a
/// program are handled, see crate `memory`; small ones are not, and come from the reserve at the end of memory. It
/// lasts until the program has got its NoMemoryError or ThreadError and released something.
pub struct Allocator;

static RESERVE: Reserve = Reserve::new();

// SAFETY: what the system and the reserve return is distinct memory of the layout; each piece is returned to where it
// came from.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let piece = unsafe { System.alloc(layout) };
        if piece.is_null() { RESERVE.take(layout) } else { piece }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let piece = unsafe { System.alloc_zeroed(layout) };
        if !piece.is_null() {
            return piece;
        }
        let piece = RESERVE.take(layout);
        if !piece.is_null() {
            // SAFETY: the piece has that size; earlier owners may have written to it.
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        if RESERVE.holds(piece) {
            RESERVE.give_back();
        } else {
            // SAFETY: the caller's contract; the piece is the system's.
            unsafe { System.dealloc(piece, layout) }
        }
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !RESERVE.holds(piece) {
            // SAFETY: the caller's contract; the piece is the system's.
            let moved = unsafe { System.realloc(piece, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller's contract.
        unsafe { self.move_by_hand(piece, layout, size) }
    }
}

impl Allocator {
    /// Moves a piece from or to the reserve. Returns null, and leaves the piece where it is, if there is no room.
    ///
    /// # Safety
    /// The contract of `realloc`.
    #[cold]
    unsafe fn move_by_hand(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: by the contract of `realloc` the new size is valid for the alignment; both pieces have at least the
        // bytes that are copied, and the old one is not used any more.
        unsafe {
            let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(piece, size.min(layout.size()));
                self.dealloc(piece, layout);
            }
            moved
        }
    }
}

const SIZE: usize = 4 << 20;
/// Larger pieces are refused.
const LARGEST: usize = 16 << 10;
const ALIGNMENT: usize = 64;

/// Memory of the binary, whose pages cost nothing until they are used. Pieces are taken from it in sequence; all of it
/// is available again once each piece has been returned.
#[repr(C, align(64))]
struct Reserve {
    bytes: UnsafeCell<[u8; SIZE]>,
    /// The number of pieces in use and, in the lower half, the offset at which the next one begins.
    state: AtomicU64,
}

// SAFETY: each piece has one owner, and the state is atomic.
unsafe impl Sync for Reserve {}

impl Reserve {
    const fn new() -> Reserve {
        Reserve { bytes: UnsafeCell::new([0; SIZE]), state: AtomicU64::new(0) }
    }

    #[inline]
    fn holds(&self, piece: *const u8) -> bool {
        (piece as usize).wrapping_sub(self.bytes.get() as usize) < SIZE
    }

    /// A piece, or null.
    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGEST || layout.align() > ALIGNMENT {
            return std::ptr::null_mut();
        }
        let step = layout.size().next_multiple_of(layout.align().max(16));
        let mut start = 0;
        let taken = self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, |state| {
            let (count, next) = (state >> 32, state as u32 as usize);
            start = next.next_multiple_of(layout.align());
            (start + step <= SIZE).then(|| (count + 1) << 32 | (start + step) as u64)
        });
        // SAFETY: the range was taken by this call alone, and lies in the bytes.
        if taken.is_ok() { unsafe { self.bytes.get().cast::<u8>().add(start) } } else { std::ptr::null_mut() }
    }

    #[cold]
    fn give_back(&self) {
        let _ = self.state.fetch_update(Ordering::Release, Ordering::Relaxed, |state| {
            let count = (state >> 32) - 1;
            Some(if count == 0 { 0 } else { count << 32 | state & 0xffff_ffff })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static OWN: Reserve = Reserve::new();

    #[test]
    fn the_reserve_is_whole_again_when_all_was_given_back() {
        let layout = Layout::from_size_align(LARGEST, 64).unwrap();
        for _ in 0..2 {
            let first = OWN.take(Layout::from_size_align(3, 1).unwrap());
            assert!(OWN.holds(first) && !OWN.holds(&raw const OWN.state as *const u8));
            let mut count = 1;
            let mut last = first;
            loop {
                let piece = OWN.take(layout);
                if piece.is_null() {
                    break;
                }
                assert!(OWN.holds(piece) && piece as usize >= last as usize + 3 && (piece as usize).is_multiple_of(64));
                (last, count) = (piece, count + 1);
            }
            assert_eq!(count, SIZE / LARGEST);
            for _ in 0..count {
                OWN.give_back();
            }
        }
    }

    #[test]
    fn large_pieces_are_refused() {
        assert!(OWN.take(Layout::from_size_align(LARGEST + 1, 1).unwrap()).is_null());
        assert!(OWN.take(Layout::from_size_align(1, 128).unwrap()).is_null());
    }
}

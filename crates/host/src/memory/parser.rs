//! The allocator of the parser, a C library that ends the process when an allocation fails.
//!
//! What a parse can need is set aside before it ([`ParserReserve`]); its allocations come from there when the C library
//! refuses them. `.cargo/config.toml` makes the parser call the functions below.

use std::cell::Cell;
use std::ffi::c_void;

const ALIGNMENT: usize = 16;

/// Memory for parses of this thread, as long as it lives. They end before it.
pub struct ParserReserve {
    bytes: Box<Bytes>,
}

struct Bytes {
    /// Without elements: only its memory is used.
    memory: Vec<u8>,
    taken: usize,
    /// The reserve of the parse around this one, or null.
    outer: *mut Bytes,
}

thread_local! {
    static INNERMOST: Cell<*mut Bytes> = const { Cell::new(std::ptr::null_mut()) };
}

impl ParserReserve {
    /// `None` if that many bytes are not available.
    pub fn new(count: usize) -> Option<ParserReserve> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(count.checked_add(ALIGNMENT)?).ok()?;
        let mut bytes = Box::new(Bytes { memory, taken: 0, outer: INNERMOST.get() });
        INNERMOST.set(&raw mut *bytes);
        Some(ParserReserve { bytes })
    }
}

impl Drop for ParserReserve {
    fn drop(&mut self) {
        debug_assert!(INNERMOST.get() == &raw mut *self.bytes, "reserves end in the reverse order");
        INNERMOST.set(self.bytes.outer);
    }
}

impl Bytes {
    /// A piece, or null.
    #[cold]
    fn take(&mut self, size: usize) -> *mut c_void {
        let base = self.memory.as_mut_ptr();
        let start = self.taken + (base as usize + self.taken).wrapping_neg() % ALIGNMENT;
        let Some(end) = start.checked_add(size).filter(|end| *end <= self.memory.capacity()) else {
            return std::ptr::null_mut();
        };
        self.taken = end;
        // SAFETY: start and end are within the memory.
        unsafe { base.add(start).cast() }
    }

    fn holds(&self, piece: *const c_void) -> bool {
        (piece as usize).wrapping_sub(self.memory.as_ptr() as usize) < self.memory.capacity()
    }
}

#[cold]
fn reserved(size: usize) -> *mut c_void {
    let innermost = INNERMOST.get();
    // SAFETY: the reserve that it points to is alive, and only this thread uses it.
    if innermost.is_null() { std::ptr::null_mut() } else { unsafe { (*innermost).take(size) } }
}

fn is_reserved(piece: *const c_void) -> bool {
    let mut at = INNERMOST.get();
    while !at.is_null() {
        // SAFETY: the reserves of this thread are alive, each as long as those within it.
        let bytes = unsafe { &*at };
        if bytes.holds(piece) {
            return true;
        }
        at = bytes.outer;
    }
    false
}

/// `xmalloc`
#[unsafe(no_mangle)]
extern "C" fn beni_parser_allocate(size: usize) -> *mut c_void {
    // SAFETY: any size is allowed.
    let piece = unsafe { libc::malloc(size) };
    if piece.is_null() { reserved(size) } else { piece }
}

/// `xcalloc`
#[unsafe(no_mangle)]
extern "C" fn beni_parser_allocate_zeroed(count: usize, size: usize) -> *mut c_void {
    // SAFETY: any sizes are allowed.
    let piece = unsafe { libc::calloc(count, size) };
    if !piece.is_null() {
        return piece;
    }
    let size = count.saturating_mul(size);
    let piece = reserved(size);
    if !piece.is_null() {
        // SAFETY: the piece has that size.
        unsafe { piece.cast::<u8>().write_bytes(0, size) };
    }
    piece
}

/// `xrealloc_sized`
///
/// # Safety
/// `piece` is null or came from these functions, with `former` bytes; nothing uses it afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn beni_parser_reallocate(piece: *mut c_void, size: usize, former: usize) -> *mut c_void {
    if !is_reserved(piece) {
        // SAFETY: the piece is null or the C library's.
        let moved = unsafe { libc::realloc(piece, size) };
        if !moved.is_null() {
            return moved;
        }
    }
    let moved = beni_parser_allocate(size);
    if !moved.is_null() && !piece.is_null() {
        // SAFETY: both pieces have the bytes that are copied; they are distinct.
        unsafe {
            piece.cast::<u8>().copy_to_nonoverlapping(moved.cast(), size.min(former));
            beni_parser_free(piece);
        }
    }
    moved
}

/// `xfree`
///
/// # Safety
/// `piece` is null or came from these functions; nothing uses it afterwards.
#[unsafe(no_mangle)]
unsafe extern "C" fn beni_parser_free(piece: *mut c_void) {
    // What was taken from a reserve ends with it.
    if !is_reserved(piece) {
        // SAFETY: the piece is null or the C library's.
        unsafe { libc::free(piece) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_allocations_come_from_the_innermost_reserve() {
        // No C library has that much. The compiler must not leave out the allocation.
        let too_much = std::hint::black_box(isize::MAX as usize);
        assert!(std::hint::black_box(beni_parser_allocate(too_much)).is_null());
        let outer = ParserReserve::new(100).unwrap();
        let first = reserved(10);
        let inner = ParserReserve::new(100).unwrap();
        let second = reserved(20);
        assert!(is_reserved(first) && is_reserved(second) && !is_reserved(std::ptr::null()));
        assert!((first as usize).is_multiple_of(ALIGNMENT) && (second as usize).is_multiple_of(ALIGNMENT));
        assert!(reserved(100).is_null());
        // SAFETY: the pieces came from these functions and are not used any more.
        unsafe {
            second.cast::<u8>().write_bytes(7, 20);
            let moved = beni_parser_reallocate(second, 40, 20);
            assert!(!is_reserved(moved) && *moved.cast::<u8>().add(19) == 7);
            beni_parser_free(moved);
            beni_parser_free(first);
        }
        drop(inner);
        assert!(is_reserved(first) && !is_reserved(second));
        drop(outer);
        assert!(!is_reserved(first) && reserved(1).is_null());
    }
}

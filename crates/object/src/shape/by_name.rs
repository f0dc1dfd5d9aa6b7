//! A table with one place for each hash of a shape and a name: a later entry replaces an earlier one. Compiled code
//! reads such tables itself.

use crate::Sym;

/// `PLACES` is a power of two.
#[repr(transparent)]
pub struct ByShapeAndName<T, const PLACES: usize>([T; PLACES]);

impl<T: Copy, const PLACES: usize> ByShapeAndName<T, PLACES> {
    /// The offset in bytes of the place for a shape and a name is
    /// `(shape * MULTIPLIER >> SHIFT ^ offset_of_name(name)) & OFFSETS`.
    pub const MULTIPLIER: u64 = 0x9e37_79b1;
    pub const SHIFT: u64 = 3;
    /// The bits of a name above these are multiplied by the size of an entry.
    pub const NAME_SHIFT: u64 = 8;
    pub const OFFSETS: u64 = ((PLACES - 1) * size_of::<T>()) as u64;

    /// A table whose memory is not touched before it is used.
    ///
    /// # Safety
    /// All zeros are a valid entry.
    pub unsafe fn zeroed() -> Box<Self> {
        // SAFETY: this function's contract.
        unsafe { Box::new_zeroed().assume_init() }
    }

    pub fn fill(&mut self, entry: T) {
        self.0.fill(entry);
    }

    /// What the name contributes to the offset of its place.
    #[inline(always)]
    pub fn offset_of_name(name: Sym) -> u64 {
        (name.value().0 >> Self::NAME_SHIFT) * size_of::<T>() as u64
    }

    #[inline(always)]
    fn index(shape: u32, name: Sym) -> usize {
        let mixed = (u64::from(shape) * Self::MULTIPLIER) >> Self::SHIFT;
        ((mixed ^ Self::offset_of_name(name)) & Self::OFFSETS) as usize / size_of::<T>()
    }

    /// The entry at the place, which may be for another shape or name.
    #[inline(always)]
    pub fn at(&self, shape: u32, name: Sym) -> &T {
        &self.0[Self::index(shape, name)]
    }

    /// Stores an entry; returns the number of its place.
    pub fn set(&mut self, shape: u32, name: Sym, entry: T) -> usize {
        let place = Self::index(shape, name);
        self.0[place] = entry;
        place
    }

    /// The entry at the place beside that for a shape and a name, in the same cache line.
    #[inline(always)]
    pub fn beside(&self, shape: u32, name: Sym) -> &T {
        &self.0[Self::index(shape, name) ^ 1]
    }

    /// Stores an entry at the place beside that for a shape and a name; returns the number of its place.
    pub fn set_beside(&mut self, shape: u32, name: Sym, entry: T) -> usize {
        let place = Self::index(shape, name) ^ 1;
        self.0[place] = entry;
        place
    }

    /// Replaces the entry in a place unless `is_kept` is true for it.
    pub fn retain(&mut self, place: usize, is_kept: impl FnOnce(&T) -> bool, replacement: T) {
        if !is_kept(&self.0[place]) {
            self.0[place] = replacement;
        }
    }
}

//! Slices behind a pointer of one word.

use std::{
    alloc::{Layout, alloc, dealloc},
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::NonNull,
};

use heap::{Marker, Trace};

/// A slice in memory of its own, like `Box<[T]>`, but half its size: the length is in the word in front of the
/// elements. A code has many of them, and its most used words are to be in one line of the processor's cache.
pub struct Table<T> {
    first: NonNull<T>,
    owned: PhantomData<T>,
}

/// The length of empty tables, and where their elements would be.
static EMPTY: [usize; 2] = [0, 0];

impl<T> Table<T> {
    /// The elements' distance from the start of the memory.
    const ELEMENTS: usize = size_of::<usize>();

    /// Collects the elements, in memory of exactly their size.
    pub fn collect(elements: impl ExactSizeIterator<Item = T>) -> Table<T> {
        const { assert!(align_of::<T>() <= Table::<T>::ELEMENTS) };
        let length = elements.len();
        if length == 0 {
            return Table::default();
        }
        let Some(layout) = Table::<T>::layout(length) else { memory::exhausted() };
        // SAFETY: the layout is larger than the word for the length.
        let Some(start) = NonNull::new(unsafe { alloc(layout) }) else { memory::exhausted() };
        // SAFETY: the memory begins with the word for the length; the elements are aligned behind it.
        let mut made = unsafe {
            start.cast::<usize>().write(0);
            Table { first: start.add(Table::<T>::ELEMENTS).cast::<T>(), owned: PhantomData }
        };
        let mut written = 0;
        for element in elements.take(length) {
            // SAFETY: there is room for `length` elements.
            unsafe { made.first.add(written).write(element) };
            written += 1;
        }
        assert_eq!(written, length, "the iterator yields as many elements as it said");
        // SAFETY: all elements are written; if the iterator panicked before, they are lost together with the memory.
        unsafe { made.length_word().write(length) };
        made
    }

    fn layout(length: usize) -> Option<Layout> {
        let (layout, elements) = Layout::new::<usize>().extend(Layout::array::<T>(length).ok()?).ok()?;
        debug_assert_eq!(elements, Table::<T>::ELEMENTS);
        Some(layout.pad_to_align())
    }

    fn length_word(&mut self) -> NonNull<usize> {
        // SAFETY: in front of the elements, also of those of an empty table, is the word with their number.
        unsafe { self.first.cast::<usize>().sub(1) }
    }
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { first: NonNull::from_ref(&EMPTY[1]).cast(), owned: PhantomData }
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the length is in front of the elements.
        unsafe { std::slice::from_raw_parts(self.first.as_ptr(), self.first.cast::<usize>().sub(1).read()) }
    }
}

impl<T> DerefMut for Table<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the length is in front of the elements, which the table owns.
        unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.first.cast::<usize>().sub(1).read()) }
    }
}

impl<'a, T> IntoIterator for &'a Table<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> Drop for Table<T> {
    fn drop(&mut self) {
        let length = self.len();
        let Some(layout) = Table::<T>::layout(length).filter(|_| length > 0) else { return };
        // SAFETY: `collect` allocated the memory with this layout and wrote the elements; nothing uses them any more.
        unsafe {
            std::ptr::drop_in_place(&raw mut **self);
            dealloc(self.length_word().as_ptr().cast(), layout);
        }
    }
}

// SAFETY: it owns its elements, as a box does.
unsafe impl<T: Send> Send for Table<T> {}
// SAFETY: it gives only the access that a reference to a box gives.
unsafe impl<T: Sync> Sync for Table<T> {}

impl<T: Trace> Trace for Table<T> {
    fn trace(&mut self, marker: &mut Marker) {
        (**self).trace(marker);
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::Table;

    #[test]
    fn a_table_is_one_word_and_has_the_elements_in_their_order() {
        assert_eq!(size_of::<Table<u16>>(), size_of::<usize>());
        assert_eq!(*Table::collect([1u16, 2, 3].into_iter()), [1, 2, 3]);
        assert!(Table::<u64>::default().is_empty());
    }

    #[test]
    fn dropping_a_table_drops_its_elements() {
        let counted = Rc::new(());
        drop(Table::collect((0..5).map(|_| counted.clone())));
        assert_eq!(Rc::strong_count(&counted), 1);
    }
}

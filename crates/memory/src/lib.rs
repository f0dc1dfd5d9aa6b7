//! Memory whose amount depends on a program's data. A failing allocation unwinds with [`Exhausted`] instead of aborting
//! the process; the boundary of native methods turns that into NoMemoryError.
//!
//! `cargo xtask tidy` forbids the standard library's counterparts, which abort, in the crates that process such data.
//! Libraries allocate on their own: what they need is tried first, with [`expect`] or [`expect_work`].
#![forbid(unsafe_code)]

mod hashed;

pub use hashed::Hashed;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

/// The payload of the unwinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Ends the native method with NoMemoryError.
#[cold]
pub fn exhausted() -> ! {
    std::panic::resume_unwind(Box::new(Exhausted))
}

/// Reserves room for `more` elements, which can then be appended without another allocation. Loops call it at each
/// step.
#[inline]
pub fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more && list.try_reserve(more).is_err() {
        exhausted()
    }
}

/// An empty list with room for `count` elements.
pub fn with_capacity<T>(count: usize) -> Vec<T> {
    let mut list = Vec::new();
    if list.try_reserve_exact(count).is_err() {
        exhausted()
    }
    list
}

/// Reserves room for one more key, which can then be inserted without another allocation.
#[inline]
pub fn reserve_key<K: Eq + Hash, V, S: BuildHasher>(map: &mut HashMap<K, V, S>) {
    if map.try_reserve(1).is_err() {
        exhausted()
    }
}

/// Adds to a set; false if it was in it.
#[inline]
pub fn add<T: Eq + Hash, S: BuildHasher>(set: &mut HashSet<T, S>, element: T) -> bool {
    if set.try_reserve(1).is_err() {
        exhausted()
    }
    set.insert(element)
}

/// Growing lists.
pub trait Grow<T> {
    /// Appends copies of the elements.
    fn append_slice(&mut self, more: &[T])
    where
        T: Clone;
    /// Appends one element.
    fn append_one(&mut self, one: T);
    /// Appends all elements of an iterator.
    fn append_from(&mut self, more: impl IntoIterator<Item = T>);
    /// Cuts the list to this length, or appends copies of the element up to it.
    fn set_length(&mut self, length: usize, element: T)
    where
        T: Clone;
}

impl<T> Grow<T> for Vec<T> {
    #[inline]
    fn append_slice(&mut self, more: &[T])
    where
        T: Clone,
    {
        reserve(self, more.len());
        self.extend_from_slice(more);
    }

    #[inline]
    fn append_one(&mut self, one: T) {
        reserve(self, 1);
        self.push(one);
    }

    fn append_from(&mut self, more: impl IntoIterator<Item = T>) {
        let more = more.into_iter();
        reserve(self, more.size_hint().0);
        for one in more {
            self.append_one(one);
        }
    }

    fn set_length(&mut self, length: usize, element: T)
    where
        T: Clone,
    {
        reserve(self, length.saturating_sub(self.len()));
        self.resize(length, element);
    }
}

impl Grow<char> for String {
    fn append_slice(&mut self, more: &[char]) {
        self.append_from(more.iter().copied());
    }

    #[inline]
    fn append_one(&mut self, one: char) {
        reserve_text(self, one.len_utf8());
        self.push(one);
    }

    fn append_from(&mut self, more: impl IntoIterator<Item = char>) {
        for one in more {
            self.append_one(one);
        }
    }

    /// The length is in characters.
    fn set_length(&mut self, length: usize, element: char) {
        let count = self.chars().count();
        match self.char_indices().nth(length) {
            Some((end, _)) => self.truncate(end),
            None => self.append_from(std::iter::repeat_n(element, length - count)),
        }
    }
}

/// Reserves room for `more` bytes.
#[inline]
pub fn reserve_text(text: &mut String, more: usize) {
    if text.capacity() - text.len() < more && text.try_reserve(more).is_err() {
        exhausted()
    }
}

/// Appends a copy of a text.
#[inline]
pub fn append_text(text: &mut String, more: &str) {
    reserve_text(text, more.len());
    text.push_str(more);
}

/// Copies of slices.
pub trait ToVector<T> {
    /// A list of copies of the elements.
    fn to_vector(&self) -> Vec<T>
    where
        T: Clone;
}

impl<T> ToVector<T> for [T] {
    #[inline]
    fn to_vector(&self) -> Vec<T>
    where
        T: Clone,
    {
        let mut list = with_capacity(self.len());
        list.extend_from_slice(self);
        list
    }
}

/// The elements of an iterator.
pub fn collect<T>(elements: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    list.append_from(elements);
    list
}

/// The text that an iterator's characters make.
pub fn collect_text(chars: impl IntoIterator<Item = char>) -> String {
    let mut text = String::new();
    text.append_from(chars);
    text
}

/// A copy of a text.
#[inline]
pub fn copy_text(text: &str) -> String {
    let mut copy = String::new();
    append_text(&mut copy, text);
    copy
}

/// The bytes as text; what is not UTF-8 becomes U+FFFD.
pub fn lossy_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    append_lossy(&mut text, bytes);
    text
}

/// Appends the bytes as text; what is not UTF-8 becomes U+FFFD.
pub fn append_lossy(text: &mut String, bytes: &[u8]) {
    reserve_text(text, bytes.len());
    for chunk in bytes.utf8_chunks() {
        append_text(text, chunk.valid());
        if !chunk.invalid().is_empty() {
            text.append_one(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Like the standard library's `format`, which it replaces in crates with `#[macro_use] extern crate memory`.
#[macro_export]
macro_rules! format {
    ($($argument:tt)*) => {
        $crate::formatted(::std::format_args!($($argument)*))
    };
}

/// The formatted text: `memory::formatted(format_args!("{name}…"))`.
pub fn formatted(arguments: std::fmt::Arguments) -> String {
    let mut out = Written { start: [0; SHORT], length: 0, rest: String::new() };
    let _ = std::fmt::Write::write_fmt(&mut out, arguments);
    match std::str::from_utf8(&out.start[..out.length]) {
        Ok(start) if out.rest.is_empty() => copy_text(start),
        _ => out.rest,
    }
}

/// Bytes of a text that [`formatted`] copies once, so that most texts take one allocation.
const SHORT: usize = 192;

/// What [`formatted`] writes to: the start while it is short, then the whole text in `rest`.
struct Written {
    start: [u8; SHORT],
    length: usize,
    rest: String,
}

impl std::fmt::Write for Written {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.length + text.len();
        if self.rest.is_empty() {
            if let Some(place) = self.start.get_mut(self.length..end) {
                place.copy_from_slice(text.as_bytes());
                self.length = end;
                return Ok(());
            }
            append_lossy(&mut self.rest, &self.start[..self.length]);
        }
        append_text(&mut self.rest, text);
        Ok(())
    }
}

/// Appends the formatted text.
pub fn append_formatted(text: &mut String, arguments: std::fmt::Arguments) {
    struct Appending<'a>(&'a mut String);
    impl std::fmt::Write for Appending<'_> {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            append_text(self.0, text);
            Ok(())
        }
    }
    let _ = std::fmt::Write::write_fmt(&mut Appending(text), arguments);
}

/// The elements of all parts, one part after the other.
pub fn concat<T: Clone>(parts: &[&[T]]) -> Vec<T> {
    let mut list = with_capacity(parts.iter().map(|part| part.len()).sum());
    for part in parts {
        list.extend_from_slice(part);
    }
    list
}

/// This many copies of an element.
pub fn filled<T: Clone>(element: T, count: usize) -> Vec<T> {
    let mut list = with_capacity(count);
    list.resize(count, element);
    list
}

/// This many copies of a text.
pub fn repeated(text: &str, count: usize) -> String {
    expect(text.len().saturating_mul(count));
    str::repeat(text, count)
}

/// `count` zeros.
pub fn zeros(count: usize) -> Vec<u8> {
    filled(0, count)
}

/// Work on a copy longer than this may need several times as much memory.
const LARGE: usize = 4 << 20;

/// Fails early if the work on a text of this length could exhaust memory: a library's lists may need several times as
/// much as the text.
#[inline]
pub fn expect_work(length: usize) {
    if length > LARGE {
        expect(length.saturating_mul(4));
    }
}

/// A copy of the bytes, for work on it.
pub fn copy(bytes: &[u8]) -> Vec<u8> {
    expect_work(bytes.len());
    let mut list = with_capacity(bytes.len());
    list.extend_from_slice(bytes);
    list
}

/// Fails early if `count` bytes are not available, before a library allocates them.
pub fn expect(count: usize) {
    drop(with_capacity::<u8>(count));
}

/// Whether `count` bytes could be allocated.
pub fn is_available(count: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(count).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_unwinds() {
        for act in [|| expect(usize::MAX / 4), || reserve(&mut vec![1_u64], usize::MAX / 16)] {
            let payload = std::panic::catch_unwind(act).unwrap_err();
            assert!(payload.is::<Exhausted>());
        }
    }

    #[test]
    fn pieces_that_fit_are_available() {
        let mut list = copy(b"ab");
        reserve(&mut list, 100);
        assert!(list.capacity() >= 102);
        list.append_slice(b"c");
        list.append_one(b'd');
        list.append_from(*b"ef");
        assert_eq!((list, zeros(2)), (b"abcdef".to_vec(), vec![0, 0]));
        let mut text = copy_text("éa");
        text.set_length(3, 'ß');
        text.set_length(4, 'ß');
        assert_eq!(text, "éaßß");
        text.set_length(1, 'ß');
        assert_eq!(text, "é");
        assert_eq!(lossy_text(b"a\xffb"), String::from_utf8_lossy(b"a\xffb"));
        assert_eq!(formatted(format_args!("{}-{}", 1, collect_text("b".chars()))), "1-b");
        for length in [SHORT - 1, SHORT, SHORT + 1] {
            let long = repeated("é", length);
            assert_eq!(formatted(format_args!("{long}{}", 1)), long.clone() + "1");
            assert_eq!(formatted(format_args!("{}{long}", 1)), "1".to_owned() + &long);
        }
        assert_eq!((concat(&[b"a", b"bc"]), collect(0..3)), (b"abc".to_vector(), vec![0, 1, 2]));
    }
}

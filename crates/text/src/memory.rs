//! Memory whose amount depends on a program's strings. A failing allocation unwinds with [`Exhausted`] instead of
//! aborting the process; the boundary of native methods turns that into NoMemoryError.

/// The payload of the unwinding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

#[cold]
fn exhausted() -> ! {
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

/// `count` zeros.
pub fn zeros(count: usize) -> Vec<u8> {
    let mut list = with_capacity(count);
    list.resize(count, 0);
    list
}

/// Above this length, what is done with a copy may need as much memory several times.
const LARGE: usize = 4 << 20;

/// Fails early if the work on a text of this length could exhaust memory:
/// a library's lists may need several times as much.
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
    fn what_fits_is_there() {
        let mut list = copy(b"ab");
        reserve(&mut list, 100);
        assert!(list.capacity() >= 102);
        assert_eq!((list, zeros(2)), (b"ab".to_vec(), vec![0, 0]));
    }
}

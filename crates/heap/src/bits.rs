//! Bit maps as arrays of words: finding runs, setting and counting them.

/// The first index in `from..end` whose bit is `set`, or `end`.
///
/// # Safety
/// `words` has at least `end` bits.
#[inline]
unsafe fn find(words: *const u64, from: usize, end: usize, flip: u64) -> usize {
    if from >= end {
        return end;
    }
    let mut index = from >> 6;
    let last = (end - 1) >> 6;
    // SAFETY: `index <= last`, which holds bit `end - 1`.
    let mut word = (unsafe { *words.add(index) } ^ flip) & (!0 << (from & 63));
    while word == 0 {
        if index == last {
            return end;
        }
        index += 1;
        // SAFETY: `index` is below the number of words that hold `end` bits, which `words` has.
        word = unsafe { *words.add(index) } ^ flip;
    }
    ((index << 6) + word.trailing_zeros() as usize).min(end)
}

/// The first set bit in `from..end`, or `end`.
///
/// # Safety
/// `words` has at least `end` bits.
#[inline]
pub unsafe fn next_set(words: *const u64, from: usize, end: usize) -> usize {
    // SAFETY: this function's contract is that of the call.
    unsafe { find(words, from, end, 0) }
}

/// The first clear bit in `from..end`, or `end`.
///
/// # Safety
/// `words` has at least `end` bits.
#[inline]
pub unsafe fn next_clear(words: *const u64, from: usize, end: usize) -> usize {
    // SAFETY: this function's contract is that of the call.
    unsafe { find(words, from, end, !0) }
}

/// Calls `change(word, mask)` for each word with bits of `from..end`.
///
/// # Safety
/// `words` has at least `end` bits.
#[inline]
unsafe fn each_word(words: *mut u64, from: usize, end: usize, change: impl Fn(&mut u64, u64)) {
    let mut at = from;
    while at < end {
        let stop = ((at | 63) + 1).min(end);
        let count = stop - at;
        let mask = (if count == 64 { !0 } else { (1 << count) - 1 }) << (at & 63);
        // SAFETY: `at < end`.
        change(unsafe { &mut *words.add(at >> 6) }, mask);
        at = stop;
    }
}

/// # Safety
/// `words` has at least `end` bits.
#[cfg(test)]
unsafe fn set_range(words: *mut u64, from: usize, end: usize) {
    // SAFETY: this function's contract is that of the call.
    unsafe { each_word(words, from, end, |word, mask| *word |= mask) }
}

/// # Safety
/// `words` has at least `end` bits.
#[inline]
pub unsafe fn clear_range(words: *mut u64, from: usize, end: usize) {
    // SAFETY: this function's contract is that of the call.
    unsafe { each_word(words, from, end, |word, mask| *word &= !mask) }
}

/// Sets the bits of `from..end` that are clear in `other`.
///
/// # Safety
/// Both have at least `end` bits and do not overlap.
#[inline]
pub unsafe fn set_where_clear(words: *mut u64, other: *const u64, from: usize, end: usize) {
    for index in from >> 6..end.div_ceil(64) {
        let low = if index == from >> 6 { !0 << (from & 63) } else { !0 };
        let high = if (index + 1) * 64 > end { !0 >> (64 - (end & 63)) } else { !0 };
        // SAFETY: `index` is the index of a word with bits of the range.
        unsafe { *words.add(index) |= !*other.add(index) & low & high };
    }
}

/// The number of set bits in `count` words.
///
/// # Safety
/// `words` has at least `count` words.
#[inline]
pub unsafe fn count(words: *const u64, count: usize) -> usize {
    // SAFETY: `i < count`.
    (0..count).map(|i| unsafe { *words.add(i) }.count_ones() as usize).sum()
}

/// The number of set bits among the first `end` bits.
///
/// # Safety
/// `words` has at least `end` bits.
#[inline]
pub unsafe fn count_below(words: *const u64, end: usize) -> usize {
    // SAFETY: the whole words below `end` exist, and if some bits are left, so does the word that has them.
    unsafe {
        let whole = count(words, end >> 6);
        let rest = end & 63;
        if rest == 0 { whole } else { whole + (*words.add(end >> 6) << (64 - rest)).count_ones() as usize }
    }
}

/// Makes `count` words zero, without writing to words that are already zero: a page of zeros stays shared.
///
/// # Safety
/// `words` has at least `count` words.
pub unsafe fn zero_words(words: *mut u64, count: usize) {
    for i in 0..count {
        // SAFETY: `i < count`.
        unsafe {
            if *words.add(i) != 0 {
                *words.add(i) = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_words() {
        let mut words = [0u64; 4];
        // SAFETY: four words are 256 bits.
        unsafe {
            set_range(words.as_mut_ptr(), 5, 130);
            assert_eq!(next_set(words.as_ptr(), 0, 256), 5);
            assert_eq!(next_clear(words.as_ptr(), 5, 256), 130);
            assert_eq!(next_clear(words.as_ptr(), 5, 100), 100);
            assert_eq!(next_set(words.as_ptr(), 130, 256), 256);
            clear_range(words.as_mut_ptr(), 64, 66);
            assert_eq!((next_clear(words.as_ptr(), 6, 256), next_set(words.as_ptr(), 64, 256)), (64, 66));
            assert_eq!(words.iter().map(|w| w.count_ones()).sum::<u32>(), 123);
            assert_eq!((next_set(words.as_ptr(), 7, 7), next_clear(words.as_ptr(), 63, 64)), (7, 64));
            assert_eq!(count(words.as_ptr(), 4), 123);
            let mut others = [0u64; 4];
            set_where_clear(others.as_mut_ptr(), words.as_ptr(), 3, 131);
            assert_eq!(others, [0b11000, 0b11, 0b100, 0]);
            zero_words(words.as_mut_ptr(), 4);
        }
        assert_eq!(words, [0; 4]);
    }
}

//! Random numbers within limits, consuming the same words of the source as CRuby does.

use super::Source;
use crate::big::{self, Int, Integer};
use memory::Grow;

/// A random number from 0 to `limit` inclusive.
#[inline]
pub fn up_to(source: &mut impl Source, limit: u64) -> u64 {
    if limit == 0 {
        return 0;
    }
    let mask = u64::MAX >> limit.leading_zeros();
    if limit <= u64::from(u32::MAX) {
        loop {
            let value = u64::from(source.next_u32()) & mask;
            if value <= limit {
                return value;
            }
        }
    }
    'retry: loop {
        // The high half decides early: if it alone is too big, the low half is not drawn.
        let high = u64::from(source.next_u32()) << 32 & mask;
        if high > limit {
            continue 'retry;
        }
        let value = high | u64::from(source.next_u32());
        if value <= limit {
            return value;
        }
    }
}

/// A random integer from 0 to `limit` inclusive; the limit must not be negative.
pub fn integer_up_to(source: &mut impl Source, limit: Int) -> Integer {
    // CRuby draws fixnums and bignums differently.
    if let Some(limit) = limit.to_i64().filter(|&limit| limit <= big::FIXNUM_MAX) {
        return Integer::from(up_to(source, limit.unsigned_abs()));
    }
    let mut bytes = big::magnitude_le_bytes(limit);
    bytes.set_length(bytes.len().next_multiple_of(4), 0);
    let limits: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
    let mut drawn = memory::zeros(bytes.len());
    'retry: loop {
        let mut mask = 0;
        let mut at_limit = true;
        for (place, &limit) in limits.iter().enumerate().rev() {
            mask = if mask != 0 { u32::MAX } else { u32::MAX.checked_shr(limit.leading_zeros()).unwrap_or(0) };
            let mut word = 0;
            if mask != 0 {
                word = source.next_u32() & mask;
                if at_limit && word > limit {
                    continue 'retry;
                }
                at_limit &= word == limit;
            }
            drawn[place * 4..][..4].copy_from_slice(&word.to_le_bytes());
        }
        return big::from_le_bytes(&drawn, false);
    }
}

/// `rand(max)` for an integer: from 0 up to below `max`, or `None` if `max` is not positive. (`Kernel#rand` passes the
/// magnitude, and draws a float for 0.)
pub fn integer_below(source: &mut impl Source, max: Int) -> Option<Integer> {
    if max.is_zero() || max.is_negative() {
        return None;
    }
    Some(integer_up_to(source, big::sub(max, Int::Fix(1)).as_int()))
}

const SCALE: f64 = 1.0 / (1u64 << 53) as f64;

/// From 0 to 1, with 53 bits; 1 itself only if the end is not excluded.
#[inline]
pub fn real(source: &mut impl Source, exclude_end: bool) -> f64 {
    let [high, low] = source.next_pair();
    if exclude_end {
        return (f64::from(high >> 5) * f64::from(1 << 26) + f64::from(low >> 6)) * SCALE;
    }
    let both = u128::from(high) << 32 | u128::from(low);
    ((both * ((1 << 53) + 1)) >> 64) as u64 as f64 * SCALE
}

/// `rand` and `rand(1.5)`: from 0 up to below `max`.
pub fn float(source: &mut impl Source, max: f64) -> f64 {
    let part = real(source, true);
    if max > 0.0 { part * max } else { part }
}

/// `rand(begin..end)` for floats; `None` if the range is empty. Both ends must be finite.
pub fn float_in_range(source: &mut impl Source, begin: f64, end: f64, exclude_end: bool) -> Option<f64> {
    let width = end - begin;
    if width.is_infinite() && end > begin {
        // Halved, because the width itself may exceed the largest float.
        let (low, high) = (begin / 2.0, end / 2.0);
        let part = real(source, exclude_end);
        return Some((part - 0.5) * (high - low) * 2.0 + (high + low));
    }
    if width > 0.0 {
        return Some(real(source, exclude_end) * width + begin);
    }
    (width == 0.0 && !exclude_end).then_some(0.0 + begin)
}

/// `bytes(n)`: the words' bytes, the lowest first; the last word may be cut.
pub fn bytes(source: &mut impl Source, out: &mut [u8]) {
    let (words, rest) = out.as_chunks_mut();
    for word in words {
        *word = source.next_u32().to_le_bytes();
    }
    if !rest.is_empty() {
        rest.copy_from_slice(&source.next_u32().to_le_bytes()[..rest.len()]);
    }
}

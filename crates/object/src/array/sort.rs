//! Sorting by a comparison that may run Ruby.

use std::cmp::Ordering;
use std::ops::DerefMut;

use abi::Value;

use super::layout::Arr;
use crate::Mem;
use crate::payload::Exhausted;

/// Runs of this length are sorted by insertion.
const RUN: usize = 8;

impl Arr {
    /// A sorted copy. Sorting uses Arrays that no program sees, so that `compare` cannot affect it by changing this
    /// one. The sort is stable; merging elements that are already in order takes one comparison each.
    pub fn sorted_by<C, E>(
        self,
        cx: &mut C,
        mut compare: impl FnMut(&mut C, Value, Value) -> Result<Ordering, E>,
    ) -> Result<Arr, E>
    where
        C: DerefMut<Target = Mem>,
        E: From<Exhausted>,
    {
        let len = self.len();
        let mut from = self.copied(cx)?;
        let mut start = 0;
        while start < len {
            let end = (start + RUN).min(len);
            insert_sorted(cx, from, start, end, &mut compare)?;
            start = end;
        }
        if len <= RUN {
            return Ok(from);
        }
        let mut to = from.copied(cx)?;
        let mut width = RUN;
        while width < len {
            let mut start = 0;
            while start < len {
                let (middle, end) = ((start + width).min(len), (start + 2 * width).min(len));
                merge(cx, (from, to), (start, middle, end), &mut compare)?;
                start = end;
            }
            (from, to) = (to, from);
            width *= 2;
        }
        Ok(from)
    }
}

/// Sorts the elements from `start` to `end` in place.
fn insert_sorted<C, E>(
    cx: &mut C,
    array: Arr,
    start: usize,
    end: usize,
    compare: &mut impl FnMut(&mut C, Value, Value) -> Result<Ordering, E>,
) -> Result<(), E>
where
    C: DerefMut<Target = Mem>,
    E: From<Exhausted>,
{
    for next in start + 1..end {
        let v = array.at(next);
        let mut at = next;
        while at > start && compare(cx, array.at(at - 1), v)? == Ordering::Greater {
            array.set(cx, at, array.at(at - 1))?;
            at -= 1;
        }
        array.set(cx, at, v)?;
    }
    Ok(())
}

/// Merges two sorted runs of `from` into the same range of `to`.
fn merge<C, E>(
    cx: &mut C,
    (from, to): (Arr, Arr),
    (start, middle, end): (usize, usize, usize),
    compare: &mut impl FnMut(&mut C, Value, Value) -> Result<Ordering, E>,
) -> Result<(), E>
where
    C: DerefMut<Target = Mem>,
    E: From<Exhausted>,
{
    let in_order = middle == end || compare(cx, from.at(middle - 1), from.at(middle))? != Ordering::Greater;
    let (mut left, mut right) = (start, middle);
    for at in start..end {
        let take_left = if in_order || right == end {
            at < middle || right == end
        } else {
            left < middle && compare(cx, from.at(left), from.at(right))? != Ordering::Greater
        };
        let next = if take_left { &mut left } else { &mut right };
        to.set(cx, at, from.at(*next))?;
        *next += 1;
    }
    Ok(())
}

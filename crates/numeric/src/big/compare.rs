//! Order, equality and hashing on borrowed limbs.

use super::float::{self, FITS_I64};
use super::integer::{BigRef, Int};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

pub fn cmp(a: Int, b: Int) -> Ordering {
    match (a, b) {
        (Int::Fix(a), Int::Fix(b)) => a.cmp(&b),
        (Int::Big(a), Int::Big(b)) => cmp_big(a, b),
        (Int::Big(a), Int::Fix(b)) => cmp_big(a, BigRef { negative: b < 0, limbs: &[b.unsigned_abs()] }),
        (Int::Fix(_), Int::Big(_)) => cmp(b, a).reverse(),
    }
}

fn cmp_big(a: BigRef, b: BigRef) -> Ordering {
    let (magnitude_a, magnitude_b) = (a.trimmed(), b.trimmed());
    let (negative_a, negative_b) = (a.negative && !magnitude_a.is_empty(), b.negative && !magnitude_b.is_empty());
    if negative_a != negative_b {
        return negative_b.cmp(&negative_a);
    }
    let order = cmp_magnitude(magnitude_a, magnitude_b);
    if negative_a { order.reverse() } else { order }
}

fn cmp_magnitude(a: &[u64], b: &[u64]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

pub fn eq(a: Int, b: Int) -> bool {
    cmp(a, b) == Ordering::Equal
}

/// Exact order of an integer and a float; `None` for NaN.
pub fn cmp_f64(a: Int, b: f64) -> Option<Ordering> {
    if b.is_nan() {
        return None;
    }
    if b.is_infinite() {
        return Some(if b > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = b.trunc();
    let order = match a.to_i64() {
        // Within these bounds the whole part is an i64, and the conversion is exact.
        Some(a) if FITS_I64.contains(&whole) => a.cmp(&(whole as i64)),
        Some(_) => return Some(if b > 0.0 { Ordering::Less } else { Ordering::Greater }),
        None => cmp(a, float::from_f64(whole).ok()?.as_int()),
    };
    Some(order.then_with(|| 0.0f64.partial_cmp(&(b - whole)).unwrap_or(Ordering::Equal)))
}

pub fn eq_f64(a: Int, b: f64) -> bool {
    cmp_f64(a, b) == Some(Ordering::Equal)
}

/// Feeds an integer to a hasher. Equal integers feed the same data, whatever their representation.
pub fn hash<H: Hasher>(a: Int, state: &mut H) {
    match (a.to_i64(), a) {
        (Some(n), _) | (None, Int::Fix(n)) => n.hash(state),
        (None, Int::Big(big)) => {
            big.negative.hash(state);
            big.trimmed().hash(state);
        }
    }
}

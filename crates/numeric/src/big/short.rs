//! Linear operations on numbers of a few limbs, whose result is computed in an array on the native stack, without an
//! allocation.
//!
//! The library owns its words: it allocates and copies for every operand and result longer than two limbs. For numbers
//! of a few limbs that takes several times as long as the operation itself.

use super::integer::{BigRef, FIXNUM_MAX, Int, Integer};

/// The longest operands, in limbs.
const LONGEST: usize = 8;
/// A sum or product of the longest operand and a limb has one more.
const ROOM: usize = LONGEST + 1;

/// The longest operands of a sum in a [`Room`], in limbs.
const LONGEST_SUMMAND: usize = 40;

/// Room for the limbs of a sum.
pub type Room = [u64; LONGEST_SUMMAND + 1];

/// Room for a sum.
#[inline]
pub fn new_sum() -> Room {
    [0; LONGEST_SUMMAND + 1]
}

/// A magnitude of up to [`ROOM`] limbs, without leading zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Short {
    negative: bool,
    len: u8,
    limbs: [u64; ROOM],
}

impl Short {
    pub(crate) fn negative(&self) -> bool {
        self.negative
    }

    pub(crate) fn limbs(&self) -> &[u64] {
        &self.limbs[..usize::from(self.len)]
    }

    /// The number whose limbs from `len` on are zeros, in normal form.
    #[inline]
    fn normal(negative: bool, mut len: usize, limbs: [u64; ROOM]) -> Integer {
        while len > 0 && limbs[len - 1] == 0 {
            len -= 1;
        }
        if len <= 1 && limbs[0] <= FIXNUM_MAX as u64 + u64::from(negative) {
            let n = limbs[0] as i64;
            return Integer::Fix(if negative { -n } else { n });
        }
        Integer::short(Short { negative, len: len as u8, limbs })
    }
}

/// Sign and magnitude of an operand, whose one limb `place` holds if it is a fixnum.
#[inline]
fn parts<'a>(n: Int<'a>, place: &'a mut [u64; 1]) -> BigRef<'a> {
    match n {
        Int::Fix(n) => {
            *place = [n.unsigned_abs()];
            BigRef { negative: n < 0, limbs: place }
        }
        Int::Big(big) => big,
    }
}

/// `a + b`, or `a - b` if `subtract`; `None` for longer operands.
#[inline]
pub(crate) fn sum(a: Int, b: Int, subtract: bool) -> Option<Integer> {
    let mut limbs = [0; ROOM];
    let BigRef { negative, limbs: used } = sum_in(a, b, subtract, &mut limbs)?;
    let len = used.len();
    Some(Short::normal(negative, len, limbs))
}

/// Like `sum`, with the limbs of the result, which may be zeros and may fit a fixnum, in `room`: an [`Integer`] would
/// be copied on its way to an object. `None` if an operand is not shorter than the room.
#[inline]
pub fn sum_in<'r>(a: Int, b: Int, subtract: bool, room: &'r mut [u64]) -> Option<BigRef<'r>> {
    let (mut first, mut second) = ([0], [0]);
    let (a, mut b) = (parts(a, &mut first), parts(b, &mut second));
    if a.limbs.len().max(b.limbs.len()) >= room.len() {
        return None;
    }
    b.negative ^= subtract;
    let (long, short) = if a.limbs.len() >= b.limbs.len() { (a, b) } else { (b, a) };
    let len = long.limbs.len();
    let mut carry = false;
    let (common, above) = long.limbs.split_at(short.limbs.len());
    let (low, high) = room.split_at_mut(common.len());
    if long.negative == short.negative {
        for (to, (limb, other)) in low.iter_mut().zip(common.iter().zip(short.limbs)) {
            (*to, carry) = limb.carrying_add(*other, carry);
        }
        for (to, limb) in high.iter_mut().zip(above) {
            (*to, carry) = limb.overflowing_add(u64::from(carry));
        }
        room[len] = u64::from(carry);
        return Some(BigRef { negative: long.negative, limbs: &room[..=len] });
    }
    for (to, (limb, other)) in low.iter_mut().zip(common.iter().zip(short.limbs)) {
        (*to, carry) = limb.borrowing_sub(*other, carry);
    }
    for (to, limb) in high.iter_mut().zip(above) {
        (*to, carry) = limb.overflowing_sub(u64::from(carry));
    }
    if carry {
        // The operand that was taken for the smaller one is the greater one: both have the same length, or the longer
        // one has leading zeros.
        negate(&mut room[..len]);
    }
    Some(BigRef { negative: long.negative ^ carry, limbs: &room[..len] })
}

/// The longest operands of a product, in limbs. The library multiplies longer ones in no more time.
const LONGEST_FACTOR: usize = 20;

/// Room for the limbs of a product.
pub type ProductRoom = [u64; 2 * LONGEST_FACTOR];

/// Room for a product.
#[inline]
pub fn new_product() -> ProductRoom {
    [0; 2 * LONGEST_FACTOR]
}

/// `a * b`, with the limbs of the result, which may fit a fixnum, in `room`, whose words are zeros before; `None` for
/// longer operands.
#[inline]
pub fn product_in<'r>(a: Int, b: Int, room: &'r mut ProductRoom) -> Option<BigRef<'r>> {
    let (mut first, mut second) = ([0], [0]);
    let (a, b) = (parts(a, &mut first), parts(b, &mut second));
    let (long, short) = if a.limbs.len() >= b.limbs.len() { (a.limbs, b.limbs) } else { (b.limbs, a.limbs) };
    if long.len() > LONGEST_FACTOR {
        return None;
    }
    let product = &mut room[..long.len() + short.len()];
    for (place, factor) in short.iter().enumerate() {
        let mut carry = 0;
        let (row, above) = product[place..].split_at_mut(long.len());
        for (to, limb) in row.iter_mut().zip(long) {
            (*to, carry) = limb.carrying_mul_add(*factor, *to, carry);
        }
        if let Some(to) = above.first_mut() {
            *to = carry;
        }
    }
    Some(BigRef { negative: a.negative ^ b.negative, limbs: product })
}

/// `a * b` if one of them is a fixnum; `None` for others and for longer operands.
#[inline]
pub(crate) fn multiple(a: Int, b: Int) -> Option<Integer> {
    let (big, factor) = match (a, b) {
        (Int::Big(big), Int::Fix(n)) | (Int::Fix(n), Int::Big(big)) if big.limbs.len() <= LONGEST => (big, n),
        _ => return None,
    };
    let mut limbs = [0; ROOM];
    let mut carry = 0;
    for (to, limb) in limbs.iter_mut().zip(big.limbs) {
        (*to, carry) = limb.carrying_mul(factor.unsigned_abs(), carry);
    }
    limbs[big.limbs.len()] = carry;
    Some(Short::normal(big.negative ^ (factor < 0), big.limbs.len() + 1, limbs))
}

/// `a.divmod(b)` for a divisor of less than 33 bits; `None` for others and for longer operands.
#[inline]
pub(crate) fn divmod(a: Int, b: Int) -> Option<(Integer, i64)> {
    let (Int::Big(big), Int::Fix(b)) = (a, b) else { return None };
    // Divisions of one word are faster than those of two.
    let divisor = u64::from(u32::try_from(b.unsigned_abs()).ok()?);
    if big.limbs.len() > LONGEST || divisor == 0 {
        return None;
    }
    let mut limbs = [0; ROOM];
    let mut rest = 0;
    for (to, limb) in limbs.iter_mut().zip(big.limbs).rev() {
        let high = rest << 32 | limb >> 32;
        let low = ((high % divisor) << 32) | (limb & u64::from(u32::MAX));
        *to = ((high / divisor) << 32) | (low / divisor);
        rest = low % divisor;
    }
    let is_negative = big.negative ^ (b < 0);
    if is_negative && rest != 0 {
        // The quotient is rounded down; it is shorter than the dividend if the divisor is not 1.
        increment(&mut limbs);
        rest = divisor - rest;
    }
    let rest = rest as i64;
    Some((Short::normal(is_negative, big.limbs.len(), limbs), if b < 0 { -rest } else { rest }))
}

/// `a` with the given sign; `None` for longer operands.
pub(crate) fn with_sign(big: BigRef, negative: bool) -> Option<Integer> {
    let mut limbs = [0; ROOM];
    limbs.get_mut(..big.limbs.len())?.copy_from_slice(big.limbs);
    Some(Short::normal(negative, big.limbs.len(), limbs))
}

/// Applies `of` to each pair of limbs of the two's complements; `None` for longer operands.
#[inline]
pub(crate) fn bits(a: Int, b: Int, of: impl Fn(u64, u64) -> u64) -> Option<Integer> {
    let (mut first, mut second) = ([0], [0]);
    let (a, b) = (parts(a, &mut first), parts(b, &mut second));
    let len = a.limbs.len().max(b.limbs.len());
    if len > LONGEST {
        return None;
    }
    let (mut limbs, mut others) = ([0; ROOM], [0; ROOM]);
    // One limb more than the magnitudes have holds the sign.
    complement(a, &mut limbs[..=len]);
    complement(b, &mut others[..=len]);
    for (limb, other) in limbs[..=len].iter_mut().zip(others) {
        *limb = of(*limb, other);
    }
    let is_negative = limbs[len] >> 63 == 1;
    if is_negative {
        negate(&mut limbs[..=len]);
    }
    Some(Short::normal(is_negative, len + 1, limbs))
}

/// `a << width`; `None` if the operand or the result is longer.
pub(crate) fn shift_left(a: Int, width: u64) -> Option<Integer> {
    let mut place = [0];
    let a = parts(a, &mut place);
    let whole = usize::try_from(width / 64).ok()?;
    let len = a.limbs.len() + whole;
    if len > LONGEST {
        return None;
    }
    let mut limbs = [0; ROOM];
    let mut carry = 0;
    for (to, limb) in limbs[whole..].iter_mut().zip(a.limbs) {
        let both = u128::from(*limb) << (width % 64);
        *to = both as u64 | carry;
        carry = (both >> 64) as u64;
    }
    limbs[len] = carry;
    Some(Short::normal(a.negative, len + 1, limbs))
}

/// `a >> width`, rounded down; `None` for longer operands.
pub(crate) fn shift_right(a: BigRef, width: u64) -> Option<Integer> {
    if a.limbs.len() > LONGEST {
        return None;
    }
    let whole = usize::try_from(width / 64).unwrap_or(usize::MAX).min(a.limbs.len());
    let (lost, kept) = a.limbs.split_at(whole);
    let mut limbs = [0; ROOM];
    let low = width % 64;
    for (i, (to, limb)) in limbs.iter_mut().zip(kept).enumerate() {
        let above = kept.get(i + 1).copied().unwrap_or(0);
        *to = ((u128::from(above) << 64 | u128::from(*limb)) >> low) as u64;
    }
    let is_inexact =
        lost.iter().any(|&limb| limb != 0) || kept.first().is_some_and(|limb| limb & ((1 << low) - 1) != 0);
    if a.negative && is_inexact {
        // The shift made the magnitude shorter, so there is room for the carry.
        increment(&mut limbs[..=kept.len()]);
    }
    Some(Short::normal(a.negative, kept.len() + 1, limbs))
}

/// The two's complement of a number, as long as `to`.
#[inline]
fn complement(n: BigRef, to: &mut [u64]) {
    to[..n.limbs.len()].copy_from_slice(n.limbs);
    if n.negative {
        negate(to);
    }
}

#[inline]
fn negate(limbs: &mut [u64]) {
    for limb in &mut *limbs {
        *limb = !*limb;
    }
    increment(limbs);
}

#[inline]
fn increment(limbs: &mut [u64]) {
    for limb in limbs {
        let is_carried;
        (*limb, is_carried) = limb.overflowing_add(1);
        if !is_carried {
            break;
        }
    }
}

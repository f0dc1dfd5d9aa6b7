//! Integers as bytes: two's complement for `pack`, magnitudes for `Marshal` and `Random`.

use super::bitwise::twos_complement_limb;
use super::integer::{Int, Integer};
use dashu_int::{IBig, Sign, UBig};
use memory::{Grow, ToVector};

/// The low `width` bytes of the two's complement, the least significant first, with the sign extended to the left.
pub fn to_le_bytes(a: Int, width: usize) -> Vec<u8> {
    let fill = if a.is_negative() { 0xff } else { 0 };
    let mut bytes = memory::with_capacity(width.next_multiple_of(8));
    match a {
        Int::Fix(n) => bytes.append_slice(&n.to_le_bytes()),
        Int::Big(big) => {
            // The carry of the complement is kept in a variable instead of being computed for each limb.
            let mut carry = big.negative;
            for &limb in &big.limbs[..big.limbs.len().min(width.div_ceil(8))] {
                let limb = if big.negative { (!limb).wrapping_add(u64::from(carry)) } else { limb };
                carry &= limb == 0;
                bytes.append_slice(&limb.to_le_bytes());
            }
        }
    }
    bytes.set_length(width, fill);
    bytes
}

/// The reverse: bytes, the least significant first, as an unsigned or a two's complement number.
pub fn from_le_bytes(bytes: &[u8], signed: bool) -> Integer {
    if let Ok(word) = <[u8; 8]>::try_from(bytes) {
        return if signed { Integer::from(i64::from_le_bytes(word)) } else { Integer::from(u64::from_le_bytes(word)) };
    }
    Integer::from_ibig(if signed { IBig::from_le_bytes(bytes) } else { UBig::from_le_bytes(bytes).into() })
}

/// From sign and limbs, the least significant first.
pub fn from_words_le(negative: bool, limbs: &[u64]) -> Integer {
    let sign = if negative { Sign::Negative } else { Sign::Positive };
    Integer::from_ibig(IBig::from_sign_words(sign, limbs))
}

/// The magnitude without leading zeros, the least significant byte first; empty for 0.
pub fn magnitude_le_bytes(a: Int) -> Vec<u8> {
    let len = a.magnitude_bits().div_ceil(8) as usize;
    let mut bytes: Vec<u8> = match a {
        Int::Fix(n) => n.unsigned_abs().to_le_bytes().to_vector(),
        Int::Big(big) => big.limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect(),
    };
    bytes.truncate(len);
    bytes
}

/// `Integer#size`: the bytes of the machine representation, whole words.
pub fn size_in_bytes(a: Int) -> usize {
    match a {
        Int::Fix(_) => 8,
        Int::Big(big) => big.trimmed().len().max(1) * 8,
    }
}

/// The lowest 64 bits of the two's complement.
pub fn low_u64(a: Int) -> u64 {
    match a {
        Int::Fix(n) => n as u64,
        Int::Big(big) => twos_complement_limb(big, 0),
    }
}

//! Reversing the order of characters.

use crate::encoding::EncodingId;
use crate::scan::{CodeRange, chars};

/// `String#reverse`.
pub fn reverse(encoding: EncodingId, bytes: &[u8], range: CodeRange) -> Vec<u8> {
    if range == CodeRange::SevenBit || encoding.is_single_byte() {
        return memory::collect(bytes.iter().rev().copied());
    }
    let mut out = memory::zeros(bytes.len());
    let mut end = bytes.len();
    for char in chars(encoding, bytes) {
        out[end - char.len()..end].copy_from_slice(char);
        end -= char.len();
    }
    out
}

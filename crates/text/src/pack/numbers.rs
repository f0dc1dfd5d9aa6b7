//! Numbers as bytes: integers, floats, UTF-8, BER and LEB128.

use super::PackError;
use memory::Grow;

/// Appends the low `size` bytes (at most 8) of a two's complement integer.
pub fn pack_integer(low_bits: u64, size: usize, big_endian: bool, out: &mut Vec<u8>) {
    let bytes = if big_endian { (low_bits << (64 - 8 * size)).to_be_bytes() } else { low_bits.to_le_bytes() };
    // Eight bytes are appended faster than a number of them that is not known in advance.
    let len = out.len() + size;
    out.append_slice(&bytes);
    out.truncate(len);
}

/// The integer in at most 8 bytes; between the smallest i64 and the largest u64.
pub(super) fn unpack_integer(bytes: &[u8], signed: bool, big_endian: bool) -> i128 {
    let push = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    let value = if big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) };
    if signed {
        let unused = 64 - 8 * bytes.len() as u32;
        i128::from((value << unused) as i64 >> unused)
    } else {
        i128::from(value)
    }
}

/// Appends a float of 8 bytes or, if not `double`, of 4.
pub fn pack_float(value: f64, double: bool, big_endian: bool, out: &mut Vec<u8>) {
    // As in CRuby, a short NaN has no sign and no payload.
    let short = if value.is_nan() { f32::NAN } else { value as f32 };
    match (double, big_endian) {
        (true, true) => out.append_from(value.to_be_bytes()),
        (true, false) => out.append_from(value.to_le_bytes()),
        (false, true) => out.append_from(short.to_be_bytes()),
        (false, false) => out.append_from(short.to_le_bytes()),
    }
}

/// The float in 8 or 4 bytes.
pub(super) fn unpack_float(bytes: &[u8], big_endian: bool) -> f64 {
    let bits = unpack_integer(bytes, false, big_endian) as u64;
    if bytes.len() == 8 { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) }
}

/// Appends a code point in the original UTF-8, up to 0x7FFFFFFF.
pub fn pack_utf8(code: i64, out: &mut Vec<u8>) -> Result<(), PackError> {
    let code = match code {
        0..=0x7F => {
            out.append_one(code as u8);
            return Ok(());
        }
        0x80..=0x7FFF_FFFF => code as u32,
        _ => return Err(PackError::Utf8OutOfRange),
    };
    let following = match code {
        0..=0x7FF => 1,
        0x800..=0xFFFF => 2,
        0x10000..=0x1F_FFFF => 3,
        0x20_0000..=0x3FF_FFFF => 4,
        _ => 5,
    };
    let marker = (0xFF00u32 >> (following + 1)) as u8;
    out.append_one(marker | (code >> (6 * following)) as u8);
    out.append_from((0..following).rev().map(|at| 0x80 | (code >> (6 * at)) as u8 & 0x3F));
    Ok(())
}

/// The code point that starts `bytes` (not empty), and its length.
pub fn unpack_utf8(bytes: &[u8]) -> Result<(u32, usize), PackError> {
    let first = bytes[0];
    let len = match first.leading_ones() as usize {
        0 => return Ok((u32::from(first), 1)),
        len @ 2..=6 => len,
        _ => return Err(PackError::MalformedUtf8),
    };
    if len > bytes.len() {
        return Err(PackError::TruncatedUtf8(len, bytes.len()));
    }
    let mut code = u32::from(first) & (0x7F >> len);
    for byte in &bytes[1..len] {
        if byte & 0xC0 != 0x80 {
            return Err(PackError::MalformedUtf8);
        }
        code = code << 6 | u32::from(byte & 0x3F);
    }
    const SMALLEST: [u32; 7] = [0, 0, 0x80, 0x800, 0x10000, 0x20_0000, 0x400_0000];
    if code < SMALLEST[len] { Err(PackError::RedundantUtf8) } else { Ok((code, len)) }
}

/// Groups of seven bits of a magnitude; bytes and groups are in little-endian order.
fn groups(magnitude: &[u8]) -> Vec<u8> {
    let (mut groups, mut bits, mut held) = (Vec::new(), 0u32, 0u32);
    for &byte in magnitude {
        held |= u32::from(byte) << bits;
        bits += 8;
        while bits >= 7 {
            groups.append_one(held as u8 & 0x7F);
            held >>= 7;
            bits -= 7;
        }
    }
    groups.append_one(held as u8);
    while groups.len() > 1 && groups.last() == Some(&0) {
        groups.pop();
    }
    groups
}

/// The bytes of a number given by groups of seven bits; bytes and groups are in little-endian order.
pub(super) fn from_groups(groups: impl Iterator<Item = u8>) -> Vec<u8> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0u32, 0u32);
    for group in groups {
        held |= u32::from(group & 0x7F) << bits;
        bits += 7;
        if bits >= 8 {
            bytes.append_one(held as u8);
            held >>= 8;
            bits -= 8;
        }
    }
    if bits > 0 {
        bytes.append_one(held as u8);
    }
    bytes
}

/// Appends a BER compressed integer; `magnitude` is its absolute value in little-endian bytes.
pub fn pack_ber(negative: bool, magnitude: &[u8], out: &mut Vec<u8>) -> Result<(), PackError> {
    if negative {
        return Err(PackError::NegativeBer);
    }
    let mut groups = groups(magnitude);
    groups[1..].iter_mut().for_each(|group| *group |= 0x80);
    out.append_from(groups.iter().rev().copied());
    Ok(())
}

/// Appends an integer in LEB128; `magnitude` is its absolute value in little-endian bytes.
pub fn pack_leb128(signed: bool, negative: bool, magnitude: &[u8], out: &mut Vec<u8>) -> Result<(), PackError> {
    if negative && !signed {
        return Err(PackError::NegativeLeb128);
    }
    let mut groups = groups(magnitude);
    if signed {
        // Ruby adds a byte for the sign whenever the absolute value fills its last group.
        if groups.last().is_some_and(|group| group & 0x40 != 0) {
            groups.append_one(0);
        }
        if negative {
            let mut carry = 1;
            for group in &mut groups {
                let sum = (!*group & 0x7F) + carry;
                (*group, carry) = (sum & 0x7F, sum >> 7);
            }
        }
    }
    let last = groups.len() - 1;
    groups[..last].iter_mut().for_each(|group| *group |= 0x80);
    out.append_from(groups);
    Ok(())
}

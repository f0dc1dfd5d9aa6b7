//! Numbers of variable length: seven bits a byte, the lowest first; the highest bit of a byte says that more follow.

/// Appends a number.
#[inline]
pub fn write(bytes: &mut Vec<u8>, number: u32) {
    write_wide(bytes, number.into());
}

/// The number at the front, which is taken off; `None` if it is cut off or too large.
#[inline]
pub fn read(rest: &mut &[u8]) -> Option<u32> {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return u32::try_from(number).ok();
        }
        shift += 7;
        if shift > 28 {
            return None;
        }
    }
}

/// Appends a number of 64 bits.
#[inline]
pub fn write_wide(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The number of 64 bits at the front, which is taken off; `None` if it is cut off. Bits beyond the 64 are lost.
pub fn read_wide(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..70).step_by(7) {
        let (&byte, tail) = rest.split_first()?;
        *rest = tail;
        number |= u64::from(byte & 0x7F).unbounded_shl(shift);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// The number with its sign in the lowest bit: small negative numbers are short, too.
#[inline]
pub fn fold(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

/// The number whose sign is in the lowest bit.
#[inline]
pub fn unfold(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// As [`fold`], for 64 bits.
pub fn fold_wide(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

/// As [`unfold`], for 64 bits.
pub fn unfold_wide(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

//! The digits of small integers.

/// The text of `n` in base 10, at the end of `buffer`.
pub fn decimal(n: i64, buffer: &mut [u8; 20]) -> &[u8] {
    write(n, 10, buffer, |digit| b'0' + digit as u8)
}

/// The number of bytes of [`decimal`]'s result.
pub fn decimal_length(n: i64) -> usize {
    usize::from(n < 0) + n.unsigned_abs().checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The text of `n` in base `radix`, from 2 to 36, at the end of `buffer`.
pub fn in_radix(n: i64, radix: u32, buffer: &mut [u8; 65]) -> &[u8] {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    write(n, u64::from(radix), buffer, |digit| DIGITS[digit as usize])
}

/// The common part. Always inlined, because the compiler turns a division by a constant radix into a multiplication.
#[inline(always)]
fn write(n: i64, radix: u64, buffer: &mut [u8], digit: impl Fn(u64) -> u8) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = digit(rest % radix);
        rest /= radix;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        at -= 1;
        buffer[at] = b'-';
    }
    &buffer[at..]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_longest_fits() {
        for n in [0, 7, -10, i64::MAX, i64::MIN] {
            assert_eq!(super::decimal(n, &mut [0; 20]), n.to_string().as_bytes());
            assert_eq!(super::in_radix(n, 10, &mut [0; 65]), n.to_string().as_bytes());
            let binary = format!("{}{:b}", if n < 0 { "-" } else { "" }, n.unsigned_abs());
            assert_eq!(super::in_radix(n, 2, &mut [0; 65]), binary.as_bytes());
        }
    }
}

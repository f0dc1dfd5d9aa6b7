//! The digits of small integers.

/// The text of `n` in base 10, at the end of `buffer`.
pub fn decimal(n: i64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut at = buffer.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        buffer[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
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
        }
    }
}

//! Digests as text: pure functions of bytes.

use memory::Grow;

pub fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]).collect()
}

/// The encoding that Antti Huima's "The Bubble Babble Binary Data Encoding" describes: words that can be said aloud,
/// with a checksum.
pub fn bubblebabble(bytes: &[u8]) -> Vec<u8> {
    const VOWELS: &[u8; 6] = b"aeiouy";
    const CONSONANTS: &[u8; 17] = b"bcdfghklmnprstvzx";
    let mut out = vec![b'x'];
    let mut checksum = 1;
    let mut pairs = bytes.chunks_exact(2);
    for pair in &mut pairs {
        let (first, second) = (usize::from(pair[0]), usize::from(pair[1]));
        out.append_from([
            VOWELS[((first >> 6 & 3) + checksum) % 6],
            CONSONANTS[first >> 2 & 15],
            VOWELS[((first & 3) + checksum / 6) % 6],
            CONSONANTS[second >> 4],
            b'-',
            CONSONANTS[second & 15],
        ]);
        checksum = (checksum * 5 + first * 7 + second) % 36;
    }
    match pairs.remainder() {
        [last] => {
            let last = usize::from(*last);
            out.append_from([
                VOWELS[((last >> 6 & 3) + checksum) % 6],
                CONSONANTS[last >> 2 & 15],
                VOWELS[((last & 3) + checksum / 6) % 6],
            ]);
        }
        _ => out.append_from([VOWELS[checksum % 6], CONSONANTS[16], VOWELS[checksum / 6]]),
    }
    out.append_one(b'x');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bubblebabble_encodes_the_examples_of_its_description() {
        assert_eq!(bubblebabble(b""), b"xexax");
        assert_eq!(bubblebabble(b"1234567890"), b"xesef-disof-gytuf-katof-movif-baxux");
        assert_eq!(bubblebabble(b"Pineapple"), b"xigak-nyryk-humil-bosek-sonax");
    }
}

//! tr of ASCII characters to ASCII characters: the frequent case, which needs no lists of ranges.

/// The mapping of `tr` for texts that list ASCII characters and ranges.
pub struct AsciiTranslation {
    targets: [u8; 256],
    /// A bit for each character that is translated, though perhaps to itself.
    listed: u128,
}

/// Each byte as its own target.
const SAME: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
};

impl AsciiTranslation {
    /// The mapping of `tr(from, to)`, both in ASCII-compatible encodings; `to` is not empty. `None` for what
    /// `Translation` handles: other characters, a leading `^`, backslashes and descending ranges.
    pub fn new(from: &[u8], to: &[u8]) -> Option<AsciiTranslation> {
        if from.len() > 1 && from[0] == b'^' {
            return None;
        }
        let mut made = AsciiTranslation { targets: SAME, listed: 0 };
        let (mut sources, mut targets) = (Listed::of(from)?, Listed::of(to)?);
        let mut target = 0;
        while let Some(source) = sources.next()? {
            target = targets.next()?.unwrap_or(target);
            made.targets[usize::from(source)] = target;
            made.listed |= 1 << source;
        }
        Some(made)
    }

    /// The index of the first of these bytes, each of which is a character, that is translated.
    pub fn first_in(&self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|&byte| byte < 0x80 && self.listed >> byte & 1 == 1)
    }

    /// Translates bytes, each of which is a character.
    pub fn apply_to(&self, bytes: &mut [u8]) {
        bytes.iter_mut().for_each(|byte| *byte = self.targets[usize::from(*byte)]);
    }
}

/// The characters that a set lists, in order.
struct Listed<'a> {
    rest: &'a [u8],
    /// The next character of a range, and its last one.
    range: Option<(u8, u8)>,
}

impl Listed<'_> {
    /// `None` if a character is not ASCII, or is quoted.
    fn of(text: &[u8]) -> Option<Listed<'_>> {
        let is_plain = text.iter().all(|&byte| byte < 0x80 && byte != b'\\');
        is_plain.then_some(Listed { rest: text, range: None })
    }

    /// The next character, or the end of the set; `None` for a descending range.
    fn next(&mut self) -> Option<Option<u8>> {
        if let Some((next, last)) = self.range {
            self.range = (next < last).then_some((next + 1, last));
            return Some(Some(next));
        }
        match *self.rest {
            [first, b'-', last, ref rest @ ..] => {
                self.rest = rest;
                self.range = (first < last).then_some((first + 1, last));
                (first <= last).then_some(Some(first))
            }
            [one, ref rest @ ..] => {
                self.rest = rest;
                Some(Some(one))
            }
            [] => Some(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AsciiTranslation;
    use crate::charset::{Translation, translate_bytes};
    use crate::encoding::EncodingId;

    #[test]
    fn agrees_with_translations_of_all_characters() {
        let sets = [
            "a", "abc", "a-c", "a-", "-a", "--a", "a-c-e", "aa", "a-z", "^", "^a", "^a-c", "z-a", "a\\-c", "\0-\x7f",
            "é",
        ];
        let text: Vec<u8> = (0..=255).collect();
        for (from, to) in sets.iter().flat_map(|from| sets.iter().map(move |to| (from.as_bytes(), to.as_bytes()))) {
            let Some(ascii) = AsciiTranslation::new(from, to) else { continue };
            let full = Translation::new(EncodingId::BINARY, from, to).expect("a valid set");
            let mut bytes = text.clone();
            ascii.apply_to(&mut bytes);
            let expected = translate_bytes(&text, &full, false).expect("ASCII");
            assert_eq!((ascii.first_in(&text), bytes), (full.first_in(&text), expected.unwrap_or(text.clone())));
        }
        assert!(AsciiTranslation::new(b"a-c", b"A-C").is_some());
        assert!(["^a", "z-a", "a\\-c", "é"].iter().all(|set| AsciiTranslation::new(set.as_bytes(), b"b").is_none()));
    }
}

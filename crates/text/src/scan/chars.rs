//! Iterating over characters and code points.

use crate::encoding::{EncodingId, char_len_or_min, codepoint};
use crate::scan::prev_char_start;

/// The characters of a string as slices; broken bytes come one at a time (in units of the shortest character).
#[derive(Clone, Debug)]
pub struct Chars<'a> {
    encoding: EncodingId,
    rest: &'a [u8],
}

/// `String#each_char`.
pub fn chars(encoding: EncodingId, bytes: &[u8]) -> Chars<'_> {
    Chars { encoding, rest: bytes }
}

impl<'a> Chars<'a> {
    /// The bytes not visited yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Chars<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (char, rest) = self.rest.split_at(char_len_or_min(self.encoding, self.rest));
        self.rest = rest;
        Some(char)
    }
}

/// The code points of a string; `Err` holds invalid bytes (ArgumentError "invalid byte sequence in %s").
#[derive(Clone, Debug)]
pub struct Codepoints<'a>(Chars<'a>);

/// `String#each_codepoint`.
pub fn codepoints(encoding: EncodingId, bytes: &[u8]) -> Codepoints<'_> {
    Codepoints(chars(encoding, bytes))
}

impl<'a> Iterator for Codepoints<'a> {
    type Item = Result<u32, &'a [u8]>;

    fn next(&mut self) -> Option<Self::Item> {
        let encoding = self.0.encoding;
        self.0.next().map(|char| codepoint(encoding, char).map(|(code, _)| code).ok_or(char))
    }
}

/// The last character.
pub fn last_char(encoding: EncodingId, bytes: &[u8]) -> Option<&[u8]> {
    prev_char_start(encoding, bytes, bytes.len()).map(|start| &bytes[start..])
}

//! Measures expressions that always match the same number of characters: literals, classes, and alternatives of one
//! length.

use crate::encoding::{Character, Encoding};
use crate::syntax::Switches;

/// The length in bytes of an expression up to the enclosing parenthesis, and the number of characters it matches (at
/// least one).
pub(super) fn fixed_length(text: &[u8], encoding: Encoding, switches: Switches) -> Option<(usize, usize)> {
    let mut measure = FixedLength { text, at: 0, encoding, extended: switches.extended };
    let length = measure.alternatives()?;
    (length > 0 && measure.text.get(measure.at) == Some(&b')')).then_some((measure.at, length))
}

struct FixedLength<'p> {
    text: &'p [u8],
    at: usize,
    encoding: Encoding,
    extended: bool,
}

impl FixedLength<'_> {
    fn alternatives(&mut self) -> Option<usize> {
        let first = self.branch()?;
        while self.text.get(self.at) == Some(&b'|') {
            self.at += 1;
            if self.branch()? != first {
                return None;
            }
        }
        Some(first)
    }

    fn branch(&mut self) -> Option<usize> {
        let mut length = 0;
        loop {
            length += match self.text.get(self.at)? {
                b'|' | b')' => return Some(length),
                b'*' | b'+' | b'?' | b'{' | b'^' | b'$' => return None,
                byte if self.extended && byte.is_ascii_whitespace() => {
                    self.at += 1;
                    0
                }
                b'(' => {
                    // Only non-capturing groups: a capture would be counted twice.
                    self.at += self.text[self.at..].starts_with(b"(?:").then_some(3)?;
                    let inner = self.alternatives()?;
                    self.at += 1;
                    inner
                }
                b'[' => {
                    self.at += class_length(&self.text[self.at..])?;
                    1
                }
                b'\\' => match self.text.get(self.at + 1)? {
                    b'x' => {
                        self.at += 4;
                        1
                    }
                    b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' | b't' | b'n' | b'r' | b'f' | b'v' | b'a'
                    | b'e' => {
                        self.at += 2;
                        1
                    }
                    letter if letter.is_ascii_punctuation() => {
                        self.at += 2;
                        1
                    }
                    _ => return None,
                },
                _ => match self.encoding.character(&self.text[self.at..]) {
                    Character::Length(bytes) => {
                        self.at += bytes;
                        1
                    }
                    _ => return None,
                },
            };
        }
    }
}

/// The length in bytes of a plain class without nested classes.
fn class_length(text: &[u8]) -> Option<usize> {
    let mut at = if text.starts_with(b"[^") { 2 } else { 1 };
    let first = at;
    loop {
        at += match text.get(at)? {
            b']' if at > first => return Some(at + 1),
            b']' | b'[' => return None,
            b'\\' => 2,
            byte if byte.is_ascii() => 1,
            _ => return None,
        };
    }
}

//! Patterns of characters that Oniguruma does not know: those of EUC-JP behind 8E from E0 on, which Ruby's encoding
//! has.
//!
//! A pattern that consists of such and other characters, without any operator, is searched for as bytes.

use memory::Grow;

use crate::{
    encoding::{Character, Encoding},
    options::Options,
};

/// The bytes of a pattern without operators that contains a character unknown to Oniguruma.
pub(crate) fn of_unknown(pattern: &[u8], encoding: Encoding, options: Options) -> Option<Vec<u8>> {
    if encoding != Encoding::EucJp || options.ignore_case || options.extended {
        return None;
    }
    let (mut rest, mut text, mut is_unknown) = (pattern, Vec::new(), false);
    while let Some(&first) = rest.first() {
        let (taken, skipped) = match (first, encoding.character(rest)) {
            (b'\\', _) => {
                let escaped = *rest.get(1)?;
                let is_itself = escaped.is_ascii_punctuation() || escaped == b' ';
                (is_itself.then_some(1)?, 1)
            }
            (b'^' | b'$' | b'.' | b'*' | b'+' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|', _) => {
                return None;
            }
            (_, Character::Length(length)) => (length, 0),
            _ => return None,
        };
        let character = rest.get(skipped..skipped + taken)?;
        is_unknown |= matches!(character, [0x8e, 0xe0..=0xff, ..]);
        text.append_slice(character);
        rest = &rest[skipped + taken..];
    }
    is_unknown.then_some(text)
}

/// The place of the text at or after `start`, up to `end`; if `end` is smaller, the last one before, down to `end`.
/// Only whole characters match.
pub(crate) fn find(text: &[u8], encoding: Encoding, haystack: &[u8], start: usize, end: usize) -> Option<usize> {
    let (least, most) = (start.min(end), start.max(end));
    let (mut at, mut found) = (0, None);
    while at <= most {
        if at >= least && haystack[at..].starts_with(text) {
            found = Some(at);
            if start <= end {
                break;
            }
        }
        at += match encoding.character(&haystack[at..]) {
            Character::Length(length) => length,
            _ => 1,
        };
    }
    found
}

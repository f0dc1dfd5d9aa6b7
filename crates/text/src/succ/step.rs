//! The next and the previous character of the same byte length.

use crate::encoding::{CharLen, EncodingId, char_len, codepoint, encode_codepoint, is_alpha, is_digit};
use memory::ToVector;

/// The result of incrementing a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The character was replaced by the next one.
    Found,
    /// The character was the last one of its length.
    Wrapped,
    /// No character follows it.
    NotChar,
}

/// Replaces a character by the next one of its length.
pub(super) fn next_char(encoding: EncodingId, char: &mut [u8]) -> Step {
    step(encoding, char, true)
}

fn previous_char(encoding: EncodingId, char: &mut [u8]) -> Step {
    step(encoding, char, false)
}

fn step(encoding: EncodingId, char: &mut [u8], up: bool) -> Step {
    if encoding.min_char_len() > 1 {
        return step_code(encoding, char, up);
    }
    let (full, empty) = if up { (0xFF, 0) } else { (0, 0xFF) };
    loop {
        let Some(at) = char.iter().rposition(|&byte| byte != full) else {
            char.fill(empty);
            return Step::Wrapped;
        };
        char[at + 1..].fill(empty);
        char[at] = if up { char[at] + 1 } else { char[at] - 1 };
        // Skips byte sequences that are no characters by setting all following bytes to their maximum.
        match char_len(encoding, char) {
            CharLen::Valid(len) if len == char.len() => return Step::Found,
            CharLen::Valid(len) => char[len..].fill(full),
            CharLen::Invalid(_) => {
                let possible = (1..char.len())
                    .rev()
                    .find(|&len| !matches!(char_len(encoding, &char[..len]), CharLen::Invalid(_)))
                    .unwrap_or(0);
                if at + 1 < char.len() {
                    char[possible + 1..].fill(full);
                }
            }
            CharLen::NeedMore(_) => {}
        }
    }
}

fn step_code(encoding: EncodingId, char: &mut [u8], up: bool) -> Step {
    let next =
        codepoint(encoding, char).and_then(|(code, _)| if up { code.checked_add(1) } else { code.checked_sub(1) });
    let Some(code) = next else { return Step::NotChar };
    let mut out = memory::with_capacity(4);
    // In UTF-16 a surrogate would have two bytes and is no character, so Ruby stops before it.
    if encode_codepoint(encoding, code, &mut out).is_err() {
        return Step::NotChar;
    }
    if out.len() != char.len() {
        return Step::Wrapped;
    }
    char.copy_from_slice(&out);
    Step::Found
}

/// Replaces a letter or digit by the next of its kind. `None` if it is neither or the only one of its kind;
/// `Some(None)` if there is a next one. Otherwise the first of its range replaces it, and the character to carry is
/// returned.
pub(super) fn next_alnum(encoding: EncodingId, char: &mut [u8]) -> Option<Option<Vec<u8>>> {
    let (code, _) = codepoint(encoding, char)?;
    let digit = is_digit(encoding, code);
    if !digit && !is_alpha(encoding, code) {
        return None;
    }
    let same_kind = |char: &[u8]| {
        codepoint(encoding, char)
            .is_some_and(|(code, _)| if digit { is_digit(encoding, code) } else { is_alpha(encoding, code) })
    };
    let original = char.to_vector();
    // Skips one gap, such as the unassigned code point among the Greek capitals.
    for _ in 0..2 {
        if next_char(encoding, char) == Step::Found && same_kind(char) {
            return Some(None);
        }
    }
    char.copy_from_slice(&original);
    let mut first = original.clone();
    loop {
        let mut before = first.clone();
        if previous_char(encoding, &mut before) != Step::Found || !same_kind(&before) {
            break;
        }
        first = before;
    }
    if first == original {
        return None;
    }
    char.copy_from_slice(&first);
    if digit {
        next_char(encoding, &mut first);
    }
    Some(Some(first))
}

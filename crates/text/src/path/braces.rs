//! The alternatives of `{a,b}` in patterns.

use crate::encoding::{EncodingId, char_len_or_min};
use memory::{Grow, ToVector};

/// Calls `visit` with every pattern that `pattern` expands to, in order, until it returns false; then returns false. A
/// pattern whose first brace is not closed expands to nothing.
pub fn brace_expand(encoding: EncodingId, pattern: &[u8], escape: bool, mut visit: impl FnMut(&[u8]) -> bool) -> bool {
    // A work list instead of recursion: a pattern may contain any number of braces.
    let mut waiting = vec![pattern.to_vector()];
    while let Some(pattern) = waiting.pop() {
        match first_braces(encoding, &pattern, escape) {
            Braces::None => {
                if !visit(&pattern) {
                    return false;
                }
            }
            Braces::Open => {}
            Braces::Pair(open, close) => {
                let inside = &pattern[open + 1..close];
                let alternatives = alternatives(encoding, inside, escape);
                waiting.extend(
                    alternatives
                        .into_iter()
                        .rev()
                        .map(|alternative| [&pattern[..open], alternative, &pattern[close + 1..]].concat()),
                );
            }
        }
    }
    true
}

enum Braces {
    None,
    Open,
    Pair(usize, usize),
}

fn first_braces(encoding: EncodingId, pattern: &[u8], escape: bool) -> Braces {
    let (mut open, mut depth) = (None, 0usize);
    let mut at = 0;
    while at < pattern.len() {
        match (pattern[at], open) {
            (b'{', _) => {
                open = open.or(Some(at));
                depth += 1;
            }
            (b'}', Some(open)) => {
                depth -= 1;
                if depth == 0 {
                    return Braces::Pair(open, at);
                }
            }
            (b'\\', _) if escape => {
                at += 1;
                if at == pattern.len() {
                    break;
                }
            }
            _ => {}
        }
        at += char_len_or_min(encoding, &pattern[at..]);
    }
    if open.is_some() { Braces::Open } else { Braces::None }
}

/// The parts between commas outside inner braces.
fn alternatives(encoding: EncodingId, inside: &[u8], escape: bool) -> Vec<&[u8]> {
    let (mut parts, mut start, mut depth, mut at) = (Vec::new(), 0, 0i64, 0);
    while at < inside.len() {
        match inside[at] {
            b',' if depth == 0 => {
                parts.append_one(&inside[start..at]);
                start = at + 1;
            }
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'\\' if escape => {
                at += 1;
                if at == inside.len() {
                    break;
                }
            }
            _ => {}
        }
        at += char_len_or_min(encoding, &inside[at..]);
    }
    parts.append_one(&inside[start..]);
    parts
}

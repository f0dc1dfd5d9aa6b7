//! Negative look-behinds within positive ones, which Onigmo allows and Oniguruma does not: `(?<=(?<!ab)c)` becomes
//! `(?<=(?:\A|(?<=[^b])|(?<=\Ab)|(?<=[^a]b))c)`. What is not to be before the place must be a list of alternatives of
//! single characters; all else is left as it is.

use std::borrow::Cow;

use memory::{Grow, ToVector};

use super::look_behind::{Item, class_length, item};
use crate::encoding::{Character, Encoding};
use crate::syntax::Switches;

/// The pattern, with such look-behinds rewritten.
pub(super) fn rewritten<'p>(pattern: &'p [u8], encoding: Encoding, switches: Switches) -> Cow<'p, [u8]> {
    let has = |part: &[u8]| pattern.windows(part.len()).any(|window| window == part);
    if !has(b"(?<=") || !has(b"(?<!") {
        return Cow::Borrowed(pattern);
    }
    // Ignoring case, a character may match two; comments need a parser.
    let folds = switches.ignore_case || has(b"(?i") || has(b"i:") || has(b"i)");
    let is_unclear = switches.extended || has(b"x:") || has(b"x)") || (folds && !pattern.is_ascii());
    let rewritten = if is_unclear { None } else { rewrite(pattern, encoding, switches) };
    rewritten.map_or(Cow::Borrowed(pattern), Cow::Owned)
}

fn rewrite(pattern: &[u8], encoding: Encoding, switches: Switches) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    // For each open group whether it is in a look-behind that is positive.
    let mut groups = Vec::<bool>::new();
    let (mut at, mut found) = (0, false);
    while at < pattern.len() {
        let rest = &pattern[at..];
        let within = groups.last() == Some(&true);
        let count = match rest[0] {
            b'\\' => 1 + character(rest.get(1..)?, encoding)?,
            b'[' => class_length(rest, false)?,
            b'(' if within && rest.starts_with(b"(?<!") => {
                let (text, count) = replacement(rest, encoding, switches)?;
                out.append_slice(&text);
                at += count;
                found = true;
                continue;
            }
            b'(' => {
                groups.push(rest.starts_with(b"(?<=") || (within && !rest.starts_with(b"(?!")));
                1
            }
            b')' => {
                groups.pop();
                1
            }
            _ => character(rest, encoding)?,
        };
        out.append_slice(&rest[..count]);
        at += count;
    }
    found.then_some(out)
}

fn character(text: &[u8], encoding: Encoding) -> Option<usize> {
    match encoding.character(text) {
        Character::Length(count) => Some(count),
        _ => None,
    }
}

/// What stands for the look-behind at the start of the text, and the length of that.
fn replacement(text: &[u8], encoding: Encoding, switches: Switches) -> Option<(Vec<u8>, usize)> {
    let mut out = Vec::new();
    let mut at = 4;
    loop {
        let mut items = Vec::new();
        while !matches!(text.get(at)?, b'|' | b')') {
            let Item { bytes, negated } = item(&text[at..], encoding, switches)?;
            items.push((text[at..at + bytes].to_vector(), negated));
            at += bytes;
        }
        if items.is_empty() {
            return None;
        }
        alternative(&items, &mut out);
        at += 1;
        if text[at - 1] == b')' {
            return Some((out, at));
        }
    }
}

/// Adds what matches where the items do not come before: that the text begins after the last few of them, or that the
/// last few have another character before them.
fn alternative(items: &[(Vec<u8>, Vec<u8>)], out: &mut Vec<u8>) {
    out.append_slice(b"(?:");
    for (index, (_, negated)) in items.iter().enumerate().rev() {
        let behind = items[index + 1..].iter().map(|(item, _)| &item[..]).collect::<Vec<_>>().concat();
        if behind.is_empty() {
            out.append_slice(b"\\A");
        } else {
            out.append_slice(&[b"|(?<=\\A", &behind[..], b")"].concat());
        }
        out.append_slice(&[b"|(?<=", &negated[..], &behind[..], b")"].concat());
    }
    out.append_slice(b")");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, expected: &str) {
        let rewritten = rewritten(pattern.as_bytes(), Encoding::Utf8, Switches::default());
        assert_eq!(std::str::from_utf8(&rewritten).unwrap_or("?"), expected);
    }

    #[test]
    fn one_character() {
        check("(?<=(?<!a)b)c", r"(?<=(?:\A|(?<=[^a]))b)c");
        check(r"(?<=(?<!\w|[é-í])b)c", r"(?<=(?:\A|(?<=[^\w]))(?:\A|(?<=[^[é-í]]))b)c");
    }

    #[test]
    fn several_characters() {
        check("(?<=(?<!ab)c)", r"(?<=(?:\A|(?<=[^b])|(?<=\Ab)|(?<=[^a]b))c)");
    }

    #[test]
    fn what_stays() {
        for pattern in ["(?<!a)b", "(?<=a)(?<!b)c", "(?<=(?<!a+)b)c", "(?<!(?<!a)b)c", "(?<=(?<!.)b)c", r"(?<=\(?<!a)"]
        {
            check(pattern, pattern);
        }
    }
}

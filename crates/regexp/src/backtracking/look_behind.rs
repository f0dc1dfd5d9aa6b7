//! Decides as Onigmo does whether the text of a look-behind is allowed: it has one length, or alternatives of which
//! each has one length. Oniguruma allows more, but not `(?<=(?:a|bc))`, for which Onigmo has no group.

use super::translate::is_named_group;
use crate::encoding::{Character, Encoding};
use crate::syntax::Switches;

/// What Onigmo makes of a look-behind.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Oniguruma agrees, or decides.
    Unchanged,
    /// An error, unless the pattern has another one.
    Invalid,
    /// The alternatives are in so many groups without captures, which Oniguruma refuses.
    Wrapped(usize),
}

/// `text` is what follows `(?<=` or `(?<!`.
pub(super) fn look_behind(text: &[u8], encoding: Encoding, switches: Switches, has_names: bool) -> Verdict {
    let mut measure = Measure { text, at: 0, encoding, switches, has_names, depth: 0 };
    match measure.alternatives(true) {
        Ok(Length::Alternatives { groups }) if groups > 0 => Verdict::Wrapped(groups),
        Ok(Length::Variable) | Err(Stop::Forbidden) => Verdict::Invalid,
        _ => Verdict::Unchanged,
    }
}

/// One character of a pattern that stands for itself, or a class.
pub(super) struct Item {
    /// How long it is in the pattern.
    pub bytes: usize,
    /// The class of all other characters.
    pub negated: Vec<u8>,
}

/// The item that a text starts with, unless it is something else or repeated.
pub(super) fn item(text: &[u8], encoding: Encoding, switches: Switches) -> Option<Item> {
    if matches!(text.first()?, b'.' | b'(') {
        return None;
    }
    let mut measure = Measure { text, at: 0, encoding, switches, has_names: false, depth: 0 };
    let length = measure.character().ok()?;
    if length != Length::Fixed(1) || matches!(measure.rest().first(), Some(b'*' | b'+' | b'?' | b'{')) {
        return None;
    }
    let item = &text[..measure.at];
    let escape: &[u8] = if item.len() == 1 && item[0].is_ascii_punctuation() { b"\\" } else { b"" };
    Some(Item { bytes: measure.at, negated: [b"[^", escape, item, b"]"].concat() })
}

/// Measuring recurses with the nesting.
const DEEPEST: usize = 100;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    Fixed(usize),
    /// Alternatives of different lengths that nothing but groups without captures surrounds.
    Alternatives {
        groups: usize,
    },
    Variable,
}

enum Stop {
    /// An expression that is an error in any look-behind.
    Forbidden,
    /// An expression whose length is not computed here.
    Unknown,
}

struct Measure<'p> {
    text: &'p [u8],
    at: usize,
    encoding: Encoding,
    switches: Switches,
    has_names: bool,
    /// How many groups are open.
    depth: usize,
}

impl Measure<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    /// Measures up to the closing parenthesis. `top`: only groups without captures surround the alternatives.
    fn alternatives(&mut self, top: bool) -> Result<Length, Stop> {
        let first = self.branch(top)?;
        if self.rest().first() != Some(&b'|') {
            return Ok(first);
        }
        let mut all = first;
        let mut is_variable = !matches!(first, Length::Fixed(_));
        while self.rest().first() == Some(&b'|') {
            self.at += 1;
            let next = self.branch(false)?;
            is_variable |= !matches!(next, Length::Fixed(_));
            if next != first {
                all = Length::Alternatives { groups: 0 };
            }
        }
        Ok(if is_variable || (all != first && !top) { Length::Variable } else { all })
    }

    fn branch(&mut self, top: bool) -> Result<Length, Stop> {
        let mut length = 0;
        let mut is_first = true;
        let mut is_variable = false;
        loop {
            let item = match self.rest().first().ok_or(Stop::Unknown)? {
                b'|' | b')' => return Ok(if is_variable { Length::Variable } else { Length::Fixed(length) }),
                byte if self.switches.extended && byte.is_ascii_whitespace() => {
                    self.at += 1;
                    continue;
                }
                b'(' => self.group(top && is_first)?,
                _ => self.character()?,
            };
            is_first = false;
            let item = self.repeated(item)?;
            self.skip_space();
            match item {
                Length::Fixed(more) => length = usize::checked_add(length, more).ok_or(Stop::Unknown)?,
                Length::Alternatives { groups } if self.rest().first() == Some(&b')') => {
                    return Ok(Length::Alternatives { groups: groups + 1 });
                }
                _ => is_variable = true,
            }
        }
    }

    fn skip_space(&mut self) {
        while self.switches.extended && self.rest().first().is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// At an opening parenthesis: the length of the group.
    fn group(&mut self, top: bool) -> Result<Length, Stop> {
        let rest = self.rest();
        for mark in [&b"(?>"[..], b"(?~", b"(?(", b"(?=", b"(?!"] {
            if rest.starts_with(mark) {
                return Err(Stop::Forbidden);
            }
        }
        let is_behind = rest.starts_with(b"(?<=") || rest.starts_with(b"(?<!");
        let (start, inner_top) = if is_behind {
            (4, true)
        } else if rest.starts_with(b"(?:") {
            (3, top)
        } else if is_named_group(rest) {
            let close = if rest[2] == b'<' { b'>' } else { b'\'' };
            (4 + rest[3..].iter().position(|&byte| byte == close).ok_or(Stop::Unknown)?, false)
        } else if rest.starts_with(b"(?") {
            let colon = rest.iter().position(|&byte| !b"(?mi-".contains(&byte)).ok_or(Stop::Unknown)?;
            (if rest[colon] == b':' { colon + 1 } else { return Err(Stop::Unknown) }, false)
        } else {
            (if self.has_names { return Err(Stop::Unknown) } else { 1 }, false)
        };
        self.at += start;
        if self.rest().first() == Some(&b')') || self.depth == DEEPEST {
            return Err(Stop::Unknown);
        }
        self.depth += 1;
        let length = self.alternatives(inner_top)?;
        self.depth -= 1;
        self.at += 1;
        Ok(if is_behind { Length::Fixed(0) } else { length })
    }

    /// The length of one character, class or escape, or of a position.
    fn character(&mut self) -> Result<Length, Stop> {
        let rest = self.rest();
        let (bytes, length) = match rest[0] {
            b'^' | b'$' => (1, 0),
            b'*' | b'+' | b'?' => return Err(Stop::Unknown),
            b'[' => (class_length(rest, self.switches.ignore_case).ok_or(Stop::Unknown)?, 1),
            b'\\' => match rest.get(1).ok_or(Stop::Unknown)? {
                b'b' | b'B' | b'A' | b'G' => (2, 0),
                b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' | b't' | b'n' | b'r' | b'f' | b'v' | b'a'
                | b'e' => (2, 1),
                b'p' | b'P' if rest.get(2) == Some(&b'{') => {
                    (1 + rest.iter().position(|&byte| byte == b'}').ok_or(Stop::Unknown)?, 1)
                }
                b'x' if rest.len() > 3 && rest[2].is_ascii_hexdigit() && rest[3].is_ascii_hexdigit() => (4, 1),
                b'k' => return Err(Stop::Forbidden),
                b'1'..=b'9' if !self.has_names && !rest.get(2).is_some_and(u8::is_ascii_digit) => {
                    return Err(Stop::Forbidden);
                }
                mark if mark.is_ascii_punctuation() => (2, 1),
                _ => return Err(Stop::Unknown),
            },
            _ => match self.encoding.character(rest) {
                Character::Length(bytes) => (bytes, 1),
                _ => return Err(Stop::Unknown),
            },
        };
        self.at += bytes;
        Ok(Length::Fixed(length))
    }

    /// The length of an item with the repetitions that follow it.
    fn repeated(&mut self, mut item: Length) -> Result<Length, Stop> {
        loop {
            self.skip_space();
            match self.rest().first() {
                Some(b'*' | b'+' | b'?') => {
                    self.at += 1;
                    item = Length::Variable;
                }
                Some(b'{') => {
                    let Some(end) = self.rest().iter().position(|&byte| byte == b'}') else { return Ok(item) };
                    let bounds = std::str::from_utf8(&self.rest()[1..end]).map_err(|_| Stop::Unknown)?;
                    if bounds.is_empty() || bounds == "," || !bounds.bytes().all(|b| b.is_ascii_digit() || b == b',') {
                        return Ok(item);
                    }
                    let (low, high) = bounds.split_once(',').unwrap_or((bounds, bounds));
                    item = match (item, low.parse::<u16>()) {
                        (Length::Fixed(length), Ok(times)) if low == high => {
                            Length::Fixed(length.checked_mul(usize::from(times)).ok_or(Stop::Unknown)?)
                        }
                        (Length::Fixed(_), _) if low != high => Length::Variable,
                        (Length::Variable, _) => Length::Variable,
                        (Length::Alternatives { .. }, Ok(0)) => Length::Variable,
                        _ => return Err(Stop::Unknown),
                    };
                    self.at += end + 1;
                }
                _ => return Ok(item),
            }
        }
    }
}

/// The length in bytes of a class. Unknown for classes that may fold to several characters.
pub(super) fn class_length(text: &[u8], ignore_case: bool) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    loop {
        match text.get(at)? {
            b'[' if text[at..].starts_with(b"[:") => {
                at += 2 + text[at + 2..].windows(2).position(|two| two == b":]")? + 2;
                continue;
            }
            b'[' => {
                depth += 1;
                at += if text[at..].starts_with(b"[^") { 1 } else { 0 };
                if text.get(at + 1) == Some(&b']') {
                    return None;
                }
            }
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'\\' => at += 1,
            byte if *byte >= 0x80 && ignore_case => return None,
            _ => {}
        }
        at += 1;
    }
}

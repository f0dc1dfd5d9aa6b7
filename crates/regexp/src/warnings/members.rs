//! The members of a character class.

use memory::Grow;

/// The non-ASCII members of a named set, if they are known.
type Wide = Option<fn(char) -> bool>;

/// The members of a class: ASCII exactly, others as far as they are known.
#[derive(Clone, Debug, Default)]
pub(super) struct Members {
    ascii: u128,
    ranges: Vec<(char, char)>,
    /// The non-ASCII members of named sets.
    wide: Vec<fn(char) -> bool>,
    /// Characters that the class itself names.
    pub(super) direct: Vec<char>,
}

impl Members {
    pub(super) fn ascii(is_member: fn(u8) -> bool) -> Members {
        let ascii = (0..128).filter(|&byte| is_member(byte)).fold(0, |bits, byte| bits | 1 << byte);
        Members { ascii, ..Members::default() }
    }

    pub(super) fn range(low: char, high: char) -> Members {
        let ascii = (u32::from(low)..=u32::from(high).min(127)).fold(0, |bits, code| bits | 1 << code);
        let ranges = if high.is_ascii() { Vec::new() } else { vec![(low.max('\u{80}'), high)] };
        Members { ascii, ranges, ..Members::default() }
    }

    pub(super) fn posix(name: &str) -> Option<Members> {
        let (ascii, wide): (fn(u8) -> bool, Wide) = match name {
            "alnum" => (|byte| byte.is_ascii_alphanumeric(), Some(char::is_alphanumeric)),
            "alpha" => (|byte| byte.is_ascii_alphabetic(), Some(char::is_alphabetic)),
            "ascii" => (|_| true, None),
            "blank" => (|byte| matches!(byte, 9 | 32), None),
            "cntrl" => (|byte| byte.is_ascii_control(), Some(char::is_control)),
            "digit" => (|byte| byte.is_ascii_digit(), None),
            "graph" => (|byte| byte.is_ascii_graphic(), Some(char::is_alphanumeric)),
            "lower" => (|byte| byte.is_ascii_lowercase(), Some(char::is_lowercase)),
            "print" => (|byte| matches!(byte, 32..=126), Some(char::is_alphanumeric)),
            "punct" => (|byte| byte.is_ascii_punctuation(), None),
            "space" => (|byte| matches!(byte, 9..=13 | 32), Some(char::is_whitespace)),
            "upper" => (|byte| byte.is_ascii_uppercase(), Some(char::is_uppercase)),
            "word" => (|byte| byte.is_ascii_alphanumeric() || byte == b'_', Some(char::is_alphanumeric)),
            "xdigit" => (|byte| byte.is_ascii_hexdigit(), None),
            _ => return None,
        };
        Some(Members { wide: wide.into_iter().collect(), ..Members::ascii(ascii) })
    }

    pub(super) fn complement(&self) -> Members {
        // Of the other characters only those count that are certainly not members.
        let beyond = self.ranges.is_empty() && self.wide.is_empty();
        let ranges = if beyond { vec![('\u{80}', char::MAX)] } else { Vec::new() };
        Members { ascii: !self.ascii, ranges, ..Members::default() }
    }

    pub(super) fn has(&self, letter: char) -> bool {
        if letter.is_ascii() {
            return self.ascii >> u32::from(letter) & 1 == 1;
        }
        self.ranges.iter().any(|&(low, high)| (low..=high).contains(&letter))
            || self.wide.iter().any(|is_member| is_member(letter))
    }

    pub(super) fn overlaps(&self, other: &Members) -> bool {
        let crossing = |a: &(char, char), b: &(char, char)| a.0 <= b.1 && b.0 <= a.1;
        self.ascii & other.ascii != 0
            || self.ranges.iter().any(|a| other.ranges.iter().any(|b| crossing(a, b)))
            || self.ranges.iter().any(|&(low, _)| other.wide.iter().any(|is_member| is_member(low)))
            || other.ranges.iter().any(|&(low, _)| self.wide.iter().any(|is_member| is_member(low)))
    }

    pub(super) fn merge(&mut self, other: &Members) {
        self.ascii |= other.ascii;
        self.ranges.append_slice(&other.ranges);
        self.wide.append_slice(&other.wide);
        self.direct.append_slice(&other.direct);
    }
}

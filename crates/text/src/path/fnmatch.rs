//! File.fnmatch.

use super::braces::brace_expand;
use crate::encoding::{CharLen, EncodingId, char_len, char_len_or_min, codepoint};

/// The flags of `File::Constants::FNM_*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct MatchFlags {
    pub noescape: bool,
    pub pathname: bool,
    pub dotmatch: bool,
    pub casefold: bool,
    pub extglob: bool,
}

impl MatchFlags {
    /// From the number that Ruby programs pass.
    pub fn from_bits(bits: i64) -> MatchFlags {
        MatchFlags {
            noescape: bits & 1 != 0,
            pathname: bits & 2 != 0,
            dotmatch: bits & 4 != 0,
            casefold: bits & 8 != 0,
            extglob: bits & 16 != 0,
        }
    }
}

/// `File.fnmatch(pattern, path, flags)`: whether `path` matches `pattern`, both compatible in `encoding`.
pub fn fnmatch(encoding: EncodingId, pattern: &[u8], path: &[u8], flags: MatchFlags) -> bool {
    if flags.extglob {
        return !brace_expand(encoding, pattern, !flags.noescape, |pattern| {
            !Matcher { encoding, pattern, path, flags }.matches()
        });
    }
    Matcher { encoding, pattern, path, flags }.matches()
}

struct Matcher<'a> {
    encoding: EncodingId,
    pattern: &'a [u8],
    path: &'a [u8],
    flags: MatchFlags,
}

impl Matcher<'_> {
    fn matches(&self) -> bool {
        if !self.flags.pathname {
            return self.segment(0, 0).2;
        }
        // The last `**/`, which may consume another directory: the pattern after it, and the start of the path for it.
        let mut retry: Option<(usize, usize)> = None;
        let (mut p, mut s) = (0, 0);
        loop {
            if self.pattern[p..].starts_with(b"**/") {
                while self.pattern[p..].starts_with(b"**/") {
                    p += 3;
                }
                retry = Some((p, s));
            }
            let (next_p, next_s, matched) = self.segment(p, s);
            if matched {
                let next_s = self.segment_end(next_s);
                let (p_ends, s_ends) = (next_p >= self.pattern.len(), next_s >= self.path.len());
                if p_ends && s_ends {
                    return true;
                }
                if !p_ends && !s_ends {
                    (p, s) = (next_p + 1, next_s + 1);
                    continue;
                }
            }
            match retry {
                Some((after, start)) if self.flags.dotmatch || self.path_at(start) != b'.' => {
                    let end = self.segment_end(start);
                    if end >= self.path.len() {
                        return false;
                    }
                    retry = Some((after, end + 1));
                    (p, s) = (after, end + 1);
                }
                _ => return false,
            }
        }
    }

    fn path_at(&self, at: usize) -> u8 {
        self.path.get(at).copied().unwrap_or(0)
    }

    fn pattern_at(&self, at: usize) -> u8 {
        self.pattern.get(at).copied().unwrap_or(0)
    }

    /// The end of the path segment that contains `s`.
    fn segment_end(&self, s: usize) -> usize {
        let rest = self.path.get(s..).unwrap_or_default();
        s + memchr::memchr(b'/', rest).unwrap_or(rest.len())
    }

    fn pattern_ends(&self, p: usize) -> bool {
        p >= self.pattern.len() || self.flags.pathname && self.pattern[p] == b'/'
    }

    fn path_ends(&self, s: usize) -> bool {
        s >= self.path.len() || self.flags.pathname && self.path[s] == b'/'
    }

    /// Skips a backslash that quotes the next character.
    fn unescape(&self, p: usize) -> usize {
        let quotes = !self.flags.noescape && self.pattern_at(p) == b'\\';
        if quotes { p + 1 } else { p }
    }

    fn path_char(&self, s: usize) -> usize {
        char_len_or_min(self.encoding, &self.path[s..]).max(1)
    }

    /// Matches up to the next separator; returns the positions reached on both sides.
    fn segment(&self, p: usize, s: usize) -> (usize, usize, bool) {
        let (mut p, mut s) = (p, s);
        if !self.flags.dotmatch && self.path_at(s) == b'.' && self.pattern_at(self.unescape(p)) != b'.' {
            return (p, s, false);
        }
        // After the last star: the pattern, and the path that the star has not consumed.
        let mut star: Option<(usize, usize)> = None;
        loop {
            let matched = match self.pattern_at(p) {
                b'*' => {
                    while self.pattern_at(p) == b'*' {
                        p += 1;
                    }
                    if self.pattern_ends(self.unescape(p)) {
                        return (self.unescape(p), s, true);
                    }
                    if self.path_ends(s) {
                        return (p, s, false);
                    }
                    star = Some((p, s));
                    continue;
                }
                b'?' if self.path_ends(s) => return (p, s, false),
                b'?' => Some(p + 1),
                b'[' if self.path_ends(s) => return (p, s, false),
                b'[' => self.bracket(p + 1, s),
                _ => {
                    p = self.unescape(p);
                    if self.path_ends(s) {
                        return (p, s, self.pattern_ends(p));
                    }
                    self.literal(p, s)
                }
            };
            match (matched, star) {
                (Some(next), _) => {
                    p = next;
                    s += self.path_char(s);
                }
                (None, Some((after, from))) => {
                    let from = from + self.path_char(from);
                    star = Some((after, from));
                    (p, s) = (after, from);
                    if from > self.path.len() {
                        return (p, s, false);
                    }
                }
                (None, None) => return (p, s, false),
            }
        }
    }

    /// Matches an ordinary character; returns where the pattern continues.
    fn literal(&self, p: usize, s: usize) -> Option<usize> {
        if self.pattern_ends(p) {
            return None;
        }
        let CharLen::Valid(len) = char_len(self.encoding, &self.pattern[p..]) else { return None };
        let char = &self.pattern[p..p + len];
        let same = self.path[s..].starts_with(char)
            || self.flags.casefold && self.folded(char)? == self.folded(&self.path[s..])?;
        same.then_some(p + len)
    }

    /// The code point, with ASCII letters in upper case.
    fn folded(&self, bytes: &[u8]) -> Option<u32> {
        let (code, _) = codepoint(self.encoding, bytes)?;
        Some(match code {
            0x61..=0x7A if self.flags.casefold => code - 0x20,
            _ => code,
        })
    }

    /// Matches a character set from after the bracket; returns where the pattern continues.
    fn bracket(&self, p: usize, s: usize) -> Option<usize> {
        let mut p = p;
        let negated = matches!(self.pattern_at(p), b'!' | b'^');
        p += usize::from(negated);
        let mut found = false;
        while self.pattern_at(p) != b']' {
            let (first, next) = self.set_char(p)?;
            p = next;
            let mut last = first;
            if self.pattern_at(p) == b'-' && self.pattern_at(p + 1) != b']' {
                (last, p) = self.set_char(p + 1)?;
            }
            found |= self.in_range(first, last, s);
        }
        (found != negated).then_some(p + 1)
    }

    /// A character of a set, and where the pattern continues; `None` if the set is not closed.
    fn set_char(&self, p: usize) -> Option<(&[u8], usize)> {
        let quotes = !self.flags.noescape && self.pattern_at(p) == b'\\';
        let start = p + usize::from(quotes);
        let rest = self.pattern.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + char_len_or_min(self.encoding, rest);
        (end < self.pattern.len()).then(|| (&self.pattern[start..end], end))
    }

    fn in_range(&self, first: &[u8], last: &[u8], s: usize) -> bool {
        let rest = &self.path[s..];
        if rest.starts_with(first) || rest.starts_with(last) {
            return true;
        }
        match (self.folded(rest), self.folded(first), self.folded(last)) {
            (Some(char), Some(first), Some(last)) => (first..=last).contains(&char),
            _ => false,
        }
    }
}

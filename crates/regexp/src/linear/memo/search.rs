//! Running a program over a haystack.

use std::collections::HashMap;

use super::super::ast::Anchor;
use super::program::{Program, Step};
use crate::captures::Captures;
use crate::error::MatchError;
use crate::program::Limits;

/// The number of steps between two checks of the limits.
const CHECKED_STEPS: u32 = 1 << 14;
/// The maximum size of the memo table in bits; above it, a search uses Oniguruma.
const MOST_BITS: usize = 1 << 31;

/// The state of one search.
struct Search<'s> {
    program: &'s Program,
    haystack: &'s str,
    /// `\G`
    start: usize,
    limits: Limits<'s>,
    steps: u32,
    /// One bit per choice and position: whether the choice was tried there. A choice that was tried has failed, unless
    /// `ends` has its end position.
    seen: Vec<u64>,
    /// The end positions of choices that were part of a match of a look-around or an atomic group.
    ends: HashMap<(usize, usize), usize>,
    /// The starts and ends of groups; `None` in a part that is entered separately.
    slots: Vec<Option<usize>>,
}

/// The alternatives to try when the current path fails.
enum Retreat {
    Go { step: usize, at: usize, path: usize },
    Restore { slot: usize, to: Option<usize> },
}

impl Program {
    /// Whether the table for outcomes in a haystack of that length is small enough.
    pub fn is_for(&self, length: usize) -> bool {
        (length + 1).checked_mul(self.choices).is_some_and(|bits| bits <= MOST_BITS)
    }

    /// The first match that starts from `start` to `end`; only at `start` if `anchored`.
    pub fn search(
        &self,
        haystack: &[u8],
        (start, end): (usize, usize),
        anchored: bool,
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        // The caller has checked that the haystack is valid.
        let Ok(text) = std::str::from_utf8(haystack) else { return Err(MatchError::InvalidBytes) };
        let mut search = Search {
            program: self,
            haystack: text,
            start,
            limits,
            steps: 0,
            seen: memory::filled(0, ((haystack.len() + 1) * self.choices).div_ceil(64)),
            ends: HashMap::new(),
            slots: memory::filled(None, (self.groups + 1) * 2),
        };
        let last = if anchored { start } else { end };
        let mut at = start;
        while at <= last {
            search.slots.fill(None);
            search.slots[0] = Some(at);
            if let Some(found) = search.run(0, at, true)? {
                search.slots[1] = Some(found);
                let slots = &search.slots;
                captures.fill(self.groups + 1, |group| Some((slots[group * 2]?, slots[group * 2 + 1]?)));
                return Ok(true);
            }
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
        Ok(false)
    }
}

impl Search<'_> {
    /// Runs from `step` to its `Accept`; returns the end position.
    fn run(&mut self, step: usize, at: usize, outermost: bool) -> Result<Option<usize>, MatchError> {
        let mut retreats: Vec<Retreat> = Vec::new();
        // The choices on the current path.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let (mut step, mut at) = (step, at);
        loop {
            self.steps += 1;
            if self.steps.is_multiple_of(CHECKED_STEPS) {
                self.limits.check()?;
            }
            let goes_on = match self.program.steps[step] {
                Step::Accept => {
                    if !outermost {
                        self.ends.extend(path.iter().map(|choice| (*choice, at)));
                    }
                    return Ok(Some(at));
                }
                Step::Fail => None,
                Step::Jump(to) => Some((to, at)),
                Step::Class(class) => match self.haystack[at..].chars().next() {
                    Some(letter) if self.program.classes[class].has(letter) => Some((step + 1, at + letter.len_utf8())),
                    _ => None,
                },
                Step::Assert(anchor, words) => self.holds(anchor, words, at).then_some((step + 1, at)),
                Step::Save(slot) => {
                    retreats.push(Retreat::Restore { slot, to: self.slots[slot] });
                    self.slots[slot] = Some(at);
                    Some((step + 1, at))
                }
                Step::Choice { first, second, number } => {
                    if self.note(number, at) {
                        retreats.push(Retreat::Go { step: second, at, path: path.len() + 1 });
                        path.push((number, at));
                        Some((first, at))
                    } else if let Some(end) = self.ends.get(&(number, at)).copied().filter(|_| !outermost) {
                        self.ends.extend(path.iter().map(|choice| (*choice, end)));
                        return Ok(Some(end));
                    } else {
                        None
                    }
                }
                Step::Look { behind, negated, after } => {
                    let from = match behind {
                        Some(length) => self.before(at, length),
                        None => Some(at),
                    };
                    let found = match from {
                        Some(from) => self.run(step + 1, from, false)?.is_some(),
                        None => false,
                    };
                    (found != negated).then_some((after, at))
                }
                Step::Atomic { after } => self.run(step + 1, at, false)?.map(|end| (after, end)),
            };
            match goes_on {
                Some(next) => (step, at) = next,
                None => match self.retreat(&mut retreats, &mut path) {
                    Some(next) => (step, at) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    fn retreat(&mut self, retreats: &mut Vec<Retreat>, path: &mut Vec<(usize, usize)>) -> Option<(usize, usize)> {
        loop {
            match retreats.pop()? {
                Retreat::Restore { slot, to } => self.slots[slot] = to,
                Retreat::Go { step, at, path: length } => {
                    path.truncate(length);
                    return Some((step, at));
                }
            }
        }
    }

    /// Records that a choice was tried at a position; false if it was before.
    fn note(&mut self, number: usize, at: usize) -> bool {
        let bit = number * (self.haystack.len() + 1) + at;
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        let is_new = self.seen[word] & mask == 0;
        self.seen[word] |= mask;
        is_new
    }

    /// The position this many characters earlier.
    fn before(&self, at: usize, length: usize) -> Option<usize> {
        match length {
            0 => Some(at),
            _ => self.haystack[..at].char_indices().rev().nth(length - 1).map(|(place, _)| place),
        }
    }

    fn holds(&self, anchor: Anchor, words: Option<usize>, at: usize) -> bool {
        let bytes = self.haystack.as_bytes();
        let before = |letter: u8| at > 0 && bytes[at - 1] == letter;
        match anchor {
            // No line starts after a newline that ends the text.
            Anchor::LineStart => at == 0 || (before(b'\n') && at < bytes.len()),
            Anchor::LineEnd => bytes.get(at).is_none_or(|letter| *letter == b'\n'),
            Anchor::TextStart => at == 0,
            Anchor::TextEnd => at == bytes.len(),
            Anchor::SearchStart => at == self.start,
            Anchor::LastLineEnd => at == bytes.len() || bytes[at..] == *b"\n",
            Anchor::Word { negated, .. } => {
                let Some(words) = words.map(|class| &self.program.classes[class]) else { return false };
                let left = self.haystack[..at].chars().next_back().is_some_and(|letter| words.has(letter));
                let right = self.haystack[at..].chars().next().is_some_and(|letter| words.has(letter));
                (left != right) != negated
            }
        }
    }
}

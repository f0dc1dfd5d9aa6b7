//! Running a program over a haystack.

use std::collections::{HashMap, HashSet};

use memory::Grow;
use regex_automata::Input;

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
    /// Valid UTF-8.
    haystack: &'s [u8],
    /// `\G`
    start: usize,
    /// The first place that is tried: nothing looks at what is before it, except for assertions and look-behind.
    base: usize,
    limits: Limits<'s>,
    steps: u32,
    /// One bit per position and choice: whether the choice was tried there. A choice that was tried has failed, unless
    /// `ends` has its end position. As long as what was tried: a search that ends soon costs little in a long haystack.
    seen: Vec<u64>,
    /// The same for positions before `base`, which only look-behind tries.
    seen_before: HashSet<(usize, usize)>,
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
        let first = |at: usize| match &self.start {
            Some(places) if !anchored => places.find(&Input::new(haystack).range(at..)),
            _ => Some(at),
        };
        let last = if anchored { start } else { end };
        let Some(mut at) = first(start) else { return Ok(false) };
        let mut search = Search {
            program: self,
            haystack,
            start,
            base: at,
            limits,
            steps: 0,
            seen: Vec::new(),
            seen_before: HashSet::new(),
            ends: HashMap::new(),
            slots: memory::filled(None, (self.groups + 1) * 2),
        };
        while at <= last {
            search.slots.fill(None);
            search.slots[0] = Some(at);
            if let Some(found) = search.run(0, at, true)? {
                search.slots[1] = Some(found);
                let slots = &search.slots;
                captures.fill(self.groups + 1, |group| Some((slots[group * 2]?, slots[group * 2 + 1]?)));
                return Ok(true);
            }
            let next = at + letter_at(haystack, at).map_or(1, char::len_utf8);
            if next > haystack.len() {
                break;
            }
            match first(next) {
                Some(place) => at = place,
                None => break,
            }
        }
        Ok(false)
    }
}

/// The character that begins at a place; `None` at the end.
#[inline]
fn letter_at(haystack: &[u8], at: usize) -> Option<char> {
    let rest = haystack.get(at..)?;
    let first = *rest.first()?;
    let length = match first {
        0..0x80 => return Some(char::from(first)),
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    std::str::from_utf8(rest.get(..length)?).ok()?.chars().next()
}

/// The character that ends before a place, and where it begins; `None` at the start.
#[inline]
fn letter_before(haystack: &[u8], at: usize) -> Option<(usize, char)> {
    let is_start = |byte: &u8| byte & 0xc0 != 0x80;
    let begin = haystack.get(..at)?.iter().rposition(is_start)?;
    Some((begin, letter_at(haystack, begin)?))
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
                Step::Class(class) => match letter_at(self.haystack, at) {
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
        let Some(place) = at.checked_sub(self.base) else { return self.seen_before.insert((number, at)) };
        let bit = place * self.program.choices + number;
        let (word, mask) = (bit / 64, 1 << (bit % 64));
        if word >= self.seen.len() {
            self.seen.set_length((word + 1).max(2 * self.seen.len()), 0);
        }
        let is_new = self.seen[word] & mask == 0;
        self.seen[word] |= mask;
        is_new
    }

    /// The position this many characters earlier.
    fn before(&self, at: usize, length: usize) -> Option<usize> {
        (0..length).try_fold(at, |at, _| letter_before(self.haystack, at).map(|(begin, _)| begin))
    }

    fn holds(&self, anchor: Anchor, words: Option<usize>, at: usize) -> bool {
        let bytes = self.haystack;
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
                let left = letter_before(bytes, at).is_some_and(|(_, letter)| words.has(letter));
                let right = letter_at(bytes, at).is_some_and(|letter| words.has(letter));
                (left != right) != negated
            }
        }
    }
}

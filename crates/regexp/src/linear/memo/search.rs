//! Running a program over a haystack.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use memory::Grow;
use regex_automata::Input;

use super::super::ast::Anchor;
use super::program::{Program, Step};
use crate::captures::Captures;
use crate::error::MatchError;
use crate::program::Limits;

/// The number of steps between two checks of the limits.
const CHECKED_STEPS: u64 = 1 << 12;
/// The maximum size of the memo table in bits; above it, a search uses Oniguruma.
const MOST_BITS: usize = 1 << 31;
/// The number of steps without a memo for each byte of the haystack: recording choices takes longer than most steps.
const PLAIN_STEPS: u64 = 2;
/// Longer lists are not kept for the next search.
const MOST_KEPT: usize = 1 << 10;

thread_local! {
    /// The lists of the last search, whose memory the next one uses.
    static LISTS: Cell<Lists> = const { Cell::new(Lists { retreats: Vec::new(), slots: Vec::new() }) };
}

/// The lists of a search.
#[derive(Default)]
struct Lists {
    /// What the current path can go back to. A part that is entered separately begins above what was there.
    retreats: Vec<Retreat>,
    /// The starts and ends of groups.
    slots: Vec<Option<usize>>,
}

/// Why a search ended early.
enum Stop {
    Error(MatchError),
    /// It took many steps without a memo.
    Long,
}

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
    steps: u64,
    /// The number of steps at which the limits are checked.
    next_check: u64,
    lists: Lists,
    /// One bit per position and choice: whether the choice was tried there. A choice that was tried has failed, unless
    /// `ends` has its end position. As long as what was tried: a search that ends soon costs little in a long haystack.
    seen: Vec<u64>,
    /// The same for positions before `base`, which only look-behind tries.
    seen_before: HashSet<(usize, usize)>,
    /// The end positions of choices that were part of a match of a look-around or an atomic group.
    ends: HashMap<(usize, usize), usize>,
}

/// The alternatives to try when the current path fails.
enum Retreat {
    Go {
        step: usize,
        at: usize,
        path: usize,
    },
    Restore {
        slot: usize,
        to: Option<usize>,
    },
    /// A repeated class ended at `at`; it may end at each character from `from` on.
    Shrink {
        step: usize,
        from: usize,
        at: usize,
    },
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
        let last = match self.steps.iter().find(|step| !matches!(step, Step::Save(_))) {
            _ if anchored => start,
            Some(Step::Assert(Anchor::SearchStart, _)) => start,
            Some(Step::Assert(Anchor::TextStart, _)) => 0,
            _ => end,
        };
        let Some(at) = first(start) else { return Ok(false) };
        let mut search = Search {
            program: self,
            haystack,
            start,
            base: at,
            limits,
            steps: 0,
            next_check: CHECKED_STEPS,
            lists: LISTS.take(),
            seen: Vec::new(),
            seen_before: HashSet::new(),
            ends: HashMap::new(),
        };
        search.lists.slots.set_length((self.groups + 1) * 2, None);
        let found = search.first_match(at, last, first);
        if let Ok(Some(end)) = found {
            let slots = &mut search.lists.slots;
            slots[1] = Some(end);
            captures.fill(self.groups + 1, |group| Some((slots[group * 2]?, slots[group * 2 + 1]?)));
        }
        let mut lists = search.lists;
        if lists.retreats.capacity() <= MOST_KEPT && lists.slots.capacity() <= MOST_KEPT {
            lists.retreats.clear();
            LISTS.set(lists);
        }
        found.map(|end| end.is_some())
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
    /// The end of the first match that starts from `at` to `last`. `first` finds the places where one may begin.
    fn first_match(
        &mut self,
        mut at: usize,
        last: usize,
        first: impl Fn(usize) -> Option<usize>,
    ) -> Result<Option<usize>, MatchError> {
        let mut has_memo = self.program.needs_memo;
        while at <= last {
            let found = if has_memo { self.match_at::<true>(at) } else { self.match_at::<false>(at) };
            match found {
                Ok(None) => {}
                Ok(found) => return Ok(found),
                Err(Stop::Error(error)) => return Err(error),
                Err(Stop::Long) => {
                    (has_memo, self.base) = (true, at);
                    continue;
                }
            }
            let next = at + letter_at(self.haystack, at).map_or(1, char::len_utf8);
            if next > last {
                break;
            }
            match first(next) {
                Some(place) => at = place,
                None => break,
            }
        }
        Ok(None)
    }

    fn match_at<const MEMO: bool>(&mut self, at: usize) -> Result<Option<usize>, Stop> {
        self.lists.retreats.clear();
        self.lists.slots.fill(None);
        self.lists.slots[0] = Some(at);
        self.run::<MEMO>(0, at, true)
    }

    /// Runs from `step` to its `Accept`; returns the end position. With a memo it records where each choice failed, and
    /// an iteration that matched nothing ends a repetition.
    fn run<const MEMO: bool>(&mut self, step: usize, at: usize, outermost: bool) -> Result<Option<usize>, Stop> {
        let floor = self.lists.retreats.len();
        // The choices on the current path.
        let mut path: Vec<(usize, usize)> = Vec::new();
        let (mut step, mut at) = (step, at);
        loop {
            self.steps += 1;
            if self.steps >= self.next_check {
                self.next_check = self.steps + CHECKED_STEPS;
                self.limits.check().map_err(Stop::Error)?;
                if !MEMO && self.steps > PLAIN_STEPS * self.haystack.len() as u64 {
                    return Err(Stop::Long);
                }
            }
            let goes_on = match self.program.steps[step] {
                Step::Accept => {
                    if MEMO && !outermost {
                        self.ends.extend(path.iter().map(|choice| (*choice, at)));
                    }
                    self.lists.retreats.truncate(floor);
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
                    let to = self.lists.slots[slot].replace(at);
                    self.lists.retreats.push(Retreat::Restore { slot, to });
                    Some((step + 1, at))
                }
                Step::Choice { second, many: Some(class), .. } if !MEMO => {
                    let end = self.end_of_many(class, at);
                    if end > at {
                        self.lists.retreats.push(Retreat::Shrink { step: second, from: at, at: end });
                    }
                    Some((second, end))
                }
                Step::Choice { first, second, .. } if !MEMO => {
                    self.lists.retreats.push(Retreat::Go { step: second, at, path: 0 });
                    Some((first, at))
                }
                Step::Choice { first, second, number, .. } => {
                    if self.note(number, at) {
                        self.lists.retreats.push(Retreat::Go { step: second, at, path: path.len() + 1 });
                        path.push((number, at));
                        Some((first, at))
                    } else if let Some(end) = self.ends.get(&(number, at)).copied().filter(|_| !outermost) {
                        self.ends.extend(path.iter().map(|choice| (*choice, end)));
                        self.lists.retreats.truncate(floor);
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
                        Some(from) => self.run::<MEMO>(step + 1, from, false)?.is_some(),
                        None => false,
                    };
                    (found != negated).then_some((after, at))
                }
                Step::Atomic { after } => self.run::<MEMO>(step + 1, at, false)?.map(|end| (after, end)),
            };
            match goes_on {
                Some(next) => (step, at) = next,
                None => match self.retreat(floor, &mut path) {
                    Some(next) => (step, at) = next,
                    None => return Ok(None),
                },
            }
        }
    }

    /// What to try next; nothing if only what is below `floor` remains.
    fn retreat(&mut self, floor: usize, path: &mut Vec<(usize, usize)>) -> Option<(usize, usize)> {
        while self.lists.retreats.len() > floor {
            match self.lists.retreats.pop()? {
                Retreat::Restore { slot, to } => self.lists.slots[slot] = to,
                Retreat::Shrink { step, from, at } => {
                    let Some((at, _)) = letter_before(self.haystack, at) else { continue };
                    if at > from {
                        self.lists.retreats.push(Retreat::Shrink { step, from, at });
                    }
                    return Some((step, at));
                }
                Retreat::Go { step, at, path: length } => {
                    path.truncate(length);
                    return Some((step, at));
                }
            }
        }
        None
    }

    /// Where the longest sequence of the class's characters ends.
    #[inline]
    fn end_of_many(&mut self, class: usize, from: usize) -> usize {
        let class = &self.program.classes[class];
        let mut end = from;
        while let Some(letter) = letter_at(self.haystack, end).filter(|letter| class.has(*letter)) {
            end += letter.len_utf8();
        }
        self.steps += (end - from) as u64;
        end
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

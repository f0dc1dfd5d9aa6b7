//! Where a match may begin.

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;
use std::sync::atomic::{AtomicI32, Ordering};

/// What is known about the starts of a pattern's matches.
pub(super) struct Start {
    strategy: Strategy,
    /// Whether a match may begin with a byte; `None` if it may be empty.
    is_first: Option<Box<[bool; 256]>>,
}

/// How to find the places where a match may begin.
enum Strategy {
    /// No way to find them is faster than the search itself.
    Anywhere,
    /// Nothing matches: what the pattern requires does not occur in such texts, as letters beyond ASCII in ASCII.
    Nowhere,
    /// Every match begins with one of these literals.
    Literals(Prefilter),
    /// Every match begins with one of the bytes in `is_first`. The credit decreases if these bytes often occur without
    /// a match; below zero, the pattern is searched without looking for them.
    Bytes(AtomicI32),
}

const FIRST_CREDIT: i32 = 16;
const MOST_CREDIT: i32 = 64;

impl Start {
    /// For a matcher that searches for literals fast itself.
    pub fn new(hir: &Hir) -> Start {
        let start = Start::of_any(hir);
        match hir.properties().is_literal() || hir.properties().is_alternation_literal() {
            true => Start { strategy: Strategy::Anywhere, ..start },
            false => start,
        }
    }

    pub fn of_any(hir: &Hir) -> Start {
        let mut is_first = Box::new([false; 256]);
        let is_first = (!add_first(hir, &mut is_first)).then_some(is_first);
        let strategy = if matches_nothing(hir) {
            Strategy::Nowhere
        } else if let Some(prefix) =
            Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir).filter(Prefilter::is_fast)
        {
            Strategy::Literals(prefix)
        } else if is_first.is_some() {
            Strategy::Bytes(AtomicI32::new(FIRST_CREDIT))
        } else {
            Strategy::Anywhere
        };
        Start { strategy, is_first }
    }

    /// Whether nothing matches anywhere.
    pub fn is_nowhere(&self) -> bool {
        matches!(self.strategy, Strategy::Nowhere)
    }

    /// The larger, the fewer places are found.
    pub fn selectiveness(&self) -> u32 {
        match &self.strategy {
            Strategy::Anywhere => 0,
            Strategy::Bytes(_) => 1,
            Strategy::Literals(_) => 2,
            Strategy::Nowhere => 3,
        }
    }

    pub fn is_known(&self) -> bool {
        match &self.strategy {
            Strategy::Anywhere => false,
            Strategy::Nowhere | Strategy::Literals(_) => true,
            Strategy::Bytes(credit) => credit.load(Ordering::Relaxed) >= 0,
        }
    }

    /// Whether the byte at this place excludes a match that begins there.
    #[inline]
    pub fn excludes(&self, haystack: &[u8], at: usize) -> bool {
        let Some(is_first) = &self.is_first else { return false };
        haystack.get(at).is_none_or(|byte| !is_first[usize::from(*byte)])
    }

    /// The bytes with which a match may begin; `None` if it may be empty.
    pub fn first_bytes(&self) -> Option<&[bool; 256]> {
        self.is_first.as_deref()
    }

    /// The first place in the input at which a match may begin.
    pub fn find(&self, input: &Input) -> Option<usize> {
        match (&self.strategy, &self.is_first) {
            (Strategy::Nowhere, _) => None,
            (Strategy::Literals(prefix), _) => prefix.find(input.haystack(), input.get_span()).map(|found| found.start),
            (Strategy::Bytes(_), Some(is_first)) => {
                let rest = &input.haystack()[input.get_range()];
                rest.iter().position(|byte| is_first[usize::from(*byte)]).map(|place| input.start() + place)
            }
            _ => Some(input.start()),
        }
    }

    /// Records how many places of a search were tried without success. The sum need not be exact.
    pub fn note(&self, failures: usize) {
        if let Strategy::Bytes(credit) = &self.strategy {
            let old = credit.load(Ordering::Relaxed);
            let new = if failures == 0 { (old + 1).min(MOST_CREDIT) } else { old - failures as i32 };
            credit.store(new, Ordering::Relaxed);
        }
    }
}

/// Adds the first bytes of what the pattern matches; returns whether it may match the empty string.
fn add_first(hir: &Hir, is_first: &mut [bool; 256]) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => match literal.0.first() {
            Some(byte) => {
                is_first[usize::from(*byte)] = true;
                false
            }
            None => true,
        },
        HirKind::Class(Class::Unicode(class)) => {
            for range in class.ranges() {
                for sequence in Utf8Sequences::new(range.start(), range.end()) {
                    let first = sequence.as_slice()[0];
                    is_first[usize::from(first.start)..=usize::from(first.end)].fill(true);
                }
            }
            false
        }
        HirKind::Class(Class::Bytes(class)) => {
            for range in class.ranges() {
                is_first[usize::from(range.start())..=usize::from(range.end())].fill(true);
            }
            false
        }
        HirKind::Repetition(repetition) => add_first(&repetition.sub, is_first) || repetition.min == 0,
        HirKind::Capture(capture) => add_first(&capture.sub, is_first),
        HirKind::Concat(parts) => parts.iter().all(|part| add_first(part, is_first)),
        HirKind::Alternation(parts) => {
            // The first bytes of all alternatives count.
            let empty = parts.iter().filter(|part| add_first(part, is_first)).count();
            empty > 0
        }
    }
}

/// Whether no text matches. In ASCII text, characters beyond ASCII are a class without members.
fn matches_nothing(hir: &Hir) -> bool {
    // The library knows no length either if only one of several alternatives matches nothing.
    hir.properties().minimum_len().is_none()
        && match hir.kind() {
            HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) => false,
            HirKind::Class(class) => class.is_empty(),
            HirKind::Repetition(repetition) => repetition.min > 0 && matches_nothing(&repetition.sub),
            HirKind::Capture(capture) => matches_nothing(&capture.sub),
            HirKind::Concat(parts) => parts.iter().any(matches_nothing),
            HirKind::Alternation(parts) => parts.iter().all(matches_nothing),
        }
}

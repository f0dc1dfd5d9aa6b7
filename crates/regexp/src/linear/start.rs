//! Where a match may begin.

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Input, MatchKind};
use regex_syntax::hir::{Class, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;
use std::sync::atomic::{AtomicI32, Ordering};

/// What is known of the starts of a pattern's matches.
pub(super) enum Start {
    Anywhere,
    /// Every match begins with one of these literals.
    Literals(Prefilter),
    /// Every match begins with one of these bytes.
    Bytes(Box<FirstBytes>),
}

pub(super) struct FirstBytes {
    is_first: [bool; 256],
    /// Falls where the bytes occur often without a match; below zero the pattern is searched without them.
    credit: AtomicI32,
}

const FIRST_CREDIT: i32 = 16;
const MOST_CREDIT: i32 = 64;

impl Start {
    pub fn new(hir: &Hir) -> Start {
        if hir.properties().is_literal() || hir.properties().is_alternation_literal() {
            return Start::Anywhere;
        }
        if let Some(prefix) = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir).filter(Prefilter::is_fast) {
            return Start::Literals(prefix);
        }
        let mut is_first = [false; 256];
        if add_first(hir, &mut is_first) {
            return Start::Anywhere;
        }
        Start::Bytes(Box::new(FirstBytes { is_first, credit: AtomicI32::new(FIRST_CREDIT) }))
    }

    pub fn is_known(&self) -> bool {
        match self {
            Start::Anywhere => false,
            Start::Literals(_) => true,
            Start::Bytes(bytes) => bytes.credit.load(Ordering::Relaxed) >= 0,
        }
    }

    /// The first place in the input at which a match may begin.
    pub fn find(&self, input: &Input) -> Option<usize> {
        match self {
            Start::Anywhere => Some(input.start()),
            Start::Literals(prefix) => prefix.find(input.haystack(), input.get_span()).map(|found| found.start),
            Start::Bytes(bytes) => {
                let rest = &input.haystack()[input.get_range()];
                rest.iter().position(|byte| bytes.is_first[usize::from(*byte)]).map(|place| input.start() + place)
            }
        }
    }

    /// Notes how many places of a search were tried in vain. The sum need not be exact.
    pub fn note(&self, failures: usize) {
        if let Start::Bytes(bytes) = self {
            let credit = bytes.credit.load(Ordering::Relaxed);
            let credit = if failures == 0 { (credit + 1).min(MOST_CREDIT) } else { credit - failures as i32 };
            bytes.credit.store(credit, Ordering::Relaxed);
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

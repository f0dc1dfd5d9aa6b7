//! Compiling and searching with automata, or with the memoizing matcher.

use super::hir::{Lowered, folds_several_letters, lower};
use super::memo::Program;
use super::parser::parse;
use super::start::Start;
use crate::captures::Captures;
use crate::error::MatchError;
use crate::options::Options;
use crate::program::Limits;
use crate::syntax::Switches;
use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::meta::{Config, Regex};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::{Anchored, Input};
use regex_syntax::hir::Hir;
use std::borrow::Cow;

/// Automata larger than this are not worthwhile.
const LARGEST_AUTOMATON_BYTES: usize = 4 << 20;

/// Patterns whose length times the number of groups is larger take too much memory.
const LARGEST_SLOTS: usize = 1 << 20;

/// The number of slots that need no allocation: those of the match and seven groups.
const FEW_SLOTS: usize = 16;

/// Tables larger than this are not worthwhile.
const LARGEST_TABLE_BYTES: usize = 32 << 10;

/// The maximum number of places that are tried separately because a match may begin there: each try may read to the end
/// of the haystack.
const TRIED_PLACES: usize = 8;

/// The kinds of haystacks for automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// ASCII only.
    Ascii,
    /// Valid UTF-8.
    Utf8,
    /// Binary: any bytes, of which only the ASCII ones are letters, digits or space.
    Bytes,
}

pub(crate) struct Linear {
    matcher: Matcher,
    groups: usize,
    /// Whether groups are the same as in Oniguruma. If not, only the match as a whole is right.
    pub exact_groups: bool,
    depends_on_final_newline: bool,
}

enum Matcher {
    Automaton(Box<Automaton>),
    Memo(Program),
}

struct Automaton {
    regex: Regex,
    /// Finds the places where a match may begin. From such a place one pass in one direction gives the match and often
    /// its groups; otherwise the automaton finds the end, then the start, then the groups.
    start: Start,
    /// A small pattern's table for searches at one place without groups: it needs no cache, unlike `regex`.
    table: Option<dense::DFA<Vec<u32>>>,
}

impl Linear {
    /// `None` if neither matcher supports the pattern. `groups` is the number that Oniguruma counted. For `Text::Bytes`
    /// each byte of the pattern is a character.
    pub fn compile(pattern: &[u8], options: Options, text: Text, groups: usize) -> Option<Linear> {
        let pattern = match text {
            Text::Bytes => Cow::Owned(pattern.iter().map(|&byte| char::from(byte)).collect::<String>()),
            Text::Ascii | Text::Utf8 => Cow::Borrowed(std::str::from_utf8(pattern).ok()?),
        };
        // The library keeps the positions of all groups for each state of the automaton.
        if pattern.len().saturating_mul(groups) > LARGEST_SLOTS {
            return None;
        }
        let (node, counted) = parse(&pattern, Switches::new(options))?;
        if usize::try_from(counted) != Ok(groups) {
            return None;
        }
        let exact = lower(&node, text);
        let exact_groups = exact.is_some();
        let Some(Lowered { hir, depends_on_final_newline }) = exact.or_else(|| lower(&node.without_captures(), text))
        else {
            // The memoizing matcher reads characters.
            if text == Text::Bytes || text == Text::Utf8 && folds_several_letters(&node) {
                return None;
            }
            let starts = [Some(node.relaxed()), node.looks_ahead_for()];
            let starts = starts.into_iter().flatten().filter_map(|node| lower(&node, text));
            let start = starts.map(|lowered| Start::of_any(&lowered.hir)).max_by_key(Start::selectiveness);
            let matcher = Matcher::Memo(Program::compile(&node, text, groups, start)?);
            return Some(Linear { matcher, groups, exact_groups: true, depends_on_final_newline: false });
        };
        // The library aborts if an allocation fails: Oniguruma is used if memory is short.
        if !memory::is_available(LARGEST_AUTOMATON_BYTES) {
            return None;
        }
        let config = Config::new().utf8_empty(text != Text::Bytes).nfa_size_limit(Some(LARGEST_AUTOMATON_BYTES));
        let regex = Regex::builder().configure(config).build_from_hir(&hir).ok()?;
        let table = if exact_groups && groups == 0 { table(&hir, text) } else { None };
        let automaton = Automaton { regex, start: Start::new(&hir), table };
        let matcher = Matcher::Automaton(Box::new(automaton));
        Some(Linear { matcher, groups: if exact_groups { groups } else { 0 }, exact_groups, depends_on_final_newline })
    }

    /// Whether its results in this haystack are the same as Oniguruma's.
    pub fn is_for(&self, haystack: &[u8]) -> bool {
        if let Matcher::Memo(program) = &self.matcher {
            return program.is_for(haystack.len());
        }
        !(self.depends_on_final_newline && haystack.ends_with(b"\n"))
    }

    /// Whether the byte at `at` excludes a match that starts there.
    #[inline]
    pub fn excludes(&self, haystack: &[u8], at: usize) -> bool {
        matches!(&self.matcher, Matcher::Automaton(automaton) if automaton.start.excludes(haystack, at))
    }

    /// Whether it is always faster than Oniguruma in a search that backtracks little.
    pub fn is_fast(&self) -> bool {
        matches!(self.matcher, Matcher::Automaton(_))
    }

    /// The leftmost match that starts from `start` to `end`.
    pub fn search(
        &self,
        haystack: &[u8],
        start: usize,
        end: usize,
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        match &self.matcher {
            Matcher::Memo(program) => program.search(haystack, (start, end), false, captures, limits),
            Matcher::Automaton(automaton) => {
                Ok(self.search_automaton(automaton, Input::new(haystack).range(start..), captures)
                    && captures.get(0).is_some_and(|(found, _)| found <= end))
            }
        }
    }

    fn search_automaton(&self, automaton: &Automaton, mut input: Input, captures: &mut Captures) -> bool {
        if !automaton.start.is_known() {
            return self.run(&automaton.regex, &input, captures);
        }
        for failures in 0..TRIED_PLACES {
            let place = automaton.start.find(&input);
            if let Some(place) = place {
                input.set_start(place);
            }
            if place.is_none() || self.run_at(automaton, &input, captures) {
                automaton.start.note(failures);
                return place.is_some();
            }
            input.set_start(input.start() + 1);
        }
        automaton.start.note(TRIED_PLACES);
        self.run(&automaton.regex, &input, captures)
    }

    /// The last match that starts from `start` down to `end`; `None` if that is not found out by some tries.
    pub fn search_back(&self, haystack: &[u8], start: usize, end: usize, captures: &mut Captures) -> Option<bool> {
        let Matcher::Automaton(automaton) = &self.matcher else { return None };
        let is_first = automaton.start.first_bytes()?;
        let mut from = haystack.len().min(start + 1);
        for _ in 0..TRIED_PLACES {
            let Some(place) = haystack[end..from].iter().rposition(|byte| is_first[usize::from(*byte)]) else {
                return Some(false);
            };
            from = end + place;
            if self.run_at(automaton, &Input::new(haystack).range(from..), captures) {
                return Some(true);
            }
        }
        None
    }

    /// Whether there is a match at the start of the input.
    fn run_at(&self, automaton: &Automaton, input: &Input, captures: &mut Captures) -> bool {
        let input = input.clone().anchored(Anchored::Yes);
        if let Some(Ok(found)) = automaton.table.as_ref().map(|table| table.try_search_fwd(&input)) {
            let Some(end) = found else { return false };
            captures.set_whole(input.start(), end.offset());
            return true;
        }
        self.run(&automaton.regex, &input, captures)
    }

    /// Whether there is a match at or after `start`.
    pub fn is_match(&self, haystack: &[u8], start: usize, limits: Limits) -> Result<bool, MatchError> {
        match &self.matcher {
            Matcher::Memo(program) => {
                program.search(haystack, (start, haystack.len()), false, &mut Captures::new(), limits)
            }
            Matcher::Automaton(automaton) => {
                let input = Input::new(haystack).range(start..).earliest(true);
                Ok(!automaton.start.is_nowhere() && automaton.regex.search_half(&input).is_some())
            }
        }
    }

    pub fn match_at(
        &self,
        haystack: &[u8],
        at: usize,
        captures: &mut Captures,
        limits: Limits,
    ) -> Result<bool, MatchError> {
        match &self.matcher {
            Matcher::Memo(program) => program.search(haystack, (at, at), true, captures, limits),
            Matcher::Automaton(automaton) => Ok(self.run_at(automaton, &Input::new(haystack).range(at..), captures)),
        }
    }

    fn run(&self, regex: &Regex, input: &Input, captures: &mut Captures) -> bool {
        if self.groups == 0 {
            let Some(found) = regex.search(input) else { return false };
            captures.set_whole(found.start(), found.end());
            return true;
        }
        let mut few = [None; FEW_SLOTS];
        let mut many;
        let slots = match few.get_mut(..(self.groups + 1) * 2) {
            Some(slots) => slots,
            None => {
                many = memory::filled(None, (self.groups + 1) * 2);
                &mut many[..]
            }
        };
        if regex.search_slots(input, slots).is_none() {
            return false;
        }
        captures.fill(self.groups + 1, |group| Some((slots[group * 2]?.get(), slots[group * 2 + 1]?.get())));
        true
    }
}

/// The table of a small pattern.
fn table(hir: &Hir, text: Text) -> Option<dense::DFA<Vec<u32>>> {
    let config = thompson::Config::new()
        .utf8(text != Text::Bytes)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(LARGEST_TABLE_BYTES));
    let nfa: NFA = thompson::Compiler::new().configure(config).build_from_hir(hir).ok()?;
    let config = dense::Config::new()
        .start_kind(StartKind::Anchored)
        .dfa_size_limit(Some(LARGEST_TABLE_BYTES))
        .determinize_size_limit(Some(LARGEST_TABLE_BYTES));
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

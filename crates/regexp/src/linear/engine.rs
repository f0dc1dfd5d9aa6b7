//! Compiling and searching with automata.

use super::hir::{Lowered, lower};
use super::parser::parse;
use crate::captures::Captures;
use crate::options::Options;
use crate::syntax::Switches;
use regex_automata::meta::{Config, Regex};
use regex_automata::{Anchored, Input};

/// Automata larger than this are not worth it.
const LARGEST_AUTOMATON_BYTES: usize = 4 << 20;

/// Slots that need no memory of their own: those of seven groups and the whole.
const FEW_SLOTS: usize = 16;

/// The haystacks that an automaton is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Text {
    /// ASCII only.
    Ascii,
    /// Valid UTF-8.
    Utf8,
}

pub(crate) struct Linear {
    regex: Regex,
    groups: usize,
    /// Whether groups come out as in Oniguruma. If not, only the match as a whole is right.
    pub exact_groups: bool,
    tells_final_newline: bool,
}

impl Linear {
    /// `None` if the pattern is not for automata. `groups` is what Oniguruma counted.
    pub fn compile(pattern: &[u8], options: Options, text: Text, groups: usize) -> Option<Linear> {
        let pattern = std::str::from_utf8(pattern).ok()?;
        let (node, counted) = parse(pattern, Switches::new(options))?;
        if usize::try_from(counted) != Ok(groups) {
            return None;
        }
        let exact = lower(&node, text);
        let exact_groups = exact.is_some();
        let Lowered { hir, tells_final_newline } = exact.or_else(|| lower(&node.without_captures(), text))?;
        let config = Config::new().utf8_empty(true).nfa_size_limit(Some(LARGEST_AUTOMATON_BYTES));
        let regex = Regex::builder().configure(config).build_from_hir(&hir).ok()?;
        Some(Linear { regex, groups: if exact_groups { groups } else { 0 }, exact_groups, tells_final_newline })
    }

    /// Whether it finds the same in this haystack as Oniguruma.
    pub fn is_for(&self, haystack: &[u8]) -> bool {
        !(self.tells_final_newline && haystack.ends_with(b"\n"))
    }

    /// The leftmost match that starts from `start` to `end`.
    pub fn search(&self, haystack: &[u8], start: usize, end: usize, captures: &mut Captures) -> bool {
        let input = Input::new(haystack).range(start..);
        self.run(&input, captures) && captures.get(0).is_some_and(|(found, _)| found <= end)
    }

    /// Whether there is a match that starts at `start` or after.
    pub fn is_match(&self, haystack: &[u8], start: usize) -> bool {
        self.regex.search_half(&Input::new(haystack).range(start..).earliest(true)).is_some()
    }

    pub fn match_at(&self, haystack: &[u8], at: usize, captures: &mut Captures) -> bool {
        self.run(&Input::new(haystack).range(at..).anchored(Anchored::Yes), captures)
    }

    fn run(&self, input: &Input, captures: &mut Captures) -> bool {
        if self.groups == 0 {
            let Some(found) = self.regex.search(input) else { return false };
            captures.set_whole(found.start(), found.end());
            return true;
        }
        let mut few = [None; FEW_SLOTS];
        let mut many;
        let slots = match few.get_mut(..(self.groups + 1) * 2) {
            Some(slots) => slots,
            None => {
                many = vec![None; (self.groups + 1) * 2];
                &mut many[..]
            }
        };
        if self.regex.search_slots(input, slots).is_none() {
            return false;
        }
        captures.fill(self.groups + 1, |group| Some((slots[group * 2]?.get(), slots[group * 2 + 1]?.get())));
        true
    }
}

//! Both engines on the same random patterns and haystacks.

use super::engine::{Linear, Text};
use super::first::FirstBytes;
use crate::backtracking::Engine;
use crate::captures::Captures;
use crate::encoding::Encoding;
use crate::options::Options;
use crate::program::Limits;

/// A linear congruential generator: the same patterns in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.roll(choices.len() as u64) as usize]
    }

    fn pattern(&mut self, depth: u32) -> String {
        let branches = if self.roll(4) == 0 { 2 } else { 1 };
        let parts: Vec<String> = (0..branches).map(|_| self.branch(depth)).collect();
        parts.join("|")
    }

    fn branch(&mut self, depth: u32) -> String {
        (0..self.roll(4)).map(|_| self.piece(depth)).collect()
    }

    fn piece(&mut self, depth: u32) -> String {
        let atom = match self.roll(if depth == 0 { 3 } else { 7 }) {
            0..=1 => self.pick(&["a", "b", "c", "é", "\\n", "S", "k", "t", "f", "\\0"]).to_owned(),
            2 => {
                let anchors = [
                    "^", "$", "\\A", "\\z", "\\b", "\\B", ".", "\\w", "\\W", "\\s", "[ab]", "[^a]", "[a-c&&[^b]]",
                    "[[:space:]a]", "[\\Wb]", "[\\h-]", "[-b]", "(?i)", "(?m)", "\\Z", "\\K", "\\G", "\\p{L}",
                    "\\P{Lower}", "[[:upper:]é]", "[^\\p{Alpha}]", "(?u)\\w", "(?a)\\b",
                ];
                self.pick(&anchors).to_owned()
            }
            3 => format!("({})", self.pattern(depth - 1)),
            4 => format!("(?:{})", self.pattern(depth - 1)),
            5 => {
                let sign = self.pick(&["?=", "?!", "?<=", "?<!", "?>"]);
                format!("({sign}{})", self.pattern(depth - 1))
            }
            _ => format!("(?i:{})", self.pattern(depth - 1)),
        };
        let repeat = self.pick(&[
            "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{2}?", "{2}{2}", "*+", "++", "?+",
        ]);
        atom + repeat
    }

    fn haystack(&mut self) -> String {
        let pieces =
            ["a", "b", "c", "A", "\n", " ", "é", "ab", "aa", "k", "\u{212a}", "s", "ſ", "ß", "ﬅ", "t", "f", "ﬀ"];
        (0..self.roll(9)).map(|_| self.pick(&pieces)).collect()
    }
}

#[test]
fn both_engines_find_the_same() {
    let mut dice = Dice(20_260_728);
    let (mut compared, mut taken, mut excluded) = (0, 0, 0);
    for round in 0..30_000 {
        let pattern = dice.pattern(3);
        let options = Options { ignore_case: round % 5 == 0, ..Options::default() };
        let Ok(engine) = Engine::compile(pattern.as_bytes(), Encoding::Utf8, options) else { continue };
        let linear = |text| Linear::compile(pattern.as_bytes(), options, text, engine.group_count());
        let (ascii, utf8) = (linear(Text::Ascii), linear(Text::Utf8));
        let first = FirstBytes::of(pattern.as_bytes(), options);
        taken += usize::from(utf8.is_some());
        for _ in 0..10 {
            let haystack = dice.haystack();
            if first.excludes(haystack.as_bytes(), 0) {
                let found = engine.match_at(haystack.as_bytes(), 0, &mut Captures::new(), &mut |_| Ok(()));
                assert!(!found.unwrap(), "{pattern:?} on {haystack:?}, round {round}");
                excluded += 1;
            }
            let linear = if haystack.is_ascii() { &ascii } else { &utf8 };
            let Some(linear) = linear.as_ref().filter(|linear| linear.is_for(haystack.as_bytes())) else { continue };
            let start = (0..=dice.roll(3) as usize).rev().find(|&at| haystack.is_char_boundary(at)).unwrap_or(0);
            let start = start.min(haystack.len());
            let call = format!("{pattern:?} on {haystack:?} from {start}, round {round}");
            check(&engine, linear, haystack.as_bytes(), start, &call);
            compared += 1;
        }
    }
    assert!(compared > 100_000 && taken > 10_000, "{compared} comparisons, {taken} patterns");
    assert!(excluded > 10_000, "{excluded} excluded");
}

#[test]
fn both_engines_find_the_same_in_binary_text() {
    let mut dice = Dice(20_261_123);
    let (mut compared, mut taken) = (0, 0);
    // The characters up to U+00FF represent the bytes.
    let bytes = |text: &str| text.chars().filter_map(|letter| u8::try_from(letter).ok()).collect::<Vec<u8>>();
    for round in 0..15_000 {
        let pattern = bytes(&dice.pattern(3));
        let options = Options { ignore_case: round % 5 == 0, ..Options::default() };
        let Ok(engine) = Engine::compile(&pattern, Encoding::Binary, options) else { continue };
        let Some(linear) = Linear::compile(&pattern, options, Text::Bytes, engine.group_count()) else { continue };
        taken += 1;
        for _ in 0..10 {
            let haystack = bytes(&dice.haystack());
            if linear.is_for(&haystack) {
                let start = (dice.roll(4) as usize).min(haystack.len());
                let call = format!("{pattern:?} on {haystack:?} from {start}, round {round}");
                check(&engine, &linear, &haystack, start, &call);
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000 && taken > 3_000, "{compared} comparisons, {taken} patterns");
}

#[test]
fn long_searches_continue_with_a_memo() {
    let text = "a".repeat(60) + "b";
    let spans = |pattern: &str, groups: usize| {
        let linear = Linear::compile(pattern.as_bytes(), Options::default(), Text::Ascii, groups).unwrap();
        assert!(!linear.is_fast());
        let mut found = Captures::new();
        let is_found = linear.search(text.as_bytes(), 0, text.len(), &mut found, Limits::default()).unwrap();
        is_found.then(|| found.spans.to_vec())
    };
    // Without a memo each of these would take 2 to the power of 60 steps.
    assert_eq!(spans("(?!x)(?:a|a)*c", 0), None);
    assert_eq!(spans("(?!x)((?:a|a)*)c|(b)", 2), Some(vec![(60, 61), (-1, -1), (60, 61)]));
    assert_eq!(spans("(?=(?:a|a)*b)(?:(?:a|a)*c|(?<=aa)(a))", 1), Some(vec![(2, 3), (2, 3)]));
}

/// Both engines find the same match at or after `start`, and the same at `start`.
fn check(engine: &Engine, linear: &Linear, haystack: &[u8], start: usize, call: &str) {
    let (mut expected, mut found) = (Captures::new(), Captures::new());
    for here in [false, true] {
        let (is_expected, is_found) = if here {
            let is_expected = engine.match_at(haystack, start, &mut expected, &mut |_| Ok(())).unwrap();
            (is_expected, linear.match_at(haystack, start, &mut found, Limits::default()).unwrap())
        } else {
            let end = haystack.len();
            let is_expected = engine.search(haystack, start, end, &mut expected, false, &mut |_| Ok(())).unwrap();
            (is_expected, linear.search(haystack, start, end, &mut found, Limits::default()).unwrap())
        };
        assert!(!(here && is_expected && linear.excludes(haystack, start)), "{call}");
        assert_eq!(is_found, is_expected, "{call}, at that position only: {here}: {found:?} {expected:?}");
        if is_found {
            let compared = if linear.exact_groups { expected.spans.len() } else { 1 };
            assert_eq!(found.spans[..], expected.spans[..compared], "{call}, at that position only: {here}");
        }
    }
}

//! Searches that backtrack without end: automata, deadlines, interrupts.

mod support;

use regexp::{Captures, Content, Encoding, Haystack, Limits, MatchError, Program};
use std::cell::Cell;
use std::time::{Duration, Instant};
use support::compile;

fn search(program: &Program, text: &str, limits: Limits) -> Result<Option<Vec<(isize, isize)>>, MatchError> {
    let mut captures = Captures::new();
    let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content: Content::Unknown };
    let found = program.search(haystack, 0, text.len(), &mut captures, limits)?;
    Ok(found.then_some(captures.spans.to_vec()))
}

#[test]
fn exponential_patterns_become_linear() {
    let begun = Instant::now();
    let many = "a".repeat(50_000);
    for (source, text, expected) in [
        (r"\A(a|a)*\z", many.clone() + "b", None),
        (r"\A(a|a)*\z", many.clone(), Some(vec![(0, 50_000), (49_999, 50_000)])),
        (r"\A(a|a)*\z", many.clone() + "é", None),
        (r"^(\w+)+$", many.clone() + "!", None),
        (r"(a*)*b", many.clone() + "c", None),
        (r"^a*b?a*$", many.clone() + "x", None),
        (r"a*b", many.clone(), None),
        (r"(x+x+)+y", "x".repeat(50_000), None),
        (r"\s+\z", " ".repeat(50_000) + "é", None),
        (r"(?i)(k|K)*z", "k".repeat(50_000), None),
        (r"(\p{L}+)+$", many.clone() + "!", None),
        (r"([[:alpha:]]+)+\Z", many.clone() + "!", None),
        (r"(?=(?:a+)+$)x", many.clone() + "!", None),
        (r"(?<!a)(?:a|aa)+$", many.clone() + "!", None),
        (r"(?>a+)+b", many.clone() + "!", None),
        (r"a*+a", many.clone() + "!", None),
        (r"[a-z]++[0-9]", many.clone() + "!", None),
        (r"[a-z]+[0-9]", many.clone() + "!", None),
        (r"\G(?:a|a)*z", many.clone() + "!", None),
        (r"\b(\w+\s?)+\b$", "é".to_owned() + &many + "!", None),
        (r"(a|a)*\K\z", many.clone(), Some(vec![(50_000, 50_000), (49_999, 50_000)])),
        (r"(?:(?=a)a|a)*\z", many.clone(), Some(vec![(0, 50_000)])),
    ] {
        assert_eq!(search(&compile(source, ""), &text, Limits::default()), Ok(expected), "{source}");
    }
    // With backtracking, this would take minutes at least.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn match_at_becomes_linear_too() {
    let text = "a".repeat(30_000) + "b";
    let program = compile(r"(a|a)*\z", "");
    let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content: Content::Ascii };
    assert_eq!(program.match_at(haystack, 0, &mut Captures::new(), Limits::default()), Ok(false));
}

#[test]
fn a_deadline_ends_a_search() {
    for source in [r"\A(a|a)*\1?\z", r"(?=(a|a)*\z)a", r"(?>(a|a)*b)?\1"] {
        let program = compile(source, "");
        let text = "a".repeat(if source.contains('?') { 40 } else { 50_000 }) + "b";
        let begun = Instant::now();
        let limits = Limits { deadline: Some(begun + Duration::from_millis(50)), interrupt: None };
        let found = search(&program, &text, limits);
        assert!(begun.elapsed() < Duration::from_secs(5), "{source}: {:?}", begun.elapsed());
        if source.starts_with(r"\A") {
            assert_eq!(found, Err(MatchError::Timeout), "{source}");
        }
    }
    // Two patterns that ruby/spec expects to time out in a millisecond.
    let text = "a".repeat(1_000_000) + "x";
    for source in ["^(a*)*$", "^a*b?a*$"] {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(1)), interrupt: None };
        assert_eq!(search(&compile(source, ""), &text, limits), Err(MatchError::Timeout), "{source}");
    }
}

#[test]
fn an_interrupt_ends_a_search() {
    let checks = Cell::new(0);
    let interrupt = || {
        checks.set(checks.get() + 1);
        checks.get() > 3
    };
    let limits = Limits { deadline: None, interrupt: Some(&interrupt) };
    let text = "a".repeat(50) + "b";
    assert_eq!(search(&compile(r"\A(a|a)*\1?\z", ""), &text, limits), Err(MatchError::Interrupted));
    assert_eq!(checks.get(), 4);
}

#[test]
fn long_backward_searches_check_interrupts() {
    let text = "é".repeat(20_000) + "x" + &"é".repeat(20_000);
    assert_eq!(support::rfind("x", "", &text), Some((40_000, 40_001)));
    assert_eq!(support::rfind("y", "", &text), None);
    let checks = Cell::new(0);
    let interrupt = || {
        checks.set(checks.get() + 1);
        false
    };
    let limits = Limits { deadline: None, interrupt: Some(&interrupt) };
    let haystack = Haystack { bytes: text.as_bytes(), encoding: Encoding::Utf8, content: Content::Valid };
    let found = compile("y", "").search(haystack, text.len() - 2, 0, &mut Captures::new(), limits);
    assert_eq!(found, Ok(false));
    assert!(checks.get() > 1);
}

#[test]
fn which_patterns_linear_time_names() {
    for (source, expected) in [
        ("a", true),
        (r"(a)\1", false),
        (r"(?<a>x)\g<a>", false),
        ("(?~ab)", false),
        ("(a)?(?(1)b|c)", false),
        (r"a\Kb", true),
        (r"\G[-+]\p{L}++(?<=a|bc)\Z", true),
        (r"(?i)solaris", true),
        // `ß` is matched too, which only Oniguruma does.
        (r"(?i)ss", false),
        (r"\X", false),
        ("a*(?:(?=a*)a)*b", true),
        ("a*(?:(?<!a)a*)*b", true),
        ("(?=(a))b", false),
        ("(?=a*(?=b))c", false),
        ("a*(?:(?>a)a*)*b", true),
        ("[\\1]", true),
    ] {
        assert_eq!(compile(source, "").is_linear_time(), expected, "{source}");
    }
}

#[test]
fn deep_nesting_compiles_on_a_small_stack() {
    let work = || {
        let deep = "(".repeat(2000) + "a" + &")".repeat(2000);
        assert_eq!(support::find(&deep, "", "ba"), Some((1, 2)));
        let deeper = "(".repeat(5000) + "a" + &")".repeat(5000);
        assert_eq!(support::error(&deeper), "parse depth limit over");
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(work).unwrap().join().unwrap();
}

#[test]
fn programs_are_shared_between_threads() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let program = shared(compile(r"(\w+)-(\w+)", ""));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    assert!(search(&program, "é ab-cd", Limits::default()).unwrap().is_some());
                }
            });
        }
    });
}

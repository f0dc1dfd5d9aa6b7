//! Quantifiers, and the reduction of nested ones.

/// The quantifiers that are simplified when nested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    Question,
    Star,
    Plus,
    LazyQuestion,
    LazyStar,
    LazyPlus,
}

impl Repeat {
    pub(super) fn name(self) -> &'static str {
        match self {
            Repeat::Question => "?",
            Repeat::Star => "*",
            Repeat::Plus => "+",
            Repeat::LazyQuestion => "??",
            Repeat::LazyStar => "*?",
            Repeat::LazyPlus => "+?",
        }
    }

    /// The quantifier that replaces a repetition of a repetition, if there is one; an empty text if the outer one adds
    /// nothing.
    pub(super) fn nested_in(self, outer: Repeat) -> Option<&'static str> {
        use Repeat::{LazyPlus, LazyQuestion, LazyStar, Plus, Question, Star};
        Some(match (self, outer) {
            (Question, LazyPlus) | (Plus, LazyQuestion) | (LazyPlus, Question | Star | Plus) => return None,
            (Question, Star | Plus) | (Plus, Question | Star) => "*",
            (Question, LazyQuestion) => "??",
            (Question, LazyStar) | (LazyQuestion, Star | Plus | LazyStar | LazyPlus) => "*?",
            (LazyPlus, LazyQuestion | LazyStar) => "*?",
            (Star, LazyQuestion | LazyStar) | (Plus, LazyStar) => "+ and ??",
            _ => "",
        })
    }
}

/// `{2,5}` and the like: length and bounds.
pub(super) fn interval(text: &[u8]) -> Option<(usize, u32, Option<u32>)> {
    let length = text.iter().take(24).position(|&byte| byte == b'}')?;
    let inside = std::str::from_utf8(&text[1..length]).ok()?;
    Some(match inside.split_once(',') {
        None => {
            let count = inside.parse().ok()?;
            (length + 1, count, Some(count))
        }
        Some(("", max)) => (length + 1, 0, Some(max.parse().ok()?)),
        Some((min, "")) => (length + 1, min.parse().ok()?, None),
        Some((min, max)) => (length + 1, min.parse().ok()?, Some(max.parse().ok()?)),
    })
}

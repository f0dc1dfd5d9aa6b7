//! A memoizing backtracking matcher for what automata cannot express: look-around, atomic groups, possessive
//! repetitions, `\K`, Unicode word boundaries. It runs in time linear in the haystack, because it records at which
//! positions each choice failed and never tries one twice. It supports the patterns on which it agrees with Oniguruma,
//! and is used only after a search with Oniguruma turned out to be slow.
//!
//! Children: `program` (the compiled form), `search`.

mod program;
mod search;

pub(super) use program::Program;

//! A memoizing backtracking matcher for what automata cannot express: look-around, atomic groups, possessive
//! repetitions, `\K`, Unicode word boundaries. It runs in time linear in the haystack, because it records at which
//! positions each choice failed and never tries one twice; only the first steps of a search are made without a record.
//! It supports the patterns on which it agrees with Oniguruma, and is used after a search with Oniguruma turned out to
//! be slow, or if it is faster in a pattern's frequent searches.
//!
//! Children: `program` (the compiled form), `search`.

mod program;
mod search;

pub(super) use program::Program;

//! Backtracking that remembers: what no automaton finds, look-around, atomic groups, possessive repetitions, `\K`, word
//! boundaries of Unicode, still in time linear in the haystack. It is noted at which places of the haystack which way
//! on failed, so that none is gone twice. The trees are those that Oniguruma matches alike; it comes in only where a
//! search with Oniguruma turned out to be slow.
//!
//! Children: `program` (what a tree is compiled to), `search`.

mod program;
mod search;

pub(super) use program::Program;

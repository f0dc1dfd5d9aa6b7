//! The engine for patterns that a finite automaton can match: `regex-automata`, in time linear in the haystack.
//!
//! A pattern is accepted only if the result is the same as Oniguruma's, captures included; docs/regexp.md lists the
//! exclusions. Compiling an automaton costs much more than compiling for Oniguruma, so it is compiled only after a slow
//! search or many searches.
//!
//! Children: `ast` (the accepted syntax), `parser` (of Ruby's syntax), `sets` (of characters), `hir` (lowering for the
//! automaton), `memo` (the memoizing matcher), `start` (where a match may begin), `first` (with which characters),
//! `engine`.

mod ast;
mod engine;
mod first;
mod hir;
mod memo;
mod parser;
mod sets;
mod start;
#[cfg(test)]
mod tests;

pub(crate) use engine::{Linear, Text};
pub(crate) use first::FirstBytes;

//! The engine for patterns whose matches a finite automaton finds: `regex-automata`, in time linear in the haystack.
//!
//! A pattern is taken only if its result there is the same as Oniguruma's, captures included; what that rules out is
//! listed in docs/regexp.md. Compiling an automaton costs much more than compiling for Oniguruma, so this engine is
//! made only once a search turns out to be slow, or there were many.
//!
//! Children: `ast` (what is taken), `parser` (from Ruby's syntax), `sets` (of characters), `hir` (to the automaton's
//! form), `memo` (for what no automaton finds), `engine`.

mod ast;
mod engine;
mod hir;
mod memo;
mod parser;
mod sets;
#[cfg(test)]
mod tests;

pub(crate) use engine::{Linear, Text};

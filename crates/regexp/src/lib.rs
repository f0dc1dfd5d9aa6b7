//! Ruby's regular expressions, without a `Value`.
//!
//! [`Program::compile`] takes a pattern's source, [`Program::search`] finds it in a [`Haystack`]. Differences to
//! CRuby's engine are listed in docs/regexp.md. Children: `program` (what the outside uses), `preprocess` (escapes and
//! the pattern's encoding), `syntax` (shared knowledge of the syntax), `cache` (programs that come again),
//! `backtracking` (the engine for all of it), `linear` (the engine for what automata can match), `warnings`.
#![forbid(unsafe_code)]

mod backtracking;
mod cache;
mod captures;
mod encoding;
mod error;
mod linear;
mod options;
mod preprocess;
mod program;
mod syntax;
mod warnings;

pub use captures::Captures;
pub use encoding::Encoding;
pub use error::{CompileError, MatchError};
pub use options::Options;
pub use program::{Content, GroupName, Haystack, Limits, Program};
pub use warnings::Warning;

//! Ruby's regular expressions, without a `Value`.
//!
//! [`Program::compile`] takes a pattern's source, [`Program::search`] finds it in a [`Haystack`]. Differences from
//! CRuby's engine are listed in docs/regexp.md. Children: `program` (the interface), `preprocess` (escapes and the
//! pattern's encoding), `syntax` (shared by both engines), `cache` (recent programs), `backtracking` (the engine for
//! the whole syntax), `linear` (the engine for patterns that automata can match), `warnings`.
#![forbid(unsafe_code)]

#[macro_use]
extern crate memory;

mod backtracking;
mod cache;
mod captures;
mod encoding;
mod error;
mod linear;
mod literal;
mod options;
mod plain;
mod preprocess;
mod program;
mod syntax;
mod trial;
mod warnings;

pub use captures::Captures;
pub use encoding::Encoding;
pub use error::{CompileError, MatchError};
pub use options::Options;
pub use program::{Content, GroupName, Haystack, Limits, Program, error_of_part};
pub use warnings::{Warning, may_warn};

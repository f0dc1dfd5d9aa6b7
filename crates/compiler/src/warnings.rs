//! Prism's warnings as they are printed, with their level.

use memory::Grow;
use ruby_prism::ParseResult;

use crate::options::Options;

/// Prefixes and suffixes of the messages that appear without `-w`.
const ALWAYS: &[(&str, &str)] = &[
    ("... at EOL, should be parenthesized?", ""),
    ("key ", ""),
    ("found '= literal' in conditional, should be ==", ""),
    ("found `= literal' in conditional, should be ==", ""),
    ("END in method; use at_exit", ""),
    ("integer literal in flip-flop", ""),
    ("invalid character syntax; use ", ""),
    ("'$", " is too big for a number variable, always nil"),
    ("string literal in ", ""),
    ("regex literal in ", ""),
    ("shebang line ending with \\r may cause problems", ""),
    ("encountered \\r in middle of line, treated as a mere space", ""),
];

/// Text (with path and line, without a newline) and whether it is shown only with `-w`.
pub(crate) fn of(result: &ParseResult<'_>, options: &Options) -> Vec<(String, bool)> {
    let mut list = Vec::new();
    for warning in result.warnings() {
        let message = memory::lossy_text(warning.message());
        let verbose = !ALWAYS.iter().any(|(start, end)| message.starts_with(start) && message.ends_with(end));
        let line = warning.location().start_line();
        list.append_one((format!("{}:{line}: warning: {message}", options.path), verbose));
    }
    list
}

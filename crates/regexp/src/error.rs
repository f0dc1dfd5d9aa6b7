//! The reasons why a pattern does not compile, and why a search ends without a result.

use std::fmt;

/// The message of Ruby's RegexpError, without the `: /source/` that the caller appends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    pub message: String,
    /// Whether the error is an invalid escape or character, which Ruby finds before the engine does.
    pub in_text: bool,
}

impl CompileError {
    pub(crate) fn in_text(self) -> CompileError {
        // Parts that do not fit together are an error of the whole pattern.
        CompileError { in_text: !self.message.ends_with(" regexp"), ..self }
    }

    pub(crate) fn new(message: impl Into<String>) -> CompileError {
        CompileError { message: message.into(), in_text: false }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// Regexp::TimeoutError, "regexp match timeout".
    Timeout,
    /// The interrupt check returned true: the caller handles its interrupt and may search again.
    Interrupted,
    /// RegexpError, "Stack overflow in regexp matcher": backtracking would need more memory than it may have.
    StackOverflow,
    /// ArgumentError, "invalid byte sequence in …": the haystack is broken.
    InvalidBytes,
    /// The pattern can't be compiled for the haystack's encoding: RegexpError with this message.
    Compile(CompileError),
    /// RegexpError with Oniguruma's message.
    Engine(String),
}

impl fmt::Display for MatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Timeout => out.write_str("regexp match timeout"),
            MatchError::Interrupted => out.write_str("interrupted"),
            MatchError::StackOverflow => out.write_str("Stack overflow in regexp matcher"),
            MatchError::InvalidBytes => out.write_str("invalid byte sequence"),
            MatchError::Compile(error) => error.fmt(out),
            MatchError::Engine(message) => out.write_str(message),
        }
    }
}

impl std::error::Error for MatchError {}

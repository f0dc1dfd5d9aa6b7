//! The options of upcase, downcase, swapcase and capitalize.

use super::CaseMapping;

/// The options given to a case method as symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseOptions {
    /// Whether only A to Z and a to z are mapped.
    pub ascii: bool,
    /// Whether i and İ, ı and I are pairs.
    pub turkic: bool,
    /// Accepted without effect, as in Ruby.
    pub lithuanian: bool,
    /// Whether to fold instead of mapping to lower case.
    pub fold: bool,
}

/// Why the options are invalid; all raise ArgumentError with [`CaseOptionError::message`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CaseOptionError {
    TooMany,
    InvalidSecond,
    Invalid,
    FoldNotDowncasing,
}

impl CaseOptionError {
    /// Ruby's message.
    pub fn message(self) -> &'static str {
        match self {
            CaseOptionError::TooMany => "too many options",
            CaseOptionError::InvalidSecond => "invalid second option",
            CaseOptionError::Invalid => "invalid option",
            CaseOptionError::FoldNotDowncasing => "option :fold only allowed for downcasing",
        }
    }
}

impl CaseOptions {
    /// The options with these names; an argument that is no Symbol is passed as `""`.
    pub fn parse(names: &[&str], mapping: CaseMapping) -> Result<CaseOptions, CaseOptionError> {
        let none = CaseOptions::default();
        let both = CaseOptions { turkic: true, lithuanian: true, ..none };
        match names {
            [] => Ok(none),
            [_, _, _, ..] => Err(CaseOptionError::TooMany),
            ["turkic"] => Ok(CaseOptions { turkic: true, ..none }),
            ["lithuanian"] => Ok(CaseOptions { lithuanian: true, ..none }),
            ["turkic", "lithuanian"] | ["lithuanian", "turkic"] => Ok(both),
            ["turkic" | "lithuanian", _] => Err(CaseOptionError::InvalidSecond),
            [_, _] => Err(CaseOptionError::TooMany),
            ["ascii"] => Ok(CaseOptions { ascii: true, ..none }),
            ["fold"] if mapping == CaseMapping::Down => Ok(CaseOptions { fold: true, ..none }),
            ["fold"] => Err(CaseOptionError::FoldNotDowncasing),
            [_] => Err(CaseOptionError::Invalid),
        }
    }
}

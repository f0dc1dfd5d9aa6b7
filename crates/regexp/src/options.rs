//! The options of `Regexp.new` and of literals.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// `i`
    pub ignore_case: bool,
    /// `m`: a dot matches newlines too.
    pub multi_line: bool,
    /// `x`
    pub extended: bool,
    /// `u`, `e`, `s` and Regexp::FIXEDENCODING.
    pub fixed_encoding: bool,
    /// `n` and Regexp::NOENCODING.
    pub no_encoding: bool,
}

impl Options {
    const IGNORECASE: i64 = 1;
    const EXTENDED: i64 = 2;
    const MULTILINE: i64 = 4;
    const FIXEDENCODING: i64 = 16;
    const NOENCODING: i64 = 32;

    /// From the bits of Ruby's constants.
    pub fn from_bits(bits: i64) -> Options {
        Options {
            ignore_case: bits & Self::IGNORECASE != 0,
            multi_line: bits & Self::MULTILINE != 0,
            extended: bits & Self::EXTENDED != 0,
            fixed_encoding: bits & Self::FIXEDENCODING != 0,
            no_encoding: bits & Self::NOENCODING != 0,
        }
    }
}

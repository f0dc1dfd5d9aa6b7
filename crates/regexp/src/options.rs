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
    /// The bits of Ruby's constants.
    pub const IGNORECASE: u8 = 1;
    pub const EXTENDED: u8 = 2;
    pub const MULTILINE: u8 = 4;
    pub const FIXEDENCODING: u8 = 16;
    pub const NOENCODING: u8 = 32;

    /// From the bits of Ruby's constants.
    pub fn from_bits(bits: i64) -> Options {
        let has = |bit: u8| bits & i64::from(bit) != 0;
        Options {
            ignore_case: has(Self::IGNORECASE),
            multi_line: has(Self::MULTILINE),
            extended: has(Self::EXTENDED),
            fixed_encoding: has(Self::FIXEDENCODING),
            no_encoding: has(Self::NOENCODING),
        }
    }
}

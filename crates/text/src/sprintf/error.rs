//! Errors in a format.

/// The reason why formatting failed: ArgumentError with [`FormatError::message`]; `NoMemory` is NoMemoryError.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FormatError {
    IncompleteSpecifier,
    /// The character after `%`, if it is printable.
    Malformed(Option<u8>),
    MalformedNumber,
    UnmatchedParenthesis,
    FlagAfterWidth,
    FlagAfterPrecision,
    WidthTwice,
    WidthAfterPrecision,
    PrecisionTwice,
    WidthTooBig,
    PrecisionTooBig,
    /// The number of the argument that has the precision.
    PrecisionPlaceTooBig,
    ValueTwice(i32),
    InvalidIndex(i32),
    /// The name with its brackets, and the name before it.
    NameTwice(Vec<u8>, Vec<u8>),
    UnnumberedMixedWithNumbered(i32),
    UnnumberedMixedWithNamed(i32),
    NumberedAfterUnnumbered(i32, i32),
    NumberedAfterNamed(i32),
    /// The name with its brackets.
    NamedAfterUnnumbered(Vec<u8>, i32),
    /// The name with its brackets.
    NamedAfterNumbered(Vec<u8>),
    OneHashRequired,
    TooFewArguments,
    InvalidPercent,
    NoMemory,
}

impl FormatError {
    /// Ruby's message, in the encoding of the format.
    pub fn message(&self) -> Vec<u8> {
        use FormatError::*;
        let text = match self {
            NameTwice(name, before) => {
                return [&b"named"[..], name, b" after <", before, b">"].concat();
            }
            NamedAfterUnnumbered(name, at) => {
                let rest = format!(" after unnumbered({at})");
                return [&b"named"[..], name, rest.as_bytes()].concat();
            }
            NamedAfterNumbered(name) => {
                return [&b"named"[..], name, b" after numbered"].concat();
            }
            Malformed(Some(byte)) => format!("malformed format string - %{}", char::from(*byte)),
            ValueTwice(at) => format!("value given twice - {at}$"),
            InvalidIndex(at) => format!("invalid index - {at}$"),
            UnnumberedMixedWithNumbered(at) => format!("unnumbered({at}) mixed with numbered"),
            UnnumberedMixedWithNamed(at) => format!("unnumbered({at}) mixed with named"),
            NumberedAfterUnnumbered(at, last) => {
                format!("numbered({at}) after unnumbered({last})")
            }
            NumberedAfterNamed(at) => format!("numbered({at}) after named"),
            _ => self.fixed_message().to_owned(),
        };
        text.into_bytes()
    }

    fn fixed_message(&self) -> &'static str {
        use FormatError::*;
        match self {
            IncompleteSpecifier => "incomplete format specifier; use %% (double %) instead",
            MalformedNumber => "malformed format string - %*[0-9]",
            UnmatchedParenthesis => "malformed name - unmatched parenthesis",
            FlagAfterWidth => "flag after width",
            FlagAfterPrecision => "flag after precision",
            WidthTwice => "width given twice",
            WidthAfterPrecision => "width after precision",
            PrecisionTwice => "precision given twice",
            WidthTooBig => "width too big",
            PrecisionTooBig => "precision too big",
            PrecisionPlaceTooBig => "prec too big",
            OneHashRequired => "one hash required",
            TooFewArguments => "too few arguments",
            InvalidPercent => "invalid format character - %",
            NoMemory => "failed to allocate memory",
            _ => "malformed format string",
        }
    }
}

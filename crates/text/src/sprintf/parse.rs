//! Parsing a format into literal text and directives, with errors at the point where Ruby reports them.

use super::FormatError;
use crate::encoding::{EncodingId, char_len_or_min};
use memory::ToVector;

/// The flags of a directive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `-`
    pub minus: bool,
    /// `+`
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `0`
    pub zero: bool,
    /// `#`
    pub sharp: bool,
}

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument<'a> {
    /// The argument at this index (0 is the first after the format); it exists.
    Positional(usize),
    /// The value of this key in the hash argument. If the key is missing, the hash's default is used; without a default
    /// it raises KeyError "key<name> not found", with the brackets as in `text`.
    Named {
        /// The key.
        name: &'a [u8],
        /// The key with its brackets.
        text: &'a [u8],
    },
}

/// A width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A literal number.
    Literal(i32),
    /// `*`: the argument at this index, as an int.
    Argument(usize),
}

/// One `%…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directive<'a> {
    /// The flags.
    pub flags: Flags,
    /// The width, if there is one.
    pub width: Option<Count>,
    /// The precision, if there is one.
    pub precision: Option<Count>,
    /// The value to write.
    pub argument: Argument<'a>,
    /// One of `csp diuoxXbB fgGeEaA`; `%{name}` is an `s`.
    pub conversion: u8,
}

/// A directive whose width and precision are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// The flags.
    pub flags: Flags,
    /// The minimum number of characters.
    pub width: Option<usize>,
    /// The precision.
    pub precision: Option<usize>,
}

impl Directive<'_> {
    /// The spec with resolved counts: `fetch` returns the argument at an index as an int (the width is fetched first).
    /// A negative width means `-`, a negative precision none.
    pub fn resolve<E: From<FormatError>>(&self, mut fetch: impl FnMut(usize) -> Result<i32, E>) -> Result<Spec, E> {
        let mut spec = Spec { flags: self.flags, width: None, precision: None };
        let mut count = |count: Option<Count>| {
            Ok::<_, E>(match count {
                None => None,
                Some(Count::Literal(value)) => Some(value),
                Some(Count::Argument(index)) => Some(fetch(index)?),
            })
        };
        if let Some(width) = count(self.width)? {
            if width == i32::MIN {
                return Err(FormatError::WidthTooBig.into());
            }
            spec.flags.minus |= width < 0;
            spec.width = Some(width.unsigned_abs() as usize);
        }
        spec.precision = count(self.precision)?.and_then(|value| usize::try_from(value).ok());
        Ok(spec)
    }
}

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Literal text.
    Literal(&'a [u8]),
    /// Something to be written.
    Directive(Directive<'a>),
}

/// How arguments have been referenced so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taking {
    /// Sequentially; the number consumed.
    InTurn(i32),
    Numbered,
    Named,
}

/// Reads a format of an ASCII compatible encoding.
#[derive(Clone, Debug)]
pub struct Parser<'a> {
    encoding: EncodingId,
    format: &'a [u8],
    at: usize,
    arguments: usize,
    taking: Taking,
    next: i32,
}

/// The directive being read.
#[derive(Default)]
struct Partial<'a> {
    flags: Flags,
    any: bool,
    width: Option<Count>,
    precision: Option<Count>,
    argument: Option<Argument<'a>>,
    name: Option<&'a [u8]>,
}

impl<'a> Parser<'a> {
    /// A reader of `format` for `arguments` arguments.
    pub fn new(encoding: EncodingId, format: &'a [u8], arguments: usize) -> Parser<'a> {
        Parser { encoding, format, at: 0, arguments, taking: Taking::InTurn(0), next: 1 }
    }

    /// Whether arguments are unused: a warning "too many arguments for format string" in verbose mode, unless the only
    /// argument is a hash.
    pub fn has_unused_arguments(&self) -> bool {
        matches!(self.taking, Taking::InTurn(_)) && (self.next as usize) <= self.arguments
    }

    /// The next part; `None` at the end.
    pub fn next_piece(&mut self) -> Result<Option<Piece<'a>>, FormatError> {
        let rest = &self.format[self.at..];
        match memchr::memchr(b'%', rest) {
            _ if rest.is_empty() => Ok(None),
            Some(at) if at + 1 == rest.len() => Err(FormatError::IncompleteSpecifier),
            Some(0) => {
                self.at += 1;
                self.directive().map(Some)
            }
            found => {
                let literal = &rest[..found.unwrap_or(rest.len())];
                self.at += literal.len();
                Ok(Some(Piece::Literal(literal)))
            }
        }
    }

    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn directive(&mut self) -> Result<Piece<'a>, FormatError> {
        let mut partial = Partial::default();
        loop {
            match self.peek() {
                b' ' => partial.flag(|flags| &mut flags.space)?,
                b'#' => partial.flag(|flags| &mut flags.sharp)?,
                b'+' => partial.flag(|flags| &mut flags.plus)?,
                b'-' => partial.flag(|flags| &mut flags.minus)?,
                b'0' => partial.flag(|flags| &mut flags.zero)?,
                b'1'..=b'9' => {
                    self.digits(&mut partial)?;
                    continue;
                }
                b'*' => {
                    partial.check_width()?;
                    partial.width = Some(self.star(FormatError::WidthTooBig)?);
                }
                b'.' => {
                    if partial.precision.is_some() {
                        return Err(FormatError::PrecisionTwice);
                    }
                    self.at += 1;
                    if self.peek() != b'*' {
                        let value = self.number(FormatError::PrecisionTooBig)?;
                        partial.precision = Some(Count::Literal(value));
                        continue;
                    }
                    partial.precision = Some(self.star(FormatError::PrecisionPlaceTooBig)?);
                }
                b'<' => self.name(&mut partial, b'>')?,
                b'{' => {
                    self.name(&mut partial, b'}')?;
                    return self.finish(partial, b's');
                }
                b'%' if partial.any || partial.width.is_some() || partial.precision.is_some() => {
                    return Err(FormatError::InvalidPercent);
                }
                b'%' => {
                    self.at += 1;
                    return Ok(Piece::Literal(b"%"));
                }
                conversion @ (b'c' | b's' | b'p' | b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' | b'f'
                | b'g' | b'G' | b'e' | b'E' | b'a' | b'A') => {
                    return self.finish(partial, conversion);
                }
                byte @ 0x20..=0x7E => return Err(FormatError::Malformed(Some(byte))),
                _ => return Err(FormatError::Malformed(None)),
            }
            self.at += 1;
        }
    }

    fn finish(&mut self, partial: Partial<'a>, conversion: u8) -> Result<Piece<'a>, FormatError> {
        let argument = match partial.argument {
            Some(argument) => argument,
            None => Argument::Positional(self.take_next()?),
        };
        self.at += 1;
        let Partial { flags, width, precision, .. } = partial;
        Ok(Piece::Directive(Directive { flags, width, precision, argument, conversion }))
    }

    /// A width, or the number of an argument.
    fn digits(&mut self, partial: &mut Partial<'a>) -> Result<(), FormatError> {
        let value = self.number(FormatError::WidthTooBig)?;
        if self.peek() != b'$' {
            partial.check_width()?;
            partial.width = Some(Count::Literal(value));
            return Ok(());
        }
        if partial.argument.is_some() {
            return Err(FormatError::ValueTwice(value));
        }
        partial.argument = Some(Argument::Positional(self.take_numbered(value)?));
        self.at += 1;
        Ok(())
    }

    /// Digits, possibly none; something must follow them.
    fn number(&mut self, too_big: FormatError) -> Result<i32, FormatError> {
        let mut value = 0i32;
        while let Some(byte @ b'0'..=b'9') = self.format.get(self.at) {
            let next = value.checked_mul(10).and_then(|v| v.checked_add(i32::from(byte - b'0')));
            value = next.ok_or_else(|| too_big.clone())?;
            self.at += 1;
        }
        if self.at >= self.format.len() { Err(FormatError::MalformedNumber) } else { Ok(value) }
    }

    /// `*` or `*n$`; ends on its last byte.
    fn star(&mut self, too_big: FormatError) -> Result<Count, FormatError> {
        let star = self.at;
        self.at += 1;
        let value = self.number(too_big)?;
        if self.peek() == b'$' {
            return Ok(Count::Argument(self.take_numbered(value)?));
        }
        self.at = star;
        Ok(Count::Argument(self.take_next()?))
    }

    /// `<name>` or `{name}`; ends on the closing bracket.
    fn name(&mut self, partial: &mut Partial<'a>, close: u8) -> Result<(), FormatError> {
        let start = self.at;
        while self.at < self.format.len() && self.format[self.at] != close {
            self.at += char_len_or_min(self.encoding, &self.format[self.at..]);
        }
        if self.at >= self.format.len() {
            return Err(FormatError::UnmatchedParenthesis);
        }
        let text = &self.format[start..=self.at];
        if let Some(before) = partial.name {
            return Err(FormatError::NameTwice(text.to_vector(), before.to_vector()));
        }
        match self.taking {
            Taking::InTurn(last @ 1..) => {
                return Err(FormatError::NamedAfterUnnumbered(text.to_vector(), last));
            }
            Taking::Numbered => return Err(FormatError::NamedAfterNumbered(text.to_vector())),
            _ => self.taking = Taking::Named,
        }
        if self.arguments != 1 {
            return Err(FormatError::OneHashRequired);
        }
        let name = &text[1..text.len() - 1];
        partial.name = Some(name);
        partial.argument = Some(Argument::Named { name, text });
        Ok(())
    }

    fn take_next(&mut self) -> Result<usize, FormatError> {
        match self.taking {
            Taking::Numbered => return Err(FormatError::UnnumberedMixedWithNumbered(self.next)),
            Taking::Named => return Err(FormatError::UnnumberedMixedWithNamed(self.next)),
            Taking::InTurn(_) => self.taking = Taking::InTurn(self.next),
        }
        self.next += 1;
        self.existing(self.next - 1)
    }

    fn take_numbered(&mut self, number: i32) -> Result<usize, FormatError> {
        match self.taking {
            Taking::InTurn(last @ 1..) => {
                return Err(FormatError::NumberedAfterUnnumbered(number, last));
            }
            Taking::Named => return Err(FormatError::NumberedAfterNamed(number)),
            _ if number < 1 => return Err(FormatError::InvalidIndex(number)),
            _ => self.taking = Taking::Numbered,
        }
        self.existing(number)
    }

    fn existing(&self, number: i32) -> Result<usize, FormatError> {
        match usize::try_from(number - 1) {
            Ok(index) if index < self.arguments => Ok(index),
            _ => Err(FormatError::TooFewArguments),
        }
    }
}

impl Partial<'_> {
    fn flag(&mut self, pick: fn(&mut Flags) -> &mut bool) -> Result<(), FormatError> {
        if self.width.is_some() {
            return Err(FormatError::FlagAfterWidth);
        }
        if self.precision.is_some() {
            return Err(FormatError::FlagAfterPrecision);
        }
        *pick(&mut self.flags) = true;
        self.any = true;
        Ok(())
    }

    fn check_width(&self) -> Result<(), FormatError> {
        if self.width.is_some() {
            Err(FormatError::WidthTwice)
        } else if self.precision.is_some() {
            Err(FormatError::WidthAfterPrecision)
        } else {
            Ok(())
        }
    }
}

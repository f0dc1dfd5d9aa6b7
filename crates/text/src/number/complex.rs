//! Complex numbers: Complex("…") and String#to_c.

use super::float::parse_float;
use super::integer::{IntegerText, parse_integer};
use super::rational::{RationalText, parse_rational};
use super::{is_space, trim_start};
use memory::Grow;

/// A real number as written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum NumberText {
    Integer(IntegerText),
    Float(f64),
    Rational(RationalText),
}

/// A complex number as written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ComplexText {
    /// `real+imaginary i`.
    Rectangular { real: NumberText, imaginary: NumberText },
    /// `absolute@argument`.
    Polar { absolute: NumberText, argument: NumberText },
}

/// `Complex(text)`: the whole text must be a complex number; `None` is ArgumentError "invalid value for convert(): %p"
/// (or "string contains null byte" if it has a zero byte).
pub fn parse_complex_strict(text: &[u8]) -> Option<ComplexText> {
    let mut reader = Reader { rest: trim_start(text), strict: true };
    let (found, true) = reader.complex() else { return None };
    reader.rest.iter().all(|&byte| is_space(byte)).then_some(found)
}

/// `String#to_c`: the complex number that the text starts with, else 0.
pub fn parse_complex(text: &[u8]) -> ComplexText {
    // A zero byte ends it like any other that is no part of a number.
    Reader { rest: trim_start(text), strict: false }.complex().0
}

struct Reader<'a> {
    rest: &'a [u8],
    strict: bool,
}

const ZERO: NumberText = NumberText::Integer(IntegerText::Small(0));

impl Reader<'_> {
    /// The number, and whether the syntax was valid.
    fn complex(&mut self) -> (ComplexText, bool) {
        let rectangular = |real, imaginary| ComplexText::Rectangular { real, imaginary };
        let mut buffer = Vec::new();
        self.sign(&mut buffer);
        if self.unit() {
            return (rectangular(ZERO, one(&buffer)), true);
        }
        if !self.rational(&mut buffer) {
            return (rectangular(number(&buffer), ZERO), false);
        }
        let first = number(&buffer);
        if self.unit() {
            return (rectangular(ZERO, first), true);
        }
        buffer.clear();
        match self.rest.first() {
            Some(b'@') => {
                self.rest = &self.rest[1..];
                self.sign(&mut buffer);
                let whole = self.rational(&mut buffer);
                if !buffer.last().is_some_and(u8::is_ascii_digit) {
                    return (rectangular(first, ZERO), false);
                }
                (ComplexText::Polar { absolute: first, argument: number(&buffer) }, whole)
            }
            Some(b'+' | b'-') => {
                self.sign(&mut buffer);
                if self.unit() {
                    return (rectangular(first, one(&buffer)), true);
                }
                if !self.rational(&mut buffer) || !self.unit() {
                    return (rectangular(first, ZERO), false);
                }
                (rectangular(first, number(&buffer)), true)
            }
            _ => (rectangular(first, ZERO), true),
        }
    }

    fn sign(&mut self, buffer: &mut Vec<u8>) {
        if let [sign @ (b'+' | b'-'), rest @ ..] = self.rest {
            buffer.append_one(*sign);
            self.rest = rest;
        }
    }

    fn unit(&mut self) -> bool {
        match self.rest {
            [b'i' | b'I' | b'j' | b'J', rest @ ..] => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Reads a decimal number, optionally with a denominator of digits only; false if the syntax is invalid.
    fn rational(&mut self, buffer: &mut Vec<u8>) -> bool {
        if self.rest.first() != Some(&b'.') && !self.digits(buffer) {
            return false;
        }
        self.after(b".", buffer) && self.after(b"eE", buffer) && self.after(b"/", buffer)
    }

    /// Reads one of the letters and the digits after it, if such a letter comes next. False if the digits are missing.
    fn after(&mut self, letters: &[u8], buffer: &mut Vec<u8>) -> bool {
        let [letter, rest @ ..] = self.rest else { return true };
        if !letters.contains(letter) {
            return true;
        }
        buffer.append_one(*letter);
        self.rest = rest;
        if letters == b"eE" {
            self.sign(buffer);
        }
        let found = self.digits(buffer);
        if !found {
            // Drops only the last byte, so that "1e+" is still a float.
            buffer.pop();
        }
        found
    }

    /// Reads digits with single underscores between them; false without digits and, in strict mode, for any other
    /// underscore.
    fn digits(&mut self, buffer: &mut Vec<u8>) -> bool {
        let (found, len) = super::digits(self.rest, 10);
        if len == 0 {
            return false;
        }
        buffer.append_from(found);
        self.rest = &self.rest[len..];
        !(self.strict && self.rest.starts_with(b"__"))
    }
}

fn one(sign: &[u8]) -> NumberText {
    NumberText::Integer(IntegerText::Small(if sign == b"-" { -1 } else { 1 }))
}

fn number(text: &[u8]) -> NumberText {
    if text.contains(&b'/') {
        NumberText::Rational(parse_rational(text))
    } else if text.iter().any(|byte| b".eE".contains(byte)) {
        NumberText::Float(parse_float(text))
    } else {
        // Base 10 is always valid.
        NumberText::Integer(parse_integer(text, 10).unwrap_or(IntegerText::Small(0)))
    }
}

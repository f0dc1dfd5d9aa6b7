//! Creates the objects of literals.

use abi::{Flags, Value};
use bytecode::{Literal, Opcode};
use object::{Known, array::Arr, bigint, cell, float, hash::HashRef, range, string, symbol};
use text::encoding::EncodingId;

use crate::{
    Cx, R,
    code::{Code, encoding_id},
    error::ErrorClass,
    keys,
};

/// The RegexpError of the most recently rejected pattern.
const REFUSED: crate::Root = crate::Root::RefusedPattern;
/// The position and the error of the first invalid pattern, as "path:line: message".
const COMPLAINT: crate::Root = crate::Root::PatternComplaint;

/// Records the error of literal `i` of code, if that is a pattern that was just rejected.
pub fn note_refused(cx: &mut Cx, code: &Code, i: usize) {
    let error = cx.root(REFUSED);
    if error.is_nil() {
        return;
    }
    cx.set_root(REFUSED, Value::NIL);
    if !cx.root(COMPLAINT).is_nil() {
        return;
    }
    let loads = |word: &usize| {
        let instruction = code.instruction(*word);
        instruction.opcode == Opcode::LoadLiteral as u16 && instruction.bc() as usize == i
    };
    let line = (0..code.instructions.len()).find(loads).map_or(code.first_line, |word| code.line(word));
    let message = object::shape::ivars::get(cx, error, crate::sym::MEMO_MESSAGE);
    let message = object::string::Str::from_value(message).map_or(Vec::new(), |message| message.to_vector());
    let mut text = format!("{}:{line}: ", code.source.path).into_bytes();
    text.extend(message);
    let complaint = crate::make::string(cx, &text, EncodingId::UTF_8);
    cx.set_root(COMPLAINT, complaint);
}

/// SyntaxError if the linked code has an invalid pattern.
pub fn check(cx: &mut Cx) -> R<()> {
    let complaint = cx.root(COMPLAINT);
    if complaint.is_nil() {
        return Ok(());
    }
    cx.set_root(COMPLAINT, Value::NIL);
    Err(cx.raise_with_string(ErrorClass::SyntaxError, complaint))
}

/// Whether the literal can be made: of patterns, the parser leaves that open.
pub fn is_valid(literal: &Literal) -> bool {
    let Literal::Regexp { source, encoding, options } = literal else { return true };
    let encoding = regexp::Encoding::from_ruby_name(encoding_id(*encoding).name());
    encoding.is_some_and(|encoding| {
        regexp::Program::compile(source, regexp::Options::from_bits(i64::from(*options)), encoding).is_ok()
    })
}

/// The object of a literal. A String that is not frozen becomes the hidden original whose bytes the new Strings share.
pub fn literal_value(cx: &mut Cx, literal: &Literal) -> Value {
    match literal {
        Literal::Nil => Value::NIL,
        Literal::True => Value::TRUE,
        Literal::False => Value::FALSE,
        Literal::Integer(n) => bigint::from_i64(cx, *n),
        Literal::BigInteger { negative, hex } => big_literal(cx, *negative, hex),
        Literal::Float(f) => float::new(cx, *f),
        Literal::Symbol(s) => symbol::intern(cx, &s.bytes, encoding_id(s.encoding)).value(),
        Literal::String { bytes, encoding, .. } => interned_literal(cx, bytes, encoding_id(*encoding)),
        Literal::Regexp { source, encoding, options } => {
            match crate::special::make_literal_regexp(cx, source, encoding_id(*encoding), *options) {
                Ok(regexp) => regexp,
                // The parser does not compile patterns: an error is reported after linking.
                Err(unwind) => {
                    let error = cx.take_exception(unwind).unwrap_or(Value::NIL);
                    cx.set_root(REFUSED, error);
                    Value::NIL
                }
            }
        }
        Literal::Rational(numerator, denominator) => rational(cx, numerator, denominator),
        Literal::Imaginary(part) => pair(cx, Known::Complex, &Literal::Integer(0), part),
        Literal::Range { low, high, exclusive } => {
            let (low, high) = (literal_value(cx, low), literal_value(cx, high));
            let r = range::new(cx, low, high, *exclusive);
            cell::set_header(r, cell::header(r).with(Flags::FROZEN));
            r
        }
        Literal::Array(elements) => {
            // Literals live long: no spare room.
            let a = match Arr::with_capacity(cx, elements.len()) {
                Ok(a) => a.value(),
                Err(_) => crate::make::array(cx, &[]),
            };
            for element in elements {
                let v = literal_value(cx, element);
                crate::make::push(cx, a, v);
            }
            a
        }
        Literal::Hash(pairs) => {
            let h = HashRef::new(cx).value();
            for (key, value) in pairs {
                let key = literal_value(cx, key);
                let value = literal_value(cx, value);
                if keys::store(cx, h, key, value).is_err() {
                    cx.unwinding = crate::unwind::Unwinding::none();
                }
            }
            h
        }
        Literal::JumpTable(_) => Value::NIL,
    }
}

/// The Rational of a decimal literal, in lowest terms.
fn rational(cx: &mut Cx, numerator: &Literal, denominator: &Literal) -> Value {
    let (first, second) = (literal_value(cx, numerator), literal_value(cx, denominator));
    let reduced = match (bigint::operand(&first), bigint::operand(&second)) {
        (Some(n), Some(d)) => numeric::rational::reduce(n, d).ok(),
        _ => None,
    };
    let parts = reduced.and_then(|(n, d)| Some((bigint::integer(cx, n).ok()?, bigint::integer(cx, d).ok()?)));
    let (first, second) = parts.unwrap_or((first, second));
    crate::make::pair(cx, Known::Rational, first, second)
}

/// A Rational or Complex from two literal parts.
fn pair(cx: &mut Cx, known: Known, first: &Literal, second: &Literal) -> Value {
    let (first, second) = (literal_value(cx, first), literal_value(cx, second));
    crate::make::pair(cx, known, first, second)
}

/// The interned String whose bytes the strings of this literal share.
fn interned_literal(cx: &mut Cx, bytes: &[u8], encoding: EncodingId) -> Value {
    match string::intern::intern_literal(cx, bytes, encoding) {
        Ok(s) => s.value(),
        Err(_) => crate::make::string(cx, bytes, encoding),
    }
}

fn big_literal(cx: &mut Cx, negative: bool, hex: &str) -> Value {
    let parsed = numeric::big::parse_digits(hex.as_bytes(), 16, negative, &mut numeric::big::never);
    match parsed {
        Ok(Some(n)) => bigint::integer(cx, n).unwrap_or(Value::NIL),
        _ => Value::NIL,
    }
}

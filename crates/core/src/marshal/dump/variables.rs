//! Instance variables, and encodings, which the format stores as instance variables.

use abi::{Type, Value};
use object::{cell, class, hash, hash::HashRef, shape::ivars, string::Str, symbol::table::intern_text};
use runtime::{Cx, R, define, make};
use text::encoding::EncodingId;

use super::{super::names, Dumper};
use crate::regexp;

/// The format's representation of an encoding; BINARY has none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    UsAscii,
    Utf8,
    Other(EncodingId),
}

impl Encoding {
    fn of(encoding: EncodingId) -> Option<Encoding> {
        match encoding {
            EncodingId::BINARY => None,
            EncodingId::US_ASCII => Some(Encoding::UsAscii),
            EncodingId::UTF_8 => Some(Encoding::Utf8),
            other => Some(Encoding::Other(other)),
        }
    }

    /// The encoding of an object, if its type has one.
    pub fn of_object(cx: &mut Cx, v: Value) -> R<Option<Encoding>> {
        if let Some(s) = Str::from_value(v) {
            return Ok(Encoding::of(s.encoding()));
        }
        if cell::is(v, Type::Regexp) {
            let source = regexp::search::data(cx, &v)?.source;
            return Ok(Encoding::of(Str::of(source).encoding()));
        }
        Ok(None)
    }

    /// The encoding of a name, unless it is ASCII.
    pub fn beyond_ascii(s: Str) -> Option<Encoding> {
        if s.is_ascii() { None } else { Encoding::of(s.encoding()) }
    }
}

/// The variables that follow an object: its encoding, its instance variables, the flag of a Hash of keywords.
#[derive(Clone, Copy)]
pub struct TrailingVariables {
    /// The owner of the variables.
    pub of: Value,
    pub encoding: Option<Encoding>,
    count: usize,
}

impl TrailingVariables {
    pub fn of(cx: &mut Cx, v: Value) -> R<Option<TrailingVariables>> {
        if !v.is_heap() || matches!(cell::header(v).ty(), Type::Object | Type::Exception | Type::Class | Type::Module) {
            return Ok(None);
        }
        let encoding = Encoding::of_object(cx, v)?;
        let keywords = HashRef::from_value(v).is_some_and(|hash| hash.is_ruby2_keywords());
        let count = names::variables(cx, v).len() + usize::from(encoding.is_some()) + usize::from(keywords);
        Ok((count > 0).then_some(TrailingVariables { of: v, encoding, count }))
    }

    /// The variables of an object that is dumped as another object; they include no encoding.
    pub fn of_stand_in(cx: &mut Cx, v: Value) -> Option<TrailingVariables> {
        let count = names::variables(cx, v).len();
        (count > 0).then_some(TrailingVariables { of: v, encoding: None, count })
    }
}

impl Dumper {
    /// Writes the variables, preceded by their number.
    pub fn trailing_variables(&mut self, cx: &mut Cx, variables: TrailingVariables, limit: i32) -> R<()> {
        self.long(cx, variables.count)?;
        let deeper = if limit >= 0 { limit + 1 } else { limit };
        self.encoding(cx, variables.encoding, deeper)?;
        if HashRef::from_value(variables.of).is_some_and(|hash| hash.is_ruby2_keywords()) {
            self.symbol_named(cx, "K")?;
            self.object(cx, Value::TRUE, deeper)?;
        }
        self.each_variable(cx, variables.of, limit)
    }

    /// Writes the variables of a plain object, preceded by their number.
    pub fn variables_of(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        let count = names::variables(cx, v).len();
        self.long(cx, count)?;
        self.each_variable(cx, v, limit)
    }

    /// Writes the variables. RuntimeError if dumping one variable changed the set of variables.
    pub fn each_variable(&mut self, cx: &mut Cx, v: Value, limit: i32) -> R<()> {
        let before = names::variables(cx, v);
        for name in &before {
            let value = ivars::get(cx, v, *name).or(Value::NIL);
            self.symbol(cx, *name)?;
            self.object(cx, value, limit)?;
        }
        let after = names::variables(cx, v);
        if after == before {
            return Ok(());
        }
        let what = if after.len() < before.len() { "removed from" } else { "added to" };
        let class = class::real_class(cx, v);
        let class = define::class_name(cx, class);
        Err(cx.runtime_error(&format!("instance variable {what} {class} instance")))
    }

    /// Writes the encoding of a symbol or of a class's name, as if it were its only instance variable.
    pub fn lone_encoding(&mut self, cx: &mut Cx, encoding: Option<Encoding>) -> R<()> {
        if encoding.is_some() {
            self.long(cx, 1)?;
            self.encoding(cx, encoding, 2)?;
        }
        Ok(())
    }

    fn encoding(&mut self, cx: &mut Cx, encoding: Option<Encoding>, limit: i32) -> R<()> {
        let (name, value) = match encoding {
            None => return Ok(()),
            Some(Encoding::UsAscii) => ("E", Value::FALSE),
            Some(Encoding::Utf8) => ("E", Value::TRUE),
            Some(Encoding::Other(id)) => ("encoding", self.encoding_name(cx, id)),
        };
        self.symbol_named(cx, name)?;
        self.object(cx, value, limit)
    }

    /// One String for each encoding of the dump.
    fn encoding_name(&mut self, cx: &mut Cx, id: EncodingId) -> Value {
        let key = intern_text(cx, id.name()).value();
        let there = hash::identity_get(self.encodings, key);
        if !there.is_undef() {
            return there;
        }
        let name = make::string(cx, id.name().as_bytes(), EncodingId::BINARY);
        hash::identity_store(cx, self.encodings, key, name);
        name
    }
}

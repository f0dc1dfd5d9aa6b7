//! Literals in unlinked code: plain data that the runtime turns into values when it links a sequence.

use serde::{Deserialize, Serialize};

/// A symbol's name: bytes and the id of their encoding in the `text` crate's table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    pub bytes: Vec<u8>,
    pub encoding: u8,
}

impl Symbol {
    pub const UTF_8: u8 = 1;
    pub const US_ASCII: u8 = 2;
    /// No encoding: the bytes are the place of the name among the names of an image ([`crate::names`]).
    pub(crate) const PLACED: u8 = u8::MAX;

    /// A name in the source's usual encoding: US-ASCII if it is ASCII, otherwise UTF-8.
    pub fn new(name: impl AsRef<[u8]>) -> Symbol {
        let bytes = name.as_ref().to_vec();
        let encoding = Symbol::usual_encoding(&bytes);
        Symbol { bytes, encoding }
    }

    pub(crate) fn usual_encoding(bytes: &[u8]) -> u8 {
        if bytes.is_ascii() { Symbol::US_ASCII } else { Symbol::UTF_8 }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    Nil,
    True,
    False,
    Integer(i64),
    /// Digits in base 16, without a prefix.
    BigInteger {
        negative: bool,
        hex: String,
    },
    Float(f64),
    Symbol(Symbol),
    /// `frozen`: the literal is one interned object. `chilled`: no magic comment says whether the literal is frozen.
    String {
        bytes: Vec<u8>,
        encoding: u8,
        frozen: bool,
        chilled: bool,
    },
    /// Unescaped source as prism gives it, Ruby's option bits (IGNORECASE 1, EXTENDED 2, MULTILINE 4, FIXEDENCODING 16,
    /// NOENCODING 32).
    Regexp {
        source: Vec<u8>,
        encoding: u8,
        options: u8,
    },
    /// Numerator and denominator: `Integer` or `BigInteger`.
    Rational(Box<Literal>, Box<Literal>),
    /// The imaginary part.
    Imaginary(Box<Literal>),
    Range {
        low: Box<Literal>,
        high: Box<Literal>,
        exclusive: bool,
    },
    Array(Vec<Literal>),
    /// Pairs in order.
    Hash(Vec<(Literal, Literal)>),
    /// The target for each key: the index of an instruction in the same sequence.
    JumpTable(Vec<(Literal, u32)>),
}

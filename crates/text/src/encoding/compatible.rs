//! Whether two objects with encodings may be concatenated, and in which encoding.

use super::id::EncodingId;
use crate::scan::CodeRange;

/// The properties of one side that the rule needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its encoding.
    pub encoding: EncodingId,
    /// A string, or something else with an encoding (Symbol, Regexp, IO, Encoding).
    pub kind: OperandKind,
}

/// The kind of an [`Operand`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandKind {
    /// An empty string.
    EmptyString,
    /// Any other string, with its scanned code range.
    String(CodeRange),
    /// Anything but a string.
    Other,
}

/// `Encoding.compatible?`: the encoding in which both can be concatenated.
pub fn compatible(first: Operand, second: Operand) -> Option<EncodingId> {
    use OperandKind::*;
    if first.encoding == second.encoding || second.kind == EmptyString {
        return Some(first.encoding);
    }
    let both_ascii = first.encoding.is_ascii_compatible() && second.encoding.is_ascii_compatible();
    if let (EmptyString, String(range)) = (first.kind, second.kind) {
        let keep = first.encoding.is_ascii_compatible() && range == CodeRange::SevenBit;
        return Some(if keep { first.encoding } else { second.encoding });
    }
    if !both_ascii {
        return None;
    }
    if second.kind == Other && second.encoding == EncodingId::US_ASCII {
        return Some(first.encoding);
    }
    if first.kind == Other && first.encoding == EncodingId::US_ASCII {
        return Some(second.encoding);
    }
    let seven_bit = |operand: Operand| match operand.kind {
        EmptyString => true,
        String(range) => range == CodeRange::SevenBit,
        Other => false,
    };
    if first.kind != Other && second.kind != Other {
        return match (seven_bit(first), seven_bit(second)) {
            (_, true) => Some(first.encoding),
            (true, false) => Some(second.encoding),
            (false, false) => None,
        };
    }
    let string = if first.kind == Other { second } else { first };
    (string.kind != Other && seven_bit(string)).then_some(second.encoding)
}

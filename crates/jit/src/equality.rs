//! `==`, `!=` and `===` with short String literals, nil, true, false and Symbols, and of operands that may both be such
//! immediates.

use abi::{Type, Value};
use bytecode::Opcode;
use object::{
    Known, cell,
    string::{Str, for_code as layout},
};
use runtime::basic_ops::{BasicOp, Redefined};

use crate::{
    arithmetic::{Operand, assume_immediates, is_single, kind, operand, require_immediate},
    floats, instruction,
    ir::{Binary, Condition},
    ivars,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// The bytes of a literal in the first word behind the header of an equal String.
#[derive(Clone, Copy)]
struct ShortText {
    /// The bits of the header that are compared, and what they are if the word holds the String's first bytes.
    header: [u64; 2],
    /// The embedded length and the bytes, each with the mask of their bits.
    len: [u64; 2],
    bytes: [u64; 2],
}

impl ShortText {
    /// `None` unless the value is a frozen String of at most eight ASCII characters.
    fn of(literal: Value) -> Option<ShortText> {
        let text = Str::from_value(literal).filter(|text| cell::frozen(literal) && text.len() <= 8)?.to_vector();
        let len = text.len();
        let mut bytes = [0; 8];
        bytes[..len].copy_from_slice(&text);
        if !text.is_ascii() {
            return None;
        }
        let mask = if len == 8 { u64::MAX } else { (1 << (8 * len)) - 1 };
        let shape = u64::from(Known::String.root_shape().0) << 32;
        Some(ShortText {
            header: [u64::from(u32::MAX) << 32 | layout::FORM, shape | cell::header(literal).0 & layout::ENCODING],
            len: [0xff << layout::EMBEDDED_LEN_SHIFT, (len as u64) << layout::EMBEDDED_LEN_SHIFT],
            bytes: [mask, u64::from_le_bytes(bytes)],
        })
    }
}

/// The result of an equality operator, as a value: in line if an operand can be compared with a literal, or both
/// operands with each other, by their bits; as every operator otherwise. `None` if other operands are expected.
pub fn in_line(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    use Opcode::{CaseEqual, Equal, JumpEqual, JumpNotEqual, NotEqual};
    if !matches!(opcode, Equal | NotEqual | JumpEqual | JumpNotEqual | CaseEqual) {
        return None;
    }
    to_text(t, word, opcode, left, right)
        .or_else(|| to_immediate(t, word, opcode, left, right))
        .or_else(|| of_words(t, word, opcode, left, right))
}

/// Compares two operands that may both be small integers, Symbols, nil or true: these are equal if they are identical.
fn of_words(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    let may_be_word = |v: Operand| match kind(t, v) {
        Kind::Any => t.sample(v).is_none_or(|v| v.is_word()),
        kind => is_word(kind),
    };
    if opcode == Opcode::CaseEqual || !may_be_word(left) || !may_be_word(right) || !assume_immediates(t) {
        return None;
    }
    let operands = [operand(t, left), operand(t, right)];
    let slow = t.e.block_like_this();
    for (v, from) in operands.into_iter().zip([left, right]) {
        if !is_word(kind(t, from)) {
            require_word(t, v, slow);
        }
    }
    let in_line = |t: &mut Translator| {
        let are_equal = t.e.compare(Condition::Equal, operands[0], operands[1]);
        Some(result(t, word, opcode, are_equal))
    };
    t.either(slow, None, in_line, |t| Some(t.operator(word, opcode, &operands)))
}

fn is_word(kind: Kind) -> bool {
    match kind {
        Kind::Constant(v) => v.is_word(),
        kind => kind.is_fixnum(),
    }
}

/// Goes to `otherwise` if the value is a cell, a Float or false.
fn require_word(t: &mut Translator, v: Ssa, otherwise: Block) {
    for (mask, other) in [(7, 0), (3, floats::TAG)] {
        let tag = t.e.and_constant(v, mask);
        let fits = t.e.compare_constant(Condition::NotEqual, tag, other);
        t.e.require(fits, otherwise);
    }
}

/// Compares any receiver with an immediate other than a number. Where all receivers are immediates,
/// `arithmetic::same_immediate` does it.
fn to_immediate(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    if opcode == Opcode::CaseEqual || !is_single(t, right) || !assume_immediates(t) {
        return None;
    }
    let operands = [operand(t, left), operand(t, right)];
    let [v, literal] = operands;
    let slow = t.e.block_like_this();
    require_immediate(t, v, slow);
    let in_line = |t: &mut Translator| {
        let are_equal = t.e.compare(Condition::Equal, v, literal);
        Some(result(t, word, opcode, are_equal))
    };
    t.either(slow, None, in_line, |t| match unlike_immediates(t, left) {
        None => Some(t.operator(word, opcode, &operands)),
        Some(shape) => {
            let other = t.e.block_like_this();
            t.require_cell(v, other);
            let found = t.e.load32(v, ivars::SHAPE);
            ivars::require_shape(t, found, shape, other);
            let differs = |t: &mut Translator| {
                let are_equal = t.e.constant(0);
                Some(result(t, word, opcode, are_equal))
            };
            t.either(other, None, differs, |t| Some(t.operator(word, opcode, &operands)))
        }
    })
}

/// The shape of direct instances of String, Array or Hash, if the operand is expected to be one: none of them equals an
/// immediate. Without a sample, an Array is as likely as anything.
fn unlike_immediates(t: &mut Translator, v: Operand) -> Option<u32> {
    let shape = match t.sample(v) {
        Some(v) if v.is_heap() => cell::header(v).shape(),
        Some(_) => return None,
        None => Known::Array.root_shape(),
    };
    let of: fn(&mut Redefined) -> &mut u64 = match shape {
        _ if shape == Known::String.root_shape() => |r| &mut r.string,
        _ if shape == Known::Array.root_shape() => |r| &mut r.array,
        _ if shape == Known::Hash.root_shape() => |r| &mut r.hash,
        _ => return None,
    };
    t.assume(of, BasicOp::Equal.bit() | BasicOp::NotEqual.bit()).then_some(shape.0)
}

/// The value of an operand that is a constant of the code.
fn constant(t: &Translator, v: Operand) -> Option<Value> {
    match v {
        Operand::Constant(v) => Some(v),
        Operand::Register(register) => match t.r.kind(register) {
            Kind::Constant(v) => Some(v),
            _ => None,
        },
    }
}

/// Compares a String with a short literal.
fn to_text(t: &mut Translator, word: usize, opcode: Opcode, left: Operand, right: Operand) -> Option<Ssa> {
    let ops = match opcode {
        Opcode::CaseEqual => BasicOp::Equal.bit() | BasicOp::CaseEqual.bit(),
        _ => BasicOp::Equal.bit() | BasicOp::NotEqual.bit(),
    };
    let operands = [operand(t, left), operand(t, right)];
    let [of_left, of_right] = [left, right].map(|v| constant(t, v).and_then(ShortText::of));
    let (text, v, other) = match (of_left, of_right) {
        (Some(text), _) => (text, operands[1], right),
        (None, Some(text)) if opcode != Opcode::CaseEqual => (text, operands[0], left),
        _ => return None,
    };
    let may_be_string = t.sample(other).is_none_or(|v| cell::is(v, Type::String));
    if !may_be_string || !t.assume(|r| &mut r.string, ops) {
        return None;
    }
    let slow = t.e.block_like_this();
    t.require_cell(v, slow);
    let header = t.e.load(v, 0);
    let form = t.e.and_constant(header, text.header[0]);
    let fits = t.e.compare_constant(Condition::Equal, form, text.header[1]);
    t.e.require(fits, slow);
    let in_line = |t: &mut Translator| {
        let bytes = t.e.load(v, 8);
        let [len, bytes] = [(header, text.len), (bytes, text.bytes)].map(|(word, [mask, expected])| {
            let bits = t.e.and_constant(word, mask);
            t.e.binary_constant(Binary::Xor, bits, expected)
        });
        let difference = t.e.binary(Binary::Or, len, bytes);
        let are_equal = t.e.compare_constant(Condition::Equal, difference, 0);
        Some(result(t, word, opcode, are_equal))
    };
    t.either(slow, None, in_line, |t| Some(t.operator(word, opcode, &operands)))
}

/// The value that the operator's method returns.
fn result(t: &mut Translator, word: usize, opcode: Opcode, are_equal: Ssa) -> Ssa {
    let when = opcode != Opcode::NotEqual && !instruction::asks_the_opposite(t.code, word, opcode);
    let [yes, no] = [when, !when].map(|result| t.e.constant(Value::bool(result).0));
    t.e.select(are_equal, yes, no)
}

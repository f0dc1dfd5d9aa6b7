//! `case` of literals: a jump by a table.

use std::collections::BTreeSet;

use abi::{RuntimeCall, Value};
use object::{
    Known,
    representation::for_code as payload,
    string::{Str, for_code as layout},
};
use runtime::basic_ops::{BasicOp, Redefined};

use crate::{
    bodies::table_targets,
    ir::{Binary, Condition},
    seam::{Block, Ssa},
    translate::Translator,
};

/// Jumps by a table of literals; for other values continues with the tests after it.
pub fn translate(t: &mut Translator, register: u16, literal: usize) {
    let equality = BasicOp::CaseEqual.bit() | BasicOp::Equal.bit();
    let classes: [fn(&mut Redefined) -> &mut u64; 3] = [|r| &mut r.integer, |r| &mut r.string, |r| &mut r.immediate];
    if !classes.into_iter().all(|of| t.assume(of, equality)) {
        return;
    }
    let v = t.read(register);
    let (words, strings): (Vec<_>, Vec<_>) =
        table_targets(t.code, literal).into_iter().partition(|(key, _)| Value(*key).is_immediate());
    let words: Vec<(u64, Block)> = words.into_iter().map(|(key, word)| (key, t.arrive(word))).collect();
    let next = t.e.block();
    if strings.is_empty() {
        t.e.switch(v, &words, next);
        return t.e.at(next);
    }
    if !words.is_empty() {
        let others = t.e.block();
        t.e.switch(v, &words, others);
        t.e.at(others);
    }
    let short: Option<Vec<_>> = strings.iter().map(|(key, word)| Some((short_text(Value(*key))?, *word))).collect();
    if let Some(short) = short {
        let other = t.e.block_like_this();
        let text = short_text_of(t, v, other);
        let cases: Vec<(u64, Block)> = short.into_iter().map(|(text, word)| (text, t.arrive(word))).collect();
        t.e.switch(text, &cases, next);
        t.e.at(other);
    }
    let [own, number] = [t.code.own.get().0, literal as u64].map(|bits| t.e.constant(bits));
    let found = t.e.call(RuntimeCall::JumpTable, &[t.context, own, number, v])[0];
    let cases: BTreeSet<usize> = strings.into_iter().map(|(_, word)| word).collect();
    let cases: Vec<(u64, Block)> = cases.into_iter().map(|word| (word as u64, t.arrive(word))).collect();
    t.e.switch(found, &cases, next);
    t.e.at(next);
}

/// The most bytes of a text that a word has room for, beside their number in its highest byte.
const MOST_IN_WORD: usize = 7;

/// Where a word has the number of bytes.
const LEN_SHIFT: u64 = 56;

/// A literal of a few ASCII characters as a word.
fn short_text(literal: Value) -> Option<u64> {
    let text = Str::from_value(literal)?.to_vector();
    let mut word = [0; 8];
    word[..MOST_IN_WORD].get_mut(..text.len()).filter(|_| text.is_ascii())?.copy_from_slice(&text);
    Some(u64::from_le_bytes(word) | (text.len() as u64) << LEN_SHIFT)
}

/// The word of a value that is a String of a few ASCII characters; goes to `other` for all other values.
fn short_text_of(t: &mut Translator, v: Ssa, other: Block) -> Ssa {
    const CELL: u64 = (u32::MAX as u64) << 32;
    let shape = Known::String.root_shape().0;
    t.compares_shape(shape);
    t.require_cell(v, other);
    let header = t.e.load(v, 0);
    let form = t.e.and_constant(header, CELL | payload::REPRESENTATION | layout::CODE_RANGE);
    let is_ascii = t.e.compare_constant(Condition::Equal, form, u64::from(shape) << 32 | layout::ASCII);
    t.e.require(is_ascii, other);
    let len = t.e.binary_constant(Binary::ShiftRightUnsigned, header, layout::EMBEDDED_LEN_SHIFT);
    let len = t.e.and_constant(len, 0xff);
    let fits = t.e.compare_constant(Condition::BelowEqual, len, MOST_IN_WORD as u64);
    t.e.require(fits, other);
    let bits = t.e.binary_constant(Binary::ShiftLeft, len, 3);
    let one = t.e.constant(1);
    let above = t.e.binary(Binary::ShiftLeft, one, bits);
    let mask = t.e.add_constant(above, -1);
    let bytes = t.e.load(v, 8);
    let text = t.e.and(bytes, mask);
    let len = t.e.binary_constant(Binary::ShiftLeft, len, LEN_SHIFT);
    t.e.binary(Binary::Or, text, len)
}

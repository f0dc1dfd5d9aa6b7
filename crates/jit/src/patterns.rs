//! Pattern matching: what patterns ask of direct instances of Array and Hash, in line.

use abi::{RuntimeCall, Value};
use bytecode::Instruction;
use object::{
    Known, Sym,
    array::Arr,
    class::lookup,
    hash::{HashRef, KeyGuess},
    method_entry,
    symbol::well_known as sym,
};
use runtime::{call::is_core, code::live_code};

use crate::{
    arithmetic::Operand,
    hashes,
    objects::{self, require_instance},
    registers::Kind,
    translate::Translator,
    virtual_objects::Virtual,
};

/// The value that an Array pattern looks into: an Array itself, otherwise the result of `deconstruct`.
pub fn deconstruct(t: &mut Translator, word: usize) {
    itself(t, word, Known::Array, sym::DECONSTRUCT);
}

/// The same for a Hash pattern and `deconstruct_keys`.
pub fn deconstruct_keys(t: &mut Translator, word: usize) {
    itself(t, word, Known::Hash, sym::DECONSTRUCT_KEYS);
}

/// The value, if it is a direct instance of the class, whose method of that name returns the receiver.
fn itself(t: &mut Translator, word: usize, of: Known, method: Sym) {
    let i = t.code.instruction(word);
    let sample = t.sample(Operand::Register(i.b));
    let class = t.cx.class(of);
    let is_known =
        |name, is: fn(Value) -> bool| lookup::known(class, name).is_some_and(|entry| entry.is_heap() && is(entry));
    let is_expected = t.tier.may_rely() && !t.may_refine(method);
    if !is_expected || !is_known(method, is_of_ruby_half) || !is_known(sym::RESPOND_TO, is_core) {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    t.rely_on_lookup(class, method);
    t.rely_on_lookup(class, sym::RESPOND_TO);
    if of == Known::Array && t.r.object(i.b).and_then(Virtual::elements).is_some() {
        return t.r.copy(&mut t.e, t.context, i.b, i.a);
    }
    let (v, register, other) = (t.read(i.b), t.r.at(i.a) as u16, t.e.block_like_this());
    let in_line = |t: &mut Translator| {
        require_instance(t, i.b, v, of, other);
        t.write(i.a, v, Kind::Shape(of.root_shape().0));
        None
    };
    t.either(other, Some(register), in_line, |t| {
        t.runtime(RuntimeCall::Instruction, word);
        None
    });
    t.r.guess(i.a, sample);
}

/// Whether the Ruby half of the core classes defines the method.
fn is_of_ruby_half(entry: Value) -> bool {
    // SAFETY: the entry keeps its code alive.
    method_entry::kind(entry) == method_entry::Kind::Sequence
        && unsafe { live_code(method_entry::body(entry)) }.internal
}

/// An element of an Array at an index, which counts from the end if it is negative; nil outside of the bounds.
pub fn array_at(t: &mut Translator, i: Instruction) {
    if objects::element_of_virtual(t, i.a, i.b, i.b + 1) {
        return;
    }
    let (list, index) = (t.read(i.b), t.read(i.b + 1));
    let (sample, at) = (t.sample(Operand::Register(i.b)), t.sample(Operand::Register(i.b + 1)));
    let (start, len) = objects::elements_of(t, list);
    let n = t.e.shift_right(index, 1);
    let v = objects::element_anywhere(t, start, len, n);
    t.write(i.a, v, Kind::Any);
    let place = at.and_then(Value::as_fixnum).and_then(|at| usize::try_from(at).ok());
    t.r.guess(i.a, sample.and_then(Arr::from_value).and_then(|list| list.get(place?)));
}

/// The value of a key of any Hash, or undef.
pub fn hash_get(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    find(t, i, |t| {
        let (table, key) = (t.read(i.b), t.read(i.b + 1));
        let guess = t.e.constant(std::ptr::from_ref(KeyGuess::next()) as u64);
        t.fast_or_slow(word, Some(i.a), RuntimeCall::Fetch, &[table, key, guess]);
    });
}

/// The value of a key of a Hash that a pattern takes apart, or undef.
pub fn hash_fetch(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    find(t, i, |t| t.runtime(RuntimeCall::Instruction, word));
}

/// The value of a key: in line if a direct instance of Hash has the key where it is expected.
fn find(t: &mut Translator, i: Instruction, otherwise: impl FnOnce(&mut Translator)) {
    let sample = t.sample(Operand::Register(i.b)).and_then(HashRef::from_value);
    let Kind::Constant(key) = t.r.kind(i.b + 1) else { return otherwise(t) };
    let Some(expected) = hashes::place_of(sample, key) else { return otherwise(t) };
    hashes::read(t, i.a, i.b, expected, otherwise);
    t.r.guess(i.a, sample.map(|table| expected.value_in(table)));
}

//! Hash literals, and `hash[key]` and `hash[key] = v` with a Symbol, a small Integer or a String that is a constant:
//! Hashes that are filled at one place in the program have their keys at the same positions, so the key is expected
//! where the Hash at hand has it. A String is expected as the same object, since the Strings of literals and of keys
//! are interned.

use abi::{RuntimeCall, Type, Value};
use object::{
    Known, cell,
    hash::{HashRef, for_code as layout},
};
use runtime::{basic_ops::BasicOp, code::CallSite};

use crate::{
    arithmetic::Operand,
    cells,
    ir::Condition,
    ivars,
    objects::{self, require_instance},
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// A Hash literal whose keys are immediates.
pub fn new(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let registers = (i.b..i.b + i.c).step_by(2);
    let key = |register| match t.r.kind(register) {
        Kind::Constant(key) => key,
        _ => unreachable!("the keys are constants"),
    };
    let keys = Keys::of(registers.clone().map(key));
    let by_runtime = |t: &mut Translator| objects::from_words(t, word, RuntimeCall::NewHash, Known::Hash);
    let Some((keys, hints)) = keys.as_ref().and_then(|keys| keys.with_hints(t)) else { return by_runtime(t) };
    let values: Vec<Ssa> = registers.map(|register| t.read(register + 1)).collect();
    let slow = t.e.cold_block();
    let cell = with_pairs(t, hints, keys, &values, slow);
    let made = |t: &mut Translator| {
        t.write(i.a, cell, Kind::Shape(Known::Hash.root_shape().0));
        None
    };
    let register = t.r.at(i.a) as u16;
    t.either(slow, Some(register), made, |t| {
        by_runtime(t);
        None
    });
}

/// The keys of a Hash that is made in line: immediates.
struct Keys {
    keys: [Value; layout::MOST_IN_LINE],
    count: usize,
}

impl Keys {
    /// `None` if they are too many.
    fn of(found: impl Iterator<Item = Value>) -> Option<Keys> {
        let mut made = Keys { keys: [Value::NIL; layout::MOST_IN_LINE], count: 0 };
        for key in found {
            *made.keys.get_mut(made.count)? = key;
            made.count += 1;
        }
        Some(made)
    }

    /// The keys and their hints; `None` if two of them are equal.
    fn with_hints(&self, t: &Translator) -> Option<(&[Value], u64)> {
        let keys = &self.keys[..self.count];
        Some((keys, layout::hints_of(t.cx, keys)?))
    }
}

/// Allocates a Hash with these entries; goes to `slow` if the runtime must.
fn with_pairs(t: &mut Translator, hints: u64, keys: &[Value], values: &[Ssa], slow: Block) -> Ssa {
    let (header, words) = layout::literal(keys.len());
    let cell = cells::take(&mut t.e, t.context, header, words, slow);
    let hints = t.e.constant(hints);
    t.e.store(hints, cell, 8 * layout::HINTS);
    for (n, (key, value)) in keys.iter().zip(values).enumerate() {
        let key = t.e.constant(key.0);
        t.e.store(key, cell, 8 * (layout::EMBEDDED_PAIRS + 2 * n));
        t.e.store(*value, cell, 8 * (layout::EMBEDDED_PAIRS + 2 * n + 1));
    }
    cell
}

/// A Hash of the keywords of a call whose numbers are set in `which`; their values are in the registers from `first`
/// on. Goes to `full` if there is no memory.
pub fn of_keywords(t: &mut Translator, site: &CallSite, first: u16, which: u64, full: Block) -> Ssa {
    let numbers = || (0..site.keywords().len() as u16).filter(|n| which & 1 << n != 0);
    let keys = Keys::of(numbers().map(|n| site.keywords()[n as usize].value()));
    let by_runtime = |t: &mut Translator| {
        t.flush();
        let values = t.e.add_constant(t.r.base, t.r.byte(first) as i64);
        let [site, which] = [std::ptr::from_ref(site) as u64, which].map(|bits| t.e.constant(bits));
        let made = t.e.call(RuntimeCall::KeywordHash, &[t.context, site, values, which])[0];
        let is_done = t.e.compare_constant(Condition::NotEqual, made, Value::UNDEF.0);
        t.e.require(is_done, full);
        made
    };
    let Some((keys, hints)) = keys.as_ref().and_then(|keys| keys.with_hints(t)) else { return by_runtime(t) };
    let values: Vec<Ssa> = numbers().map(|n| t.read(first + n)).collect();
    let slow = t.e.cold_block();
    let cell = with_pairs(t, hints, keys, &values, slow);
    t.either(slow, None, |_| Some(cell), |t| Some(by_runtime(t))).unwrap_or(cell)
}

/// Where a key is expected.
#[derive(Clone, Copy)]
pub struct Expected {
    key: Value,
    place: layout::KeyPlace,
}

impl Expected {
    /// The value in the Hash that was at hand during the compilation.
    pub fn value_in(self, table: HashRef) -> Value {
        self.place.value_in(table)
    }
}

/// The place of a register's key in the Hash in another register, if both are known during the compilation.
pub fn expected(t: &mut Translator, receiver: u16, key: u16, op: BasicOp) -> Option<Expected> {
    let Kind::Constant(key) = t.r.kind(key) else { return None };
    expected_key(t, receiver, key, op)
}

/// The place of a key in the Hash in a register, if that is known during the compilation.
pub fn expected_key(t: &mut Translator, receiver: u16, key: Value, op: BasicOp) -> Option<Expected> {
    let table = t.sample(Operand::Register(receiver)).and_then(HashRef::from_value);
    place_of(table, key).filter(|_| t.assume(|r| &mut r.hash, op.bit()))
}

/// The place of a key in a Hash, if that has this object as a key.
pub fn place_of(table: Option<HashRef>, key: Value) -> Option<Expected> {
    let may_be_identical = key.is_static_symbol() || key.is_fixnum() || cell::is(key, Type::String);
    let table = table.filter(|table| may_be_identical && !table.is_by_identity())?;
    layout::place_of(table, key).map(|place| Expected { key, place })
}

/// Writes the value of a Hash's key to a register if the key is where it is expected.
pub fn read(t: &mut Translator, to: u16, table: u16, expected: Expected, otherwise: impl FnOnce(&mut Translator)) {
    let (receiver, register, slow) = (t.read(table), t.r.at(to) as u16, t.e.block_like_this());
    let in_line = |t: &mut Translator| {
        require_instance(t, table, receiver, Known::Hash, slow);
        let (pairs, _) = require_pair(t, receiver, expected, layout::REPRESENTATION, slow);
        let v = t.e.load(pairs, 8 * expected.place.value_word());
        t.write(to, v, Kind::Any);
        None
    };
    t.either(slow, Some(register), in_line, |t| {
        otherwise(t);
        None
    });
}

/// `hash[key] = v` if the key is where it is expected.
pub fn set_index(t: &mut Translator, word: usize, expected: Expected, otherwise: impl FnOnce(&mut Translator)) {
    let i = t.code.instruction(word);
    let (receiver, value, kind) = (t.read(i.a), t.read(i.c), t.r.kind(i.c));
    let slow = t.e.block_like_this();
    let in_line = |t: &mut Translator| {
        require_instance(t, i.a, receiver, Known::Hash, slow);
        let (pairs, buffer) = require_pair(t, receiver, expected, layout::REPRESENTATION | layout::FROZEN, slow);
        let at = 8 * expected.place.value_word();
        t.e.store(value, pairs, at);
        match buffer {
            None => ivars::barrier(t, receiver, value, kind),
            Some(buffer) => ivars::barrier_with(t, (value, kind), true, |t| {
                let slot = t.e.add_constant(buffer, at as i64);
                t.e.buffer_barrier(buffer, slot);
            }),
        }
        None
    };
    t.either(slow, None, in_line, |t| {
        otherwise(t);
        None
    });
}

/// The address of the pairs, and the buffer that holds them, if it is not the Hash's cell. Goes to `slow` unless the
/// key is where it is expected. `bits` are the bits of the header that must be as in an open Hash of that
/// representation.
fn require_pair(t: &mut Translator, table: Ssa, expected: Expected, bits: u64, slow: Block) -> (Ssa, Option<Ssa>) {
    let Expected { key, place } = expected;
    // A String literal may be lent: no other String is identical with it.
    let bits = if key.is_heap() { bits | layout::IDENTITY } else { bits };
    let header = t.e.load(table, 0);
    let found = t.e.and_constant(header, bits);
    let fits = t.e.compare_constant(Condition::Equal, found, place.representation());
    t.e.require(fits, slow);
    let used = if place.is_indexed() {
        let index = t.e.load(table, 8 * layout::INDEX);
        t.e.load32(index, layout::INDEX_USED)
    } else {
        t.e.and_constant(header, layout::USED)
    };
    let is_used = t.e.compare_constant(Condition::Above, used, place.used_before());
    t.e.require(is_used, slow);
    let (pairs, buffer) = match place.is_embedded() {
        true => (t.e.add_constant(table, 8 * layout::EMBEDDED_PAIRS as i64), None),
        false => {
            let buffer = t.e.load(table, 8 * layout::BUFFER);
            (buffer, Some(buffer))
        }
    };
    let there = t.e.load(pairs, 8 * place.key_word());
    let is_key = t.e.compare_constant(Condition::Equal, there, key.0);
    t.e.require(is_key, slow);
    (pairs, buffer)
}

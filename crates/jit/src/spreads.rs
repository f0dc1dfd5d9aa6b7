//! Arrays that end in a splat: `[a, *list]`, and the arguments of `f(a, *list)`; and splatted Arrays that are taken
//! apart, so that their elements are the arguments of a call.

use abi::{RuntimeCall, Type};
use bytecode::{CallFlags, CallInfo, Opcode};
use object::{Known, array::Arr, class::call_cache::CacheRef};
use runtime::{call::site::Cached, code::tier::Seen};

use crate::{
    arguments::{before_splat, is_spread, splat_register},
    arithmetic::Operand,
    ir::Condition,
    liveness, objects,
    registers::Kind,
    seam::Ssa,
    sites::Site,
    translate::Translator,
    ways::is_direct,
};

/// A splatted Array that was taken apart.
#[derive(Clone, Copy)]
pub struct Apart {
    list: Ssa,
    /// The operand of `&`, whose place the elements may take.
    block: Option<Ssa>,
    pub count: u16,
}

/// The call with the elements of the splatted Array as its arguments, if it can be made in line only so. The Array is
/// expected to have as many elements as the one at hand.
pub fn taken_apart<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>, kind: Kind) -> Option<Site<'a>> {
    if !is_spread(call) || t.seen(word).has(Seen::FAILED) {
        return None;
    }
    let entries = call.live_entries(t);
    let all_fit = |t: &Translator<'a>, call: Site<'a>| {
        // What `send` calls may be inlined if the number of elements is known.
        let is_taken = |entry: &(CacheRef, u32)| call.apart.is_some() || entry.0.kind() != Cached::Special;
        entries.iter().all(|entry| is_taken(entry) && is_direct(t, call, *entry, kind))
    };
    if all_fit(t, call) {
        return None;
    }
    let first = splat_register(call);
    let list = t.read(first);
    let sample = t.sample(Operand::Register(first)).and_then(Arr::from_value);
    let known = t.lengths.get(&list).copied();
    let expected = known.or_else(|| u16::try_from(sample?.len()).ok());
    let elements = expected.filter(|count| *count <= CallInfo::MOST_TAKEN_APART)?;
    let count = before_splat(call) + elements;
    let block = call.site.flags.has(CallFlags::BLOCK_ARGUMENT).then(|| t.read(call.block_register()));
    let apart = Site { apart: Some(Apart { list, block, count }), ..call };
    if !all_fit(t, apart) {
        return None;
    }
    let exit = t.exit(word);
    let (start, len) = objects::elements_of(t, list);
    let fits = t.e.compare_constant(Condition::Equal, len, elements.into());
    t.e.require(fits, exit);
    let elements: Vec<Ssa> = (0..usize::from(elements)).map(|n| t.e.load(start, 8 * n)).collect();
    if let Some(last) = elements.last() {
        objects::require_not_hash(t, *last, exit);
    }
    t.flush();
    for (n, v) in elements.iter().enumerate() {
        let register = first + n as u16;
        t.e.store(*v, t.r.base, t.r.byte(register));
        t.r.note(register, *v, Kind::Any);
        t.r.guess(register, sample.and_then(|list| list.get(n)));
    }
    Some(apart)
}

/// Restores the operands of a call whose Array was taken apart.
pub fn put_together(t: &mut Translator, call: Site) {
    let Some(Apart { list, block, .. }) = call.apart else { return };
    t.write(splat_register(call), list, Kind::Any);
    if let Some(block) = block {
        t.write(call.block_register(), block, Kind::Any);
    }
}

/// Translates `[a, *list]` to one call that makes the Array. `word`: the instruction that collects the first elements.
/// Returns the word of the instruction that completes the Array. `None`: this is some other code, or the list was not
/// an Array.
pub fn joined(t: &mut Translator, word: usize) -> Option<usize> {
    let collected = t.code.instruction(word);
    // Code never ends in one of the first two of these instructions.
    let splat_at = liveness::next(t.code, word);
    let literal = match collected.op() {
        Opcode::NewArray => None,
        // Elements that are literals are copied from an Array.
        Opcode::DuplicateLiteral => Some(Arr::from_value(t.code.literal(collected.bc() as usize))?),
        _ => return None,
    };
    if t.code.instruction(splat_at).op() != Opcode::SplatToArray {
        return None;
    }
    let concat_at = liveness::next(t.code, splat_at);
    let [splat, concat] = [splat_at, concat_at].map(|word| t.code.instruction(word));
    let is_joined = concat.op() == Opcode::ArrayConcat
        && splat.c == 0
        && splat.a != collected.a
        && (concat.a, concat.b) == (collected.a, splat.a);
    if !is_joined || [splat_at, concat_at].iter().any(|word| t.label(*word).is_some()) {
        return None;
    }
    if t.seen(word).has(Seen::FAILED) {
        return None;
    }
    let list = t.read(splat.b);
    let sample = t.sample(Operand::Register(splat.b)).and_then(Arr::from_value);
    let expected = t.lengths.get(&list).copied().or_else(|| u16::try_from(sample?.len()).ok());
    let exit = t.exit(word);
    objects::require_type(t, list, Type::Array, exit);
    t.save_behind(concat_at);
    t.flush();
    let (start, count) = match literal {
        Some(literal) => {
            t.keep(literal.value());
            let elements = literal.elements(t.cx);
            (t.e.constant(elements.as_ptr() as u64), elements.len() as u64)
        }
        None => (t.e.add_constant(t.r.base, t.r.byte(collected.b) as i64), u64::from(collected.c)),
    };
    let in_front = t.e.constant(count);
    let made = t.e.call(RuntimeCall::JoinedArray, &[t.context, start, in_front, list]);
    let made = t.value_if_returned(&made);
    if let Some(length) = expected.and_then(|behind| u16::try_from(count).ok()?.checked_add(behind)) {
        t.lengths.insert(made, length);
    }
    t.write(collected.a, made, Kind::Shape(Known::Array.root_shape().0));
    Some(concat_at)
}

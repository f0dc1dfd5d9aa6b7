//! Arrays that end in a splat: `[a, *list]`, and the arguments of `f(a, *list)`.

use abi::{RuntimeCall, Type};
use bytecode::Opcode;
use object::{Known, array::Arr};
use runtime::code::tier::Seen;

use crate::{liveness, objects, registers::Kind, translate::Translator};

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
    let count = t.e.constant(count);
    let made = t.e.call(RuntimeCall::JoinedArray, &[t.context, start, count, list]);
    let made = t.value_if_returned(&made);
    t.write(collected.a, made, Kind::Shape(Known::Array.root_shape().0));
    Some(concat_at)
}

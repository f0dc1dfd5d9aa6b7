//! `module === v`: tests of what a value is an instance of.

use abi::{RuntimeCall, Type, Value};
use object::{Known, cell, class, class::call_cache::CacheRef};
use runtime::{
    call::site::{Cached, native_row},
    code::tier::Seen,
    method_table::InLine,
};

use crate::{
    arithmetic::Operand, ir::Condition, ivars, natives::found_in, objects, registers::Kind, seam::Ssa, sites::Site,
    translate::Translator,
};

/// `module === v` of a `case`: in line if the module is a constant and has no `===` of its own; false otherwise.
pub fn of_constant(t: &mut Translator, word: usize, module: Value) -> bool {
    let i = t.code.instruction(word);
    let site = Site::of_operator(t, word).site;
    if !class::is_module(module) || !t.tier.may_rely() || t.seen(word).has(Seen::FAILED) {
        return false;
    }
    let shape = cell::header(module).shape().0;
    let is_plain =
        |cache: &CacheRef| cache.kind() == Cached::Native && native_row(*cache).in_line == Some(InLine::Instance);
    let Some(cache) = site.entries().find(|cache| cache.matches(shape)).filter(is_plain) else { return false };
    let exit = t.exit(word);
    let receiver = t.read(i.b);
    // A method of its own gives it another shape.
    let found = t.e.load32(receiver, ivars::SHAPE);
    ivars::require_shape(t, found, shape, exit);
    t.keep_cache(cache);
    cache.rely();
    test(t, i.a, receiver, Some(module), i.c);
    true
}

/// Is the value in a register an instance of a module? In line if the module is known to be a class, and the class of
/// the value is known, or the module is a core class whose instances are recognized by their tag or the type of their
/// cells. For other classes, the value's shape is compared with that of the value which the register holds during the
/// compilation.
pub fn test(t: &mut Translator, to: u16, module: Ssa, known: Option<Value>, register: u16) {
    let v = t.read(register);
    let by_runtime = |t: &mut Translator| Some(t.e.call(RuntimeCall::IsInstance, &[t.context, module, v])[0]);
    let Some(of) = known.filter(|module| cell::is(*module, Type::Class)) else {
        let answer = t.e.call(RuntimeCall::IsInstance, &[t.context, module, v])[0];
        return t.write(to, answer, Kind::Any);
    };
    let class_of_v = match t.r.kind(register) {
        Kind::Shape(shape) => found_in(t, shape),
        Kind::Constant(v) if v.is_fixnum() => Some(t.cx.class(Known::Integer)),
        Kind::Fixnum => Some(t.cx.class(Known::Integer)),
        _ => None,
    };
    if let Some(class) = class_of_v {
        return t.write_constant(to, Value::bool(class::ancestors::inherits(class, of)));
    }
    let other = t.e.block();
    let answer = |v: bool| move |t: &mut Translator| Some(t.e.constant(Value::bool(v).0));
    let found = if let Some(known) = CORE.into_iter().find(|known| t.cx.class(*known) == of) {
        objects::require_type(t, v, known.instances(), other);
        t.either(other, None, answer(true), |t| {
            let Some((mask, bits)) = tag_of(known) else { return answer(false)(t) };
            let tag = t.e.and_constant(v, mask);
            let has_tag = t.e.compare_constant(Condition::Equal, tag, bits);
            let (yes, no) = (t.e.constant(Value::TRUE.0), t.e.constant(Value::FALSE.0));
            Some(t.e.select(has_tag, yes, no))
        })
    } else {
        let sample = t.sample(Operand::Register(register)).filter(|sample| sample.is_heap());
        let shape = sample.map(|sample| cell::header(sample).shape().0);
        match shape.and_then(|shape| Some((shape, found_in(t, shape)?))) {
            Some((shape, class)) => {
                t.require_cell(v, other);
                let found = t.e.load32(v, ivars::SHAPE);
                ivars::require_shape(t, found, shape, other);
                t.either(other, None, answer(class::ancestors::inherits(class, of)), by_runtime)
            }
            None => by_runtime(t),
        }
    };
    if let Some(found) = found {
        t.write(to, found, Kind::Any);
    }
}

/// Classes whose instances, including those of subclasses, are exactly the cells of a type and the immediates with a
/// tag.
const CORE: [Known; 9] = [
    Known::String,
    Known::Symbol,
    Known::Array,
    Known::Hash,
    Known::Integer,
    Known::Float,
    Known::Regexp,
    Known::Range,
    Known::Proc,
];

/// A mask and the bits under it that identify the immediates of a class.
fn tag_of(known: Known) -> Option<(u64, u64)> {
    match known {
        Known::Integer => Some((1, 1)),
        Known::Float => Some((3, 2)),
        Known::Symbol => Some((0xff, Value::SYMBOL_TAG)),
        _ => None,
    }
}

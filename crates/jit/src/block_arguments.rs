//! Block arguments: `&block`, `&:name`, and the block parameter that a method passes on or calls.

use abi::{RuntimeCall, Scope, Type, Value};
use bytecode::CallFlags;
use object::cell;
use runtime::{basic_ops::BasicOp, code::tier::Seen};
use std::mem::offset_of;

use crate::{
    arguments,
    arithmetic::Operand,
    bodies::{OuterScope, Passed, Place},
    frames::Passing,
    ir::Condition,
    joins::Arrivals,
    objects,
    registers::Kind,
    sites::Site,
    translate::Translator,
};

/// Whether `&:name` passes its literal block (see `block::passes_symbols_as_literals`).
pub fn passes_symbols_as_literals(t: &mut Translator) -> bool {
    !t.may_be_refined() && t.assume(|redefined| &mut redefined.symbol, BasicOp::ToProc.bit())
}

/// A site with a block argument that is nil, a Proc, the literal block of a body in the unit, or the block of a frame.
pub fn with_block_argument<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>) -> Option<Site<'a>> {
    let site = call.site;
    if !site.keywords().is_empty() || site.flags.has(CallFlags::SPLAT) && !arguments::is_spread(call) {
        return None;
    }
    let register = call.block_register();
    if t.r.kind(register) == Kind::Constant(Value::NIL) {
        return Some(call);
    }
    let v = t.read(register);
    if let Some(method) = t.own_blocks.get(&v) {
        return Some(Site { passed_on: Some(passed_to(t, *method)?), ..call });
    }
    if !t.handlers.contains(&v) {
        let is_proc = t.sample(Operand::Register(register)).is_some_and(|v| cell::is(v, Type::Proc));
        if !is_proc || t.seen(word).has(Seen::FAILED) {
            return None;
        }
        let exit = t.exit(word);
        objects::require_type(t, v, Type::Proc, exit);
        return Some(Site { handler: Some(v), ..call });
    }
    if t.sample(Operand::Register(register)) == Some(Value::NIL) && !t.seen(word).has(Seen::FAILED) {
        let exit = t.exit(word);
        let is_none = t.e.compare_constant(Condition::Equal, v, Value::NIL.0);
        t.e.require(is_none, exit);
        return Some(call);
    }
    Some(Site { handler: Some(v), ..call })
}

/// The literal block of a body in the unit that was passed to a method, if that method may pass it on.
pub fn passed_to(t: &Translator, method: usize) -> Option<Passing> {
    match t.bodies.get(method)?.block {
        Passed::Literal { home, code } => Some(Passing { by: home, code: code.own.get(), is_own: false }),
        _ => None,
    }
}

/// The block parameter of a method that passes it on: in line if the block is a literal one of a body in the unit and
/// no Proc was created for it.
pub fn own_block(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let method = match t.scope_of(i.b as usize) {
        Place::Body(number) => number,
        Place::Outer(scope) => return block_of_frame(t, i.a, scope, i.c as usize),
    };
    let by = match t.bodies[method].block {
        Passed::Literal { home, .. } => Some(home),
        Passed::None => None,
        Passed::Unknown => return t.runtime(RuntimeCall::Instruction, word),
    };
    let exit = t.exit(word);
    let at = t.bodies[method].offset + i.c;
    if t.r.held_at(at).kind != Kind::Constant(Value::UNDEF) {
        let v = t.word_at(at);
        let is_unmade = t.e.compare_constant(Condition::Equal, v, Value::UNDEF.0);
        t.e.require(is_unmade, exit);
    }
    let Some(by) = by else { return t.write_constant(i.a, Value::NIL) };
    // The tagged address of the frame that passes the block, as a value with a place, so that exits can store it.
    let frame = t.frame_of(by);
    let handler = t.e.or_constant(frame, 1);
    t.write(i.a, handler, Kind::Any);
    t.own_blocks.insert(handler, method);
}

/// The block parameter as the receiver of `call`: in line for a literal block that no Proc was made for. The jump that
/// follows tells it from other receivers.
pub fn block_to_call(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    if !t.assume(|redefined| &mut redefined.proc, BasicOp::Call.bit()) {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    let place = t.scope_of(i.b as usize);
    let is_literal = match place {
        Place::Body(number) => matches!(t.bodies[number].block, Passed::Literal { .. }),
        Place::Outer(scope) => t.running_block(scope).is_some_and(|block| block.frame().is_some()),
    };
    if !is_literal {
        return t.runtime(RuntimeCall::Instruction, word);
    }
    let (before, level) = (t.r.state(), t.pushed);
    let slow = t.e.cold_block();
    let made = match place {
        Place::Body(number) => t.word_at(t.bodies[number].offset + i.c),
        Place::Outer(scope) => {
            let scope = t.outer_scope(scope);
            let passed = t.e.load(scope, offset_of!(Scope, block));
            let is_literal = t.e.and_constant(passed, 1);
            t.e.require(is_literal, slow);
            let slots = t.e.load(scope, offset_of!(Scope, slots));
            t.e.load(slots, 8 * i.c as usize)
        }
    };
    let is_unmade = t.e.compare_constant(Condition::Equal, made, Value::UNDEF.0);
    t.e.require(is_unmade, slow);
    t.write_constant(i.a, Value::UNDEF);
    let mut arrivals = Arrivals::default();
    t.jump_to_join(&mut arrivals, None);
    t.r.restore(before);
    t.pushed = level;
    t.e.at(slow);
    t.runtime(RuntimeCall::Instruction, word);
    t.jump_to_join(&mut arrivals, None);
    let block = t.e.block();
    t.join(block, arrivals);
}

/// The block parameter of a method whose frame exists and that passes it on: the block of the frame, or the Proc
/// created for it.
fn block_of_frame(t: &mut Translator, to: u16, scope: OuterScope, slot: usize) {
    let is_own = scope == OuterScope::of_unit(0);
    let is_none = t.running_block(scope).is_some_and(|block| block.is_none());
    let scope = t.outer_scope(scope);
    let made = match is_own {
        true => t.word_at(slot as u16),
        false => {
            let slots = t.e.load(scope, offset_of!(Scope, slots));
            t.e.load(slots, 8 * slot)
        }
    };
    let passed = t.e.load(scope, offset_of!(Scope, block));
    let is_unmade = t.e.compare_constant(Condition::Equal, made, Value::UNDEF.0);
    let v = t.e.select(is_unmade, passed, made);
    t.write(to, v, Kind::Any);
    t.handlers.insert(v);
    if is_none {
        t.r.guess(to, Some(Value::NIL));
    }
}

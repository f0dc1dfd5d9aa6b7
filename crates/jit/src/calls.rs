//! Calls from compiled code to methods that are Ruby code, without the runtime between.

use abi::{Frame, FrameFlags, RuntimeCall, Scope, Value};
use cranelift_codegen::ir::condcodes::IntCC;
use object::{class::call_cache::CacheRef, method_entry};
use runtime::{
    Cx,
    call::{
        block,
        site::{Cached, callee},
    },
    code::{
        CallSite, Code, code,
        tier::{How, KeptCode},
    },
    frame,
};
use std::mem::offset_of;

use crate::{
    seam::{Block, Ssa},
    translate::Translator,
};

/// A call of positional arguments without a block: in line for each method that the site has called and that needs no
/// more than a frame or a word.
pub fn call(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.calls[i.c as usize];
    let (join, result) = t.e.join();
    let entries: Vec<(CacheRef, u32)> =
        site.entries().filter_map(|cache| Some((cache, direct(site, cache)?))).collect();
    for (cache, shape) in entries {
        let other = t.e.block();
        t.require_shape(word, cache, shape, other);
        match cache.kind() {
            Cached::ReadWord => {
                let receiver = t.read(i.b);
                let v = t.e.load(receiver, 8 * cache.word());
                t.e.store(v, t.registers, 8 * i.a as usize);
                t.e.jump(join, &[v]);
            }
            _ => {
                let callee = callee(cache);
                enter(t, word, cache.entry(), callee, other);
                let outcome = run(t, callee, 8 * i.b as usize);
                let v = t.outcome(&outcome);
                t.e.store(v, t.registers, 8 * i.a as usize);
                t.e.jump(join, &[v]);
            }
        }
        t.e.at(other);
    }
    let v = by_runtime(t, word);
    t.e.jump(join, &[v]);
    t.e.at(join);
    t.forget_registers();
    t.note(i.a, result);
}

/// A call of positional arguments with a literal block.
pub fn call_with_block(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let child = t.code.calls[i.c as usize].block as usize;
    let place = t.e.constant(t.code.children[child].as_ptr() as u64);
    let body = t.e.load(place, 0);
    t.e.store(body, t.frame, offset_of!(Frame, block_code));
    let v = by_runtime(t, word);
    t.forget_registers();
    t.note(i.a, v);
}

/// The call by the runtime; gives its result.
fn by_runtime(t: &mut Translator, word: usize) -> Ssa {
    let i = t.code.instruction(word);
    let site = &raw const t.code.calls[i.c as usize] as u64;
    t.save_behind(word);
    let [site, window, destination] = [site, i.b as u64, i.a as u64].map(|bits| t.e.constant(bits));
    let outcome = t.e.call(RuntimeCall::Call, &[t.context, t.registers, site, window, destination]);
    t.outcome(&outcome)
}

/// The shape of the receiver, if what the cache's entry says can be done in line.
fn direct(site: &CallSite, cache: CacheRef) -> Option<u32> {
    let shape = cache.shape()?;
    let fits = match cache.kind() {
        Cached::Simple => site.literal_arguments == 0 && site.arguments == callee(cache).parameters.required,
        Cached::ReadWord => site.arguments == 0,
        _ => false,
    };
    fits.then_some(shape)
}

/// What a new frame's scope begins with, besides what its code says.
struct Begun {
    outer: Ssa,
    cref: Ssa,
    entry: Ssa,
    flags: u32,
}

/// Pushes the frame of a method, as `frame::kinds::method` has it.
fn enter(t: &mut Translator, word: usize, entry: Value, callee: &Code, slow: Block) {
    let begun = Begun {
        outer: t.e.constant(0),
        cref: t.e.constant(method_entry::cref(entry).0),
        entry: t.e.constant(entry.0),
        flags: FrameFlags::METHOD,
    };
    push(t, word, callee, callee.parameters.required as usize, &begun, slow);
}

/// Pushes a frame that has `given` arguments in its registers and no block; the rest of them become nil.
fn push(t: &mut Translator, word: usize, callee: &Code, given: usize, begun: &Begun, slow: Block) {
    let i = t.code.instruction(word);
    let window = 8 * i.b as usize;
    let registers = callee.registers as usize;
    let base = t.e.add_constant(t.registers, window as i64);
    let end = t.e.add_constant(base, frame::room_for(registers) as i64);
    let fits = t.e.compare(IntCC::UnsignedLessThanOrEqual, end, t.frame);
    t.e.require(fits, slow);
    let here = t.e.stack_pointer();
    let limit = t.e.load(t.context, offset_of!(Cx, native_limit));
    let fits = t.e.compare(IntCC::UnsignedGreaterThan, here, limit);
    t.e.require(fits, slow);
    t.save(word + 1);
    let nil = t.e.constant(Value::NIL.0);
    for register in 1 + given..registers {
        t.e.store(nil, t.registers, window + 8 * register);
    }
    let new = t.e.add_constant(t.frame, -(size_of::<Frame>() as i64));
    let scope = offset_of!(Frame, scope);
    let words = [
        (scope + offset_of!(Scope, slots), base),
        (scope + offset_of!(Scope, outer), begun.outer),
        (scope + offset_of!(Scope, cref), begun.cref),
        (scope + offset_of!(Scope, entry), begun.entry),
        (scope + offset_of!(Scope, block), nil),
        (scope + offset_of!(Scope, special), nil),
        (scope + offset_of!(Scope, code), t.e.constant(callee.own.get().0)),
        (scope + offset_of!(Scope, environment), nil),
        (offset_of!(Frame, pc), t.e.constant(callee.start() as u64)),
        (offset_of!(Frame, block_code), nil),
    ];
    for (offset, word) in words {
        t.e.store(word, new, offset);
    }
    for (offset, half) in [
        (offset_of!(Frame, flags), begun.flags),
        (offset_of!(Frame, destination), i.a as u32),
        (offset_of!(Frame, registers), registers as u32),
    ] {
        let half = t.e.constant(half as u64);
        t.e.store32(half, new, offset);
    }
    t.e.store(new, t.context, offset_of!(Cx, frame));
}

/// `yield` to a literal block, by the shortest way if it is the one that is passed now.
pub fn yield_to(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.calls[i.c as usize];
    let Some((body, given)) = passed(t, site) else { return t.runtime(RuntimeCall::AnyCall, word) };
    t.blocks_kept.push(KeptCode(body.own.get()));
    let slow = t.e.cold_block();
    let (join, result) = t.e.join();
    let scope = t.scope_out(site.depth as usize);
    let handler = t.e.load(scope, offset_of!(Scope, block));
    let is_literal = t.e.and_constant(handler, 1);
    t.e.require(is_literal, slow);
    let home = t.e.add_constant(handler, -1);
    let found = t.e.load(home, offset_of!(Frame, block_code));
    let same = t.e.compare_constant(IntCC::Equal, found, body.own.get().0);
    t.e.require(same, slow);
    let begun = Begun {
        outer: home,
        cref: t.e.load(home, offset_of!(Scope, cref)),
        entry: t.e.load(home, offset_of!(Scope, entry)),
        flags: FrameFlags::BLOCK,
    };
    push(t, word, body, given, &begun, slow);
    let slots = t.e.load(home, offset_of!(Scope, slots));
    let me = t.e.load(slots, 0);
    t.e.store(me, t.registers, 8 * i.b as usize);
    let outcome = run(t, body, 8 * i.b as usize);
    let v = t.outcome(&outcome);
    t.e.store(v, t.registers, 8 * i.a as usize);
    t.e.jump(join, &[v]);
    t.e.at(slow);
    let v = t.call_runtime(RuntimeCall::AnyCall, word);
    t.e.jump(join, &[v]);
    t.e.at(join);
    t.forget_registers();
    t.note(i.a, result);
}

/// The literal block that is passed now to the method around the running frame, and how many of the values it takes;
/// `None` unless it takes them as they are. As `call::block::enter_simple` has it.
fn passed(t: &Translator, site: &CallSite) -> Option<(&'static Code, usize)> {
    let count = site.arguments as usize;
    let handler = t.passed_block(site.depth as usize);
    if site.flags.0 != 0 || handler.frame().is_none() {
        return None;
    }
    let target = block::target(handler)?;
    let body = code(target.body);
    let required = body.parameters.required as usize;
    if body.parameters.packed && count == 1 {
        return Some((body, 1));
    }
    let fits = body.simple && (count == required || count != 1 || required < 2);
    fits.then_some((body, count.min(required)))
}

/// Runs the frame that was pushed: by its entry where it has one, else by the runtime.
fn run(t: &mut Translator, callee: &Code, window: usize) -> Vec<Ssa> {
    let state = t.e.constant(callee.tier.state_address() as u64);
    let state = t.e.load(state, 0);
    let (compiled, other, resume) = (t.e.block(), t.e.cold_block(), t.e.cold_block());
    let join = t.e.block();
    let results = t.e.outcome_parameters(join);
    let is_entry = t.e.compare_constant(IntCC::SignedGreaterThan, state, 0);
    t.e.branch(is_entry, compiled, other);
    t.e.at(compiled);
    let base = t.e.add_constant(t.registers, window as i64);
    let start = t.e.constant(0);
    let signature = t.e.signature(3, 2);
    let outcome = t.e.call_address(signature, state, &[t.context, base, start]);
    let left = t.e.compare_constant(IntCC::Equal, outcome[1], How::Exited as u64);
    let go_on = t.e.block();
    t.e.branch(left, resume, go_on);
    t.e.at(go_on);
    t.e.jump(join, &outcome);
    // The callee's frame goes on in the interpreter, on top of this one.
    t.e.at(resume);
    let outcome = t.e.call(RuntimeCall::Interpret, &[t.context]);
    t.e.jump(join, &outcome);
    t.e.at(other);
    let outcome = t.e.call(RuntimeCall::RunFrame, &[t.context]);
    t.e.jump(join, &outcome);
    t.e.at(join);
    results.to_vec()
}

//! `yield`.

use abi::{Frame, FrameFlags, RuntimeCall, Scope, Type, Value};
use object::array::Arr;
use runtime::{
    call::block,
    code::{
        CallSite, Code,
        exits::{self, Reason},
        live_code,
        tier::Seen,
    },
};
use std::mem::offset_of;

use crate::{
    arguments::{self, Argument},
    arithmetic::Operand,
    block_copies,
    bodies::{OuterScope, Passed, Place, Start},
    calls::inline,
    closures,
    found_callees::{self, Callee, Takes},
    frames::{Around, Begun, push, result_of_call, run, run_block},
    ir::Condition,
    joins::Arrivals,
    objects,
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
    virtual_objects::{Content, Virtual},
};

/// `yield`: inlined if the block is a literal one of the unit; otherwise in line for the literal blocks that are known,
/// and by the runtime for all others.
pub fn yield_to(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let site = &t.code.calls[i.c as usize];
    let call = Site::of_call(t.code, word);
    if site.flags.0 != 0 {
        return t.runtime(RuntimeCall::AnyCall, word);
    }
    match t.block_passed(site.depth as usize) {
        Passed::Literal { home, code } if let Some(given) = Given::to(code, site) => {
            return yield_to_body(t, word, call, home, code, given);
        }
        Passed::Unknown => {}
        _ => return yield_by_runtime(t, word, call),
    }
    match t.scope_of(site.depth as usize) {
        Place::Outer(scope) => {
            let (blocks, procs) = match t.tier.is_baseline() {
                true => (Vec::new(), Vec::new()),
                false => (passed(t, scope, site), procs_passed(t, word, scope, site)),
            };
            if t.tier.is_baseline() || !blocks.is_empty() || !procs.is_empty() {
                return yield_to_passed(t, word, call, scope, blocks, procs);
            }
            yield_by_runtime(t, word, call);
        }
        Place::Body(_) => yield_by_runtime(t, word, call),
    }
}

/// `yield` to the block of a scope that is not one of the unit's bodies: in line for some literal blocks and Procs, by
/// the runtime for others. Only the block that is passed during the compilation is inlined, because the scopes around
/// other blocks are not known.
fn yield_to_passed<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    scope: OuterScope,
    blocks: Vec<(&'a Code, Given)>,
    procs: Vec<KnownProc<'a>>,
) {
    let learns = scope.start == Start::Unit && t.learns_blocks();
    let slow = if learns { t.e.cold_block() } else { t.e.block_like_this() };
    let to = t.outer_scope(scope);
    let handler = t.e.load(to, offset_of!(Scope, block));
    let is_literal = t.e.and_constant(handler, 1);
    let other_kind = if learns || t.tier.is_baseline() || !procs.is_empty() { t.e.block_like_this() } else { slow };
    t.e.require(is_literal, other_kind);
    let home = t.e.add_constant(handler, -1);
    let found = t.e.load(home, offset_of!(Frame, block_code));
    let slots = t.e.load(home, offset_of!(Scope, slots));
    let me = t.e.load(slots, 0);
    let (path, level, before) = (t.path_to(word, 0), t.pushed, t.r.state());
    let now = t.running_block(scope).and_then(block::target).map(|target| target.body);
    let mut arrivals = Arrivals::default();
    for (body, given) in blocks {
        let other = t.e.block();
        let same = t.e.compare_constant(Condition::Equal, found, body.own.get().0);
        t.e.require(same, other);
        t.keep(body.own.get());
        let begun = Begun {
            around: Around::Passer { home, depth: scope.depth },
            block: None,
            flags: FrameFlags::BLOCK,
            open: 0,
        };
        t.write(call.window, me, Kind::Any);
        let values = given.values(t, call, slow);
        let is_passed_now = now == Some(body.own.get()) && scope.start == Start::Unit;
        if is_passed_now && t.may_inline(body, word, path, t.r.at(call.window), t.limits.with_block) {
            inline_block(t, word, call, body, path, &values, begun);
        } else {
            t.save_behind(word);
            push(t, call, body, &values, &begun, slow);
            let v = run(t, body, call.window);
            yielded(t, word, call, v);
        }
        t.jump_to_join(&mut arrivals, None);
        t.r.restore(before.clone());
        t.pushed = level;
        t.e.at(other);
    }
    let otherwise = if learns { t.exit_for(word, Reason::NewBlock) } else { slow };
    t.e.jump(otherwise, &[]);
    if other_kind != slow {
        t.e.at(other_kind);
        yield_to_procs(t, word, call, handler, procs, (slow, otherwise), &mut arrivals);
    }
    t.e.at(slow);
    if !learns {
        yield_to_found(t, word, call, scope, &mut arrivals);
    }
    yield_by_runtime(t, word, call);
    t.jump_to_join(&mut arrivals, None);
    let block = t.e.block();
    t.join(block, arrivals);
}

/// `yield` to the literal block that is passed to the scope, whichever it is, in a frame of its own. Continues in a
/// block for those that must convert the values, and for other kinds of blocks.
fn yield_to_found(t: &mut Translator, word: usize, call: Site, scope: OuterScope, arrivals: &mut Arrivals) {
    let (before, level, slow) = (t.r.state(), t.pushed, t.e.block_like_this());
    let to = t.outer_scope(scope);
    let handler = t.e.load(to, offset_of!(Scope, block));
    let is_literal = t.e.and_constant(handler, 1);
    t.e.require(is_literal, slow);
    let home = t.e.add_constant(handler, -1);
    let body = t.e.load(home, offset_of!(Frame, block_code));
    let given = found_callees::Given::InWindow(call.arguments());
    let callee = Callee::of(t, body, Takes::AtMost, given, slow);
    if t.code.internal {
        block_copies::count(t, body, slow);
    }
    let slots = t.e.load(home, offset_of!(Scope, slots));
    let me = t.e.load(slots, 0);
    t.write(call.window, me, Kind::Any);
    t.save_behind(word);
    let flags = t.e.constant(u64::from(FrameFlags::BLOCK));
    let begun = found_callees::Begun::block(t, home, flags);
    let v = callee.run(t, call, given, &begun, slow);
    yielded(t, word, call, v);
    t.jump_to_join(arrivals, None);
    t.r.restore(before);
    t.pushed = level;
    t.e.at(slow);
}

/// `yield` to a Proc that has one of the known codes; goes to `otherwise` for other Procs of Ruby code, and to `slow`
/// for other blocks.
fn yield_to_procs<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    handler: Ssa,
    procs: Vec<KnownProc<'a>>,
    (slow, otherwise): (Block, Block),
    arrivals: &mut Arrivals,
) {
    objects::require_type(t, handler, Type::Proc, slow);
    let (found, closure) = closures::parts_of_proc(t, handler);
    let is_code = t.e.and_constant(closure.kind, u64::from(closures::OTHER_KINDS));
    let is_code = t.e.compare_constant(Condition::Equal, is_code, 0);
    t.e.require(is_code, slow);
    let (before, level) = (t.r.state(), t.pushed);
    for KnownProc { code, given, is_lambda } in procs {
        t.keep(code.own.get());
        let other = t.e.block();
        let same = t.e.compare_constant(Condition::Equal, found, code.own.get().0);
        t.e.require(same, other);
        let begun = closures::begun_of_proc(t, &closure, is_lambda, None, slow);
        t.write(call.window, closure.me, Kind::Any);
        let values = given.values(t, call, slow);
        t.save_behind(word);
        push(t, call, code, &values, &begun, slow);
        let v = run(t, code, call.window);
        yielded(t, word, call, v);
        t.jump_to_join(arrivals, None);
        t.r.restore(before.clone());
        t.pushed = level;
        t.e.at(other);
    }
    if otherwise == slow {
        t.write(call.window, closure.me, Kind::Any);
        t.save_behind(word);
        let v = closures::run_found(t, call, found, &closure, slow);
        yielded(t, word, call, v);
        t.jump_to_join(arrivals, None);
        t.r.restore(before);
        t.pushed = level;
        return;
    }
    t.e.jump(otherwise, &[]);
}

/// `yield` to a literal block of a body in the unit.
fn yield_to_body<'a>(t: &mut Translator<'a>, word: usize, call: Site<'a>, home: usize, body: &'a Code, given: Given) {
    if matches!(given, Given::Elements(_)) && t.seen(word) != Seen::default() {
        return yield_by_runtime(t, word, call);
    }
    let path = t.path_to(word, 0);
    let begun = Begun { around: Around::Body(home), block: None, flags: FrameFlags::BLOCK, open: 0 };
    let own = std::mem::replace(&mut t.r.offset, t.bodies[home].offset);
    let me = t.r.content(&mut t.e, t.context, 0);
    t.r.offset = own;
    t.r.put(call.window, me);
    let values = match given {
        Given::Values(count) => arguments::in_place(count),
        Given::Elements(_) => {
            let exit = t.exit(word);
            given.values(t, call, exit)
        }
    };
    if t.may_inline(body, word, path, t.r.at(call.window), t.limits.with_block) {
        inline_block(t, word, call, body, path, &values, begun);
        return;
    }
    t.save_behind(word);
    let (slow, join) = (t.e.cold_block(), t.e.block());
    push(t, call, body, &values, &begun, slow);
    let v = match t.called_with(home, body).filter(|called| !t.is_ensured(*called, word)) {
        Some(called) => run_block(t, body, call.window, |t, outcome| leave_by_break(t, called, outcome)),
        None => run(t, body, call.window),
    };
    yielded(t, word, call, v);
    t.e.jump(join, &[]);
    t.e.at(slow);
    yield_by_runtime(t, word, call);
    t.e.jump(join, &[]);
    t.e.at(join);
    t.r.forget();
}

/// Inlines a block. The guess at an element of an Array that is taken apart is the element of the Array at hand.
fn inline_block<'a>(
    t: &mut Translator<'a>,
    word: usize,
    call: Site<'a>,
    body: &'a Code,
    path: u32,
    values: &[Argument],
    begun: Begun,
) {
    let list = t.sample(Operand::Register(call.window + 1)).and_then(Arr::from_value);
    for (n, value) in values.iter().enumerate() {
        if let Some(content) = *value {
            let sample = content.sample.or_else(|| list.and_then(|list| list.get(n)));
            t.r.put(call.window + 1 + n as u16, Content { sample, ..content });
        }
    }
    inline(t, word, call, body, path, &arguments::in_place(values.len()), begun);
}

/// If a block of the unit ended in a `break`, leaves the body that the block was passed to; any other exception or jump
/// leaves the unit.
fn leave_by_break(t: &mut Translator, called: usize, outcome: [Ssa; 2]) {
    let (before, level) = (t.r.state(), t.pushed);
    let passer = t.frame_of(called - 1);
    let v = t.e.call(RuntimeCall::EndBreak, &[t.context, passer])[0];
    let other = t.e.cold_block();
    let has_ended = t.e.compare_constant(Condition::NotEqual, v, Value::UNDEF.0);
    t.e.require(has_ended, other);
    t.pushed = called;
    t.r.forget();
    t.leave_behind_call(called, v);
    t.r.restore(before);
    t.pushed = level;
    t.e.at(other);
    t.e.leave(outcome[0], outcome[1]);
}

/// Stores the result of a block's frame.
fn yielded(t: &mut Translator, word: usize, call: Site, v: Ssa) {
    t.e.store(v, t.r.base, t.r.byte(call.destination));
    t.require_usable(word, true);
    t.r.forget();
}

/// `yield` by the runtime, to any block; the result is in its register.
fn yield_by_runtime(t: &mut Translator, word: usize, call: Site) {
    t.save_behind(word);
    let site = std::ptr::from_ref(call.site) as u64;
    let registers = t.registers();
    let words = [site, u64::from(call.window), u64::from(call.destination)].map(|bits| t.e.constant(bits));
    let [site, window, destination] = words;
    let outcome = t.e.call(RuntimeCall::Yield, &[t.context, registers, site, window, destination]);
    result_of_call(t, &outcome, call.destination);
    t.require_usable(word, true);
    t.r.forget();
}

/// What a block's parameters receive.
#[derive(Clone, Copy)]
enum Given {
    /// So many of the values.
    Values(usize),
    /// So many elements of the value, which is an Array.
    Elements(usize),
}

impl Given {
    /// How a block takes the values of a `yield`; `None` if it must convert them.
    fn to(body: &Code, site: &CallSite) -> Option<Given> {
        let (count, required) = (site.arguments as usize, body.parameters.required as usize);
        match () {
            () if body.parameters.packed && count == 1 => Some(Given::Values(1)),
            () if !body.simple => None,
            () if count == 1 && required > 1 => Some(Given::Elements(required)),
            () => Some(Given::Values(count.min(required))),
        }
    }

    /// The values of the parameters; goes to `otherwise` if there are not enough elements.
    fn values(self, t: &mut Translator, call: Site, otherwise: Block) -> Vec<Argument> {
        let count = match self {
            Given::Values(count) => return arguments::in_place(count),
            Given::Elements(count) => count,
        };
        if let Some(elements) = t.r.object(call.window + 1).and_then(Virtual::elements)
            && elements.len() >= count
        {
            return elements[..count].iter().copied().map(Some).collect();
        }
        let list = t.read(call.window + 1);
        objects::require_type(t, list, Type::Array, otherwise);
        let (start, len) = objects::elements_of(t, list);
        let fits = t.e.compare_constant(Condition::AboveEqual, len, count as u64);
        t.e.require(fits, otherwise);
        (0..count).map(|n| Some(Content::of_value(t.e.load(start, 8 * n)))).collect()
    }
}

/// The literal blocks that may be passed to the scope, and what each of them receives. Blocks that must convert the
/// values (see `call::block::enter_simple`) are left out, so the block that is passed now may be missing.
fn passed(t: &Translator, scope: OuterScope, site: &CallSite) -> Vec<(&'static Code, Given)> {
    let handler = t.running_block(scope).filter(|handler| handler.frame().is_some());
    let Some(target) = handler.and_then(block::target) else { return Vec::new() };
    let known = if scope.start == Start::Unit { t.tier.blocks() } else { Vec::new() };
    let bodies = std::iter::once(target.body)
        .chain(known.into_iter().map(|known| known.0).filter(|known| *known != target.body));
    bodies
        .filter_map(|body| {
            // SAFETY: the running method's block, which is alive while this is compiled, or one that its code keeps.
            let body = unsafe { live_code(body) };
            Given::to(body, site).map(|given| (body, given))
        })
        .collect()
}

/// The code of a Proc, and what its parameters receive.
struct KnownProc<'a> {
    code: &'a Code,
    given: Given,
    is_lambda: bool,
}

/// The codes of the Procs that may be passed to the scope: that of the one which is passed now, and those that the
/// `yield` has called since. Those that must convert the values are left out.
fn procs_passed<'a>(t: &Translator<'a>, word: usize, scope: OuterScope, site: &CallSite) -> Vec<KnownProc<'a>> {
    let now = t.running_block(scope).filter(|handler| handler.frame().is_none()).and_then(block::target);
    let seen = match scope.start {
        Start::Unit => t.tier.procs(exits::place(t.body().path, word)),
        _ => Vec::new(),
    };
    let others = seen.iter().map(|seen| (seen.body.0, seen.is_lambda));
    let others = others.filter(|(body, _)| now.is_none_or(|now| now.body != *body));
    let bodies = now.map(|target| (target.body, target.lambda)).into_iter().chain(others);
    bodies
        .filter_map(|(body, is_lambda)| {
            // SAFETY: the running method's block, which is alive while this is compiled, or one that its code keeps.
            let code = unsafe { live_code(body) };
            let given = Given::to(code, site)?;
            let fits = !is_lambda || code.simple && site.arguments == code.parameters.required;
            fits.then_some(KnownProc { code, given, is_lambda })
        })
        .collect()
}

//! Calls of Procs, and of methods that a block defines: the scope around their frames is on the heap.

use abi::{BlockHandler, FrameFlags, Scope, Type, Value};
use bytecode::CallFlags;
use object::{cell, class::call_cache::CacheRef, environment, method_entry, proc};
use runtime::{
    call::{block, site::native_row},
    code::{
        Code,
        exits::{self, Reason},
        live_code,
        tier::{Seen, Tier},
    },
    method_table::Special,
};

use crate::{
    arguments::{self, arrange},
    arithmetic::Operand,
    calls::Others,
    found_callees::{self, Callee, Given, Takes},
    frames::{Around, Begun, Passing, push, run},
    ir::{Condition, Origin},
    registers::Kind,
    seam::{Block, Ssa},
    sites::Site,
    translate::Translator,
};

/// The code of a method that a block defines, and the scope around the block; `None` if the arguments do not fit.
pub fn method<'a>(t: &Translator, call: Site, entry: Value) -> Option<(&'a Code, *const Scope)> {
    if method_entry::kind(entry) != method_entry::Kind::Block || t.cx.isolated {
        return None;
    }
    let body = method_entry::body(entry);
    if !cell::is(body, Type::Proc) || cell::header(body).has(proc::METHOD_OF_RACTOR) {
        return None;
    }
    let target = block::target(BlockHandler(body))?;
    // SAFETY: the entry keeps the Proc alive, which keeps its code.
    let code = unsafe { live_code(target.body) };
    arrange(code, call).map(|_| (code, target.scope))
}

/// How the frame of a method that a block defines begins.
pub fn begun(t: &mut Translator, entry: Value, scope: *const Scope, call: Site) -> Begun {
    t.keep(entry);
    let flags = FrameFlags::BLOCK | FrameFlags::LAMBDA | FrameFlags::BMETHOD;
    Begun { around: Around::Closure { scope, entry }, block: call.passing(t), flags, open: 0 }
}

/// The codes of the Procs that a site is expected to call.
pub struct KnownProcs<'a> {
    /// The codes, and whether the Proc is a lambda. The arguments fit their parameters without conversion.
    codes: Vec<(&'a Code, bool)>,
    /// Whether a Proc with other code is an exit, after which the unit is compiled for that code, too.
    learns: bool,
}

/// The codes of the Procs that a site has called, first that of the Proc which it calls at the time of the compilation;
/// `None` if it calls none, or if no call of them can be translated in line. There may be none as yet if it learns.
pub fn known<'a>(t: &Translator, call: Site, cache: CacheRef) -> Option<KnownProcs<'a>> {
    // The exits of such a call find the arguments in the window as the interpreter needs them.
    if native_row(cache).special != Special::ProcCall || call.site.literal_arguments != 0 || call.apart.is_some() {
        return None;
    }
    // For `send`, another register is the receiver's.
    let register = if call.skipped == 0 { call.operand } else { call.window };
    let receiver = t.sample(Operand::Register(register)).filter(|v| cell::is(*v, Type::Proc));
    let now = receiver.and_then(|receiver| block::target(BlockHandler(receiver)));
    let place = call.word.map(|word| exits::place(t.body().path, word));
    let seen = place.map(|place| t.tier.procs(place)).unwrap_or_default();
    let has_failed = call.word.is_some_and(|word| t.seen(word).has(Seen::FAILED));
    let may_learn = t.learns_blocks() && !t.tier.is_last() && !has_failed;
    let learns = place.is_some() && seen.len() < Tier::MOST_PROCS && may_learn;
    let others = seen.into_iter().filter(|seen| now.is_none_or(|now| now.body != seen.body.0));
    let found = now.map(|target| (target.body, target.lambda)).into_iter();
    let fits = |(body, is_lambda): (Value, bool)| {
        // SAFETY: the Proc that is called now is alive, and the record of the unit keeps the codes of the others.
        let code = unsafe { live_code(body) };
        let is_taken = match is_lambda {
            true => arrange(code, call).is_some(),
            false => code.simple && call.arguments() == code.parameters.required && call.site.keywords().is_empty(),
        };
        is_taken.then_some((code, is_lambda))
    };
    let codes: Vec<_> = found.chain(others.map(|seen| (seen.body.0, seen.is_lambda))).filter_map(fits).collect();
    // Without a guess at the Proc, the first exit tells which it is, or the code is found at run time.
    let is_unknown = now.is_none() && (learns || takes_found(call));
    (is_unknown || !codes.is_empty()).then_some(KnownProcs { codes, learns })
}

/// Calls a Proc that has one of the known codes, in a frame of its own, and returns the result; goes to `others`, or to
/// an exit, for other Procs. `pc` must be set.
pub fn call_proc(
    t: &mut Translator,
    word: usize,
    call: Site,
    known: &KnownProcs,
    receiver: Ssa,
    others: Others,
) -> Ssa {
    t.flush();
    let (found, closure) = parts_of_proc(t, receiver);
    let (before, level, join) = (t.r.state(), t.pushed, t.e.block());
    let result = t.e.parameter(join, Origin::Word);
    let mut behind = None;
    for (code, is_lambda) in &known.codes {
        t.keep(code.own.get());
        let other = t.e.block();
        let same = t.e.compare_constant(Condition::Equal, found, code.own.get().0);
        t.e.require(same, other);
        let begun = begun_of_proc(t, &closure, *is_lambda, call.passing(t), others.call);
        let values = match is_lambda {
            true => arguments::of_method(t, call, code, others.call),
            false => arguments::in_place(usize::from(call.arguments())),
        };
        t.write(call.window, closure.me, Kind::Any);
        push(t, call, code, &values, &begun, others.no_room);
        let v = run(t, code, call.window);
        t.e.jump(join, &[v]);
        behind = Some(t.r.state());
        t.r.restore(before.clone());
        t.pushed = level;
        t.e.at(other);
    }
    if known.learns || !takes_found(call) {
        let other = if known.learns { t.exit_for(word, Reason::NewBlock) } else { others.call };
        t.e.jump(other, &[]);
    } else {
        t.write(call.window, closure.me, Kind::Any);
        let v = run_found(t, call, found, &closure, others.call);
        t.e.jump(join, &[v]);
        behind = Some(t.r.state());
    }
    t.e.at(join);
    if let Some(behind) = behind {
        t.r.restore(behind);
    }
    result
}

/// May the call be one of a Proc that is found at run time?
fn takes_found(call: Site) -> bool {
    const UNDERSTOOD: u16 = CallFlags::SELF_CALL | CallFlags::PUBLIC;
    call.flags().0 & !UNDERSTOOD == 0 && !call.has_block()
}

/// Runs a Proc with any code in a frame of its own, and returns the result; goes to `otherwise` if its parameters are
/// not exactly the arguments. The receiver's place in the window has the Proc's self, and `pc` must be set.
pub fn run_found(t: &mut Translator, call: Site, cell: Ssa, closure: &Closure, otherwise: Block) -> Ssa {
    let is_other = t.e.and_constant(closure.kind, u64::from(OTHER_KINDS));
    let is_code = t.e.compare_constant(Condition::Equal, is_other, 0);
    t.e.require(is_code, otherwise);
    let given = Given::InWindow(call.arguments());
    let callee = Callee::of(t, cell, Takes::All, given, otherwise);
    let scope = scope_of(t, closure);
    let [block, lambda] =
        [FrameFlags::BLOCK, FrameFlags::BLOCK | FrameFlags::LAMBDA].map(|flags| t.e.constant(u64::from(flags)));
    let flags = t.e.select(closure.kind, lambda, block);
    let begun = found_callees::Begun::block(t, scope, flags);
    callee.run(t, call, given, &begun, otherwise)
}

/// Bits of a Proc's flags that say that it is not Ruby code.
pub const OTHER_KINDS: u32 = proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD;

/// The words of a Proc besides its code.
pub struct Closure {
    /// Bits of its flags.
    pub kind: Ssa,
    environment: Ssa,
    pub me: Ssa,
}

/// The code of a Proc, and its other words.
pub fn parts_of_proc(t: &mut Translator, receiver: Ssa) -> (Ssa, Closure) {
    let flags = t.e.load32(receiver, 0);
    let kind = t.e.and_constant(flags, u64::from(proc::LAMBDA | OTHER_KINDS));
    let [environment, found, me] =
        [proc::ENVIRONMENT, proc::CODE, proc::RECEIVER].map(|word| t.e.load(receiver, 8 * word));
    (found, Closure { kind, environment, me })
}

/// How the frame of a Proc begins; goes to `otherwise` unless the Proc is a lambda, or is none, as expected.
pub fn begun_of_proc(
    t: &mut Translator,
    closure: &Closure,
    is_lambda: bool,
    block: Option<Passing>,
    otherwise: Block,
) -> Begun {
    let expected = u64::from(if is_lambda { proc::LAMBDA } else { 0 });
    let fits = t.e.compare_constant(Condition::Equal, closure.kind, expected);
    t.e.require(fits, otherwise);
    let scope = scope_of(t, closure);
    let lambda = if is_lambda { FrameFlags::LAMBDA } else { 0 };
    Begun { around: Around::Scope { scope }, block, flags: FrameFlags::BLOCK | lambda, open: 0 }
}

/// The address of the scope around a Proc.
fn scope_of(t: &mut Translator, closure: &Closure) -> Ssa {
    t.e.add_constant(closure.environment, 8 * environment::SCOPE as i64)
}

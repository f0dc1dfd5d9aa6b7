//! Calls of Procs, and of methods that a block defines: the scope around their frames is on the heap.

use abi::{BlockHandler, FrameFlags, Scope, Type, Value};
use object::{cell, class::call_cache::CacheRef, environment, method_entry, proc};
use runtime::{
    call::{block, site::native_row},
    code::{Code, live_code},
    method_table::Special,
};

use crate::{
    arguments::{self, arrange},
    arithmetic::Operand,
    calls::{Others, Site},
    frames::{Around, Begun, push, run},
    ir::Condition,
    registers::Kind,
    seam::Ssa,
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
    Begun { around: Around::Closure { scope, entry }, block: call.passing(t), flags }
}

/// The code of the Proc that a site calls at the time of the compilation, and whether it is a lambda; `None` unless the
/// arguments fit its parameters without conversion.
pub fn called<'a>(t: &Translator, call: Site, cache: CacheRef) -> Option<(&'a Code, bool)> {
    if native_row(cache).special != Special::ProcCall || call.site.literal_arguments != 0 {
        return None;
    }
    let receiver = t.sample(Operand::Register(call.window)).filter(|v| cell::is(*v, Type::Proc))?;
    let target = block::target(BlockHandler(receiver))?;
    // SAFETY: the Proc is alive while this is compiled; the unit keeps its code.
    let code = unsafe { live_code(target.body) };
    let fits = if target.lambda {
        arrange(code, call).is_some()
    } else {
        code.simple && call.arguments() == code.parameters.required && call.site.keywords().is_empty()
    };
    fits.then_some((code, target.lambda))
}

/// Calls a Proc that has this code, in a frame of its own, and returns the result; goes to `others` for a Proc with
/// other code. `pc` must be set.
pub fn call_proc(t: &mut Translator, call: Site, code: &Code, is_lambda: bool, receiver: Ssa, others: Others) -> Ssa {
    const KINDS: u32 = proc::LAMBDA | proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD;
    t.keep(code.own.get());
    let flags = t.e.load32(receiver, 0);
    let kind = t.e.and_constant(flags, u64::from(KINDS));
    let fits = t.e.compare_constant(Condition::Equal, kind, u64::from(if is_lambda { proc::LAMBDA } else { 0 }));
    t.e.require(fits, others.call);
    let [environment, found, me] =
        [proc::ENVIRONMENT, proc::CODE, proc::RECEIVER].map(|word| t.e.load(receiver, 8 * word));
    let same = t.e.compare_constant(Condition::Equal, found, code.own.get().0);
    t.e.require(same, others.call);
    let scope = t.e.add_constant(environment, 8 * environment::SCOPE as i64);
    let values = match is_lambda {
        true => arguments::of_method(t, call, code, others.call),
        false => arguments::in_place(usize::from(call.arguments())),
    };
    t.write(call.window, me, Kind::Any);
    let lambda = if is_lambda { FrameFlags::LAMBDA } else { 0 };
    let begun = Begun { around: Around::Scope { scope }, block: call.passing(t), flags: FrameFlags::BLOCK | lambda };
    push(t, call, code, &values, &begun, others.no_room);
    run(t, code, call.window)
}

//! The functions behind [`abi::RuntimeCall`].
//!
//! No panic crosses compiled code: each function catches what its body does.

use std::panic::{AssertUnwindSafe, catch_unwind};

use abi::{BlockHandler, FrameFlags, RuntimeCall, Value};
use bytecode::Opcode;
use runtime::{
    Cx, R,
    call::{self, Action, Call, Window},
    code::{
        CallSite, ConstantSite, IvarSite, code,
        tier::{How, Outcome},
    },
    instructions::{index, ivars},
};

use crate::instruction;

/// The address of a call's function.
pub fn address(call: RuntimeCall) -> usize {
    match call {
        RuntimeCall::Instruction => execute as *const () as usize,
        RuntimeCall::Call => make_call as *const () as usize,
        RuntimeCall::AnyCall => make_any_call as *const () as usize,
        RuntimeCall::RunFrame => run_frame as *const () as usize,
        RuntimeCall::Interpret => go_on as *const () as usize,
        RuntimeCall::Safepoint => safepoint as *const () as usize,
        RuntimeCall::Operate => operate as *const () as usize,
        RuntimeCall::Index => get_element as *const () as usize,
        RuntimeCall::IndexSet => set_element as *const () as usize,
        RuntimeCall::SetIvar => set_ivar as *const () as usize,
        RuntimeCall::Constant => constant as *const () as usize,
        RuntimeCall::NewFloat => new_float as *const () as usize,
        RuntimeCall::CloseEnvironment => close_environment as *const () as usize,
    }
}

const fn returned(value: Value) -> Outcome {
    Outcome { value, how: How::Returned }
}

const fn left(how: How) -> Outcome {
    Outcome { value: Value::UNDEF, how }
}

/// Runs a body for compiled code: a panic is raised as an exception.
fn guarded(cx: &mut Cx, body: impl FnOnce(&mut Cx) -> R<Outcome>) -> Outcome {
    match catch_unwind(AssertUnwindSafe(|| body(cx))) {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => left(How::Unwinding),
        Err(payload) => {
            let _ = runtime::panics::raise(cx, payload);
            left(How::Unwinding)
        }
    }
}

/// The outcome of an instruction that may have pushed a frame.
fn complete(cx: &mut Cx, registers: Window, action: Action) -> Outcome {
    match action {
        Action::Value(v) => returned(v),
        Action::Entered => {
            let destination = cx.frame().destination as usize;
            let outcome = run_top_frame(cx);
            if outcome.how == How::Returned {
                registers.set(destination, outcome.value);
            }
            outcome
        }
    }
}

/// How much of the native stack must be left to go on in a dispatch loop of its own.
const NATIVE_RESERVE: usize = 128 << 10;

/// Runs the frame on top until it is left: compiled where it is, else in a dispatch loop of its own.
fn run_top_frame(cx: &mut Cx) -> Outcome {
    let frame = cx.frame;
    // SAFETY: the running frame is alive until it is left; what is read here is read before.
    let (own, slots, flags) = unsafe { (code((*frame).scope.code), (*frame).scope.slots, (*frame).flags) };
    let here = 0u8;
    if (&raw const here as usize) < cx.native_limit + NATIVE_RESERVE {
        return left(How::Abandoned);
    }
    if own.tier.is_hot() && !own.tier.is_compiled() {
        crate::compile(cx, own);
    }
    let outcome = match own.tier.entry() {
        Some(entry) => {
            // SAFETY: register 0 of the frame. The entry is that of its code. The frame was pushed just now; it begins
            // at its first word.
            let (receiver, outcome) = unsafe { (*slots, entry(cx, slots, 0)) };
            match outcome.how {
                How::Returned if flags & FrameFlags::RECEIVER_RESULT != 0 => returned(receiver),
                _ => outcome,
            }
        }
        None => left(How::Exited),
    };
    if outcome.how == How::Exited { interpret(cx) } else { outcome }
}

/// Runs the frame on top in a dispatch loop of its own.
fn interpret(cx: &mut Cx) -> Outcome {
    cx.frame_mut().flags |= FrameFlags::ENTRY;
    match (cx.vm().hooks.run)(cx) {
        Ok(v) => returned(v),
        Err(_) => left(How::Unwinding),
    }
}

unsafe extern "C" fn execute(cx: *mut Cx, registers: *mut Value, word: u64) -> Outcome {
    // SAFETY: compiled code passes its own context and the registers of the running frame.
    let (cx, registers) = unsafe { (&mut *cx, Window::new(registers)) };
    guarded(cx, |cx| {
        let own = code(cx.frame().scope.code);
        let action = instruction::run(cx, own, registers, word as usize)?;
        Ok(complete(cx, registers, action))
    })
}

unsafe extern "C" fn make_any_call(cx: *mut Cx, registers: *mut Value, word: u64) -> Outcome {
    // SAFETY: compiled code passes its own context and the registers of the running frame.
    let (cx, registers) = unsafe { (&mut *cx, Window::new(registers)) };
    guarded(cx, |cx| {
        let own = code(cx.frame().scope.code);
        let action = instruction::call(cx, own, registers, word as usize)?;
        Ok(complete(cx, registers, action))
    })
}

unsafe extern "C" fn make_call(
    cx: *mut Cx,
    registers: *mut Value,
    site: *const CallSite,
    window: u64,
    destination: u64,
) -> Outcome {
    // SAFETY: compiled code passes its own context, the registers of the running frame and a site of its own code.
    let (cx, registers, site) = unsafe { (&mut *cx, Window::new(registers), &*site) };
    guarded(cx, |cx| {
        let block = match site.block_child() {
            Some(_) => BlockHandler::literal(cx.frame),
            None => BlockHandler::NONE,
        };
        let window = registers.from(window as usize);
        let call = Call::positional(window, site.arguments as usize, block, destination as u32);
        let action = call::site::call(cx, site, &call)?;
        if let Action::Value(v) = action {
            registers.set(destination as usize, v);
        }
        Ok(complete(cx, registers, action))
    })
}

unsafe extern "C" fn run_frame(cx: *mut Cx) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| Ok(run_top_frame(cx)))
}

unsafe extern "C" fn go_on(cx: *mut Cx) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| Ok(interpret(cx)))
}

unsafe extern "C" fn safepoint(cx: *mut Cx) -> Outcome {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| cx.safepoint().map(|()| returned(Value::NIL)))
}

/// Runs a fast path; undef if it does not apply. A panic counts as that, too: the slow path raises the exception.
#[inline(always)]
fn fast(cx: *mut Cx, path: impl FnOnce(&mut Cx) -> Option<Value>) -> Value {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    catch_unwind(AssertUnwindSafe(|| path(cx))).ok().flatten().unwrap_or(Value::UNDEF)
}

unsafe extern "C" fn operate(cx: *mut Cx, opcode: u64, a: Value, b: Value) -> Value {
    let opcode = Opcode::from_u16(opcode as u16);
    fast(cx, |cx| instruction::fast(cx, opcode, &[a, b, Value::UNDEF]).ok().flatten())
}

unsafe extern "C" fn get_element(cx: *mut Cx, receiver: Value, key: Value) -> Value {
    fast(cx, |cx| index::get_fast(cx, receiver, key))
}

unsafe extern "C" fn set_element(cx: *mut Cx, receiver: Value, key: Value, value: Value) -> Value {
    fast(cx, |cx| index::set_fast(cx, receiver, key, value).then_some(value))
}

unsafe extern "C" fn set_ivar(cx: *mut Cx, site: *const IvarSite, value: Value) -> Value {
    // SAFETY: compiled code passes a site of its own code, which lives as long as that.
    let site = unsafe { &*site };
    fast(cx, |cx| {
        let me = Window::of_frame(cx).receiver();
        ivars::set_fast(cx, me, site, value).then_some(value)
    })
}

unsafe extern "C" fn constant(_: *mut Cx, site: *const ConstantSite, scope: Value) -> Value {
    // SAFETY: compiled code passes a site of its own code, which lives as long as that.
    unsafe { (*site).cached(scope).unwrap_or(Value::UNDEF) }
}

unsafe extern "C" fn new_float(cx: *mut Cx, bits: u64) -> Value {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    let made = guarded(cx, |cx| Ok(returned(object::float::new(cx, f64::from_bits(bits)))));
    made.value
}

unsafe extern "C" fn close_environment(cx: *mut Cx) {
    // SAFETY: compiled code passes its own context.
    let cx = unsafe { &mut *cx };
    guarded(cx, |cx| {
        cx.close_own_environment();
        Ok(returned(Value::NIL))
    });
}

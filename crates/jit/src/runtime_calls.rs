//! The functions behind [`abi::RuntimeCall`].
//!
//! No panic crosses compiled code: each function catches what its body does.

use std::panic::{AssertUnwindSafe, catch_unwind};

use abi::{FrameFlags, RuntimeCall, Value};
use runtime::{
    Cx, R,
    call::{Action, Window},
    code::{
        Code, code,
        tier::{How, Outcome},
    },
};

use crate::instruction;

/// The address of a call's function.
pub fn address(call: RuntimeCall) -> usize {
    match call {
        RuntimeCall::Instruction => execute as *const () as usize,
        RuntimeCall::Call => make_call as *const () as usize,
        RuntimeCall::RunFrame => run_frame as *const () as usize,
        RuntimeCall::Interpret => go_on as *const () as usize,
        RuntimeCall::Safepoint => safepoint as *const () as usize,
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

/// Makes `pc` of the running frame point after the instruction at `word` and its extension, where the frame continues.
fn save(cx: &mut Cx, word: u64) -> &'static Code {
    let own = code(cx.frame().scope.code);
    let extension = own.instruction(word as usize).op().following_words().min(1);
    // SAFETY: the words belong to the code.
    cx.frame_mut().pc = unsafe { own.start().add(word as usize + 1 + extension) };
    own
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
    // SAFETY: the frame is one of Ruby code, and was pushed just now: it begins at its first word.
    let outcome = match own.tier.entry() {
        Some(entry) => unsafe {
            let receiver = *slots;
            let outcome = entry(cx, slots, 0);
            match outcome.how {
                How::Returned if flags & FrameFlags::RECEIVER_RESULT != 0 => returned(receiver),
                _ => outcome,
            }
        },
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
        let own = save(cx, word);
        let action = instruction::run(cx, own, registers, word as usize)?;
        Ok(complete(cx, registers, action))
    })
}

unsafe extern "C" fn make_call(cx: *mut Cx, registers: *mut Value, word: u64) -> Outcome {
    // SAFETY: compiled code passes its own context and the registers of the running frame.
    let (cx, registers) = unsafe { (&mut *cx, Window::new(registers)) };
    guarded(cx, |cx| {
        let own = save(cx, word);
        let action = instruction::call(cx, own, registers, word as usize)?;
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

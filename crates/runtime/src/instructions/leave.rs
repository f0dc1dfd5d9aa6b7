//! Leaving frames by `break` and by `return` in a block.

use abi::{Frame, FrameFlags, Scope, Value};
use bytecode::{Kind, Opcode};

use crate::{
    Cx, Unwind,
    code::code,
    error::{self, ErrorClass},
    make, sym,
    unwind::Reason,
};

/// `return` in a block.
pub fn return_outer(cx: &mut Cx, v: Value) -> Unwind {
    let mut scope = &raw const cx.frame().scope;
    let mut is_in_class_body = false;
    let mut is_evaluated_in_block = false;
    loop {
        let frame = cx.frame_of_scope(scope);
        // SAFETY: the scope chain of the running frame is alive.
        let outer = unsafe { (*scope).outer };
        // SAFETY: so are the scopes around it.
        is_evaluated_in_block |= unsafe { !outer.is_null() && is_of(scope, Kind::Eval) && is_of(outer, Kind::Block) };
        if let Some(frame) = frame {
            // SAFETY: `frame_of_scope` gives live frames.
            let flags = unsafe { (*frame).flags };
            let leaves = FrameFlags::LAMBDA | FrameFlags::BMETHOD | FrameFlags::TOP;
            // SAFETY: `frame_of_scope` gives live frames.
            if flags & leaves == 0 && outer.is_null() && unsafe { is_class_body(frame) } {
                // Leaving a method or lambda also leaves the class bodies that run in it; the file is not left so.
                is_in_class_body = true;
                // SAFETY: a class body runs in a frame that another one pushed.
                scope = unsafe { &raw const (*frame.add(1)).scope };
                continue;
            }
            let is_top = flags & FrameFlags::TOP != 0;
            // Blocks in a file may leave it, but not a string that is evaluated in one of them.
            if is_top && (is_in_class_body || is_evaluated_in_block || is_in_lambda_of(cx, frame)) {
                return unexpected_return(cx, v);
            }
            if flags & leaves != 0 || outer.is_null() {
                return cx.unwind(Reason::Return, v, Value::NIL, frame);
            }
        // SAFETY: a scope of the running frame's chain.
        } else if outer.is_null() || unsafe { has_left_lambda(scope) } {
            return unexpected_return(cx, v);
        }
        scope = outer;
    }
}

/// Whether a lambda, or a method that a block defines, runs above the frame in which it was written.
fn is_in_lambda_of(cx: &Cx, frame: *mut Frame) -> bool {
    let is_lambda = |above: &&Frame| above.flags & (FrameFlags::LAMBDA | FrameFlags::BMETHOD) != 0;
    let is_of_frame = |above: &Frame| {
        let first = std::ptr::from_ref(&above.scope);
        // SAFETY: the scopes around live frames are alive.
        let around = |scope: &*const Scope| Some(unsafe { (**scope).outer }).filter(|outer| !outer.is_null());
        std::iter::successors(Some(first), around).any(|scope| cx.frame_of_scope(scope) == Some(frame))
    };
    cx.frames().take_while(|above| !std::ptr::eq(*above, frame)).filter(is_lambda).any(is_of_frame)
}

/// Whether the scope is that of a lambda whose frame was popped.
///
/// # Safety
/// The scope is alive.
unsafe fn has_left_lambda(scope: *const Scope) -> bool {
    // SAFETY: by this function's contract.
    let environment = unsafe { (*scope).environment };
    environment.is_heap() && object::environment::was_lambda(environment)
}

/// Whether the scope is that of code of this kind.
///
/// # Safety
/// The scope is alive.
unsafe fn is_of(scope: *const Scope, kind: Kind) -> bool {
    // SAFETY: by this function's contract.
    let body = unsafe { (*scope).code };
    !body.is_nil() && code(&body).kind == kind
}

/// # Safety
/// The frame is alive.
unsafe fn is_class_body(frame: *mut Frame) -> bool {
    // SAFETY: by this function's contract.
    unsafe { is_of(&raw const (*frame).scope, Kind::Class) }
}

/// `break` in a block: leaves the call that the block was passed to, or the lambda that it is.
pub fn break_block(cx: &mut Cx, v: Value) -> Unwind {
    let frame = cx.frame;
    // SAFETY: the running frame.
    let (flags, outer, body) = unsafe { ((*frame).flags, (*frame).scope.outer, (*frame).scope.code) };
    if flags & (FrameFlags::LAMBDA | FrameFlags::BMETHOD) != 0 {
        return cx.unwind(Reason::Return, v, Value::NIL, frame);
    }
    // Blocks inside of an eval break from the eval's own frame like all others.
    match cx.frame_of_scope(outer) {
        // SAFETY: `frame_of_scope` gives live frames.
        Some(home) if unsafe { passes_block(home, body) } => cx.unwind(Reason::Break, v, Value::NIL, home),
        _ => unexpected(cx, "break from proc-closure", v, "break"),
    }
}

/// Whether `frame` is making a call to which its literal block `body` was passed.
///
/// # Safety
/// The frame is alive.
unsafe fn passes_block(frame: *mut Frame, body: Value) -> bool {
    // SAFETY: by this function's contract.
    unsafe {
        if (*frame).scope.code.is_nil() || (*frame).pc.is_null() {
            return false;
        }
        let own = code(&(*frame).scope.code);
        if own.word_of((*frame).pc) == 0 {
            return false;
        }
        let word = own.word_before((*frame).pc);
        if !matches!(own.instruction(word).meant(), Opcode::CallBlock | Opcode::CallComplex | Opcode::Super) {
            return false;
        }
        own.call_at(word).block_child().is_some_and(|child| own.child(child) == body)
    }
}

/// In the Ruby half, a block's `return` does what `break` does in a function of CRuby.
#[cold]
fn unexpected_return(cx: &mut Cx, v: Value) -> Unwind {
    match code(&cx.frame().scope.code).internal {
        true => unexpected(cx, "unexpected break", v, "break"),
        false => unexpected(cx, "unexpected return", v, "return"),
    }
}

#[cold]
fn unexpected(cx: &mut Cx, message: &str, v: Value, reason: &str) -> Unwind {
    let class = cx.error_class(ErrorClass::LocalJumpError);
    let text = make::text(cx, message);
    let exception = error::new_exception(cx, class, text);
    let reason = object::symbol::table::intern_text(cx, reason);
    object::shape::ivars::set(cx, exception, sym::IVAR_EXIT_VALUE, v);
    object::shape::ivars::set(cx, exception, sym::IVAR_REASON, reason.value());
    error::raise_exception(cx, exception)
}

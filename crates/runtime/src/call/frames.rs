//! Constructors of frames, one for each kind of frame.

use abi::{BlockHandler, Frame, FrameFlags, Scope, Value};

use crate::{
    code::{Code, code},
    reflect::Target,
    window::Window,
};

/// A method that is Ruby code, with its entry and the entry's lexical scope. `flags`: bits of [`FrameFlags`] that the
/// caller adds.
#[inline(always)]
pub fn method(
    body: &Code,
    (entry, cref): (Value, Value),
    window: Window,
    registers: usize,
    block: BlockHandler,
    flags: u32,
    destination: u32,
) -> Frame {
    Frame {
        scope: Scope {
            slots: window.base(),
            outer: std::ptr::null(),
            cref,
            entry,
            block,
            special: Value::NIL,
            code: body.own.get(),
            environment: Value::NIL,
        },
        pc: body.start(),
        block_code: Value::NIL,
        flags: FrameFlags::METHOD | flags,
        destination,
        registers: registers as u32,
        open: 0,
    }
}

/// A native method, whose receiver and arguments are the first `words` of the window.
#[inline(always)]
pub fn native(entry: Value, window: Window, words: usize, block: BlockHandler, lent: u16) -> Frame {
    Frame {
        scope: Scope {
            slots: window.base(),
            outer: std::ptr::null(),
            cref: Value::NIL,
            entry,
            block,
            special: Value::NIL,
            code: Value::NIL,
            environment: Value::NIL,
        },
        pc: std::ptr::null(),
        block_code: Value::NIL,
        flags: FrameFlags::NATIVE,
        destination: lent as u32,
        registers: words as u32,
        open: 0,
    }
}

/// A block that is Ruby code, in the scope that it was created in.
///
/// # Safety
/// The target's scope is alive, as a block's scope is while it may be called.
#[inline(always)]
pub unsafe fn block(
    body: &Code,
    target: &Target,
    window: Window,
    registers: usize,
    passed: BlockHandler,
    flags: u32,
    destination: u32,
) -> Frame {
    let lambda = if target.lambda { FrameFlags::LAMBDA } else { 0 };
    // SAFETY: the target's scope is alive, which the caller promises.
    let (cref, entry) = unsafe { ((*target.scope).cref, (*target.scope).entry) };
    Frame {
        scope: Scope {
            slots: window.base(),
            outer: target.scope,
            cref,
            entry,
            block: passed,
            special: Value::NIL,
            code: target.body,
            environment: Value::NIL,
        },
        pc: body.start(),
        block_code: Value::NIL,
        flags: FrameFlags::BLOCK | lambda | flags,
        destination,
        registers: registers as u32,
        open: 0,
    }
}

/// A file, an eval or a class body: code without parameters in the lexical scope `cref`, nested in the scope `outer`
/// (null for outermost ones), from which it takes its method and block.
///
/// # Safety
/// `outer` is null or alive for as long as the frame.
pub unsafe fn unit(
    body: Value,
    cref: Value,
    outer: *const Scope,
    window: Window,
    flags: u32,
    destination: u32,
) -> Frame {
    let own = code(&body);
    let (entry, block) = if outer.is_null() {
        (Value::NIL, BlockHandler::NONE)
    } else {
        // SAFETY: it is alive, which the caller promises.
        unsafe { ((*outer).entry, (*outer).block) }
    };
    Frame {
        scope: Scope {
            slots: window.base(),
            outer,
            cref,
            entry,
            block,
            special: Value::NIL,
            code: body,
            environment: Value::NIL,
        },
        pc: own.start(),
        block_code: Value::NIL,
        flags,
        destination,
        registers: own.registers as u32,
        open: 0,
    }
}

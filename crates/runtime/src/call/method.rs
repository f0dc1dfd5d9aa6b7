//! Calls of methods that are Ruby code.

use abi::{BlockHandler, Value};
use object::method_entry;

use super::{
    Window, bind,
    description::{Call, Keywords},
    frames,
};
use crate::{Cx, R, code::Code};

/// Pushes the frame of a method's code and binds its arguments.
#[inline(always)]
pub fn enter(cx: &mut Cx, entry: Value, body: &Code, call: &Call) -> R<()> {
    let extra = call.words();
    let registers = (body.registers as usize).max(extra + 2);
    cx.check_stack(call.window.base(), registers)?;
    call.window.clear(1 + extra, registers);
    let entry = (entry, method_entry::cref(entry));
    cx.push_frame(frames::method(body, entry, call.window, registers, call.block, call.flags, call.destination));
    bind_arguments(cx, body, call)?;
    cx.safepoint_of_call()
}

/// Pushes the frame of code whose parameters are all required, with exactly as many arguments in the window and no
/// keywords: the fastest path into a method. With the entry comes its lexical scope.
#[inline(always)]
pub fn enter_simple(
    cx: &mut Cx,
    entry: (Value, Value),
    body: &Code,
    window: Window,
    block: BlockHandler,
    flags: u32,
    destination: u32,
) -> R<()> {
    let registers = body.registers as usize;
    cx.check_inner_stack(window.base(), registers)?;
    // SAFETY: room was checked.
    unsafe {
        let mut at = window.base().add(1 + body.parameter_count as usize);
        let end = window.base().add(registers);
        while at < end {
            // Volatile stores: there are few of them, and the compiler would otherwise vectorise the loop.
            at.write_volatile(Value::NIL);
            at = at.add(1);
        }
    }
    cx.push_inner_frame(frames::method(body, entry, window, registers, block, flags, destination));
    cx.safepoint_of_call()
}

/// Whether [`enter_simple`] suffices for a call of code that is `simple`.
#[inline(always)]
pub fn is_simple_call(body: &Code, call: &Call) -> bool {
    call.count == body.parameter_count as usize && matches!(call.keywords, Keywords::None)
}

/// Binds the arguments of the method frame just pushed; pops it when that fails.
#[inline(always)]
fn bind_arguments(cx: &mut Cx, body: &Code, call: &Call) -> R<()> {
    let required = body.parameters.required as usize;
    let most = required + body.parameters.optional as usize;
    if body.positional && matches!(call.keywords, Keywords::None) && (required..=most).contains(&call.count) {
        for i in 1 + call.count..=most {
            // The frame was pushed with room for all parameters; those not given are nil so far.
            call.window.set(i, Value::UNDEF);
        }
        cx.frame_mut().registers = body.registers as u32;
        return Ok(());
    }
    bind::bind(cx, body, call, false).inspect_err(|_| cx.pop_frame())
}

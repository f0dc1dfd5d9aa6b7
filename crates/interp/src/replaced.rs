//! Instructions that were replaced by trace points or by the compiler's profile.

use bytecode::Opcode;
use runtime::{Cx, R, code::Code};

/// The original opcode of a traced word, even if its trace point was removed in the meantime.
#[inline(always)]
pub fn original(code: &Code, word: usize) -> Opcode {
    Opcode::from_u16(code.opcode(word))
}

/// The instruction of a trace point: fires the event, then returns the original instruction, to be executed.
#[inline]
pub fn traced(cx: &mut Cx, code: &Code, word: usize) -> R<Opcode> {
    if cx.in_trace() {
        return Ok(original(code, word));
    }
    let fire = cx.vm().hooks.traced;
    Ok(Opcode::from_u16(fire(cx, code, word)?))
}

//! Instructions that count for the library coverage.

use abi::FrameFlags;
use bytecode::{Instruction, Kind, Opcode};

use crate::{Cx, code::Code};

/// Records the first run of a line.
#[cold]
pub fn record_line(cx: &mut Cx, own: &Code, counter: usize) {
    let Some(counters) = &own.source.counters else { return };
    let line = counters.counted.lines.iter().find(|(_, known)| **known == counter).map(|(line, _)| *line);
    if cx.vm().counting.running
        && let Some(line) = line
    {
        counters.set(counter, 1);
        cx.vm_mut().counting.first_runs.push((own.source.id, line));
    }
}

/// Counts a call of the running frame's code, if it is that of a method.
#[inline(always)]
pub fn count_call(cx: &mut Cx, own: &Code, counter: usize, flags: u32) {
    if own.kind == Kind::Method && !own.has_counted(counter + 1) {
        own.count(counter);
    } else if flags & (FrameFlags::METHOD | FrameFlags::BMETHOD) != 0 {
        record_call(cx);
    }
}

/// Executes an instruction that counts, of the running frame's code.
pub fn run(cx: &mut Cx, own: &Code, i: Instruction) {
    let counter = i.bc() as u32 as usize;
    match i.op() {
        Opcode::CountOnce if own.has_counted(counter) => {}
        Opcode::CountOnce => record_line(cx, own, counter),
        Opcode::CountCall => {
            let flags = cx.frame().flags;
            count_call(cx, own, counter, flags);
        }
        _ => own.count(counter),
    }
}

/// Counts a call of the running frame's method, which shares its code with others.
#[cold]
fn record_call(cx: &mut Cx) {
    if cx.vm().counting.running {
        let entry = cx.frame().scope.entry;
        (cx.vm().hooks.counted_call)(cx, entry);
    }
}

//! Counters of the library coverage. Machine code contains their addresses; the counted source keeps them alive.

use abi::{Frame, FrameFlags, RuntimeCall};
use bytecode::{Instruction, Kind, Opcode};
use runtime::code::{Code, exits::Reason, tier::Seen};
use std::mem::offset_of;

use crate::{counts::Counted, ir::Condition, seam::Ssa, translate::Translator};

/// Translates an instruction that increments a counter.
pub fn translate(t: &mut Translator, word: usize, opcode: Opcode) {
    let counter = t.code.instruction(word).bc() as u32 as usize;
    let address = |n: usize| t.code.source.counters.as_ref().and_then(|counters| counters.address(n));
    let (Some(own), is_shared) = (address(counter), address(counter + 1)) else { return };
    match opcode {
        Opcode::CountOnce if t.code.has_counted(counter) => {}
        Opcode::CountOnce => {
            let exit = t.exit_for(word, Reason::LeftToInterpreter);
            let runs = load(t, own);
            t.e.require(runs, exit);
        }
        Opcode::CountCall if t.code.kind == Kind::Method && t.code.has_counted(counter + 1) => {
            t.runtime(RuntimeCall::Instruction, word);
        }
        Opcode::CountCall if t.code.kind == Kind::Method => {
            let Some(is_shared) = is_shared else { return };
            // An exit, which is compiled away, because a join would forget what is known of registers.
            let exit = t.exit(word);
            let is_shared = load(t, is_shared);
            let own = t.e.compare_constant(Condition::Equal, is_shared, 0);
            t.e.require(own, exit);
            count(t, counter);
        }
        Opcode::CountCall if t.current() > 0 => {
            if t.body().is_lambda {
                t.runtime(RuntimeCall::Instruction, word);
            }
        }
        Opcode::CountCall => {
            let own = t.own_frame();
            let flags = t.e.load32(own, offset_of!(Frame, flags));
            let is_method = t.e.and_constant(flags, u64::from(FrameFlags::BMETHOD));
            let plain = t.e.compare_constant(Condition::Equal, is_method, 0);
            if t.cx.frame().flags & FrameFlags::BMETHOD == 0 && t.seen(word) == Seen::default() {
                let exit = t.exit(word);
                return t.e.require(plain, exit);
            }
            let method = t.e.cold_block();
            t.e.require(plain, method);
            let counted = |t: &mut Translator| {
                t.runtime(RuntimeCall::Instruction, word);
                None
            };
            t.either(method, None, |_| None, counted);
        }
        _ => count(t, counter),
    }
}

/// Increments a counter.
fn count(t: &mut Translator, counter: usize) {
    if let Some(source) = &t.code.source.counters {
        t.e.count_coverage(Counted { source: source.clone(), counter: counter as u32 });
    }
}

fn load(t: &mut Translator, address: usize) -> Ssa {
    let address = t.e.constant(address as u64);
    t.e.load(address, 0)
}

/// The number of instructions of a code object, without those that increment counters.
pub fn size_of(code: &Code) -> usize {
    let is_counter = |i: Instruction| (Opcode::Count as u16..=Opcode::CountCall as u16).contains(&i.opcode);
    let words = 0..code.instructions.len();
    match code.source.counters {
        None => words.len(),
        Some(_) => words.filter(|word| !is_counter(code.instruction(*word))).count(),
    }
}

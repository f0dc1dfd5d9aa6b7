//! Global variables without accessors: the address of the variable is embedded in the code.

use abi::{RuntimeCall, Value};
use object::Sym;
use runtime::globals::Global;

use crate::{
    ir::Condition,
    ivars,
    registers::Kind,
    seam::{Block, Ssa},
    translate::Translator,
};

/// `$name`
pub fn get(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let Some((variable, now)) = find(t, word) else { return t.runtime(RuntimeCall::Instruction, word) };
    let (slow, register) = (t.e.cold_block(), t.r.at(i.a) as u16);
    let in_line = |t: &mut Translator| {
        let variable = require(t, variable, slow);
        let v = t.e.load(variable, Global::VALUE);
        t.write(i.a, v, Kind::Any);
        None
    };
    t.either(slow, Some(register), in_line, |t| {
        t.runtime(RuntimeCall::Instruction, word);
        None
    });
    t.r.guess(i.a, Some(now));
}

/// `$name = v`. The variable is a root, which needs no write barrier.
pub fn set(t: &mut Translator, word: usize) {
    let i = t.code.instruction(word);
    let Some((variable, _)) = find(t, word) else { return t.runtime(RuntimeCall::Instruction, word) };
    let slow = t.e.cold_block();
    let in_line = |t: &mut Translator| {
        let variable = require(t, variable, slow);
        let v = t.read(i.a);
        t.e.store(v, variable, Global::VALUE);
        None
    };
    t.either(slow, None, in_line, |t| {
        t.runtime(RuntimeCall::Instruction, word);
        None
    });
}

/// The address of the variable of an instruction, and its value now, if compiled code may access it.
fn find(t: &Translator, word: usize) -> Option<(u64, Value)> {
    let name = Sym::of(t.code.literal(t.code.instruction(word).bc() as usize));
    let variable = t.cx.vm().globals.find(name)?;
    Some((std::ptr::from_ref(variable) as u64, variable.value_in_line()?))
}

/// Goes to the block if the runtime must access the variable: in a Ractor, or if it is traced by now. The result is its
/// address.
fn require(t: &mut Translator, variable: u64, slow: Block) -> Ssa {
    ivars::require_main_ractor(t, slow);
    let (variable, at) = (t.e.constant(variable), t.e.constant(Global::BY_RUNTIME as u64));
    let by_runtime = t.e.load_byte(variable, at);
    let is_in_line = t.e.compare_constant(Condition::Equal, by_runtime, 0);
    t.e.require(is_in_line, slow);
    variable
}

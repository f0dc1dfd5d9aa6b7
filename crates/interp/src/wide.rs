//! The wide forms of instructions whose index does not fit 16 bits, in very large methods and files.

use abi::{BlockHandler, Scope, Value};
use bytecode::{Instruction, Opcode};
use object::Sym;
use runtime::{
    Cx, R,
    call::{self, Action, Call, Window, arrange},
    code::Code,
    instructions::constants,
};

use crate::definitions;

/// Executes the instruction with the opcode in `i.c`, with `index` as its last operand. `pc` is saved.
#[inline(never)]
pub fn run(cx: &mut Cx, code: &Code, i: Instruction, index: usize) -> R<Action> {
    let r = cx.frame().scope.slots;
    // SAFETY: the verifier checked that registers are within the frame's, a window's first one too.
    let (window, own) = unsafe { (Window::new(r.add(i.b as usize)), *r.add(i.a as usize)) };
    let operand = window.receiver();
    let destination = i.a as u32;
    let positional = |cx: &mut Cx, block| {
        let site = &code.calls[index];
        call::site::call(cx, site, &Call::positional(window, site.arguments as usize, block, destination))
    };
    match Opcode::from_u16(i.c) {
        Opcode::Call => positional(cx, BlockHandler::NONE),
        Opcode::CallBlock => {
            cx.frame_mut().block_code = code.child(code.calls[index].block as usize);
            positional(cx, BlockHandler::literal(cx.frame))
        }
        Opcode::CallComplex => arrange::call(cx, code, &code.calls[index], window, destination),
        Opcode::Super => arrange::call_super(cx, code, &code.calls[index], window, destination),
        Opcode::Yield => {
            let site = &code.calls[index];
            // SAFETY: the scopes around the running frame are alive.
            let handler = unsafe { (*Scope::out(&raw const cx.frame().scope, site.depth as usize)).block };
            arrange::call_yield(cx, code, site, handler, window, destination)
        }
        Opcode::GetConstantFrom => constants::get_from(cx, code, &code.constants[index], operand).map(Action::Value),
        Opcode::SetConstant => {
            definitions::set_constant(cx, operand, Sym::of(code.literal(index)), own)?;
            Ok(Action::Value(own))
        }
        Opcode::DefineMethod => definitions::define_method(cx, code.child(index), Sym::of(operand)).map(Action::Value),
        Opcode::DefineSingletonMethod => {
            definitions::define_singleton_method(cx, own, code.child(index), Sym::of(operand)).map(Action::Value)
        }
        // The verifier rejects all other opcodes.
        _ => Ok(Action::Value(Value::NIL)),
    }
}

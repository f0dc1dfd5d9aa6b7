//! The wide forms of instructions whose index does not fit 16 bits, in very large methods and files.

use abi::{Scope, Value};
use bytecode::{Instruction, Opcode};
use object::Sym;
use runtime::{
    Cx, R,
    code::{Code, sites::shape_key},
};

use crate::{Action, call, complex_call, definitions};

/// Executes the instruction with the opcode in `i.c`, with `index` as its last operand. `pc` is saved.
#[inline(never)]
pub fn run(cx: &mut Cx, code: &Code, i: Instruction, index: usize) -> R<Action> {
    let r = cx.frame().scope.slots;
    // SAFETY: the verifier checked that registers are within the frame's.
    let (base, own) = unsafe { (r.add(i.b as usize), *r.add(i.a as usize)) };
    // SAFETY: as above; a window's first register is one of them too.
    let operand = unsafe { *base };
    let destination = i.a as u32;
    match Opcode::from_u16(i.c) {
        Opcode::Call => {
            let key = shape_key(operand) as u64 | (cx.world().method_epoch as u64) << 32;
            call::call(cx, &code.calls[index], key, base, destination)
        }
        Opcode::CallBlock => {
            let site = &code.calls[index];
            cx.frame_mut().block_code = code.child(site.block as usize);
            call::call_with_block(cx, site, base, destination)
        }
        Opcode::CallComplex => complex_call::call(cx, code, &code.calls[index], base, destination),
        Opcode::Super => complex_call::call_super(cx, code, &code.calls[index], base, destination),
        Opcode::Yield => {
            let site = &code.calls[index];
            // SAFETY: the scopes around the running frame are alive.
            let handler = unsafe { (*Scope::out(&raw const cx.frame().scope, site.depth as usize)).block };
            complex_call::yield_to(cx, site, handler, base, destination)
        }
        Opcode::GetConstantFrom => {
            definitions::get_constant_from(cx, code, &code.constants[index], operand).map(Action::Value)
        }
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

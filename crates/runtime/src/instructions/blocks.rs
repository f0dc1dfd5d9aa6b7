//! Blocks as objects: lambdas, and `&block` parameters.

use abi::{Scope, Value};
use object::{Known, proc};

use crate::{Cx, R, basic_ops::BasicOp, call::block};

/// `-> {}`
pub fn lambda(cx: &mut Cx, body: Value) -> Value {
    let scope = &raw const cx.frame().scope;
    // SAFETY: the running frame's scope; register 0 is its self.
    let (environment, me) = unsafe { (cx.environment_of(scope), *(*scope).slots) };
    let class = cx.class(Known::Proc);
    proc::new(cx, class, environment, body, me, proc::LAMBDA)
}

/// The &block parameter as a Proc or nil, stored in its register.
///
/// # Safety
/// The scope is alive and has that slot.
pub unsafe fn block_parameter(cx: &mut Cx, scope: *const Scope, slot: usize) -> R {
    // SAFETY: this function's contract.
    unsafe {
        let v = *(*scope).slots.add(slot);
        if !v.is_undef() {
            return Ok(v);
        }
        let p = block::to_proc(cx, (*scope).block)?;
        object::environment::set_slot(cx, scope, slot, p);
        Ok(p)
    }
}

/// The &block parameter as the receiver of `call`; undef for a literal block that no Proc was made for, which is
/// yielded to instead.
///
/// # Safety
/// The scope is alive and has that slot.
pub unsafe fn block_to_call(cx: &mut Cx, scope: *const Scope, slot: usize) -> R {
    // SAFETY: this function's contract.
    unsafe {
        let is_literal = (*(*scope).slots.add(slot)).is_undef() && (*scope).block.frame().is_some();
        if is_literal && cx.vm().redefined.proc & BasicOp::Call.bit() == 0 {
            return Ok(Value::UNDEF);
        }
        block_parameter(cx, scope, slot)
    }
}

/// The &block parameter for passing on only: a literal block stays one.
///
/// # Safety
/// The scope is alive and has that slot.
pub unsafe fn block_parameter_proxy(scope: *const Scope, slot: usize) -> Value {
    // SAFETY: this function's contract.
    unsafe {
        let v = *(*scope).slots.add(slot);
        if v.is_undef() { (*scope).block.0 } else { v }
    }
}

//! The block of the running method, and the name it was called by.

use abi::{BlockHandler, Type, Value};
use object::{array::Arr, cell, method_entry, proc};

use crate::{
    Cx, R, call,
    error::OrRaise,
    reflect::{self, block_symbol},
};

#[inline(always)]
pub fn given(cx: &mut Cx, [depth]: [Value; 1]) -> bool {
    !super::scope_at(cx, depth.fixnum_value() as usize).block.is_none()
}

pub fn takes_pair(cx: &mut Cx, []: [Value; 0]) -> bool {
    let block = cx.frame().scope.block;
    block_arity(block) > 1 && !block_is_lambda(block)
}

pub fn takes_two(cx: &mut Cx, []: [Value; 0]) -> bool {
    let block = cx.frame().scope.block;
    block_arity(block) == 2 && !block_is_lambda(block)
}

pub fn own(cx: &mut Cx, []: [Value; 0]) -> Value {
    cx.frame().scope.block.0
}

pub fn arity(cx: &mut Cx, []: [Value; 0]) -> Value {
    Value::fixnum(block_arity(cx.frame().scope.block))
}

pub fn is_lambda(cx: &mut Cx, []: [Value; 0]) -> bool {
    block_is_lambda(cx.frame().scope.block)
}

/// The least and the most values of a lambda, in one Integer.
const MOST_SHIFT: u32 = 24;

pub fn takes_apart(cx: &mut Cx, []: [Value; 0]) -> Value {
    let block = cx.frame().scope.block;
    let lambda = block.frame().is_none() && cell::is(block.0, Type::Proc) && proc::is_lambda(block.0);
    if !lambda {
        return Value::FALSE;
    }
    let Some(target) = reflect::target(block) else { return Value::FALSE };
    let parameters = &crate::code::code(&target.body).parameters;
    let least = i64::from(parameters.required) + i64::from(parameters.post);
    let named = least + i64::from(parameters.optional);
    let takes_rest = parameters.rest.is_some();
    if named == if takes_rest { 0 } else { 1 } {
        return Value::FALSE;
    }
    let most = if takes_rest { i64::from(u32::MAX) } else { named };
    Value::fixnum(most << MOST_SHIFT | least)
}

pub fn fitted(cx: &mut Cx, [list, taken]: [Value; 2]) -> R {
    let (list, taken) = (Arr::of(list), taken.fixnum_value());
    let (least, most) = (taken & ((1 << MOST_SHIFT) - 1), taken >> MOST_SHIFT);
    let wanted = list.len().clamp(least as usize, most as usize);
    if wanted == list.len() {
        return Ok(list.value());
    }
    let fitted = Arr::empty(cx);
    for i in 0..wanted {
        let v = list.get(i).unwrap_or(Value::NIL);
        fitted.push(cx, v).or_raise(cx)?;
    }
    Ok(fitted.value())
}

pub fn callee(cx: &mut Cx, []: [Value; 0]) -> Value {
    let entry = cx.frame().scope.entry;
    if entry.is_nil() { Value::NIL } else { method_entry::name(entry).value() }
}

/// The number of values that the block takes: the required ones, or the maximum if it has optional ones.
fn block_arity(block: BlockHandler) -> i64 {
    if block.is_none() {
        return 0;
    }
    if block_symbol(block).is_some() {
        return -2;
    }
    if let Some(target) = call::block::target(block) {
        let code = crate::code::code(&target.body);
        return call::arity::code_arity(code, target.lambda);
    }
    if cell::is(block.0, Type::Proc) {
        return call::arity::proc_arity(block.0, proc_is_lambda(block.0));
    }
    -1
}

fn block_is_lambda(block: BlockHandler) -> bool {
    block_symbol(block).is_some() || cell::is(block.0, Type::Proc) && proc_is_lambda(block.0)
}

/// A method's Proc checks its arguments as a lambda does.
fn proc_is_lambda(p: Value) -> bool {
    proc::is_lambda(p) || cell::header(p).has(proc::FROM_METHOD)
}

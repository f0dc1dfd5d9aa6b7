//! The block argument of a call, `&v`.

use abi::{BlockHandler, Frame, Type, Value};
use object::{Known, Sym, cell, proc};

use super::{call_entry, is_native_method, send_conversion};
use crate::{Cx, R, error, refinements, sym};

/// Converts a block argument (`&v`): nil, a Proc, a Symbol, or the result of to_proc.
pub fn block_argument(cx: &mut Cx, v: Value) -> R<BlockHandler> {
    // A frame's literal block passed on without becoming an object.
    if v.is_nil()
        || v.is_fixnum() && BlockHandler(v).frame().is_some_and(|f| is_live_frame(cx, f))
        || cell::is(v, Type::Proc)
    {
        return Ok(BlockHandler(v));
    }
    if Sym::from_value(v).is_some() && is_native_method(cx, v, sym::TO_PROC) {
        return Ok(if refinements::are_active(cx) { refined_symbol(cx, v) } else { BlockHandler(v) });
    }
    let scope = cx.frame().scope.cref;
    let class = object::class::class_of(cx, v);
    let refined = refinements::find(cx, scope, class, sym::TO_PROC);
    let made = match refined {
        Some(refined) => Some(call_entry(cx, refined, v, &[], None, BlockHandler::NONE)?),
        None => send_conversion(cx, v, sym::TO_PROC, &[])?,
    };
    match made {
        Some(p) if cell::is(p, Type::Proc) => Ok(BlockHandler(p)),
        Some(other) => {
            let (from, got) = (error::describe_for_conversion(cx, v), error::class_name_of(cx, other));
            Err(cx.type_error(&format!("can't convert {from} to Proc ({from}#to_proc gives {got})")))
        }
        None => {
            let from = error::describe_for_conversion(cx, v);
            Err(cx.type_error(&format!("no implicit conversion of {from} into Proc")))
        }
    }
}

/// `&:name` where refinements are active: a Proc that keeps the lexical scope.
fn refined_symbol(cx: &mut Cx, symbol: Value) -> BlockHandler {
    let scope = cx.frame().scope.cref;
    let class = cx.class(Known::Proc);
    BlockHandler(proc::new(cx, class, Value::NIL, symbol, scope, proc::LAMBDA | proc::FROM_SYMBOL))
}

fn is_live_frame(cx: &Cx, frame: *mut Frame) -> bool {
    (frame as usize) >= cx.frame as usize && (frame as usize) < cx.stack.high as usize && (frame as usize) & 7 == 0
}

//! What the Ruby half of the core classes does for each element, without leaving the loop of instructions.

use abi::Value;
use bytecode::Intrinsic;
use object::{array::Arr, hash::HashRef};
use runtime::{Cx, intrinsics};

/// The result of an intrinsic that iterations call for each element; `None` for all others, and where it fails.
#[inline(always)]
pub fn run(cx: &mut Cx, which: Intrinsic, arguments: &[Value]) -> Option<Value> {
    match which {
        Intrinsic::ArrayLength => Some(Value::fixnum(Arr::of(arguments[0]).len() as i64)),
        Intrinsic::ArrayElementOrUndef => {
            let index = arguments[1].fixnum_value() as usize;
            Some(Arr::of(arguments[0]).get(index).unwrap_or(Value::UNDEF))
        }
        Intrinsic::ArrayPush => {
            Arr::of(arguments[0]).push(cx, arguments[1]).ok()?;
            Some(arguments[0])
        }
        Intrinsic::BlockGiven => {
            let scope = intrinsics::scope_at(cx, arguments[0].fixnum_value() as usize);
            // SAFETY: a scope of the running frame.
            Some(Value::bool(unsafe { !(*scope).block.is_none() }))
        }
        Intrinsic::IsUndef => Some(Value::bool(arguments[0].is_undef())),
        Intrinsic::HashNext => {
            let next = HashRef::of(arguments[0]).next(arguments[1].fixnum_value() as usize);
            Some(next.map_or(Value::NIL, |(next, _, _)| Value::fixnum(next as i64)))
        }
        Intrinsic::HashKeyAt => {
            let entry = HashRef::of(arguments[0]).entry_at(arguments[1].fixnum_value() as usize - 1);
            Some(entry.map_or(Value::UNDEF, |(key, _)| key))
        }
        Intrinsic::HashValueAt => {
            let entry = HashRef::of(arguments[0]).entry_at(arguments[1].fixnum_value() as usize - 1);
            Some(entry.map_or(Value::NIL, |(_, value)| value))
        }
        Intrinsic::HashPairAt => {
            let entry = HashRef::of(arguments[0]).entry_at(arguments[1].fixnum_value() as usize - 1);
            let (key, value) = entry.unwrap_or((Value::NIL, Value::NIL));
            Some(Arr::pair(cx, key, value).value())
        }
        Intrinsic::HashSetAt => {
            let at = arguments[1].fixnum_value() as usize - 1;
            if HashRef::of(arguments[0]).entry_at(at).is_some() {
                HashRef::of(arguments[0]).set_value_at(cx, at, arguments[2]);
            }
            Some(arguments[2])
        }
        _ => None,
    }
}

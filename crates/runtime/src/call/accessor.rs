//! Attribute and Struct accessors.

use abi::Value;
use object::{
    Sym,
    method_entry::{self, Kind},
    shape::ivars,
    structure,
};

use super::{
    Window,
    description::{Call, Keywords},
    native,
};
use crate::{Cx, R, isolation::access, keyword_hash, trace::calls_are_traced};

/// Runs the accessor of the entry; a hash of keywords counts as an argument.
#[inline]
pub fn run(cx: &mut Cx, entry: Value, call: &Call) -> R {
    let expected = arguments_of(entry);
    if call.count != expected || !matches!(call.keywords, Keywords::None) || calls_are_traced(cx) {
        return run_gathered(cx, entry, call);
    }
    read_or_write(cx, entry, call.window, expected)
}

fn arguments_of(entry: Value) -> usize {
    matches!(method_entry::kind(entry), Kind::AttributeWriter | Kind::StructWriter) as usize
}

#[cold]
fn run_gathered(cx: &mut Cx, entry: Value, call: &Call) -> R {
    let call = call.with_hash(cx)?;
    if let Keywords::Hash(hash) | Keywords::Own(hash) = call.keywords {
        // What a writer stores is not the caller's hash.
        let copy = keyword_hash::dup(cx, hash);
        call.window.set(1 + call.count, copy);
    }
    let call = Call { count: call.words(), keywords: Keywords::None, ..call };
    native::without_frame(cx, entry, &call, |cx| {
        let expected = arguments_of(entry);
        if call.count != expected {
            return Err(cx.arity_error(call.count, expected, Some(expected)));
        }
        read_or_write(cx, entry, call.window, expected)
    })
}

/// `count`: the number of arguments, one of a writer.
#[inline]
fn read_or_write(cx: &mut Cx, entry: Value, window: Window, count: usize) -> R {
    let (body, receiver) = (method_entry::body(entry), window.receiver());
    let to = if count == 1 { window.get(1) } else { Value::UNDEF };
    match method_entry::kind(entry) {
        Kind::AttributeReader => {
            let value = ivars::get(cx, receiver, Sym::of(body));
            access::check_read(cx, receiver, Sym::of(body), value)?;
            Ok(value.or(Value::NIL))
        }
        Kind::AttributeWriter => {
            set_ivar(cx, receiver, Sym::of(body), to)?;
            Ok(to)
        }
        Kind::StructReader => Ok(structure::get(receiver, body.fixnum_value() as usize).unwrap_or(Value::NIL)),
        _ => {
            cx.check_frozen(receiver)?;
            structure::set(cx, receiver, body.fixnum_value() as usize, to);
            Ok(to)
        }
    }
}

/// `@name = to` on any receiver; FrozenError if it is frozen.
#[inline]
pub fn set_ivar(cx: &mut Cx, receiver: Value, name: Sym, to: Value) -> R<()> {
    cx.check_frozen(receiver)?;
    access::check_write(cx, receiver)?;
    ivars::set(cx, receiver, name, to);
    Ok(())
}

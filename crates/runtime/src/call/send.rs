//! Calling methods by name from Rust.

use abi::{BlockHandler, Value};
use object::{
    Sym, class,
    method_entry::{self, Kind, Visibility},
};

use super::{
    arity,
    description::{Call, Scope},
    dispatch::{call_entry, send_full},
    lookup, missing, native, special,
};
use crate::{
    Cx, R, core_methods, literal_arguments,
    method_table::{is_core, row},
    sym,
    trace::calls_are_traced,
    unlinked,
};

/// `receiver.name(*arguments)`; private methods are not visible.
#[inline]
pub fn send(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Function)
}

/// `receiver.name(*arguments)`; private methods are visible (as in CRuby's rb_funcall, and as with `send`).
#[inline]
pub fn send_private(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Function)
}

/// Calls the core's own method, even if the program has replaced it.
pub fn send_core(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    let class = class::class_of(cx, receiver);
    match core_methods::replaced(cx, class, name) {
        Some(entry) => call_entry(cx, entry, receiver, arguments, None, BlockHandler::NONE),
        None => send(cx, receiver, name, arguments),
    }
}

/// Calls a public method; otherwise method_missing.
pub fn send_public(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Public)
}

/// Like `send`, on behalf of a function that the program did not call by the method's name: the call of a native method
/// is no event.
pub fn send_unwatched(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    if calls_are_traced(cx) {
        let class = class::class_of(cx, receiver);
        let entry = class::lookup::find_method(cx, class, name);
        if !entry.is_undef() && method_entry::kind(entry) == Kind::Native {
            let call = Call::from_rust(cx, receiver, arguments, None, BlockHandler::NONE)?;
            return native::run_unwatched(cx, entry, row(entry), &call);
        }
    }
    send(cx, receiver, name, arguments)
}

/// Like `send`, with a block.
pub fn send_with_block(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value], block: BlockHandler) -> R {
    send_full(cx, receiver, name, arguments, None, block, Scope::Function)
}

/// Calls a method if the object has it and it is public, or if its method_missing handles it.
///
/// Who has a `respond_to?` or a `respond_to_missing?` of its own is asked first. Otherwise a method_missing of its own
/// is called; `None` also if that raises a NoMethodError.
pub fn send_if_responds(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    send_unless_missing(cx, receiver, name, arguments, false)
}

/// Like [`send_if_responds`], with private methods, as implicit conversions do.
pub fn send_conversion(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    send_unless_missing(cx, receiver, name, arguments, true)
}

fn send_unless_missing(
    cx: &mut Cx,
    receiver: Value,
    name: Sym,
    arguments: &[Value],
    privately: bool,
) -> R<Option<Value>> {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    if own_method(cx, class, sym::RESPOND_TO).is_some() || !entry.is_undef() {
        let responds = responds(cx, receiver, name, privately)? && !is_nowhere(cx, receiver, name);
        return responds.then(|| send(cx, receiver, name, arguments)).transpose();
    }
    let respond_to_missing = own_method(cx, class, sym::RESPOND_TO_MISSING);
    if own_method(cx, class, sym::METHOD_MISSING).is_none() {
        if let Some(method) = respond_to_missing {
            // Whatever it answers, there is nothing to call.
            call_entry(cx, method, receiver, &[name.value(), Value::TRUE], None, BlockHandler::NONE)?;
        }
        return Ok(None);
    }
    if let Some(method) = respond_to_missing
        && !call_entry(cx, method, receiver, &[name.value(), Value::TRUE], None, BlockHandler::NONE)?.truthy()
    {
        return Ok(None);
    }
    match send(cx, receiver, name, arguments) {
        Ok(v) => Ok(Some(v)),
        Err(unwind) => {
            let exception = cx.take_exception(unwind)?;
            // If an overridden respond_to_missing? says yes, the method is called even if it does not exist.
            let is_missing = respond_to_missing.is_none()
                && crate::error::is_error(cx, exception, crate::error::ErrorClass::NoMethodError);
            if is_missing { Ok(None) } else { Err(cx.raise_object(exception)) }
        }
    }
}

/// Whether there is neither such a method nor a method_missing, whatever an overridden respond_to? has answered.
fn is_nowhere(cx: &mut Cx, receiver: Value, name: Sym) -> bool {
    let class = class::class_of(cx, receiver);
    class::lookup::find_method(cx, class, name).is_undef() && own_method(cx, class, sym::METHOD_MISSING).is_none()
}

/// The method of a class, unless it is that of the core classes.
fn own_method(cx: &mut Cx, class: Value, name: Sym) -> Option<Value> {
    let entry = class::lookup::find_method(cx, class, name);
    (!entry.is_undef() && !is_core(entry)).then_some(entry)
}

/// `receiver.respond_to?(name, private)`; does not make the call if respond_to? is Kernel's.
pub fn responds(cx: &mut Cx, receiver: Value, name: Sym, private: bool) -> R<bool> {
    let class = class::class_of(cx, receiver);
    if let Some(respond_to) = own_method(cx, class, sym::RESPOND_TO) {
        unlinked::link_entry(cx, respond_to);
        let arity = arity::arity_of(respond_to);
        let required = if arity < 0 { -1 - arity } else { arity };
        if required > 2 {
            let message = format!("respond_to? must accept 1 or 2 arguments (requires {required})");
            return Err(cx.argument_error(&message));
        }
        let ask_privately = private && arity != 1;
        let arguments = [name.value(), Value::TRUE];
        let answer = call_entry(
            cx,
            respond_to,
            receiver,
            if ask_privately { &arguments } else { &arguments[..1] },
            None,
            BlockHandler::NONE,
        )?;
        return Ok(answer.truthy());
    }
    responds_basically(cx, receiver, name, private)
}

/// The result of Kernel#respond_to?.
pub fn responds_basically(cx: &mut Cx, receiver: Value, name: Sym, private: bool) -> R<bool> {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    if !entry.is_undef() && (private || method_entry::visibility(entry) == Visibility::Public) {
        return Ok(!arity::is_not_implemented(entry));
    }
    let Some(missing) = own_method(cx, class, sym::RESPOND_TO_MISSING) else { return Ok(false) };
    Ok(call_entry(cx, missing, receiver, &[name.value(), Value::bool(private)], None, BlockHandler::NONE)?.truthy())
}

/// Whether the object's class has a method of that name with any visibility.
pub fn has_method(cx: &mut Cx, receiver: Value, name: Sym) -> bool {
    let class = class::class_of(cx, receiver);
    !class::lookup::find_method(cx, class, name).is_undef()
}

/// Whether `name` on this receiver is still the core classes' own method.
pub fn is_native_method(cx: &mut Cx, receiver: Value, name: Sym) -> bool {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    !entry.is_undef() && is_core(entry)
}

/// `pattern === v`
pub fn case_equal(cx: &mut Cx, pattern: Value, v: Value) -> R<bool> {
    Ok(send(cx, pattern, sym::EQQ, &[v])?.truthy())
}

/// `super` from a native method: the next entry after `entry` in the receiver's ancestors.
pub fn call_super(
    cx: &mut Cx,
    entry: Value,
    receiver: Value,
    arguments: &[Value],
    keywords: Option<Value>,
    block: BlockHandler,
) -> R {
    let Some(next) = lookup::next_of(cx, entry) else {
        let call = Call::from_rust(cx, receiver, arguments, keywords, block)?;
        literal_arguments::own_window(cx, call.window, 1 + call.count);
        return missing::no_super(cx, method_entry::original_name(entry), &call)?.finish(cx);
    };
    call_entry(cx, next, receiver, arguments, keywords, block)
}

/// An instance created by the `allocate` that [`allocators::own`](super::allocators::own) found.
pub fn allocate_by(cx: &mut Cx, allocator: Value, class: Value) -> R {
    if method_entry::kind(allocator) != method_entry::Kind::Native {
        return call_entry(cx, allocator, class, &[], None, BlockHandler::NONE);
    }
    special::allocate_unseen(cx, allocator, class)
}

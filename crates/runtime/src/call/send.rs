//! Calling methods by name from Rust.

use abi::{BlockHandler, Value};
use object::{
    Known, Sym, class,
    method_entry::{self, Kind, Visibility},
};

use super::{Call, Scope, arity, call_entry, literal_arguments, missing, native};
use crate::{Cx, R, convert, equality, order, sym};

/// `receiver.name(*arguments)`; private methods are not visible.
#[inline]
pub fn send(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Function)
}

/// The same; private methods are visible (as in CRuby's rb_funcall, and as with `send`).
#[inline]
pub fn send_private(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Function)
}

/// Only public methods; otherwise method_missing.
pub fn send_public(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R {
    send_full(cx, receiver, name, arguments, None, BlockHandler::NONE, Scope::Public)
}

/// With a block.
pub fn send_with_block(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value], block: BlockHandler) -> R {
    send_full(cx, receiver, name, arguments, None, block, Scope::Function)
}

/// With all kinds of arguments; keywords are a Hash.
pub fn send_full(
    cx: &mut Cx,
    receiver: Value,
    name: Sym,
    arguments: &[Value],
    keywords: Option<Value>,
    block: BlockHandler,
    scope: Scope,
) -> R {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    if entry.is_undef() || !visible(cx, entry, receiver, scope) {
        return missing::call_method_missing(
            cx,
            receiver,
            missing::Missed { name, scope, entry },
            arguments,
            keywords,
            block,
        );
    }
    call_entry(cx, entry, receiver, arguments, keywords, block)
}

/// Whether a call of this scope may run the entry.
pub fn visible(cx: &mut Cx, entry: Value, receiver: Value, scope: Scope) -> bool {
    match method_entry::visibility(entry) {
        Visibility::Public => true,
        _ if scope != Scope::Public => true,
        Visibility::Private => false,
        Visibility::Protected => {
            let me = cx.ruby_frame().map_or(Value::NIL, |f| {
                // SAFETY: register 0 of a live frame.
                unsafe { *f.scope.slots }
            });
            let _ = receiver;
            let owner = method_entry::owner(entry);
            let data = class::class_data(cx, owner);
            let owner = if data.flags.refinement { data.refined } else { owner };
            class::is_a(cx, me, owner)
        }
    }
}

/// Calls the method if it is public, or if respond_to_missing? or an overridden respond_to? says that the object has
/// it.
pub fn send_if_responds(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    if responds(cx, receiver, name, false)? { send(cx, receiver, name, arguments).map(Some) } else { Ok(None) }
}

/// The same with private methods.
pub fn send_if_responds_privately(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    if responds(cx, receiver, name, true)? { send(cx, receiver, name, arguments).map(Some) } else { Ok(None) }
}

/// Calls a conversion method if the object has it, even privately, or handles it in method_missing. `None` also if that
/// method_missing reports that there is no such method.
pub fn send_conversion(cx: &mut Cx, receiver: Value, name: Sym, arguments: &[Value]) -> R<Option<Value>> {
    let class = class::class_of(cx, receiver);
    let entry = class::lookup::find_method(cx, class, name);
    let respond_to = class::lookup::find_method(cx, class, sym::RESPOND_TO);
    let own_answer = !respond_to.is_undef() && !is_core(respond_to);
    if own_answer || !entry.is_undef() {
        return send_if_responds_privately(cx, receiver, name, arguments);
    }
    let missing = class::lookup::find_method(cx, class, sym::METHOD_MISSING);
    if missing.is_undef() || is_core(missing) {
        return Ok(None);
    }
    let asked = class::lookup::find_method(cx, class, sym::RESPOND_TO_MISSING);
    let asks = !asked.is_undef() && !is_core(asked);
    if asks && !call_entry(cx, asked, receiver, &[name.value(), Value::TRUE], None, BlockHandler::NONE)?.truthy() {
        return Ok(None);
    }
    match send(cx, receiver, name, arguments) {
        Ok(v) => Ok(Some(v)),
        Err(unwind) => {
            let exception = cx.take_exception(unwind)?;
            // If an overridden respond_to? says yes, the method is called even if it does not exist.
            let is_missing = !asks
                && crate::error::is_error(cx, exception, crate::error::ErrorClass::NoMethodError)
                && object::shape::ivars::get(cx, exception, sym::MEMO_NAME) == name.value();
            if is_missing { Ok(None) } else { Err(cx.raise_object(exception)) }
        }
    }
}

/// `receiver.respond_to?(name, private)`; does not make the call if respond_to? is Kernel's.
pub fn responds(cx: &mut Cx, receiver: Value, name: Sym, private: bool) -> R<bool> {
    let class = class::class_of(cx, receiver);
    let respond_to = class::lookup::find_method(cx, class, sym::RESPOND_TO);
    if !respond_to.is_undef() && !is_core(respond_to) {
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
    let missing = class::lookup::find_method(cx, class, sym::RESPOND_TO_MISSING);
    if missing.is_undef() || is_core(missing) {
        return Ok(false);
    }
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

/// Whether a method is one of Beni's own in Rust, not of a program or an extension.
pub fn is_core(entry: Value) -> bool {
    method_entry::kind(entry) == Kind::Native && !native::row(entry).facts.foreign
}

/// `a == b`
#[inline]
pub fn equal(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    if let Some(equal) = equality::known_equal(cx.vm().redefinitions(), a, b) {
        return Ok(equal);
    }
    let class = class::class_of(cx, a);
    let entry = class::lookup::find_method(cx, class, sym::EQ);
    if !entry.is_undef()
        && method_entry::kind(entry) == Kind::Native
        && method_entry::owner(entry) == cx.class(Known::BasicObject)
    {
        // It is equal only to itself, which was tested above.
        return Ok(false);
    }
    Ok(send(cx, a, sym::EQ, &[b])?.truthy())
}

/// `a.eql?(b)`
pub fn eql(cx: &mut Cx, a: Value, b: Value) -> R<bool> {
    if let Some(equal) = equality::known_eql(cx.vm().redefinitions(), a, b) {
        return Ok(equal);
    }
    Ok(send(cx, a, sym::EQL, &[b])?.truthy())
}

/// `pattern === v`
pub fn case_equal(cx: &mut Cx, pattern: Value, v: Value) -> R<bool> {
    Ok(send(cx, pattern, sym::EQQ, &[v])?.truthy())
}

/// `a <=> b` as an ordering; ArgumentError "comparison of X with Y failed" for nil.
pub fn compare(cx: &mut Cx, a: Value, b: Value) -> R<std::cmp::Ordering> {
    if let Some(order) = order::order_of(cx, a, b) {
        return Ok(order);
    }
    let result = send(cx, a, sym::COMPARE, &[b])?;
    comparison_result(cx, result, a, b)
}

/// The result of `<=>` (or of a sort block) as an ordering.
pub fn comparison_result(cx: &mut Cx, result: Value, a: Value, b: Value) -> R<std::cmp::Ordering> {
    if result.is_fixnum() {
        return Ok(result.fixnum_value().cmp(&0));
    }
    if result.is_nil() {
        return Err(comparison_failed(cx, a, b));
    }
    let zero = Value::fixnum(0);
    if send(cx, result, sym::GREATER, &[zero])?.truthy() {
        return Ok(std::cmp::Ordering::Greater);
    }
    if send(cx, result, sym::LESS, &[zero])?.truthy() {
        return Ok(std::cmp::Ordering::Less);
    }
    Ok(std::cmp::Ordering::Equal)
}

/// ArgumentError "comparison of Integer with nil failed".
pub fn comparison_failed(cx: &mut Cx, a: Value, b: Value) -> crate::Unwind {
    let first = crate::error::class_name_of(cx, a);
    let second = if b.is_immediate() || convert::is_float(b) {
        match inspect_text(cx, b) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        }
    } else {
        crate::error::class_name_of(cx, b)
    };
    cx.argument_error(&format!("comparison of {first} with {second} failed"))
}

/// `v.inspect` as text, for messages.
pub fn inspect_text(cx: &mut Cx, v: Value) -> R<String> {
    let s = convert::inspect(cx, v)?;
    Ok(s.to_text())
}

/// `super` from a native method: the next entry after `entry` in the receiver's ancestors.
pub fn call_super(cx: &mut Cx, entry: Value, receiver: Value, arguments: &[Value], block: BlockHandler) -> R {
    let Some(next) = super::next_of(cx, entry) else {
        let call = Call::from_rust(cx, receiver, arguments, None, block)?;
        literal_arguments::own_window(cx, call.window, 1 + call.count);
        return missing::no_super(cx, method_entry::original_name(entry), &call)?.finish(cx);
    };
    call_entry(cx, next, receiver, arguments, None, block)
}

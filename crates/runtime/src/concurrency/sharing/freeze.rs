//! Ractor.make_shareable and `# shareable_constant_value:`.

use abi::{Flags, Type, Value};
use object::{
    cell,
    native::{self, Sharing},
    symbol,
};

use super::isolate;
use crate::{
    Cx, R, Unwind, call,
    error::ErrorClass,
    isolation::shareable::{Seen, children, is_known, is_never_shared, is_shareable},
};

/// Freezes `v` and all objects it refers to, and marks them as shareable. A Proc is detached from the enclosing scopes.
///
/// # Errors
/// Ractor::Error for objects that cannot be shared, Ractor::IsolationError for a Proc that cannot be isolated. Objects
/// that were frozen before the error stay frozen.
pub fn make_shareable(cx: &mut Cx, v: Value) -> R {
    if is_known(v) {
        return Ok(v);
    }
    let seen = Seen::new(cx, v);
    let mut i = 0;
    while let Some(inner) = seen.get(i) {
        i += 1;
        if is_known(inner) {
            continue;
        }
        if cell::is(inner, Type::Proc) {
            isolate::make_shareable(cx, inner)?;
        } else {
            freeze(cx, inner)?;
        }
        seen.add_children(cx, inner);
    }
    seen.mark_all();
    Ok(v)
}

fn freeze(cx: &mut Cx, v: Value) -> R<()> {
    match native::sharing(v) {
        Some(Sharing::Always) => return Ok(()),
        Some(Sharing::Never) => return Err(cannot_share(cx, v)),
        _ if is_never_shared(cx, v) => return Err(cannot_share(cx, v)),
        _ => {}
    }
    if cell::is(v, Type::Method) {
        return check_method(cx, v);
    }
    if cell::frozen(v) {
        return Ok(());
    }
    let name = symbol::table::intern_text(cx, "freeze");
    call::send(cx, v, name, &[])?;
    if !cell::frozen(v) {
        return Err(cx.raise(ErrorClass::RactorError, "#freeze does not freeze object correctly"));
    }
    Ok(())
}

fn cannot_share(cx: &mut Cx, v: Value) -> Unwind {
    match call::inspect_text(cx, v) {
        Ok(shown) => cx.raise(ErrorClass::RactorError, &format!("can not make shareable object for {shown}")),
        Err(unwind) => unwind,
    }
}

/// The receiver of a Method must already be shareable.
fn check_method(cx: &mut Cx, method: Value) -> R<()> {
    let children = children(cx, method);
    let mut i = 0;
    while let Some(child) = object::array::Arr::of(children).get(i) {
        if !is_shareable(cx, child) {
            let shown = call::inspect_text(cx, method)?;
            let message = format!("can not make shareable object for {shown} because it refers unshareable objects");
            return Err(cx.raise(ErrorClass::RactorError, &message));
        }
        i += 1;
    }
    cell::set_header(method, cell::header(method).with(Flags::FROZEN));
    Ok(())
}

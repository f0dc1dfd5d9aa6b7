//! Warnings and the hooks `method_added` and `singleton_method_added` for methods that a program defines.

use abi::Value;
use object::{
    Known, Sym,
    class::{self, class_data},
    method_entry::{self, Kind},
};

use crate::{Cx, R, inherited, naming::class_name, reflect, sym, unlinked, warning};

/// With `-W:performance`: warns if an operation of a core class with a fast path is about to be replaced or removed.
pub fn warn_fast_path_lost(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
    if !cx.vm().options.warn_performance || !crate::basic_ops::has_fast_path(cx, class, name) {
        return Ok(());
    }
    let old = class::lookup::own_method(class, name);
    if old.is_undef() || method_entry::kind(old) == Kind::Undefined || !is_internal(old) {
        return Ok(());
    }
    let (owner, name) = (class_name(cx, class), name.to_text(cx));
    warning::warn_here(cx, &format!("Redefining '{owner}#{name}' disables interpreter and JIT optimizations"))
}

/// Whether a method is Beni's own.
fn is_internal(entry: Value) -> bool {
    let body = method_entry::body(entry);
    match method_entry::kind(entry) {
        Kind::Block => false,
        Kind::Sequence => body.is_heap() && unlinked::is_internal(&body),
        _ => true,
    }
}

/// The warnings about a method that a program is about to define.
pub fn warn_redefined(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
    if !cx.vm().redefined.armed {
        return Ok(());
    }
    warn_fast_path_lost(cx, class, name)?;
    warn_replaced(cx, class, name)?;
    let is_called_by_core =
        [sym::INITIALIZE, sym::RESPOND_TO, sym::RESPOND_TO_MISSING, sym::METHOD_MISSING].contains(&name);
    if is_called_by_core && class == cx.class(Known::Object) {
        let text = name.to_text(cx);
        warning::warn_here(cx, &format!("redefining Object#{text} may cause infinite loop"))?;
    }
    let is_counted_on = [sym::OBJECT_ID, sym::UNDERSCORE_ID, sym::UNDERSCORE_SEND].contains(&name);
    if is_counted_on && !class::lookup::find_method(cx, class, name).is_undef() {
        warning::warn_serious(cx, "redefining", name)?;
    }
    Ok(())
}

/// With `-w`: warns if a method of the program replaces another one that has no alias.
fn warn_replaced(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
    if cx.verbose() != Some(true) {
        return Ok(());
    }
    let old = class::lookup::own_method(class, name);
    if old.is_undef()
        || matches!(method_entry::kind(old), Kind::Undefined | Kind::ZSuper | Kind::Alias)
        || method_entry::is_aliased(old)
        || has_alias(cx, class, old)
        || inherited::is_inherited(cx, old)
    {
        return Ok(());
    }
    let text = name.to_text(cx);
    let mut message = format!("method redefined; discarding old {text}");
    let mut body = method_entry::body(old);
    if method_entry::kind(old) == Kind::Block {
        body = reflect::target(abi::BlockHandler(body)).map_or(Value::NIL, |target| target.body);
    }
    if matches!(method_entry::kind(old), Kind::Sequence | Kind::Block)
        && body.is_heap()
        && !unlinked::is_internal(&body)
    {
        let code = unlinked::linked(cx, &body);
        let place = format!("{}:{}", code.source.path, code.first_line);
        message += &format!("\n{place}: warning: previous definition of {text} was here");
    }
    warning::warn_here(cx, &message)
}

fn has_alias(cx: &Cx, class: Value, entry: Value) -> bool {
    let (body, native) = (method_entry::body(entry), method_entry::read(entry).native);
    let is_other_name = |other: Value| {
        method_entry::name(other) != method_entry::name(entry)
            && method_entry::body(other) == body
            && method_entry::read(other).native == native
            && method_entry::kind(other) == method_entry::kind(entry)
    };
    class_data(cx, class).methods().values().any(|slot| is_other_name(slot.0))
}

/// Calls `method_added` or `singleton_method_added`.
pub fn added_hook(cx: &mut Cx, class: Value, name: Sym) -> R<()> {
    if !cx.vm().redefined.armed {
        return Ok(()); // There are no hooks while the core classes are created.
    }
    if cx.vm().trace_events & crate::trace::METHOD_ADDED != 0 {
        let (entry, former) = (class::lookup::own_method(class, name), cx.root(crate::Root::ReplacedMethod));
        cx.set_root(crate::Root::ReplacedMethod, Value::NIL);
        cx.event(crate::trace::METHOD_ADDED, entry, former)?;
    }
    if class::flags(class).singleton {
        let attached = class::attached(class);
        crate::call::send_private(cx, attached, sym::SINGLETON_METHOD_ADDED, &[name.value()])?;
    } else {
        crate::call::send_private(cx, class, sym::METHOD_ADDED, &[name.value()])?;
    }
    Ok(())
}

//! The warning about a block that is passed to a method which ignores it.

use abi::{Type, Value};
use memory::ToVector;
use object::{
    cell,
    class::lookup,
    method_entry::{self, Kind},
};

use crate::{
    Cx, R, backtrace,
    code::{CallSite, Code},
    unlinked, warning,
};

/// Warns, once for each call site and method, if a program's method neither yields nor has a parameter for the block.
/// Unless the category `strict_unused_block` is on, there is no warning if a method of the same name in another class
/// uses its block: callers need not know which one they call.
pub fn given_block(cx: &mut Cx, site: &CallSite, entry: Value) -> R<()> {
    let entry = method_entry::resolve_alias(entry);
    if method_entry::kind(entry) != Kind::Sequence || uses_block(cx, entry) {
        return Ok(());
    }
    let name = method_entry::original_name(entry);
    let shown = backtrace::qualified_name(cx, entry);
    let body = method_entry::body(entry);
    let code = unlinked::linked(cx, &body);
    let place = format!("{}:{}", code.source.path, code.first_line);
    let message = format!("the block passed to '{shown}' defined at {place} may be ignored");
    let key = ((site as *const CallSite).addr(), message.clone());
    if cx.vm().unused_blocks.warned.contains(&key) {
        return Ok(());
    }
    if !cx.vm().options.warn_strict_unused_block {
        let text = name.bytes(cx).to_vector();
        if cx.vm().unused_blocks.used.contains(&text) {
            return Ok(());
        }
        if is_used_elsewhere(cx, name) {
            cx.vm_mut().unused_blocks.used.insert(text);
            return Ok(());
        }
    }
    cx.vm_mut().unused_blocks.warned.insert(key);
    warning::warn_here(cx, &message)
}

/// Whether the method of an entry uses its block. Beni's own methods count as such.
fn uses_block(cx: &mut Cx, entry: Value) -> bool {
    let body = method_entry::body(entry);
    unlinked::is_internal(&body) || takes_block(unlinked::linked(cx, &body))
}

/// Whether a method yields, or has a parameter for its block.
pub fn takes_block(code: &Code) -> bool {
    code.uses_block || code.parameters.block.is_some() || code.parameters.forwarding
}

/// Whether a method of that name in some class or module of the program uses its block.
fn is_used_elsewhere(cx: &mut Cx, name: object::Sym) -> bool {
    let is_program = |entry: Value| {
        !entry.is_undef()
            && method_entry::kind(entry) == Kind::Sequence
            && !unlinked::is_internal(&method_entry::body(entry))
    };
    let has_method = &mut |v: Value| {
        matches!(cell::header(v).ty(), Type::Class | Type::Module) && is_program(lookup::own_method(v, name))
    };
    let Ok(classes) = cx.snapshot_objects(has_method) else { return true };
    for class in classes.iter() {
        let entry = lookup::own_method(class, name);
        if is_program(entry) && uses_block(cx, entry) {
            return true;
        }
    }
    false
}

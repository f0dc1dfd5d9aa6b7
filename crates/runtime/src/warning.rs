//! Warnings, which go through `Warning.warn`.

use abi::Value;
use object::{Known, Sym, class::constants::Constant, string::Str};

use crate::{Cx, R, call, keyword_hash, make, sym, unlinked};

/// Prints a warning like Kernel#warn, through `Warning.warn`, which programs may redefine.
pub fn warn(cx: &mut Cx, text: &str) -> R<()> {
    warn_as(cx, text, None)
}

/// A warning of the category `:deprecated` with the place of the caller, if such warnings are enabled.
pub fn warn_deprecated(cx: &mut Cx, text: &str) -> R<()> {
    if cx.verbose().is_none() || !cx.vm().options.warn_deprecated {
        return Ok(());
    }
    warn_as(cx, &placed(cx, text), Some("deprecated"))
}

/// A warning of the category `:deprecated` about a place, if such warnings are enabled.
pub fn warn_deprecated_at(cx: &mut Cx, path: &str, line: i32, text: &str) -> R<()> {
    if !cx.vm().options.warn_deprecated {
        return Ok(());
    }
    warn_as(cx, &format!("{path}:{line}: warning: {text}"), Some("deprecated"))
}

/// A warning of the category `:experimental` with the place of the caller, if such warnings are enabled.
pub fn warn_experimental(cx: &mut Cx, text: &str) -> R<()> {
    if cx.verbose().is_none() || !cx.vm().options.warn_experimental {
        return Ok(());
    }
    warn_as(cx, &placed(cx, text), Some("experimental"))
}

/// "file:line: warning: text"; once the program has ended only with its file.
fn placed(cx: &Cx, text: &str) -> String {
    match crate::backtrace::caller_position(cx) {
        Some((path, line)) => format!("{path}:{line}: warning: {text}"),
        None => format!("{}: warning: {text}", cx.vm().options.script_name),
    }
}

fn warn_as(cx: &mut Cx, text: &str, category: Option<&str>) -> R<()> {
    let line = if text.ends_with('\n') { text.to_string() } else { format!("{text}\n") };
    let message = make::text(cx, &line);
    let module = cx.root(crate::Root::Warning);
    if module.is_nil() {
        host::tell!("{line}");
        return Ok(());
    }
    let name = object::symbol::table::intern_text(cx, "warn");
    let class = object::class::class_of(cx, module);
    let entry = object::class::lookup::find_method(cx, class, name);
    unlinked::link_entry(cx, entry);
    let category = category.filter(|_| !entry.is_undef() && call::arity::arity_of(entry) != 1);
    let Some(category) = category else {
        call::send(cx, module, name, &[message])?;
        return Ok(());
    };
    let (key, category) =
        (object::symbol::table::intern_text(cx, "category"), object::symbol::table::intern_text(cx, category));
    let keywords = object::hash::HashRef::new(cx).value();
    keyword_hash::store_symbol(cx, keywords, key, category.value())?;
    call::send_full(cx, module, name, &[message], Some(keywords), abi::BlockHandler::NONE, call::Scope::Public)?;
    Ok(())
}

/// "file:line: warning: text", unless warnings are off (`-W0`).
pub fn warn_here(cx: &mut Cx, text: &str) -> R<()> {
    if cx.verbose().is_none() {
        return Ok(());
    }
    warn(cx, &placed(cx, text))
}

/// Like [`warn_here`], followed by the frames that lead to the place.
pub fn warn_with_callers(cx: &mut Cx, text: &str) -> R<()> {
    let mut text = text.to_string();
    let frames = crate::backtrace::capture(cx, 0, usize::MAX);
    let (all, mut at) = (crate::backtrace::to_array(cx, frames), 1);
    while let Some(line) = object::array::Arr::of(all).get(at) {
        at += 1;
        text.push_str("\n\tfrom ");
        text.push_str(&object::string::Str::of(line).to_text());
    }
    warn_here(cx, &text)
}

pub fn warn_deprecated_constant(cx: &mut Cx, module: Value, name: Sym) -> R<()> {
    if !cx.vm().options.warn_deprecated {
        return Ok(());
    }
    let is_top = module == cx.class(Known::Object);
    let (owner, text) = (if is_top { String::new() } else { crate::naming::class_name(cx, module) }, name.to_text(cx));
    warn_deprecated(cx, &format!("constant {owner}::{text} is deprecated"))
}

pub fn warn_reassigned_constant(cx: &mut Cx, module: Value, name: Sym, old: Constant) -> R<()> {
    let text = name.to_text(cx);
    let full = if module == cx.class(Known::Object) {
        text.clone()
    } else {
        format!("{}::{text}", crate::naming::class_name(cx, module))
    };
    let mut message = format!("already initialized constant {full}");
    if !old.file.is_nil() {
        let file = Str::of(old.file).to_text();
        message += &format!("\n{file}:{}: warning: previous definition of {text} was here", old.line);
    }
    warn_here(cx, &message)
}

/// Warns that a method is redefined or undefined on which much of Ruby depends.
pub fn warn_serious(cx: &mut Cx, what: &str, name: Sym) -> R<()> {
    if ![sym::OBJECT_ID, sym::UNDERSCORE_ID, sym::UNDERSCORE_SEND, sym::INITIALIZE].contains(&name) {
        return Ok(());
    }
    let text = name.to_text(cx);
    warn_here(cx, &format!("{what} '{text}' may cause serious problems"))
}

/// Ruby's warnings about a pattern, with the place of its literal, or of the caller.
pub fn warn_of_pattern(cx: &mut Cx, program: &regexp::Program, place: Option<&str>) -> R<()> {
    let Some(all) = cx.verbose() else { return Ok(()) };
    for warning in program.warnings() {
        if all || !warning.verbose {
            match place {
                Some(place) => warn(cx, &format!("{place}: warning: {}", warning.message))?,
                None => warn_here(cx, &warning.message)?,
            }
        }
    }
    Ok(())
}

//! `Binding#local_variable_set`: variables that the program's code does not know.
//!
//! The first new variable of a Binding makes a scope with hidden variables around which nothing else is, and takes one
//! of them; those that follow take the others. When all are taken, a scope twice as large is put into it. Once code is
//! evaluated in the Binding or the Binding is copied, others see the scope, and the next variable makes a new one.

use std::cell::RefCell;

use abi::{FrameFlags, Value};
use bytecode::sequence::{Local, Sequence};
use memory::Grow;
use object::{Sym, environment, native};

use super::binding::{BindingData, find_local};
use super::{environment_code, run_within, scope_of};
use crate::{
    Cx, R,
    code::{Code, code},
    link,
};

/// Variables of the first scope.
const FEWEST: usize = 4;
const MOST: usize = 1024;

/// Sets a local variable of a Binding, which may be new.
pub fn set_local(cx: &mut Cx, binding: Value, name: Sym, value: Value) -> R<()> {
    let Some(data) = native::get::<BindingData>(&binding) else { return Ok(()) };
    let known = match find_local(data.environment, name) {
        None => {
            if !take_hidden(cx, binding, name) {
                add_scope(cx, binding)?;
                take_hidden(cx, binding, name);
            }
            native::get::<BindingData>(&binding).and_then(|data| find_local(data.environment, name))
        }
        known => known,
    };
    if let Some((at, register)) = known {
        // SAFETY: `find_local` returned a register of the environment, which the binding keeps alive.
        unsafe { environment::set_slot(cx, environment::scope(at), register as usize, value) };
    }
    Ok(())
}

/// The code of the scope that may get more names.
fn growing(binding: Value) -> Option<Value> {
    native::get::<BindingData>(&binding).filter(|data| data.is_growing).map(|data| environment_code(data.environment))
}

/// Gives the name to the last hidden variable of the innermost scope, if it has one: the latest names are listed first.
fn take_hidden(cx: &mut Cx, binding: Value, name: Sym) -> bool {
    let Some(code) = growing(binding).and_then(|code| native::get_mut::<Code>(cx, code)) else { return false };
    let Some(hidden) = code.locals.iter_mut().rfind(|(name, _)| *name == Sym::NONE) else { return false };
    hidden.0 = name;
    true
}

/// Puts a scope with hidden variables into the innermost scope of the Binding.
fn add_scope(cx: &mut Cx, binding: Value) -> R<()> {
    let count = growing(binding).map_or(FEWEST, |before| (2 * code(&before).locals.len()).min(MOST));
    let Some(data) = native::get::<BindingData>(&binding) else { return Ok(()) };
    let (around, me) = (data.environment, data.receiver);
    let around_code = environment_code(around);
    let outer = code(&around_code);
    let Some(body) = with_scope_code(outer, count, |sequence| link::link(cx, sequence)) else { return Ok(()) };
    code(&body).parent.set(around_code);
    cx.remember(body);
    run_within(cx, binding, body, me, scope_of(around), FrameFlags::EVAL)?;
    if let Some(data) = native::get_mut::<BindingData>(cx, binding) {
        data.is_growing = true;
    }
    Ok(())
}

/// The code of a scope with hidden variables, and what it depends on.
struct ScopeCode {
    path: String,
    name: String,
    block_depth: u16,
    sequence: Sequence,
}

thread_local! {
    /// The code that was needed last: programs often add variables to one Binding after the other at the same place.
    static LAST: RefCell<Option<ScopeCode>> = const { RefCell::new(None) };
}

/// Passes the code of a scope with so many hidden variables, within this code, to `then`.
fn with_scope_code<T>(outer: &Code, count: usize, then: impl FnOnce(&Sequence) -> T) -> Option<T> {
    let (path, name, block_depth) = (&outer.source.path, outer.name.to_string(), outer.block_depth);
    let known = LAST.take().filter(|last| {
        last.path == *path
            && last.name == name
            && last.block_depth == block_depth
            && last.sequence.locals.len() == count
    });
    let last = match known {
        Some(known) => known,
        None => {
            let kind = compiler::SourceKind::Eval { scopes: Vec::new(), name: name.clone(), block_depth };
            let options = compiler::Options::new(path.clone(), kind);
            let mut sequence = compiler::compile(b"nil", &options).ok()?;
            let hidden = (1..=count as u16).map(|register| Local { name: None, register, reassigned: false });
            sequence.locals.append_from(hidden);
            ScopeCode { path: path.clone(), name, block_depth, sequence }
        }
    };
    let result = then(&last.sequence);
    LAST.set(Some(last));
    Some(result)
}

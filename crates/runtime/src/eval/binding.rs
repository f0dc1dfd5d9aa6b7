//! Bindings: a scope as an object.

use abi::{Scope, Value};
use heap::Trace;
use object::{
    Known, Sym, environment,
    native::{self, NativeData},
};

use text::encoding::EncodingId;

use crate::{Cx, R, code::code};

/// The data of a Binding: the environment of a scope (which evals extend), its self and its source position.
#[derive(Trace)]
pub struct BindingData {
    pub environment: Value,
    pub receiver: Value,
    pub path: String,
    pub line: i32,
}

impl NativeData for BindingData {}

/// A Binding of a live scope.
pub fn of_scope(cx: &mut Cx, scope: &Scope, line: i32) -> Value {
    // SAFETY: the scope is alive, as it is borrowed; register 0 is its self.
    let (environment, receiver) = unsafe { (cx.environment_of(scope), *scope.slots) };
    let path = code((environment_scope(environment)).code).source.path.clone();
    let class = cx.class(Known::Binding);
    native::new(cx, class, Box::new(BindingData { environment, receiver, path, line }))
}

/// The enclosing environment that a binding sees: nil if a block was detached for Ractors.
fn outer(environment: Value) -> Value {
    let outer = environment::outer(environment);
    if outer.is_heap() && environment::is_isolated(outer) { Value::NIL } else { outer }
}

fn environment_scope(v: Value) -> &'static Scope {
    // SAFETY: the scope lies inside the live environment.
    unsafe { &*environment::scope(v) }
}

/// The Binding of the nearest Ruby frame.
pub fn of_caller(cx: &mut Cx) -> R {
    let frame = cx
        .frames()
        .find(|f| f.flags & abi::FrameFlags::NATIVE == 0 && !code(f.scope.code).internal)
        .map(|f| f as *const abi::Frame);
    match frame {
        Some(frame) => {
            // SAFETY: a live frame.
            let (scope, word) = unsafe { (&(*frame).scope, code((*frame).scope.code).word_of((*frame).pc)) };
            // SAFETY: the frame is on the stack, so its code is alive.
            let line = unsafe { code((*frame).scope.code).line(word.saturating_sub(1)) };
            Ok(of_scope(cx, scope, line))
        }
        None => Err(cx.runtime_error("Can't create Binding from C level Proc")),
    }
}

/// Visible names from the inside out, each once.
pub fn local_names(environment: Value) -> Vec<Sym> {
    let mut names = Vec::new();
    let mut at = environment;
    while !at.is_nil() {
        let scope = environment_scope(at);
        if !scope.code.is_nil() {
            for (name, _) in &code(scope.code).locals {
                if !name.value().is_undef() && !names.contains(name) {
                    names.push(*name);
                }
            }
        }
        at = outer(at);
    }
    names
}

/// Environment and register of a local.
pub fn find_local(environment: Value, name: Sym) -> Option<(Value, u16)> {
    let mut at = environment;
    while !at.is_nil() {
        let scope = environment_scope(at);
        if !scope.code.is_nil()
            && let Some(register) = code(scope.code).local(name)
            && (register as usize) < environment::count(at)
        {
            return Some((at, register));
        }
        at = outer(at);
    }
    None
}

pub fn get_local(environment: Value, name: Sym) -> Option<Value> {
    let (at, register) = find_local(environment, name)?;
    // SAFETY: `find_local` returned a register of the environment.
    let v = unsafe { *(*environment::scope(at)).slots.add(register as usize) };
    Some(v.or(Value::NIL))
}

/// Sets a local; a new one is created by running an assignment in the binding.
pub fn set_local(cx: &mut Cx, binding: Value, name: Sym, value: Value) -> R<()> {
    let Some(data) = native::get::<BindingData>(&binding) else { return Ok(()) };
    let environment = data.environment;
    if let Some((at, register)) = find_local(environment, name) {
        // SAFETY: `find_local` returned a register of the environment.
        unsafe { environment::set_slot(cx, environment::scope(at), register as usize, value) };
        return Ok(());
    }
    let source = format!("{} = nil", name.to_text(cx));
    let source = crate::eval::EvalText { bytes: source.as_bytes(), encoding: EncodingId::UTF_8 };
    crate::eval::eval_in_binding(cx, binding, source, None)?;
    if let Some(data) = native::get::<BindingData>(&binding)
        && let Some((at, register)) = find_local(data.environment, name)
    {
        // SAFETY: the binding keeps the environment alive, and `find_local` returned one of its registers.
        unsafe { environment::set_slot(cx, environment::scope(at), register as usize, value) };
    }
    Ok(())
}

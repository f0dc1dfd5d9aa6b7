//! Bindings: a scope as an object.

use abi::{Frame, Scope, Value};
use heap::Trace;
use object::{
    Known, Sym, environment, method_entry,
    native::{self, NativeData},
};
use rustc_hash::FxHashSet;

use crate::{
    Cx, R,
    call::block,
    code::code,
    frame::FrameId,
    reflect::{environment_scope, frame_self, is_program},
};

/// The data of a Binding: the environment of a scope (which evals extend), its self and its source position.
#[derive(Clone, Copy, Trace)]
pub struct BindingData {
    pub environment: Value,
    pub receiver: Value,
    /// The code in whose file it is.
    pub code: Value,
    #[trace(skip)]
    pub line: Line,
    /// The innermost scope is one that `local_variable_set` made for this Binding, and nothing else has seen it: names
    /// may be added to it.
    #[trace(skip)]
    pub is_growing: bool,
}

/// The line of a Binding. Few programs ask for it.
#[derive(Clone, Copy)]
pub enum Line {
    Known(i32),
    /// That of the instruction that begins at a word of the code.
    OfWord(u32),
}

impl NativeData for BindingData {
    object::one_vtable!(BindingData);
}

impl BindingData {
    pub fn path(&self) -> &str {
        &code(&self.code).source.path
    }

    pub fn line(&self) -> i32 {
        match self.line {
            Line::Known(line) => line,
            Line::OfWord(word) => code(&self.code).line(word as usize),
        }
    }
}

/// A Binding, or an object of a subclass.
pub fn new(cx: &mut Cx, class: Value, data: BindingData) -> Value {
    native::embed(cx, class, data)
}

/// The Binding of a frame of Ruby code at a line; `None` for native frames, and after the frame was left.
pub fn of_frame(cx: &mut Cx, id: FrameId, line: i32) -> Option<Value> {
    of_frame_at(cx, id, Line::Known(line))
}

fn of_frame_at(cx: &mut Cx, id: FrameId, line: Line) -> Option<Value> {
    let scope = cx.frame_at(id).filter(|frame| !frame.scope.code.is_nil()).map(|frame| &raw const frame.scope)?;
    // SAFETY: `frame_at` returns live frames, and no code has run since.
    Some(unsafe { of_scope(cx, scope, line) })
}

/// The data of a frame that a debugger shows besides its location.
pub struct Seen {
    pub receiver: Value,
    /// The module whose method runs, or nil.
    pub class: Value,
    /// The program's running code and a Binding; nil for core methods.
    pub sequence: Value,
    pub binding: Value,
}

/// The data of a frame for a debugger; `None` after the frame was left.
pub fn seen(cx: &mut Cx, id: FrameId) -> Option<Seen> {
    let frame = cx.frame_at(id)?;
    let (receiver, entry) = (frame_self(frame), frame.scope.entry);
    let class = if entry.is_nil() { Value::NIL } else { method_entry::owner(entry) };
    let (sequence, line) = match is_program(frame) {
        true => (frame.scope.code, line_of(frame)),
        false => (Value::NIL, 0),
    };
    let binding = if sequence.is_nil() { Value::NIL } else { of_frame(cx, id, line)? };
    Some(Seen { receiver, class, sequence, binding })
}

/// The line of the call that a frame is currently executing.
fn line_of(frame: &Frame) -> i32 {
    code(&frame.scope.code).line(running_word(frame))
}

fn running_word(frame: &Frame) -> usize {
    code(&frame.scope.code).word_of(frame.pc).saturating_sub(1)
}

/// A Binding of a scope.
///
/// # Safety
/// The scope is that of a live frame of this context.
unsafe fn of_scope(cx: &mut Cx, scope: *const Scope, line: Line) -> Value {
    // SAFETY: by this function's contract the scope is alive; register 0 is its self.
    let (environment, receiver) = unsafe { (cx.environment_of(scope), *(*scope).slots) };
    let code = environment_scope(&environment).code;
    let class = cx.class(Known::Binding);
    new(cx, class, BindingData { environment, receiver, code, line, is_growing: false })
}

/// The enclosing environment that a binding sees: nil if a block was detached for Ractors.
fn outer(environment: Value) -> Value {
    let outer = environment::outer(environment);
    if outer.is_heap() && environment::is_isolated(outer) { Value::NIL } else { outer }
}

/// The Binding of the nearest Ruby frame.
pub fn of_caller(cx: &mut Cx) -> R {
    let frame = cx.frames().find(|frame| is_program(frame)).map(|frame| (FrameId::of(frame), running_word(frame)));
    match frame.and_then(|(id, word)| of_frame_at(cx, id, Line::OfWord(word as u32))) {
        Some(binding) => Ok(binding),
        None => Err(cx.runtime_error("Can't create Binding from C level Proc")),
    }
}

/// From now on others may see the innermost scope of the Binding.
pub fn stop_growing(cx: &mut Cx, binding: Value) {
    if let Some(data) = native::get_mut::<BindingData>(cx, binding) {
        data.is_growing = false;
    }
}

/// Visible names from the inside out, each once.
pub fn local_names(environment: Value) -> Vec<Sym> {
    let mut names = Vec::new();
    let mut seen = FxHashSet::default();
    let mut at = environment;
    while !at.is_nil() {
        let scope = environment_scope(&at);
        if !scope.code.is_nil() {
            for (name, _) in &code(&scope.code).locals {
                if !name.value().is_undef() && seen.insert(name.value().0) {
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
        let scope = environment_scope(&at);
        if !scope.code.is_nil()
            && let Some(register) = code(&scope.code).local(name)
            && (register as usize) < environment::count(at)
        {
            return Some((at, register));
        }
        at = outer(at);
    }
    None
}

/// The value of a local. The Proc of a block parameter is created if it was not read before.
pub fn get_local(cx: &mut Cx, environment: Value, name: Sym) -> R<Option<Value>> {
    let Some((at, register)) = find_local(environment, name) else { return Ok(None) };
    let scope = environment::scope(at);
    // SAFETY: `find_local` returned a register of the environment.
    let v = unsafe { *(*scope).slots.add(register as usize) };
    if v.is_undef() && code(&environment_scope(&at).code).parameters.block == Some(register) {
        // SAFETY: the environment, which the Binding keeps alive, has the scope, and the scope that register.
        unsafe {
            let made = block::to_proc(cx, (*scope).block)?;
            environment::set_slot(cx, scope, register as usize, made);
            return Ok(Some(made));
        }
    }
    Ok(Some(v.or(Value::NIL)))
}

//! Reading frames and scopes from core methods.

use abi::{BlockHandler, Frame, FrameFlags, Scope, Type, Value};
use bytecode::Kind;
use object::{Sym, cell, environment, native, proc};

use crate::{
    Cx,
    code::{Code, code},
};

/// The self of a live frame.
pub fn frame_self(frame: &Frame) -> Value {
    // SAFETY: register 0 of a live frame.
    unsafe { *frame.scope.slots }
}

/// Register `i` of a live frame, nil beyond its registers.
#[inline]
pub fn frame_register(frame: &Frame, i: usize) -> Value {
    if i >= frame.registers as usize {
        return Value::NIL;
    }
    // SAFETY: within the registers of a live frame.
    unsafe { *frame.scope.slots.add(i) }
}

/// Whether the frame runs Ruby code of the program.
pub fn is_program(frame: &Frame) -> bool {
    frame.flags & FrameFlags::NATIVE == 0 && !frame.scope.code.is_nil() && !code(&frame.scope.code).internal
}

/// The nearest frame that runs the program's Ruby code.
pub fn caller(cx: &Cx) -> Option<&Frame> {
    cx.frames().find(|f| is_program(f))
}

/// The scope of the method, class body or file that contains the frame's code.
pub fn home(frame: &Frame) -> &Scope {
    // SAFETY: the scope chain of a live frame is alive.
    unsafe { &*Scope::home(&raw const frame.scope) }
}

/// The block passed to the method whose code the frame runs; a method defined by a block has it in its own frame.
pub fn method_block(cx: &Cx, frame: &Frame) -> BlockHandler {
    if !frame.scope.entry.is_nil()
        && let Some(body) =
            cx.frames().find(|f| f.flags & FrameFlags::BMETHOD != 0 && f.scope.entry == frame.scope.entry)
    {
        return body.scope.block;
    }
    home(frame).block
}

/// The scope inside an environment, borrowed from the variable that holds it.
///
/// ```compile_fail,E0515
/// fn kept(environment: runtime::Value) -> &'static runtime::Scope {
///     runtime::reflect::environment_scope(&environment)
/// }
/// ```
pub fn environment_scope(v: &Value) -> &Scope {
    assert!(cell::is(*v, Type::Environment), "{v:?} is no environment");
    // SAFETY: the scope lies inside the environment, which the borrowed variable keeps alive.
    unsafe { &*environment::scope(*v) }
}

/// The code of a block, its scope and its self.
#[derive(Clone, Copy)]
pub struct Target {
    pub scope: *const Scope,
    pub body: Value,
    pub me: Value,
    pub lambda: bool,
}

/// The target of a block that is Ruby code; `None` for symbols, methods and native blocks.
#[inline]
pub fn target(block: BlockHandler) -> Option<Target> {
    if let Some(frame) = block.frame() {
        // SAFETY: the frame that passes a literal block lives as long as the call it makes.
        return unsafe {
            Some(Target {
                scope: &raw const (*frame).scope,
                body: (*frame).block_code,
                me: *(*frame).scope.slots,
                lambda: false,
            })
        };
    }
    let p = block.0;
    if !cell::is(p, Type::Proc) || cell::header(p).has(proc::NATIVE | proc::FROM_SYMBOL | proc::FROM_METHOD) {
        return None;
    }
    let scope = object::environment::scope(proc::environment(p));
    Some(Target { scope, body: proc::code(p), me: proc::receiver(p), lambda: proc::is_lambda(p) })
}

/// The name in a block that is a Symbol or the literal block of `&:name`.
#[inline]
pub fn block_symbol(block: BlockHandler) -> Option<Sym> {
    let Some(frame) = block.frame() else { return Sym::from_value(block.0) };
    // SAFETY: the frame that passes a literal block lives as long as the call it makes.
    let body = code(unsafe { &(*frame).block_code });
    body.parameters.of_symbol.then(|| body.calls[0].name)
}

/// The frame that passes a block which the program wrote as one; `None` for that of `&:name`, and for other blocks.
pub fn frame_of_written(block: BlockHandler) -> Option<*mut Frame> {
    block.frame().filter(|_| block_symbol(block).is_none())
}

/// The lexical scope of a block's code; nil for symbols, methods and native blocks.
pub fn block_cref(block: BlockHandler) -> Value {
    match target(block) {
        // SAFETY: the scope of a block that may be called is alive.
        Some(target) => unsafe { (*target.scope).cref },
        None => Value::NIL,
    }
}

/// The nearest frame of the program, if it has a default visibility of its own for definitions (a class body, a file,
/// an eval or a block in one). Class bodies of Ruby halves have one, too.
pub fn definition_frame(cx: &Cx) -> Option<&Frame> {
    let is_body = |f: &Frame| f.flags & (FrameFlags::NATIVE | FrameFlags::METHOD) == 0 && !f.scope.code.is_nil();
    cx.frames().find(|f| is_program(f) || is_body(f)).filter(|f| f.flags & FrameFlags::METHOD == 0)
}

/// Visible names of the locals of a sequence.
fn names_of_locals(body: &Value) -> impl Iterator<Item = object::Sym> {
    code(body).locals.iter().map(|(name, _)| *name).filter(|name| !name.value().is_undef())
}

/// The names of the local variables visible in a sequence, its own first.
pub fn locals_visible_in(body: Value) -> Vec<object::Sym> {
    let mut names = Vec::new();
    let mut at = body;
    while let Some(code) = native::get::<Code>(&at) {
        names.extend(names_of_locals(&at));
        if !matches!(code.kind, Kind::Block | Kind::Lambda | Kind::Eval | Kind::Once) {
            break;
        }
        at = code.parent.get();
    }
    names
}

/// The names of the local variables visible to the calling Ruby code, those of the innermost scope first.
pub fn visible_locals(cx: &Cx) -> Vec<object::Sym> {
    let mut names = Vec::new();
    let innermost = caller(cx).map(|frame| &frame.scope);
    for scope in std::iter::successors(innermost, |scope| outer_scope(scope)).filter(|scope| !scope.code.is_nil()) {
        names.extend(names_of_locals(&scope.code));
    }
    names
}

/// The scope around a live one, unless its block was detached from it for Ractors.
pub(crate) fn outer_scope(scope: &Scope) -> Option<&Scope> {
    // SAFETY: the scope around a live one is alive; there is none where the pointer is null.
    let outer = unsafe { scope.outer.as_ref() }?;
    let around = outer.environment;
    (!around.is_heap() || !environment::is_isolated(around)).then_some(outer)
}

/// Register `i` of the scope inside an environment, nil beyond its registers.
pub fn environment_slot(v: Value, i: usize) -> Value {
    if i >= environment::count(v) {
        return Value::NIL;
    }
    // SAFETY: the environment keeps that many registers.
    unsafe { (*(*environment::scope(v)).slots.add(i)).or(Value::NIL) }
}

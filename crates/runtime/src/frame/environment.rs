//! Moving variables from frames to the heap: environments, and the Procs that keep them.

use abi::{BlockHandler, Frame, Scope, Value};
use object::{Known, Sym, environment, proc};

use crate::{Cx, R, RootValue, reflect::block_symbol};

/// The block as a Proc (nil stays nil).
pub fn to_proc(cx: &mut Cx, block: BlockHandler) -> R {
    if let Some(name) = block_symbol(block) {
        return symbol_proc(cx, name.value());
    }
    let Some(frame) = block.frame() else { return Ok(block.0) };
    // SAFETY: the frame that passes a literal block lives as long as the call it makes.
    let (scope, body) = unsafe { (&raw const (*frame).scope, (*frame).block_code) };
    // SAFETY: the scope of that frame; register 0 is its self.
    let (environment, me) = unsafe { (cx.environment_of(scope), *(*scope).slots) };
    let class = cx.class(Known::Proc);
    Ok(proc::new(cx, class, environment, body, me, 0))
}

/// `:name.to_proc` and the Proc of `&:name`: a lambda that sends `name` to its first argument. A symbol of code has
/// one for all.
pub fn symbol_proc(cx: &mut Cx, symbol: Value) -> R {
    if let Some(known) = cx.vm().symbol_procs.get(&Sym::of(symbol)) {
        return Ok(known.0);
    }
    let class = cx.class(Known::Proc);
    let made = proc::new(cx, class, Value::NIL, symbol, Value::NIL, proc::LAMBDA | proc::FROM_SYMBOL);
    if symbol.is_static_symbol() {
        let procs = &mut cx.vm_mut().symbol_procs;
        if procs.try_reserve(1).is_ok() {
            procs.insert(Sym::of(symbol), RootValue(made));
        }
    }
    Ok(made)
}

impl Cx {
    /// The environment of a scope: its own if it is on the heap, otherwise one created for its frame (and for the
    /// enclosing scopes).
    ///
    /// # Safety
    /// The scope is that of a live frame of this context, or lies in a live environment.
    pub unsafe fn environment_of(&mut self, scope: *const Scope) -> Value {
        // SAFETY: the scope is alive, as are those around it; one whose `environment` is nil belongs to a live frame.
        unsafe {
            if (*scope).environment.is_heap() {
                return (*scope).environment;
            }
            let outer = if (*scope).outer.is_null() { Value::NIL } else { self.environment_of((*scope).outer) };
            let frame = scope as *mut Frame;
            self.keep_block(frame);
            let code = (*scope).code;
            let count = if code.is_nil() { 1 } else { crate::code::code(&code).environment_slots as usize };
            environment::open(self, &raw mut (*frame).scope, outer, count)
        }
    }

    /// Makes the literal block that was passed to `frame` a Proc, because the escaping environment may call it after
    /// that block's frame has ended.
    ///
    /// # Safety
    /// The frame is alive.
    unsafe fn keep_block(&mut self, frame: *mut Frame) {
        // SAFETY: by this function's contract.
        unsafe {
            let block = (*frame).scope.block;
            if block.frame().is_some()
                && let Ok(proc_) = to_proc(self, block)
            {
                (*frame).scope.block = BlockHandler(proc_);
            }
        }
    }
}

//! Constants of a class or module.

use abi::Value;
use heap::Trace;

use super::{class_data_mut, data::live_data, is_module};
use crate::{Mem, Sym, symbol::table};

#[derive(Clone, Copy, Trace)]
pub struct Constant {
    /// undef while an autoload is pending.
    pub value: Value,
    /// The path to load it from, or nil.
    pub autoload: Value,
    pub private: bool,
    pub deprecated: bool,
    pub file: Value,
    pub line: i32,
}

impl Constant {
    pub fn new(value: Value) -> Constant {
        Constant { value, autoload: Value::NIL, private: false, deprecated: false, file: Value::NIL, line: 0 }
    }

    /// Whether it is a core class that is loaded on first use: unlike with an autoload of a program, the constant
    /// counts as defined.
    pub fn is_core_on_demand(&self) -> bool {
        self.value.is_undef() && !self.autoload.is_nil() && self.file.is_nil()
    }
}

/// The constant of the module itself, not of its ancestors.
pub fn own(module: Value, name: Sym) -> Option<Constant> {
    assert!(is_module(module), "{module:?} is no module");
    // SAFETY: it is a module; the reference ends here.
    unsafe { live_data(module) }.constants().get(&name).copied()
}

/// Sets (or replaces) a constant and invalidates cached lookups.
pub fn set(cx: &mut Mem, module: Value, name: Sym, constant: Constant) {
    table::pin(cx, name);
    class_data_mut(cx, module).constants_mut().insert(name, constant);
    super::constant_watch::changed(cx, name);
}

pub fn remove(cx: &mut Mem, module: Value, name: Sym) -> Option<Constant> {
    let removed = own(module, name).and_then(|_| class_data_mut(cx, module).constants_mut().shift_remove(&name));
    super::constant_watch::changed(cx, name);
    removed
}

/// Changes flags of an existing constant.
pub fn update(cx: &mut Mem, module: Value, name: Sym, change: impl FnOnce(&mut Constant)) -> bool {
    if own(module, name).is_none() {
        return false;
    }
    let Some(constant) = class_data_mut(cx, module).constants_mut().get_mut(&name) else { return false };
    change(constant);
    super::constant_watch::changed(cx, name);
    true
}

/// The constant in the module or its ancestors, with the module it was found in.
pub fn find(module: Value, name: Sym) -> Option<(Value, Constant)> {
    super::ancestors::each_for_constants(module).find_map(|m| own(m, name).map(|c| (m, c)))
}

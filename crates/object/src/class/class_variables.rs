//! Class variables of a class or module.
//!
//! The inline caches of class variables are invalidated like those of constants, by the variable's name (see
//! `constant_watch`): whenever a variable of that name is added, removed, or enters the ancestors of a module, and
//! whenever its slot moves within the table of its module. A new value in the slot invalidates nothing.

use abi::Value;

use super::{
    class_data, class_data_mut, constant_watch,
    data::{MethodSlot, live_data},
    is_module,
};
use crate::{Mem, Sym, symbol::table};

/// The value of a class variable of the module itself, not of its ancestors.
pub fn own(module: Value, name: Sym) -> Option<Value> {
    assert!(is_module(module), "{module:?} is no module");
    // SAFETY: it is a module; the reference ends here.
    unsafe { live_data(module) }.rare().class_variables.get(&name).map(|slot| slot.0)
}

/// The names of the class variables of the module itself.
pub fn names(cx: &Mem, module: Value) -> Vec<Sym> {
    class_data(cx, module).rare().class_variables.keys().copied().collect()
}

/// The number of the variable's slot in the module's table.
pub fn slot(cx: &Mem, module: Value, name: Sym) -> Option<u32> {
    class_data(cx, module).rare().class_variables.get_index_of(&name).map(|slot| slot as u32)
}

/// The address of a slot, which stays the same as long as the version of the variable's name.
pub fn slot_address(cx: &Mem, module: Value, slot: u32) -> Option<*const Value> {
    let (_, slot) = class_data(cx, module).rare().class_variables.get_index(slot as usize)?;
    Some(&raw const slot.0)
}

/// The value in a slot.
///
/// # Safety
/// `module` is a class or module that has the slot.
#[inline(always)]
pub unsafe fn in_slot(module: Value, slot: u32) -> Value {
    // SAFETY: by this function's contract; the reference ends here.
    unsafe { live_data(module) }.rare().class_variables[slot as usize].0
}

/// Sets the value in a slot that exists.
#[inline]
pub fn set_slot(cx: &mut Mem, module: Value, slot: u32, value: Value) {
    class_data_mut(cx, module).rare_mut().class_variables[slot as usize] = MethodSlot(value);
}

/// Sets a class variable of the module itself.
pub fn set(cx: &mut Mem, module: Value, name: Sym, value: Value) {
    if let Some(slot) = slot(cx, module, name) {
        return set_slot(cx, module, slot, value);
    }
    table::pin(cx, name);
    let variables = &mut class_data_mut(cx, module).rare_mut().class_variables;
    let capacity = variables.capacity();
    variables.insert(name, MethodSlot(value));
    if variables.capacity() == capacity {
        constant_watch::changed(cx, name);
    } else {
        all_changed(cx, module);
    }
}

/// Removes a class variable of the module itself and returns its value.
pub fn remove(cx: &mut Mem, module: Value, name: Sym) -> Option<Value> {
    own(module, name)?;
    all_changed(cx, module);
    class_data_mut(cx, module).rare_mut().class_variables.shift_remove(&name).map(|slot| slot.0)
}

/// Gives a module the class variables of another one in place of its own.
pub fn copy(cx: &mut Mem, from: Value, to: Value) {
    all_changed(cx, to);
    let variables = class_data(cx, from).rare().class_variables.clone();
    class_data_mut(cx, to).rare_mut().class_variables = variables;
    all_changed(cx, to);
}

/// Invalidates the caches of all variables that the module itself has.
pub(super) fn all_changed(cx: &mut Mem, module: Value) {
    names(cx, module).into_iter().for_each(|name| constant_watch::changed(cx, name));
}

//! Instance variables, constants, class variables, global variables, `$~` and `$_`.

use std::ffi::{c_char, c_void};
use std::sync::Mutex;

use abi::Value;
use object::{Known, Sym, class, shape::ivars, symbol::table::intern_text};
use runtime::{Cx, R, constants, define, globals::Accessors, special, warning};

use crate::{
    border::{self, Place, call_words, pin, send},
    given, symbol,
};

#[inline(always)]
pub fn quick_rb_ivar_get(cx: &mut Cx, v: Value, id: u64) -> Option<Value> {
    Some(ivars::quick_get(cx, v, symbol::sym(id))?.or(Value::NIL))
}

#[inline(always)]
pub fn quick_rb_attr_get(cx: &mut Cx, v: Value, id: u64) -> Option<Value> {
    quick_rb_ivar_get(cx, v, id)
}

pub fn rb_ivar_get(cx: &mut Cx, v: Value, id: u64) -> R {
    get_variable(cx, v, symbol::sym(id))
}

pub fn rb_attr_get(cx: &mut Cx, v: Value, id: u64) -> R {
    get_variable(cx, v, symbol::sym(id))
}

pub fn rb_ivar_set(cx: &mut Cx, v: Value, id: u64, to: Value) -> R {
    set_variable(cx, v, symbol::sym(id), to)
}

pub fn rb_ivar_defined(cx: &mut Cx, v: Value, id: u64) -> R {
    let name = symbol::sym(id);
    if let Some(part) = ExceptionPart::of(cx, v, name) {
        return Ok(Value::bool(!part.get(cx, v)?.is_nil()));
    }
    Ok(Value::bool(!ivars::get(cx, v, name).is_undef()))
}

pub fn rb_iv_get(cx: &mut Cx, v: Value, name: *const c_char) -> R {
    let name = symbol::named(cx, name);
    get_variable(cx, v, name)
}

pub fn rb_iv_set(cx: &mut Cx, v: Value, name: *const c_char, to: Value) -> R {
    let name = symbol::named(cx, name);
    set_variable(cx, v, name, to)
}

fn get_variable(cx: &mut Cx, v: Value, name: Sym) -> R {
    match ExceptionPart::of(cx, v, name) {
        Some(part) => part.get(cx, v),
        None => Ok(ivars::get(cx, v, name).or(Value::NIL)),
    }
}

fn set_variable(cx: &mut Cx, v: Value, name: Sym, to: Value) -> R {
    cx.check_frozen(v)?;
    match ExceptionPart::of(cx, v, name) {
        Some(part) => part.set(cx, v, to)?,
        None => ivars::set(cx, v, name, to),
    }
    Ok(to)
}

/// A part of an exception that extensions set by a variable name without `@`: the message or the backtrace.
#[derive(Clone, Copy)]
enum ExceptionPart {
    Message,
    Backtrace,
}

impl ExceptionPart {
    fn of(cx: &Cx, v: Value, name: Sym) -> Option<ExceptionPart> {
        if !object::cell::is(v, abi::Type::Exception) {
            return None;
        }
        match name.bytes(cx) {
            b"mesg" => Some(ExceptionPart::Message),
            b"bt" => Some(ExceptionPart::Backtrace),
            _ => None,
        }
    }

    fn get(self, cx: &mut Cx, v: Value) -> R {
        match self {
            ExceptionPart::Message => Ok(ivars::get(cx, v, runtime::sym::MEMO_MESSAGE).or(Value::NIL)),
            ExceptionPart::Backtrace => send(cx, v, "backtrace", &[]),
        }
    }

    fn set(self, cx: &mut Cx, v: Value, to: Value) -> R<()> {
        match self {
            ExceptionPart::Message => ivars::set_hidden(cx, v, runtime::sym::MEMO_MESSAGE, to),
            ExceptionPart::Backtrace => drop(send(cx, v, "set_backtrace", &[to])?),
        }
        Ok(())
    }
}

/// The names of variables that programs and extensions see; Beni's internal ones begin with two underscores.
fn names(cx: &mut Cx, v: Value) -> Vec<Sym> {
    let names = if v.is_heap() { ivars::names(cx, v) } else { Vec::new() };
    names.into_iter().filter(|name| !name.bytes(cx).starts_with(b"__")).collect()
}

pub fn rb_ivar_count(cx: &mut Cx, v: Value) -> R<u64> {
    let parts = if object::cell::is(v, abi::Type::Exception) { 2 } else { 0 };
    Ok(names(cx, v).len() as u64 + parts)
}

pub fn rb_ivar_foreach(cx: &mut Cx, v: Value, function: *const c_void, data: u64) -> R<()> {
    let place = Place::now();
    if class::is_module(v) {
        let all: Vec<Sym> = class::class_variables::names(cx, v);
        for name in all {
            let Some(value) = class::class_variables::own(v, name) else { continue };
            let words = [symbol::id(cx, name), value.0, data];
            if call_words(cx, function, &words, place, None)?.0 as i32 == 1 {
                return Ok(());
            }
        }
    }
    if object::cell::is(v, abi::Type::Exception) {
        for name in ["mesg", "bt"] {
            let name = intern_text(cx, name);
            let value = get_variable(cx, v, name)?;
            let id = symbol::id(cx, name);
            if call_words(cx, function, &[id, value.0, data], place, None)?.0 as i32 == 1 {
                return Ok(());
            }
        }
    }
    for name in names(cx, v) {
        let value = ivars::get(cx, v, name);
        let id = symbol::id(cx, name);
        let next = call_words(cx, function, &[id, value.0, data], place, None)?;
        if next.0 as i32 == 1 {
            break;
        }
    }
    Ok(())
}

pub fn rb_copy_generic_ivar(cx: &mut Cx, to: Value, from: Value) -> R<()> {
    for name in names(cx, from) {
        let value = ivars::get(cx, from, name);
        ivars::set(cx, to, name, value);
    }
    Ok(())
}

pub fn rb_free_generic_ivar(cx: &mut Cx, v: Value) -> R<()> {
    for name in names(cx, v) {
        ivars::remove(cx, v, name);
    }
    Ok(())
}

pub fn rb_const_get(cx: &mut Cx, module: Value, id: u64) -> R {
    let name = symbol::sym(id);
    // Object's constants are visible from modules, too.
    if let Some(value) = constants::find_in_ancestors(cx, module, name)? {
        return Ok(pin(value));
    }
    let object = cx.class(Known::Object);
    if object::cell::is(module, abi::Type::Module)
        && let Some(value) = constants::find_in_ancestors(cx, object, name)?
    {
        return Ok(pin(value));
    }
    call_missing(cx, module, name)
}

fn call_missing(cx: &mut Cx, module: Value, name: Sym) -> R {
    runtime::call::send(cx, module, runtime::sym::CONST_MISSING, &[name.value()])
}

pub fn rb_const_get_at(cx: &mut Cx, module: Value, id: u64) -> R {
    let name = symbol::sym(id);
    match constants::own_value(cx, module, name)? {
        Some(value) => Ok(pin(value)),
        None => call_missing(cx, module, name),
    }
}

pub fn rb_const_get_from(cx: &mut Cx, module: Value, id: u64) -> R {
    let name = symbol::sym(id);
    let object = cx.class(Known::Object);
    match constants::find_in_ancestors(cx, module, name)? {
        Some(value) if module == object || class::constants::own(object, name).is_none() => Ok(value),
        Some(value) => {
            let holder = class::constants::find(module, name).map(|(holder, _)| holder);
            if holder == Some(object) && module != object { call_missing(cx, module, name) } else { Ok(value) }
        }
        None => call_missing(cx, module, name),
    }
}

fn defined(cx: &mut Cx, module: Value, id: u64, inherit: bool) -> R<i32> {
    if !symbol::value(id).truthy() || symbol::rb_is_const_id(cx, id) == 0 {
        return Ok(0);
    }
    let answer = send(cx, module, "const_defined?", &[symbol::value(id), Value::bool(inherit)])?;
    Ok(answer.truthy() as i32)
}

pub fn rb_const_defined(cx: &mut Cx, module: Value, id: u64) -> R<i32> {
    defined(cx, module, id, true)
}

pub fn rb_const_defined_at(cx: &mut Cx, module: Value, id: u64) -> R<i32> {
    defined(cx, module, id, false)
}

pub fn rb_const_defined_from(cx: &mut Cx, module: Value, id: u64) -> R<i32> {
    let object = cx.class(Known::Object);
    let holder = class::constants::find(module, symbol::sym(id)).map(|(holder, _)| holder);
    if module != object && holder.is_none_or(|holder| holder == object) {
        return Ok(0);
    }
    defined(cx, module, id, true)
}

pub fn rb_const_set(cx: &mut Cx, module: Value, id: u64, value: Value) -> R<()> {
    set_constant(cx, module, symbol::sym(id), value)
}

fn set_constant(cx: &mut Cx, module: Value, name: Sym, value: Value) -> R<()> {
    cx.check_frozen(module)?;
    if let Some(old) = class::constants::own(module, name).filter(|old| !old.value.is_undef()) {
        warning::warn_reassigned_constant(cx, module, name, old)?;
    }
    define::set_constant(cx, module, name, value);
    Ok(())
}

pub fn rb_const_remove(cx: &mut Cx, module: Value, id: u64) -> R {
    send(cx, module, "remove_const", &[symbol::value(id)])
}

pub fn rb_const_source_location(cx: &mut Cx, module: Value, id: u64) -> R {
    send(cx, module, "const_source_location", &[symbol::value(id)])
}

pub fn rb_define_const(cx: &mut Cx, module: Value, name: *const c_char, value: Value) -> R<()> {
    let name = symbol::named(cx, name);
    // C keeps constants in variables that are not marked, so the values are pinned.
    set_constant(cx, module, name, pin(value))
}

pub fn rb_define_global_const(cx: &mut Cx, name: *const c_char, value: Value) -> R<()> {
    let object = cx.class(Known::Object);
    rb_define_const(cx, object, name, value)
}

pub fn rb_cvar_get(cx: &mut Cx, class: Value, id: u64) -> R {
    constants::class_variables::get(cx, class, symbol::sym(id))
}

pub fn rb_cvar_set(cx: &mut Cx, class: Value, id: u64, value: Value) -> R<()> {
    constants::class_variables::set(cx, class, symbol::sym(id), value)
}

pub fn rb_cvar_defined(cx: &mut Cx, class: Value, id: u64) -> R {
    let name = symbol::sym(id);
    let is_there = constants::class_variables::find(class, name).is_some();
    Ok(Value::bool(is_there || !ivars::get(cx, class, name).is_undef()))
}

pub fn rb_cvar_find(cx: &mut Cx, class: Value, id: u64, front: *mut Value) -> R {
    let value = rb_cvar_get(cx, class, id)?;
    given::write(front, class);
    Ok(value)
}

/// The class variable for a name from C, with or without `@@`.
fn class_variable(cx: &mut Cx, name: *const c_char) -> Value {
    symbol::named(cx, name).value()
}

pub fn rb_cv_get(cx: &mut Cx, class: Value, name: *const c_char) -> R {
    let name = class_variable(cx, name);
    send(cx, class, "class_variable_get", &[name])
}

pub fn rb_cv_set(cx: &mut Cx, class: Value, name: *const c_char, value: Value) -> R<()> {
    let name = class_variable(cx, name);
    send(cx, class, "class_variable_set", &[name, value]).map(drop)
}

pub fn rb_define_class_variable(cx: &mut Cx, class: Value, name: *const c_char, value: Value) -> R<()> {
    rb_cv_set(cx, class, name, value)
}

/// The global variable for a name from C, with or without `$`.
fn global(cx: &mut Cx, name: *const c_char) -> Sym {
    let text = given::name(name);
    let full = if text.starts_with('$') { text } else { format!("${text}") };
    intern_text(cx, &full)
}

pub fn rb_gv_get(cx: &mut Cx, name: *const c_char) -> R {
    let name = global(cx, name);
    cx.global_get(name)
}

pub fn rb_gv_set(cx: &mut Cx, name: *const c_char, value: Value) -> R {
    let name = global(cx, name);
    cx.global_set(name, value)?;
    Ok(value)
}

/// The data of a global variable defined by C.
#[derive(Clone, Copy)]
struct Variable {
    name: u64,
    address: usize,
    getter: usize,
    setter: usize,
    is_readonly: bool,
}

/// Used only while the global lock is held.
static VARIABLES: Mutex<Vec<Variable>> = Mutex::new(Vec::new());

fn find(name: Sym) -> Option<Variable> {
    let list = VARIABLES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    list.iter().rev().find(|variable| variable.name == name.value().0).copied()
}

fn get(cx: &mut Cx, name: Sym) -> R {
    let Some(variable) = find(name) else { return Ok(Value::NIL) };
    if variable.getter == 0 {
        return Ok(if variable.address == 0 { Value::NIL } else { given::read(variable.address as *const Value) });
    }
    let id = symbol::id(cx, name);
    call_words(cx, variable.getter as *const c_void, &[id, variable.address as u64], Place::NONE, None)
}

fn set(cx: &mut Cx, name: Sym, value: Value) -> R<()> {
    let Some(variable) = find(name) else { return Ok(()) };
    if variable.is_readonly {
        let text = name.to_text(cx);
        let class = runtime::error::ErrorClass::NameError;
        return Err(cx.name_error(class, &format!("{text} is a read-only variable"), name, Value::NIL));
    }
    if variable.setter == 0 {
        given::write(variable.address as *mut Value, value);
        return Ok(());
    }
    let id = symbol::id(cx, name);
    let words = [value.0, id, variable.address as u64];
    call_words(cx, variable.setter as *const c_void, &words, Place::NONE, None).map(drop)
}

fn define_global(cx: &mut Cx, name: *const c_char, address: usize, getter: usize, setter: usize, is_readonly: bool) {
    let name = global(cx, name);
    object::symbol::table::pin(cx, name);
    let mut list = VARIABLES.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    list.push(Variable { name: name.value().0, address, getter, setter, is_readonly });
    drop(list);
    if address != 0 {
        crate::gc::register(address as *mut Value);
    }
    let text = name.to_text(cx);
    cx.define_global(&text, Accessors { get, set: Some(set) });
}

pub fn rb_define_variable(cx: &mut Cx, name: *const c_char, address: *mut Value) -> R<()> {
    define_global(cx, name, address as usize, 0, 0, false);
    Ok(())
}

pub fn rb_define_readonly_variable(cx: &mut Cx, name: *const c_char, address: *const Value) -> R<()> {
    define_global(cx, name, address as usize, 0, 0, true);
    Ok(())
}

pub fn rb_define_hooked_variable(
    cx: &mut Cx,
    name: *const c_char,
    address: *mut Value,
    getter: *mut c_void,
    setter: *mut c_void,
) -> R<()> {
    define_global(cx, name, address as usize, getter as usize, setter as usize, false);
    Ok(())
}

pub fn rb_define_virtual_variable(cx: &mut Cx, name: *const c_char, getter: *mut c_void, setter: *mut c_void) -> R<()> {
    // Without a getter it is false.
    let getter = if getter.is_null() { beni_false as *mut c_void } else { getter };
    define_global(cx, name, 0, getter as usize, setter as usize, setter.is_null());
    Ok(())
}

extern "C" fn beni_false(_: u64, _: *mut Value) -> Value {
    Value::FALSE
}

pub fn rb_alias_variable(cx: &mut Cx, new: u64, old: u64) -> R<()> {
    cx.alias_global(symbol::sym(new), symbol::sym(old));
    Ok(())
}

pub fn rb_gvar_undef_getter(_: &mut Cx, _: u64, _: *mut Value) -> R {
    Ok(Value::NIL)
}

pub fn rb_gvar_undef_setter(_: &mut Cx, _: Value, _: u64, _: *mut Value) -> R<()> {
    Ok(())
}

pub fn rb_gvar_val_getter(_: &mut Cx, _: u64, data: *mut Value) -> R {
    Ok(Value(data as u64))
}

pub fn rb_gvar_val_setter(_: &mut Cx, _: Value, _: u64, _: *mut Value) -> R<()> {
    Ok(())
}

pub fn rb_gvar_var_getter(_: &mut Cx, _: u64, data: *mut Value) -> R {
    Ok(if data.is_null() { Value::NIL } else { given::read(data) })
}

pub fn rb_gvar_var_setter(_: &mut Cx, value: Value, _: u64, data: *mut Value) -> R<()> {
    given::write(data, value);
    Ok(())
}

pub fn rb_gvar_readonly_setter(cx: &mut Cx, _: Value, id: u64, _: *mut Value) -> R<()> {
    let name = symbol::sym(id);
    let text = name.to_text(cx);
    let class = runtime::error::ErrorClass::NameError;
    Err(cx.name_error(class, &format!("{text} is a read-only variable"), name, Value::NIL))
}

pub fn rb_backref_get(cx: &mut Cx) -> Value {
    special::last_match(cx)
}

pub fn rb_backref_set(cx: &mut Cx, to: Value) -> R<()> {
    special::set_last_match(cx, to);
    Ok(())
}

pub fn rb_lastline_get(cx: &mut Cx) -> Value {
    special::last_line(cx)
}

pub fn rb_lastline_set(cx: &mut Cx, to: Value) -> R<()> {
    special::set_last_line(cx, to);
    Ok(())
}

/// Sets the variables `rb_cObject` and so on, before the first extension is loaded.
pub fn set_up(cx: &mut Cx) -> R<()> {
    for (path, variable) in crate::load::variables() {
        let value = border::constant(cx, &path)?;
        given::write(variable, pin(value));
        crate::gc::register(variable);
    }
    Ok(())
}

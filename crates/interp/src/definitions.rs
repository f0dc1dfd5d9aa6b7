//! Constants, class variables, class bodies and method definitions.

use abi::{FrameFlags, Value};
use bytecode::Opcode;
use object::{
    Sym, class,
    method_entry::{self, Entry, Kind, Visibility},
};
use runtime::{
    Cx, R,
    call::Window,
    call::frames,
    code::{
        Code, code,
        sites::{OnceValue, OnceValues},
    },
    concurrency::parking,
    constants::{self, cref},
    default_visibility, define, eval, intrinsics, method_table, redefinition, sym, unlinked,
};

pub fn set_constant(cx: &mut Cx, scope: Value, name: Sym, value: Value) -> R<()> {
    let scope = if scope.is_undef() {
        let mut at = cx.frame().scope.cref;
        while cref::is_eval(at) && !cref::outer(at).is_nil() {
            at = cref::outer(at);
        }
        if cref::is_without_definitions(at) {
            return Err(cx.type_error("can't define singleton"));
        }
        intrinsics::module_for_definitions(cx, at)?
    } else {
        scope
    };
    constants::warn_in_refinement(cx)?;
    constants::assign(cx, scope, name, value)
}

/// Pushes the frame of a class body; its value goes to register `destination`.
pub fn enter_class_body(cx: &mut Cx, body: Value, module: Value, destination: u32) -> R<()> {
    let c = code(&body);
    let scope = cref::new(cx, module, cx.frame().scope.cref);
    let base = cx.stack_top();
    cx.check_stack(base, c.registers as usize)?;
    // SAFETY: room was checked above the running frame's registers; the frame begins a scope.
    let (window, frame) = unsafe {
        let window = Window::new(base);
        (window, frames::unit(body, scope, std::ptr::null(), window, FrameFlags::CLASS, destination))
    };
    window.set(0, module);
    window.clear(1, c.registers as usize);
    cx.push_frame(frame);
    Ok(())
}

/// `def name`
pub fn define_method(cx: &mut Cx, body: Value, name: Sym) -> R {
    let scope = cx.frame().scope.cref;
    let module = runtime::intrinsics::definition_target(cx)?;
    let mode = default_visibility::of(cx.frame());
    let visibility = match mode {
        _ if matches!(
            name,
            sym::INITIALIZE
                | sym::INITIALIZE_COPY
                | sym::INITIALIZE_CLONE
                | sym::INITIALIZE_DUP
                | sym::RESPOND_TO_MISSING
        ) =>
        {
            Visibility::Private
        }
        1 | cref::VISIBILITY_MODULE_FUNCTION => Visibility::Private,
        _ if is_helper(cx, &body, name) => Visibility::Private,
        2 => Visibility::Protected,
        _ => Visibility::Public,
    };
    add_method(cx, module, body, name, visibility, scope)?;
    if mode == cref::VISIBILITY_MODULE_FUNCTION {
        let singleton = class::singleton_class(cx, module);
        add_method(cx, singleton, body, name, Visibility::Public, scope)?;
    }
    Ok(name.value())
}

/// `def object.name`
pub fn define_singleton_method(cx: &mut Cx, object: Value, body: Value, name: Sym) -> R {
    let class = match object {
        Value::NIL | Value::TRUE | Value::FALSE => class::class_of(cx, object),
        _ => {
            cx.check_frozen_singleton(object)?;
            singleton_for_definition(cx, object)?
        }
    };
    let scope = cx.frame().scope.cref;
    let visibility = if is_helper(cx, &body, name) { Visibility::Private } else { Visibility::Public };
    add_method(cx, class, body, name, visibility, scope)?;
    Ok(name.value())
}

/// Whether a method is a helper of a core class's Ruby half.
fn is_helper(cx: &mut Cx, body: &Value, name: Sym) -> bool {
    unlinked::is_internal(body) && define::is_core_helper(cx, name.to_text(cx).as_bytes())
}

fn singleton_for_definition(cx: &mut Cx, object: Value) -> R {
    intrinsics::singleton_class_of(cx, object)
}

fn add_method(cx: &mut Cx, class: Value, body: Value, name: Sym, visibility: Visibility, scope: Value) -> R<()> {
    cx.check_frozen_methods(class)?;
    if name == sym::INITIALIZE && !object::cell::is(class, abi::Type::Module) {
        let own = unlinked::linked(cx, &body);
        learn_fields(cx, class, own);
    }
    let internal = unlinked::is_internal(&body);
    if !internal {
        redefinition::warn_redefined(cx, class, name)?;
    }
    let entry = Entry {
        body,
        native: if internal { shortcut(class, name) } else { std::ptr::null() },
        cref: scope,
        ..Entry::of(class, name, Kind::Sequence, visibility)
    };
    let entry = method_entry::new(cx, entry);
    define::add_method(cx, class, name, entry);
    redefinition::added_hook(cx, class, name)
}

/// The row of the native method that becomes the fast path of a method written in Ruby; null if there is none.
fn shortcut(class: Value, name: Sym) -> *const () {
    let former = class::lookup::own_method(class, name);
    if former.is_undef() || method_entry::kind(former) != Kind::Native || !method_table::row(former).facts.shortcut {
        return std::ptr::null();
    }
    method_entry::native(former)
}

/// Reserves room in objects for the variables that their `initialize` sets.
fn learn_fields(cx: &mut Cx, class: Value, body: &Code) {
    let mut names: Vec<u64> = (0..body.instructions.len())
        .map(|word| body.instruction(word))
        .filter(|i| i.opcode == Opcode::SetIvar as u16)
        .filter_map(|i| body.ivars.get(i.bc() as usize).map(|site| site.name.value().0))
        .collect();
    names.sort_unstable();
    names.dedup();
    class::make::set_field_count(cx, class, names.len().min(60) as u16);
}

/// The value of a body that runs only once. While one thread runs it, others wait for its value; if it raises, the next
/// one runs it. Within itself it runs again.
pub fn run_once(cx: &mut Cx, own: &Code, child: u32) -> R {
    let thread = cx.thread;
    while let Some(runner) = own.once_runner(child) {
        if runner == thread {
            return run_once_body(cx, own, child);
        }
        parking::wait_until(cx, Value::NIL, None, |_| own.once_runner(child).is_none())?;
        if let Some(value) = own.once_value(child) {
            return Ok(value);
        }
    }
    change_once(cx, own, |once| once.running.push((child, OnceValue(thread))));
    let result = run_once_body(cx, own, child);
    change_once(cx, own, |once| {
        once.running.retain(|(number, _)| *number != child);
        if let Ok(value) = &result {
            once.values.push((child, OnceValue(*value)));
        }
    });
    parking::notify(cx).and(result)
}

fn change_once(cx: &mut Cx, own: &Code, change: impl FnOnce(&mut OnceValues)) {
    // SAFETY: the table of a code object is accessed under the global lock, by one thread at a time.
    change(unsafe { (*own.once.get()).get_or_insert_default() });
    let cell = own.own.get();
    cx.remember(cell);
}

fn run_once_body(cx: &mut Cx, own: &Code, child: u32) -> R {
    let scope = &raw const cx.frame().scope;
    // SAFETY: the running frame's scope.
    let (environment, me, cref) = unsafe { (cx.environment_of(scope), *(*scope).slots, (*scope).cref) };
    eval::run_code(cx, own.child(child as usize), me, cref, environment, FrameFlags::EVAL)
}

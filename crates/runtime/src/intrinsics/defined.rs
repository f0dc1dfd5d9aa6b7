//! `defined?` in all its forms.

use abi::Value;
use object::{
    Known, Sym,
    class::{self, constants},
    method_entry, native,
    shape::ivars,
};

use super::scope_at;
use crate::{
    Cx, R, call,
    code::code,
    constants::{class_variables, exists_lexically},
    convert, core_methods, define, make, special, sym, unlinked, warning,
};

fn answer(cx: &mut Cx, yes: bool, text: &str) -> Value {
    if yes { make::interned(cx, text) } else { Value::NIL }
}

pub fn instance_variable(cx: &mut Cx, [name]: [Value; 1]) -> Value {
    let me = self_of_frame(cx);
    let there = !ivars::get(cx, me, Sym::of(name)).is_undef();
    answer(cx, there, "instance-variable")
}

pub fn global(cx: &mut Cx, [name]: [Value; 1]) -> Value {
    let there = cx.global_defined(Sym::of(name));
    answer(cx, there, "global-variable")
}

pub fn class_variable(cx: &mut Cx, [name]: [Value; 1]) -> R {
    let scope = cx.frame().scope.cref;
    let there = match class_variables::holder(cx, scope) {
        Ok(class) => class_variables::find(class, Sym::of(name)).is_some(),
        Err(unwind) => {
            cx.take_exception(unwind)?;
            false
        }
    };
    Ok(answer(cx, there, "class variable"))
}

/// Loads nothing: a constant with a pending autoload counts as defined. The load path's `to_path` may run.
pub fn constant(cx: &mut Cx, [name]: [Value; 1]) -> R {
    let scope = cx.frame().scope.cref;
    let there = exists_lexically(cx, scope, Sym::of(name));
    Ok(answer(cx, there, "constant"))
}

pub fn constant_from(cx: &mut Cx, [scope, name]: [Value; 2]) -> R {
    if !class::is_module(scope) {
        return Ok(Value::NIL);
    }
    let name = Sym::of(name);
    let object = cx.class(Known::Object);
    let there = constants::find(scope, name).is_some_and(|(place, c)| {
        !c.private
            && (place != object || scope == object || !class::is_class(scope))
            && crate::autoload::exists(cx, place, name, &c)
    });
    Ok(answer(cx, there, "constant"))
}

fn visible_method(cx: &mut Cx, receiver: Value, name: Sym, scope: call::Scope) -> R {
    let class = class::class_of(cx, receiver);
    let lexical = cx.frame().scope.cref;
    let refined = if cx.vm().refinements_used && lexical.is_heap() {
        crate::refinements::find(cx, lexical, class, name)
    } else {
        None
    };
    let entry = refined.unwrap_or_else(|| class::lookup::find_method(cx, class, name));
    let there = if entry.is_undef() {
        responds_to_missing(cx, receiver, class)?
            && call::responds_basically(cx, receiver, name, scope != call::Scope::Public)?
    } else {
        call::visible(cx, entry, receiver, scope)
    };
    Ok(answer(cx, there, "method"))
}

/// Whether a `respond_to?` of the program has `respond_to_missing?`, which is not called otherwise.
fn responds_to_missing(cx: &mut Cx, receiver: Value, class: Value) -> R<bool> {
    let entry = class::lookup::find_method(cx, class, sym::RESPOND_TO);
    if entry.is_undef() || core_methods::is_core(entry) {
        return Ok(true);
    }
    unlinked::link_entry(cx, entry);
    if call::arity::arity_of(entry) == 1 && cx.vm().options.warn_deprecated && cx.verbose().is_some() {
        warn_of_one_parameter(cx, receiver, class, entry)?;
    }
    call::responds(cx, receiver, sym::RESPOND_TO_MISSING, true)
}

/// Warns of a `respond_to?` without the parameter that tells whether private methods count.
#[cold]
fn warn_of_one_parameter(cx: &mut Cx, receiver: Value, class: Value, entry: Value) -> R<()> {
    let owner = match class::flags(class).singleton {
        true => format!("{}.", convert::to_s(cx, receiver)?.to_text()),
        false => format!("{}#", define::class_name(cx, class)),
    };
    let text = "uses the deprecated method signature, which takes one parameter";
    warning::warn_deprecated(cx, &format!("{owner}respond_to?(:respond_to_missing?) {text}"))?;
    if method_entry::kind(entry) != method_entry::Kind::Sequence {
        return Ok(());
    }
    let body = method_entry::body(entry);
    let (path, line) = (code(&body).source.path.clone(), code(&body).first_line);
    warning::warn_deprecated_at(cx, &path, line, "respond_to? is defined here")
}

pub fn method(cx: &mut Cx, [receiver, name]: [Value; 2]) -> R {
    visible_method(cx, receiver, Sym::of(name), call::Scope::Public)
}

pub fn function(cx: &mut Cx, [name]: [Value; 1]) -> R {
    let me = self_of_frame(cx);
    visible_method(cx, me, Sym::of(name), call::Scope::Function)
}

pub fn block(cx: &mut Cx, [depth]: [Value; 1]) -> Value {
    let given = !scope_at(cx, depth.fixnum_value() as usize).block.is_none();
    answer(cx, given, "yield")
}

pub fn super_method(cx: &mut Cx, []: [Value; 0]) -> Value {
    let entry = cx.frame().scope.entry;
    if entry.is_nil() {
        return Value::NIL;
    }
    let next = class::lookup::find_super(
        cx,
        method_entry::found_in(entry),
        method_entry::owner(entry),
        method_entry::original_name(entry),
    );
    answer(cx, !next.is_undef(), "super")
}

pub fn back_reference(cx: &mut Cx, [number]: [Value; 1]) -> Value {
    let there = native::get::<special::MatchInfo>(&special::last_match(cx)).is_some()
        && !special::back_reference(cx, number.fixnum_value()).is_nil();
    answer(cx, there, "global-variable")
}

fn self_of_frame(cx: &Cx) -> Value {
    // SAFETY: a running frame has a register 0, which holds self.
    unsafe { *cx.frame().scope.slots }
}

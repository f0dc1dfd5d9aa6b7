//! `defined?` in all its forms.

use abi::Value;
use object::{
    Known, Sym,
    class::{self, constants},
    method_entry, native,
    shape::ivars,
};

use super::{described, scope_at, self_of_frame};
use crate::{
    Cx, R, call,
    constants::{class_variables, is_there_lexically},
    special,
};

fn answer(cx: &mut Cx, yes: bool, text: &str) -> R {
    if yes { described(cx, text) } else { Ok(Value::NIL) }
}

pub fn instance_variable(cx: &mut Cx, name: Sym) -> R {
    let me = self_of_frame(cx);
    let there = !ivars::get(cx, me, name).is_undef();
    answer(cx, there, "instance-variable")
}

pub fn global(cx: &mut Cx, name: Sym) -> R {
    let there = cx.global_defined(name);
    answer(cx, there, "global-variable")
}

pub fn class_variable(cx: &mut Cx, name: Sym) -> R {
    let scope = cx.frame().scope.cref;
    let there = match class_variables::holder(cx, scope) {
        Ok(class) => class_variables::find(class, name).is_some(),
        Err(unwind) => {
            cx.take_exception(unwind)?;
            false
        }
    };
    answer(cx, there, "class variable")
}

/// Nothing is loaded: a constant that an autoload will make is there.
pub fn constant(cx: &mut Cx, name: Sym) -> R {
    let scope = cx.frame().scope.cref;
    let there = is_there_lexically(cx, scope, name);
    answer(cx, there, "constant")
}

pub fn constant_from(cx: &mut Cx, scope: Value, name: Sym) -> R {
    if !class::is_module(scope) {
        return Ok(Value::NIL);
    }
    let object = cx.class(Known::Object);
    let there = constants::find(scope, name).is_some_and(|(place, c)| {
        !c.private
            && (place != object || scope == object || !class::is_class(scope))
            && crate::autoload::is_there(cx, place, name, &c)
    });
    answer(cx, there, "constant")
}

pub fn method(cx: &mut Cx, receiver: Value, name: Sym, scope: call::Scope) -> R {
    let class = class::class_of(cx, receiver);
    let lexical = cx.frame().scope.cref;
    let refined = if cx.vm().refinements_used && lexical.is_heap() {
        crate::refinements::find(cx, lexical, class, name)
    } else {
        None
    };
    let entry = refined.unwrap_or_else(|| class::lookup::find_method(cx, class, name));
    let there = if entry.is_undef() {
        call::responds_basically(cx, receiver, name, scope != call::Scope::Public)?
    } else {
        call::visible(cx, entry, receiver, scope)
    };
    answer(cx, there, "method")
}

pub fn function(cx: &mut Cx, name: Sym) -> R {
    let me = self_of_frame(cx);
    method(cx, me, name, call::Scope::Function)
}

pub fn block(cx: &mut Cx, depth: usize) -> R {
    let scope = scope_at(cx, depth);
    // SAFETY: a scope of the running frame.
    let given = unsafe { !(*scope).block.is_none() };
    answer(cx, given, "yield")
}

pub fn super_method(cx: &mut Cx) -> R {
    let entry = cx.frame().scope.entry;
    if entry.is_nil() {
        return Ok(Value::NIL);
    }
    let next = class::lookup::find_super(
        cx,
        method_entry::found_in(entry),
        method_entry::owner(entry),
        method_entry::original_name(entry),
    );
    answer(cx, !next.is_undef(), "super")
}

pub fn back_reference(cx: &mut Cx, n: i64) -> R {
    let there = native::get::<special::MatchInfo>(special::last_match(cx)).is_some()
        && !special::back_reference(cx, n).is_nil();
    answer(cx, there, "global-variable")
}

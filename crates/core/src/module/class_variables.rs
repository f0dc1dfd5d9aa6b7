//! Class variables by name.

use abi::Value;
use object::{Sym, class, string::Str};
use runtime::{Args, Cx, R, constants::class_variables, convert, define, error::ErrorClass, make};
use text::inspect::{NameKind, name_kind};

fn variable_name(cx: &mut Cx, module: Value, v: Value) -> R<Sym> {
    let name = convert::to_symbol(cx, v)?;
    let text = Str::of(name.name(cx));
    if matches!(name_kind(text.encoding(), text.bytes(cx)), Some(NameKind::Class)) {
        return Ok(name);
    }
    let shown = name.to_text(cx);
    let message = format!("'{shown}' is not allowed as a class variable name");
    Err(cx.name_error_as_given(ErrorClass::NameError, &message, v, module))
}

/// `class_variable_get(name) → object`: the value of a class variable here or in an ancestor. NameError if there is
/// none, or for a name without `@@`.
pub fn get(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    class_variables::get(cx, args.me(), name)
}

/// `class_variable_set(name, value) → value`: sets a class variable in the ancestor that has it, otherwise here.
/// NameError for a name without `@@`.
pub fn set(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    class_variables::set(cx, args.me(), name, args.at(1))?;
    Ok(args.at(1))
}

/// `class_variable_defined?(name) → true or false`: whether the module or an ancestor has the class variable. NameError
/// for a name without `@@`.
pub fn is_defined(cx: &mut Cx, args: Args) -> R {
    let name = variable_name(cx, args.me(), args.at(0))?;
    Ok(Value::bool(class_variables::find(args.me(), name).is_some()))
}

/// `class_variables(inherit = true) → array`: the names of the class variables as symbols, including those of ancestors
/// unless `inherit` is false.
pub fn list(cx: &mut Cx, args: Args) -> R {
    let inherit = args.opt(0).is_none_or(Value::truthy);
    let me = args.me();
    let list = make::array(cx, &[]);
    let mut seen = std::collections::HashSet::new();
    let places: Vec<u64> = class_variables::places(me).map(|m| m.0).collect();
    for place in places.into_iter().map(Value) {
        if !inherit && place != me {
            continue;
        }
        let names = class::class_variables::names(cx, place);
        for name in names {
            if seen.insert(name.value().0) {
                make::push(cx, list, name.value());
            }
        }
    }
    Ok(list)
}

/// `remove_class_variable(name) → object`: removes a class variable of the module itself and returns its value.
/// NameError if the module itself has no such variable.
pub fn remove(cx: &mut Cx, args: Args) -> R {
    let me = args.me();
    let name = variable_name(cx, me, args.at(0))?;
    cx.check_frozen(me)?;
    if let Some(value) = class::class_variables::remove(cx, me, name) {
        return Ok(value);
    }
    let (text, owner) = (name.to_text(cx), define::class_name(cx, me));
    let message = if class_variables::find(me, name).is_some() {
        format!("cannot remove {text} for {owner}")
    } else {
        format!("class variable {text} not defined for {owner}")
    };
    Err(cx.name_error(ErrorClass::NameError, &message, name, me))
}
